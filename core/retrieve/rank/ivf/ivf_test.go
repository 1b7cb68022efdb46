package ivf_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank/ivf"
)

// testdata/faiss.json comes from Faiss 1.15.1: Clustering with spherical centroids, 8 rounds from the same first
// centres, and IndexIVFFlat over the result. Queries are the first 8 rows plus 0.375 × (0 1 2 3 4).
func TestIndexIsThatOfFaiss(t *testing.T) {
	data, err := os.ReadFile("testdata/faiss.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Rows    [][]float32
		Centres [][]float64
		Lists   [][]int
		Found   []struct {
			Probes int
			Docs   [][]int
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	x, err := ivf.New(want.Rows, len(want.Lists), 8)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range want.Centres {
		for j, v := range c {
			if math.Abs(v-x.Centres[i][j]) > 2e-5 {
				t.Errorf("centre %d, number %d: %v, want %v", i, j, x.Centres[i][j], v)
			}
		}
		if !slices.Equal(x.Lists[i], want.Lists[i]) {
			t.Errorf("list %d: %v, want %v", i, x.Lists[i], want.Lists[i])
		}
	}
	for _, f := range want.Found {
		for i, docs := range f.Docs {
			q := slices.Clone(want.Rows[i])
			for j := range q {
				q[j] += 0.375 * float32(j)
			}
			got, products := x.Search(q, 5, f.Probes)
			sum := len(x.Lists)
			for _, l := range x.Order(q)[:f.Probes] {
				sum += len(x.Lists[l])
			}
			for len(got) < len(docs) { // Faiss pads with −1
				got = append(got, -1)
			}
			if !slices.Equal(got, docs) || products != sum {
				t.Errorf("%d probes, query %d: %v with %d products, want %v with %d", f.Probes, i, got, products,
					docs, sum)
			}
		}
	}
}

// By hand: the rows at 0°, 90° and 10° in two lists from rows 0 and 1. Row 2 joins row 0, whose centre moves to 5°.
func TestIndexByHand(t *testing.T) {
	at := func(degrees float64) []float32 {
		return []float32{float32(math.Cos(degrees * math.Pi / 180)), float32(math.Sin(degrees * math.Pi / 180))}
	}
	x, err := ivf.New([][]float32{at(0), at(90), at(10)}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.Lists[0], []int{0, 2}) || !slices.Equal(x.Lists[1], []int{1}) {
		t.Errorf("lists %v", x.Lists)
	}
	if got := math.Atan2(x.Centres[0][1], x.Centres[0][0]) * 180 / math.Pi; math.Abs(got-5) > 1e-5 {
		t.Errorf("the centre is at %v°", got)
	}
	if docs, products := x.Search(at(40), 2, 1); !slices.Equal(docs, []int{2, 0}) || products != 4 {
		t.Errorf("%v with %d products", docs, products)
	}
	for _, lists := range []int{0, 4} {
		if _, err := ivf.New([][]float32{at(0), at(1), at(2)}, lists, 1); err == nil {
			t.Errorf("%d lists of 3 documents", lists)
		}
	}
}
