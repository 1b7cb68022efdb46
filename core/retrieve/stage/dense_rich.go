//go:build !first

package stage

import (
	"strconv"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// tuning is how vectors are searched.
type tuning struct {
	settings dense.SearchParameters
	tuned    []*dense.Tuned // the rankers that were made
}

// MakeThem says how to get vectors that are not there; "" in a program that leaves it to a richer one.
const MakeThem = "; scripts/embed creates them for any BEIR folder, with a model's own weights or an endpoint such " +
	"as OpenAI's (see its README). With an edge, dense(model=backend,backend=NAME) has a backend make them"

// denseParams are the parameters of dense.
var denseParams = []pipeline.Param{
	modelParam,
	{Name: "similarity", Kind: pipeline.Word, Default: "dot", Words: []string{"dot", "cosine", "l2"},
		Doc: "The similarity of two vectors. For vectors of length 1 all three rank alike."},
	{Name: "scan", Kind: pipeline.Word, Default: "exact", Words: []string{"exact", "int8", "bit"},
		Doc: "The precision of the comparison: the best available numbers, numbers rounded to int8, or only " +
			"their signs."},
	{Name: "int8", Kind: pipeline.Integer, Default: "0", Max: 1e6, By: "scan", Only: []string{"bit"},
		Doc: "How many of the first documents by sign to compare by int8 before the exact scoring; 0 skips this step."},
	{Name: "rescore", Kind: pipeline.Integer, Default: "200", Max: 1e6, By: "scan", Only: []string{"int8", "bit"},
		Defaults: []pipeline.Case{{Word: "bit", Default: "1000"}},
		Doc: "How many of the first documents of the scan to score exactly; the others are dropped. 0 keeps the " +
			"scores of the scan. After a scan by bits, 1000 keep this share of SciFact's first hundred: " +
			"0.988 for MiniLM, 0.959 for bge and 0.708 for e5, whose signs carry little information (3000 keep " +
			"0.958). rankbox search prints the share for a pipeline."},
	backendParam("The backend behind the edge that encodes every query, typed ones too; it must have the model. If " +
		"open, the collection's vectors are used. With model=backend it also encodes the documents: at most " +
		strconv.Itoa(mostEmbedded) + ", once, before the first query."),
}

// tuned says whether a stage has settings that the page's first program does without.
func tuned(n *pipeline.Node) bool {
	return n.IsSet("similarity") || n.IsSet("scan") || n.IsSet("backend")
}

// tuningLabel names the settings.
func tuningLabel(n *pipeline.Node) string {
	label := ""
	for _, p := range []string{"similarity", "scan"} {
		if n.IsSet(p) {
			label += ", " + n.Value(p)
		}
	}
	if n.IsSet("int8") {
		label += ", " + n.Value("int8") + " by int8"
	}
	if n.IsSet("rescore") {
		label += ", " + n.Value("rescore") + " rescored"
	}
	if n.IsSet("backend") {
		label += ", queries by " + n.Value("backend")
	}
	return label
}

// tune takes the settings of a stage.
func (l *lazyDense) tune(n *pipeline.Node) {
	l.settings = dense.SearchParameters{
		Similarity: map[string]dense.Similarity{"dot": dense.Dot, "cosine": dense.Cosine,
			"l2": dense.L2}[n.Word("similarity")],
		Scan: map[string]dense.Numbers{"exact": dense.Exact, "int8": dense.Int8, "bit": dense.Bit}[n.Word("scan")],
	}
	if l.settings.Scan != dense.Exact {
		l.settings.Rescore = n.Integer("rescore")
	}
	if l.settings.Scan == dense.Bit {
		l.settings.Int8 = n.Integer("int8")
	}
	for _, r := range l.tuned {
		r.Parameters = l.settings
	}
}

// over returns the ranker of queries that have vectors.
func (l *lazyDense) over(v *Vectors) (denser, error) {
	r, err := dense.NewTuned(l.model.Label, v.Docs, v.Queries, v.QueryIDs, l.settings)
	if err == nil {
		l.tuned = append(l.tuned, r)
	}
	return r, err
}

// encoded returns the ranker of typed queries: by the model itself where its network is in the page, otherwise by the
// static encoder.
func (l *lazyDense) encoded() (denser, error) {
	if w := l.whole(); w != nil {
		return w, nil
	}
	encode, docs, err := l.static()
	if err != nil {
		return nil, err
	}
	r, err := dense.EncodingTuned(l.model.Label, docs, encode, l.settings)
	if err == nil {
		l.tuned = append(l.tuned, r)
	}
	return r, err
}
