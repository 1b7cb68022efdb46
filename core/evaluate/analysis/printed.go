package analysis

import (
	"errors"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Printed are figures as somebody printed them, without files: a mean between 0 and 1 over N queries, and perhaps that
// of a baseline over the same queries.
type Printed struct {
	N           int
	Mean, Base  float64 // Base is NaN without a baseline
	Half, BHalf float64 // half of the last digit that was printed
}

// ReadPrinted reads "N MEAN BASELINE" in this order, with or without names ("n=200 mean=0.713 baseline=0.694"), or
// without a baseline. Means may be percentages.
func ReadPrinted(text string) (p Printed, err error) {
	p.Base = math.NaN()
	names := []string{"n", "mean", "baseline"}
	at := 0
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\t' }) {
		name, value, named := strings.Cut(strings.ToLower(w), "=")
		if !named {
			if name, value = "", w; at < len(names) {
				name = names[at]
			}
		}
		switch at++; name {
		case "n", "queries":
			if p.N, err = strconv.Atoi(value); err != nil || p.N < 1 || p.N > 1e6 {
				return p, errors.New(strconv.Quote(say.Brief(value, 40)) + " is not a number of queries")
			}
		case "mean":
			p.Mean, p.Half, err = printedShare(value)
		case "baseline", "base":
			p.Base, p.BHalf, err = printedShare(value)
		default:
			return p, errors.New("write the number of queries, the mean and the baseline's mean, as in 200 0.713 0.694")
		}
		if err != nil {
			return p, err
		}
	}
	if p.N == 0 || p.Half == 0 {
		return p, errors.New("write the number of queries and the mean, as in 200 0.713, or with a baseline's mean behind")
	}
	return p, nil
}

// printedShare reads a mean between 0 and 1, or a percentage, and half of its last digit.
func printedShare(text string) (v, half float64, err error) {
	digits, percent := strings.CutSuffix(text, "%")
	if v, err = strconv.ParseFloat(digits, 64); err != nil || strings.ContainsAny(digits, "eExX") {
		return 0, 0, errors.New(strconv.Quote(say.Brief(text, 40)) + " is not a mean")
	}
	_, decimals, _ := strings.Cut(digits, ".")
	half = 0.5
	for range decimals {
		half /= 10
	}
	if percent {
		v, half = v/100, half/100
	}
	if !(v >= 0 && v <= 1) {
		return 0, 0, errors.New(text + " is not between 0 and 1: write a percentage with %")
	}
	return v, half, nil
}

// counts are the whole numbers of queries out of n whose share rounds to a printed value, from least to most; none if
// least is above most.
func counts(v, half float64, n int) (least, most int) {
	const slack = 1e-9
	least = int(math.Ceil(float64((v-half)*float64(n)) - slack))
	most = int(math.Floor(float64((v+half)*float64(n)) + slack))
	return max(least, 0), min(most, n)
}

// Possible reports whether n values of a measure that is 0 or 1 can have the printed means: whether whole numbers of
// queries give them.
//
// Source: Brown and Heathers 2017, The GRIM test, Social Psychological and Personality Science 8.
func (p Printed) Possible(n int) bool {
	low, high := counts(p.Mean, p.Half, n)
	if low > high {
		return false
	}
	if p.Base == p.Base {
		low, high = counts(p.Base, p.BHalf, n)
	}
	return low <= high
}

// Lines say what the figures can and cannot show.
func (p Printed) Lines(style say.Style) []string {
	return append(append([]string{p.rounding(style)}, p.interval(style)), p.difference(style)...)
}

