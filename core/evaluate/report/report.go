// Package report is what came out of a comparison, as data: the systems, their values query by query, the tests of
// their differences and the one conclusion that is drawn from them, whether the systems were retrieved here (see
// experiment) or their runs were brought (see compare). It retrieves nothing, measures nothing and writes no file (see
// export).
//
// Order of the pipeline: values by query → Conclude (means, intervals, groups, pairs) → Finding and Warnings, data that
// Sentence, Note and Doubts say in words → Tests and Statistics of further measures on demand.
//
// The words: a Report has Systems, Queries and a Column a measure. A Pair is the comparison of two systems on a
// measure, Tests are those of all pairs on one measure, Test is which paired test they were made with and why, Protocol
// is what somebody decided of that. A Decision is one policy of the measures or of the protocol. Coverage is what was
// read of a run that was brought. A Finding is what the figures say, a Warning what is doubtful about them.
package report

import (
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
)

// Report is what is said of systems over all queries. It holds no time, no machine, no path and no document id: the
// same question on the same data gives the same Report, bit for bit, natively and in wasm, and so the same Hash.
type Report struct {
	Collection Ref
	Systems    []System
	Measures   []string // canonical notation, in the order of the columns; the first is the one that is tested
	Baseline   int      // index into Systems
	Queries    []Query
	Columns    []Column // one a measure
	Pairs      []Pair   // every pair of systems, on the first measure
	Test       Test     // of them

	// every decision that changes figures, in the order of measure.Switches; then those of Switches that are not at
	// their default
	Decisions []Decision
	Coverage  []Coverage // a system; nil in reports of earlier versions about systems that were retrieved
	Stats     Stats      // of the judgments
	Fields    []Field    // aggregates by the fields of the queries that have at least two values
	Skipped   []string   // judged queries that the decisions leave out
	Warnings  []Warning  // about the runs and the judgments; those about the test are in Test

	Letters Letters // of Systems; no figure, and no part of the hash
	Depth   int     // documents that every ranking was retrieved to, 0 for imported runs, whose length is their own

	Hash string // 64 hex digits; see Seal
}

// Ref says which collection a report is about.
type Ref struct {
	ID, Name, Hash, Licence string
	Documents, Queries      int
	Judgments               int
	Analyzer                string
	// Elsewhere says that the documents are behind search backends: Documents counts the ids that were named. Chunked
	// says that they are chunks of documents. Static says that the vectors named minilm are those of the static
	// encoder. None is stored with a report.
	Elsewhere, Chunked, Static bool
}

// Label is what tables call a pipeline whose label is given: vectors of the static encoder are not called the model's.
func (k *Ref) Label(label string) string {
	if k.Static {
		return strings.ReplaceAll(label, "(MiniLM", "(static MiniLM")
	}
	return label
}

// Size says how many documents the collection has, "5,183 documents", or chunks, or that they are elsewhere.
func (k *Ref) Size() string {
	if k.Elsewhere {
		return "documents elsewhere"
	}
	if k.Chunked {
		return say.Count(k.Documents, "chunk", "chunks")
	}
	return say.Count(k.Documents, "document", "documents")
}

// System is one system of a report.
type System struct {
	Notation string // canonical pipeline; "" for an imported run
	Label    string // "BM25, title ×3"
	Missing  int    // judged queries it could not answer; they count 0
	Why      string // why not, of the first of them
}

// Pipeline is the pipeline of the system as text: its notation, or the name of an imported run, which may be one.
func (s *System) Pipeline() string {
	if s.Notation != "" {
		return s.Notation
	}
	return s.Label
}

// Query is one judged query of a report.
type Query struct {
	ID, Text, Type, Difficulty string
	Relevant                   int // documents with grade ≥ 1, or the level of the decisions
}

