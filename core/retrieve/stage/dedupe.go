//go:build !first

package stage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
	"github.com/rankbox/rankbox/core/text"
)

// Dedupe takes out what was said before.
var Dedupe = &Stage{
	local: "the texts of the documents",
	soft:  true,
	Stage: pipeline.Stage{
		Name: "dedupe",
		Role: pipeline.Transformer,
		Doc: "Removes documents that repeat one above them: by the words of their titles, by sequences of four words " +
			"of their texts, or by their entities " +
			"(both need at least two).",
		Formula: "removed if |A and B| / |A or B| reaches level; scores do not change",
		Source:  "Broder 1997, On the Resemblance and Containment of Documents (shingles); Jaccard 1901",
		Params: []pipeline.Param{
			{Name: "by", Kind: pipeline.Word, Default: "title", Words: []string{"title", "shingles", "entities"},
				Doc: "What to compare."},
			{Name: "level", Kind: pipeline.Number, Default: "0.8", Min: 0.01, Max: 1, By: "by",
				Defaults: []pipeline.Case{
					{Word: "shingles", Default: strconv.FormatFloat(text.NearDuplicate, 'f', -1, 64)},
					{Word: "entities", Default: "0.9"}},
				Slide: pipeline.Range{Min: 0.05, Max: 1, Step: 0.05},
				Doc:   "The similarity from which a document repeats another."},
			{Name: "confidence", Kind: pipeline.Number, Default: "0.85", Min: 0, Max: 1, By: "by",
				Only: []string{"entities"}, Doc: "Entities with this confidence or less do not count."},
			depthParam,
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "dedupe") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			s := &rerank.Sieve{Ranker: input, Keep: 1}
			return s, func(n *pipeline.Node) error {
				s.Depth = n.Integer("depth")
				level, sure := n.Number("level"), n.Number("confidence")
				switch n.Word("by") {
				case "shingles":
					s.Like = like(level, "text like that of", func(d uint32) ([]uint64, error) {
						t, err := c.Text(d)
						return text.Shingles(t), err
					})
				case "entities":
					s.Like = like(level, "about the same as", func(d uint32) ([]string, error) {
						var names []string
						for _, e := range c.Card(d).Entities {
							if e.Confidence > sure {
								names = append(names, e.Name)
							}
						}
						if names = set(names); len(names) < 2 {
							return nil, nil
						}
						return names, nil
					})
				default:
					s.Like = like(level, "title like that of", func(d uint32) ([]string, error) {
						return set(strings.Fields(plainWords(c.Card(d).Title))), nil
					})
				}
				return nil
			}, nil
		})
	},
}

func set(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// like compares documents by sets of what they hold.
func like[T interface {
	~string | ~uint64
}](level float64, why string, of func(d uint32) ([]T, error)) func([]rank.Hit) (func(a, b int) (string, bool), error) {
	return func(hits []rank.Hit) (func(a, b int) (string, bool), error) {
		sets := make([][]T, len(hits))
		for i, h := range hits {
			var err error
			if sets[i], err = of(h.Doc); err != nil {
				return nil, &rank.Unanswerable{
					Reason: "the text of a document could not be loaded, so nothing was compared"}
			}
		}
		return func(a, b int) (string, bool) { return why, text.Jaccard(sets[a], sets[b]) >= level }, nil
	}
}
