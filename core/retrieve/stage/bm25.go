//go:build !lessons

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/text"
)

// BM25 ranks by words. The defaults of okapi are rank_bm25's. All other variants share Anserini's k1 and b, so that
// changing the variant alone compares formulas and not settings.
var BM25 = &Stage{
	local: "the words of the documents",
	Stage: pipeline.Stage{
		Name: "bm25",
		Role: pipeline.Retriever,
		Doc: manual("Scores documents by the words they share with the query: rare words count more, repeated words " +
			"ever less, " +
			"long documents less."),
		Formula: manual("sum over the words of the query of idf * tf / (tf + k1 * (1 - b + b*dl/avgdl)), where " +
			"idf = ln(1 + (N - df + 0.5)/(df + 0.5)); the variants change idf or the saturation"),
		Source: manual("Robertson and Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond; " +
			"Kamphuis et " +
			"al. 2020, Which BM25 Do You Mean? (the variants); okapi as rank_bm25"),
		Params: []pipeline.Param{
			{Name: "variant", Kind: pipeline.Word, Default: "lucene",
				Words: []string{"lucene", "robertson", "atire", "okapi", "bm25+", "bm25l", "bm25f"},
				Doc:   manual("Which of the published formulas.")},
			{Name: "k1", Kind: pipeline.Number, Default: "0.9", Min: 0, Max: 100,
				Slide: pipeline.Range{Max: 3, Step: 0.05},
				By:    "variant", Defaults: []pipeline.Case{{Word: "okapi", Default: "1.5"}},
				Doc: "How slowly repeated words stop counting; 0 counts presence only."},
			{Name: "b", Kind: pipeline.Number, Default: "0.4", Min: 0, Max: 1,
				Slide: pipeline.Range{Max: 1, Step: 0.05},
				By:    "variant", Defaults: []pipeline.Case{{Word: "okapi", Default: "0.75"}},
				Doc: "How much length matters: 0 not at all, 1 fully."},
			{Name: "delta", Kind: pipeline.Number, Default: "1", Min: 0, Max: 10, By: "variant",
				Defaults: []pipeline.Case{{Word: "bm25l", Default: "0.5"}},
				Only:     []string{"bm25+", "bm25l"},
				Doc:      manual("The least that a word adds in a document of any length.")},
			{Name: "epsilon", Kind: pipeline.Number, Default: "0.25", Min: 0, Max: 10, By: "variant",
				Only: []string{"okapi"},
				Doc: manual("Words in more than half of the documents get this share of the mean idf instead of a " +
					"negative one.")},
			{Name: "title", Kind: pipeline.Number, Default: "1", Min: 0, Max: 100,
				Doc: manual("How much a word of the title counts compared with one of the text.")},
			analyzerParam,
			{Name: "exact", Kind: pipeline.Bool, Default: "false", By: "variant", Only: []string{"lucene"},
				Doc: manual("Use exact document lengths instead of Lucene's one-byte ones; the other " +
					"variants always do.")},
		},
		Label: func(n *pipeline.Node) string {
			name := "BM25"
			switch v := n.Word("variant"); v {
			case "robertson":
				name = "BM25 (Robertson)"
			case "atire":
				name = "BM25 (ATIRE)"
			case "okapi":
				name = "BM25 (Okapi)"
			case "bm25+":
				name = "BM25+"
			case "bm25l":
				name = "BM25L"
			case "bm25f":
				name = "BM25F"
			}
			for _, p := range []string{"k1", "b", "delta", "epsilon"} {
				if n.IsSet(p) {
					name += ", " + p + " " + n.Value(p)
				}
			}
			if n.IsSet("title") {
				name += ", title x" + n.Value("title")
			}
			if n.IsSet("analyzer") {
				name += ", " + n.Value("analyzer")
			}
			if n.IsSet("exact") {
				name += ", exact lengths"
			}
			return name
		},
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		x, err := c.Index(n.Word("analyzer"))
		if err != nil {
			return nil, err
		}
		r, err := bm25.New(x, BM25Params(n))
		if err != nil {
			return nil, err
		}
		return &ranker{Ranker: r, name: n.Stage.Name, set: func(n *pipeline.Node) error {
			return r.Set(BM25Params(n))
		}}, nil
	},
}

// analyzerParam is how a stage that ranks by words says by which.
var analyzerParam = pipeline.Param{Name: "analyzer", Kind: pipeline.Word, Fixed: true, Words: text.Names(), Fold: true,
	Doc: manual("Name of the analyzer; without it, that of the index.")}

// BM25Params returns the values of a bm25 stage as its room takes them.
func BM25Params(n *pipeline.Node) bm25.Params {
	return bm25.Params{Variant: n.Word("variant"), K1: n.Number("k1"), B: n.Number("b"), Title: n.Number("title"),
		Delta: n.Number("delta"), Epsilon: n.Number("epsilon"), Exact: n.Bool("exact")}
}
