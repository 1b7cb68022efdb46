package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// StatisticsOptions say how Report.Statistics tests. The zero value is what a report does.
type StatisticsOptions struct {
	Test       string                  // that counts; "" chooses one
	Correction string                  // of its p; "" is holm
	Zeros      significance.ZeroMethod // of Wilcoxon's test
	Continuity bool                    // correction of its normal approximation
	Margin     float64                 // two runs are equivalent within ± this; 0 is DefaultMargin
	Samples    int                     // resamples; 0 is significance.DefaultSamples
	Cancel     func() bool             // may be nil
}

// DefaultMargin is the difference of means below which two runs are taken for equivalent.
const DefaultMargin = 0.01

// Statistics is everything that can be said of the differences of the runs on one measure: all tests and corrections, not only those
// that count, effect sizes with intervals, power and equivalence.
type Statistics struct {
	Measure  string
	Margin   float64
	Compared *significance.Comparison // by system; its Groups are after the correction, not Tukey's
	Pairs    []PairStatistics         // in the order of Compared.Pairs
	Orders   []Order                  // the runs ordered by this measure and by each other one
}

// PairStatistics is what is said of one pair: run J less run I.
type PairStatistics struct {
	*significance.PairComparison
	Corrected   []float64 // P under every correction, in the order of significance.Corrections
	Equivalence significance.Equivalence
}

// Needed is how many queries a t test at 5 % needs to find a difference like this one in 4 of 5 experiments: fractional, +Inf for none, NaN
// where the differences do not vary. It is worked out when it is asked for: for all pairs it would take as long as all their tests.
func (p *PairStatistics) Needed() float64 {
	return significance.QueriesNeeded(p.Dz, Alpha, 0.8, significance.TwoSided)
}

// Order is how far two orders of the runs, by their means on two measures, go together.
type Order struct {
	Measure string
	Tau     float64 // Kendall's τ-b
	TauAP   float64 // τ_AP, this measure being the reference; NaN where means are equal
	RBO     float64 // rank-biased overlap, p = 0.9, equal means in the order of the runs
}

// statisticsSeed is the seed of the resamples of Statistics: the same values always give the same figures.
const statisticsSeed = 20260101

// Statistics tests every pair of runs on a column with every test. The error is ErrCancelled, or names the test, correction or column
// that there is not.
func (r *Report) Statistics(column int, o StatisticsOptions) (*Statistics, error) {
	if column < 0 || column >= len(r.Columns) {
		return nil, fmt.Errorf("compare: test differences: there is no measure %d", column)
	}
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	if !(o.Margin > 0) || math.IsInf(o.Margin, 1) {
		return nil, fmt.Errorf("compare: test differences: margin %v is not above 0", o.Margin)
	}
	values := significance.Table(r.Columns[column].Values)
	found, err := significance.Compare(values, significance.CompareOptions{
		Options: significance.Options{Seed: statisticsSeed, Samples: o.Samples, Cancel: o.Cancel, Zeros: o.Zeros, Correction: o.Continuity},
		Test:    o.Test, Correction: o.Correction, Alpha: Alpha,
	})
	if err == significance.ErrCancelled {
		return nil, ErrCancelled
	}
	if err != nil {
		return nil, fmt.Errorf("compare: test differences: %w", err)
	}
	s := &Statistics{Measure: r.Columns[column].Measure, Margin: o.Margin, Compared: found}
	if r.Extra[column].Lower { // letters from the best down
		means, apart := make([]float64, len(values)), map[[2]int]bool{}
		for i := range means {
			means[i] = -found.Systems[i].Mean
		}
		for _, p := range found.Pairs {
			apart[[2]int{p.I, p.J}] = p.Adjusted <= Alpha
		}
		for i, g := range significance.Groups(means, func(i, j int) bool { return !apart[[2]int{i, j}] }) {
			found.Systems[i].Group = g
		}
	}
	ps := make([]float64, len(found.Pairs))
	for i := range found.Pairs {
		p := &found.Pairs[i]
		ps[i] = p.P
		d, err := significance.Differences(values[p.I], values[p.J])
		if err != nil {
			return nil, err
		}
		if r.Extra[column].Lower { // better is smaller
			p.Better, p.Worse = p.Worse, p.Better
			p.Superiority = 1 - p.Superiority
		}
		s.Pairs = append(s.Pairs, PairStatistics{p, nil, significance.TOST(d, -o.Margin, o.Margin, Alpha)})
	}
	for _, c := range significance.Corrections() {
		for i, q := range c.Adjust(ps) {
			s.Pairs[i].Corrected = append(s.Pairs[i].Corrected, q)
		}
	}
	s.Orders, err = r.Orders(column)
	return s, err
}

