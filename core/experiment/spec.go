// Package experiment turns a Spec (what to compare on which collection) into runs and a Report (what came out). It is not a
// retriever and not a measure: those are in the rooms of rank and in measure.
//
// Order of the pipeline: Spec → systems built over the open collection → a ranked list a query and system → measures →
// significance → Report.
package experiment

// Screen names a page of the site.
type Screen string

// The screens that a link may open.
const (
	Home    Screen = "home"
	Search  Screen = "search"
	Compare Screen = "compare"
)

// Spec is everything that a link carries: which collection, which systems, which query, how it is measured and what is on the
// screen. It holds no document and no judgment. Its zero value is the home page of the default collection with the default
// systems.
type Spec struct {
	Screen     Screen   // "" is Home
	Collection string   // id of the collection ("harbour-wire"), "" for the default one
	Hash       string   // first 16 hex digits of the bundle's content hash, "" where any version will do
	Systems    []string // one to four pipelines in canonical notation, in the order of their letters A, B, C, D
	Baseline   int      // index into Systems of the system the others are compared with
	QueryID    string   // a judged query of the collection, "" where Query was typed
	Query      string   // the typed query, "" where QueryID is set
	Document   string   // id of the document whose score is being explained, "" for none
	System     int      // index into Systems of the list that Document was selected in
	Measures   []string // measure notations in the order of the columns; empty for the defaults
	Depth      int      // documents shown a system, 0 for the default
	Filter     Filter
}

// Filter restricts which documents may be retrieved. Its zero value lets every document pass. Several values of one field are
// alternatives; several fields must all hold.
type Filter struct {
	Categories []string // any of these
	From, To   string   // first and last date, YYYY-MM-DD, inclusive; "" for open
	Entities   []string // names, any of these
}
