package tune

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// fusion returns the fusion that was tuned, with a value of the knob.
func (r *Result) fusion(value int) (*pipeline.Node, error) {
	n, err := r.Pipeline.SetAt(r.Knob.Stage, r.Knob.Name, r.Knob.Values[value])
	if err != nil {
		return nil, err
	}
	at := -1
	var out *pipeline.Node
	n.Walk(func(m *pipeline.Node) {
		if at++; at == r.Knob.Stage {
			out = m
		}
	})
	return out, nil
}

// Best returns the pipeline with a value of the knob.
func (r *Result) Best(value int) *pipeline.Node {
	n, err := r.Pipeline.SetAt(r.Knob.Stage, r.Knob.Name, r.Knob.Values[value])
	if err != nil {
		return r.Pipeline
	}
	return n
}

// about is what a setting says of itself.
func (r *Result) about(c *Choice, n *pipeline.Node) string {
	of := "all queries"
	if c.Type != "" {
		of = c.Type + " queries"
	}
	return "Tuned by Rankbox for " + of + ": " + r.Measure + " " + say.Plain.Number(c.HeldOut, 3) +
		" on queries held out, " + say.Plain.Number(c.Tuned, 3) +
		" on the queries that chose it. The hybrid query's parts, in order: " +
		n.Args[0].String() + "; " + n.Args[1].String()
}

// OpenSearch returns the body of PUT /_search/pipeline/NAME: OpenSearch 2.10 or later for wsum (3.0 with zmuv), 3.1 for
// rrf (2.19 with k = 60). The error says why a fusion has no counterpart there. What differs stays: min_max gives the
// last document of a list 0.001 there, and 0 here.
//
// Source: OpenSearch's documentation of normalization-processor and score-ranker-processor; scripts/cluster/fusion.py
// applies what is written here to a server. OpenSearch 2.19.1 takes rank_constant without a word, and ranks by 60
// unless it stands under parameters, where 3.1 refuses it (github.com/opensearch-project/neural-search/issues/1370);
// the description says so.
func (r *Result) OpenSearch(c *Choice) ([]byte, error) {
	n, err := r.fusion(c.Best)
	if err != nil {
		return nil, err
	}
	processor, note := "", ""
	switch {
	case len(n.Args) != 2:
		return nil, fmt.Errorf("this fusion joins %d rankings, a hybrid search joins two (words and vectors)",
			len(n.Args))
	case n.Stage == &stage.RRF.Stage:
		k := n.Number("k")
		if k < 1 || k > 10000 {
			return nil, fmt.Errorf("k = %s: OpenSearch's rank_constant is from 1 to 10,000", n.Value("k"))
		}
		if k != 60 {
			note = ". For OpenSearch 3.1 or later: 2.19 and 3.0 rank by 60 unless rank_constant stands within " +
				"\"parameters\": {}"
		}
		processor = `"score-ranker-processor": {
        "combination": {"technique": "rrf", "rank_constant": ` + strconv.Itoa(int(k)) + `}
      }`
	case n.Stage == &stage.WSum.Stage:
		technique := map[string]string{"minmax": "min_max", "zmuv": "z_score"}[n.Word("norm")]
		if technique == "" {
			return nil, fmt.Errorf("norm=%s has no equivalent in OpenSearch, which has minmax (min_max) and "+
				"zmuv (z_score)", n.Word("norm"))
		}
		w := n.Number("weight")
		processor = `"normalization-processor": {
        "normalization": {"technique": "` + technique + `"},
        "combination": {"technique": "arithmetic_mean", "parameters": {"weights": [` + number(w) + ", " + number(1-w) +
			`]}}
      }`
	default:
		return nil, fmt.Errorf("%s has no equivalent in OpenSearch, which has wsum and rrf", n.Stage.Name)
	}
	return []byte(`{
  "description": ` + jsontext.Visible(r.about(c, n)+note) + `,
  "phase_results_processors": [
    {
      ` + processor + `
    }
  ]
}
`), nil
}

// number writes a weight without what binary fractions add: 0.35, and the rest to 1 as 0.65.
func number(v float64) string {
	return strconv.FormatFloat(float64(int(float64(v*1e6)+0.5))/1e6, 'f', -1, 64)
}

// Weaviate returns the settings of a hybrid query: alpha, which is the weight of the vectors, and fusionType. The error
// says why a fusion has no counterpart there.
//
// Source: Weaviate's documentation of hybrid search: relativeScoreFusion scales the scores of a list between 0 and 1,
// rankedFusion adds 1/(60 + rank).
func (r *Result) Weaviate(c *Choice) ([]byte, error) {
	n, err := r.fusion(c.Best)
	if err != nil {
		return nil, err
	}
	words, vectors := -1, -1
	for i, a := range n.Args {
		switch a.Stage {
		case &stage.BM25.Stage:
			words = i
		case &stage.Dense.Stage:
			vectors = i
		}
	}
	alpha, kind := "", ""
	switch {
	case len(n.Args) != 2 || words < 0 || vectors < 0:
		return nil, errors.New("a hybrid search of Weaviate joins one bm25 and one dense")
	case n.Stage == &stage.RRF.Stage && n.Number("k") == 60:
		alpha, kind = "0.5", "rankedFusion"
	case n.Stage == &stage.WSum.Stage && n.Word("norm") == "minmax":
		w := n.Number("weight")
		if vectors == 1 {
			w = 1 - w
		}
		alpha, kind = number(w), "relativeScoreFusion"
	default:
		return nil, fmt.Errorf("%s has no equivalent in Weaviate, which has wsum with norm=minmax and rrf with k=60", n)
	}
	return []byte(`{
  "description": ` + jsontext.Visible(r.about(c, n)) + `,
  "hybrid": {"alpha": ` + alpha + `, "fusionType": "` + kind + `"}
}
`), nil
}
