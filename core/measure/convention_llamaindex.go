//go:build !first

package measure

import "strconv"

// run-llama/llama_index, llama-index-core/llama_index/core/evaluate/evaluation/retrieval/metrics.py.
var conventionLlamaIndex = Convention{
	Name: "LlamaIndex", Version: "llama-index-core 0.14.25", plan: planLlamaIndex, repeats: true,
	Doc: "Expected ids without grades against retrieved ids, however many the retriever returned " +
		"(similarity_top_k): precision divides by those, the ideal ranking has all expected documents, and " +
		"queries without any are refused. A document that is retrieved twice counts twice in nDCG, which then " +
		"exceeds 1 (1.63 in run-llama/llama_index #22683).",
}

func planLlamaIndex(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingSkipped, counts: hasBoth}
	switch m.info {
	case &infoNDCG:
		r.as, r.formula = "ndcg", byIDs(func(x *idList) float64 { return ratio(x.dcg(true), bestDCG(x.relevant)) })
		r.why = "LlamaIndex takes every relevant document as grade 1 and does not cut the ideal ranking at the cutoff"
	case &infoAP:
		r.as, r.formula = "ap", byIDs(func(x *idList) float64 { return ratio(x.precisions(true), float64(x.relevant)) })
	case &infoRR:
		r.as = "mrr"
	case &infoSuccess:
		r.as = "hit_rate"
	case &infoP, &infoSetP:
		r.as, r.formula = "precision", byIDs(idsPrecision)
		r.why = "LlamaIndex divides by the documents retrieved, not by the cutoff"
	case &infoR, &infoSetR:
		r.as, r.formula = "recall", byIDs(idsRecall)
	default:
		return r, false
	}
	if r.why == "" {
		r.why = "LlamaIndex refuses queries without relevant or without retrieved documents"
	}
	if m.cut > 0 {
		r.as += " (similarity_top_k=" + strconv.Itoa(m.cut) + ")"
	}
	return r, m.isBinary()
}
