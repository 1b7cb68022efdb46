//go:build !lessons

package stage

import (
	"strconv"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// What the stages that join several rankings share.
var (
	depthParam = pipeline.Param{Name: "depth", Kind: pipeline.Integer, Default: "100", Min: 1, Max: 10000,
		Doc: manual("How many documents of each ranking to use.")}
	normParam = pipeline.Param{Name: "norm", Kind: pipeline.Word, Default: "minmax",
		Words: []string{"minmax", "max", "sum", "zmuv", "rank", "borda", "inverted", "none"},
		Doc: manual("How to normalise the scores of a ranking: between 0 and 1, divided by the largest or by their " +
			"sum, with mean 0 and " +
			"variance 1, by rank, by rank among all documents, between 1 and 0 if small scores are good, or not at " +
			"all. As in ranx 0.3.21, except that max divides by the " +
			"absolute value of a largest score below 0 (ranx divides by 1e-9). Ranks are those of the ranking before " +
			"norm: ranx " +
			"ranks it from its end after inverted, and in no fixed order after borda, which counts in segfuse.")}
)

const (
	foxShaw = "Fox and Shaw 1994, Combination of Multiple Searches; norms as ranx"
	normed  = ", where s are the scores of the rankings that hold the document after norm"
)

// scale returns what norm says.
func scale(n *pipeline.Node) fuse.Scale {
	switch n.Word("norm") {
	case "minmax":
		return fuse.MinMax()
	case "max":
		return fuse.Largest()
	case "sum":
		return fuse.Share()
	case "zmuv":
		return fuse.Standard()
	case "rank":
		return fuse.Place()
	case "borda":
		return fuse.BordaShare()
	case "inverted":
		return fuse.MinMaxInverted()
	}
	return fuse.Raw()
}

// buildFusion builds a stage that joins rankings; how sets scale, method and values.
func buildFusion(c Collection, n *pipeline.Node, how func(n *pipeline.Node, r *fuse.Fusion)) (Ranker, error) {
	lists, err := buildAll(c, n.Args)
	if err != nil {
		return nil, err
	}
	r := &fuse.Fusion{}
	for _, l := range lists {
		r.Lists = append(r.Lists, l)
	}
	set := func(n *pipeline.Node) error {
		r.Depth, r.Names = n.Integer("depth"), names(n.Args)
		how(n, r)
		return setAll(lists, n.Args)
	}
	return &ranker{Ranker: r, name: n.Stage.Name, set: set}, set(n)
}

// names returns the canonical forms of the pipelines.
func names(args []*pipeline.Node) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a.String()
	}
	return out
}

// fusionLabel names a fusion of pipelines. One of a bm25 and a dense and nothing else is "Hybrid" where plain says so:
// that is what the field calls reciprocal rank fusion of the two.
func fusionLabel(n *pipeline.Node, name string, plain bool) string {
	args := n.Args
	hybrid := plain && len(args) == 2 && (args[0].Stage == &BM25.Stage && args[1].Stage == &Dense.Stage ||
		args[0].Stage == &Dense.Stage && args[1].Stage == &BM25.Stage)
	label := name + " of "
	switch {
	case hybrid && args[0].Plain() && args[1].Plain():
		label = "Hybrid"
	case hybrid:
		label = "Hybrid of " + args[0].Label() + " + " + args[1].Label()
	default:
		for i, a := range args {
			if i > 0 {
				label += " + "
			}
			label += a.Label()
		}
		if len(label) > 60 {
			label = name + " of " + strconv.Itoa(len(args)) + " systems"
		}
	}
	for i := range n.Stage.Params {
		if p := n.Stage.Params[i].Name; n.IsSet(p) {
			label += ", " + p + " " + n.Value(p)
		}
	}
	return label
}
