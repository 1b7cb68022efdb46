//go:build !first

package stage

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
	"github.com/rankbox/rankbox/core/text"
)

// Cluster parts the results into topics.
var Cluster = &Stage{
	local: "titles and texts of the documents",
	soft:  true,
	Stage: pipeline.Stage{
		Name: "cluster",
		Role: pipeline.Transformer,
		Doc: "Groups the first documents into topics by shared words, and names each topic by three distinctive " +
			"words. The ranking does not change; the page " +
			"can show it by topic.",
		Formula: "spherical k-means over (1 + ln tf) * ln(N/df), begun with the documents least like each other; of " +
			"the numbers of topics the one with the best silhouette",
		Source: "Dhillon and Modha 2001, Concept Decompositions for Large Sparse Text Data Using Clustering; " +
			"Rousseeuw 1987, Silhouettes",
		Params: []pipeline.Param{
			{Name: "least", Kind: pipeline.Integer, Default: "3", Min: 2, Max: 10, Doc: "Fewest topics."},
			{Name: "most", Kind: pipeline.Integer, Default: "5", Min: 2, Max: 10, Doc: "Most topics."},
			{Name: "depth", Kind: pipeline.Integer, Default: "50", Min: 4, Max: 500,
				Doc: "How many documents to group."},
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "topics") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		x, a, err := Analyzed(c)
		if err != nil {
			return nil, err
		}
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			r := &rerank.Cluster{Ranker: input, Index: x, Words: 3,
				Surface: func(terms []string, docs []uint32) []string {
					return surface(c, a, terms, docs)
				}, Tells: text.Telling}
			return r, func(n *pipeline.Node) error {
				r.Least, r.Most, r.Depth = n.Integer("least"), max(n.Integer("least"), n.Integer("most")),
					n.Integer("depth")
				return nil
			}, nil
		})
	},
}

// WithoutTopics returns a pipeline without its stages that group documents, which move none: n itself if it has none.
func WithoutTopics(n *pipeline.Node) *pipeline.Node {
	if n == nil || n.Unread() {
		return n
	}
	input := WithoutTopics(n.Input)
	if n.Stage == &Cluster.Stage {
		return input
	}
	if input == n.Input {
		return n
	}
	out := *n
	out.Input = input
	return &out
}

// surface returns how terms are most often written in the documents, in lower case: the shorter, then the smaller word
// of equally frequent ones.
func surface(c Collection, a *text.Analyzer, terms []string, docs []uint32) []string {
	count := make([]map[string]int, len(terms))
	for i := range count {
		count[i] = map[string]int{}
	}
	see := func(s string) {
		a.Each(s, func(t string, start, end int) {
			if i := slices.Index(terms, t); i >= 0 {
				count[i][strings.ToLower(s[start:end])]++
			}
		})
	}
	for _, d := range docs {
		see(c.Card(d).Title)
		if t, err := c.Text(d); err == nil { // a title will do where a text cannot be fetched
			see(t)
		}
	}
	out := slices.Clone(terms)
	for i := range out {
		best := ""
		for w, n := range count[i] {
			if m := count[i][best]; best == "" || n > m || n == m &&
				(len(w) < len(best) || len(w) == len(best) && w < best) {
				best = w
			}
		}
		if best != "" {
			out[i] = best
		}
	}
	return out
}
