//go:build !first

package measure

import "strconv"

// Marker-Inc-Korea/AutoRAG, autorag/evaluation/metric/retrieval.py.
var conventionAutoRAG = Convention{
	Name: "AutoRAG", Version: "0.3.27", plan: planAutoRAG, repeats: true,
	Doc: "Every relevant document as a group of its own in retrieval_gt, so that all of them are wanted. MRR " +
		"and MAP are then both the mean of 1/rank over the relevant documents, precision divides by the " +
		"documents retrieved (top_k), and the ideal ranking is no longer than they are. Queries without a " +
		"relevant document have no value.",
}

func planAutoRAG(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing, counts: hasRelevant}
	ranks := byIDs(func(x *idList) float64 {
		sum := 0.0
		for i, rel := range x.rel {
			if rel && !x.seenBefore[i] {
				sum += 1 / float64(i+1)
			}
		}
		return ratio(sum, float64(x.relevant))
	})
	precision := func(x *idList) float64 { return ratio(float64(x.found(false)), float64(len(x.rel))) }
	switch m.info {
	case &infoNDCG:
		r.as, r.formula = "retrieval_ndcg", byIDs(idsNDCG)
		r.why = "AutoRAG takes every relevant document as grade 1 and cuts the ideal ranking at the number of " +
			"retrieved documents"
	case &infoRR:
		r.as, r.formula = "retrieval_mrr", ranks
		r.why = "AutoRAG takes the mean of 1/rank over all relevant documents, not that of the first one"
	case &infoAP:
		r.as, r.formula = "retrieval_map", autoRAGMAP
		r.why = "AutoRAG takes the mean over the groups of relevant documents, which of one document each is " +
			"the mean of 1/rank"
	case &infoP, &infoSetP:
		r.as, r.formula = "retrieval_precision", byIDs(precision)
		r.why = "AutoRAG divides by the documents retrieved, not by the cutoff"
	case &infoR, &infoSetR:
		r.as, r.formula = "retrieval_recall", byIDs(idsRecall)
	case &infoF, &infoSetF:
		r.as = "retrieval_f1"
		r.formula = byIDs(func(x *idList) float64 {
			p, rec := precision(x), idsRecall(x)
			return ratio(float64(2*float64(p*rec)), p+rec)
		})
		r.why = "AutoRAG divides by the documents retrieved, not by the cutoff"
	default:
		return r, false
	}
	if r.why == "" {
		r.why = "AutoRAG gives no value for queries without a relevant document"
	}
	if m.cut > 0 {
		r.as += " (top_k=" + strconv.Itoa(m.cut) + ")"
	}
	return r, m.isBinary()
}

// autoRAGMAP is the mean over the relevant documents of each one's own average precision: 1/rank if listed once,
// the mean of j/rank over its j-th listings if repeated.
func autoRAGMAP(m Measure, l *List, order []int, _ *Topic) float64 {
	x := l.ids(m, order)
	sum := 0.0
	for r, rel := range x.rel {
		if !rel || x.seenBefore[r] {
			continue
		}
		times, own := 0, 0.0
		for s := r; s < len(x.rel); s++ {
			if l.IDs[order[s]] == l.IDs[order[r]] {
				times++
				own += float64(times) / float64(s+1)
			}
		}
		sum += own / float64(times)
	}
	return ratio(sum, float64(x.relevant))
}
