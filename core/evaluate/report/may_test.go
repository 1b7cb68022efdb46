package report

import (
	"math"
	"testing"
)

// By the definitions: nDCG lies between 0 and 1, so two values differ by at most 1. DCG has no largest value.
func TestFiguresThatMayNotBeShown(t *testing.T) {
	for _, c := range []struct {
		measure          string
		v                float64
		n                int
		value, different bool
	}{
		{"nDCG@10", 0.5, 44, true, true},
		{"nDCG@10", 0, 44, true, true},
		{"nDCG@10", 1, 1, true, true},
		{"nDCG@10", 0, 0, false, false}, // the mean of no query
		{"nDCG@10", 24.479, 2, false, false},
		{"nDCG@10", -0.3, 44, false, true},
		{"nDCG@10", math.NaN(), 44, false, false},
		{"DCG@10", 24.479, 44, true, true},
		{"DCG@10", math.Inf(1), 44, true, true},
		{"faithfulness of another tool", 24.479, 44, true, true},
	} {
		if got := May(c.measure, c.v, c.n); got != c.value {
			t.Errorf("%s of %v over %d queries: %v", c.measure, c.v, c.n, got)
		}
		if got := MayDiffer(c.measure, c.v, c.n); got != c.different {
			t.Errorf("a difference of %s of %v over %d queries: %v", c.measure, c.v, c.n, got)
		}
	}
}
