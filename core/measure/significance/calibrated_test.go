package significance

import (
	"math"
	"strconv"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// population is where values are drawn from, with the mean that all of them have.
type population struct {
	name string
	mean float64
	draw func(r *Rand) float64
}

// oneOrZero values are 1 with a probability.
func oneOrZero(p float64) func(*Rand) float64 {
	return func(r *Rand) float64 {
		if r.uniform() < p {
			return 1
		}
		return 0
	}
}

// rarely is 0 but with a probability, else a number between low and 1.
func rarely(p, low float64) func(*Rand) float64 {
	return func(r *Rand) float64 {
		if r.uniform() < p {
			return low + (1-low)*r.uniform()
		}
		return 0
	}
}

var gains = []float64{1, 0.6309297535714575, 0.5, 0.43067655807339306, 0.38685280723454163} // 1/log2(1 + rank)

// populations of measures between 0 and 1. Means by hand: of u⁴ 1/5, of graded gains the sum of them times the
// probability 2/5·(3/5)^(rank - 1) of their rank.
var populations = []population{
	{"half 1", 0.5, oneOrZero(0.5)},
	{"0.8 are 1", 0.8, oneOrZero(0.8)},
	{"0.95 are 1", 0.95, oneOrZero(0.95)},
	{"0.99 are 1", 0.99, oneOrZero(0.99)},
	{"0.05 are 1", 0.05, oneOrZero(0.05)},
	{"mostly 0", 0.1 * 0.6, rarely(0.1, 0.2)},
	{"mostly 1", 1 - 0.2*0.5, func(r *Rand) float64 { return 1 - rarely(0.2, 0)(r) }},
	{"skewed", 0.2, func(r *Rand) float64 { return math.Pow(r.uniform(), 4) }},
	{"uniform", 0.5, (*Rand).uniform},
	{"narrow", 0.5, func(r *Rand) float64 { return 0.4 + 0.1*(r.uniform()+r.uniform()) }},
	{"graded", 0.4 * (gains[0] + 0.6*(gains[1]+0.6*(gains[2]+0.6*(gains[3]+0.6*gains[4])))), func(r *Rand) float64 {
		for _, g := range gains {
			if r.uniform() < 0.4 {
				return g
			}
		}
		return 0
	}},
	{"high, one in 50 fails", 0.98 * 0.97, func(r *Rand) float64 {
		if r.uniform() < 0.02 {
			return 0
		}
		return 0.94 + 0.06*r.uniform()
	}},
}

// covers checks that a share of intervals holds what it should: in no fewer than least of all less two standard
// errors, and a little for the number of shares that are checked.
func covers(t *testing.T, what string, held, of int, least float64) {
	t.Helper()
	share := float64(held) / float64(of)
	t.Logf("%s: %.4f of %d", what, share, of)
	if share < least-3*math.Sqrt(least*(1-least)/float64(of)) {
		t.Errorf("%s: %.4f of %d intervals hold it, want %v", what, share, of, least)
	}
}

// sizes are the numbers of queries that intervals are calibrated for.
var sizes = []int{1, 2, 3, 5, 10, 20, 50, 200}

// The interval of a mean of values between 0 and 1 holds it in 95 of 100 samples, whatever the population and its size,
// and has a width.
func TestIntervalsOfMeansCover(t *testing.T) {
	for _, n := range sizes {
		for _, p := range populations {
			rnd, held, of := NewRand(uint64(n), 20), 0, shared.Sample(200, 10000)
			x := make([]float64, n)
			for range of {
				for i := range x {
					x[i] = p.draw(rnd)
				}
				low, high := Unit.Interval(x, 0.95)
				if low <= p.mean && p.mean <= high {
					held++
				}
				if m := Mean(x); !(low <= m && m <= high && high-low > 1e-3) {
					t.Fatalf("%v: %v to %v", x, low, high)
				}
			}
			covers(t, p.name+", "+strconv.Itoa(n), held, of, 0.95)
		}
	}
}

// Without bounds no interval can hold for every population (Bahadur and Savage 1956). What ours does is told in Terms:
// it holds in 90 of 100 samples at worst with 10 values, and 94 with 50.
func TestIntervalsWithoutBoundsCover(t *testing.T) {
	for _, p := range []population{
		{"normal", 5, func(r *Rand) float64 { return 5 + r.normal() }},
		{"exponential", 1, (*Rand).exponential},
		{"log-normal", math.Exp(0.5), func(r *Rand) float64 { return math.Exp(r.normal()) }},
		{"0.9 are 0, others exponential", 0.1, func(r *Rand) float64 { return oneOrZero(0.1)(r) * r.exponential() }},
	} {
		for n, least := range map[int]float64{10: 0.88, 20: 0.89, 50: 0.93, 200: 0.95} {
			rnd, held, of := NewRand(uint64(n), 21), 0, 0
			x := make([]float64, n)
			for range shared.Sample(200, 10000) {
				for i := range x {
					x[i] = p.draw(rnd)
				}
				low, high := Bounds{0, math.Inf(1)}.Interval(x, 0.95)
				if low != low { // all values are 0
					continue
				}
				of++
				if low <= p.mean && p.mean <= high {
					held++
				}
			}
			covers(t, p.name+", "+strconv.Itoa(n), held, of, least)
		}
	}
}

// Oracle: scipy 1.17.1, binomtest(k, n).proportion_ci(method="exact"): 10 and 7 of 10, 1 of 1, 0 of 20 and 38 of 40.
// By hand: of 10 of 10 the lower end is 0.025^(1/10), of 0 of 20 the upper one 1 - 0.025^(1/20).
func TestSharesHaveTheIntervalOfClopperAndPearson(t *testing.T) {
	c := checker{t: t}
	for _, x := range []struct {
		k, n      int
		low, high float64
	}{
		{10, 10, 0.6915028921812371, 1}, {7, 10, 0.3475471499399921, 0.9332604888222655}, {1, 1, 0.025, 1},
		{0, 20, 0, 0.16843347098308548}, {38, 40, 0.8308031360405823, 0.9938863534006533},
	} {
		low, high := ShareInterval(x.k, x.n, 0.95)
		c.near("low", low, number(x.low), 1e-10, 1e-15)
		c.near("high", high, number(x.high), 1e-10, 1e-15)
	}
	// the ends of 40 of 100 … of 5000 are quantiles of the beta distribution, whose distribution function is beta
	for _, n := range []int{2, 3, 10, 50, 300, 5000} {
		for _, k := range []int{1, n / 3, n / 2, n - 1} {
			if k == 0 {
				continue
			}
			low, high := ShareInterval(k, n, 0.99)
			p, _ := beta(float64(k), float64(n-k+1), low, 1-low)
			_, q := beta(float64(k+1), float64(n-k), high, 1-high)
			c.near("below", p, 0.005, 1e-6, 0)
			c.near("above", q, 0.005, 1e-6, 0)
		}
	}
}

// By hand: one value v has y = (v, 1) and Σw·y uniform between them, so the upper end is v + 0.975(1 - v). Of v and 1
// twice, 1 - Σw·y is (1 - v) times the smallest of two uniform numbers, and that is below 1 - √0.975 in 2.5 of 100.
// Values of another scale have the same interval on it.
func TestIntervalOfAMeanByHand(t *testing.T) {
	c := checker{t: t}
	low, high := Unit.Interval([]float64{0.6}, 0.95)
	c.near("of one, low", low, 0.015, 1e-12, 0)
	c.near("of one, high", high, 0.99, 1e-12, 0)
	_, high = Unit.Interval([]float64{0.6, 1}, 0.95)
	c.near("of two, high", high, number(1-0.4*(1-math.Sqrt(0.975))), 1e-12, 0)
	low, high = Unit.Interval([]float64{0.1, 0.4, 0.9, 0.4}, 0.95)
	l, h := Bounds{-1, 3}.Interval([]float64{-0.6, 0.6, 2.6, 0.6}, 0.95)
	c.near("another scale, low", l, number(4*low-1), 1e-12, 0)
	c.near("another scale, high", h, number(4*high-1), 1e-12, 0)
}

// What Σw·y exceeds is drawn: the tail beyond the end is 2.5 % of a million draws of the weights.
func TestDirichletTailIsThatOfDraws(t *testing.T) {
	rnd := NewRand(3, 22)
	for _, n := range []int{3, 12, 60} {
		x := make([]float64, n)
		for i := range x {
			x[i] = gains[rnd.Intn(len(gains))] * rnd.uniform()
		}
		_, high := Unit.Interval(x, 0.95)
		beyond, draws := 0, shared.Sample(100000, 1000000)
		for range draws {
			sum, all := rnd.exponential(), 0.0
			all = sum // of the bound
			for _, v := range x {
				w := rnd.exponential()
				sum += w * v
				all += w
			}
			if sum > high*all {
				beyond++
			}
		}
		if share := float64(beyond) / float64(draws); math.Abs(share-0.025) > 4*math.Sqrt(0.025*0.975/float64(draws)) {
			t.Errorf("%d values: %v of the draws are beyond %v", n, share, high)
		}
	}
}

// agreement is a population of documents that two judges graded: the probabilities of their two grades.
type agreement struct {
	name  string
	share [][]float64
}

var agreements = []agreement{
	{"half and half, 0.9 the same", [][]float64{{0.45, 0.05}, {0.05, 0.45}}},
	{"half and half, 0.7 the same", [][]float64{{0.35, 0.15}, {0.15, 0.35}}},
	{"0.9 of one grade", [][]float64{{0.86, 0.04}, {0.04, 0.06}}},
	{"nearly perfect", [][]float64{{0.69, 0.01}, {0.01, 0.29}}},
	{"four grades", [][]float64{{0.25, 0.05, 0, 0}, {0.05, 0.15, 0.05, 0}, {0.02, 0.05, 0.13, 0.05},
		{0, 0, 0.05, 0.15}}},
}

// coefficients are those of two judges' grades.
var coefficients = []struct {
	name string
	of   func(a, b []int, level float64) Agreement
}{
	{"κ", func(a, b []int, level float64) Agreement {
		return must(CohenInterval(a, b, Unweighted, level)).Agreement
	}},
	{"κ squared", func(a, b []int, level float64) Agreement {
		return must(CohenInterval(a, b, Quadratic, level)).Agreement
	}},
	{"α", func(a, b []int, level float64) Agreement {
		ratings := make([][]float64, 2)
		for i := range a {
			ratings[0], ratings[1] = append(ratings[0], float64(a[i])), append(ratings[1], float64(b[i]))
		}
		return must(KrippendorffInterval(ratings, Ordinal, level))
	}},
	{"AC1", func(a, b []int, level float64) Agreement {
		var table [][]int
		for i := range a {
			row := make([]int, 4)
			row[a[i]]++
			row[b[i]]++
			table = append(table, row)
		}
		return must(GwetAC(table, []int{0, 1, 2, 3}, Unweighted, level))
	}},
}

// The interval of a coefficient of agreement holds that of the population, and has a width.
func TestIntervalsOfAgreementCover(t *testing.T) {
	for _, p := range agreements {
		var a, b []int // the population: 10,000 documents
		for x, row := range p.share {
			for y, share := range row {
				for range int(math.Round(share * 10000)) {
					a, b = append(a, x), append(b, y)
				}
			}
		}
		for _, k := range coefficients {
			truth := k.of(a, b, 0).Coefficient
			for _, n := range []int{5, 20, 200} {
				rnd, held, of := NewRand(uint64(n), 23), 0, 0
				x, y := make([]int, n), make([]int, n)
				for range shared.Sample(12, 150) {
					for i := range x {
						d := rnd.Intn(len(a))
						x[i], y[i] = a[d], b[d]
					}
					got := k.of(x, y, 0.95)
					if got.Coefficient != got.Coefficient {
						continue
					}
					if of++; got.Low <= truth && truth <= got.High {
						held++
					}
					if !(got.Low < got.High && got.Low >= -1 && got.High <= 1) {
						t.Fatalf("%s of %v and %v: %+v", k.name, x, y, got)
					}
				}
				covers(t, k.name+", "+p.name+", "+strconv.Itoa(n), held, of, 0.95)
			}
		}
	}
}

// The prediction-powered interval holds the mean, however few the labels and whatever the predictions. Of the labels
// half are predicted right, all or none, or they are graded and predicted with an error.
func TestPredictionPoweredIntervalsCover(t *testing.T) {
	right := func(p float64) func(r *Rand) (float64, float64) {
		return func(r *Rand) (float64, float64) {
			v := oneOrZero(0.7)(r)
			if r.uniform() < p {
				return v, v
			}
			return v, oneOrZero(0.7)(r)
		}
	}
	for _, p := range []struct {
		name string
		mean float64
		draw func(r *Rand) (label, predicted float64)
	}{
		{"half right", 0.7, right(0.5)}, {"all right", 0.7, right(1)}, {"none right", 0.7, right(0)},
		{"nearly all 1", 0.95, func(r *Rand) (float64, float64) {
			v := oneOrZero(0.95)(r)
			return v, max(v, oneOrZero(0.5)(r))
		}},
		{"graded", 0.5, func(r *Rand) (float64, float64) {
			v := r.uniform()
			return v, max(0, min(1, v+0.4*(r.uniform()-0.3)))
		}},
	} {
		for _, n := range []int{2, 5, 10, 30, 100} {
			rnd, held, of := NewRand(uint64(n), 25), 0, shared.Sample(100, 4000)
			for range of {
				var label, predicted, others []float64
				for range n {
					y, f := p.draw(rnd)
					label, predicted = append(label, y), append(predicted, f)
				}
				for range 200 {
					_, f := p.draw(rnd)
					others = append(others, f)
				}
				got := must(PredictionPowered(label, predicted, others, Unit, 0.95))
				if got.Low <= p.mean && p.mean <= got.High {
					held++
				}
				if !(got.Low < got.High) {
					t.Fatalf("%+v", got)
				}
			}
			covers(t, p.name+", "+strconv.Itoa(n), held, of, 0.95)
		}
	}
}

// Without bounds there is none from few or equal values; a value outside of the bounds proves that there are none.
func TestNoIntervalWithoutBounds(t *testing.T) {
	some := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for name, x := range map[string]struct {
		b    Bounds
		x    []float64
		want bool
	}{
		"nothing":            {Unit, nil, false},
		"nine":               {Unknown, some[:9], false},
		"ten":                {Unknown, some, true},
		"ten equal":          {Unknown, []float64{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, false},
		"0 and 1":            {Unknown, []float64{0, 1}, true},
		"counts of 0 and 1":  {Bounds{0, math.Inf(1)}, []float64{0, 1}, false},
		"outside of bounds":  {Unit, []float64{0.5, 3}, false},
		"not a number":       {Unit, []float64{0.5, nan}, false},
		"ten equal of a few": {Bounds{1, 5}, []float64{2, 2}, true},
	} {
		low, high := x.b.Interval(x.x, 0.95)
		if got := low == low; got != x.want || got && !(low < high) {
			t.Errorf("%s: %v to %v", name, low, high)
		}
	}
	if low, high := (Bounds{0, math.Inf(1)}).Interval(some, 0.95); low < 0 || high > 19 {
		t.Errorf("%v to %v of counts from 1 to 10", low, high)
	}
}

// Two systems that are equal on two queries are not shown to be equivalent. By hand: differences of 0 between -1 and 1
// say that their mean is below 0.01 with p = 0.99².
func TestFewEqualQueriesShowNoEquivalence(t *testing.T) {
	c := checker{t: t}
	e := Unit.Equivalence([]float64{0, 0}, 0.01, 0.05)
	c.near("p", e.P, 0.99*0.99, 1e-9, 0)
	if e := Unit.Equivalence(make([]float64, 1000), 0.01, 0.05); !(e.P < 0.001) {
		t.Errorf("1,000 equal queries: p = %v", e.P)
	}
	if e := Unknown.Equivalence([]float64{0, 1e-6}, 0.01, 0.05); e.P == e.P {
		t.Errorf("without bounds: p = %v", e.P)
	}
	far := Unit.Equivalence([]float64{0, 1e-6}, 0.01, 0.05)
	if !(far.P > 0.9 && far.Low < -0.5 && far.High > 0.5) {
		t.Errorf("two that are nearly equal: %+v", far)
	}
}
