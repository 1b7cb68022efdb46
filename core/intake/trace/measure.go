package trace

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/measure"
)

// Options say how traces are measured.
type Options struct {
	Hop    string // the measure of every step's own ranking; "" for nDCG@10
	Depths []int  // of Any@k and All@k; nil for 5, 10 and 20
	Level  int    // the grade from which a document is relevant; 0 for 1
	Cancel func() bool
}

// Outcome is how a system did.
type Outcome struct {
	System  string
	Hop     string // the measure of steps
	Tokens  bool
	Queries []Query
	Steps   []StepMean
	Depths  []Depth
	Recall  float64  // mean over the judged queries, after the last step
	Merged  float64  // the measure of the documents in the order in which they were first retrieved
	Missing []string // judged queries without a trace; they count 0
	Foreign []string // traces of queries that nobody judged; left out
}

// Depth is Any@k and All@k.
type Depth struct {
	K int
	// Share of the judged queries with one, or every, relevant document among the first k that were retrieved
	Any, All float64
}

// StepMean is what the queries had after so many steps. A query with fewer keeps what it has.
type StepMean struct {
	Step    int     // from 1
	Queries int     // that have this step
	Recall  float64 // mean over all judged queries
	Hop     float64 // mean of the step's own ranking over the queries that have it; NaN for none
	Tokens  float64 // mean so far over all judged queries that have a trace
	New     int     // relevant documents that nobody had found before this step, over all queries
}

// Query is one judged query.
type Query struct {
	ID, Text string
	Relevant int
	Recall   []float64 // after every step; empty without a trace
	Hops     []float64 // the measure of every step
	Tokens   []int     // so far
	Found    []Found   // every relevant document, in the order of the judgments
	Merged   float64
	Any, All []float64 // by depth
}

// Found is where a relevant document was found first.
type Found struct {
	Doc   string
	Grade float64
	Step  int    // from 1; 0 for never
	Rank  int    // in that step's ranking
	Query string // what the agent asked in that step
}

// Measure measures traces against judgments. Rankings, those of the steps and of all documents in the order of their
// first retrieval, are measured as runs are: judged queries without a trace count 0, unjudged documents are not
// relevant.
func Measure(s *Set, q *collection.Qrels, o Options) (*Outcome, error) {
	if o.Hop == "" {
		o.Hop = "nDCG@10"
	}
	hop, err := measure.Parse(o.Hop)
	if err != nil {
		return nil, err
	}
	if o.Depths == nil {
		o.Depths = []int{5, 10, 20}
	}
	m := &measuring{set: s, qrels: q, o: o, hop: hop.String(), level: max(o.Level, 1)}
	if err := m.open(); err != nil {
		return nil, err
	}
	return m.outcome(), nil
}

// measuring is a Measure on its way.
type measuring struct {
	set    *Set
	qrels  *collection.Qrels
	o      Options
	hop    string
	level  int
	steps  int // of the longest trace, at most MaxSteps
	traces map[string]*Trace
	from   *compare.Comparison
	r      *report.Report
}

// recall is the measure of cumulative recall: the share of relevant documents in a set.
const recall = "SetR"

