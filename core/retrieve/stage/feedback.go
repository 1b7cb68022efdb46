//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/rank/feedback"
)

// What the stages that expand a query by the first documents share.
var (
	docsParam = pipeline.Param{Name: "docs", Kind: pipeline.Integer, Default: "10", Min: 1, Max: 1000,
		Doc: "How many of the first documents to treat as relevant."}
	termsParam = pipeline.Param{Name: "terms", Kind: pipeline.Integer, Default: "10", Min: 1, Max: 1000,
		Doc: "How many of their words to add."}
)

func feedbackLabel(n *pipeline.Node, name string) string {
	label := n.Input.Label() + " + " + name
	for _, p := range n.Stage.Params {
		if n.IsSet(p.Name) {
			label += ", " + p.Name + " " + n.Value(p.Name)
		}
	}
	return label
}

// behindWords refuses a stage that searches again by words and does not stand right behind a bm25.
func behindWords(n *pipeline.Node) error {
	if n.Input.Stage == &BM25.Stage {
		return nil
	}
	return &rank.Unanswerable{Reason: "it searches again by words, so it must follow a bm25 stage, as in bm25 >> " +
		n.Stage.Name + "; here it follows " + n.Input.Stage.Name}
}

// Standing refuses a pipeline that no collection can build: one of its stages stands where it cannot. The error is a
// *rank.Unanswerable.
func Standing(n *pipeline.Node) (err error) {
	n.Walk(func(m *pipeline.Node) {
		if err == nil && (m.Stage == &RM3.Stage || m.Stage == &Rocchio.Stage || m.Stage == &PRF.Stage) {
			err = behindWords(m)
		}
	})
	return err
}

// buildFeedback builds a stage that searches again, with the terms of expand, by the bm25 stage that stands before it.
func buildFeedback(c Collection, n *pipeline.Node, expand func(n *pipeline.Node) feedback.Expand) (Ranker, error) {
	if err := behindWords(n); err != nil {
		return nil, err
	}
	x, err := c.Index(n.Input.Word("analyzer"))
	if err != nil {
		return nil, err
	}
	words, err := bm25.New(x, BM25Params(n.Input))
	if err != nil {
		return nil, err
	}
	r, err := feedback.New(x, words)
	if err != nil {
		return nil, err
	}
	set := func(n *pipeline.Node) error {
		r.Docs, r.Expand = n.Integer("docs"), expand(n)
		return words.Set(BM25Params(n.Input))
	}
	return &ranker{Ranker: r, name: n.Stage.Name, set: set}, set(n)
}
