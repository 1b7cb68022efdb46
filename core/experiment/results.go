package experiment

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// NoGrade is the grade of a document that is not judged for the query.
const NoGrade = -1 << 31

// Results is the answer to one query by every system.
type Results struct {
	Judged   bool // the query has judgments, so Scores are there
	Relevant int  // documents with grade ≥ 1
	Measures []string
	Lists    []List
	Spent    int      // tokens that backends were asked for
	Terms    []string // the analysed query, by the analyzer of the collection's index
}

// List is the ranking of one system.
type List struct {
	Notation string
	Label    string
	Problem  string // why this system cannot answer this query; no hits then
	Again    bool   // a file could not be fetched, of what ranks or of the texts: the same search may find it
	// how the query was encoded, where that is not how the model would; or why the order is the one before a
	// backend
	Note string
	// what asking its backends would cost, a sentence, where that is more than Spec.Spend; Problem says it too
	Unasked string
	Hits    []Found
	Scores  []float64 // of the query, a measure; nil where the query is not judged
	Overlap float64   // share of the documents shown that the first system shows too; NaN for the first
	RBO     float64   // rank-biased overlap with the first system, p = 0.9; NaN for the first
	Micros  float64   // time of the ranking, of each query
	Did     []byte    // what each stage did, for Steps to read; empty in the page's first program
}

// Found is one document in a ranking.
type Found struct {
	Ordinal  int
	ID       string
	Part     string // "chunk 3 of 7 of notes.md", "" for a document
	Title    []Segment
	Snippet  []Segment
	Date     string
	Category string
	Entities []string
	Score    float64
	Grade    float64 // NoGrade if nobody judged it
	Ranks    []int   // its rank in each system's list, from 1; 0 where it is not among those shown
	Twins    []Found // near-duplicates that are folded under it: documents further down the same list
}

// Segment is a piece of text; Mark says that it matches the query.
type Segment struct {
	Text string
	Mark bool
}

// Document is one document as it is read.
type Document struct {
	ID, Title, Text, Date, Category string
	Entities                        []string
	Body                            []Segment // Text with the words of the query marked
	Heading                         []Segment // Title likewise
}

// Why is the explanation of one score.
type Why struct {
	Document Document
	System   int
	Rank     int // 0 where the system does not rank it among those shown
	Grade    float64
	Part     rank.Part
	Problem  string
}

func segments(c *wire.Codec, s *[]Segment) {
	wire.List(c, s, func(g *Segment) { c.Fields(&g.Text, &g.Mark) })
}

// Wire walks the results.
func (r *Results) Wire(c *wire.Codec) {
	c.Fields(&r.Judged, &r.Relevant, &r.Measures, &r.Terms, &r.Spent)
	wire.List(c, &r.Lists, func(l *List) {
		c.Fields(&l.Notation, &l.Label, &l.Problem, &l.Again, &l.Note, &l.Unasked)
		wire.List(c, &l.Hits, func(f *Found) { f.wire(c, 0) })
		c.Fields(&l.Scores, &l.Overlap, &l.RBO, &l.Micros, &l.Did)
	})
}

func (f *Found) wire(c *wire.Codec, depth int) {
	c.Fields(&f.Ordinal, &f.ID, &f.Part)
	segments(c, &f.Title)
	segments(c, &f.Snippet)
	c.Fields(&f.Date, &f.Category, &f.Entities, &f.Score)
	c.Grade(&f.Grade)
	c.Fields(&f.Ranks)
	if depth == 0 {
		wire.List(c, &f.Twins, func(t *Found) { t.wire(c, 1) })
	}
}

// Wire walks the document.
func (d *Document) Wire(c *wire.Codec) {
	c.Fields(&d.ID, &d.Title, &d.Text, &d.Date, &d.Category, &d.Entities)
	segments(c, &d.Body)
	segments(c, &d.Heading)
}

// Wire walks the explanation.
func (w *Why) Wire(c *wire.Codec) {
	w.Document.Wire(c)
	c.Fields(&w.System, &w.Rank)
	c.Grade(&w.Grade)
	wirePart(c, &w.Part, 0)
	c.String(&w.Problem)
}

func wirePart(c *wire.Codec, p *rank.Part, depth int) {
	if depth > 2*pipeline.MaxStages+2 { // deeper than any pipeline: damaged
		c.Fail()
		return
	}
	c.Fields(&p.Name, &p.Note, &p.Score)
	wire.List(c, &p.Values, func(v *rank.Value) { c.Fields(&v.Name, &v.Value) })
	wire.List(c, &p.Parts, func(q *rank.Part) { wirePart(c, q, depth+1) })
	there := p.Grid != nil
	if c.Bool(&there); !there {
		return
	}
	if c.Reading() {
		p.Grid = &rank.Grid{}
	}
	g := p.Grid
	c.Fields(&g.Rows, &g.Columns, &g.Values)
	if len(g.Values) != len(g.Rows)*len(g.Columns) {
		c.Fail()
	}
}
