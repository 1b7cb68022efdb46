package compare

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
)

// Budget bounds the work for bounds: residuals that cost the square of the list's length are in the report where the squares, over
// all queries and runs, sum to no more.
const Budget = 4 << 20

// maxResidualWork bounds what a scale of very many grades costs residuals that are quick otherwise, over all queries, runs and measures.
const maxResidualWork = 1 << 28

// Report measures the runs and tests their differences. cancel is polled between queries and between resamples, progress is
// called with what is done of the lists to be measured; both may be nil.
func (c *Comparison) Report(cancel func() bool, progress func(done, total int)) (*report.Report, error) {
	r := &report.Report{}
	r.Baseline, r.Letters = c.in.Baseline, c.in.Letters
	r.Collection = report.Ref{Name: c.in.Name, Queries: len(c.queries), Judgments: c.in.Qrels.Len()}
	r.Decisions = c.decisions()
	level := int32(max(c.in.Policy.Rel, 1))
	r.Stats = c.stats(level)
	r.Stats.Digest = c.digest()
	for i, m := range c.measures {
		r.Measures = append(r.Measures, m.String())
		r.Columns = append(r.Columns, report.Column{Measure: m.String(), Applied: c.applied[i].String(), Values: make([][]float64, len(c.runs))})
	}
	var grades []int32
	for _, q := range c.queries {
		f := c.fields[q]
		t := report.Query{ID: q, Text: f.Text, Type: f.Type, Difficulty: f.Difficulty}
		grades = c.in.Qrels.Grades(q, grades)
		for _, g := range grades {
			if g >= level {
				t.Relevant++
			}
		}
		r.Queries = append(r.Queries, t)
	}
	var t measure.Topic
	affordable := c.squares() <= Budget
	var wider []report.Warning
	room := maxResidualWork
	for s := range c.runs {
		x := c.begin(s, affordable)
		x.room = &room
		for q := range c.queries {
			if cancel != nil && cancel() {
				return nil, ErrCancelled
			}
			c.add(x, r, &t, s, q)
			if progress != nil {
				progress(s*len(c.queries)+q+1, len(c.runs)*len(c.queries))
			}
		}
		wider = append(wider, c.end(x, r, s)...)
	}
	r.Fields = c.byField(r)
	r.Skipped = slices.Clone(c.skipped)
	r.Warnings = append(c.warnings(r), wider...)
	if err := r.Conclude(c.in.Protocol, cancel); err != nil {
		return nil, err
	}
	return r, nil
}

// reading is what is counted of one run while its queries are measured.
type reading struct {
	system   report.System
	coverage report.Coverage
	bounds   []bounds // a measure
	room     *int     // what is left of maxResidualWork
}

// bounds are sums over queries.
type bounds struct {
	tieLow, tieHigh, residualLow, residualHigh float64
	known                                      bool // the residuals are, of every query so far
	untried                                    int  // queries with more orders of ties than were tried
}

// begin starts reading run s. Residuals that cost the square of the length are worked out only where that is affordable.
func (c *Comparison) begin(s int, affordable bool) *reading {
	run := c.runs[s]
	x := &reading{system: report.System{Label: c.names[s]}, coverage: report.Coverage{Tag: run.Tag}, bounds: make([]bounds, len(c.applied))}
	for _, q := range run.Queries() {
		if !c.in.Qrels.Has(q) {
			x.coverage.Foreign++
		}
	}
	for m, a := range c.applied {
		x.bounds[m].known = affordable || a.Info().QuickResidual()
	}
	return x
}

