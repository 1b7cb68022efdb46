//go:build !first

package significance

import "slices"

// first says whether this is the program that answers the first search: it makes one report, the default one.
const first = false

func init() {
	tests = slices.Insert(tests, 2, PairedTest{
		Name:       "wilcoxon",
		Title:      "Wilcoxon signed-rank test",
		Hypothesis: "The differences are symmetric about zero.",
		Assumes: "Differences are symmetric and can be ranked by size. Zeros are dropped, ranked and dropped " +
			"(Pratt), or split.",
		Formula: "W = min(W+, W-), one-sided W+; W+ and W- = sums of the ranks of |d| over positive and negative " +
			"d, |d| within 1e-10 of the largest tied; exact, or normal with mean n(n+1)/4 and variance " +
			"n(n+1)(2n+1)/24 less zeros and Σ(t³-t)/48 for ties",
		Use: "Use it to compare with papers that used it. It does not test means: on skewed differences it can " +
			"contradict them.",
		Reference: "Wilcoxon 1945, Biometrics Bulletin 1; Pratt 1959, JASA 54; Cureton 1967, JASA 62",
		Run:       Wilcoxon,
	})
}
