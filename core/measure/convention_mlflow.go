//go:build !first

package measure

import "strconv"

// mlflow/mlflow, mlflow/metrics/metric_definitions.py.
var conventionMLflow = Convention{
	Name: "MLflow", Version: "3.17.2", plan: planMLflow, repeats: true,
	Doc: "Ids of relevant documents without grades. Precision divides by the documents retrieved where those " +
		"are fewer than k, and the ideal ranking is no longer than they are. A document that is retrieved " +
		"twice is relevant twice, in the ideal ranking too.",
}

func planMLflow(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing}
	at := "_at_" + strconv.Itoa(m.cut)
	switch m.info {
	case &infoNDCG:
		r.as = "ndcg" + at
		r.formula = byIDs(func(x *idList) float64 {
			repeated := x.found(true) - x.found(false)
			return ratio(x.dcg(true), bestDCG(min(x.relevant+repeated, len(x.rel))))
		})
		r.why = "MLflow takes every relevant document as grade 1 and cuts the ideal ranking at the number of " +
			"retrieved documents"
	case &infoP:
		r.as = "precision" + at
		r.formula = byIDs(func(x *idList) float64 { return ratio(float64(x.found(true)), float64(len(x.rel))) })
		r.why = "MLflow divides by the documents retrieved where those are fewer than k"
	case &infoR:
		r.as, r.formula = "recall"+at, byIDs(idsRecall)
	default:
		return r, false
	}
	return r, m.cut > 0 && m.isBinary()
}
