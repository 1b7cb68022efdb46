//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Experiment asks how far an experiment is, and to go on with it for a moment. The worker keeps what is done, on the
// disk where the browser has one for it, so that the question is the same at the beginning, after a pause and after a
// crash.
const Experiment Kind = 50

func init() { register[AskExperiment, Experimented](Experiment, false) }

// Matrix is an experiment as it is written on the page.
type Matrix struct {
	Systems  []string // a system with alternatives each; or one text that is a Spec in JSON
	Measures []string
	Baseline string
	Depth    int
	Answers  string // hash of what backends answered, as the edge keeps it: 64 hex digits, "" for none
}

// AskExperiment names the experiment.
type AskExperiment struct {
	Matrix Matrix
	Go     bool // run for a moment; otherwise say what would be run and what is there already
	Renew  bool // go on with backends that changed since: they are asked anew
	Keep   bool // give the edge what its backends answered, so that a link has the same figures

	// workers that share the queries out, 0 or 1 where this one does it all (see AskShare); it is the one at 0
	Of    int
	Away  []int  // of the others, those that are at work on their part
	Lists []byte // what others have ranked since the last question
}

// Experimented is how far it is.
type Experimented struct {
	Problem  string // what is wrong with the Spec; nothing else is set then
	Member   string // of the Spec, which the problem is about: "baseline"; "" where it is about no one member
	Said     string // the plan in a sentence
	Merged   []Pair // a run as written, and the one that it is
	Refused  []Pair // a run as written, and why it cannot be
	Runs     []ExperimentRun
	Baseline int
	Measure  string   // the first one, of Mean
	Measures []string // all of them, of Means
	Lower    bool     // less is better by the first one
	Queries  int      // judged ones
	Micros   float64  // what is left would take, judged by a few queries; 0 where nothing is
	Bytes    int      // of the rankings
	Over     bool     // every run is completed or failed
	Made     int      // rankings of parts that several runs share
	Reused   int      // and how often one was taken that was there
	Lasting  bool     // what is done outlasts the page
	Note     string   // why it does not, or why it went no further
	Remote   bool     // a run asks backends behind the edge
	Price    string   // what backends are asked for at most, "" for nothing
	Changed  string   // which of those are others now than the ones that these figures are of, a sentence; "" for none
	Answers  string   // what they answered, as the edge keeps it: its hash, "" where it does not
	Have     []byte   // which queries of which runs are done, as matrix.Have writes it
	Waits    bool     // what is left is with others
}

// Pair is a run as written and what is said of it.
type Pair struct{ Written, Said string }

// ExperimentRun is one of the runs.
type ExperimentRun struct {
	Name, Label, Hash, State, Why    string
	Evaluated, Empty, Failed, NotRun int
	Kept                             int    // queries that were done before this page was opened
	Behind                           string // what of it was done behind the edge, "" for nothing
	Mean                             float64
	Means                            []float64 // by every measure once it is completed, nil before
}

// Wire walks the experiment.
func (m *Matrix) Wire(c *wire.Codec) {
	c.Fields(&m.Systems, &m.Measures, &m.Baseline, &m.Depth, &m.Answers)
}

// Wire walks the question.
func (a *AskExperiment) Wire(c *wire.Codec) {
	a.Matrix.Wire(c)
	c.Fields(&a.Go, &a.Renew, &a.Keep, &a.Of, &a.Away, &a.Lists)
}

// Wire walks the answer.
func (x *Experimented) Wire(c *wire.Codec) {
	c.Fields(&x.Problem, &x.Said)
	for _, l := range []*[]Pair{&x.Merged, &x.Refused} {
		wire.List(c, l, func(p *Pair) { c.Fields(&p.Written, &p.Said) })
	}
	wire.List(c, &x.Runs, func(r *ExperimentRun) {
		c.Fields(&r.Name, &r.Label, &r.Hash, &r.State, &r.Why, &r.Behind, &r.Evaluated, &r.Empty, &r.Failed, &r.NotRun,
			&r.Kept,
			&r.Mean, &r.Means)
	})
	c.Fields(&x.Measure, &x.Measures, &x.Lower, &x.Baseline, &x.Queries, &x.Bytes, &x.Made, &x.Reused, &x.Micros,
		&x.Over,
		&x.Lasting, &x.Note, &x.Remote, &x.Changed, &x.Price,
		&x.Answers, &x.Have, &x.Waits, &x.Member)
	if c.Reading() && (x.Baseline < 0 || x.Baseline > len(x.Runs)) {
		c.Fail()
	}
}
