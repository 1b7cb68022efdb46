//go:build !first

package measure

var infoNERR11 = Info{
	Name:   "NERR11",
	Title:  "nearly expected reciprocal rank, equation 11",
	Brief:  "Like NERR8, but the reader continues as in INSQ, and there is no cutoff.",
	Group:  User,
	Params: []Param{paramT, paramMinRel, paramTopGrade},
	Formula: "NERR11 = sum W(i) gain(i) / sum W(i) over 1,000 ranks; W(1) = 1, W(i+1) = W(i) ((i + 2T - 1) / (i + " +
		"2T))^2 (1 - gain(i))",
	High: 1,
	Reference: "L. Azzopardi, J. Mackenzie and A. Moffat, ERR is not C/W/L: exploring the relationship between " +
		"expected reciprocal rank and other metrics, ICTIR 2021, equation 11",
	Example: Example{
		Measure: "NERR11(max_rel=1)", Ranked: []float64{0, 1}, Value: (4.0 / 9) / (13.0 / 9),
		Working: "weights 1 and (2/3)^2, then 0: (4/9) / (13/9)",
	},
	Notes:  []string{"ir_measures requires max_rel; here it defaults to the highest grade of the collection."},
	check:  checkScale,
	better: betterScaled,
	open:   openWeights,
	least:  always,
	score:  func(m Measure, t *Topic) float64 { return m.expectedGain(t, "T", goOnNERR11, nil) },
	unfold: func(u *unfolder) { u.expectedGain("T", goOnNERR11) },
}

func goOnNERR11(x float64, k, rank int, gain, total float64) float64 {
	return insq(float64(rank)+2*x) * (1 - gain)
}
