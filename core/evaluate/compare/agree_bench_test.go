package compare

import (
	"math/rand"
	"strconv"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
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

func BenchmarkCompare(b *testing.B) {
	rnd := rand.New(rand.NewSource(1))
	in := Input{Qrels: collection.NewQrels(), Measures: []string{"nDCG@10", "AP", "RR", "P@10", "Judged@10"}}
	for q := range 300 {
		for range 30 {
			in.Qrels.Add(strconv.Itoa(q), strconv.Itoa(rnd.Intn(300)), float64(rnd.Intn(4)))
		}
	}
	for s := range 20 {
		r := collection.NewRunBuilder("")
		for q := range 300 {
			for i, d := range rnd.Perm(300)[:100] {
				r.Add(strconv.Itoa(q), strconv.Itoa(d), float64(100-i)+rnd.Float64())
			}
		}
		run, _ := r.Run()
		in.Runs = append(in.Runs, Named{Name: "run" + strconv.Itoa(s), Run: run})
	}
	b.Run("systems=20/queries=300/docs=100", func(b *testing.B) {
		for b.Loop() {
			if _, err := Compare(in, nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
