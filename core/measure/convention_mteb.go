//go:build !first

package measure

import "strconv"

var conventionMTEB = Convention{
	Name: "MTEB", Version: "2.26.24", plan: planMTEB, grades: gradesRefused,
	Doc: "pytrec_eval over the queries of the run; MRR@k of its own with the same ties in double precision. Means " +
		"are rounded to five decimals.",
}

func planMTEB(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: DocIDDesc, float32: true, missing: missingSkipped}
	if m.cut == 0 || m.judged || m.info.param("rel") != nil && m.rel != 1 {
		return r, false
	}
	at := "_at_" + strconv.Itoa(m.cut)
	switch m.info {
	case &infoNDCG:
		r.as = "ndcg" + at
		return r, !m.exponential && m.table == nil
	case &infoAP:
		r.as = "map" + at
	case &infoR:
		r.as = "recall" + at
	case &infoP:
		r.as = "precision" + at
	case &infoSuccess:
		r.as = "hit_rate" + at
	case &infoRR:
		r.as = "mrr" + at
		r.float32 = false
	default:
		return r, false
	}
	return r, true
}
