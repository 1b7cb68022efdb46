//go:build !first

package measure

var infoNERR8 = Info{
	Name:  "NERR8",
	Title: "nearly expected reciprocal rank, equation 8",
	Brief: "The gain per document of a reader who stops at a document with the probability of its gain, " +
		"and at rank k.",
	Group:   User,
	Params:  []Param{paramMinRel, paramTopGrade, cutoffRequired},
	Formula: "NERR8@k = sum W(i) gain(i) / sum W(i) over ranks i <= k; W(1) = 1, W(i+1) = W(i) (1 - gain(i))",
	High:    1,
	Reference: "L. Azzopardi, J. Mackenzie and A. Moffat, ERR is not C/W/L: exploring the relationship between " +
		"expected reciprocal rank and other metrics, ICTIR 2021, equation 8",
	Example: Example{
		Measure: "NERR8(max_rel=2)@2", Ranked: []float64{1, 2}, Value: (0.5 + 0.5) / 1.5,
		Working: "weights 1 and 1/2, gains 1/2 and 1: (1/2 + 1/2) / (3/2)",
	},
	Notes:  []string{"ir_measures requires max_rel; here it defaults to the highest grade of the collection."},
	check:  checkScale,
	better: betterScaled,
	open:   openWeights,
	least:  always,
	score:  func(m Measure, t *Topic) float64 { return m.expectedGain(t, "", goOnNERR8, nil) },
	unfold: func(u *unfolder) { u.expectedGain("", goOnNERR8) },
}

func goOnNERR8(x float64, k, rank int, gain, total float64) float64 {
	if rank >= k {
		return 0
	}
	return 1 - gain
}
