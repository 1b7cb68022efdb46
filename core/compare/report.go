package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/float"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
)

// Budget bounds the work for bounds: residuals that cost the square of the list's length are in the report where the squares, over
// all queries and runs, sum to no more.
const Budget = 4 << 20

// Report measures the runs and tests their differences. cancel is polled between queries and between resamples, progress is
// called with what is done of the lists to be measured; both may be nil.
func (c *Comparison) Report(cancel func() bool, progress func(done, total int)) (*report.Report, error) {
	r := &report.Report{}
	r.Baseline = c.in.Baseline
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
	total := len(c.runs) * len(c.queries)
	affordable := c.squares() <= Budget
	var wider []report.Warning // where not every order of ties could be tried
	for s, run := range c.runs {
		info := report.Coverage{Tag: run.Tag}
		for _, q := range run.Queries() {
			if !c.in.Qrels.Has(q) {
				info.Foreign++
			}
		}
		sys := report.System{Label: c.names[s]}
		low, high := make([][2]float64, len(c.applied)), make([][2]float64, len(c.applied)) // ties, residual
		open := make([]int, len(c.applied))                                                 // queries with more orders of ties than were tried
		known := make([]bool, len(c.applied))
		for i, a := range c.applied {
			known[i] = affordable || a.Info().QuickResidual()
		}
		for q := range c.queries {
			if cancel != nil && cancel() {
				return nil, ErrCancelled
			}
			c.topic(&t, s, q)
			if t.Missing {
				sys.Missing++
				if len(info.Missing) < 10 {
					info.Missing = append(info.Missing, t.Query)
				}
			} else {
				info.Queries++
			}
			tied := cover(&info, &t)
			var cuts []measure.Range
			if x, ok := c.cutOf(s, q); ok {
				cuts = x.ranges(c.applied)
				c.topic(&t, s, q)
				if x.from+1 == x.depth { // not counted: it shares its score with documents behind the cut only
					if info.Tied++; !tied {
						info.TiedIn++
					}
				}
			}
			for m, a := range c.applied {
				v := a.Score(&t)
				r.Columns[m].Values[s] = append(r.Columns[m].Values[s], v)
				lo, hi := v, v
				tr := measure.Range{Low: v, High: v, Exact: true}
				switch {
				case cuts != nil:
					tr = cuts[m]
				case tied:
					tr = a.TieRange(&t)
				}
				if lo, hi = tr.Low, tr.High; !tr.Exact {
					open[m]++
				}
				low[m][0] += lo
				high[m][0] += hi
				if !known[m] {
					continue
				}
				res, ok := a.Residual(&t)
				known[m] = ok
				low[m][1] += res.Low
				high[m][1] += res.High
			}
			if progress != nil {
				progress(s*len(c.queries)+q+1, total)
			}
		}
		for m, n := range open {
			if n > 0 {
				wider = append(wider, report.Warning{Kind: report.TiesUntried, System: s, Column: m, N: n})
			}
		}
		if sys.Missing > 0 {
			sys.Why = "the run has no list for them"
		}
		r.Systems = append(r.Systems, sys)
		r.Coverage = append(r.Coverage, info)
		n := float64(max(len(c.queries), 1))
		for m := range c.applied {
			e := &r.Columns[m]
			values := r.Columns[m].Values[s]
			e.Geometric = append(e.Geometric, geometric(values))
			e.Median = append(e.Median, median(values))
			e.TieLow = append(e.TieLow, low[m][0]/n)
			e.TieHigh = append(e.TieHigh, high[m][0]/n)
			lo, hi := low[m][1]/n, high[m][1]/n
			if !known[m] || len(c.queries) == 0 {
				lo, hi = math.NaN(), math.NaN()
			}
			e.ResidualLow = append(e.ResidualLow, lo)
			e.ResidualHigh = append(e.ResidualHigh, hi)
		}
	}
	r.Fields = c.byField(r)
	r.Skipped = slices.Clone(c.skipped)
	r.Warnings = append(c.warnings(r), wider...)
	if err := r.Conclude(c.in.Protocol, cancel); err != nil {
		return nil, err
	}
	return r, nil
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
	slices.SortFunc(s.Grades, func(a, b report.Grade) int { return a.Grade - b.Grade })
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
		slices.SortFunc(list, func(a, b judgment) int { return strings.Compare(a.doc, b.doc) })
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

// warnings says what is odd about the runs and the judgments.
func (c *Comparison) warnings(r *report.Report) []report.Warning {
	out := r.CoverageWarnings(func(s int) []string { return []string{c.in.Qrels.Queries()[0], c.runs[s].Queries()[0]} })
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

// geometric is measure.Result's.
func geometric(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := 0.0
	for _, x := range v {
		s += float.Log(max(x, measure.GeometricFloor))
	}
	return float.Exp(s / float64(len(v)))
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}
