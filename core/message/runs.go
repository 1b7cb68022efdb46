//go:build !first

package message

import (
	"slices"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/chart"
	"github.com/rankbox/rankbox/core/golden"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/report/gates"
	"github.com/rankbox/rankbox/core/share/packed"
	"github.com/rankbox/rankbox/core/wire"
)

// Runs compares imported runs. It is told everything that is to be compared each time; the worker keeps
// what it has read and measured, so that a setting that changes costs what it changes. The files themselves travel
// beside the message. The other kinds that are OfRuns ask about the comparison of the last one.
const Runs Kind = 6

func init() { register[Setting, Compared](Runs, true) }

// MaxRuns is how many runs are compared at once.
const MaxRuns = packed.MaxRuns

// Origin says where a run is from.
type Origin struct {
	File int // its ID; 0 for a link or the example
	Run  int // which of the runs of it
}

// Name is a name that a run was given.
type Name struct {
	Origin
	Name string
}

// Lettered is the place in the alphabet of the letter that a run has.
type Lettered struct {
	Origin
	Place int
}

// Setting is what is to be compared and how. It is plain data: two that are equal give the same report.
type Setting struct {
	Files   []File
	Link    string // a fragment of packed.Link that the comparison begins with, "" for none
	Example bool   // runs of the systems on the open collection
	Matrix  Matrix // an experiment whose runs are compared; the zero Matrix for none
	// Chunkings are systems. Each ranks every collection on this device that splits the documents of the open one.
	Chunkings []string
	Spans     bool // of Chunkings, how well the passages are covered that judged chunks are, not the documents found
	Chosen    bool // Measures, Policy and Baseline are meant; otherwise those that the files bring, or the defaults
	Measures  []string
	Policy    string     // as measure.Policy.String
	Baseline  int        // index into the runs
	Separator string     // of chunk ids, "" where ids are documents
	First     bool       // cut at the first separator
	Names     []Name     // of runs, instead of those that the files give them
	Letters   []Lettered // of runs that were there when another left; the others take the first that are free
	Relative  float64    // change that counts since the snapshot, as a share of the old value; 0 for the default
	Absolute  float64    // another that counts, as a difference; 0 for none
	Limit     int        // bytes that this device takes in, after decompression; 0 for the default
	Systems   string     // of tables of scores that do not say it: "rows" or "columns"; "" for none
	Missing   string     // what a missing score means, as scores.Missing has the rules; "" for the first
	// Search are the systems that answer the queries of a golden set, where no run is given
	Search []string
	Edits  []golden.Edit // of a golden set
}

// Note is a warning about a file.
type Note struct {
	Line    int
	Count   int
	Message string
	Places  string // the first few further places in words, "" for none
}

// FileRead is what became of a file.
type FileRead struct {
	ID      int
	Name    string
	What    string // "run", "qrels", "queries", "comparison", "snapshot"; several joined by " and "
	Lines   int
	Queries int
	Entries int // documents of runs, judgments of qrels
	Notes   []Note
	Problem string // why it is not part of the comparison, "" where it is
	Line    int    // of the problem, 0 for none
	Fixable bool   // written out again, some of the notes are settled
}

// Compared is the answer to Runs.
type Compared struct {
	Files      []FileRead
	Measures   []string // as used; what Setting had where it was Chosen
	Policy     string
	Baseline   int
	Origins    []Origin // a run
	View       string   // what was looked at when what is compared was saved, as packed.View.String; "" for nothing
	Need       string   // what is missing before anything can be compared, "" where Report is set
	Report     *report.Report
	Separator  string // of chunk ids, a suggestion: "" for none
	Snapshot   string // name of the file, "" for none
	Regression []gates.MeasureChange
	Against    []string // warnings about the snapshot
	Link       string   // fragment that opens the same comparison, "" where it does not fit
	Without    string   // what the link does without, in words
	Grades     bool     // the link carries grades by rank, no documents
	Unlinked   string   // why there is no link, in words; "" where there is one
	Sent       string   // whether the figures of a link have its digest: SentSame, SentOther, "" if it has none
	Saved      float64  // milliseconds of reading and measuring
	// Available are all measures of a table of scores, Measures the chosen ones; nil for runs
	Available []string
	Traced    []analysis.Section // what agents did, step by step: a section each; nil for none
	Courses   []chart.Course     // the same as figures draw it
	Golden    *Golden            // the golden set among the files, nil for none
}

// Golden is a golden set held against the runs.
type Golden struct {
	File    string
	Shape   string
	Require string // of the expected documents: any, all or none
	Within  int
	Queries []GoldenQuery
	Runs    [][]gates.Expected // of each run: the queries that expect something, in the order of Queries
	Power   []string           // how small a change so many queries can detect, in sentences
	Problem string             // why Runs is empty, "" if it is not
	Notes   []string           // about the systems that answered
	Audit   []string           // what is doubtful about the set, a sentence each with its queries
	Sweep   []string           // of the first run: what thresholds would do, a row each, and the promise; empty for none
	Tags    []string           // of the first run: the queries of every tag, their means and intervals
}

