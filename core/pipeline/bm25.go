package pipeline

// The defaults of okapi are rank_bm25's. All other variants share Anserini's k1 and b, so that changing the
// variant alone compares formulas and not settings.
var bm25 = &Stage{
	Name: "bm25",
	Role: Retriever,
	Doc: "Scores documents by the words they share with the query: rare words count more, repeated words ever less, " +
		"long documents less.",
	Formula: "sum over the words of the query of idf * tf / (tf + k1 * (1 - b + b*dl/avgdl)), where " +
		"idf = ln(1 + (N - df + 0.5)/(df + 0.5)); the variants change idf or the saturation",
	Source: "Robertson and Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond; variants as in Kamphuis et " +
		"al. 2020, Which BM25 Do You Mean?; okapi as rank_bm25",
	Params: []Param{
		{Name: "variant", Kind: Word, Default: "lucene",
			Words: []string{"lucene", "robertson", "atire", "okapi", "bm25+", "bm25l", "bm25f"},
			Doc:   "Which of the published formulas."},
		{Name: "k1", Kind: Number, Default: "0.9", Min: 0, Max: 100, By: "variant", Defaults: []Case{{"okapi", "1.5"}},
			Doc: "How slowly repeated words stop counting; 0 counts presence only."},
		{Name: "b", Kind: Number, Default: "0.4", Min: 0, Max: 1, By: "variant", Defaults: []Case{{"okapi", "0.75"}},
			Doc: "How much length matters: 0 not at all, 1 fully."},
		{Name: "delta", Kind: Number, Default: "1", Min: 0, Max: 10, By: "variant", Defaults: []Case{{"bm25l", "0.5"}},
			Only: []string{"bm25+", "bm25l"},
			Doc:  "What a word adds however long the document is."},
		{Name: "epsilon", Kind: Number, Default: "0.25", Min: 0, Max: 10, By: "variant", Only: []string{"okapi"},
			Doc: "Words in more than half of the documents get this share of the mean idf instead of a negative one."},
		{Name: "title", Kind: Number, Default: "1", Min: 0, Max: 100,
			Doc: "How often a word of the title counts compared with one of the text."},
		{Name: "analyzer", Kind: Word,
			Doc: "Name of the analyzer that makes words of text, such as lucene-english or whitespace; that of the index " +
				"where none is written."},
		{Name: "exact", Kind: Bool, Default: "false", By: "variant", Only: []string{"lucene"},
			Doc: "Use exact document lengths instead of Lucene's one-byte ones; the other variants always do."},
	},
	label: func(n *Node) string {
		name := "BM25"
		switch v := n.Word("variant"); v {
		case "robertson":
			name = "BM25 (Robertson)"
		case "atire":
			name = "BM25 (ATIRE)"
		case "okapi":
			name = "BM25 (Okapi)"
		case "bm25+":
			name = "BM25+"
		case "bm25l":
			name = "BM25L"
		case "bm25f":
			name = "BM25F"
		}
		for _, p := range []string{"k1", "b", "delta", "epsilon"} {
			if n.IsSet(p) {
				name += ", " + p + " " + n.Value(p)
			}
		}
		if n.IsSet("title") {
			name += ", title x" + n.Value("title")
		}
		if n.IsSet("analyzer") {
			name += ", " + n.Value("analyzer")
		}
		if n.IsSet("exact") {
			name += ", exact lengths"
		}
		return name
	},
}
