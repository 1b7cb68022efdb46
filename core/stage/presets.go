//go:build !first

package stage

// Preset is a ready-made way to search, or several side by side.
type Preset struct {
	Name    string
	Doc     string   // what it is, a sentence
	Systems []string // in the notation, each on one line
}

// Presets are the ready-made ways, in the order in which they are offered. Their systems are in canonical form.
var Presets = []Preset{
	{"simple", "BM25 as rank_bm25 computes it over NLTK's words, titles counted three times, repeated titles taken out.",
		[]string{"bm25(variant=okapi,k1=1.2,title=3,analyzer=nltk) >> dedupe"}},
	{"enhanced", "BM25 with feedback, entities, a reranker, variety, recency, and one document about the same entities.",
		[]string{"bm25(variant=okapi,title=3) >> prf >> entity >> rerank(keep=50) >> mmr >> recency >> dedupe(by=entities) >> cut(20)"}},
	{"hybrid", "Words and late interaction fused by rank, reranked by late interaction, then by the type of the query: variety, recency, balance, no repetition, topics.",
		[]string{"rrf(bm25(variant=bm25+), late) >> classify >> rerank >> mmr(by=type) >> recency(by=type) >> balance >> dedupe >> cluster >> cut(20)"}},
	{"cross", "Words and vectors fused by rank, reranked by a small cross-encoder's stored scores, which judged queries have. It was trained on little, and on no collection that it was tried on does it beat what it reranks.",
		[]string{"rrf(bm25, dense) >> rerank(by=cross) >> cut(20)"}},
	{"baselines", "What is usually compared with: words, a Contriever, a ColBERT and an OpenAI embedding. Models whose vectors the collection lacks say how to make them.",
		[]string{"bm25(variant=okapi)", "dense(model=contriever)", "late(model=colbert)", "dense(model=text-embedding-ada-002)"}},
}

// PresetNamed returns the preset of a name, nil where there is none.
func PresetNamed(name string) *Preset {
	for i := range Presets {
		if Presets[i].Name == name {
			return &Presets[i]
		}
	}
	return nil
}
