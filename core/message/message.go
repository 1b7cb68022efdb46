// Package message is the protocol between the page and its worker, the only thing that they share: requests with
// increasing ids, and replies with the same ids.
//
// A request gets any number of Progress replies, then exactly one final reply. The page drops replies whose id is
// not the newest of its kind. Bytes that are no message give wire.ErrDamaged.
package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
)

// Request is a question of the page.
type Request struct {
	ID       uint64
	Kind     Kind
	Question wire.Wirer // of the kind's type; nil for Ping
}

// Reply is an answer of the worker. At most one of Progress, Problem, Answer and Beyond is set.
type Reply struct {
	ID       uint64
	Kind     Kind
	Progress *Progress
	Problem  *Problem
	Beyond   bool // this worker program cannot do it; a larger one can
	// of the kind's type; nil for Ping, and if a newer question superseded this one
	Answer wire.Wirer
	Memory float64 // bytes of the worker's memory
}

// Progress is the progress of a request. It is not final.
type Progress struct {
	What        string // "documents", "index"
	Done, Total int    // Total is 0 if unknown
	Unit        string // counted unit, "rankings"; "" for bytes
	First       *First // preliminary figures of a comparison, or nil
	// the rest is a single step without progress, which may take long
	Rest bool
}

// First holds the means of the runs read so far, before any test. The report will have the same means, unless the
// queries to exclude depend on all runs.
type First struct {
	Measures []string
	Runs     []FirstRun
}

// FirstRun is one of these runs, by its file's name.
type FirstRun struct {
	Name  string
	Means []float64 // by measure
}

// Problem is an error for users: what happened, where, and what to do.
type Problem struct {
	What, Where, Do string
}

// Wire codes the request.
func (r *Request) Wire(c *wire.Codec) {
	c.Uint(&r.ID)
	c.Uint((*uint64)(&r.Kind))
	codeOptional(c, &r.Question, r.Kind.Question)
}

// Pointer codes a value that may be absent.
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

// Wire codes the reply.
func (r *Reply) Wire(c *wire.Codec) {
	c.Uint(&r.ID)
	c.Uint((*uint64)(&r.Kind))
	Pointer(c, &r.Progress)
	Pointer(c, &r.Problem)
	c.Bool(&r.Beyond)
	codeOptional(c, &r.Answer, r.Kind.Answer)
	c.Float(&r.Memory)
}

// Wire codes the progress.
func (p *Progress) Wire(c *wire.Codec) {
	c.Fields(&p.What, &p.Done, &p.Total, &p.Unit)
	Pointer(c, &p.First)
	c.Bool(&p.Rest)
}

// Wire codes the preliminary figures. Every run has a mean for every measure.
func (f *First) Wire(c *wire.Codec) {
	c.Strings(&f.Measures)
	wire.List(c, &f.Runs, func(r *FirstRun) {
		c.Fields(&r.Name, &r.Means)
		if c.Reading() && len(r.Means) != len(f.Measures) {
			c.Fail()
		}
	})
}

// Wire codes the problem.
func (p *Problem) Wire(c *wire.Codec) { c.Fields(&p.What, &p.Where, &p.Do) }
