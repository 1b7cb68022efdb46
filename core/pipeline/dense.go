package pipeline

var dense = &Stage{
	Name:    "dense",
	Role:    Retriever,
	Doc:     "Scores documents by the similarity of their vector to that of the query, exactly: every document is compared.",
	Formula: "dot product of the two vectors, both of length 1",
	Source:  "Karpukhin et al. 2020, Dense Passage Retrieval for Open-Domain Question Answering",
	Params: []Param{
		{Name: "model", Kind: Word, Default: "minilm",
			Doc: "Name of the model whose vectors the collection holds."},
	},
	label: func(n *Node) string {
		model := n.Word("model")
		switch model {
		case "minilm":
			model = "MiniLM"
		case "bge":
			model = "BGE"
		case "e5":
			model = "E5"
		}
		return "Dense (" + model + ")"
	},
}
