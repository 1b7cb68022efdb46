package fuse

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Example is one list's answer to one judged query.
type Example struct {
	Relevant []bool // relevance of its documents, best first
	Of       int    // number of relevant documents of the query
}

// Values fills out with the value of each of a list's documents; len(out) == len(hits).
type Values func(hits []rank.Hit, out []float64)

// Learner derives the values of one list from its answers to at least one judged query.
type Learner struct {
	learn   func(examples []Example) Values
	missing float64 // value of a document absent from the list, NaN for none
}

// byRankValues returns the learned values by rank, and 0 beyond them.
func byRankValues(of []float64) Values {
	return func(hits []rank.Hit, out []float64) {
		for i := range hits {
			out[i] = 0
			if i < len(of) {
				out[i] = of[i]
			}
		}
	}
}

// relevantShare returns how many of the documents at ranks a to b−1 are relevant, divided by of.
func relevantShare(e Example, a, b, of int) float64 {
	n := 0
	for i := a; i < min(b, len(e.Relevant)); i++ {
		if e.Relevant[i] {
			n++
		}
	}
	return float64(n) / float64(of)
}

// Probabilities cuts every list into equal segments. A document's value is the share of relevant documents in its
// segment, divided by the segment's number.
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
					p[k] += relevantShare(e, a, b, b-a)
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

// Segments multiplies the share of relevant documents in growing segments by 1 + the scaled score. Segments end at
// ranks 5, 15, 35, 75, … as in ranx 0.3.21; beyond rank 5115 a document's value is 0.
//
// Source: Shokouhi, "Segmentation of Search Engine Results for Effective Data-Fusion", ECIR 2007.
func Segments(s Scale) Learner {
	ends := []int{0}
	for k := range 10 {
		ends = append(ends, 10<<k-5)
	}
	return Learner{missing: math.NaN(), learn: func(examples []Example) Values {
		value := byRankValues(stepwise(examples, ends))
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

// stepwise returns for every rank the mean share of relevant documents in its segment.
func stepwise(examples []Example, ends []int) []float64 {
	out := make([]float64, ends[len(ends)-1])
	for k := range len(ends) - 1 {
		a, b := ends[k], ends[k+1]
		p := 0.0
		for _, e := range examples {
			p += relevantShare(e, a, b, b-a)
		}
		p /= float64(len(examples))
		for i := a; i < b; i++ {
			out[i] = p
		}
	}
	return out
}

// Positions gives a rank the share of queries whose document there is relevant, among those with a list that long.
// Beyond the longest training list the value is 0; ranx 0.3.21 reads past its table there.
//
// Source: Lillis, Zhang, Toolan, Collier, Leonard, Dunnion, "Estimating probabilities for effective data fusion",
// SIGIR 2010.
func Positions() Learner {
	return Learner{missing: math.NaN(), learn: func(examples []Example) Values {
		return byRankValues(positions(examples))
	}}
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

// Sliding is the mean of Positions over a rank and window ranks on either side.
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

// MeanPrecision is the list's mean average precision divided by the rank.
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

// minOdds is the lower bound of p in Odds.
const minOdds = 0.001

// Odds is ln(p/(1 − p)), where p is the share of relevant documents in the rank's segment and at least 0.001.
// Segments end at ranks 5, 10, 15, 20, 30, 100, 200, 500 and 1000. Documents that are absent or further down get
// the value of p = 0.001.
//
// Source: Aslam, Montague, "Models for Metasearch", SIGIR 2001; segments and lower bound as in ranx 0.3.21.
func Odds() Learner {
	least := float.Log(minOdds / (1 - minOdds))
	return Learner{missing: least, learn: func(examples []Example) Values {
		p := stepwise(examples, []int{0, 5, 10, 15, 20, 30, 100, 200, 500, 1000})
		for i, v := range p {
			if v == 0 {
				v = minOdds
			}
			rest := 1 - v
			if rest == 0 {
				rest = minOdds
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
