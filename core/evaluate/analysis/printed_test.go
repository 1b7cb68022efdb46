package analysis

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
)

// Printed figures say what they can show. By hand: 0.713 × 200 = 142.6, and 142/200 and 143/200 print 0.710 and 0.715, so
// 200 is excluded; 77/108 = .71296 and 75/108 = .69444 print .713 and .694. 4 net queries give p = 2/2⁴ = .125 at best.
// With 0.9 and 0.6 of 1,000 at most 500 can differ, 400 to 100: p far below .05. Of 20, 0.9 and 0.6 are 6 net; 6 to 0
// gives 2/2⁶ = .031, 7 to 1 gives 2 × 9/2⁸ = .070. Clopper and Pearson of 10 of 10: [.692, 1] (scipy 1.17 binomtest).
func TestANumberWithoutFiles(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"200 0.713 0.694", []string{"exclude 200 queries", "Possible up to 200: 108, 157, 160;", "p would be 0.125"}},
		{"n=108 mean=0.713 baseline=0.694", []string{"the digits fit 108 queries"}},
		{"1000 90% 60%", []string{"shown at 5 % however the queries are spread: at most 500 can differ"}},
		{"20, 0.90, 0.60", []string{"only if at most 6 queries differ; up to 10 may"}},
		{"10 1.0", []string{"lies between 0.692 and 1.000"}},
		{"5 1.0 0.4", []string{"p would be 0.250", "with 5 queries no randomisation test reaches 5 %"}},
		{"50 0.71 0.70", []string{"which rounding alone can make"}},
		{"50 0.7133", []string{"They exclude every number of queries up to 100"}},
	} {
		p, err := ReadPrinted(c.text)
		if err != nil {
			t.Fatal(c.text, err)
		}
		got := strings.Join(p.Lines(say.Plain), "\n")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.text, want, got)
			}
		}
	}
	for _, bad := range []string{"", "0.7", "200", "x 0.7", "200 7", "200 0.7 0.6 0.5", "-3 0.7", "200 1e-1", "200 NaN"} {
		if p, err := ReadPrinted(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, p)
		}
	}
}

// Whatever figures a measure of 0 or 1 prints, its own number of queries is never excluded.
func TestRoundingNeverExcludesTheTruth(t *testing.T) {
	for n := 1; n <= 300; n++ {
		for k := 0; k <= n; k++ {
			v := float64(k) / float64(n)
			for _, decimals := range []int{1, 2, 3, 4} {
				p, err := ReadPrinted(say.Exact(float64(n)) + " " + say.Plain.Number(v, decimals))
				if err != nil || !p.Possible(n) {
					t.Fatalf("%d of %d printed with %d decimals is excluded: %v", k, n, decimals, err)
				}
			}
		}
	}
}
