//go:build !first

package measure

import "strconv"

// vibrantlabsai/ragas, src/ragas/metrics/_context_precision.py and _context_recall.py.
var conventionRagas = Convention{
	Name: "Ragas", Version: "0.4.3", plan: planRagas, repeats: true,
	Doc: "Its measures by id, which call no model: precision and recall of the set of retrieved ids, whatever " +
		"their order. Precision divides by the documents retrieved, not by a cutoff, and has no value " +
		"without any.",
}

func planRagas(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing, counts: hasRelevant}
	switch m.info {
	case &infoP, &infoSetP:
		r.as, r.formula = "id_based_context_precision", byIDs(idsPrecision)
		r.why = "Ragas divides by the documents retrieved, not by the cutoff, and gives no value without any"
		r.missing, r.counts = missingSkipped, func(_ Measure, t *Topic) bool { return len(t.Ranked) > 0 }
	case &infoR, &infoSetR:
		r.as, r.formula = "id_based_context_recall", byIDs(idsRecall)
		r.why = "Ragas gives no value for queries without a relevant document"
	default:
		return r, false
	}
	if m.cut > 0 {
		r.as += " (top " + strconv.Itoa(m.cut) + ")"
	}
	return r, m.isBinary()
}
