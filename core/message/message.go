// Package message is what the page and its worker say to each other: requests with an increasing id, and replies that
// carry it back. It is the only thing that the two share.
//
// A request gets any number of Progress replies and then exactly one that is final. A reply whose id is not the newest
// of its kind is dropped by the page. Bytes that are not a message are refused with wire.ErrDamaged.
package message

import (
	"github.com/rankbox/rankbox/core/wire"
)

// Request is one question of the page.
type Request struct {
	ID       uint64
	Kind     Kind
	Question wire.Wirer // of the type that the kind has, nil for Ping
}

// Reply is one answer of the worker. At most one of Progress, Problem, Answer and Beyond is set.
type Reply struct {
	ID       uint64
	Kind     Kind
	Progress *Progress
	Problem  *Problem
	Beyond   bool // this program of the worker cannot do it, a richer one can
	// of the type that the kind has; nil for Ping, and where a newer question made the answer superfluous
	Answer wire.Wirer
	Memory float64 // bytes of the worker's memory
}

// Progress says how far a request is. It is not final.
type Progress struct {
	What        string // "documents", "index"
	Done, Total int    // Total 0 where it is not known
	Unit        string // what is counted, "rankings"; "" for bytes
	First       *First // what is known already of a comparison, nil for nothing
	// what is left goes in one step, of which nothing is told, and which takes long where there is much
	Rest bool
}

// First is the means of the runs that have been read, while others are still being read and nothing has been tested:
// those that the report will have, but where leaving out queries depends on all runs.
type First struct {
	Measures []string
	Runs     []FirstRun
}

// FirstRun is one of them, under its file's name.
type FirstRun struct {
	Name  string
	Means []float64 // a measure
}

// Problem is an error as a person reads it: what happened, where, and what to do.
type Problem struct {
	What, Where, Do string
}

// Wire walks the request.
func (r *Request) Wire(c *wire.Codec) {
	c.Uint(&r.ID)
	c.Uint((*uint64)(&r.Kind))
	body(c, &r.Question, r.Kind.Question)
}

// Pointer walks a value that may be absent.
func Pointer[T any, P interface {
	*T
	wire.Wirer
}](c *wire.Codec, p *P) {
	there := *p != nil
	c.Bool(&there)
	if !there {
		return
	}
	if c.Reading() {
		*p = new(T)
	}
	(*p).Wire(c)
}

// Wire walks the reply.
func (r *Reply) Wire(c *wire.Codec) {
	c.Uint(&r.ID)
	c.Uint((*uint64)(&r.Kind))
	Pointer(c, &r.Progress)
	Pointer(c, &r.Problem)
	c.Bool(&r.Beyond)
	body(c, &r.Answer, r.Kind.Answer)
	c.Float(&r.Memory)
}

// Wire walks the progress.
func (p *Progress) Wire(c *wire.Codec) {
	c.Fields(&p.What, &p.Done, &p.Total, &p.Unit)
	Pointer(c, &p.First)
	c.Bool(&p.Rest)
}

// Wire walks the first figures. Every run has a mean of every measure.
func (f *First) Wire(c *wire.Codec) {
	c.Strings(&f.Measures)
	wire.List(c, &f.Runs, func(r *FirstRun) {
		c.Fields(&r.Name, &r.Means)
		if c.Reading() && len(r.Means) != len(f.Measures) {
			c.Fail()
		}
	})
}

// Wire walks the problem.
func (p *Problem) Wire(c *wire.Codec) { c.Fields(&p.What, &p.Where, &p.Do) }
