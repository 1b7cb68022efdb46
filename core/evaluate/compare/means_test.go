package compare

import (
	"math"
	"math/rand"
	"strings"
	"testing"
)

// The first means have the bits of the report's, whatever the policy.
func TestMeansAreThoseOfTheReport(t *testing.T) {
	for _, policy := range []string{"", "ties=docid-asc", "missing=skip", "unjudged=condensed", "depth=3"} {
		in := random(t, rand.New(rand.NewSource(5)), 4, 30, 20)
		in.Measures = []string{"nDCG@10", "AP", "RR@10", "P@5", "alpha_nDCG@10"}
		if name, option, ok := strings.Cut(policy, "="); ok {
			if err := in.Policy.Set(name, option); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Open(in)
		if err != nil {
			t.Fatal(err)
		}
		means, err := c.Evaluation.Means(nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Report(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for m, name := range c.Measures() {
			if name != r.Measures[m] {
				t.Errorf("%s: %s, in the report %s", policy, name, r.Measures[m])
			}
			for s, v := range means[m] {
				if math.Float64bits(v) != math.Float64bits(r.Columns[m].Means[s]) {
					t.Errorf("%s: %s of run %d is %g, in the report %g", policy, name, s, v, r.Columns[m].Means[s])
				}
			}
		}
		if _, err := c.Evaluation.Means(func() bool { return true }); err != ErrCancelled {
			t.Errorf("cancelled: %v", err)
		}
	}
}
