// Package compare says how the runs that somebody has differ: which is better by which measure and how sure that is,
// query by query, document by document. It reads no files (see collection), computes no measure and no test of its own
// (see measure and significance) and retrieves nothing.
//
// Order of the pipeline: Input → Open joins runs, qrels and policy → Comparison → a report.Report (everything that is
// said of all queries). What is said of one query or one decision is asked of the Comparison: Sides, Explain, Unfold,
// Opinions, Residuals, Unjudged, Agreements.
package compare

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Unjudged is the grade of a document that the qrels do not name for the query.
const Unjudged = measure.Unjudged

// ErrCancelled is returned where the caller asked to stop.
var ErrCancelled = report.ErrCancelled

// Named is a run under the name it is shown by: a file's name without its ending.
type Named struct {
	Name     string
	Pipeline string // canonical, of a run that was made from a collection; "" for an imported one
	Run      *collection.Run
	Fell     []string // ids of the queries for which a backend gave nothing, so that the run has the order before it
}

// Input is what is compared.
type Input struct {
	Name      string // of the collection; "" where it has none
	Qrels     *collection.Qrels
	Diversity *collection.Diversity // judgments for subtopics; nil where there are none
	// Preferences are judgments of preference; nil where there are none. Qrels are nil then, for what they say of
	// relevance, or judge all documents that they are about.
	Preferences *collection.Preferences
	Queries     []collection.Query // their texts and fields, any of them; may be nil
	Runs        []Named
	Measures    []string // notations; empty for Defaults. The finding is about the first one.
	Policy      measure.Policy
	Protocol    report.Protocol
	Baseline    int            // index into Runs
	Letters     report.Letters // of the runs
	Graded      *Graded        // set where grades by rank are all that is known; nil where documents are
}

// Letter is what a run is called.
func (in *Input) Letter(run int) string { return in.Letters.Letter(run) }

// Defaults are the measures where none are asked for.
func (in *Input) Defaults() []string {
	switch {
	case in.Preferences != nil:
		return measure.PreferenceDefaults()
	case in.Diversity != nil:
		return measure.DiverseDefaults()
	}
	return measure.Defaults()
}

// Comparison is an Input whose runs and judgments are joined. It answers questions about single queries and makes the
// Report. It is not safe for use by several goroutines at once.
type Comparison struct {
	Evaluation evaluation.Evaluation // of which it is the Source

	in      Input
	names   []string // of the runs, made different from one another
	runs    []*collection.Run
	queries []string       // those that count, in the order of the qrels
	place   map[string]int // query → place in queries
	skipped []string       // judged queries that the policy leaves out
	why     []string       // of each of them: "missing" or "empty"
	top     float64        // highest grade of the qrels, at least 1
	fields  map[string]collection.Query
	beside  []beside // a query; nil if there are grades alone

	ranked []float64
	scores []float64
	list   []collection.Entry
}

// maxPairs is how many pairs of documents within groups of preferences are compared, over all runs.
const maxPairs = 1 << 30

// Open joins the runs of in with its judgments. Errors name the run or measure they are about; a measure's is a
// *measure.ParseError. in must not be changed afterwards.
func Open(in Input) (*Comparison, error) {
	if in.Qrels == nil && in.Diversity != nil {
		in.Qrels = in.Diversity.Qrels()
	}
	if in.Qrels == nil && in.Preferences != nil {
		in.Qrels = in.Preferences.Qrels()
	}
	if in.Qrels == nil || in.Qrels.Len() == 0 {
		return nil, say.Faultf("compare: open", "there are no judgments")
	}
	if len(in.Runs) == 0 {
		return nil, say.Faultf("compare: open", "there are no runs")
	}
	if n := len(in.Runs); n > significance.MaxSystems {
		return nil, say.Faultf("compare: open",
			"%d runs are more than the %d that are compared at once; leave some out", n, significance.MaxSystems)
	}
	if in.Baseline < 0 || in.Baseline >= len(in.Runs) {
		return nil, say.Faultf("compare: open", "there is no run %d to be the baseline", in.Baseline)
	}
	if len(in.Measures) == 0 {
		in.Measures = in.Defaults()
	}
	if in.Graded != nil {
		if err := in.Graded.check(&in); err != nil {
			return nil, err
		}
	}
	c := &Comparison{in: in, Evaluation: evaluation.Evaluation{Policy: in.Policy, Protocol: in.Protocol},
		place: map[string]int{}, fields: map[string]collection.Query{}, top: 1}
	if err := c.openMeasures(); err != nil {
		return nil, err
	}
	if err := c.openRuns(); err != nil {
		return nil, err
	}
	for _, q := range in.Queries {
		c.fields[q.ID] = q
	}
	c.openQueries()
	e := &c.Evaluation
	e.Source, e.Systems, e.Queries = c, len(c.runs), len(c.queries)
	var grades []float64
	e.Judged = func(q int) []float64 {
		grades = in.Qrels.Grades(c.queries[q], grades)
		return grades
	}
	if in.Diversity != nil {
		if err := in.Diversity.Check(); err != nil {
			return nil, say.Faultf("compare: open", "%w", err)
		}
	}
	if in.Preferences != nil {
		if n := in.Preferences.Pairs(); n > maxPairs/len(in.Runs) {
			return nil, say.Faultf("compare: open",
				"%d runs with %d pairs of documents within groups of preferences are more than %d to compare; leave "+
					"runs or groups out", len(in.Runs), n, maxPairs)
		}
	}
	if in.Diversity != nil || in.Preferences != nil {
		for _, q := range c.queries {
			c.beside = append(c.beside, in.besideOf(q))
		}
	}
	return c, nil
}