// Column is one measure over all systems and queries. All slices but Values have one entry a system.
type Column struct {
	Measure string
	Values  [][]float64 // [system][query]
	Means   []float64
	Low     []float64 // lower end of the 95 % interval of the mean; NaN if there is none, see NoInterval
	High    []float64
	Groups  []string // letters: two that share one are not significantly different
	Best    float64  // the best mean: the largest, or the smallest where smaller is better
	Lower   bool     // smaller is better

	// Nil in reports of earlier versions about systems that were retrieved:
	Applied   string    // what the measure means under the decisions
	Geometric []float64 // geometric mean, as trec_eval's gm_map: values below 0.00001 count as that
	Median    []float64
	TieLow    []float64 // mean over the queries of the lowest value that any order of tied documents gives
	TieHigh   []float64
	// ResidualLow and ResidualHigh are the means of the least and most that the value could be were the unjudged
	// documents of the rankings judged after all. NaN where the measure has no such bounds, and where finding them
	// costs too much.
	ResidualLow  []float64
	ResidualHigh []float64
}

// Decision is one policy of the measures or of the tests.
type Decision struct {
	Name, Option, Doc string
	Default           bool
}

// Coverage is what was read of one run. Documents of queries without judgments are not counted.
type Coverage struct {
	Tag       string
	Queries   int      // judged queries it has
	Missing   []string // judged queries it lacks, the first few; System.Missing counts them
	Foreign   int      // queries it has that nobody judged; left out
	Documents int      // of the judged queries
	Unjudged  int      // of them, those among the first Window of a query that the qrels do not name
	Top       int      // documents among the first Window, over all queries
	Tied      int      // documents that share their score with another one of the query
	TiedIn    int      // queries with such documents
}

// Window is how many documents of a ranking are looked at for unjudged ones.
const Window = 10

// Share is the share of unjudged documents among the first Window of each query, NaN where there are none.
func (u *Coverage) Share() float64 {
	if u.Top == 0 {
		return math.NaN()
	}
	return float64(u.Unjudged) / float64(u.Top)
}

// Stats describes the judgments.
type Stats struct {
	Queries, Judgments int
	Relevant           int     // judgments with a grade of at least the level (1, or what the decisions say)
	Barren             int     // queries without a relevant document
	Grades             []Grade // ascending
	// RelevantMin, RelevantMedian and RelevantMax are of the relevant documents a query.
	RelevantMin, RelevantMax int
	RelevantMedian           float64
	// of all judgments, whatever their order: two that are equal are of the same ones; "" where it is not known
	Digest string
}

// Grade is how often a grade was given.
type Grade struct {
	Grade float64
	Count int
}

// Wire implements wire.Wirer. Digests contain its bytes.
func (g *Grade) Wire(c *wire.Codec) {
	c.Grade(&g.Grade)
	c.Fields(&g.Count)
}

// Field is one field of the queries with the values it takes.
type Field struct {
	Name   string // "type", "difficulty", "domain"
	Groups []Group
}

// Group is the queries that share a value.
type Group struct {
	Value   string
	Queries int
	Means   [][]float64 // [measure][system]
}

// Wire walks the report.
func (r *Report) Wire(c *wire.Codec) {
	r.figures(c)
	r.Test.chosen(c)
	wire.List(c, (*[]int)(&r.Letters), func(p *int) { c.Int(p) })
	c.Int(&r.Depth)
	if c.Reading() && !slices.Equal(r.Letters, r.Letters.For(len(r.Systems))) {
		c.Fail()
	}
}

// Place is where the letter of a system stands in the alphabet, from 0: what it is drawn with.
func (r *Report) Place(system int) int { return r.Letters.Place(system) }

// Letter is what a system is called.
func (r *Report) Letter(system int) string { return r.Letters.Letter(system) }

// figures walks what the hash is of, in the order that it has been made in since there are hashes: what a report gains
// that is no figure stands behind it.
func (r *Report) figures(c *wire.Codec) {
	r.Collection.Wire(c)
	wire.Structs(c, &r.Systems)
	c.Fields(&r.Measures, &r.Baseline)
	wire.Structs(c, &r.Queries)
	wire.Structs(c, &r.Columns)
	wire.Structs(c, &r.Pairs)
	r.Test.sealed(c)
	wire.Structs(c, &r.Decisions)
	wire.Structs(c, &r.Coverage)
	r.Stats.Wire(c)
	wire.Structs(c, &r.Fields)
	c.Strings(&r.Skipped)
	wire.Structs(c, &r.Warnings)
	c.String(&r.Hash)
	if c.Reading() && !r.fits() {
		c.Fail()
	}
}

