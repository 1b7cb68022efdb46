package stage

import (
	"fmt"

	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/dense"
)

// Dense is exact dense retrieval.
var Dense = &Stage{
	Stage: pipeline.Stage{
		Name: "dense",
		Role: pipeline.Retriever,
		Doc: "Scores documents by the similarity of their vector to that of the query, exactly: every document is compared. The vectors are " +
			"rounded to int8 with a scale each, which costs little: on SciFact the first ten documents come in another order for 89 to 231 " +
			"of 300 queries, depending on the model, and nDCG@10 changes by at most 0.002.",
		Formula: "dot product of the two vectors, both of length 1",
		Source:  "Karpukhin et al. 2020, Dense Passage Retrieval for Open-Domain Question Answering",
		Params: []pipeline.Param{
			modelParam,
		},
		Label: func(n *pipeline.Node) string {
			model := n.Word("model")
			switch model {
			case "minilm":
				model = "MiniLM"
			case "bge":
				model = "BGE"
			case "e5":
				model = "E5"
			}
			return "Dense (" + model + ")"
		},
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		m, err := modelNamed(c, n)
		if err != nil {
			return nil, err
		}
		return &ranker{Ranker: &lazyDense{c: c, model: m}, name: n.Stage.Name,
			note: "score = dot × query scale × document scale: the dot product of the two vectors."}, nil
	},
}

// modelParam is how a stage says whose vectors it needs.
var modelParam = pipeline.Param{Name: "model", Kind: pipeline.Word, Default: "minilm", Fixed: true,
	Doc: "Name of the model whose vectors the collection holds."}

// Models returns the models whose vectors a pipeline needs, in the order in which they are written.
func Models(n *pipeline.Node) []string {
	var out []string
	n.Walk(func(m *pipeline.Node) {
		if m.Stage.Param(modelParam.Name) != nil {
			out = append(out, m.Word(modelParam.Name))
		}
	})
	return out
}

// modelNamed returns the model that a stage names.
func modelNamed(c Collection, n *pipeline.Node) (Model, error) {
	var have []string
	for _, m := range c.Models() {
		if m.is(n.Word("model")) {
			return m, nil
		}
		have = append(have, m.Name)
	}
	return Model{}, &rank.Unanswerable{Reason: fmt.Sprintf("%s has no vectors of the model %q (it has: %v)", c.Name(), n.Word("model"), have)}
}

// lazyDense gets its vectors when the first query comes that may have one, and the encoder when the first one comes that has none.
type lazyDense struct {
	c      Collection
	model  Model
	judged *dense.Ranker
	typed  *dense.Ranker
}

func (l *lazyDense) ranker(q rank.Query) (*dense.Ranker, error) {
	if q.ID == "" {
		return l.encoding()
	}
	if l.judged != nil {
		return l.judged, nil
	}
	v, err := l.c.Vectors(l.model.Name)
	if err != nil {
		return nil, err
	}
	l.judged, err = dense.New(l.model.Label, v.Docs, v.Queries, v.QueryIDs)
	return l.judged, err
}

// encoding returns the ranker of typed queries.
func (l *lazyDense) encoding() (*dense.Ranker, error) {
	if l.typed != nil {
		return l.typed, nil
	}
	if first {
		return nil, dense.NoVector(l.model.Label)
	}
	e, docs, err := l.c.Encoded(l.model.Name)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, dense.NoVector(l.model.Label)
	}
	l.typed, err = dense.Encoding(l.model.Label, docs, func(text string) []float32 { return e.Encode(text, nil) })
	return l.typed, err
}

// Rank implements rank.Ranker.
func (l *lazyDense) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	r, err := l.ranker(q)
	if err != nil {
		return dst[:0], err
	}
	return r.Rank(q, k, f, dst)
}

// Explain implements rank.Ranker.
func (l *lazyDense) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	r, err := l.ranker(q)
	if err != nil {
		return rank.Part{}, err
	}
	return r.Explain(q, f, d)
}