// openMeasures reads the measures, each once, and makes of them what the policy says.
func (c *Comparison) openMeasures() error {
	e := &c.Evaluation
	for _, text := range c.in.Measures {
		m, err := measure.Parse(text)
		if err != nil {
			return say.Faultf("compare: open", "%w", err)
		}
		if slices.ContainsFunc(e.Asked, func(o measure.Measure) bool { return o.String() == m.String() }) {
			continue
		}
		e.Asked, e.Applied = append(e.Asked, m), append(e.Applied, e.Policy.Apply(m))
	}
	return nil
}

// openRuns names the runs apart.
func (c *Comparison) openRuns() error {
	for _, r := range c.in.Runs {
		if r.Run == nil {
			return say.Faultf("compare: open", "run %q is empty", r.Name)
		}
		name := r.Name
		if name == "" {
			name = r.Run.Tag
		}
		if name == "" {
			name = "run"
		}
		for n := 2; slices.Contains(c.names, name); n++ {
			name = r.Name + " (" + strconv.Itoa(n) + ")"
		}
		c.names = append(c.names, name)
		run := r.Run
		if c.in.Policy.Float32 {
			run = run.WithScores(single)
		}
		c.runs = append(c.runs, run)
	}
	return nil
}

// openQueries sorts the judged queries into those that count and those that the policy leaves out.
func (c *Comparison) openQueries() {
	level := c.in.Policy.Level()
	var grades []float64
	for _, q := range c.in.Qrels.Queries() {
		grades = c.in.Qrels.Grades(q, grades)
		if len(grades) == 0 {
			continue
		}
		relevant := false
		for _, g := range grades {
			c.top = max(c.top, g)
			relevant = relevant || g >= level
		}
		why := ""
		if !relevant && c.in.Policy.Empty == measure.EmptySkip {
			why = "empty"
		}
		if c.in.Policy.Missing == measure.MissingSkip {
			for _, r := range c.runs {
				if r.Query(q) < 0 {
					why = "missing"
				}
			}
		}
		if why != "" {
			c.skipped = append(c.skipped, q)
			c.why = append(c.why, why)
			continue
		}
		c.place[q] = len(c.queries)
		c.queries = append(c.queries, q)
	}
}

// single rounds a score to single precision, as trec_eval 9 keeps it: what is too large for that is infinite there,
// larger than every other score and equal to every other such one. A run holds no infinity, but the largest double is
// as far from all single numbers.
func single(v float64) float64 {
	if r := float64(float32(v)); !math.IsInf(r, 0) {
		return r
	}
	return math.Copysign(math.MaxFloat64, v)
}

// Names returns the names of the runs, made different from one another.
func (c *Comparison) Names() []string { return c.names }

// Queries returns the ids of the queries that count, in the order of the qrels.
func (c *Comparison) Queries() []string { return c.queries }

// Judged returns the ids of all judged queries, those that the policy leaves out too.
func (c *Comparison) Judged() []string {
	var out []string
	for _, q := range c.in.Qrels.Queries() {
		if len(c.in.Qrels.Grades(q, nil)) > 0 {
			out = append(out, q)
		}
	}
	return out
}

// Text returns the text of a query, "" where it is not known.
func (c *Comparison) Text(query string) string { return c.fields[query].Text }

// Letter is what a run is called.
func (c *Comparison) Letter(run int) string { return c.in.Letter(run) }

// Baseline returns the index of the run that the others are held against.
func (c *Comparison) Baseline() int { return c.in.Baseline }

