package classify_test

import (
	"math"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/retrieve/rank/classify"
)

// Queries outside the training data.
func TestOf(t *testing.T) {
	tests := []struct {
		query string
		want  classify.Type
	}{
		{"who is the mayor of Kelmouth", classify.Factual},
		{"why did the bridge fall", classify.Analytical},
		{"effects of cheap flights on small towns", classify.Analytical},
		{"latest on the tram crash 4 May 2025", classify.Breaking},
		{"cholera of 1849", classify.Historical},
		{"", classify.Factual},
	}
	for _, tt := range tests {
		c := classify.Of(tt.query)
		sum := 0.0
		for _, p := range c.Probability {
			sum += p
		}
		if c.Type != tt.want || math.Abs(sum-1) > 1e-12 {
			t.Errorf("%q is %v %v for %q, want %v", tt.query, c.Type, c.Probability, c.Signs, tt.want)
		}
	}
}

// By hand: a weight of ln 3 for one type, and none for the others, gives a probability of 3/6.
func TestProbability(t *testing.T) {
	names, _ := classify.Rules()
	m := make(classify.Model, 1+len(names))
	m[1+slices.Index(names, "asks why")][classify.Analytical] = float.Log(3)
	c := m.Of("why")
	if c.Type != classify.Analytical || math.Abs(c.Probability[classify.Analytical]-0.5) > 1e-15 ||
		math.Abs(c.Probability[classify.Factual]-1./6) > 1e-15 {
		t.Errorf("%+v", c)
	}
}

// Training finds the sign that separates two types: "why" is in all queries of one and in none of the other.
func TestTrain(t *testing.T) {
	m := classify.Train([]classify.Example{{Query: "why a", Type: classify.Analytical},
		{Query: "why b", Type: classify.Analytical}, {Query: "in 1849", Type: classify.Historical}})
	if m.Of("why c").Type != classify.Analytical || m.Of("of 1903").Type != classify.Historical {
		t.Errorf("%v", m)
	}
}
