package measure

// Term explains a property of a value rather than a measure: its range over ties or unjudged documents, or another
// summary.
type Term struct {
	Name      string // short, without spaces: the URL fragment in the documentation
	Title     string
	Brief     string
	Use       string
	Reference string
}

// Terms returns the terms that the documentation explains besides measures, policies and conventions.
func Terms() []Term { return terms }

var terms = []Term{
	{
		Name: "residual", Title: "Residual",
		Brief: "The smallest and largest possible value of the measure if the unjudged documents of the ranking " +
			"were judged.",
		Use: "A wide residual means too few judgments: two runs with overlapping residuals may swap places. " +
			"The bounds are exact except for INST, which uses those of cwl_eval: other judgments may give " +
			"less or more.",
		Reference: "A. Moffat and J. Zobel, Rank-biased precision for measurement of retrieval effectiveness, ACM " +
			"TOIS 27(1), 2008",
	},
	{
		Name: "tie-range", Title: "Range over ties",
		Brief: "The smallest and the largest value of the measure over all orders of documents with equal scores.",
		Use: "If they differ, the value depends on a rule for ties that has nothing to do with the system. The " +
			"bounds are exact, not sampled.",
		Reference: "F. McSherry and M. Najork, Computing information retrieval performance measures efficiently in " +
			"the presence of tied scores, ECIR 2008",
	},
	{
		Name: "geometric-mean", Title: "Geometric mean",
		Brief:     "The nth root of the product of the values of n queries; values below 0.00001 count as 0.00001.",
		Use:       "It stresses hard queries: a change from 0.01 to 0.02 counts as much as from 0.4 to 0.8.",
		Reference: "S. Robertson, On GMAP: and other transformations, CIKM 2006; trec_eval, gm_map",
	},
}
