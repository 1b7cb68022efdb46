package measure

var infoINST = Info{
	Name:      "INST",
	Title:     "INST, an adaptive user model",
	Brief:     "The gain per document of a reader who hopes for the gain T and grows less patient as it is found.",
	Group:     User,
	Params:    []Param{paramT, paramMinRel, paramTopGrade},
	Formula:   "INST = sum W(i) gain(i) / sum W(i) over 1,000 ranks; W(1) = 1, W(i+1) = W(i) C(i), C(i) = ((i + 2T - S(i) - 1) / (i + 2T - S(i)))^2, S(i) the gain up to rank i",
	High:      1,
	Reference: "A. Moffat, P. Bailey, F. Scholer and P. Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS 2015",
	Example: Example{
		Measure: "INST(max_rel=1)", Ranked: []int32{1}, Value: 1 / 1.6439345666815615,
		Working: "all gain is at rank 1, with weight 1; C(i) = (i / (i + 1))^2 makes W(i) = 1 / i^2, and the weights of 1,000 ranks add up to 1.6439",
	},
	Notes: []string{
		"ir_measures requires max_rel; here it defaults to the highest grade of the collection.",
		"The sum over all ranks converges slowly; cwl_eval stops after 1,000 and so does this.",
	},
	check:  checkScale,
	better: betterScaled,
	spread: spreadINST,
	open:   openReader,
	score:  func(m Measure, t *Topic) float64 { return m.expectedGain(t, goOnINST, nil) },
	unfold: func(u *unfolder) { u.expectedGain(goOnINST) },
}

func goOnINST(x float64, k, rank int, gain, total float64) float64 {
	return insq(float64(rank) + 2*x - total)
}
