package significance

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Choice is a test and why it was chosen.
type Choice struct {
	Test     string   // name in the registry
	Why      string   // one sentence
	Warnings []string // what is doubtful about the data, a sentence each
}

// Limits of Choose.
const (
	fewQueries = 30   // below this the mean is not taken for normal
	skewFactor = 25   // the t test is chosen from n = 25·skewness² on (Cochran 1977, 2.15)
	zeroShare  = 0.5  // from this share of zeros on there is a warning
	oneShare   = 0.25 // of the sum of all magnitudes, from which one query is named
	tieShare   = 0.5  // distinct sizes per non-zero difference, up to which there is a warning
)

// Choose picks the paired test for one or more lists of differences that will be tested together, and says why:
//
//   - the sign test where all non-zero differences have one size (a measure that is 0 or 1), because there it is the randomisation
//     test, and exact;
//   - the t test where there are at least 30 queries and 25·skewness² of them, so that the mean is normal enough;
//   - the randomisation test otherwise.
//
// Wilcoxon's test is never chosen: it does not test the mean that is reported. The warnings name the worst list only, one for
// each doubt: values that are not finite, no or few differences other than zero, many zeros, skew, one query that outweighs the
// others, many differences of equal size, few queries.
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
		if nonzero > 0 && float64(distinct)*float64(worst.of) < float64(worst.sizes)*float64(nonzero) {
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
	of := ""
	if len(differences) > 1 {
		of = " of the " + strconv.Itoa(len(differences)) + " pairs"
	}
	var c Choice
	need := float64(skewFactor * float64(worst.skew*worst.skew))
	switch {
	case n < 2 || !finiteAll && worst.nonZero < 0:
		c.Test, c.Why = "randomisation", count(n, "query")+": nothing can be tested."
		if n >= 2 {
			c.Why = "No score can be compared: nothing can be tested."
		}
	case size == 0:
		c.Test, c.Why = "randomisation", "All "+count(n, "difference")+" are zero: there is nothing to test."
	case oneSize:
		c.Test, c.Why = "sign", "Exact sign test: every difference is zero or of one size, so only the signs matter (McNemar's test)."
	case n < fewQueries:
		c.Test, c.Why = "randomisation", "Paired randomisation test: with "+count(n, "query")+" the mean of the differences need not be normal, and this test does not assume it."
	case float64(n) < need:
		c.Test, c.Why = "randomisation", fmt.Sprintf("Paired randomisation test: the differences are skewed (%s), so that for %s their mean need not be normal, and this test does not assume it.", decimal(worst.skew, 1), count(n, "query"))
	default:
		c.Test, c.Why = "t", fmt.Sprintf("Paired t test: %s are enough for the mean of differences with this skewness (%s at most) to be about normal.", count(n, "query"), decimal(worst.skew, 1))
	}

	warn := func(s string) { c.Warnings = append(c.Warnings, s) }
	if !finiteAll {
		warn("Some scores are not finite numbers; what they are part of has no result.")
	}
	if n >= 2 && worst.nonZero >= 0 {
		switch {
		case worst.nonZero == 0 && size > 0:
			warn("One" + of + " never differs.")
		case worst.nonZero > 0 && worst.nonZero < 6:
			p := math.Ldexp(2, -worst.nonZero)
			warn(fmt.Sprintf("Only %s: even if they all favoured one system, the two-sided p would be %s.", subject(worst.nonZero, of), decimal(min(p, 1), 3)))
		case worst.nonZero > 0 && c.Test != "t" && len(differences) > 1 && math.Ldexp(2, -worst.nonZero)*float64(len(differences)) >= 0.05:
			p := math.Ldexp(2, -worst.nonZero)
			warn(fmt.Sprintf("Only %s: even if they all favoured one system, the two-sided p would be %s, and %s after Holm's or Bonferroni's correction for as many tests.",
				subject(worst.nonZero, of), decimal(p, 3), decimal(min(1, p*float64(len(differences))), 3)))
		case worst.nonZero > 0 && float64(worst.zeros) >= float64(zeroShare*float64(n)):
			warn(fmt.Sprintf("%d of %s do not differ%s; the result rests on %d.", worst.zeros, count(n, "query"), in(of), worst.nonZero))
		}
		if float64(n) < need && n >= fewQueries && c.Test != "sign" {
			warn(fmt.Sprintf("The differences are skewed (%s): few queries decide the mean.", decimal(worst.skew, 1)))
		}
		if worst.one >= oneShare && n >= 10 && c.Test != "sign" {
			warn(fmt.Sprintf("One query makes up %s%% of all differences%s.", decimal(float64(100*worst.one), 0), in(of)))
		}
		if float64(worst.sizes) <= float64(tieShare*float64(worst.of)) && worst.of >= 10 && c.Test != "sign" {
			approximate := ""
			if n > maxExactTied {
				approximate = ", and Wilcoxon's p is approximate"
			}
			warn(fmt.Sprintf("The %d non-zero differences%s have only %s: ranks are tied%s.", worst.of, in(of), count(worst.sizes, "size"), approximate))
		}
		if n < 10 && size > 0 {
			warn(fmt.Sprintf("With %s only an effect of %s standard deviations would be found in 4 of 5 experiments.", count(n, "query"), decimal(DetectableEffect(float64(n), 0.05, 0.8, TwoSided), 1)))
		}
	}
	return c
}

func subject(n int, of string) string {
	if n == 1 {
		return "1 query differs" + in(of)
	}
	return strconv.Itoa(n) + " queries differ" + in(of)
}

// in turns " of the 10 pairs" into " in one of the 10 pairs".
func in(of string) string {
	if of == "" {
		return ""
	}
	return " in one" + of
}

func count(n int, what string) string {
	if n != 1 {
		if what == "query" {
			what = "queries"
		} else {
			what += "s"
		}
	}
	return strconv.Itoa(n) + " " + what
}

func decimal(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }
