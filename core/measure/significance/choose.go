package significance

import (
	"math"
	"slices"
)

// Choice is a test, why it was chosen, and what is doubtful about the data. It is data: package report has the words.
type Choice struct {
	Test    string // name in the registry
	Reason  Reason
	Queries int     // of the longest list
	Pairs   int     // lists that are tested together
	Skew    float64 // the size of the skewness of the list that is skewed most
	Doubts  []Doubt
}

// Reason is why a test was chosen.
type Reason string

// The reasons.
const (
	TooFew       Reason = "too few" // fewer than two queries
	NoneFinite   Reason = "none finite"
	NoDifference Reason = "no difference" // all are zero
	OneSize      Reason = "one size"      // of all that are not
	FewQueries   Reason = "few queries"   // for the mean to be taken for normal
	Skewed       Reason = "skewed"        // too much for so many queries
	NormalMean   Reason = "normal mean"
)

// Doubt is something doubtful about one of the lists. Which of the figures are set depends on the kind.
type Doubt struct {
	Kind      DoubtKind
	N, Of     int
	P, Adjust float64
	Value     float64
}

// DoubtKind says what is doubtful.
type DoubtKind string

// The kinds of doubts.
const (
	SomeNotFinite DoubtKind = "some not finite"
	NeverDiffers  DoubtKind = "never differs"
	FewDiffer     DoubtKind = "few differ" // N queries do; P is the least that is possible
	// the same, enough for one pair; Adjust is P corrected for all of them
	FewForSoMany    DoubtKind = "few for so many"
	ManyEqual       DoubtKind = "many equal"       // N queries do not differ, Of do
	FewDecide       DoubtKind = "few decide"       // the differences are skewed, by Value
	OneOutweighs    DoubtKind = "one outweighs"    // Value is the share of one query in the sum of all sizes
	TiedRanks       DoubtKind = "tied ranks"       // the Of differences that are not zero have N sizes
	TiedApproximate DoubtKind = "tied approximate" // the same, so many that Wilcoxon's p is approximate
	LittlePower     DoubtKind = "little power"     // Value is the d_z that would be found in 4 of 5 experiments
)

// Limits of Choose.
const (
	fewQueries = 30   // below this the mean is not taken for normal
	skewFactor = 25   // the t test is chosen from n = 25·skewness² on (Cochran 1977, 2.15)
	zeroShare  = 0.5  // from this share of zeros on there is a warning
	oneShare   = 0.25 // of the sum of all magnitudes, from which one query is named
	tieShare   = 0.5  // distinct sizes per non-zero difference, up to which there is a warning
)

// fewEffects are DetectableEffect(n, 0.05, 0.8, TwoSided) of fewer than 10 queries, which a simulation of many tests asks
// for each time.
var fewEffects = [10]float64{math.NaN(), math.NaN(), 11.549888435882384, 3.264043549699573, 2.1279493432577996,
	1.6819969659555558, 1.4345447820404043, 1.272566655454207, 1.1560346779947346, 1.0669732162169625}

