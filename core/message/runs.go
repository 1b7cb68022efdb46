//go:build !first

package message

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/present/chart"
)

// Runs compares imported runs. Each question repeats the complete setting; the worker caches what it has read and
// measured, so that a change costs only its own work. Files travel beside the message. The other kinds that are
// OfRuns refer to the last comparison.
const Runs Kind = 6

func init() { register[Setting, Compared](Runs, true) }

// MaxRuns is the maximum number of compared runs.
const MaxRuns = packed.MaxRuns

// Origin locates a run.
type Origin struct {
	File int // its ID; 0 for a link or the example
	Run  int // index of the run in the file
}

// Name is a user's name of a run.
type Name struct {
	Origin
	Name string
}

// Lettered is a run with the alphabet index of its letter.
type Lettered struct {
	Origin
	Place int
}

// Setting is the input of a comparison. Equal settings give equal reports.
type Setting struct {
	Files   []File
	Link    string // a fragment of packed.Link to start from, "" for none
	Example bool   // compare the systems on the open collection
	Matrix  Matrix // an experiment whose runs are compared; zero for none
	// Chunkings are systems. Each searches every collection on this device that splits the documents of the open
	// one.
	Chunkings []string
	Spans     bool // for Chunkings, evaluate coverage of the judged chunks' passages instead of retrieved documents
	Chosen    bool // use Measures, Policy and Baseline; otherwise those of the files, or the defaults
	Measures  []string
	Policy    string     // in the notation of measure.Policy.String
	Baseline  int        // index into the runs
	Separator string     // of chunk ids, "" if ids are documents
	First     bool       // cut at the first separator
	Names     []Name     // of runs, instead of those that the files give them
	Letters   []Lettered // of runs that were there when another left; the others take the first that are free
	Relative  float64    // change that counts since the snapshot, as a share of the old value; 0 for the default
	Absolute  float64    // another that counts, as a difference; 0 for none
	Limit     int        // bytes that this device takes in, after decompression; 0 for the default
	Systems   string     // of tables of scores that do not say it: "rows", "columns" or "measures" (the files are); "" for none
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
	Places  string // further places in words, "" for none
}

// FileRead is the result of reading a file.
type FileRead struct {
	ID      int
	Name    string
	What    string // "run", "qrels", "queries", "comparison", "snapshot"; several joined by " and "
	Lines   int
	Queries int
	Entries int // documents of runs, judgments of qrels
	Notes   []Note
	Problem string // why it is excluded from the comparison, or ""
	Line    int    // of the problem, 0 for none
	Fixable bool   // rewriting the file settles some of the notes
}

// Compared is the answer to Runs.
type Compared struct {
	Files      []FileRead
	Measures   []string // as used; those of Setting if Chosen
	Policy     string
	Baseline   int
	Origins    []Origin // by run
	View       string   // the view saved with the comparison, as packed.View.String; "" for none
	Need       string   // what to add before comparing is possible; "" if Report is set
	Report     *report.Report
	Separator  string // suggested separator of chunk ids, "" for none
	Snapshot   string // name of the file, "" for none
	Regression []gates.MeasureChange
	Against    []string // warnings about the snapshot
	Link       string   // link fragment to the same comparison, "" if it does not fit
	Without    string   // what the link omits, in words
	Grades     bool     // the link carries grades by rank, no documents
	Unlinked   string   // why there is no link, in words; or ""
	Sent       string   // whether the figures of a link match its digest: SentSame, SentOther, "" if it has none
	Saved      float64  // time saved by caching, in milliseconds of reading and measuring
	// all measures of a table of scores, of which Measures are chosen; nil for runs
	Available []string
	Traced    []analysis.Section // step-by-step traces of agents: a section each; nil for none
	Courses   []chart.Course     // the same as data of figures
	Golden    *Golden            // the golden set among the files, or nil
}

// Golden is a golden set with its results for the runs.
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
	Audit   []string           // what is doubtful about the set, a sentence each with its queries; empty for nothing
	Sweep   []string           // of the first run: what thresholds would do, a row each, and the promise; empty for none
	Tags    []string           // of the first run: the queries of every tag, their means and intervals
}

// GoldenQuery holds the expectations of a query.
type GoldenQuery struct {
	ID, Text  string
	Docs      []string
	Grades    []float64 // by document of Docs
	Forbidden []string
	Concepts  []string
}

// Wire codes the golden set.
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

// Values of Compared.Sent.
const (
	SentSame  = "same"
	SentOther = "other"
)

// Given returns the files to send beside the message.
func (s *Setting) Given() []File { return s.Files }

// Wire codes the setting.
func (s *Setting) Wire(c *wire.Codec) {
	wire.Structs(c, &s.Files)
	c.Fields(&s.Link, &s.Example)
	s.Matrix.Wire(c)
	c.Fields(&s.Chunkings, &s.Spans)
	c.Fields(&s.Chosen, &s.Measures, &s.Policy, &s.Baseline, &s.Separator, &s.First)
	wire.List(c, &s.Names, func(n *Name) { n.Origin.wire(c); c.String(&n.Name) })
	wire.List(c, &s.Letters, func(l *Lettered) { l.Origin.wire(c); c.Int(&l.Place) })
	c.Fields(&s.Relative, &s.Absolute, &s.Limit, &s.Systems, &s.Missing, &s.Search)
	wire.List(c, &s.Edits, func(e *golden.Edit) {
		c.Fields(&e.Query, &e.Doc)
		c.Grade(&e.Grade)
	})
}

// Here reports whether the runs come from the open collection, not from files or a link.
func (s *Setting) Here() bool { return s.Example || !s.Matrix.Empty() || len(s.Chunkings) > 0 }

// Empty reports whether there is no experiment.
func (m *Matrix) Empty() bool { return len(m.Systems) == 0 }

// Equal reports whether two experiments are written identically.
func (m *Matrix) Equal(o *Matrix) bool {
	return slices.Equal(m.Systems, o.Systems) && slices.Equal(m.Measures, o.Measures) && m.Baseline == o.Baseline &&
		m.Depth == o.Depth && m.Answers == o.Answers
}

func (o *Origin) wire(c *wire.Codec) { c.Fields(&o.File, &o.Run) }

// Wire codes the result.
func (f *FileRead) Wire(c *wire.Codec) {
	c.Fields(&f.ID, &f.Name, &f.What, &f.Lines, &f.Queries, &f.Entries, &f.Line)
	wire.List(c, &f.Notes, func(n *Note) { c.Fields(&n.Line, &n.Count, &n.Message, &n.Places) })
	c.Fields(&f.Problem, &f.Fixable)
}

// Wire codes the answer.
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