// rounding says which numbers of queries the printed digits exclude.
func (p Printed) rounding(style say.Style) string {
	most := max(p.N, 100)
	const listed = 2000
	var excluded, possible []string
	for n := 1; n <= min(most, listed); n++ {
		if p.Possible(n) {
			possible = append(possible, style.Int(n))
		} else {
			excluded = append(excluded, style.Int(n))
		}
	}
	s := "If a query counts 0 or 1 (success, hit rate), "
	if p.Possible(p.N) {
		s += "the digits fit " + say.Count(p.N, "query", "queries") + "."
	} else {
		s += "the digits exclude " + say.Count(p.N, "query", "queries") + ": no whole number of them gives the mean."
	}
	up := " up to " + say.Thousands(min(most, listed))
	switch {
	case len(excluded) == 0:
		s += " They exclude no number of queries" + up + "."
	case len(excluded) <= len(possible):
		s += " Excluded" + up + ": " + say.Few(excluded, 30) + "."
	case len(possible) == 0:
		s += " They exclude every number of queries" + up + "."
	default:
		s += " Possible" + up + ": " + say.Few(possible, 30) + "; all others are excluded."
	}
	return s + " Graded measures (nDCG) exclude none."
}

// interval says how far the mean of all queries may be from the printed one.
func (p Printed) interval(style say.Style) string {
	k := int(math.Round(float64(p.Mean * float64(p.N))))
	low, high := significance.ShareInterval(k, p.N, 0.95)
	return "The mean of further queries like these lies between " + style.Number(low, 3) + " and " + style.Number(high, 3) +
		" (95 % interval, exact for 0 or 1; a graded measure varies less, so its interval is usually narrower)."
}

// difference says what the difference to the baseline can and cannot show.
func (p Printed) difference(style say.Style) []string {
	if p.Base != p.Base {
		return nil
	}
	d, slack := math.Abs(p.Mean-p.Base), p.Half+p.BHalf
	if d-slack <= 1e-12 {
		return []string{"The difference to the baseline is " + style.Number(d, 4) + ", which rounding alone can make: the means " +
			"may be equal, or the other way round."}
	}
	const alpha = 0.05
	n := float64(p.N)
	out := []string{}
	// of 0 or 1: lost - won queries are the difference, and only those that differ count
	few := max(1, int(math.Round(float64(d*n))))
	best := signP(few, 0)
	most := int(math.Floor(min(n, float64(n*(p.Mean+p.Base)), float64(n*(2-p.Mean-p.Base))) + 1e-9))
	most -= (most - few) % 2 // wins and losses are whole
	if most < few {
		most = few
	}
	// the most queries that may differ so that the difference is shown: p grows with them
	steps := sort.Search((most-few)/2+1, func(i int) bool { return signP(few+i, i) >= alpha })
	shown := few + 2*(steps-1)
	s := "If a query counts 0 or 1, the difference is " + say.Count(few, "query", "queries") + " net. "
	switch {
	case steps == 0:
		s += "It cannot be shown at 5 %: even if every query that differs favoured one side, p would be " +
			style.Number(best, 3) + " (exact sign test)."
	case shown >= most:
		s += "It is shown at 5 % however the queries are spread: at most " + strconv.Itoa(most) + " can differ (exact sign test)."
	default:
		s += "It is shown at 5 % only if at most " + say.Count(shown, "query differs", "queries differ") + "; up to " +
			strconv.Itoa(most) + " may (exact sign test)."
	}
	out = append(out, s)
	if p.N < 6 {
		return append(out, "For a graded measure nothing can be shown either: with "+say.Count(p.N, "query", "queries")+
			" no randomisation test reaches 5 %.")
	}
	t := significance.StudentQuantile(1-alpha/2, n-1)
	spread := float64(d*math.Sqrt(n)) / t
	s = "For a graded measure it is shown at 5 % only if the differences of the queries have a standard deviation below " +
		style.Number(spread, 3) + " (paired t test). "
	if spread >= 1 {
		s += "They always do."
	} else {
		s += "The means alone do not tell that: ask for the values of the queries."
	}
	return append(out, s)
}

// signP is the exact two-sided sign test of so many wins and losses.
func signP(wins, losses int) float64 {
	d := make([]float64, wins+losses)
	for i := range d {
		d[i] = 1
		if i >= wins {
			d[i] = -1
		}
	}
	r, err := significance.Sign(d, significance.Options{})
	if err != nil {
		return math.NaN()
	}
	return r.P
}
