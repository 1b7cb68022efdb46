package compare

import (
	"math/rand"
	"testing"
)

// queries=20/runs=20/depth=100: of 190 pairs.
func BenchmarkAgreements(b *testing.B) {
	in := random(b, rand.New(rand.NewSource(1)), 20, 20, 100)
	c, err := Open(in)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Agreements(nil); err != nil {
			b.Fatal(err)
		}
	}
}
