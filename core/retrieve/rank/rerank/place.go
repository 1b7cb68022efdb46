package rerank

import (
	"math"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// descend gives reordered hits descending scores: each rank keeps its original score. If that would tie a document
// with the one before it although its ordinal is smaller, it gets the next smaller number.
func descend(hits []rank.Hit, scores []float64) {
	for i := range hits {
		hits[i].Score = scores[i]
		if i > 0 && !rank.Better(hits[i-1], hits[i]) {
			hits[i].Score = below(hits[i-1].Score)
		}
	}
}

// scoresOf returns the scores of a ranking.
func scoresOf(hits []rank.Hit) []float64 {
	out := make([]float64, len(hits))
	for i, h := range hits {
		out[i] = h.Score
	}
	return out
}

// relevance scales a score to [0,1] over a ranking: 1 for its first document, 0 for its last, 1 for all if they are
// equal.
func relevance(hits []rank.Hit, score float64) float64 {
	low := hits[len(hits)-1].Score
	if unit := hits[0].Score - low; unit > 0 {
		return (score - low) / unit
	}
	return 1
}

// below returns the next smaller number.
func below(s float64) float64 { return math.Nextafter(s, math.Inf(-1)) }
