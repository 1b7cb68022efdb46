package dense_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// By hand: q = (3, 4); documents a = (1, 0), b = (3, 4), c = (6, 8), o = (0, 0), n = (−3, −4).
// dot: a 3, b 25, c 50, n −25. cosine: a 3/5, b and c 1, n −1. −|q−d|²: a −(4+16) = −20, b 0, c −25, n −100. o has no
// direction. Signs: q, a, b, c are ++ (0 is not negative), n is −−, which differs in both bits: 2 − 2·2 = −2.
func TestTunedByHand(t *testing.T) {
	docs := dense.Round([]float32{1, 0, 3, 4, 6, 8, 0, 0, -3, -4}, 2)
	queries := dense.Round([]float32{3, 4}, 2)
	const a, b, c, n = 0, 1, 2, 4
	cases := []struct {
		name string
		set  dense.SearchParameters
		k    int
		want []rank.Hit
	}{
		{"dot", dense.SearchParameters{}, 9, []rank.Hit{{Doc: c, Score: 50}, {Doc: b, Score: 25}, {Doc: a, Score: 3},
			{Doc: n, Score: -25}}},
		{"dot, two", dense.SearchParameters{}, 2, []rank.Hit{{Doc: c, Score: 50}, {Doc: b, Score: 25}}},
		{"cosine", dense.SearchParameters{Similarity: dense.Cosine}, 9,
			[]rank.Hit{{Doc: b, Score: 1}, {Doc: c, Score: 1}, {Doc: a, Score: .6}, {Doc: n, Score: -1}}},
		{"L2", dense.SearchParameters{Similarity: dense.L2}, 9,
			[]rank.Hit{{Doc: b, Score: 0}, {Doc: a, Score: -20}, {Doc: c, Score: -25}, {Doc: n, Score: -100}}},
		{"signs alone", dense.SearchParameters{Scan: dense.Bit}, 9,
			[]rank.Hit{{Doc: a, Score: 2}, {Doc: b, Score: 2}, {Doc: c, Score: 2}, {Doc: n, Score: -2}}},
		{"signs, three of them scored", dense.SearchParameters{Scan: dense.Bit, Rescore: 3}, 9,
			[]rank.Hit{{Doc: c, Score: 50}, {Doc: b, Score: 25}, {Doc: a, Score: 3}}},
		{"int8, one of them scored", dense.SearchParameters{Scan: dense.Int8, Rescore: 1}, 9,
			[]rank.Hit{{Doc: c, Score: 50}}},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			r, err := dense.NewTuned("m", docs, queries, []string{"q"}, tt.set)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Rank(rank.Query{ID: "q"}, tt.k, nil, nil)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%v, %v; want %v", got, err, tt.want)
			}
			for _, h := range got {
				if p, err := r.Explain(rank.Query{ID: "q"}, nil, h.Doc); err != nil || p.Score != h.Score {
					t.Errorf("document %d: explained as %v, %v; ranked with %v", h.Doc, p.Score, err, h.Score)
				}
			}
		})
	}
	if got := docs.Zero(); !slices.Equal(got, []int{3}) {
		t.Errorf("rows of zeros %v", got)
	}
}

// Oracle: scores of all documents in double precision, sorted. The 32-bit scan must not miss any despite its
// errors: many rows differ only in the last bit of a number, and lengths span nine orders of magnitude.
func TestExactIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for _, dim := range []int{1, 3, 16, 17, 100, 384} {
		for sim, score := range map[dense.Similarity]func(dot, q, d float64) float64{
			dense.Dot:    func(dot, q, d float64) float64 { return dot },
			dense.Cosine: func(dot, q, d float64) float64 { return dot / math.Sqrt(q*d) },
			dense.L2:     func(dot, q, d float64) float64 { return min(0, 2*dot-q-d) },
		} {
			for _, spread := range []float64{1, 1e9} {
				const n = 300
				rows := make([]float32, n*dim)
				for d := range n {
					if d%3 > 0 { // nearly the previous row
						copy(rows[d*dim:(d+1)*dim], rows[(d-1)*dim:])
						c := d*dim + r.IntN(dim)
						rows[c] = math.Nextafter32(rows[c], 1)
						continue
					}
					size := math.Pow(spread, r.Float64()-.5)
					for c := range dim {
						rows[d*dim+c] = float32(r.NormFloat64() * size)
					}
				}
				q := make([]float32, dim)
				for c := range q {
					q[c] = float32(r.NormFloat64())
				}
				var all []rank.Hit
				var qq float64
				for _, x := range q {
					qq += float64(x) * float64(x)
				}
				for d := range n {
					var dot, dd float64
					for c, x := range rows[d*dim : (d+1)*dim] {
						dot += float64(x) * float64(q[c])
						dd += float64(x) * float64(x)
					}
					all = append(all, rank.Hit{Doc: uint32(d), Score: score(dot, qq, dd)})
				}
				slices.SortFunc(all, func(a, b rank.Hit) int {
					if rank.Better(a, b) {
						return -1
					}
					return 1
				})
				x, err := dense.NewTuned("m", dense.Round(rows, dim), dense.Round(q, dim), []string{"q"},
					dense.SearchParameters{Similarity: sim})
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range []int{1, 7, 50, n} {
					got, err := x.Rank(rank.Query{ID: "q"}, k, nil, nil)
					if err != nil || !slices.Equal(got, all[:k]) {
						t.Fatalf("dim %d, similarity %d, spread %g, k %d: %v\n%v\nwant\n%v", dim, sim, spread, k, err,
							got, all[:k])
					}
				}
			}
		}
	}
}

