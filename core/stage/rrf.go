package stage

import (
	"strconv"

	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank/fuse"
)

// RRF is reciprocal rank fusion.
var RRF = &Stage{
	Stage: pipeline.Stage{
		Name:    "rrf",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Reciprocal rank fusion: documents that stand high in several rankings come first. Only ranks count, so the " +
			"scores need not be comparable.",
		Formula: "sum over the rankings that hold the document of 1 / (k + rank), rank from 1",
		Source: "Cormack, Clarke and Buettcher 2009, Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank Learning " +
			"Methods",
		Params: []pipeline.Param{
			{Name: "k", Kind: pipeline.Number, Default: "60", Min: 0, Max: 10000,
				Doc: "Evens out the first ranks: the larger, the less the very first place is worth."},
			{Name: "depth", Kind: pipeline.Integer, Default: "100", Min: 1, Max: 10000,
				Doc: "How many documents of each ranking are looked at."},
		},
		Label: func(n *pipeline.Node) string {
			name := fusionLabel("Fusion", n.Args)
			if n.IsSet("k") {
				name += ", k " + n.Value("k")
			}
			if n.IsSet("depth") {
				name += ", depth " + n.Value("depth")
			}
			return name
		},
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		lists, err := buildAll(c, n.Args)
		if err != nil {
			return nil, err
		}
		r := &fuse.RRF{}
		for _, l := range lists {
			r.Lists = append(r.Lists, l)
		}
		set := func(n *pipeline.Node) error {
			r.K, r.Depth, r.Names = n.Number("k"), n.Integer("depth"), names(n.Args)
			return setAll(lists, n.Args)
		}
		return &ranker{Ranker: r, name: n.Stage.Name, set: set}, set(n)
	},
}

// names returns the canonical forms of the pipelines.
func names(args []*pipeline.Node) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a.String()
	}
	return out
}

// fusionLabel names a fusion of the pipelines: "Hybrid" for one bm25 and one dense and nothing else, which is what the field calls
// so, and otherwise by what is fused.
func fusionLabel(fusion string, args []*pipeline.Node) string {
	if len(args) == 2 && (args[0].Stage == &BM25.Stage && args[1].Stage == &Dense.Stage || args[0].Stage == &Dense.Stage && args[1].Stage == &BM25.Stage) {
		if args[0].Plain() && args[1].Plain() {
			return "Hybrid"
		}
		return "Hybrid of " + args[0].Label() + " + " + args[1].Label()
	}
	name := fusion + " of "
	for i, a := range args {
		if i > 0 {
			name += " + "
		}
		name += a.Label()
	}
	if len(name) > 60 {
		return fusion + " of " + strconv.Itoa(len(args)) + " systems"
	}
	return name
}
