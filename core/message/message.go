// Package message is what the page and its worker say to each other: requests with an increasing id, and replies that carry it
// back. It is the only thing that the two share.
//
// A request gets any number of Progress replies and then exactly one that is final. A reply whose id is not the newest of its
// kind is dropped by the page. Bytes that are not a message are refused with wire.ErrDamaged.
package message

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/wire"
)

// Kind says what is asked, and what is answered.
type Kind uint64

// The kinds of messages.
const (
	Open     Kind = 1 // fetch and index a collection: Base, Spec.Collection, Spec.Hash → Opened
	Search   Kind = 2 // Spec → Results
	Explain  Kind = 3 // Spec, Focus → Why
	Evaluate Kind = 4 // Spec → Report
	Ping     Kind = 5 // → an empty reply: the worker is alive
)

// Request is one question of the page.
type Request struct {
	ID    uint64
	Kind  Kind
	Base  string // URL of the folder that holds the collections, with a slash at its end
	Spec  experiment.Spec
	Focus experiment.Focus

	Setting *Setting // of Runs
	Ask     *Ask     // of the other kinds of the Compare screen
}

// Reply is one answer of the worker. Exactly one of the pointers is set, none for Ping.
type Reply struct {
	ID       uint64
	Kind     Kind
	Progress *Progress
	Problem  *Problem
	Opened   *Opened
	Results  *experiment.Results
	Why      *experiment.Why
	Report   *experiment.Report
	Compared *Compared
	Answer   *Answer
	Memory   float64 // bytes of the worker's memory
}

// Progress says how far a request is. It is not final.
type Progress struct {
	What        string // "documents", "index"
	Done, Total int    // in bytes or items; Total 0 where it is not known
	First       *First // what is known already of a comparison, nil for nothing
}

// First is the means of the runs that have been read, while others are still being read and nothing has been tested: those that the
// report will have, but where leaving out queries depends on all runs.
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

// Opened describes the collection that is open now.
type Opened struct {
	Ref        experiment.Ref
	Source     string
	Models     []string
	Queries    []experiment.Topic
	Encoded    []bool // a query: every model has a vector for it
	Categories []Count
	Months     []Count // YYYY-MM, every month of the span
	Entities   []Count // most frequent first
}

// Count is a value and the number of documents that have it.
type Count struct {
	Value string
	Kind  string // of an entity
	N     int
}

// Wire walks the request.
func (r *Request) Wire(c *wire.Codec) {
	c.Uint(&r.ID)
	c.Uint((*uint64)(&r.Kind))
	c.String(&r.Base)
	r.Spec.Wire(c)
	r.Focus.Wire(c)
	Pointer(c, &r.Setting)
	Pointer(c, &r.Ask)
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
	Pointer(c, &r.Opened)
	Pointer(c, &r.Results)
	Pointer(c, &r.Why)
	Pointer(c, &r.Report)
	Pointer(c, &r.Compared)
	Pointer(c, &r.Answer)
	c.Float(&r.Memory)
}

// Wire walks the progress.
func (p *Progress) Wire(c *wire.Codec) {
	c.String(&p.What)
	c.Int(&p.Done)
	c.Int(&p.Total)
	Pointer(c, &p.First)
}

// Wire walks the first figures. Every run has a mean of every measure.
func (f *First) Wire(c *wire.Codec) {
	c.Strings(&f.Measures)
	wire.List(c, &f.Runs, func(r *FirstRun) {
		c.String(&r.Name)
		c.Floats(&r.Means)
		if c.Reading() && len(r.Means) != len(f.Measures) {
			c.Fail()
		}
	})
}

// Wire walks the problem.
func (p *Problem) Wire(c *wire.Codec) { c.String(&p.What); c.String(&p.Where); c.String(&p.Do) }

// Wire walks the description.
func (o *Opened) Wire(c *wire.Codec) {
	o.Ref.Wire(c)
	c.String(&o.Source)
	c.Strings(&o.Models)
	wire.Structs(c, &o.Queries)
	wire.List(c, &o.Encoded, c.Bool)
	for _, l := range []*[]Count{&o.Categories, &o.Months, &o.Entities} {
		wire.List(c, l, func(n *Count) { c.String(&n.Value); c.String(&n.Kind); c.Int(&n.N) })
	}
}
