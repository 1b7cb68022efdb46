package report

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// StatisticsOptions are what a report does not decide. The zero value is the default.
type StatisticsOptions struct {
	Margin float64     // two runs are equivalent within ± this; 0 is DefaultMargin
	Cancel func() bool // may be nil
}

// DefaultMargin is the difference of means below which two runs are taken for equivalent.
const DefaultMargin = 0.01

// Statistics is everything that can be said of the differences of the runs on one measure: beside the test that decides
// the other tests and corrections, effect sizes with intervals, power and equivalence. What decides is that of the
// report: the same test, correction, family and draws.
type Statistics struct {
	Measure  string
	Margin   float64
	Compared *significance.MultipleComparison // by system
	Pairs    []PairStatistics                 // of the runs that answered, in the order of Compared.Pairs
	Tests    *Tests                           // that decide
	Orders   []Order                          // the runs ordered by this measure and by each other one
}

// PairStatistics is what is said of one pair: run J less run I.
type PairStatistics struct {
	*significance.PairComparison
	// interval of the difference that agrees with the test that decides and its correction; NaN if there is none
	Low, High float64
	// P under every correction over the same family, in the order of significance.Corrections; NaN outside of it
	Corrected   []float64
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

// Statistics says of every pair of runs on a column what there is to say. The error is ErrCancelled, or names the
// column that there is not.
func (r *Report) Statistics(column int, o StatisticsOptions) (*Statistics, error) {
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	if !(o.Margin > 0) || math.IsInf(o.Margin, 1) {
		return nil, say.Faultf("report", "test differences: margin %v is not above 0", o.Margin)
	}
	tests, err := r.TestOn(column, o.Cancel)
	if err != nil {
		return nil, err
	}
	on, t := r.On(column), r.Protocol()
	c := &on.Columns[column]
	values := significance.Table(on.ordered(c))
	found, err := significance.Compare(values, significance.CompareOptions{Options: on.options(t, o.Cancel), Test: t.Test,
		Alpha: Alpha})
	if err != nil {
		return nil, stopped(err)
	}
	found.Correction, found.Choice = r.CorrectionKey(), tests.Test.Choice
	if found.Test = t.Test; found.Test == "" {
		found.Test = found.Choice.Test
	}
	for i := range found.Systems {
		found.Systems[i].Group = c.Groups[i]
	}
	s := &Statistics{Measure: c.Measure, Margin: o.Margin, Compared: found, Tests: tests}
	var family []Pair
	for i := range found.Pairs {
		p := &found.Pairs[i]
		q := tests.Pairs[i]
		if p.P, p.Adjusted = q.P, q.Adjusted; r.Unanswered(p.I) || r.Unanswered(p.J) {
			continue
		}
		family = append(family, q)
		d, err := significance.Differences(values[p.I], values[p.J])
		if err != nil {
			return nil, err
		}
		if c.Lower { // better is smaller
			p.Better, p.Worse = p.Worse, p.Better
			p.Superiority = 1 - p.Superiority
		}
		s.Pairs = append(s.Pairs,
			PairStatistics{p, q.Low, q.High, nil, BoundsOf(s.Measure).Equivalence(d, o.Margin, Alpha)})
	}
	for _, x := range significance.Corrections() {
		t.Correction = x.Name
		t.Correct(family, r)
		for i := range family {
			s.Pairs[i].Corrected = append(s.Pairs[i].Corrected, family[i].Adjusted)
		}
	}
	s.Orders, err = r.Orders(column)
	return s, err
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
		rbo, err := significance.RBO(r.RankingBy(column), r.RankingBy(m), significance.Persistence)
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
