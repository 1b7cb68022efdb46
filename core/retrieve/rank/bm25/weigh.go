package bm25

// Numbers are the statistics behind the score of one word in one document.
type Numbers struct {
	Docs, DF        float64 // documents of the collection, and those that contain the word
	TF              float64 // frequency in this document
	Length, Average float64 // length of this document in the variant, and the mean length
}

// Weigh returns the parts of a word's score under the default variant, lucene, from statistics instead of an index.
// It equals Explain bit for bit.
func Weigh(p Params, x Numbers) (idf, saturation, score float64) {
	r := Ranker{p: p, docCount: x.Docs}
	idf = r.idf(int(x.DF))
	if x.TF <= 0 {
		return idf, 0, 0
	}
	inv := p.inverse(float32(x.Length), float32(x.Average))
	saturation = float64(1 - 1/(1+float32(float32(x.TF)*inv)))
	return idf, saturation, float64(termScore(float32(idf), float32(x.TF), inv))
}

// inverse returns 1/(k1·L), rounded to 32 bits at every step as Lucene does.
func (p Params) inverse(dl, avg float32) float32 {
	k1, b := float32(p.K1), float32(p.B)
	return 1 / float32(k1*float32(float32(1-b)+float32(float32(b*dl)/avg)))
}
