package fuse

import (
	"math"

	"github.com/rankbox/rankbox/core/float"
	"github.com/rankbox/rankbox/core/rank"
)

// Example is what one list answered to one judged query.
type Example struct {
	Relevant []bool // of its documents, best first
	Of       int    // relevant documents that the query has in all
}

// Values fills out with what each of a list's documents is worth; len(out) == len(hits).
type Values func(hits []rank.Hit, out []float64)

// Learner makes the values of one list of what it answered to judged queries, of which there is at least one.
type Learner struct {
	learn   func(examples []Example) Values
	missing float64 // what a list gives a document that it does not hold, NaN for nothing
}

// places are values by place, of which learned are len(of): 0 behind them.
func places(of []float64) Values {
	return func(hits []rank.Hit, out []float64) {
		for i := range hits {
			out[i] = 0
			if i < len(of) {
				out[i] = of[i]
			}
		}
	}
}

// share returns how many of the places from a to before b are relevant, by how many there ought to be.
func share(e Example, a, b, of int) float64 {
	n := 0
	for i := a; i < min(b, len(e.Relevant)); i++ {
		if e.Relevant[i] {
			n++
		}
	}
	return float64(n) / float64(of)
}

// Probabilities cuts every list into as many segments of one size, and is worth the share of relevant documents in the
// segment, by the number of the segment.
//
// Source: Lillis, Toolan, Collier, Dunnion, "ProbFuse: a probabilistic approach to data fusion", SIGIR 2006.
func Probabilities(segments int) Learner {
	size := func(n int) int { return max(1, (n+segments-1)/segments) }
	return Learner{missing: math.NaN(), learn: func(examples []Example) Values {
		p := make([]float64, segments)
		for _, e := range examples {
			s := size(len(e.Relevant))
			for k := range p {
				if a, b := k*s, min((k+1)*s, len(e.Relevant)); a < b {
					p[k] += share(e, a, b, b-a)
				}
			}
		}
		for k := range p {
			p[k] /= float64(len(examples))
		}
		return func(hits []rank.Hit, out []float64) {
			s := size(len(hits))
			for i := range hits {
				k := i / s
				out[i] = p[k] / float64(k+1)
			}
		}
	}}
}

// Segments is worth the share of relevant documents in segments that grow, times one more than the scaled score. They
// end at the places 5, 15, 35, 75, … as in ranx 0.3.21; behind the place 5115 a document is worth nothing.
//
// Source: Shokouhi, "Segmentation of Search Engine Results for Effective Data-Fusion", ECIR 2007.
func Segments(s Scale) Learner {
	ends := []int{0}
	for k := range 10 {
		ends = append(ends, 10<<k-5)
	}
	return Learner{missing: math.NaN(), learn: func(examples []Example) Values {
		value := places(stepwise(examples, ends))
		return func(hits []rank.Hit, out []float64) {
			scaled := make([]float64, len(hits))
			s.values(hits, len(hits), scaled)
			value(hits, out)
			for i := range out {
				out[i] *= scaled[i] + 1
			}
		}
	}}
}

// stepwise returns for every place the mean share of relevant documents between the ends around it.
func stepwise(examples []Example, ends []int) []float64 {
	out := make([]float64, ends[len(ends)-1])
	for k := range len(ends) - 1 {
		a, b := ends[k], ends[k+1]
		p := 0.0
		for _, e := range examples {
			p += share(e, a, b, b-a)
		}
		p /= float64(len(examples))
		for i := a; i < b; i++ {
			out[i] = p
		}
	}
	return out
}

// Positions is worth the share of queries whose document at this place is relevant, of those whose list is as long; 0
// behind the longest list that was learned from, where ranx 0.3.21 reads what stands behind its table.
//
// Source: Lillis, Zhang, Toolan, Collier, Leonard, Dunnion, "Estimating probabilities for effective data fusion", SIGIR
// 2010.
func Positions() Learner {
	return Learner{missing: math.NaN(), learn: func(examples []Example) Values { return places(positions(examples)) }}
}

func positions(examples []Example) []float64 {
	var hit, all []float64
	for _, e := range examples {
		for i, yes := range e.Relevant {
			if i == len(all) {
				hit, all = append(hit, 0), append(all, 0)
			}
			all[i]++
			if yes {
				hit[i]++
			}
		}
	}
	for i := range hit {
		hit[i] /= all[i]
	}
	return hit
}

// Sliding is worth the mean of what Positions gives to the place and to as many around it as window says, on either
// side.
//
// Source: Lillis, Toolan, Collier, Dunnion, "Extending Probabilistic Data Fusion Using Sliding Windows", ECIR 2008.
func Sliding(window int) Learner {
	return Learner{missing: math.NaN(), learn: func(examples []Example) Values {
		p := positions(examples)
		return func(hits []rank.Hit, out []float64) {
			for i := range hits {
				a, b := max(0, i-window), min(i+window, len(hits)-1)
				sum := 0.0
				for j := a; j <= b && j < len(p); j++ {
					sum += p[j]
				}
				out[i] = sum / float64(b-a+1)
			}
		}
	}}
}

// MeanPrecision is worth the mean average precision of the list by the rank.
//
// Source: as Positions.
func MeanPrecision() Learner {
	return Learner{missing: math.NaN(), learn: func(examples []Example) Values {
		mean := 0.0
		for _, e := range examples {
			sum, n := 0.0, 0
			for i, yes := range e.Relevant {
				if yes {
					n++
					sum += float64(n) / float64(i+1)
				}
			}
			if e.Of > 0 {
				mean += sum / float64(e.Of)
			}
		}
		mean /= float64(len(examples))
		return func(hits []rank.Hit, out []float64) {
			for i := range hits {
				out[i] = mean / float64(i+1)
			}
		}
	}}
}

// rare is the least probability that Odds takes.
const rare = 0.001

// Odds is worth ln(p/(1 − p)), p being the share of relevant documents between the places 0, 5, 10, 15, 20, 30, 100,
// 200, 500 and 1000 around it, and at least 0.001; as much as that where the list does not hold a document, or further
// down.
//
// Source: Aslam, Montague, "Models for Metasearch", SIGIR 2001; places and least probability as ranx 0.3.21.
func Odds() Learner {
	least := float.Log(rare / (1 - rare))
	return Learner{missing: least, learn: func(examples []Example) Values {
		p := stepwise(examples, []int{0, 5, 10, 15, 20, 30, 100, 200, 500, 1000})
		for i, v := range p {
			if v == 0 {
				v = rare
			}
			rest := 1 - v
			if rest == 0 {
				rest = rare
			}
			p[i] = float.Log(v / rest)
		}
		return func(hits []rank.Hit, out []float64) {
			for i := range hits {
				out[i] = least
				if i < len(p) {
					out[i] = p[i]
				}
			}
		}
	}}
}
