package dense_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// biased makes rankers scan biased rows during a test, with a slow and simple implementation that unbiases them.
func biased(t *testing.T) {
	dense.ScanBiased = func(dst []int32, rows, q []int8) {
		for r := range dst {
			at := []uint32{uint32(r)}
			dense.ScanBiasedAt(dst[r:r+1], rows, at, q)
		}
	}
	dense.ScanBiasedAt = func(dst []int32, rows []int8, at []uint32, q []int8) {
		for i, r := range at {
			row := slices.Clone(rows[int(r)*len(q):][:len(q)])
			for c := 0; c < len(row); c += 2 {
				row[c] = int8(uint8(row[c]) - 128)
			}
			dense.Scan(dst[i:i+1], row, q)
		}
	}
	t.Cleanup(func() { dense.ScanBiased, dense.ScanBiasedAt = nil, nil })
}

// Rows that a ranker biased read back unchanged: one by one, together, by another ranker over the same vectors
// (which does not bias them again), and in the first program. Neighbouring memory is not changed.
func TestBiasedRowsAreReadAsTheyWere(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 5))
	for _, dim := range []int{1, 2, 7, 16, 33} {
		memory := make([]int8, 9*dim)
		for i := range memory {
			memory[i] = int8(r.IntN(256) - 128)
		}
		rows := slices.Clone(memory)
		of := func(rows []int8) *dense.Vectors {
			scales := make([]float32, len(rows)/dim)
			for i := range scales {
				scales[i] = 1
			}
			return &dense.Vectors{Dim: dim, Rows: rows, Scales: scales}
		}
		docs, queries := of(memory[:8*dim]), of(memory[8*dim:])
		plain, err := dense.New("m", of(rows[:8*dim]), queries, []string{"q"})
		if err != nil {
			t.Fatal(err)
		}
		want, err := plain.Rank(rank.Query{ID: "q"}, 8, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		biased(t)
		for _, name := range []string{"once", "again"} {
			x, err := dense.NewTuned("m", docs, queries, []string{"q"}, dense.SearchParameters{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.Rank(rank.Query{ID: "q"}, 8, nil, nil)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d dimensions, ranked %s: %v, %v; want %v", dim, name, got, err, want)
			}
			if !slices.Equal(docs.All(), rows[:8*dim]) || !slices.Equal(docs.Row(3), rows[3*dim:4*dim]) ||
				!slices.Equal(memory[8*dim:], rows[8*dim:]) {
				t.Errorf("%d dimensions, %s: rows %v, row 3 %v; want %v", dim, name, docs.All(), docs.Row(3), rows)
			}
			if docs.Rows != nil || docs.Check() != nil {
				t.Errorf("%d dimensions: %d numbers that would be read as they stand, %v", dim, len(docs.Rows),
					docs.Check())
			}
		}
		x, err := dense.New("m", docs, queries, []string{"q"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Rank(rank.Query{ID: "q"}, 8, nil, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d dimensions, by the ranker of the first program: %v, %v; want %v", dim, got, err, want)
		}
		a, err := x.Explain(rank.Query{ID: "q"}, nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		b, err := plain.Explain(rank.Query{ID: "q"}, nil, 2)
		if err != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%d dimensions, explained as %v; want %v, %v", dim, a, b, err)
		}
	}
}
