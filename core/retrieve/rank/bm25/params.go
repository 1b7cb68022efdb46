package bm25

import (
	"fmt"
	"math"
)

// Params are the settings of a Ranker. The stage defines their defaults.
type Params struct {
	Variant string // lucene, robertson, atire, okapi, bm25+, bm25l or bm25f
	K1      float64
	B       float64
	Delta   float64 // bm25+ and bm25l: what a term adds at any document length
	Epsilon float64 // okapi: the share of the mean idf that replaces a negative idf
	Title   float64 // weight of a title word relative to a text word
	// lucene and bm25f: exact document lengths instead of Lucene's one-byte ones. The other variants always use
	// exact ones.
	Exact bool
}

// check returns an error if the formulas are undefined.
func (p *Params) check() error {
	switch p.Variant {
	case "lucene", "robertson", "atire", "okapi", "bm25+", "bm25l", "bm25f":
	default:
		return fmt.Errorf("bm25: variant %q: unknown", p.Variant)
	}
	for _, r := range []struct {
		name string
		v    float64
	}{{"k1", p.K1}, {"b", p.B}, {"delta", p.Delta}, {"epsilon", p.Epsilon}, {"title", p.Title}} {
		if !(r.v >= 0 && r.v <= math.MaxFloat32) {
			return fmt.Errorf("bm25: %s = %v: must be a number of at least 0", r.name, r.v)
		}
	}
	if p.B > 1 {
		return fmt.Errorf("bm25: b = %v: must be at most 1", p.B)
	}
	return nil
}
