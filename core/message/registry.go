package message

import "github.com/rankbox/rankbox/core/base/wire"

// Kind is the kind of a question, and thereby of its answer. Each kind has a file with its types, which registers
// it; nothing else lists the kinds. Page and worker come from one build, so the numbers may change. Names instead
// of numbers would add 3 kB to the first program. A duplicate number panics in every program and test.
type Kind uint64

// Ping asks whether the worker is alive. Its question and answer are empty.
const Ping Kind = 5

// entry is a registered kind.
type entry struct {
	runs             bool
	question, answer func() wire.Wirer // returns an empty one; nil if the kind has none
}

var kinds = map[Kind]entry{Ping: {}}

// pointer is a pointer to T with a Wire method.
type pointer[T any] interface {
	*T
	wire.Wirer
}

// register adds a kind with question Q and answer A. runs marks the questions of the Compare screen.
func register[Q, A any, PQ pointer[Q], PA pointer[A]](k Kind, runs bool) {
	if _, taken := kinds[k]; taken {
		panic("message: two kinds have one number")
	}
	if !answered {
		kinds[k] = entry{runs: runs}
		return
	}
	kinds[k] = entry{runs, func() wire.Wirer { return PQ(new(Q)) }, func() wire.Wirer { return PA(new(A)) }}
}

// OfRuns reports whether a kind concerns the compared runs rather than the open collection.
func (k Kind) OfRuns() bool { return kinds[k].runs }

// Question returns an empty question of the kind, or nil if it has none or is unknown.
func (k Kind) Question() wire.Wirer { return empty(kinds[k].question) }

// Answer returns an empty answer of the kind, or nil if it has none or is unknown.
func (k Kind) Answer() wire.Wirer { return empty(kinds[k].answer) }

func empty(f func() wire.Wirer) wire.Wirer {
	if f == nil {
		return nil
	}
	return f()
}

// codeOptional codes an optional question or answer; empty returns an empty one to read into.
func codeOptional(c *wire.Codec, v *wire.Wirer, empty func() wire.Wirer) {
	there := *v != nil
	c.Bool(&there)
	if !there {
		return
	}
	if c.Reading() {
		if *v = empty(); *v == nil {
			c.Fail()
			return
		}
	}
	(*v).Wire(c)
}