// GoldenQuery is what a query expects.
type GoldenQuery struct {
	ID, Text  string
	Docs      []string
	Grades    []int // of each of Docs
	Forbidden []string
	Concepts  []string
}

// Wire walks the golden set.
func (g *Golden) Wire(c *wire.Codec) {
	c.Fields(&g.File, &g.Shape, &g.Require, &g.Within)
	wire.List(c, &g.Queries, func(q *GoldenQuery) {
		c.Fields(&q.ID, &q.Text, &q.Docs, &q.Grades, &q.Forbidden, &q.Concepts)
		if c.Reading() && len(q.Docs) != len(q.Grades) {
			c.Fail()
		}
	})
	wire.List(c, &g.Runs, func(r *[]gates.Expected) {
		wire.List(c, r, func(e *gates.Expected) { c.Fields(&e.Query, &e.Text, &e.Reasons, &e.Instead) })
	})
	c.Fields(&g.Power, &g.Problem, &g.Notes, &g.Audit, &g.Sweep, &g.Tags)
}

// What Compared.Sent says.
const (
	SentSame  = "same"
	SentOther = "other"
)

// Given are the files that travel beside the setting.
func (s *Setting) Given() []File { return s.Files }

// Wire walks the setting.
func (s *Setting) Wire(c *wire.Codec) {
	wire.Structs(c, &s.Files)
	c.Fields(&s.Link, &s.Example)
	s.Matrix.Wire(c)
	c.Fields(&s.Chunkings, &s.Spans)
	c.Fields(&s.Chosen, &s.Measures, &s.Policy, &s.Baseline, &s.Separator, &s.First)
	wire.List(c, &s.Names, func(n *Name) { n.Origin.wire(c); c.String(&n.Name) })
	wire.List(c, &s.Letters, func(l *Lettered) { l.Origin.wire(c); c.Int(&l.Place) })
	c.Fields(&s.Relative, &s.Absolute, &s.Limit, &s.Systems, &s.Missing, &s.Search)
	wire.List(c, &s.Edits, func(e *golden.Edit) { c.Fields(&e.Query, &e.Doc, &e.Grade) })
}

// Here reports whether the runs are made of the open collection, not of files or a link.
func (s *Setting) Here() bool { return s.Example || !s.Matrix.Empty() || len(s.Chunkings) > 0 }

// Empty reports whether there is no experiment.
func (m *Matrix) Empty() bool { return len(m.Systems) == 0 }

// Equal reports whether two experiments are written alike.
func (m *Matrix) Equal(o *Matrix) bool {
	return slices.Equal(m.Systems, o.Systems) && slices.Equal(m.Measures, o.Measures) && m.Baseline == o.Baseline &&
		m.Depth == o.Depth && m.Answers == o.Answers
}

func (o *Origin) wire(c *wire.Codec) { c.Fields(&o.File, &o.Run) }

// Wire walks what became of a file.
func (f *FileRead) Wire(c *wire.Codec) {
	c.Fields(&f.ID, &f.Name, &f.What, &f.Lines, &f.Queries, &f.Entries, &f.Line)
	wire.List(c, &f.Notes, func(n *Note) { c.Fields(&n.Line, &n.Count, &n.Message, &n.Places) })
	c.Fields(&f.Problem, &f.Fixable)
}

// Wire walks the answer to Runs.
func (d *Compared) Wire(c *wire.Codec) {
	wire.Structs(c, &d.Files)
	c.Fields(&d.Measures, &d.Policy, &d.Baseline)
	wire.List(c, &d.Origins, func(o *Origin) { o.wire(c) })
	c.Fields(&d.View, &d.Need)
	Pointer(c, &d.Report)
	c.Fields(&d.Separator, &d.Snapshot)
	wire.List(c, &d.Regression, func(m *gates.MeasureChange) {
		c.Fields(&m.System, &m.Measure, &m.Old, &m.New, &m.Diff, &m.Relative, &m.Low, &m.High, &m.P, &m.Test,
			&m.Queries,
			&m.Better, &m.WorseCount, &m.AtMost, &m.Lower, &m.Reached, &m.Against, (*string)(&m.Verdict))
		wire.List(c, &m.Moved, func(v *gates.Moved) { c.Fields(&v.Query, &v.Old, &v.New) })
	})
	c.Fields(&d.Against, &d.Link, &d.Without, &d.Grades, &d.Unlinked, &d.Sent, &d.Saved)
	c.Strings(&d.Available)
	wire.Structs(c, &d.Traced)
	wire.List(c, &d.Courses, func(x *chart.Course) { c.Fields(&x.Recall, &x.Tokens, &x.Queries) })
	Pointer(c, &d.Golden)
}