// ties returns the policy as collection knows it; Input is sorted by entries.
func (c *Comparison) ties() collection.Ties {
	switch c.in.Policy.Ties {
	case measure.DocIDAsc:
		return collection.DocIDAscending
	case measure.Stable, measure.Input:
		return collection.InputOrder
	}
	return collection.DocIDDescending
}

// byPos orders entries as they were read.
func byPos(a, b collection.Entry) int { return a.Pos - b.Pos }

// entries returns the first entries, at most depth, of the ranking of a query by a run under the policy; it is valid
// until the next call. ok is false where the run has no list for the query.
func (c *Comparison) entries(system int, query string, depth int) (list []collection.Entry, ok bool) {
	r := c.runs[system]
	i := r.Query(query)
	if i < 0 {
		return nil, false
	}
	if d := c.in.Policy.Depth; d > 0 {
		depth = min(depth, d)
	}
	if c.in.Policy.Ties == measure.Input {
		c.list = r.Ranked(i, c.ties(), c.list)
		slices.SortFunc(c.list, byPos)
		c.list = c.list[:min(len(c.list), depth)]
	} else {
		c.list = r.Top(i, depth, c.ties(), c.list)
	}
	return c.list, true
}

// Cut implements evaluation.Source.
func (c *Comparison) Cut() int { return c.in.Policy.Depth }

// Size implements evaluation.Source.
func (c *Comparison) Size(system, query int) int {
	r := c.runs[system]
	i := r.Query(c.queries[query])
	if i < 0 {
		return 0
	}
	if d := c.in.Policy.Depth; d > 0 {
		return min(r.Size(i), d)
	}
	return r.Size(i)
}

// Whole implements evaluation.Source.
func (c *Comparison) Whole(t *measure.Topic, system, query int) {
	d := c.in.Policy.Depth
	c.in.Policy.Depth = 0
	c.Topic(t, system, query)
	c.in.Policy.Depth = d
}

// Topic implements evaluation.Source.
func (c *Comparison) Topic(t *measure.Topic, system, query int) {
	judged := t.Judged
	t.Reset()
	t.Query, t.TopGrade = c.queries[query], c.top
	t.Judged = c.in.Qrels.Grades(t.Query, judged[:0])
	var of beside
	if c.beside != nil {
		of = c.beside[query]
		t.Subtopics, t.Preferences = of.unranked()
	}
	r := c.runs[system]
	i := r.Query(t.Query)
	if i < 0 {
		t.Missing = true
		t.Ranked = c.ranked[:0:0]
		if t.Ranked == nil {
			t.Ranked = []float64{}
		}
		return
	}
	if c.in.Policy.Ties != measure.Input && c.beside == nil {
		c.ranked, t.Scores = r.Grades(i, c.in.Qrels, c.ties(), c.ranked, nil)
		t.Ranked = c.ranked
		if d := c.in.Policy.Depth; d > 0 && len(t.Ranked) > d {
			t.Ranked, t.Scores = t.Ranked[:d], t.Scores[:d]
		}
		if t.Ranked == nil {
			t.Ranked = []float64{}
		}
		return
	}
	list, _ := c.entries(system, t.Query, math.MaxInt)
	c.ranked, c.scores = c.join(t.Query, list, of, t.Subtopics, t.Preferences, c.ranked[:0], c.scores[:0])
	if t.Ranked = c.ranked; t.Ranked == nil {
		t.Ranked = []float64{}
	}
	if c.in.Policy.Ties != measure.Input {
		t.Scores = c.scores
	}
}

// asked returns the measure that a question is about, as it was written and under the policy. It refuses the question
// if it needs documents that are not known, or names a run that there is not.
func (c *Comparison) asked(what, notation string, systems ...int) (asked, applied measure.Measure, err error) {
	if err := c.needsDocuments(what); err != nil {
		return asked, applied, err
	}
	if asked, err = measure.Parse(notation); err != nil {
		return asked, asked, say.Faultf("compare", "%w", err)
	}
	for _, i := range systems {
		if i < 0 || i >= len(c.runs) {
			return asked, asked, say.Faultf("compare", "there is no run %d", i)
		}
	}
	return asked, c.in.Policy.Apply(asked), nil
}

// queryOf returns the place of a query.
func (c *Comparison) queryOf(id string) (int, error) {
	q, ok := c.place[id]
	if !ok {
		return 0, say.Faultf("compare", "query %q has no judgments, or the policy leaves it out", id)
	}
	return q, nil
}

// Compare is Open and Report in one call.
func Compare(in Input, cancel func() bool, progress func(done, total int)) (*report.Report, error) {
	c, err := Open(in)
	if err != nil {
		return nil, err
	}
	return c.Report(cancel, progress)
}
