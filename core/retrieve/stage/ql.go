//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/lm"
)

// QL is query likelihood. The defaults are Anserini's.
var QL = &Stage{
	local: "the words of the documents",
	Stage: pipeline.Stage{
		Name: "ql",
		Role: pipeline.Retriever,
		Doc: "Query likelihood: scores documents by how probable the words of the query are in the language of " +
			"the document, " +
			"smoothed by that of the collection.",
		Formula: "sum over the words of the query that the document holds of ln(1 + tf/(mu*p)) + ln(mu/(dl + mu)), " +
			"at least 0 each, where " +
			"p = (cf + 1)/(T + 1); with jm of ln(1 + (1 - lambda)*tf/dl/(lambda*p))",
		Source: "Zhai and Lafferty 2001, A Study of Smoothing Methods for Language Models Applied to Ad Hoc " +
			"Information Retrieval; " +
			"scores equal Lucene's LMDirichletSimilarity and LMJelinekMercerSimilarity bit for bit",
		Params: []pipeline.Param{
			{Name: "smoothing", Kind: pipeline.Word, Default: "dirichlet", Words: []string{"dirichlet", "jm"},
				Doc: "How the language of the collection is mixed in: by Dirichlet's prior, or by Jelinek and " +
					"Mercer's weighted mean."},
			{Name: "mu", Kind: pipeline.Number, Default: "1000", Min: 0.001, Max: 1e6, By: "smoothing",
				Only: []string{"dirichlet"},
				Doc: "How many words of the collection are added to every document: the more, the less its own " +
					"words count."},
			{Name: "lambda", Kind: pipeline.Number, Default: "0.1", Min: 0.001, Max: 1, By: "smoothing",
				Only: []string{"jm"},
				Doc:  "The share of the collection in the mean: small for short queries, large for long ones."},
			analyzerParam,
		},
		Label: func(n *pipeline.Node) string {
			name := "Query likelihood"
			if n.IsSet("smoothing") {
				name += " (Jelinek–Mercer)"
			}
			for _, p := range []string{"mu", "lambda"} {
				if n.IsSet(p) {
					name += ", " + p + " " + n.Value(p)
				}
			}
			if n.IsSet("analyzer") {
				name += ", " + n.Value("analyzer")
			}
			return name
		},
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		x, err := c.Index(n.Word("analyzer"))
		if err != nil {
			return nil, err
		}
		params := func(n *pipeline.Node) lm.Params {
			return lm.Params{Jelinek: n.Word("smoothing") == "jm", Mu: n.Number("mu"), Lambda: n.Number("lambda")}
		}
		r, err := lm.New(x, params(n))
		if err != nil {
			return nil, err
		}
		return &ranker{Ranker: r, name: n.Stage.Name, set: func(n *pipeline.Node) error { return r.Set(params(n)) }},
			nil
	},
}
