//go:build !first

package measure

import (
	"slices"
	"strconv"
)

// deepset-ai/haystack, haystack/components/evaluators/document_*.py.
var conventionHaystack = Convention{
	Name: "Haystack", Version: "haystack-ai 3.4.1", plan: planHaystack, repeats: true,
	Doc: "Ground truth documents against the documents that a pipeline returned (top_k). nDCG has the linear " +
		"gain of the ground truth's scores and an ideal ranking of all of them, whatever the cutoff. A " +
		"document that is returned twice counts once.",
}

var conventionHaystack2 = Convention{
	Name: "Haystack 2", Version: "haystack-ai 2.22.0", plan: planHaystack2, repeats: true,
	Doc: "As Haystack, with two faults that were corrected later: MAP divides by the relevant documents found, " +
		"not by all, and a document that is returned twice counts twice, so that nDCG reaches 1.63 " +
		"(deepset-ai/haystack #11959).",
}

func planHaystack(m Measure) (recipe, bool) { return haystack(m, "Haystack", false) }

func planHaystack2(m Measure) (recipe, bool) {
	r, ok := haystack(m, "Haystack 2", true)
	if m.info == &infoAP {
		r.formula = byIDs(func(x *idList) float64 { return ratio(x.precisions(true), float64(x.found(true))) })
		r.why = "Haystack 2 divides by the relevant documents found, not by all relevant ones"
	}
	return r, ok
}

// haystack plans both versions. In the earlier one every repetition of a document counts.
func haystack(m Measure, tool string, repeated bool) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing}
	switch m.info {
	case &infoNDCG:
		r.as, r.formula = "DocumentNDCGEvaluator", haystackNDCG(repeated)
		r.why = tool + " does not cut the ideal ranking at the cutoff"
	case &infoAP:
		r.as = "DocumentMAPEvaluator"
		r.formula = byIDs(func(x *idList) float64 { return ratio(x.precisions(repeated), float64(x.relevant)) })
	case &infoRR:
		r.as = "DocumentMRREvaluator"
	case &infoSuccess:
		r.as = "DocumentRecallEvaluator (single_hit)"
	case &infoR, &infoSetR:
		r.as, r.formula = "DocumentRecallEvaluator (multi_hit)", byIDs(idsRecall)
	default:
		return r, false
	}
	if m.cut > 0 {
		r.as += " (top_k=" + strconv.Itoa(m.cut) + ")"
	}
	return r, m.isBinary()
}

// haystackNDCG uses grades as gains, over an ideal ranking of all relevant documents.
func haystackNDCG(repeated bool) func(m Measure, l *List, order []int, _ *Topic) float64 {
	return func(m Measure, l *List, order []int, _ *Topic) float64 {
		x := l.ids(m, order)
		dcg, ideal := 0.0, 0.0
		for r := range x.rel {
			if repeated || !x.seenBefore[r] {
				dcg += positive(l.Grades[order[r]]) / log2Rank(int32(r+1))
			}
		}
		gains := slices.Clone(l.Judged)
		slices.Sort(gains)
		slices.Reverse(gains)
		for r, g := range gains {
			ideal += positive(g) / log2Rank(int32(r+1))
		}
		return ratio(dcg, ideal)
	}
}
