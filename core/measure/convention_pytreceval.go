//go:build !first

package measure

var conventionPytrecEval = Convention{
	Name: "pytrec_eval", Version: "pytrec_eval-terrier 0.5.11", plan: planPytrecEval, grades: gradesRefused,
	Doc: "trec_eval 9 inside: scores in single precision, the old rounding of recall points, and queries that the " +
		"run lacks are omitted.",
}

func planPytrecEval(m Measure) (recipe, bool) {
	plain := m
	if m.info == &infoIPrec || m.info == &infoIPrecAvg {
		plain.setFloat("version", 10)
	}
	name, ok := trecName(plain)
	switch m.info {
	case &infoRBP, &infoRBPResid, &infoUnj, &infoDCG, &infoIDCG: // newer than the embedded trec_eval
		ok = false
	}
	if m.info.Group == Grouped || m.info.Group == Preferring {
		ok = false // it receives grades alone
	}
	r := recipe{as: name, measure: plain, ties: DocIDDesc, float32: true, missing: missingSkipped}
	if m.info == &infoIPrec || m.info == &infoIPrecAvg {
		r.measure.setFloat("version", 9)
		r.why = "trec_eval 9 asks for floor(x R + 0.9) relevant documents where version 10 rounds x R to the nearest"
	}
	return r, ok
}
