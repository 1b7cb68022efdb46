//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// weightParam is how a fusion of two rankings says what each counts.
var weightParam = pipeline.Param{Name: "weight", Kind: pipeline.Number, Default: "0.5", Min: 0, Max: 1,
	Slide: pipeline.Range{Max: 1, Step: 0.05},
	Doc:   "The weight of the first ranking; the second has the rest to 1."}

// buildCondorcet builds a fusion by duels; how sets the weights, which are 1 where it does not.
func buildCondorcet(c Collection, n *pipeline.Node, how func(n *pipeline.Node, r *fuse.Condorcet)) (Ranker, error) {
	lists, err := buildAll(c, n.Args)
	if err != nil {
		return nil, err
	}
	r := &fuse.Condorcet{}
	for _, l := range lists {
		r.Lists, r.Weights = append(r.Lists, l), append(r.Weights, 1)
	}
	set := func(n *pipeline.Node) error {
		r.Depth, r.Names = n.Integer("depth"), names(n.Args)
		how(n, r)
		return setAll(lists, n.Args)
	}
	return &ranker{Ranker: r, name: n.Stage.Name, set: set}, set(n)
}
