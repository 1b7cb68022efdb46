//go:build !first

package measure

import "strconv"

var conventionBEIR = Convention{
	Name: "BEIR", Version: "2.2.0", plan: planBEIR, grades: gradesRefused,
	Doc: "pytrec_eval after dropping every retrieved document whose id is that of the query; MRR, capped recall and " +
		"accuracy of its own, with ties as in the file. Means are rounded to five decimals.",
}

func planBEIR(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: DocIDDesc, float32: true, identity: true, missing: missingSkipped}
	if m.cut == 0 || m.judged || m.info.param("rel") != nil && m.rel != 1 {
		return r, false
	}
	at := "@" + strconv.Itoa(m.cut)
	switch m.info {
	case &infoNDCG:
		r.as = "NDCG" + at
		return r, !m.exponential && m.table == nil
	case &infoAP:
		r.as = "MAP" + at
		return r, true
	case &infoR:
		r.as = "Recall" + at
		return r, true
	case &infoP:
		r.as = "P" + at
		return r, true
	}
	r.ties, r.float32, r.identity, r.missing = Stable, false, true, missingNothing
	switch m.info {
	case &infoRR:
		r.as = "MRR" + at
	case &infoRelativeP:
		r.as = "R_cap" + at
	case &infoSuccess:
		r.as = "Accuracy" + at
	default:
		return r, false
	}
	return r, true
}
