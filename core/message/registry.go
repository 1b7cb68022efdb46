package message

import "github.com/rankbox/rankbox/core/wire"

// Kind says what is asked, and with it what is answered. Each kind stands in a file of its own with the types of its
// question and its answer, and joins the registry there; nothing else lists them. The page and the worker are of one
// build, so numbers may change. They are numbers because names make the first program 3 kB larger. A number that is
// given twice ends every program and every test.
type Kind uint64

// Ping asks whether the worker is alive. It has neither a question nor an answer beyond the reply itself.
const Ping Kind = 5

// entry is what is known of a kind.
type entry struct {
	runs             bool
	question, answer func() wire.Wirer // an empty one; nil where the kind has none
}

var kinds = map[Kind]entry{Ping: {}}

// pointer is a pointer to T that is walked by a codec.
type pointer[T any] interface {
	*T
	wire.Wirer
}

// register adds a kind whose question is a Q and whose answer is an A. The questions of the Compare screen are of runs.
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

// OfRuns reports whether a kind is about the runs that are compared, rather than about the open collection.
func (k Kind) OfRuns() bool { return kinds[k].runs }

// Question returns an empty question of the kind, nil where it has none or is not known.
func (k Kind) Question() wire.Wirer { return empty(kinds[k].question) }

// Answer returns an empty answer of the kind, nil where it has none or is not known.
func (k Kind) Answer() wire.Wirer { return empty(kinds[k].answer) }

func empty(f func() wire.Wirer) wire.Wirer {
	if f == nil {
		return nil
	}
	return f()
}

// body walks a question or an answer that may be absent; empty gives an empty one to read into.
func body(c *wire.Codec, v *wire.Wirer, empty func() wire.Wirer) {
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
