//go:build !first

package worker

import (
	"errors"
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	j := ofRuns
	j.before = message.Runs
	register(message.Statistics, j, toAnalyses, (*analyses).statistics)
}

// details are what was worked out of a comparison because it was shown.
type details struct {
	statistics map[int]*report.Statistics // a column
	agreeing   *compare.Agreeing
	analyses   map[string][]analysis.Section // a part of the page
	times      *analysis.Times               // where they were asked for
	more       map[string]*report.Report     // by further measures, by their notation
	grown      *report.Report                // of the beginnings of the leading pipeline
	apart      *report.Report                // of every set of stages of one
}

// column is the place of a measure in the report.
func (k *comparison) column(measure string) (int, error) {
	if i := slices.Index(k.report.Measures, measure); i >= 0 {
		return i, nil
	}
	return 0, errors.New("the report has no measure " + measure)
}

// statistics makes every test of a pair. The answer is nil where it was overtaken: the page asks again where it still
// looks.
func (as *analyses) statistics(r message.Request, ask *message.AskStatistics) (*message.PairTests, error) {
	k, err := as.comparisons.last()
	if err != nil || ask.Measure == "" { // what was asked before is looked at no longer
		return nil, err
	}
	column, err := k.column(ask.Measure)
	if err != nil {
		return nil, err
	}
	s := k.details.statistics[column]
	if s == nil {
		p := message.Progress{What: "Making every test"}
		if s, err = k.report.Statistics(column, report.StatisticsOptions{Cancel: as.page.stopped(r, &p)}); errors.Is(err,
			compare.ErrCancelled) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		if k.details.statistics == nil {
			k.details.statistics = map[int]*report.Statistics{}
		}
		k.details.statistics[column] = s
	}
	return pairTests(k.report, column, s, ask)
}

// pairTests is what the statistics say of the pair that is asked for, turned round where they have it the other way.
func pairTests(r *report.Report, column int, s *report.Statistics, ask *message.AskStatistics) (*message.PairTests,
	error) {
	at := slices.IndexFunc(s.Pairs, func(p report.PairStatistics) bool {
		return p.I == ask.A && p.J == ask.B || p.I == ask.B && p.J == ask.A
	})
	if at < 0 {
		return nil, errors.New("there is no such pair of runs")
	}
	p := s.Pairs[at]
	if p.I != ask.A {
		turned := p.Reverse()
		p.PairComparison, p.Low, p.High = &turned, -p.High, -p.Low
	}
	n := len(s.Pairs)
	out := &message.PairTests{A: ask.A, B: ask.B, Measure: s.Measure, Queries: s.Compared.Queries,
		Correction: r.Correction(), Pairs: n, Difference: p.Difference,
		Low: p.Low, High: p.High,
		Dz: p.Dz, DzLow: p.DzLow, DzHigh: p.DzHigh, G: p.G, Cliff: p.Cliff, Superiority: p.Superiority,
		Detectable: p.Detectable, Needed: p.Needed(), Margin: ask.Margin}
	testing := r.Protocol()
	family := make([]report.Pair, n)
	for k, t := range p.Tests {
		for i := range s.Pairs {
			x := &s.Pairs[i]
			family[i] = report.Pair{A: x.I, B: x.J, P: x.Tests[k].P}
			if x.Better+x.Worse == 0 { // no test says anything of differences that are all 0
				family[i].P = 1
			}
		}
		testing.Correct(family, r)
		out.Rows = append(out.Rows, message.TestRow{Test: t.Test, Method: t.Method, N: t.N, Draws: t.Draws,
			Statistic: t.Statistic, P: family[at].P, Adjusted: family[at].Adjusted, Counts: t.Test == s.Compared.Test})
	}
	if !(out.Margin > 0) {
		out.Margin = report.DefaultMargin
	}
	of := r.On(column).Columns[column].Values
	d, err := significance.Differences(of[ask.A], of[ask.B])
	if err != nil {
		return nil, err
	}
	e := report.BoundsOf(s.Measure).Equivalence(d, out.Margin, report.Alpha)
	out.Equivalent, out.EquivalentLow, out.EquivalentHigh = e.P, e.Low, e.High
	return out, nil
}
