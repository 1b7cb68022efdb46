//go:build !first

package measure

var paramPersistence = Param{Name: "p", Kind: KindFloat, Default: 0.9, Min: 0, Max: 1,
	Doc: "persistence: the probability of continuing after a document without gain"}

var infoNERR10 = Info{
	Name:    "NERR10",
	Title:   "nearly expected reciprocal rank, equation 10",
	Brief:   "Like NERR8, but the reader continues with probability p at most, and there is no cutoff.",
	Group:   User,
	Params:  []Param{paramPersistence, paramMinRel, paramTopGrade},
	Formula: "NERR10 = sum W(i) gain(i) / sum W(i) over 1,000 ranks; W(1) = 1, W(i+1) = W(i) p (1 - gain(i))",
	High:    1,
	Reference: "L. Azzopardi, J. Mackenzie and A. Moffat, ERR is not C/W/L: exploring the relationship between " +
		"expected reciprocal rank and other metrics, ICTIR 2021, equation 10",
	Example: Example{
		Measure: "NERR10(p=0.5,max_rel=1)", Ranked: []float64{0, 1}, Value: 0.5 / 1.5,
		Working: "weights 1 and 1/2, then 0: (1/2) / (3/2)",
	},
	Notes:  []string{"ir_measures requires max_rel; here it defaults to the highest grade of the collection."},
	check:  checkScale,
	better: betterScaled,
	open:   openWeights,
	least:  always,
	score:  func(m Measure, t *Topic) float64 { return m.expectedGain(t, "p", goOnNERR10, nil) },
	unfold: func(u *unfolder) { u.expectedGain("p", goOnNERR10) },
}

func goOnNERR10(x float64, k, rank int, gain, total float64) float64 {
	return x * (1 - gain)
}
