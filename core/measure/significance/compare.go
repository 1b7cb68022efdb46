package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
)

// CompareOptions say how Compare tests.
type CompareOptions struct {
	Options            // Alternative is two-sided whatever it says
	Test       string  // name in the registry; "" lets Choose decide
	Correction string  // name of a correction; "" is holm
	Alpha      float64 // two systems can be told apart if their adjusted P is below this; 0 means 0.05
	Brief      bool    // only the test that counts and d_z of a pair, as a report needs them
}

// MultipleComparison is what can be said of a table of systems × queries on one measure.
type MultipleComparison struct {
	Queries    int
	Choice     Choice // of Choose, also where Test says another one
	Test       string // the test that P and Adjusted are of
	Correction string
	Alpha      float64
	Systems    []Row
	Pairs      []PairComparison // in the order of Pairs

	// DetectableEffect is the smallest d_z that a t test of one pair would find in 4 of 5 experiments with this many
	// queries.
	DetectableEffect float64
}

// Row is one system, a row of the table.
type Row struct {
	Mean  float64
	SD    float64
	Group string // letters: two systems that share one are not significantly different
}

// PairComparison compares system J with system I: figures above zero say that J is better.
type PairComparison struct {
	I, J       int
	Difference float64
	Tests      []Result // of all tests, in the order of All
	P          float64  // of the test that counts; 1 where every difference is zero
	Adjusted   float64  // after correction over all pairs

	Dz, DzLow, DzHigh    float64 // Cohen's d_z and its interval
	G                    float64 // Hedges's g
	Cliff                float64 // Cliff's δ
	Superiority          float64 // share of queries on which J is better, ties half
	Better, Worse, Equal int     // queries
	Detectable           float64 // the smallest difference this many queries would show in 4 of 5 experiments
}

const drawsPerPair = 100

// DrawsEach is how many sign patterns are drawn for each of several tests at 5 %: with as many, the floor of P,
// 2/(draws + 1), times the number of tests is below a tenth of the level.
const DrawsEach = 401

// AtFloor reports whether a two-sided P of so many draws is the least that it can be: none of them was as far out, so
// that P is at most that.
func AtFloor(p float64, draws int) bool { return p <= 2/float64(draws+1)*(1+1e-9) }

// Drawn is how many sign patterns the randomisation test of a table draws if it counts: DrawsEach for each pair. If that is more work than
// mostFlips, it is as many as fit, but at least drawsPerPair for each pair.
func Drawn(least, systems, queries int) int {
	pairs := systems * (systems - 1) / 2
	afford := mostFlips / max(systems*(queries/8+8)+pairs, 1)
	return max(least, drawsPerPair*pairs, min(DrawsEach*pairs, afford))
}

// mostFlips bounds the sums and comparisons of Drawn: about a second.
const mostFlips = 1 << 30

