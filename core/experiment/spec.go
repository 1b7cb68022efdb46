// Package experiment turns a Spec (what to compare on which collection) into runs and a Report (what came out). It is
// not a retriever and not a measure: those are in the rooms of rank and in measure.
//
// Order of the pipeline: Spec → systems built over the open collection → a ranked list a query and system → measures →
// significance → Report.
package experiment

import "github.com/rankbox/rankbox/core/base/wire"

// Spec is an experiment before it is run: which collection, which systems, which query and how it is measured. It holds
// no document and no judgment, and nothing of what is on the screen. Its zero value is the default collection with the
// default systems.
type Spec struct {
	Collection string   // id of the collection ("harbour-wire"), "" for the default one
	Hash       string   // first 16 hex digits of the bundle's content hash, "" where any version will do
	Systems    []string // one to four pipelines in canonical notation, in the order of their letters A, B, C, D
	Baseline   int      // index into Systems of the system the others are compared with
	QueryID    string   // a judged query of the collection, "" where Query was typed
	Query      string   // the typed query, "" where QueryID is set
	Measures   []string // measure notations in the order of the columns; empty for the defaults
	Depth      int      // documents shown a system, 0 for the default
	Filter     Filter
	Spend      int // tokens that backends may be asked for to answer this; beyond them they are not asked
}

// Focus is one document in one system's list: what Explain is asked about.
type Focus struct {
	Document string // id of the document
	System   int    // index into Systems of the list that it stands in
}

// Filter restricts which documents may be retrieved. Its zero value lets every document pass. Several values of one
// field are alternatives; several fields must all hold.
type Filter struct {
	Categories []string // any of these
	From, To   string   // first and last date, YYYY-MM-DD, inclusive; "" for open
	Entities   []string // names, any of these
}

// Wire walks the spec.
func (s *Spec) Wire(c *wire.Codec) {
	c.Fields(&s.Collection, &s.Hash, &s.QueryID, &s.Query, &s.Systems, &s.Measures, &s.Baseline, &s.Depth,
		&s.Filter.Categories,
		&s.Filter.From, &s.Filter.To, &s.Filter.Entities, &s.Spend)
}

// Wire walks the focus.
func (f *Focus) Wire(c *wire.Codec) {
	c.Fields(&f.Document, &f.System)
}
