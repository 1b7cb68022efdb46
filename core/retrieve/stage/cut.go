//go:build !lessons

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// Cut keeps the first documents.
var Cut = &Stage{
	Stage: pipeline.Stage{
		Name:    "cut",
		Role:    pipeline.Transformer,
		Doc:     manual("Keeps the first n documents of the ranking and drops the rest."),
		Formula: manual("scores and order do not change"),
		Source: manual("Macdonald and Tonellotto 2020, Declarative Experimentation in Information Retrieval using " +
			"PyTerrier (the operator %)"),
		Params: []pipeline.Param{
			{Name: "n", Kind: pipeline.Integer, Required: true, Positional: true, Min: 1, Max: 10000,
				Doc: manual("How many documents to keep.")},
		},
		Label: func(n *pipeline.Node) string { return n.Input.Label() + ", top " + n.Value("n") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		input, err := Build(c, n.Input)
		if err != nil {
			return nil, err
		}
		cut := &fuse.Cut{Ranker: input, N: n.Integer("n")}
		return &ranker{Ranker: cut, set: func(n *pipeline.Node) error {
			cut.N = n.Integer("n")
			return input.Set(n.Input)
		}}, nil
	},
}
