//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// Rerank orders the first documents by another score.
var Rerank = &Stage{
	local: "vectors of the documents",
	soft:  true,
	Stage: pipeline.Stage{
		Name: "rerank",
		Also: map[string]string{"min": "threshold", "keep=below": "below=keep"},
		Role: pipeline.Transformer,
		Doc: "Reorders the first documents by a score that is too costly to search with: the similarity of token " +
			"vectors (late interaction) or document vectors, the scores of a stored run such as a " +
			"cross-encoder's, or those of a backend behind the edge, which reads query and document together. " +
			"Unscored documents follow in their order, unless a threshold removes them. If nothing can be scored, the order stays and the " +
			"result says so.",
		Formula: "the score of by for the first depth documents that reach threshold",
		Source:  "Nogueira and Cho 2019, Passage Re-ranking with BERT (retrieve, then rerank)",
		Params: []pipeline.Param{
			backendParam("The backend behind the edge that scores; if open, by decides."),
			{Name: "by", Kind: pipeline.Word, Default: "late", Words: []string{"late", "dense", "cross", "run"},
				Fixed: true, By: "backend", Only: []string{""},
				Doc: "The source of the scores; cross means stored scores of a cross-encoder, for judged queries."},
			{Name: "model", Kind: pipeline.Word, Default: "minilm-tokens", Also: dense.Names, Fixed: true, By: "by",
				Defaults: []pipeline.Case{{Word: "dense", Default: "minilm"}}, Only: []string{"late", "dense"},
				Doc: "Name of the model whose token or document vectors score."},
			{Name: "file", Kind: pipeline.Word, Default: "scores", Fixed: true, By: "by",
				Defaults: []pipeline.Case{{Word: "cross", Default: "cross-encoder"}}, Only: []string{"cross", "run"},
				Doc: "Name of the stored run that holds the scores."},
			depthParam,
			{Name: "keep", Kind: pipeline.Integer, Default: "0", Min: 0, Max: 10000,
				Doc: "How many documents to keep, 0 for all."},
			{Name: "threshold", Kind: pipeline.Number, Default: "-1000", Min: -1000, Max: 1000,
				Doc: "The least score, also written min."},
			{Name: "below", Kind: pipeline.Word, Default: "remove", Words: []string{"remove", "keep"},
				Doc: "Whether documents that do not reach the threshold are removed, or follow in their order " +
					"(also written keep=below)."},
			{Name: "chunks", Kind: pipeline.Integer, Default: "0", Min: 0, Max: 100,
				Doc: "How many chunks of one document to score, 0 for all."},
			{Name: "batch", Kind: pipeline.Integer, Default: "0", Min: 0, Max: 10000,
				Doc: "How many documents to score at once, 0 for all. If a backend fails on a later batch, the " +
					"earlier ones keep their scores."},
			{Name: "tokens", Kind: pipeline.Integer, Default: "0", Min: 0, Max: 100000,
				Doc: "How many tokens of a document's title and text late interaction compares. A backend gets the " +
					"title and as many words of the text. 0 for all; vectors and runs score whole documents."},
			markParam,
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "rerank") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		x, err := c.Index("")
		if err != nil {
			return nil, err
		}
		by, name, err := scorer(c, n)
		if err != nil {
			return nil, err
		}
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			r := &rerank.Again{Ranker: input, By: by, Name: name, Docs: x.Docs()}
			return r, func(n *pipeline.Node) error {
				r.Depth, r.Keep, r.Threshold, r.PerGroup = n.Integer("depth"), n.Integer("keep"), n.Number("threshold"),
					n.Integer("chunks")
				r.Batch = n.Integer("batch")
				r.Remove = n.IsSet("threshold") && n.Word("below") == "remove"
				if cut, ok := by.(cutter); ok {
					cut.cut(n.Integer("tokens"))
				}
				r.Group = documentOf(c, n.Word("mark"))
				return nil
			}, nil
		})
	},
}

// cutter is who scores by the first tokens of a document, 0 for all.
type cutter interface{ cut(tokens int) }

// scorer returns who scores, and its name for people. Vectors are fetched when the first query comes.
func scorer(c Collection, n *pipeline.Node) (rank.Ranker, string, error) {
	if backend := n.Word("backend"); backend != "" {
		s := &remoteScorer{remoteStage: remoteStage{c: c, backend: backend}}
		return s, backend + " behind the edge", s.there()
	}
	switch n.Word("by") {
	case "run":
		return &lazyRun{c: c, name: n.Word("file")}, "the run " + n.Word("file"), nil
	case "cross":
		return &lazyRun{c: c, name: n.Word("file")}, "the cross-encoder’s stored scores", nil
	}
	if n.Word("by") == Late.Name {
		model := n.Word("model")
		l := &lazyLate{get: func() (*Tokens, error) { return c.Models().Tokens(model) }}
		return &lateScorer{ranker{Ranker: l, name: Late.Name}, l}, model, nil
	}
	m, err := modelNamed(c, n)
	if err != nil {
		return nil, "", err
	}
	return &ranker{Ranker: &lazyDense{c: c, model: m}, name: Dense.Name}, m.Label, nil
}

// lateScorer scores by late interaction.
type lateScorer struct {
	ranker
	late *lazyLate
}

// Account implements rank.Accountable.
func (s *lateScorer) Account() rank.Account { return s.late.Account() }

func (s *lateScorer) cut(tokens int) {
	s.late.limit = tokens
	if s.late.ranker != nil {
		s.late.ranker.Limit = tokens
	}
}
