//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Experiment asks for the progress of an experiment, and runs it for a moment. The worker keeps the results, on
// disk if the browser allows it, so the question is the same at the start, after a pause and after a crash.
const Experiment Kind = 50

func init() { register[AskExperiment, Experimented](Experiment, false) }

// Matrix is an experiment as written on the page.
type Matrix struct {
	Systems  []string // a system with alternatives each; or a single Spec in JSON
	Measures []string
	Baseline string
	Depth    int
	Answers  string // hash of the backends' answers stored by the edge: 64 hex digits, "" for none
}

// AskExperiment names the experiment.
type AskExperiment struct {
	Matrix Matrix
	Go     bool // run for a moment; otherwise only report the plan and the stored results
	Renew  bool // continue although backends changed: ask them again
	Keep   bool // store the backends' answers at the edge, so that a link reproduces the figures

	// number of workers that share the queries, 0 or 1 if this one has all (see AskShare); this one has index 0
	Of    int
	Away  []int  // indices of the other workers that are busy
	Lists []byte // rankings by the others since the last question
}

// Experimented is the progress of an experiment.
type Experimented struct {
	Problem  string // error in the Spec; all else is then empty
	Member   string // the member of the Spec with the error: "baseline"; "" if several are involved
	Said     string // the plan in a sentence
	Merged   []Pair // a run as written, and the equal run that replaces it
	Refused  []Pair // a run as written, and why it is invalid
	Runs     []ExperimentRun
	Baseline int
	Measure  string   // the first measure, of Mean
	Measures []string // all measures, of Means
	Lower    bool     // the first measure is better if smaller
	Queries  int      // number of judged queries
	Micros   float64  // estimated remaining time from a few queries; 0 if nothing remains
	Bytes    int      // of the rankings
	Over     bool     // every run is complete or failed
	Made     int      // rankings of parts that several runs share
	Reused   int      // how often such a ranking was reused
	Lasting  bool     // the results outlast the page
	Note     string   // why they do not, or why it stopped
	Remote   bool     // a run asks backends behind the edge
	Price    string   // maximum requests to backends, "" for none
	Changed  string   // a sentence on backends that changed since these results; "" for none
	Answers  string   // hash of the backends' answers stored by the edge, "" if it stores none
	Have     []byte   // completed queries by run, in the format of matrix.Have
	Waits    bool     // the rest is with other workers
}

// Pair is a run as written with a remark.
type Pair struct{ Written, Said string }

// ExperimentRun is one run of an experiment.
type ExperimentRun struct {
	Name, Label, Hash, State, Why    string
	Evaluated, Empty, Failed, NotRun int
	Kept                             int    // queries completed before this page was opened
	Behind                           string // the part done behind the edge, "" for none
	Mean                             float64
	Means                            []float64 // by measure; nil until the run is complete
}

// Wire codes the experiment.
func (m *Matrix) Wire(c *wire.Codec) {
	c.Fields(&m.Systems, &m.Measures, &m.Baseline, &m.Depth, &m.Answers)
}

// Wire codes the question.
func (a *AskExperiment) Wire(c *wire.Codec) {
	a.Matrix.Wire(c)
	c.Fields(&a.Go, &a.Renew, &a.Keep, &a.Of, &a.Away, &a.Lists)
}

// Wire codes the answer.
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