// open measures 1 + 2 × steps runs: the documents of the whole trace in the order of their retrieval; the same after
// every step; every step's own.
func (m *measuring) open() error {
	m.traces = map[string]*Trace{}
	for i := range m.set.Traces {
		t := &m.set.Traces[i]
		m.traces[t.Query] = t
		m.steps = max(m.steps, min(len(t.Steps), MaxSteps))
	}
	in := compare.Input{Qrels: m.qrels, Measures: []string{m.hop, recall}}
	in.Policy.Rel = float64(m.level)
	if m.level == 1 {
		in.Policy.Rel = 0
	}
	for _, k := range m.o.Depths {
		if k < 1 {
			return fmt.Errorf("k is %d: Any@k and All@k need at least 1", k)
		}
		in.Measures = append(in.Measures, "Success@"+strconv.Itoa(k), "R@"+strconv.Itoa(k))
	}
	add := func(name string, of func(t *Trace) []string) {
		b := collection.NewRunBuilder(name)
		for i := range m.set.Traces {
			t := &m.set.Traces[i]
			b.Touch(t.Query)
			docs := of(t)
			for at, d := range docs {
				b.Add(t.Query, d, float64(len(docs)-at))
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: name, Run: run})
	}
	add("all", func(t *Trace) []string { return t.until(len(t.Steps)) })
	for k := 1; k <= m.steps; k++ {
		add("until "+strconv.Itoa(k), func(t *Trace) []string { return t.until(t.end(k)) })
	}
	for k := 1; k <= m.steps; k++ {
		add("step "+strconv.Itoa(k), func(t *Trace) []string { return t.only(k) })
	}
	var err error
	if m.from, err = compare.Open(in); err != nil {
		return err
	}
	m.r = &report.Report{}
	for range in.Runs {
		m.r.Systems = append(m.r.Systems, report.System{})
	}
	for _, id := range m.from.Queries() {
		m.r.Queries = append(m.r.Queries, report.Query{ID: id})
	}
	return m.from.Evaluation.Measure(m.r, evaluation.Watch{Cancel: m.o.Cancel})
}

// end is how many steps a trace has after k are counted: the last one that is counted takes the rest in.
func (t *Trace) end(k int) int {
	if k >= MaxSteps {
		return len(t.Steps)
	}
	return min(k, len(t.Steps))
}

// until are the documents of the first steps in the order in which they were first retrieved.
func (t *Trace) until(steps int) (out []string) {
	seen := map[string]bool{}
	for _, s := range t.Steps[:steps] {
		for _, d := range s.Docs {
			if !seen[d] {
				seen[d], out = true, append(out, d)
			}
		}
	}
	return out
}

// only are the documents of a step from 1.
func (t *Trace) only(step int) []string {
	if step > len(t.Steps) {
		return nil
	}
	return t.Steps[step-1].Docs
}

// value is a figure of a run of open.
func (m *measuring) value(name string, run, query int) float64 {
	return m.r.Columns[slices.Index(m.r.Measures, name)].Values[run][query]
}

// outcome gathers the figures.
func (m *measuring) outcome() *Outcome {
	out := &Outcome{System: m.set.Name, Hop: m.hop, Tokens: m.set.Tokens}
	judged := map[string]bool{}
	for i, id := range m.from.Queries() {
		judged[id] = true
		q := Query{ID: id, Merged: m.value(m.hop, 0, i)}
		for _, k := range m.o.Depths {
			any, all := m.value("Success@"+strconv.Itoa(k), 0, i), 0.0
			if m.value("R@"+strconv.Itoa(k), 0, i) == 1 {
				all = 1
			}
			q.Any, q.All = append(q.Any, any), append(q.All, all)
		}
		t := m.traces[id]
		if t == nil {
			out.Missing = append(out.Missing, id)
		} else {
			q.Text = t.Text
			tokens := 0
			for k := 1; k <= min(len(t.Steps), m.steps); k++ {
				for _, s := range t.Steps[t.end(k-1):t.end(k)] {
					tokens += s.Tokens
				}
				q.Recall, q.Hops = append(q.Recall, m.value(recall, k, i)), append(q.Hops, m.value(m.hop, m.steps+k, i))
				q.Tokens = append(q.Tokens, tokens)
			}
		}
		q.Found = m.found(id, t)
		q.Relevant = len(q.Found)
		out.Queries = append(out.Queries, q)
	}
	for _, t := range m.set.Traces {
		if !judged[t.Query] {
			out.Foreign = append(out.Foreign, t.Query)
		}
	}
	out.means(m.steps, m.o.Depths)
	return out
}

// found is where each relevant document was found first.
func (m *measuring) found(query string, t *Trace) (out []Found) {
	m.qrels.Each(query, func(doc string, grade float64) {
		if grade < float64(m.level) {
			return
		}
		f := Found{Doc: doc, Grade: grade}
		if t != nil {
			for k, s := range t.Steps {
				if at := slices.Index(s.Docs, doc); at >= 0 {
					f.Step, f.Rank, f.Query = k+1, at+1, s.Query
					break
				}
			}
		}
		out = append(out, f)
	})
	return out
}

