//go:build !first

package stage

import (
	"fmt"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/sparse"
)

// Sparse is retrieval by learned weights.
var Sparse = &Stage{
	local: "term weights of the documents",
	Stage: pipeline.Stage{
		Name: "sparse",
		Role: pipeline.Retriever,
		Doc: "Scores documents by precomputed term weights of a model such as SPLADE or uniCOIL. The model adds " +
			"terms that the texts lack.",
		Formula: "sum over the terms of the query of weight in the query * weight in the document",
		Source: "Formal et al. 2021, SPLADE v2; Lin and Ma 2021, A Few Brief Notes on DeepImpact, COIL, and a " +
			"Conceptual Framework",
		Params: []pipeline.Param{
			{Name: "model", Kind: pipeline.Word, Default: "splade", Fixed: true,
				Doc: "Name of the model whose weights the collection holds."},
		},
		Label: func(n *pipeline.Node) string { return "Sparse (" + n.Word("model") + ")" },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		w, err := c.Models().Sparse(n.Word("model"))
		if err != nil {
			return nil, err
		}
		r, err := sparse.New(w.Label, w.Docs, w.Queries, w.QueryIDs)
		if err != nil {
			return nil, err
		}
		return &ranker{Ranker: r, name: n.Stage.Name}, nil
	},
}

// NoWeights is the error of a collection that lacks the weights of a model.
func NoWeights(collection, model string, have []string) error {
	return &rank.Unanswerable{
		Reason: fmt.Sprintf("%s has no term weights of the model %q%s; docs.jsonl and queries.jsonl in a "+
			"folder of that name hold them", collection, model, among(have))}
}