// Wire walks the reference.
func (k *Ref) Wire(c *wire.Codec) {
	c.Fields(&k.ID, &k.Name, &k.Hash, &k.Licence, &k.Documents, &k.Queries, &k.Judgments, &k.Analyzer)
}

// Wire walks the system.
func (s *System) Wire(c *wire.Codec) {
	c.Fields(&s.Notation, &s.Label, &s.Missing, &s.Why)
}

// Wire walks the query.
func (q *Query) Wire(c *wire.Codec) {
	c.Fields(&q.ID, &q.Text, &q.Type, &q.Difficulty, &q.Relevant)
}

// Wire walks the column.
func (m *Column) Wire(c *wire.Codec) {
	c.String(&m.Measure)
	wire.List(c, &m.Values, c.Floats)
	c.Fields(&m.Means, &m.Low, &m.High, &m.Groups, &m.Best, &m.Lower, &m.Applied)
	for _, v := range m.further() {
		c.Floats(v)
	}
}

// further are the figures that reports of earlier versions have for imported runs only.
func (m *Column) further() []*[]float64 {
	return append([]*[]float64{&m.Geometric, &m.Median}, m.Bounds()...)
}

// Bounds are what ties and unjudged documents could make of the means: TieLow, TieHigh, ResidualLow and ResidualHigh.
func (m *Column) Bounds() []*[]float64 {
	return []*[]float64{&m.TieLow, &m.TieHigh, &m.ResidualLow, &m.ResidualHigh}
}

// Wire walks the decision.
func (d *Decision) Wire(c *wire.Codec) {
	c.Fields(&d.Name, &d.Option, &d.Doc, &d.Default)
}

// Wire walks the coverage.
func (u *Coverage) Wire(c *wire.Codec) {
	c.Fields(&u.Tag, &u.Missing, &u.Queries, &u.Foreign, &u.Documents, &u.Unjudged, &u.Top, &u.Tied, &u.TiedIn)
}

// Wire walks the statistics.
func (s *Stats) Wire(c *wire.Codec) {
	c.Fields(&s.Queries, &s.Judgments, &s.Relevant, &s.Barren, &s.RelevantMin, &s.RelevantMax, &s.RelevantMedian)
	wire.List(c, &s.Grades, func(g *Grade) { g.Wire(c) })
	c.String(&s.Digest)
}

// Wire walks the field.
func (f *Field) Wire(c *wire.Codec) {
	c.String(&f.Name)
	wire.List(c, &f.Groups, func(g *Group) {
		c.Fields(&g.Value, &g.Queries)
		wire.List(c, &g.Means, c.Floats)
	})
}

// fits checks that a report that was read has the shape that everything relies on.
func (r *Report) fits() bool {
	n, q := len(r.Systems), len(r.Queries)
	if len(r.Columns) != len(r.Measures) || r.Baseline < 0 || r.Baseline >= max(n, 1) || len(r.Coverage) > 0 &&
		len(r.Coverage) != n {
		return false
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		if c.Measure != r.Measures[i] || len(c.Values) != n || len(c.Means) != n || len(c.Low) != n ||
			len(c.High) != n || len(c.Groups) != n {
			return false
		}
		for _, v := range c.Values {
			if len(v) != q {
				return false
			}
		}
		for _, v := range c.further() {
			if len(*v) != len(r.Coverage) {
				return false
			}
		}
	}
	for _, p := range r.Pairs {
		if p.A < 0 || p.A >= n || p.B < 0 || p.B >= n {
			return false
		}
	}
	for _, f := range r.Fields {
		for _, g := range f.Groups {
			if len(g.Means) != len(r.Columns) {
				return false
			}
			for _, v := range g.Means {
				if len(v) != n {
					return false
				}
			}
		}
	}
	for _, w := range r.Warnings {
		if !w.fits(r) {
			return false
		}
	}
	return true
}

// Whole reports whether a report that was read from a file says anything: it fits, has systems and measures, and a
// hash.
func (r *Report) Whole() bool {
	if len(r.Systems) == 0 || len(r.Columns) == 0 || len(r.Hash) != 64 || !r.fits() {
		return false
	}
	for _, p := range r.Pairs {
		if p.A == p.B {
			return false
		}
	}
	return true
}
