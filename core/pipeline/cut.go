package pipeline

var cut = &Stage{
	Name:    "cut",
	Role:    Transformer,
	Doc:     "Keeps the first n documents of the ranking and drops the rest.",
	Formula: "scores and order stay as they are",
	Source:  "as the operator % of PyTerrier (Macdonald and Tonellotto 2020)",
	Params: []Param{
		{Name: "n", Kind: Integer, Required: true, Positional: true, Min: 1, Max: 10000,
			Doc: "How many documents are kept."},
	},
	label: func(n *Node) string {
		return n.Input.Label() + ", top " + n.Value("n")
	},
}
