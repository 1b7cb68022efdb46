//go:build !lessons

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// Dense is exact dense retrieval.
var Dense = &Stage{
	local: "vectors of the documents",
	Stage: pipeline.Stage{
		Name: "dense",
		Role: pipeline.Retriever,
		Doc: manual("Scores every document by the similarity of its vector to that of the query. Vectors stored as " +
			"float32 are scored in double precision. Most are stored rounded to int8 with a scale each, which costs " +
			"little: on SciFact the first ten " +
			"documents change order for 89 to 231 of 300 queries, depending on the model, and nDCG@10 changes by at " +
			"most 0.002."),
		Formula: manual("dot: the dot product of the two vectors; cosine: that / the product of their lengths; l2: " +
			"-(squared distance)"),
		Source: manual("Karpukhin et al. 2020, Dense Passage Retrieval for Open-Domain Question Answering"),
		Params: denseParams,
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
			return "Dense (" + model + ")" + tuningLabel(n)
		},
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		if !first && n.Word("backend") != "" && n.Word("model") == ofBackend {
			return buildRemoteDense(c, Model{Name: ofBackend, Label: n.Word("backend")}, n)
		}
		m, err := modelNamed(c, n)
		if err != nil {
			return nil, err
		}
		if first && m.Floats {
			return nil, ErrBeyond
		}
		if !first && n.Word("backend") != "" {
			return buildRemoteDense(c, m, n)
		}
		l := &lazyDense{c: c, model: m}
		l.tune(n)
		r := &ranker{Ranker: l, name: n.Stage.Name, set: func(n *pipeline.Node) error { l.tune(n); return nil }}
		if first {
			r.note = plainDense
		}
		return r, nil
	},
}

// plainDense says how int8 vectors are scored.
const plainDense = "score = dot × query scale × document scale: the dot product of the two vectors."

// modelParam is how a stage says whose vectors it needs.
var modelParam = pipeline.Param{Name: model, Kind: pipeline.Word, Default: usual, Also: dense.Names, Fixed: true,
	Doc: manual("Name of the model whose vectors the collection holds.")}

// modelNamed returns the model that a stage names.
func modelNamed(c Collection, n *pipeline.Node) (Model, error) {
	var have []string
	for _, m := range c.Models().List() {
		if m.is(n.Word("model")) {
			return m, nil
		}
		have = append(have, m.Name)
	}
	return Model{}, &rank.Unanswerable{Reason: missing(c.Name(), n.Word("model"), have)}
}

// denser is what ranks by vectors.
type denser interface {
	Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error)
	Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error)
}

// lazyDense gets its vectors when the first query comes that may have one, and the encoder when the first one comes
// that has none.
type lazyDense struct {
	c      Collection
	model  Model
	judged denser
	typed  denser
	seen   map[string]bool // ids of the queries that the model has vectors of
	tuning
}

func (l *lazyDense) ranker(q rank.Query) (denser, error) {
	if q.ID == "" {
		return l.encoding()
	}
	if l.judged != nil {
		return l.of(q), nil
	}
	v, err := l.c.Models().Vectors(l.model.Name)
	if err != nil {
		return nil, err
	}
	r, err := l.over(v)
	if err != nil {
		return nil, err
	}
	l.judged, l.seen = r, make(map[string]bool, len(v.QueryIDs))
	for _, id := range v.QueryIDs {
		l.seen[id] = true
	}
	return l.of(q), nil
}

// of is the ranker of a query with an id: one that was added after the model had run is encoded as typed ones are, if
// that can be done.
func (l *lazyDense) of(q rank.Query) denser {
	if !l.seen[q.ID] {
		if typed, err := l.encoding(); err == nil {
			return typed
		}
	}
	return l.judged
}

// encoding returns the ranker of typed queries.
func (l *lazyDense) encoding() (denser, error) {
	if l.typed != nil {
		return l.typed, nil
	}
	r, err := l.encoded()
	if err != nil {
		return nil, err
	}
	l.typed = r
	return r, nil
}

// static returns what the static encoder makes of a text, and the documents' vectors in its space.
func (l *lazyDense) static() (func(text string) []float32, *dense.Vectors, error) {
	e, docs, err := l.c.Models().Encoded(l.model.Name)
	if err == nil && e == nil {
		err = dense.NoVector(l.model.Label)
	}
	return func(text string) []float32 { return e.Encode(text, nil) }, docs, err
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
