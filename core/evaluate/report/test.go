package report

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Pair is the comparison of two systems on one measure: B minus A.
type Pair struct {
	A, B int
	Diff float64
	// interval of Diff at its corrected level: without 0 exactly if Apart; NaN where there is none
	Low, High float64
	P         float64 // of the test, before correction
	// after correction over the family: Holm's over all pairs, unless the Protocol says otherwise; NaN outside of it
	Adjusted float64
	Effect   float64 // Cohen's d_z; NaN where the differences do not vary
	Better   int     // queries on which B is better
	Worse    int
	Equal    int
}

// Tests are the paired tests on one measure of a report, every pair of systems. The report itself has them of its first
// measure.
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

// Pair returns the comparison of system b with system a, turned round where it is kept the other way, and false where
// there is none.
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

// Tests are those on the first measure.
func (r *Report) Tests() *Tests { return &Tests{Pairs: r.Pairs, Test: r.Test} }

// Pair is that of the tests on the first measure.
func (r *Report) Pair(a, b int) (Pair, bool) { return r.Tests().Pair(a, b) }

// TestOn returns the paired tests on a column: those of the report for the first one, otherwise the same tests, chosen
// for and made on the values of that column, corrected over the same pairs. cancel may be nil. The error is
// ErrCancelled, or says that there is no such column.
func (r *Report) TestOn(column int, cancel func() bool) (*Tests, error) {
	if column < 0 || column >= len(r.Columns) {
		return nil, say.Faultf("report", "test differences: there is no measure %d", column)
	}
	if column == 0 {
		return r.Tests(), nil
	}
	on := r.On(column)
	c := &on.Columns[column]
	alone := Report{Systems: r.Systems, Baseline: r.Baseline, Queries: on.Queries, Measures: []string{c.Measure},
		Columns: []Column{{Measure: c.Measure, Values: c.Values, Lower: c.Lower}}}
	if err := alone.Conclude(r.Protocol(), cancel); err != nil {
		return nil, err
	}
	return &Tests{Column: column, Pairs: alone.Pairs, Test: alone.Test}, nil
}

// Alpha is the level of the tests.
const Alpha = 0.05

// The statistics of a report are drawn with this seed, so that the same values always give the same report. What is
// drawn grows with the number of systems and queries, so that fewer resamples are drawn the more there are: work is
// bounded and the largest comparisons, which also have the most queries, lose precision that nobody sees.
const (
	seed        = 20260101
	mostTested  = 10000    // resamples …
	workTested  = 12000000 // … and systems × queries × resamples
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
		k := len(c.Values)
		c.Low, c.High, c.Groups = make([]float64, k), make([]float64, k), make([]string, k)
		for i, v := range r.values(m) {
			c.Low[i], c.High[i] = BoundsOf(c.Measure).Interval(v, 1-Alpha)
			if cancel != nil && cancel() {
				return ErrCancelled
			}
		}
	}
	return r.tests(t, cancel)
}

// BoundsOf are between which the values of a measure lie, by its notation; [significance.Unknown] if it is none.
func BoundsOf(notation string) significance.Bounds {
	m, err := measure.Parse(notation)
	if err != nil {
		return significance.Unknown
	}
	return significance.Bounds{Low: m.Info().Low, High: m.Info().High}
}

// Interval writes the interval of a system's mean, "n/a" or a dash if there is none.
func (c *Column) Interval(system int, style say.Style, decimals int) string {
	return style.Span(c.Low[system], c.High[system], decimals)
}

// NoInterval says why systems of the column have no interval; "" if all have one.
func (c *Column) NoInterval() string {
	for i, low := range c.Low {
		n := 0
		for _, v := range c.Values[i] {
			if v == v {
				n++
			}
		}
		if low != low && n > 0 && c.Means[i]-c.Means[i] == 0 {
			return NoMean(c.Measure, n)
		}
	}
	return ""
}

// NoMean says why the mean of n values of a measure has no interval: the measure has no bounds.
func NoMean(measure string, n int) string {
	return noBounds(measure, n, significance.Enough, "values", "equal")
}

// NoDifference says why the mean of n differences in a measure has no interval: the measure has no bounds.
func NoDifference(measure string, n int) string {
	return noBounds(measure, n, significance.EnoughDifferences, "differences", "0")
}

// noBounds says why n things have no interval: there are fewer than enough, or all are alike.
func noBounds(measure string, n, enough int, things, alike string) string {
	if n < enough {
		return "No interval: " + measure + " has no known bounds, so it takes " + strconv.Itoa(enough) + " " + things +
			" to show how far others may lie."
	}
	return "No interval: all " + things + " are " + alike + ", and " + measure +
		" has no known bounds that show how far others may lie."
}

