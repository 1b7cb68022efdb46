//go:build !first

package measure

import "strconv"

// langchain-ai/langsmith-sdk has no retrieval measure: its users write evaluators. This is the common one, run by
// the package's evaluate.
var conventionLangSmith = Convention{
	Name: "LangSmith", Version: "langsmith 0.15.1", plan: planLangSmith, repeats: true,
	Doc: "The evaluators that its users write over sets of ids, for LangSmith has none of its own: recall@k, hit@k " +
		"and the reciprocal rank of the first relevant document. Ids have no grades, a repeated one counts once, " +
		"and an example without relevant ids gets no score.",
}

func planLangSmith(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing, counts: hasRelevant,
		why: "LangSmith leaves an example without a score out of the mean, as evaluators make it if no document " +
			"is relevant"}
	switch m.info {
	case &infoR, &infoSetR:
		r.as, r.formula = "recall", byIDs(idsRecall)
	case &infoRR:
		r.as = "mrr"
	case &infoSuccess:
		r.as = "hit"
	default:
		return r, false
	}
	if m.cut > 0 {
		r.as += "@" + strconv.Itoa(m.cut)
	}
	return r, m.isBinary()
}