// add measures query q of run s; t is overwritten.
func (c *Comparison) add(x *reading, r *report.Report, t *measure.Topic, s, q int) {
	c.topic(t, s, q)
	u := &x.coverage
	if t.Missing {
		x.system.Missing++
		if len(u.Missing) < 10 {
			u.Missing = append(u.Missing, t.Query)
		}
	} else {
		u.Queries++
	}
	tied := cover(u, t)
	var cuts []measure.Range
	if k, ok := c.cutOf(s, q); ok {
		cuts = k.ranges(c.applied)
		c.topic(t, s, q)
		if k.from+1 == k.depth { // not counted: it shares its score with documents behind the cut only
			if u.Tied++; !tied {
				u.TiedIn++
			}
		}
	}
	for m, a := range c.applied {
		v := a.Score(t)
		r.Columns[m].Values[s] = append(r.Columns[m].Values[s], v)
		ties := measure.Range{Low: v, High: v, Exact: true}
		switch {
		case cuts != nil:
			ties = cuts[m]
		case tied:
			ties = a.TieRange(t)
		}
		b := &x.bounds[m]
		b.tieLow += ties.Low
		b.tieHigh += ties.High
		if !ties.Exact {
			b.untried++
		}
		if !b.known {
			continue
		}
		work := a.ResidualWork(t)
		if b.known = work <= *x.room; !b.known {
			continue
		}
		var open measure.Range
		if open, b.known = a.Residual(t); b.known {
			*x.room -= work
		}
		b.residualLow += open.Low
		b.residualHigh += open.High
	}
}

// end puts what was read of run s into the report, and returns where not every order of ties could be tried.
func (c *Comparison) end(x *reading, r *report.Report, s int) (wider []report.Warning) {
	if x.system.Missing > 0 {
		x.system.Why = "the run has no list for them"
	} else if w := c.fell(s); w.N > 0 {
		x.system.Why = report.SayFell(w.N)
	}
	r.Systems = append(r.Systems, x.system)
	r.Coverage = append(r.Coverage, x.coverage)
	n := float64(max(len(c.queries), 1))
	for m := range c.applied {
		col, b := &r.Columns[m], x.bounds[m]
		col.Geometric = append(col.Geometric, measure.GeometricMean(col.Values[s]))
		col.Median = append(col.Median, measure.Median(col.Values[s]))
		col.TieLow = append(col.TieLow, b.tieLow/n)
		col.TieHigh = append(col.TieHigh, b.tieHigh/n)
		low, high := b.residualLow/n, b.residualHigh/n
		if !b.known || len(c.queries) == 0 {
			low, high = math.NaN(), math.NaN()
		}
		col.ResidualLow = append(col.ResidualLow, low)
		col.ResidualHigh = append(col.ResidualHigh, high)
		if b.untried > 0 {
			wider = append(wider, report.Warning{Kind: report.TiesUntried, System: s, Column: m, N: b.untried})
		}
	}
	return wider
}

// squares returns the sum of the squares of the lengths of all lists.
func (c *Comparison) squares() int {
	n := 0
	for _, r := range c.runs {
		for _, q := range c.queries {
			if i := r.Query(q); i >= 0 {
				k := r.Size(i)
				if d := c.in.Policy.Depth; d > 0 {
					k = min(k, d)
				}
				n += k * k
			}
		}
	}
	return n
}

// decision returns decision i of a policy.
func decision(p measure.Policy, i int, s measure.Switch) report.Decision {
	out := report.Decision{Name: s.Name, Doc: s.Doc, Default: true}
	if len(s.Options) > 0 {
		out.Option = s.Options[0]
	} else {
		out.Option = "default"
	}
	for _, pair := range strings.Fields(p.String()) {
		if name, option, _ := strings.Cut(pair, "="); name == s.Name {
			out.Option, out.Default = option, false
		}
	}
	return out
}

// cover counts what the ranking of a query has and reports whether there are ties.
func cover(u *report.Coverage, t *measure.Topic) bool {
	u.Documents += len(t.Ranked)
	for i, g := range t.Ranked {
		if i == report.Window {
			break
		}
		u.Top++
		if g == measure.Unjudged {
			u.Unjudged++
		}
	}
	before := u.Tied
	for i := range t.Scores {
		if i > 0 && t.Scores[i] == t.Scores[i-1] || i+1 < len(t.Scores) && t.Scores[i] == t.Scores[i+1] {
			u.Tied++
		}
	}
	if u.Tied == before {
		return false
	}
	u.TiedIn++
	return true
}

