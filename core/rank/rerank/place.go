package rerank

import (
	"math"

	"github.com/rankbox/rankbox/core/rank"
)

// descend gives hits, which are in a new order, scores that go down with it: each place keeps the score that the
// ranking had there. Where that would tie a document with one before it that it should stand behind, it gets the next
// smaller number.
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

// relevance returns a score between 0 and 1 over a ranking: 1 for its first document, 0 for its last, 1 for all where
// they are equal.
func relevance(hits []rank.Hit, score float64) float64 {
	low := hits[len(hits)-1].Score
	if unit := hits[0].Score - low; unit > 0 {
		return (score - low) / unit
	}
	return 1
}

// below is the next smaller number.
func below(s float64) float64 { return math.Nextafter(s, math.Inf(-1)) }
