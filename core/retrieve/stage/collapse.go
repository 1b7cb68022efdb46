//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// marks are what may stand between the id of a document and the number of a chunk, by name: the notation has no such
// characters.
var marks = map[string]string{"hash": "#", "dash": "-", "dot": ".", "underscore": "_", "colon": ":", "slash": "/"}

var markParam = pipeline.Param{Name: "mark", Kind: pipeline.Word, Default: "hash",
	Words: []string{"hash", "dash", "dot", "underscore", "colon", "slash"},
	Doc:   "The separator between document id and chunk: d7#2 is a chunk of d7."}

// documentOf returns the document that a chunk belongs to.
func documentOf(c Collection, mark string) func(d uint32) string {
	rule := collection.ChunkRule{Separator: marks[mark]}
	return func(d uint32) string {
		id, _ := rule.Document(c.Card(d).ID)
		return id
	}
}

// Collapse makes a ranking of documents of one of chunks.
var Collapse = &Stage{
	Stage: pipeline.Stage{
		Name: "collapse",
		Role: pipeline.Transformer,
		Doc: "Keeps the best chunks of each document, by default one, and removes the others: this turns a " +
			"ranking of chunks into a ranking of documents.",
		Formula: "scores do not change: a document has the score of its best chunk",
		Source:  "Dai and Callan 2019, Deeper Text Understanding for IR with Contextual Neural Language Modeling (MaxP)",
		Params: []pipeline.Param{
			{Name: "keep", Kind: pipeline.Integer, Default: "1", Min: 1, Max: 100,
				Doc: "How many chunks of a document to keep."},
			markParam, depthParam,
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "collapse") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			s := &rerank.Sieve{Ranker: input}
			return s, func(n *pipeline.Node) error {
				s.Keep, s.Depth = n.Integer("keep"), n.Integer("depth")
				of := documentOf(c, n.Word("mark"))
				s.Like = func(hits []rank.Hit) (func(a, b int) (string, bool), error) {
					ids := make([]string, len(hits))
					for i, h := range hits {
						ids[i] = of(h.Doc)
					}
					return func(a, b int) (string, bool) {
						return "chunk of the same document as", ids[a] == ids[b]
					}, nil
				}
				return nil
			}, nil
		})
	},
}
