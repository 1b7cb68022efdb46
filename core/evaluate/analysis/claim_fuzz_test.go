package analysis

import (
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"
)

var printed = regexp.MustCompile(`^[+-]?(?:\d+\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d{1,2}))?%?$`)

// FuzzReadClaim holds the figure of a claim against one that is reckoned in fractions: the first word that is a decimal
// number, in percent where it says so or the measure cannot be above 1 and the number is 5 or more, and half of its
// last digit.
func FuzzReadClaim(f *testing.F) {
	for _, s := range []string{"BM25 nDCG@10 0.665 on SciFact", "AP=41.57%", "RR: 6.65e-01", "P@10 5E1%",
		"nDCG 0x1p-2 .5", "AP 1_0 inf NaN 0e999 3.", "Judged@10 -0.5", "AP 1e400"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ReadClaim(text)
		if err != nil || len(text) > 300 {
			return
		}
		var word string
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" =:,;\t\n", r) }) {
			if printed.MatchString(w) {
				word = w
				break
			}
		}
		if word == "" {
			t.Fatalf("%q: %v, and no word is a number", text, got.Value)
		}
		parts := printed.FindStringSubmatch(word)
		bare := strings.TrimSuffix(word, "%")
		want, ok := new(big.Rat).SetString(bare)
		if !ok {
			t.Fatalf("%q is no fraction", bare)
		}
		exponent := parts[3]
		if exponent == "" {
			exponent = "0"
		}
		half, _ := new(big.Rat).SetString("5e" + exponent)
		for range len(parts[1]) + len(parts[2]) + 1 {
			half.Quo(half, big.NewRat(10, 1))
		}
		hundred := big.NewRat(100, 1)
		if bare != word {
			want.Quo(want, hundred)
			half.Quo(half, hundred)
		}
		value, _ := want.Float64()
		if bare == word && value >= mostAbove && got.Measure.Info().High <= 1 && value <= 100 {
			want.Quo(want, hundred)
			half.Quo(half, hundred)
		}
		for name, pair := range map[string][2]float64{"figure": {got.Value, f64(want)},
			"half of its last digit": {got.Half, f64(half)}} {
			if d := pair[0] - pair[1]; math.Abs(d) > 1e-12*math.Abs(pair[1]) {
				t.Fatalf("%q: the %s is %v, want %v", text, name, pair[0], pair[1])
			}
		}
	})
}

func f64(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
