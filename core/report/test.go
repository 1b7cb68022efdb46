package report

import (
	"errors"
	"math"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
	"github.com/rankbox/rankbox/core/wire"
)

// Pair is the comparison of two systems on one measure: B minus A.
type Pair struct {
	A, B      int
	Diff      float64
	Low, High float64 // 95 % bootstrap interval of Diff
	P         float64 // of the test, before correction
	Adjusted  float64 // after correction over the family: Holm's over all pairs, unless the Protocol says otherwise; NaN outside of it
	Effect    float64 // Cohen's d_z; NaN where the differences do not vary
	Better    int     // queries on which B is better
	Worse     int
	Equal     int
}

// Tests are the paired tests on one measure of a report, every pair of systems. The report itself has them of its first measure.
type Tests struct {
	Column int
	Pairs  []Pair
	Test   Test
}

// Wire walks the pair.
func (p *Pair) Wire(c *wire.Codec) {
	c.Fields(&p.A, &p.B, &p.Better, &p.Worse, &p.Equal, &p.Diff, &p.Low, &p.High, &p.P, &p.Adjusted, &p.Effect)
}

// Wire walks the tests.
func (t *Tests) Wire(c *wire.Codec) {
	c.Int(&t.Column)
	wire.Structs(c, &t.Pairs)
	t.Test.Wire(c)
}

// Pair returns the comparison of system b with system a, turned round where it is kept the other way, and false where there is none.
func (t *Tests) Pair(a, b int) (Pair, bool) {
	for _, p := range t.Pairs {
		if p.A == a && p.B == b {
			return p, true
		}
		if p.A == b && p.B == a {
			p.A, p.B = a, b
			p.Diff, p.Low, p.High, p.Effect = -p.Diff, -p.High, -p.Low, -p.Effect
			p.Better, p.Worse = p.Worse, p.Better
			return p, true
		}
	}
	return Pair{}, false
}

// Pair is that of the tests on the first measure.
func (r *Report) Pair(a, b int) (Pair, bool) { return (&Tests{Pairs: r.Pairs}).Pair(a, b) }

// TestOn returns the paired tests on a column: those of the report for the first one, otherwise the same tests, chosen for and made on the
// values of that column, corrected over the same pairs. cancel may be nil. The error is ErrCancelled, or says that there is no such
// column.
func (r *Report) TestOn(column int, cancel func() bool) (*Tests, error) {
	if column < 0 || column >= len(r.Columns) {
		return nil, say.Faultf("report", "test differences: there is no measure %d", column)
	}
	if column == 0 {
		return &Tests{Pairs: r.Pairs, Test: r.Test}, nil
	}
	c := &r.Columns[column]
	alone := Report{Systems: r.Systems, Baseline: r.Baseline, Queries: r.Queries, Measures: []string{c.Measure}, Columns: []Column{{Measure: c.Measure, Values: c.Values}}}
	if err := alone.Conclude(r.Protocol(), cancel); err != nil {
		return nil, err
	}
	return &Tests{Column: column, Pairs: alone.Pairs, Test: alone.Test}, nil
}

// Alpha is the level of the tests.
const Alpha = 0.05

// The statistics of a report are drawn with this seed, so that the same values always give the same report. What is drawn grows with
// the number of systems and queries, so that fewer resamples are drawn the more there are: work is bounded and the largest
// comparisons, which also have the most queries, lose precision that nobody sees.
const (
	seed        = 20260101
	mostTested  = 10000    // resamples of the first measure …
	workTested  = 12000000 // … and systems × queries × resamples
	mostOthers  = 4000     // of every other one
	workOthers  = 4000000
	leastDrawn  = 1000
	workPairs   = 50000000 // … and pairs × resamples, which above 100 systems is more than the rest
	pairSamples = 5000     // of Paired
	equal       = 1e-12
)

// samples is how many resamples of systems × queries values are drawn.
func samples(most, work, systems, queries int) int {
	return max(leastDrawn, min(most, work/max(systems*queries, 1)))
}

// test fills the intervals and groups of every column, and the pairs and the test of the first one.
func (r *Report) test(t Protocol, cancel func() bool) error {
	for m := range r.Columns {
		c := &r.Columns[m]
		o := significance.Options{Seed: seed, Cancel: cancel}
		k, n := len(c.Values), len(r.Queries)
		c.Low, c.High, c.Groups = make([]float64, k), make([]float64, k), make([]string, k)
		if k == 0 {
			continue
		}
		var tukey []significance.Result
		var err error
		if m == 0 {
			o.Samples = Resamples(k, n)
			tukey, err = r.compare(c, o, t)
		} else {
			o.Samples = samples(mostOthers, workOthers, k, n)
			var intervals []significance.Interval
			intervals, err = significance.Bootstraps(c.Values, o)
			if err != nil {
				return stopped(err)
			}
			for i, b := range intervals {
				c.Low[i], c.High[i] = ends(b, c.Means[i])
			}
			if k > 1 {
				tukey, err = significance.RandomisedTukey(c.Values, o)
			}
		}
		if err != nil {
			return stopped(err)
		}
		if k < 2 {
			continue
		}
		apart := map[[2]int]bool{}
		for p, ij := range significance.Pairs(k) {
			apart[ij] = tukey[p].P <= Alpha
		}
		means := c.Means
		if c.Lower {
			means = make([]float64, k)
			for i, v := range c.Means {
				means[i] = -v
			}
		}
		c.Groups = significance.Groups(means, func(i, j int) bool { return !apart[[2]int{i, j}] })
	}
	return nil
}