// means are those over the queries.
func (o *Outcome) means(steps int, depths []int) {
	over := func(of func(q *Query) float64) float64 {
		list := make([]float64, len(o.Queries))
		for i := range o.Queries {
			list[i] = of(&o.Queries[i])
		}
		return measure.Mean(list)
	}
	for i, k := range depths {
		o.Depths = append(o.Depths, Depth{K: k, Any: over(func(q *Query) float64 { return q.Any[i] }),
			All: over(func(q *Query) float64 { return q.All[i] })})
	}
	o.Merged = over(func(q *Query) float64 { return q.Merged })
	o.Recall = over((*Query).Last)
	for k := range steps {
		x := StepMean{Step: k + 1, Recall: over(func(q *Query) float64 { return q.after(k) })}
		var hops, tokens []float64
		for _, q := range o.Queries {
			if len(q.Recall) > 0 {
				tokens = append(tokens, float64(q.Tokens[min(k, len(q.Tokens)-1)]))
			}
			if k < len(q.Hops) {
				x.Queries, hops = x.Queries+1, append(hops, q.Hops[k])
			}
			for _, f := range q.Found {
				if f.Step == k+1 || k == MaxSteps-1 && f.Step > MaxSteps {
					x.New++
				}
			}
		}
		x.Hop, x.Tokens = mean(hops), mean(tokens)
		o.Steps = append(o.Steps, x)
	}
}

// mean is the mean of some values, NaN of none.
func mean(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return measure.Mean(v)
}

// after is the recall after step k from 0, or after the last one; 0 without a trace.
func (q *Query) after(k int) float64 {
	if len(q.Recall) == 0 {
		return 0
	}
	return q.Recall[min(k, len(q.Recall)-1)]
}

// Last is the recall after the last step.
func (q *Query) Last() float64 { return q.after(len(q.Recall)) }

// Spent is how many tokens the trace took.
func (q *Query) Spent() int {
	if len(q.Tokens) == 0 {
		return 0
	}
	return q.Tokens[len(q.Tokens)-1]
}

// Notes are what is odd about the traces, a sentence each.
func (o *Outcome) Notes() (out []string) {
	if n := len(o.Missing); n > 0 {
		out = append(out, say.Count(n, "judged query has", "judged queries have")+" no trace and "+say.Verb(n,
			"counts", "count")+" 0: "+say.Few(o.Missing, 6))
	}
	if n := len(o.Foreign); n > 0 {
		out = append(out, say.Count(n, "trace is of a query", "traces are of queries")+" without judgments and left "+
			"out: "+say.Few(o.Foreign, 6))
	}
	return out
}

// Scores are the figures of every query of some outcomes as a table of scores, which compares systems.
func Scores(list []*Outcome) (*scores.Table, error) {
	t := scores.New("traces of agents", "query")
	for _, o := range list {
		for i := range o.Queries {
			q := &o.Queries[i]
			add := func(name string, v float64) error { return t.Add(o.System, q.ID, name, v) }
			err := errors.Join(add("recall", q.Last()), add(o.Hop, q.Merged))
			for k, d := range o.Depths {
				err = errors.Join(err, add("Any@"+strconv.Itoa(d.K), q.Any[k]), add("All@"+strconv.Itoa(d.K), q.All[k]))
			}
			err = errors.Join(err, add("steps", float64(len(q.Recall))))
			if o.Tokens {
				err = errors.Join(err, add("tokens", float64(q.Spent())))
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", o.System, err)
			}
		}
	}
	return t, nil
}

// Report compares agents by recall after the last step and by the measure of everything that they retrieved. A judged
// query without a trace counts 0.
func Report(list []*Outcome, a scores.Asked) (*report.Report, error) {
	t, err := Scores(list)
	if err != nil {
		return nil, err
	}
	if a.Measures == nil {
		a.Measures = []string{"recall", list[0].Hop}
	}
	a.Missing = scores.CountZero
	return t.Report(a)
}
