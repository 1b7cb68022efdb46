package packed

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand"
	"slices"
	"strconv"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// alike is a comparison of runs that agree in part, with gaps, ties and documents that nobody judged.
func alike(seed int64, runs, queries, depth int) compare.Input {
	rnd := rand.New(rand.NewSource(seed))
	in := compare.Input{Qrels: collection.NewQrels(), Measures: []string{"nDCG@10", "AP"}}
	builders := make([]*collection.RunBuilder, runs)
	for s := range builders {
		builders[s] = collection.NewRunBuilder("run " + strconv.Itoa(s))
	}
	for q := range queries {
		id := strconv.Itoa(1000 + 7*q)
		worth := make([]float64, 3*depth)
		for d := range worth {
			worth[d] = rnd.Float64()
			if rnd.Intn(3) > 0 {
				in.Qrels.Add(id, "doc-"+strconv.Itoa(d*d), float64(int(worth[d]*worth[d]*4.2)-rnd.Intn(10)/9))
			}
		}
		for s, b := range builders {
			if rnd.Intn(20) == 0 { // a query that the run did not answer
				continue
			}
			order := rnd.Perm(len(worth))
			at := make([]float64, len(worth))
			for d := range at {
				at[d] = worth[d] + rnd.Float64()*float64(s%4+1)/2
			}
			slices.SortFunc(order, func(x, y int) int { return map[bool]int{true: -1, false: 1}[at[x] > at[y]] })
			for i, d := range order[:rnd.Intn(depth)+1] {
				b.Add(id, "doc-"+strconv.Itoa(d*d), float64(1000-i-i%5)) // some share a score
			}
		}
	}
	for s, b := range builders {
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: "run " + strconv.Itoa(s), Run: run})
	}
	return in
}

// What is written of a comparison is the same to the byte as when these sums were taken, on 2026-11-27: whoever changes
// how anything is coded changes what old links say, and has to give the form a new version.
func TestTheFormsArePinned(t *testing.T) {
	for _, c := range []struct {
		seed                 int64
		runs, queries, depth int
		graded, plain        string // the beginning of the SHA-256 sum
	}{
		{1, 1, 3, 5, "5a8f449d71a089a1", "667d32bf28ebed70"},
		{2, 4, 40, 30, "739af2e23fef29c6", "ba7ea5dc8604acdb"},
		{3, 12, 25, 100, "51999381db930896", "2846ce9145e11026"},
		{4, 3, 6, 900, "f2c8064ffccd7e75", "e428bc653094bbc7"},
		{5, 2, 9, 10, "aea4537c47fb1037", "3e12bf8ca8256748"}, // with texts and fields of the queries
	} {
		in := alike(c.seed, c.runs, c.queries, c.depth)
		for q := 0; q < c.queries && c.seed == 5; q++ {
			in.Queries = append(in.Queries, collection.Query{ID: strconv.Itoa(1000 + 7*q),
				Text: "what is " + strconv.Itoa(q*q), Type: []string{"factual", "", "broad"}[q%3],
				Difficulty: []string{"hard", "easy"}[q%2], Domain: "law"})
		}
		sum := func(b []byte) string {
			h := sha256.Sum256(b)
			return hex.EncodeToString(h[:8])
		}
		b := grades(t, in, reported(t, in))
		f, err := Unpack(b)
		if err != nil {
			t.Fatal(err)
		}
		same(t, reported(t, in), reported(t, f.Input))
		plain, err := Pack(File{Input: in}, Saving{Scores: true, Names: true})
		if err != nil {
			t.Fatal(err)
		}
		if sum(b) != c.graded || sum(plain) != c.plain {
			t.Errorf("%d × %d × %d: %d bytes %s by grades, %d bytes %s by documents", c.runs, c.queries, c.depth,
				len(b),
				sum(b), len(plain), sum(plain))
		}
	}
}