// Compare tests every pair of systems of a table with every test of the registry, and everything else this package says
// about them. It draws the same resamples for all pairs, so its cost grows with systems × queries × samples and not
// with pairs. Fewer than two systems or no queries give a MultipleComparison without pairs.
//
// The results equal those of the single functions with the same options.
// Only the randomisation test draws more than Options.Samples where it is the test that counts and there are many
// pairs (see Drawn): the smallest P that draws can give is 2/(draws + 1), and times the number of pairs it must stay
// below a tenth of Alpha. Its steps are in order, each of which needs what those before found.
func Compare(t Table, o CompareOptions) (*MultipleComparison, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if o.Correction == "" {
		o.Correction = "holm"
	}
	correction, err := LookupCorrection(o.Correction)
	if err != nil {
		return nil, err
	}
	if o.Test != "" {
		if _, err := Lookup(o.Test); err != nil {
			return nil, err
		}
	}
	if o.Alpha == 0 {
		o.Alpha = 0.05
	}
	o.Alternative = TwoSided
	pairs := Pairs(len(t))
	c := &MultipleComparison{Queries: t.queries(), Correction: correction.Name, Alpha: o.Alpha,
		Systems: make([]Row, len(t)), Pairs: make([]PairComparison, len(pairs))}
	c.DetectableEffect = DetectableEffect(float64(c.Queries), 0.05, 0.8, TwoSided)

	differences := make([][]float64, len(pairs))
	for p, ij := range pairs {
		if differences[p], err = Differences(t[ij[0]], t[ij[1]]); err != nil {
			return nil, err
		}
	}
	c.Choice = Choose(differences...)
	if c.Test = o.Test; c.Test == "" {
		c.Test = c.Choice.Test
	}
	if len(t) == 0 {
		return c, nil
	}

	brief := first || o.Brief
	for i, row := range t {
		c.Systems[i] = Row{Mean: Mean(row), SD: SD(row)}
	}
	if len(pairs) == 0 {
		c.Systems[0].Group = "a"
		return c, nil
	}
	if len(t) > MaxSystems {
		return nil, say.Faultf("significance", "compare: %d systems, the limit is %d", len(t), MaxSystems)
	}
	flips := o.Options
	if c.Test == "randomisation" {
		flips.Samples = Drawn(flips.samples(), len(t), c.Queries)
	}
	random := make([]Result, len(pairs))
	if !brief || c.Test == "randomisation" {
		if random, err = randomisations(t, differences, flips); err != nil {
			return nil, err
		}
	}
	ascendingRows := make([][]float64, len(t))
	for i, row := range t {
		if !brief {
			ascendingRows[i] = sorted(row)
		}
	}
	o.student = newStudent(float64(c.Queries - 1))
	w := o.watch()
	ps := make([]float64, len(pairs))
	for p, ij := range pairs {
		d := differences[p]
		x := PairComparison{I: ij[0], J: ij[1], Difference: Mean(d),
			Tests: make([]Result, 0, len(tests)), P: math.NaN()}
		for _, test := range tests {
			if brief && test.Name != c.Test {
				continue
			}
			r := random[p]
			if test.Name != "randomisation" {
				if r, err = test.Run(d, o.Options); err != nil {
					return nil, err
				}
			}
			x.Tests = append(x.Tests, r)
			if test.Name == c.Test {
				x.P = r.P
			}
		}
		x.Dz = CohenDz(d)
		if !brief {
			x.Dz, x.DzLow, x.DzHigh = CohenDzInterval(d, o.level())
			x.G = HedgesG(d)
			// Cliff 1993, over rows that are sorted once for all pairs
			if x.Cliff = math.NaN(); !hasNaN(t[ij[0]]) && !hasNaN(t[ij[1]]) {
				more, less, total := dominanceSorted(ascendingRows[ij[0]], ascendingRows[ij[1]])
				x.Cliff = (more - less) / total
			}
			x.Superiority = PairedSuperiority(d)
			x.Detectable = float64(c.DetectableEffect * SD(d))
		}
		x.Better, x.Worse, x.Equal = Counts(d)
		if x.Equal == len(d) && x.Equal > 0 {
			// a test like the others when it comes to correcting for their number, though most tests can say nothing of
			// it
			x.P = 1
		}
		ps[p] = x.P
		c.Pairs[p] = x
		if w.stopped(200000) {
			return nil, ErrCancelled
		}
	}
	means := make([]float64, len(t))
	for i := range means {
		means[i] = c.Systems[i].Mean
	}
	apart := make(map[[2]int]bool, len(pairs))
	for p, q := range correction.Adjust(ps) {
		c.Pairs[p].Adjusted = q
		apart[pairs[p]] = q < o.Alpha
	}
	for i, g := range Groups(means, func(i, j int) bool { return !apart[[2]int{i, j}] }) {
		c.Systems[i].Group = g
	}
	return c, nil
}

// randomisations is Randomisation of all pairs.
func randomisations(t Table, differences [][]float64, o Options) ([]Result, error) {
	out := make([]Result, len(differences))
	drawn := false
	w := o.watch()
	for p, d := range differences {
		if w.stopped(1 << 18) {
			return nil, ErrCancelled
		}
		if len(nonZero(d)) > MostExact && finite(d) {
			drawn = true
			continue
		}
		var err error
		if out[p], err = Randomisation(d, o); err != nil {
			return nil, err
		}
	}
	if !drawn {
		return out, nil
	}
	rows := t
	if len(t) == 2 {
		rows = Table(differences) // as Randomisation does
	}
	less, greater, err := drawFlips(rows, o)
	if err != nil {
		return nil, err
	}
	for p, d := range differences {
		if out[p].Test == "" {
			out[p] = Result{Test: "randomisation", N: len(d), Statistic: Mean(d), Low: math.NaN(), High: math.NaN()}
			out[p].drawn(less[p], greater[p], &o)
		}
	}
	return out, nil
}