// upward returns the means of a column, turned so that more is better.
func (r *Report) upward(column int) []float64 {
	out := slices.Clone(r.Columns[column].Means)
	if r.Extra[column].Lower {
		for i, v := range out {
			out[i] = -v
		}
	}
	return out
}

// AgreementDepth is how many documents of a ranking Agreements looks at: those below weigh less than 0.0001 in its RBO.
const AgreementDepth = 100

// mostAgreements bounds the work of Agreements: with more pairs times queries only those with the baseline are compared.
const mostAgreements = 200000

// Agreement is how alike the first AgreementDepth documents of two runs are, whatever is relevant: means over the queries on which each is
// defined.
type Agreement struct {
	A, B    int
	Queries int     // that both runs have
	Common  float64 // documents that are in both rankings of a query
	RBO     float64 // rank-biased overlap, p = 0.9, extrapolated
	Tau     float64 // Kendall's τ over the documents that both rank
	TauAP   float64 // τ_AP over them, A being the reference
}

// Agreements compares the rankings of every pair of runs, in the order of significance.Pairs; where there are very many queries and pairs,
// those with the baseline. The error is ErrCancelled.
func (c *Comparison) Agreements(cancel func() bool) ([]Agreement, error) {
	a := c.Agreeing()
	for more := len(c.queries) > 0; more; {
		if cancel != nil && cancel() {
			return nil, ErrCancelled
		}
		var err error
		if more, err = a.Next(); err != nil {
			return nil, err
		}
	}
	return a.Means(), nil
}

// Agreeing is Agreements query by query, for those who have something else to do in between.
type Agreeing struct {
	c     *Comparison
	next  int
	sums  []Agreement
	taus  [][2]int // queries on which τ and τ_AP are defined
	lists [][]int32
	ids   map[string]int32 // documents of the query, numbered: they are looked up for every pair
	at    [][]int32        // place of a document in the list of a run, from 1
	x, y  []float64
}

// Agreeing begins to compare the rankings of every pair of runs.
func (c *Comparison) Agreeing() *Agreeing {
	pairs := significance.Pairs(len(c.runs))
	if len(pairs)*len(c.queries) > mostAgreements {
		pairs = slices.DeleteFunc(pairs, func(ij [2]int) bool { return ij[0] != c.in.Baseline && ij[1] != c.in.Baseline })
	}
	a := &Agreeing{c: c, sums: make([]Agreement, len(pairs)), taus: make([][2]int, len(pairs)), lists: make([][]int32, len(c.runs)), at: make([][]int32, len(c.runs)), ids: map[string]int32{}}
	for p, ij := range pairs {
		a.sums[p] = Agreement{A: ij[0], B: ij[1]}
	}
	return a
}

// Done returns how many queries were compared, and of how many.
func (a *Agreeing) Done() (done, total int) { return a.next, len(a.c.queries) }

