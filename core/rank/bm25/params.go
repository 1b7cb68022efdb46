package bm25

import (
	"fmt"
	"strings"
)

// Params are the settings of a Ranker. Start from Defaults.
type Params struct {
	Variant string // one of Variants
	K1      float64
	B       float64
	Delta   float64 // bm25+ and bm25l: what a word adds however long the document is
	Epsilon float64 // okapi: the share of the mean idf that words with a negative one get
	Title   float64 // weight of a word of the title, where one of the text weighs 1
	Exact   bool    // lucene and bm25f: exact document lengths, not Lucene's one-byte ones; the other variants always use exact ones
}

// Variants returns the names of the variants, the default first.
func Variants() []string {
	return []string{"lucene", "robertson", "atire", "okapi", "bm25+", "bm25l", "bm25f"}
}

// Defaults returns the settings of a variant, "" for lucene: k1 = 0.9 and b = 0.4 (Anserini's) for all but okapi, which has
// rank_bm25's 1.5 and 0.75; δ = 1 for bm25+ and 0.5 for bm25l; ε = 0.25; title and text weigh the same.
func Defaults(variant string) (Params, error) {
	p := Params{Variant: variant, K1: 0.9, B: 0.4, Delta: 1, Epsilon: 0.25, Title: 1}
	switch variant {
	case "":
		p.Variant = "lucene"
	case "okapi":
		p.K1, p.B = 1.5, 0.75
	case "bm25l":
		p.Delta = 0.5
	}
	return p, p.check()
}

// check returns an error where a setting is outside its range.
func (p *Params) check() error {
	known := false
	for _, v := range Variants() {
		known = known || v == p.Variant
	}
	if !known {
		return fmt.Errorf("bm25: variant %q: unknown; there are %s", p.Variant, strings.Join(Variants(), ", "))
	}
	for _, r := range []struct {
		name          string
		v, least, top float64
	}{{"k1", p.K1, 0, 1000}, {"b", p.B, 0, 1}, {"delta", p.Delta, 0, 1000}, {"epsilon", p.Epsilon, 0, 1000}, {"title", p.Title, 0, 1000}} {
		if !(r.v >= r.least && r.v <= r.top) {
			return fmt.Errorf("bm25: %s = %v: must be from %v to %v", r.name, r.v, r.least, r.top)
		}
	}
	return nil
}
