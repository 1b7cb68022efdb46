package report

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// StatisticsOptions say how Report.Statistics tests. The zero value is what a report does.
type StatisticsOptions struct {
	Test       string                  // that counts; "" chooses one
	Correction string                  // of its p; "" is holm
	Zeros      significance.ZeroMethod // of Wilcoxon's test
	Continuity bool                    // correction of its normal approximation
	Method     significance.Method     // of its p
	Margin     float64                 // two runs are equivalent within ± this; 0 is DefaultMargin
	Samples    int                     // resamples; 0 is significance.DefaultSamples
	Cancel     func() bool             // may be nil
}

// DefaultMargin is the difference of means below which two runs are taken for equivalent.
const DefaultMargin = 0.01

// Statistics is everything that can be said of the differences of the runs on one measure: all tests and corrections,
// not only those that count, effect sizes with intervals, power and equivalence.
type Statistics struct {
	Measure  string
	Margin   float64
	Compared *significance.MultipleComparison // by system; its Groups are after the correction, not Tukey's
	Pairs    []PairStatistics                 // in the order of Compared.Pairs
	Orders   []Order                          // the runs ordered by this measure and by each other one
}

// PairStatistics is what is said of one pair: run J less run I.
type PairStatistics struct {
	*significance.PairComparison
	// interval of the difference that agrees with the test that counts and its correction; NaN where there is none
	Low, High   float64
	Corrected   []float64 // P under every correction, in the order of significance.Corrections
	Equivalence significance.Equivalence
}

// Needed is how many queries a t test at 5 % needs to find a difference like this one in 4 of 5 experiments:
// fractional, +Inf for none, NaN where the differences do not vary. It is worked out when it is asked for: for all
// pairs it would take as long as all their tests.
func (p *PairStatistics) Needed() float64 {
	return significance.QueriesNeeded(p.Dz, Alpha, 0.8, significance.TwoSided)
}

// Order is how far two orders of the runs, by their means on two measures, go together.
type Order struct {
	Measure string
	Tau     float64 // Kendall's τ-b
	TauAP   float64 // τ_AP, this measure being the reference; NaN where means are equal
	RBO     float64 // rank-biased overlap, p = 0.9; NaN where means are equal
}

// statisticsSeed is the seed of the resamples of Statistics: the same values always give the same figures.
const statisticsSeed = 20260101

// Statistics tests every pair of runs on a column with every test. The error is ErrCancelled, or names the test,
// correction or column that there is not.
func (r *Report) Statistics(column int, o StatisticsOptions) (*Statistics, error) {
	if column < 0 || column >= len(r.Columns) {
		return nil, say.Faultf("report", "test differences: there is no measure %d", column)
	}
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	if !(o.Margin > 0) || math.IsInf(o.Margin, 1) {
		return nil, say.Faultf("report", "test differences: margin %v is not above 0", o.Margin)
	}
	values := significance.Table(r.Columns[column].Values)
	found, err := significance.Compare(values, significance.CompareOptions{
		Options: significance.Options{Seed: statisticsSeed, Samples: o.Samples, Cancel: o.Cancel, Zeros: o.Zeros,
			Correction: o.Continuity, Method: o.Method},
		Test: o.Test, Correction: o.Correction, Alpha: Alpha,
	})
	if err == significance.ErrCancelled {
		return nil, ErrCancelled
	}
	if err != nil {
		return nil, say.Faultf("report", "test differences: %w", err)
	}
	s := &Statistics{Measure: r.Columns[column].Measure, Margin: o.Margin, Compared: found}
	if r.Columns[column].Lower { // letters from the best down
		means, apart := make([]float64, len(values)), map[[2]int]bool{}
		for i := range means {
			means[i] = -found.Systems[i].Mean
		}
		for _, p := range found.Pairs {
			apart[[2]int{p.I, p.J}] = p.Adjusted < Alpha
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
		if r.Columns[column].Lower { // better is smaller
			p.Better, p.Worse = p.Worse, p.Better
			p.Superiority = 1 - p.Superiority
		}
		s.Pairs = append(s.Pairs,
			PairStatistics{p, math.NaN(), math.NaN(), nil, BoundsOf(s.Measure).Equivalence(d, o.Margin, Alpha)})
	}
	if err := s.invert(values, r.Columns[column].Measure, o); err != nil {
		return nil, err
	}
	for _, c := range significance.Corrections() {
		for i, q := range c.Adjust(ps) {
			s.Pairs[i].Corrected = append(s.Pairs[i].Corrected, q)
		}
	}
	s.Orders, err = r.Orders(column)
	return s, err
}

// invert sets the intervals of the pairs.
func (s *Statistics) invert(values significance.Table, notation string, o StatisticsOptions) error {
	levels := make([]significance.Level, len(s.Pairs))
	for i, p := range s.Pairs {
		levels[i] = Protocol{Correction: o.Correction}.levelOf(p.P, p.Adjusted, len(s.Pairs))
	}
	ends, err := significance.Invert(values, BoundsOf(notation), s.Compared.Test, levels,
		significance.Options{Seed: statisticsSeed, Samples: o.Samples, Cancel: o.Cancel})
	for i, e := range ends {
		p := &s.Pairs[i]
		p.Low, p.High = min(e[0], p.Difference), max(e[1], p.Difference)
	}
	return stopped(err)
}

// upward returns the means of a column, turned so that more is better.
func (r *Report) upward(column int) []float64 {
	out := slices.Clone(r.Columns[column].Means)
	if r.Columns[column].Lower {
		for i, v := range out {
			out[i] = -v
		}
	}
	return out
}

// StatisticsAs is how Statistics tests what the report's own tests test: the same test, correction and resamples.
func (r *Report) StatisticsAs(cancel func() bool) StatisticsOptions {
	t := r.Protocol()
	o := StatisticsOptions{Test: t.Test, Correction: t.Correction, Zeros: t.Zeros, Continuity: t.Continuity,
		Method: t.method(), Cancel: cancel, Samples: Resamples(len(r.Systems), len(r.Queries))}
	if o.Correction == NoCorrection {
		o.Correction = ""
	}
	return o
}

// Orders says how far the order of the runs by a column goes together with that by each other one. Fewer than two runs
// give none.
func (r *Report) Orders(column int) ([]Order, error) {
	if len(r.Systems) < 2 {
		return nil, nil
	}
	var out []Order
	for m, c := range r.Columns {
		if m == column {
			continue
		}
		x, y := r.upward(column), r.upward(m)
		k, err := significance.KendallTau(x, y)
		if err != nil {
			return nil, err
		}
		ap, err := significance.TauAP(x, y)
		if err != nil {
			return nil, err
		}
		rbo, err := significance.RBO(r.Columns[column].Ranking(), r.Columns[m].Ranking(), significance.Persistence)
		if err != nil {
			return nil, err
		}
		if ap != ap { // runs with equal means have no order
			rbo.Ext = ap
		}
		out = append(out, Order{c.Measure, k.B, ap, rbo.Ext})
	}
	return out, nil
}
