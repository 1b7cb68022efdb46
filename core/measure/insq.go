//go:build !first

package measure

var infoINSQ = Info{
	Name:  "INSQ",
	Title: "INSQ, a static user model",
	Brief: "The gain per document of a reader who wants gain T. The deeper the reader is, the likelier " +
		"they continue.",
	Group:  User,
	Params: []Param{paramT, paramMinRel, paramTopGrade},
	Formula: "INSQ = sum W(i) gain(i) / sum W(i) over 1,000 ranks; W(1) = 1, W(i+1) = W(i) ((i + 2T - 1) / " +
		"(i + 2T))^2",
	High:      1,
	Reference: "A. Moffat, F. Scholer and P. Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012",
	Example: Example{
		Measure: "INSQ(T=0.5,max_rel=1)", Ranked: []float64{1}, Value: 1 / 1.6439345666815615,
		Working: "W(i) = 1 / i^2; the weights of 1,000 ranks add up to 1.6439",
	},
	Notes: []string{
		"ir_measures requires max_rel; here it defaults to the highest grade of the collection.",
		"The sum over all ranks converges slowly; cwl_eval and Rankbox stop after 1,000.",
	},
	check:  checkScale,
	better: betterScaled,
	open:   openWeights,
	least:  always,
	score:  func(m Measure, t *Topic) float64 { return m.expectedGain(t, "T", goOnINSQ, nil) },
	unfold: func(u *unfolder) { u.expectedGain("T", goOnINSQ) },
}

func goOnINSQ(x float64, k, rank int, gain, total float64) float64 {
	return insq(float64(rank) + 2*x)
}
