//go:build !first

package stage

import (
	"fmt"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
)

// Late is late interaction over token vectors.
var Late = &Stage{
	local: "token vectors of the documents",
	Stage: pipeline.Stage{
		Name: "late",
		Role: pipeline.Retriever,
		Doc: "Late interaction: compares every token of the query with every token of a document, and adds the best " +
			"match of each. The " +
			"vectors are precomputed by ColBERT or any model whose token vectors the collection holds. A model not " +
			"trained for it, such as " +
			"MiniLM, gains nothing over its single vector (nDCG@10 on Cranfield: .371 with 128 dimensions against " +
			".382). The tokens of a typed query have " +
			"their average vectors in the documents, and rare tokens count more.",
		Formula: "sum over the tokens of the query of the largest dot product with a token of the document (MaxSim)",
		Source:  "Khattab and Zaharia 2020, ColBERT; Santhanam et al. 2022, PLAID (candidates by centroids)",
		Params: []pipeline.Param{
			{Name: "model", Kind: pipeline.Word, Default: "minilm-tokens", Fixed: true,
				Doc: "Name of the model whose token vectors the collection holds."},
			{Name: "candidates", Kind: pipeline.Integer, Default: "0", Max: 1e6,
				Doc: "How many documents, the first by their tokens' centroids, to score by all of their tokens; 0 " +
					"scores every document."},
		},
		Label: func(n *pipeline.Node) string {
			label := "Late interaction"
			if n.IsSet("model") {
				label += " (" + n.Word("model") + ")"
			}
			if n.IsSet("candidates") {
				label += ", " + n.Value("candidates") + " candidates"
			}
			return label
		},
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		model := n.Word("model")
		l := &lazyLate{get: func() (*Tokens, error) { return c.Models().Tokens(model) }}
		set := func(n *pipeline.Node) error {
			l.candidates = n.Integer("candidates")
			if l.ranker != nil {
				l.ranker.Candidates = l.candidates
			}
			return nil
		}
		return &ranker{Ranker: l, name: n.Stage.Name, set: set}, set(n)
	},
}

// NoTokens is the error of a collection that lacks the token vectors of a model.
func NoTokens(collection, model string, have []string) error {
	return &rank.Unanswerable{
		Reason: fmt.Sprintf("%s has no token vectors of the model %q%s; scripts/embed --tokens makes them "+
			"of any BEIR folder", collection, model, among(have))}
}

// Averages reports whether a pipeline compares token vectors, which a typed query has averages of.
func Averages(n *pipeline.Node) (is bool) {
	n.Walk(func(m *pipeline.Node) {
		is = is || m.Stage.Name == Late.Name || m.Stage.Name == "rerank" && m.Word("backend") == "" &&
			m.Word("by") == Late.Name
	})
	return is
}

// lazyLate gets its vectors when the first query comes.
type lazyLate struct {
	get        func() (*Tokens, error)
	candidates int
	limit      int
	ranker     *late.Ranker
}

func (l *lazyLate) ready() error {
	if l.ranker != nil {
		return nil
	}
	t, err := l.get()
	if err != nil {
		return err
	}
	if l.ranker, err = late.New(t.Label, t.Docs, t.Queries, t.QueryIDs); err == nil {
		l.ranker.Candidates, l.ranker.Limit = l.candidates, l.limit
	}
	return err
}

// Rank implements rank.Ranker.
func (l *lazyLate) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if err := l.ready(); err != nil {
		return dst[:0], err
	}
	return l.ranker.Rank(q, k, f, dst)
}

// Account implements rank.Accountable.
func (l *lazyLate) Account() (a rank.Account) {
	if l.ranker != nil {
		a = l.ranker.Account()
	}
	return a
}

// Explain implements rank.Ranker.
func (l *lazyLate) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	if err := l.ready(); err != nil {
		return rank.Part{}, err
	}
	return l.ranker.Explain(q, f, d)
}
