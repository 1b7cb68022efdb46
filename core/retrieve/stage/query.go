//go:build !first

package stage

import (
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/classify"
)

// byParam is how a stage says whether it does the same for every query.
func byParam(byDefault, doc string) pipeline.Param {
	return pipeline.Param{Name: "by", Kind: pipeline.Word, Default: byDefault, Words: []string{"fixed", "type"},
		Doc: doc}
}

// called says of which type a query is, for people.
func called(t classify.Type) string { return "The query is taken to be " + t.String() }

// over builds a transformer whose room takes the ranking before it; set sets it to values.
func over(c Collection, n *pipeline.Node, build func(input Ranker) (r rank.Ranker, set func(n *pipeline.Node) error,
	err error)) (Ranker, error) {
	input, err := Build(c, n.Input)
	if err != nil {
		return nil, err
	}
	r, set, err := build(input)
	if err != nil {
		return nil, err
	}
	all := func(n *pipeline.Node) error {
		if set != nil {
			if err := set(n); err != nil {
				return err
			}
		}
		return input.Set(n.Input)
	}
	return &ranker{Ranker: r, name: n.Stage.Name, set: all}, all(n)
}

// plainWords returns the words of a text in lower case, a space around each: a name stands in a query where its words
// do.
func plainWords(s string) string {
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127)
	}), " ") + " "
}