// NoInterval says why a pair of the tests has no interval; "" if it has one, or if one of the two answered nothing.
func (r *Report) NoInterval(t *Tests, p *Pair) string {
	if p.Low == p.Low || r.Unanswered(p.A) || r.Unanswered(p.B) {
		return ""
	}
	n, name, b := p.Better+p.Worse+p.Equal, r.Protocol().Test, BoundsOf(r.Measures[t.Column])
	few := !(b.High-b.Low < math.Inf(1)) && n < significance.EnoughDifferences
	if (name == "wilcoxon" || name == "sign") && p.Better+p.Worse > 0 && !few {
		return "No interval: the test is not about the mean."
	}
	return NoDifference(r.Measures[t.Column], n)
}

// Reach is between which the means and their intervals lie.
func (c *Column) Reach() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i, v := range c.Means {
		for _, v := range []float64{v, c.Low[i], c.High[i]} {
			if v-v == 0 {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high
}

// tests tests every pair of systems that answered on every column: each column has the letters that come out, and the
// report the pairs of the first.
func (r *Report) tests(t Protocol, cancel func() bool) error {
	r.Test, r.Pairs = Test{Alone: len(r.Queries) == 1 && len(r.Columns) > 0 && len(r.Columns[0].Values) > 0}, nil
	for m := range r.Columns {
		on := r.On(m)
		c := &on.Columns[m]
		var answered []int
		var values [][]float64
		for s, v := range on.ordered(c) {
			if !r.Unanswered(s) {
				answered, values = append(answered, s), append(values, v)
			}
		}
		if cancel != nil && cancel() { // not every test draws, and asks
			return ErrCancelled
		}
		o := on.options(t, cancel)
		found, err := significance.Compare(values, significance.CompareOptions{Options: o, Test: t.Test, Alpha: Alpha,
			Brief: true})
		if err != nil {
			return stopped(err)
		}
		pairs := pairsOf(c, found, answered)
		t.Correct(pairs, r)
		r.Columns[m].Groups = r.lettersOf(c, pairs, t)
		if m > 0 {
			continue
		}
		if len(pairs) > 0 {
			r.Test.Name, r.Test.Choice = TestTitle(found.Test), found.Choice
			r.Test.Hand, r.Test.Detail = t.Test, t.detail()
			if err := t.invert(values, pairs, BoundsOf(c.Measure), found.Test, o); err != nil {
				return stopped(err)
			}
		}
		r.Pairs = r.whole(pairs)
	}
	return nil
}

// options are how the pairs are tested as t says.
func (r *Report) options(t Protocol, cancel func() bool) significance.Options {
	return significance.Options{Seed: seed, Cancel: cancel, Samples: Resamples(len(r.Systems), len(r.Queries)),
		Zeros: t.Zeros, Correction: t.Continuity, Method: t.method()}
}

// pairsOf are the pairs of the systems of a column as they were tested, before correction and without intervals.
func pairsOf(c *Column, found *significance.MultipleComparison, systems []int) []Pair {
	var out []Pair
	for _, p := range found.Pairs {
		x := Pair{A: systems[p.I], B: systems[p.J], P: p.P, Effect: p.Dz}
		x.Diff = significance.Difference(c.Means[x.A], c.Means[x.B])
		x.Better, x.Worse, x.Equal = tally(c.Values[x.A], c.Values[x.B])
		if x.Better+x.Worse == 0 { // no test says anything of differences that are all 0
			x.P, x.Effect, x.Diff = 1, math.NaN(), 0
		}
		if c.Lower {
			x.Better, x.Worse = x.Worse, x.Better
		}
		out = append(out, x)
	}
	return out
}

// invert sets the intervals of pairs: one leaves out 0 exactly if the pair is told apart. A pair outside of the family
// has an interval at 95 %.
func (t Protocol) invert(values [][]float64, pairs []Pair, b significance.Bounds, test string,
	o significance.Options) error {
	family := 0
	for i := range pairs {
		if pairs[i].Adjusted == pairs[i].Adjusted {
			family++
		}
	}
	levels := make([]significance.Level, len(pairs))
	for i := range pairs {
		levels[i] = t.levelOf(pairs[i].P, pairs[i].Adjusted, family)
	}
	ends, err := significance.Invert(values, b, test, levels, o)
	for i, e := range ends {
		pairs[i].Low, pairs[i].High = min(e[0], pairs[i].Diff), max(e[1], pairs[i].Diff) // NaN stays NaN
	}
	return err
}

// holdTogether says how far intervals that are corrected by Holm's method or the like hold together.
const holdTogether = "All intervals together hold the true differences in at least 90 of 100 samples."

// Together says in how many of 100 samples all intervals of the pairs hold; "" if no pair has one.
func (r *Report) Together(x *Tests) string {
	if !slices.ContainsFunc(x.Pairs, func(p Pair) bool { return p.Low == p.Low }) {
		return ""
	}
	t := r.Protocol()
	family := len(r.Systems) - 1
	if t.Family == "" {
		family = len(r.Systems) * (len(r.Systems) - 1) / 2
	}
	switch {
	case family < 2:
		return "The interval holds the true difference in 95 of 100 samples."
	case t.Correction == NoCorrection:
		return "Each interval by itself holds the true difference in 95 of 100 samples."
	case strings.HasPrefix(t.Correction, "fdr_"):
		return "Of the intervals without 0, 95 of 100 hold the true difference."
	case t.Correction == "bonferroni" || t.Correction == "sidak":
		return "All intervals together hold the true differences in 95 of 100 samples."
	}
	return holdTogether
}

// HeldTogether says how far the intervals of so many differences hold together whose p is corrected by Holm's method;
// "" of one.
func HeldTogether(n int) string {
	if n < 2 {
		return ""
	}
	return holdTogether
}

// Rare is how large a share of queries Unseen imagines to fail outright.
const Rare = 0.02

// Unseen says how far the interval of a pair may fall short if nearly all differences are 0 and none is large: a rare
// query that fails outright need not be among so few. "" if that is not so. TestUnseenFailures simulates it.
func (r *Report) Unseen(t *Tests, p *Pair, style say.Style) string {
	n, moved := p.Better+p.Worse+p.Equal, p.Better+p.Worse
	b := BoundsOf(r.Measures[t.Column])
	chance := float.Pow(1-Rare, float64(n))
	if p.Low != p.Low || n < significance.EnoughDifferences || moved == 0 || 5*moved > n || chance < 1-0.95 {
		return ""
	}
	on := r.On(t.Column)
	for q := range on.Queries {
		d := significance.Difference(on.Columns[t.Column].Values[p.B][q], on.Columns[t.Column].Values[p.A][q])
		if !(math.Abs(d) <= float64(0.5*(b.High-b.Low))) {
			return ""
		}
	}
	return r.Words("Only " + style.Int(moved) + " of " + say.Count(n, "query", "queries") + " differ: if 1 query in " +
		style.Int(int(1/Rare)) + " fails outright, " + style.Int(int(math.Round(100*chance))) + " of 100 samples of " +
		style.Int(n) + " show none, and the interval may then miss the true difference.")
}

// levelOf is the level of the interval of a pair among a family of tests. If the correction bounds the chance of any
// false discovery it is that of Bonferroni, so that the intervals cover together: at the level of Holm's step, which
// depends on the other pairs, they would not. If it bounds the share of false discoveries, it is the level at which the
// correction rejects the pair, so that this share of the intervals that leave out 0 is wrong.
//
// Source: Benjamini and Yekutieli 2005, False Discovery Rate–Adjusted Multiple Confidence Intervals, JASA 100.
func (t Protocol) levelOf(p, adjusted float64, family int) significance.Level {
	l := significance.Level{Alpha: Alpha / float64(max(family, 1)), Reject: adjusted < Alpha}
	switch {
	case adjusted != adjusted: // outside of the family
		return significance.Level{Alpha: Alpha, Reject: p < Alpha}
	case t.Correction == NoCorrection:
		l.Alpha = Alpha
	case strings.HasPrefix(t.Correction, "fdr_") && adjusted > 0 && adjusted < 1:
		l.Alpha = min(Alpha, float64(Alpha*p)/adjusted)
	}
	return l
}

// Apart reports whether the two systems are significantly different: their corrected p is below Alpha. Those of a pair
// outside of the family are not.
func (p *Pair) Apart() bool { return p.Adjusted < Alpha }

// Gain is the pair turned so that Diff, Low and High are above 0 where system a is better than b, whichever way the
// measure of the column runs, and false where there is none.
func (t *Tests) Gain(c *Column, a, b int) (Pair, bool) {
	p, ok := t.Pair(b, a)
	return turned(c, p), ok
}

// TestTitle is the title of a test inside a sentence.
func TestTitle(name string) string {
	t, err := significance.Lookup(name)
	if err != nil {
		return name
	}
	return say.Lower(t.Title)
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
	Low, High float64 // interval of Diff that agrees with the test, at 95 % until Correct; NaN where there is none
	P         float64 // 1 where no value differs
	// random sign patterns of which none was as far out, so that P is a bound; 0 if P is none
	AtMost int
	Better int // places where b is larger by more than 1e-12
	Worse  int
	Equal  int

	test   string // its name in the registry
	bounds significance.Bounds
	a, b   []float64
}

// Paired tests b against a, the values of a measure, one a query each, with the test that suits the differences. The
// error is ErrCancelled, or says that the lengths differ.
func Paired(notation string, a, b []float64, cancel func() bool) (Outcome, error) {
	return PairedAmong(notation, a, b, 1, cancel)
}

// PairedAmong is Paired of one of so many tests that are corrected together: a test that draws draws so often that the
// least P times their number is below a tenth of Alpha.
func PairedAmong(notation string, a, b []float64, family int, cancel func() bool) (Outcome, error) {
	d, err := significance.Differences(a, b)
	if err != nil {
		return Outcome{}, err
	}
	o := significance.Options{Seed: seed, Samples: max(pairSamples, significance.DrawsEach*family), Cancel: cancel}
	choice := significance.Choose(d)
	out := Outcome{Name: TestTitle(choice.Test), Diff: measure.Mean(b) - measure.Mean(a), P: 1, test: choice.Test,
		bounds: BoundsOf(notation), a: a, b: b}
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
		if res.Method == "monte-carlo" && significance.AtFloor(res.P, res.Draws) {
			out.AtMost = res.Draws
		}
	}
	return out, out.invert(significance.Level{Alpha: Alpha, Reject: out.P < Alpha}, cancel)
}

// Spread is the standard deviation of the differences, with n - 1 in the denominator: 0 where they are all equal,
// NaN of fewer than two.
func (o *Outcome) Spread() float64 {
	d, err := significance.Differences(o.a, o.b)
	if err != nil {
		return math.NaN()
	}
	return significance.SD(d)
}

// Spread is the standard deviation of the values of a system, those that are numbers, with n - 1 in the denominator.
func Spread(values []float64) float64 {
	return significance.SD(slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v != v }))
}

