//go:build !first

package measure

var conventionTrecEval9 = Convention{
	Name: "trec_eval 9", Version: "9.0.4", plan: planTrecEval9, grades: gradesCut,
	Doc: "The most common version: scores in single precision, the old rounding of recall points, and with -c 0 for " +
		"a judged query that the run lacks.",
}

func planTrecEval9(m Measure) (recipe, bool) {
	if g := m.info.Group; g == Grouped || g == Preferring {
		r, ok := planTrecEval(m)
		r.float32, r.missing = true, missingNothing
		return r, ok
	}
	r, ok := planPytrecEval(m)
	if r.missing = missingNothing; m.info == &infoNumRel || m.info == &infoNumQ {
		r.missing = missingScored // it computes these without a list
	}
	return r, ok
}