// Choose picks the paired test for one or more lists of differences that will be tested together, and says why:
//
//   - the sign test where all non-zero differences have one size (a measure that is 0 or 1), because there it is the randomisation
//     test, and exact;
//   - the t test where there are at least 30 queries and 25·skewness² of them, so that the mean is normal enough;
//   - the randomisation test otherwise.
//
// Wilcoxon's test is never chosen: it does not test the mean that is reported. The doubts are about the worst list
// only, one each: values that are not finite, no or few differences other than zero, many zeros, skew, one query that
// outweighs the others, many differences of equal size, few queries.
// It is one function: what is found in a list counts for the choice and for its doubts.
func Choose(differences ...[]float64) Choice {
	n, finiteAll, oneSize := 0, true, true
	size := 0.0
	var worst struct {
		skew, one      float64
		nonZero, zeros int
		sizes, of      int // distinct sizes among so many non-zero differences
	}
	worst.nonZero, worst.sizes, worst.of = -1, 1, 1
	var sizes []float64
	for _, d := range differences {
		n = max(n, len(d))
		if !finite(d) {
			finiteAll = false
			continue
		}
		sizes = sizes[:0]
		tol := same(d)
		var largest, all float64
		for _, v := range d {
			v = math.Abs(v)
			if v <= tol {
				continue
			}
			sizes = append(sizes, v)
			all += v
			largest = max(largest, v)
			if size == 0 {
				size = v
			}
			if math.Abs(v-size) > tol {
				oneSize = false
			}
		}
		nonzero := len(sizes)
		slices.Sort(sizes)
		distinct := 0
		for i, v := range sizes {
			if i == 0 || v-sizes[i-1] > tol {
				distinct++
			}
		}
		if float64(distinct)*float64(worst.of) < float64(worst.sizes)*float64(nonzero) {
			worst.sizes, worst.of = distinct, nonzero
		}
		if worst.nonZero < 0 || nonzero < worst.nonZero {
			worst.nonZero, worst.zeros = nonzero, len(d)-nonzero
		}
		if s := math.Abs(Skewness(d)); s > worst.skew {
			worst.skew = s
		}
		if all > 0 {
			worst.one = max(worst.one, largest/all)
		}
	}
	c := Choice{Test: "randomisation", Queries: n, Pairs: len(differences), Skew: worst.skew}
	need := float64(skewFactor * float64(worst.skew*worst.skew))
	switch {
	case n < 2:
		c.Reason = TooFew
	case !finiteAll && worst.nonZero < 0:
		c.Reason = NoneFinite
	case size == 0:
		c.Reason = NoDifference
	case oneSize:
		c.Test, c.Reason = "sign", OneSize
	case n < fewQueries:
		c.Reason = FewQueries
	case float64(n) < need:
		c.Reason = Skewed
	default:
		c.Test, c.Reason = "t", NormalMean
	}

	doubt := func(d Doubt) { c.Doubts = append(c.Doubts, d) }
	if !finiteAll {
		doubt(Doubt{Kind: SomeNotFinite})
	}
	if n < 2 || worst.nonZero < 0 {
		return c
	}
	least := math.Ldexp(2, -worst.nonZero)
	switch {
	case worst.nonZero == 0 && size > 0:
		doubt(Doubt{Kind: NeverDiffers})
	case worst.nonZero > 0 && worst.nonZero < 6:
		doubt(Doubt{Kind: FewDiffer, N: worst.nonZero, P: min(least, 1)})
	case worst.nonZero > 0 && c.Test != "t" && least*float64(c.Pairs) >= 0.05:
		doubt(Doubt{Kind: FewForSoMany, N: worst.nonZero, P: least, Adjust: min(1, least*float64(c.Pairs))})
	case worst.nonZero > 0 && float64(worst.zeros) >= float64(zeroShare*float64(n)):
		doubt(Doubt{Kind: ManyEqual, N: worst.zeros, Of: worst.nonZero})
	}
	if float64(n) < need && n >= fewQueries && c.Test != "sign" {
		doubt(Doubt{Kind: FewDecide, Value: worst.skew})
	}
	if worst.one >= oneShare && n >= 10 && c.Test != "sign" {
		doubt(Doubt{Kind: OneOutweighs, Value: worst.one})
	}
	if float64(worst.sizes) <= float64(tieShare*float64(worst.of)) && worst.of >= 10 && c.Test != "sign" {
		d := Doubt{Kind: TiedRanks, N: worst.sizes, Of: worst.of}
		if n > maxExactTied {
			d.Kind = TiedApproximate
		}
		doubt(d)
	}
	if n < 10 && size > 0 {
		doubt(Doubt{Kind: LittlePower, Value: fewEffects[n]})
	}
	return c
}