// Over int8 numbers alone, a Tuned ranker without settings equals Ranker bit for bit.
func TestTunedOverInt8IsTheRanker(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rows := make([]float32, 200*40)
	for i := range rows {
		rows[i] = float32(r.NormFloat64())
	}
	docs, queries := dense.Quantise(rows, 40), dense.Quantise(rows[:40*3], 40)
	ids := []string{"a", "b", "c"}
	plain, err := dense.New("m", docs, queries, ids)
	if err != nil {
		t.Fatal(err)
	}
	tuned, err := dense.NewTuned("m", docs, queries, ids, dense.SearchParameters{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		want, _ := plain.Rank(rank.Query{ID: id}, 50, nil, nil)
		got, err := tuned.Rank(rank.Query{ID: id}, 50, nil, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v\nwant %v", id, got, want)
		}
	}
}

// By hand: the signs of (1, −2, 0) are + − +, bits 0 and 2: 5. Back: (1, −1, 1) / √3, and 0 where a row has none.
func TestSigns(t *testing.T) {
	b := dense.Signs([]int8{1, -2, 0, -1, -1, 1}, 3)
	if !slices.Equal(b.Rows, []byte{5, 4}) {
		t.Errorf("signs %v", b.Rows)
	}
	v := b.Vectors([]bool{false, true})
	if !slices.Equal(v.Rows, []int8{1, -1, 1, -1, -1, 1}) || v.Scales[0] != float32(1/math.Sqrt(3)) ||
		v.Scales[1] != 0 {
		t.Errorf("%v %v", v.Rows, v.Scales)
	}
}

// Oracle: shared/embeddings/*/*/top20.json: float64 dot products of the float32 rows (NumPy), which differ by the order
// of addition, so by 1e-12 at most; documents whose vectors are equal tie, and are in descending order of their ids.
func TestEqualToTheReferenceOfEveryModel(t *testing.T) {
	for _, name := range []string{"cranfield", "scifact"} {
		for _, model := range []string{"all-MiniLM-L6-v2", "bge-small-en-v1.5", "e5-small-v2"} {
			t.Run(name+"/"+model, func(t *testing.T) {
				base := shared.Path(t, "embeddings/"+name)
				ids, queryIDs := lines(t, base+"/doc_ids.txt"), lines(t, base+"/query_ids.txt")
				docs, dim := npy(t, base+"/"+model+"/docs.npy")
				queries, _ := npy(t, base+"/"+model+"/queries.npy")
				order := make([]int, len(ids)) // ordinal → row
				for i := range order {
					order[i] = i
				}
				slices.SortFunc(order, func(a, b int) int { return strings.Compare(ids[b], ids[a]) })
				var rows []float32
				for _, row := range order {
					rows = append(rows, docs[row*dim:(row+1)*dim]...)
				}
				r, err := dense.NewTuned(model, dense.Round(rows, dim), dense.Round(queries, dim), queryIDs,
					dense.SearchParameters{})
				if err != nil {
					t.Fatal(err)
				}
				raw, err := os.ReadFile(base + "/" + model + "/top20.json")
				if err != nil {
					t.Fatal(err)
				}
				var want struct {
					Results []struct {
						Query string `json:"query_id"`
						Hits  []struct {
							Doc   string `json:"doc_id"`
							Score float64
						}
					}
				}
				if err := json.Unmarshal(raw, &want); err != nil {
					t.Fatal(err)
				}
				if len(want.Results) != 20 {
					t.Fatalf("%d queries in the reference", len(want.Results))
				}
				for _, q := range want.Results {
					got, err := r.Rank(rank.Query{ID: q.Query}, len(q.Hits), nil, nil)
					if err != nil || len(got) != len(q.Hits) {
						t.Fatalf("query %s: %d hits, %v", q.Query, len(got), err)
					}
					for i, h := range q.Hits {
						if id := ids[order[got[i].Doc]]; id != h.Doc || math.Abs(got[i].Score-h.Score) > 1e-12 {
							t.Fatalf("query %s, rank %d: %s %v; want %s %v", q.Query, i+1, id, got[i].Score, h.Doc,
								h.Score)
						}
					}
				}
			})
		}
	}
}

func ExampleTuned() {
	docs := dense.Round([]float32{.6, .8, 1, 0, -.8, .6}, 2)
	queries := dense.Round([]float32{1, 0}, 2)
	r, _ := dense.NewTuned("my-model", docs, queries, []string{"q1"}, dense.SearchParameters{Similarity: dense.L2})
	hits, _ := r.Rank(rank.Query{ID: "q1"}, 1, nil, nil)
	fmt.Println(hits[0].Doc, hits[0].Score)
	// Output: 1 0
}