// Correct sets the interval to the level at which a correction over a family of tests that made P adjusted tests this
// one.
func (o *Outcome) Correct(adjusted float64, family int, cancel func() bool) error {
	return o.invert(Protocol{}.levelOf(o.P, adjusted, family), cancel)
}

// invert sets the interval.
func (o *Outcome) invert(l significance.Level, cancel func() bool) error {
	ends, err := significance.Invert(significance.Table{o.a, o.b}, o.bounds, o.test, []significance.Level{l},
		significance.Options{Seed: seed, Samples: pairSamples, Cancel: cancel})
	if err != nil {
		return stopped(err)
	}
	o.Low, o.High = min(ends[0][0], o.Diff), max(ends[0][1], o.Diff)
	return nil
}

// Holm returns p-values adjusted for their number.
func Holm(p []float64) []float64 { return significance.Holm(p) }

// Resamples is how many resamples the tests of a report draw where nothing is exact: fewer the more values there are,
// and the more pairs.
func Resamples(systems, queries int) int {
	pairs := systems * (systems - 1) / 2
	return max(leastDrawn, min(samples(mostTested, workTested, systems, queries), workPairs/max(pairs, 1)))
}

// AtMost returns how many random sign patterns a test on one of the columns drew if none of them was as far out as the
// pair, so that its p is a bound; 0 otherwise.
func (r *Report) AtMost(t *Test, p *Pair) int {
	if t.Name != TestTitle("randomisation") || p.Better+p.Worse <= significance.MostExact {
		return 0
	}
	k, n := len(r.Systems), p.Better+p.Worse+p.Equal
	if draws := significance.Drawn(Resamples(k, n), k, n); significance.AtFloor(p.P, draws) {
		return draws
	}
	return 0
}

// PIs writes the corrected p of a pair: "p = 0.012", or "p ≤ 0.005 (40,100 draws)" if it is a bound.
func (r *Report) PIs(p *Pair, style say.Style) string {
	if draws := r.AtMost(&r.Test, p); draws > 0 {
		return style.PAtMost(p.Adjusted, draws)
	}
	return style.PIs(p.Adjusted)
}

// detail says how a test that was chosen by hand is set, where that is not as usual.
func (t Protocol) detail() string {
	detail := ""
	if t.Test == "wilcoxon" {
		switch t.Wilcoxon {
		case "exact":
			detail += ", exact up to 300 queries"
		case "normal":
			detail += ", by the normal approximation"
		}
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
