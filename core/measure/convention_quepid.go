//go:build !first

package measure

import "strconv"

// o19s/quepid, db/scorers, at v8.6.0.
var conventionQuepid = Convention{
	Name: "Quepid", Version: "8.6.0", plan: planQuepid, repeats: true,
	Doc: "Its scorers, whose depth is a line of their code. NDCG has the gain 2^rating − 1 over an ideal " +
		"ranking of every rated document, which is not cut at the depth; NDCG_CUT is. P divides by the " +
		"documents that came back where those are fewer. AP has no value without a relevant document.",
}

func planQuepid(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing}
	at := "@" + strconv.Itoa(m.cut)
	switch m.info {
	case &infoNDCG:
		if m.Float("dcg") != 0 {
			r.as = "NDCG_CUT" + at
			break
		}
		r.as = "NDCG" + at
		r.formula = func(m Measure, l *List, order []int, _ *Topic) float64 {
			return ratio(gainedDCG(l, order, min(len(order), m.cut)), idealDCG(l, -1))
		}
		r.why = "Quepid has the gain 2^rating − 1 over an ideal ranking of every rated document, not cut at the depth"
	case &infoP:
		r.as = "P" + at
		r.formula = byIDs(func(x *idList) float64 { return ratio(float64(x.found(true)), float64(len(x.rel))) })
		r.why = "Quepid divides by the documents that came back where those are fewer"
	case &infoAP:
		r.as, r.counts = "AP"+at, hasRelevant
		r.why = "Quepid has no value for queries without a relevant document"
	case &infoRR:
		r.as = "RR" + at
	default:
		return r, false
	}
	return r, m.cut > 0 && (m.info != &infoNDCG || !m.judged && m.table == nil) && (m.info == &infoNDCG || m.isBinary())
}