// compare fills the intervals of the column that is tested, the pairs and the test, and returns the results of Tukey's test.
func (r *Report) compare(c *Column, o significance.Options, t Protocol) ([]significance.Result, error) {
	o.Zeros, o.Correction = t.Zeros, t.Continuity
	found, err := significance.Compare(c.Values, significance.CompareOptions{Options: o, Test: t.Test, Alpha: Alpha, Brief: true})
	if err != nil {
		return nil, err
	}
	for i, s := range found.Systems {
		c.Low[i], c.High[i] = ends(s.Interval, c.Means[i])
	}
	if len(r.Queries) == 1 {
		r.Test.Alone = true
	}
	r.Pairs = nil
	if len(found.Pairs) == 0 {
		return nil, nil
	}
	r.Test.Name, r.Test.Choice = TestTitle(found.Test), found.Choice
	r.Test.Hand, r.Test.Detail = t.Test, t.detail()
	var tukey []significance.Result
	smaller := c.Lower
	for _, p := range found.Pairs {
		x := Pair{A: p.I, B: p.J, Diff: c.Means[p.J] - c.Means[p.I], P: p.P, Effect: p.Dz}
		x.Low, x.High = ends(p.Interval, x.Diff)
		x.Better, x.Worse, x.Equal = tally(c.Values[p.I], c.Values[p.J])
		if x.Better+x.Worse == 0 { // no test says anything of differences that are all 0
			x.P, x.Effect = 1, math.NaN()
		}
		if smaller {
			x.Better, x.Worse = x.Worse, x.Better
		}
		r.Pairs = append(r.Pairs, x)
		tukey = append(tukey, p.Tukey)
	}
	t.Correct(r.Pairs, r.Baseline)
	return tukey, nil
}

// TestTitle is the title of a test inside a sentence.
func TestTitle(name string) string {
	t, err := significance.Lookup(name)
	if err != nil {
		return name
	}
	return say.Lower(t.Title)
}

// ends returns the ends of a bootstrap interval: bias-corrected and accelerated, the percentiles where nothing varies, and the mean
// where there are too few values for either.
func ends(b significance.Interval, mean float64) (low, high float64) {
	switch {
	case b.Low == b.Low && b.High == b.High:
		return b.Low, b.High
	case b.PercentileLow == b.PercentileLow:
		return b.PercentileLow, b.PercentileHigh
	}
	return mean, mean
}

// tally counts the queries on which b is larger and smaller than a by more than rounding, and the others.
func tally(a, b []float64) (better, worse, same int) {
	for i := range a {
		switch d := b[i] - a[i]; {
		case d > equal:
			better++
		case d < -equal:
			worse++
		default:
			same++
		}
	}
	return better, worse, same
}

// stopped turns a cancellation of significance into one of report.
func stopped(err error) error {
	if errors.Is(err, significance.ErrCancelled) {
		return ErrCancelled
	}
	return err
}

// Outcome is the paired test of two lists of values.
type Outcome struct {
	Name      string  // of the test: "paired t test"
	Diff      float64 // mean of b less mean of a
	Low, High float64 // 95 % bootstrap interval of Diff
	P         float64 // 1 where no value differs
	Better    int     // places where b is larger by more than 1e-12
	Worse     int
	Equal     int
}

// Paired tests b against a, one value a query each, with the test that suits the differences. The error is ErrCancelled, or says that
// the lengths differ.
func Paired(a, b []float64, cancel func() bool) (Outcome, error) {
	d, err := significance.Differences(a, b)
	if err != nil {
		return Outcome{}, err
	}
	o := significance.Options{Seed: seed, Samples: pairSamples, Cancel: cancel}
	choice := significance.Choose(d)
	out := Outcome{Name: TestTitle(choice.Test), Diff: measure.Mean(b) - measure.Mean(a), P: 1}
	out.Better, out.Worse, out.Equal = tally(a, b)
	t, err := significance.Lookup(choice.Test)
	if err != nil {
		return Outcome{}, err
	}
	if out.Better+out.Worse > 0 {
		res, err := t.Run(d, o)
		if err != nil {
			return Outcome{}, stopped(err)
		}
		out.P = res.P
	}
	i, err := significance.Bootstrap(d, o)
	if err != nil {
		return Outcome{}, stopped(err)
	}
	out.Low, out.High = ends(i, out.Diff)
	return out, nil
}

// Holm returns p-values adjusted for their number.
func Holm(p []float64) []float64 { return significance.Holm(p) }

// Resamples is how many resamples the tests of a report draw where nothing is exact: fewer the more values there are, and the more pairs.
func Resamples(systems, queries int) int {
	pairs := systems * (systems - 1) / 2
	return max(leastDrawn, min(samples(mostTested, workTested, systems, queries), workPairs/max(pairs, 1)))
}

// detail says how a test that was chosen by hand is set, where that is not as usual.
func (t Protocol) detail() string {
	detail := ""
	if t.Test == "wilcoxon" {
		switch t.Zeros {
		case significance.Pratt:
			detail += ", zeros as Pratt has them"
		case significance.Split:
			detail += ", zeros split between the sides"
		}
		if t.Continuity {
			detail += ", with continuity correction"
		}
	}
	return detail
}
