//go:build !first

package measure

var infoNERR9 = Info{
	Name:   "NERR9",
	Title:  "nearly expected reciprocal rank, equation 9",
	Brief:  "Like NERR8, but the reader also stops with a probability that falls with the rank.",
	Group:  User,
	Params: []Param{paramMinRel, paramTopGrade, cutoffRequired},
	Formula: "NERR9@k = sum W(i) gain(i) / sum W(i) over ranks i <= k; W(1) = 1, W(i+1) = W(i) (i / (i + 1)) " +
		"(1 - gain(i))",
	High: 1,
	Reference: "L. Azzopardi, J. Mackenzie and A. Moffat, ERR is not C/W/L: exploring the relationship between " +
		"expected reciprocal rank and other metrics, ICTIR 2021, equation 9",
	Example: Example{
		Measure: "NERR9(max_rel=2)@2", Ranked: []float64{1, 2}, Value: (0.5 + 0.25) / 1.25,
		Working: "weights 1 and 1/2 x 1/2, gains 1/2 and 1: (1/2 + 1/4) / (5/4)",
	},
	Notes:  []string{"ir_measures requires max_rel; here it defaults to the highest grade of the collection."},
	check:  checkScale,
	better: betterScaled,
	open:   openWeights,
	least:  always,
	score:  func(m Measure, t *Topic) float64 { return m.expectedGain(t, "", goOnNERR9, nil) },
	unfold: func(u *unfolder) { u.expectedGain("", goOnNERR9) },
}

func goOnNERR9(x float64, k, rank int, gain, total float64) float64 {
	if rank >= k {
		return 0
	}
	return float64(rank) / float64(rank+1) * (1 - gain)
}