// Next compares the rankings of one more query, if there is one, and reports whether there are more.
func (a *Agreeing) Next() (more bool, err error) {
	c, q := a.c, a.next
	if q >= len(c.queries) {
		return false, nil
	}
	clear(a.ids)
	for s := range c.runs {
		a.lists[s] = a.lists[s][:0]
		entries, _ := c.first(s, q, AgreementDepth)
		for _, e := range entries {
			id, ok := a.ids[e.Doc]
			if !ok {
				id = int32(len(a.ids))
				a.ids[e.Doc] = id
			}
			a.lists[s] = append(a.lists[s], id)
		}
	}
	for s := range c.runs {
		a.at[s] = slices.Grow(a.at[s][:0], len(a.ids))[:len(a.ids)]
		clear(a.at[s])
		for i, id := range a.lists[s] {
			a.at[s][id] = int32(i + 1)
		}
	}
	for p := range a.sums {
		g := &a.sums[p]
		s, t := a.lists[g.A], a.lists[g.B]
		if len(s) == 0 || len(t) == 0 {
			continue
		}
		rbo, err := significance.RBO(s, t, 0.9)
		if err != nil {
			return false, fmt.Errorf("compare: query %s: %w", c.queries[q], err)
		}
		x, y := a.x[:0], a.y[:0] // significance.Common without its maps
		for i, id := range s {
			if j := a.at[g.B][id]; j > 0 {
				x = append(x, -float64(i))
				y = append(y, -float64(j-1))
			}
		}
		a.x, a.y = x, y
		tau, err := significance.KendallTau(x, y)
		if err != nil {
			return false, err
		}
		ap, err := significance.TauAP(x, y)
		if err != nil {
			return false, err
		}
		g.Queries++
		g.Common += float64(len(x))
		g.RBO += rbo.Ext
		if tau.B == tau.B {
			g.Tau += tau.B
			a.taus[p][0]++
		}
		if ap == ap {
			g.TauAP += ap
			a.taus[p][1]++
		}
	}
	a.next++
	return a.next < len(c.queries), nil
}

// Means returns the agreements over the queries that were compared.
func (a *Agreeing) Means() []Agreement {
	out := slices.Clone(a.sums)
	for p := range out {
		g := &out[p]
		g.Common /= float64(g.Queries)
		g.RBO /= float64(g.Queries)
		g.Tau /= float64(a.taus[p][0])
		g.TauAP /= float64(a.taus[p][1])
	}
	return out
}

