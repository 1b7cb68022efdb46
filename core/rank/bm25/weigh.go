package bm25

// Numbers are what the score of one word in one document is made of.
type Numbers struct {
	Docs, DF        float64 // documents of the collection, and those that hold the word
	TF              float64 // how often it occurs in this document
	Length, Average float64 // of this document as its variant takes it, and of all
}

// Weigh returns the parts of a word's score under the default variant, lucene, by numbers instead of an index: the same
// bits as Explain gives for a document of these numbers.
func Weigh(p Params, x Numbers) (idf, saturation, score float64) {
	r := Ranker{p: p, n: x.Docs}
	idf = r.idf(int(x.DF))
	if x.TF <= 0 {
		return idf, 0, 0
	}
	inv := p.inverse(float32(x.Length), float32(x.Average))
	saturation = float64(1 - 1/(1+float32(float32(x.TF)*inv)))
	return idf, saturation, float64(single(float32(idf), float32(x.TF), inv))
}

// inverse is 1/(k1·L), rounded to 32 bits at every step as Lucene does.
func (p Params) inverse(dl, avg float32) float32 {
	k1, b := float32(p.K1), float32(p.B)
	return 1 / float32(k1*float32(float32(1-b)+float32(float32(b*dl)/avg)))
}
