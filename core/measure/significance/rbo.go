package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
)

// Overlap is the rank-biased overlap of two rankings.
type Overlap struct {
	Ext float64 // extrapolated: what is seen is taken to go on as it is
	Min float64 // the lowest value the rankings can have however they go on
}

// Persistence is the p of rank-biased overlap wherever nobody says another: the first 10 ranks have 86 % of the weight.
const Persistence = 0.9

// RBO returns the rank-biased overlap of two rankings: the expected agreement of their heads for a reader who goes on
// to the next rank with probability p in (0, 1). The rankings may have different lengths and items. 1 for the same
// rankings (Ext), 0 for disjoint ones. NaN where one is empty. A repeated item is an error.
//
// With s ≤ l the lengths, Xd the number of items that both have down to rank d:
//
//	Ext = (1-p)/p·(Σd=1..l Xd/d·pᵈ + Σd=s+1..l Xs(d-s)/(sd)·pᵈ) + ((Xl - Xs)/l + Xs/s)·pˡ
//	Min = (1-p)/p·(Σd=1..s (Xd - Xs)/d·pᵈ - Xs·ln(1-p))
//
// Source: Webber, Moffat and Zobel 2010, ACM TOIS 28(4), equations 32 and 11. p = 0.9 gives the first 10 ranks 86% of
// the weight.
func RBO[T comparable](s, t []T, p float64) (Overlap, error) {
	nan := Overlap{math.NaN(), math.NaN()}
	if !(p > 0 && p < 1) {
		return nan, say.Faultf("significance", "RBO: p is %v, not between 0 and 1", p)
	}
	if len(s) > len(t) {
		s, t = t, s
	}
	inS, inT := make(map[T]bool, len(s)), make(map[T]bool, len(t))
	x := 0.0
	var xs float64
	overlap := make([]float64, len(t)) // Xd at d-1
	for d, v := range t {
		if inT[v] {
			return nan, say.Faultf("significance", "RBO: %v is twice in a ranking", v)
		}
		inT[v] = true
		if inS[v] {
			x++
		}
		if d < len(s) {
			if inS[s[d]] {
				return nan, say.Faultf("significance", "RBO: %v is twice in a ranking", s[d])
			}
			inS[s[d]] = true
			if inT[s[d]] {
				x++
			}
		}
		overlap[d] = x
		if d+1 == len(s) {
			xs = x
		}
	}
	if len(s) == 0 {
		return nan, nil
	}
	var ext, low float64
	pd := 1.0
	ls, ll := float64(len(s)), float64(len(t))
	for i, x := range overlap {
		d := float64(i + 1)
		pd = float64(pd * p)
		a := x / d
		if i < len(s) {
			low += float64((x - xs) / d * pd)
		} else {
			a += float64(xs*(d-ls)) / float64(ls*d)
		}
		ext += float64(a * pd)
	}
	w := (1 - p) / p
	return Overlap{
		Ext: float64(w*ext) + float64(((x-xs)/ll+xs/ls)*pd),
		Min: float64(w * (low - float64(xs*float.Log1p(-p)))),
	}, nil
}
