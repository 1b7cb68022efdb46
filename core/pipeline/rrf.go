package pipeline

import "strconv"

var rrf = &Stage{
	Name:    "rrf",
	Role:    Combiner,
	MinArgs: 2,
	Doc: "Reciprocal rank fusion: documents that stand high in several rankings come first. Only ranks count, so the " +
		"scores need not be comparable.",
	Formula: "sum over the rankings that hold the document of 1 / (k + rank), rank from 1",
	Source: "Cormack, Clarke and Buettcher 2009, Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank Learning " +
		"Methods",
	Params: []Param{
		{Name: "k", Kind: Number, Default: "60", Min: 0, Max: 10000,
			Doc: "Evens out the first ranks: the larger, the less the very first place is worth."},
		{Name: "depth", Kind: Integer, Default: "100", Min: 1, Max: 10000,
			Doc: "How many documents of each ranking are looked at."},
	},
	label: func(n *Node) string {
		name := "Hybrid"
		if !hybrid(n.Args) {
			name = "Fusion of "
			for i, a := range n.Args {
				if i > 0 {
					name += " + "
				}
				name += a.Label()
			}
			if len(name) > 60 {
				name = "Fusion of " + strconv.Itoa(len(n.Args)) + " systems"
			}
		} else if n.Args[0].hasValues() || n.Args[1].hasValues() {
			name += " of " + n.Args[0].Label() + " + " + n.Args[1].Label()
		}
		if n.IsSet("k") {
			name += ", k " + n.Value("k")
		}
		if n.IsSet("depth") {
			name += ", depth " + n.Value("depth")
		}
		return name
	},
}

// hybrid reports whether the pipelines are one bm25 and one dense and nothing else, which is what the field calls hybrid.
func hybrid(args []*Node) bool {
	return len(args) == 2 && args[0].Stage.Role == Retriever && args[1].Stage.Role == Retriever &&
		(args[0].Stage == bm25) != (args[1].Stage == bm25)
}