func (c *Comparison) stats(level int32) report.Stats {
	s := report.Stats{Queries: len(c.queries)}
	var grades []int32
	var relevant []int
	counts := map[int32]int{}
	for _, q := range c.queries {
		grades = c.in.Qrels.Grades(q, grades)
		n := 0
		for _, g := range grades {
			counts[g]++
			s.Judgments++
			if g >= level {
				n++
			}
		}
		s.Relevant += n
		if n == 0 {
			s.Barren++
		}
		relevant = append(relevant, n)
	}
	for g, n := range counts {
		s.Grades = append(s.Grades, report.Grade{Grade: int(g), Count: n})
	}
	before := func(a, b report.Grade) int { return a.Grade - b.Grade }
	sort.Slice(s.Grades, func(i, j int) bool { return before(s.Grades[i], s.Grades[j]) < 0 })
	if n := len(relevant); n > 0 {
		slices.Sort(relevant)
		s.RelevantMin, s.RelevantMax = relevant[0], relevant[n-1]
		s.RelevantMedian = float64(relevant[(n-1)/2]+relevant[n/2]) / 2
	}
	return s
}

// digest is that of the judgments, "" where some of them lost their ids on the way here.
func (c *Comparison) digest() string {
	type judgment struct {
		doc   string
		grade int
	}
	var all strings.Builder
	queries := slices.Clone(c.in.Qrels.Queries())
	slices.Sort(queries)
	unnamed := false
	for _, q := range queries {
		var list []judgment
		c.in.Qrels.Each(q, func(doc string, grade int) {
			unnamed = unnamed || strings.HasPrefix(doc, NotRetrieved)
			list = append(list, judgment{doc, grade})
		})
		if len(list) == 0 {
			continue
		}
		sort.Slice(list, func(a, b int) bool { return list[a].doc < list[b].doc })
		of := append([]byte(nil), strconv.Quote(q)...)
		for _, j := range list {
			of = append(append(append(of, ' '), strconv.Quote(j.doc)...), " "+strconv.Itoa(j.grade)...)
		}
		all.WriteString(sha256.Hex(of))
	}
	if unnamed {
		return ""
	}
	return sha256.Hex([]byte(all.String()))
}

// fieldsOf lists the fields that queries are grouped by.
var fieldsOf = []struct {
	name string
	of   func(q collection.Query) string
}{
	{"type", func(q collection.Query) string { return q.Type }},
	{"difficulty", func(q collection.Query) string { return q.Difficulty }},
	{"domain", func(q collection.Query) string { return q.Domain }},
}

// byField aggregates by every field with at least two values; queries without one are a group of their own, "".
func (c *Comparison) byField(r *report.Report) []report.Field {
	var out []report.Field
	for _, f := range fieldsOf {
		if groups := r.By(func(q int) string { return f.of(c.fields[c.queries[q]]) }); len(groups) > 1 {
			out = append(out, report.Field{Name: f.name, Groups: groups})
		}
	}
	return out
}

// fell is of the queries that count those for which a backend gave run s nothing.
func (c *Comparison) fell(s int) report.Warning {
	w := report.Warning{Kind: report.FellBack, System: s, Column: -1}
	for _, q := range c.in.Runs[s].Fell {
		if _, counts := c.place[q]; counts {
			w.Names = append(w.Names, q)
		}
	}
	w.N = len(w.Names)
	return w
}

// warnings says what is odd about the runs and the judgments.
func (c *Comparison) warnings(r *report.Report) []report.Warning {
	var out []report.Warning
	for s := range c.runs {
		if w := c.fell(s); w.N > 0 {
			out = append(out, w)
		}
	}
	out = append(out, r.CoverageWarnings(func(s int) []string { return []string{c.in.Qrels.Queries()[0], c.runs[s].Queries()[0]} })...)
	var missing, empty int
	for _, w := range c.why {
		if w == "empty" {
			empty++
		} else {
			missing++
		}
	}
	add := func(kind report.WarningKind, n int) {
		out = append(out, report.Warning{Kind: kind, System: -1, Column: -1, N: n})
	}
	if missing > 0 {
		add(report.LeftOutMissing, missing)
	}
	if empty > 0 {
		add(report.LeftOutEmpty, empty)
	} else if r.Stats.Barren > 0 {
		add(report.BarrenQueries, r.Stats.Barren)
	}
	if len(c.queries) == 0 {
		add(report.NothingLeft, 0)
	}
	return out
}
