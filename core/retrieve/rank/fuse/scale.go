package fuse

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Scale makes the scores or ranks of one list comparable with those of others.
type Scale struct {
	// values fills out with a value for each hit of a list and returns the value of documents absent from it, NaN
	// for none. candidates is the number of documents in all lists.
	values func(hits []rank.Hit, candidates int, out []float64) (missing float64)
	ranks  bool // ignores scores
}

// minDivisor is ranx's smallest divisor.
const minDivisor = 1e-9

// byRank scales by a function of the rank, from 1.
func byRank(value func(rank float64) float64) Scale {
	return Scale{ranks: true, values: func(hits []rank.Hit, _ int, out []float64) float64 {
		for i := range hits {
			out[i] = value(float64(i + 1))
		}
		return math.NaN()
	}}
}

// byScore scales by (score − shift)/max(unit, 1e−9). find derives both from the list's scores.
func byScore(find func(scores []float64) (shift, unit float64)) Scale {
	return Scale{values: func(hits []rank.Hit, _ int, out []float64) float64 {
		for i, h := range hits {
			out[i] = h.Score
		}
		if len(hits) == 0 {
			return math.NaN()
		}
		shift, unit := find(out)
		for i := range out {
			out[i] = (out[i] - shift) / max(unit, minDivisor)
		}
		return math.NaN()
	}}
}

// Reciprocal is 1/(k + rank), k > −1.
//
// Source: G. V. Cormack, C. L. A. Clarke, S. Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual
// rank learning methods", SIGIR 2009.
func Reciprocal(k float64) Scale { return byRank(func(r float64) float64 { return 1 / (k + r) }) }

// InverseSquare is 1/rank².
func InverseSquare() Scale { return byRank(func(r float64) float64 { return 1 / float64(r*r) }) }

// Geometric is (1 − φ)·φ^(rank − 1), 0 < φ < 1.
func Geometric(phi float64) Scale {
	return byRank(func(r float64) float64 { return (1 - phi) * float.Pow(phi, r-1) })
}

// Points is Borda's count. Of C candidates the first gets C points, each next one a point less. The documents
// absent from a list of length n share the remaining points: (C − n + 1)/2 each.
func Points() Scale {
	return Scale{ranks: true, values: func(hits []rank.Hit, candidates int, out []float64) float64 {
		for i := range hits {
			out[i] = float64(candidates - i)
		}
		return float64(candidates-len(hits)+1) / 2
	}}
}

// Raw leaves scores unchanged.
func Raw() Scale { return byScore(func([]float64) (float64, float64) { return 0, 1 }) }

// MinMax maps scores to [0,1].
func MinMax() Scale {
	return byScore(func(s []float64) (float64, float64) {
		low, high := bounds(s)
		return low, high - low
	})
}

// MinMaxInverted is (max − score)/(max − min), for scores where smaller is better.
func MinMaxInverted() Scale {
	s := byScore(func(s []float64) (float64, float64) {
		low, high := bounds(s)
		return low, high - low
	})
	plain := s.values
	s.values = func(hits []rank.Hit, candidates int, out []float64) float64 {
		missing := plain(hits, candidates, out)
		if len(hits) > 0 && hits[0].Score > hits[len(hits)-1].Score { // if all are equal, none is better
			for i := range out {
				out[i] = 1 - out[i]
			}
		}
		return missing
	}
	return s
}

// Largest divides by the largest score. If that is negative, it divides by the absolute value, which keeps the
// order; ranx 0.3.21 divides by 1e−9 instead.
func Largest() Scale {
	return byScore(func(s []float64) (float64, float64) {
		_, high := bounds(s)
		return 0, math.Abs(high)
	})
}

// Share subtracts the minimum and divides by the sum of the differences.
func Share() Scale {
	return byScore(func(s []float64) (float64, float64) {
		low, _ := bounds(s)
		total := 0.0
		for _, v := range s {
			total += v - low
		}
		return low, total
	})
}

// Standard gives scores mean 0 and population standard deviation 1.
func Standard() Scale {
	return byScore(func(s []float64) (float64, float64) {
		mean := 0.0
		for _, v := range s {
			mean += v
		}
		mean /= float64(len(s))
		variance := 0.0
		for _, v := range s {
			variance += float64((v - mean) * (v - mean))
		}
		return mean, math.Sqrt(variance / float64(len(s)))
	})
}

// Place is 1 − (rank − 1)/n in a list of n documents.
func Place() Scale {
	return Scale{ranks: true, values: func(hits []rank.Hit, _ int, out []float64) float64 {
		for i := range hits {
			out[i] = 1 - float64(i)/float64(len(hits))
		}
		return math.NaN()
	}}
}

// BordaShare ranks all C candidates in every list: 1 − (rank − 1)/C, and ½ − (n − 1)/(2C) for the documents absent
// from a list of n.
func BordaShare() Scale {
	return Scale{ranks: true, values: func(hits []rank.Hit, candidates int, out []float64) float64 {
		c := float64(candidates)
		for i := range hits {
			out[i] = 1 - float64(i)/c
		}
		return 0.5 - float64(len(hits)-1)/(2*c)
	}}
}

// bounds returns the minimum and maximum of s, which must not be empty.
func bounds(s []float64) (low, high float64) {
	low, high = s[0], s[0]
	for _, v := range s {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
