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
	{"simple", "BM25 as in rank_bm25 over NLTK's words, with titles counted three times and repeated titles removed.",
		[]string{"bm25(variant=okapi,k1=1.2,title=3,analyzer=nltk) >> dedupe"}},
	{"enhanced",
		"BM25 with feedback, entities, a reranker, variety, recency, and one document about the same entities.",
		[]string{"bm25(variant=okapi,title=3) >> prf >> entity >> rerank(keep=50) >> mmr >> recency >> " +
			"dedupe(by=entities) >> cut(20)"}},
	{"hybrid", "BM25 and token matching, fused, reranked, then diversified by query type.",
		[]string{"rrf(bm25(variant=bm25+), late) >> classify >> rerank >> mmr(by=type) >> recency(by=type) >> " +
			"balance >> dedupe >> cluster >> cut(20)"}},
	{"cross", "BM25 and vectors, fused, reranked by the stored scores of a small cross-encoder (judged " +
		"queries only). It was trained on little data, and improves no collection that we tried.",
		[]string{"rrf(bm25, dense) >> rerank(by=cross) >> cut(20)"}},
	{"baselines", "The usual baselines: words, a Contriever, a ColBERT and an OpenAI embedding. If the collection " +
		"lacks a model's vectors, a message tells how to create them.",
		[]string{"bm25(variant=okapi)", "dense(model=contriever)", "late(model=colbert)",
			"dense(model=text-embedding-ada-002)"}},
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