// Write writes the statistics of a report: as text, or as JSON where format is "json". agreements may be nil.
func (s *Statistics) Write(w io.Writer, r *Report, agreements []Agreement, format string) error {
	var b builder
	if format == "json" {
		s.json(&b, r, agreements)
	} else {
		s.text(&b, r, agreements)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Statistics) text(b *builder, r *Report, agreements []Agreement) {
	c := s.Compared
	name := func(i int) string { return say.Letter(i) + " " + brief(r.Systems[i].Label) }
	correction, _ := significance.LookupCorrection(c.Correction)
	b.line(s.Measure, ", ", say.Count(c.Queries, "query", "queries"), ", ", say.Count(len(c.Pairs), "pair", "pairs"), ". The test that counts is the ", experiment.TestTitle(c.Test), ", corrected by ", correction.Title, ".")
	b.line(c.Choice.Why)
	for _, x := range c.Choice.Warnings {
		b.line("Warning: ", x)
	}
	b.line()
	rows := [][]string{{"run", "mean", "sd", "BCa", "percentile", "groups"}}
	for i, x := range c.Systems {
		rows = append(rows, []string{name(i), say.Plain.Number(x.Mean, 4), say.Plain.Number(x.SD, 4), say.Plain.Span(x.Interval.Low, x.Interval.High, 4), say.Plain.Span(x.Interval.PercentileLow, x.Interval.PercentileHigh, 4), x.Group})
	}
	lay(b, rows, func(i int) bool { return i > 0 && i < 5 })
	b.line("95 % bootstrap intervals of the mean. Runs that share a letter cannot be told apart by the test that counts, at 5 %.")
	for i := range s.Pairs {
		p := &s.Pairs[i]
		b.line()
		b.line(name(p.J), " less ", name(p.I), ": ", say.Plain.Signed(p.Difference, 4), ", BCa ", say.Plain.Span(p.Interval.Low, p.Interval.High, 4), ", percentile ", say.Plain.Span(p.Interval.PercentileLow, p.Interval.PercentileHigh, 4),
			"; better on ", strconv.Itoa(p.Better), ", worse on ", strconv.Itoa(p.Worse), ", equal on ", strconv.Itoa(p.Equal))
		rows = [][]string{{"  test", "method", "n", "statistic", "p"}}
		for _, t := range append(slices.Clone(p.Tests), p.Tukey) {
			n := experiment.TestTitle(t.Test)
			if t.Test == "tukey" {
				n = "randomised Tukey HSD"
			}
			method := t.Method
			if t.Method == "monte-carlo" {
				method += " (" + strconv.Itoa(t.Draws) + ")"
			}
			rows = append(rows, []string{"  " + n, method, strconv.Itoa(t.N), say.Plain.Number(t.Statistic, 4), say.Plain.FineP(t.P)})
		}
		lay(b, rows, func(i int) bool { return i > 1 })
		var parts []string
		for k, x := range significance.Corrections() {
			parts = append(parts, x.Title+" "+say.Plain.FineP(p.Corrected[k]))
		}
		b.line("  p of the ", experiment.TestTitle(c.Test), " corrected: ", strings.Join(parts, ", "))
		b.line("  effect: d_z ", say.Plain.Number(p.Dz, 3), " (", say.Plain.Span(p.DzLow, p.DzHigh, 3), "), Cliff's delta ", say.Plain.Number(p.Cliff, 3), ", better on a random query with probability ", say.Plain.Number(p.Superiority, 3))
		if c.Queries > 1 {
			needed := "no number of queries would show this one"
			switch n := p.Needed(); {
			case n != n:
				needed = "the differences do not vary"
			case n <= 1e9:
				needed = say.Count(int(math.Ceil(n-1e-9)), "query is", "queries are") + " needed to show one like this"
			}
			b.line("  power: so many queries show a difference of ", say.Plain.Number(p.Detectable, 4), " in 4 of 5 experiments; ", needed)
			e := p.Equivalence
			b.line("  equivalence within ", say.Plain.Number(s.Margin, 4), ": p ", say.Plain.EqualP(e.P), " (TOST, 90 % interval ", say.Plain.Span(e.Low, e.High, 4), ")")
		}
	}
	if len(s.Orders) > 0 {
		b.line()
		rows = [][]string{{"order of the runs by", "Kendall tau", "tau AP", "RBO"}}
		for _, o := range s.Orders {
			rows = append(rows, []string{o.Measure, say.Plain.Number(o.Tau, 3), say.Plain.Number(o.TauAP, 3), say.Plain.Number(o.RBO, 3)})
		}
		lay(b, rows, func(i int) bool { return i > 0 })
		b.line("Against the order by ", s.Measure, ".")
	}
	if len(agreements) > 0 {
		b.line()
		rows = [][]string{{"rankings of", "queries", "common", "RBO", "Kendall tau", "tau AP"}}
		for _, a := range agreements {
			rows = append(rows, []string{say.Letter(a.A) + " and " + say.Letter(a.B), strconv.Itoa(a.Queries), say.Plain.Number(a.Common, 1), say.Plain.Number(a.RBO, 3), say.Plain.Number(a.Tau, 3), say.Plain.Number(a.TauAP, 3)})
		}
		lay(b, rows, func(i int) bool { return i > 0 })
		b.line("Means over the queries that both runs have, of their first ", strconv.Itoa(AgreementDepth), " documents; the taus over the documents that both rank, the first run being the reference.")
	}
}

func (s *Statistics) json(b *builder, r *Report, agreements []Agreement) {
	j := &jsonWriter{b: b}
	c := s.Compared
	interval := func(k string, i significance.Interval) {
		j.object(k, func() {
			j.num("bca_low", i.Low)
			j.num("bca_high", i.High)
			j.num("percentile_low", i.PercentileLow)
			j.num("percentile_high", i.PercentileHigh)
			j.num("standard_error", i.Error)
			j.int("draws", i.Draws)
		})
	}
	j.object("", func() {
		j.str("format", "rankbox-statistics")
		j.int("version", Version)
		j.str("report", r.Hash)
		j.str("measure", s.Measure)
		j.int("queries", c.Queries)
		j.str("test", c.Test)
		j.str("correction", c.Correction)
		j.num("alpha", c.Alpha)
		j.str("why", c.Choice.Why)
		j.strs("warnings", c.Choice.Warnings)
		j.num("detectable_d_z", c.DetectableEffect)
		j.list("runs", len(c.Systems), func(i int) {
			x := c.Systems[i]
			j.object("", func() {
				j.str("run", r.Systems[i].Label)
				j.num("mean", x.Mean)
				j.num("sd", x.SD)
				j.str("groups", x.Group)
				interval("interval", x.Interval)
			})
		})
		j.list("pairs", len(s.Pairs), func(i int) {
			p := &s.Pairs[i]
			j.object("", func() {
				j.str("a", r.Systems[p.I].Label)
				j.str("b", r.Systems[p.J].Label)
				j.num("difference", p.Difference)
				interval("interval", p.Interval)
				j.int("better", p.Better)
				j.int("worse", p.Worse)
				j.int("equal", p.Equal)
				tests := append(slices.Clone(p.Tests), p.Tukey)
				j.list("tests", len(tests), func(k int) {
					t := tests[k]
					j.object("", func() {
						j.str("test", t.Test)
						j.str("method", t.Method)
						j.int("n", t.N)
						j.num("statistic", t.Statistic)
						j.num("p", t.P)
						if t.Draws > 0 {
							j.int("draws", t.Draws)
							j.num("standard_error", t.Error)
						}
						if t.Test == "t" {
							j.num("df", t.DF)
							j.num("low", t.Low)
							j.num("high", t.High)
						}
						if t.Method == "normal" {
							j.num("z", t.Z)
						}
					})
				})
				j.num("p", p.P)
				j.object("p_corrected", func() {
					for k, x := range significance.Corrections() {
						j.num(x.Name, p.Corrected[k])
					}
				})
				j.num("d_z", p.Dz)
				j.num("d_z_low", p.DzLow)
				j.num("d_z_high", p.DzHigh)
				j.num("cliffs_delta", p.Cliff)
				j.num("probability_of_superiority", p.Superiority)
				j.num("detectable_difference", p.Detectable)
				j.num("queries_needed", p.Needed())
				e := p.Equivalence
				j.object("equivalence", func() {
					j.num("margin", s.Margin)
					j.num("p", e.P)
					j.num("p_low", e.PLow)
					j.num("p_high", e.PHigh)
					j.num("low_90", e.Low)
					j.num("high_90", e.High)
				})
			})
		})
		j.list("orders", len(s.Orders), func(i int) {
			o := s.Orders[i]
			j.object("", func() {
				j.str("measure", o.Measure)
				j.num("kendall_tau", o.Tau)
				j.num("tau_ap", o.TauAP)
				j.num("rbo", o.RBO)
			})
		})
		j.list("rankings", len(agreements), func(i int) {
			a := agreements[i]
			j.object("", func() {
				j.str("a", r.Systems[a.A].Label)
				j.str("b", r.Systems[a.B].Label)
				j.int("queries", a.Queries)
				j.num("common", a.Common)
				j.num("rbo", a.RBO)
				j.num("kendall_tau", a.Tau)
				j.num("tau_ap", a.TauAP)
			})
		})
	})
	b.line()
}

// WriteResiduals writes, for every measure and run, the mean and between which values it lies whatever is found of the documents that
// nobody judged. It can take long on deep rankings.
func (c *Comparison) WriteResiduals(w io.Writer, cancel func() bool) error {
	var b builder
	rows := [][]string{{"measure", "run", "mean", "least", "most"}}
	var unbounded []string
	close := false
	var t measure.Topic
	for _, m := range c.measures {
		bounds, ok, err := c.Residuals(m.String(), cancel)
		if err != nil {
			return err
		}
		if !ok {
			unbounded = append(unbounded, m.String())
			continue
		}
		applied := c.in.Policy.Apply(m)
		for s, x := range bounds {
			sum := 0.0
			for q := range c.queries {
				c.topic(&t, s, q)
				sum += applied.Score(&t)
			}
			mark := ""
			if !x.Exact {
				mark, close = " *", true
			}
			rows = append(rows, []string{m.String(), say.Letter(s) + " " + brief(c.names[s]), say.Plain.Number(sum/float64(max(len(c.queries), 1)), 4), say.Plain.Number(x.Low, 4), say.Plain.Number(x.High, 4) + mark})
		}
	}
	lay(&b, rows, func(i int) bool { return i > 1 })
	b.line("Means over ", say.Count(len(c.queries), "query", "queries"), ": as measured, and the least and most that they could be were the unjudged documents of the rankings judged after all.")
	if close {
		b.line("* every unjudged document of grade 0, and of the highest grade: other judgments may give less or more")
	}
	if len(unbounded) > 0 {
		b.line("No bounds are known of ", strings.Join(unbounded, ", "), ".")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
