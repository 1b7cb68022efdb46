package dense_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// By hand: the largest of {0.5, −1.27, 0.015} is 1.27, so a step is 0.01; 1.5 of it goes to the even 2.
func TestQuantise(t *testing.T) {
	v := dense.Quantise([]float32{0.5, -1.27, 0.0151, 0, 0, 0}, 3)
	if !slices.Equal(v.Rows, []int8{50, -127, 2, 0, 0, 0}) || v.Scales[0] < 0.0099999 || v.Scales[0] > 0.0100001 ||
		v.Scales[1] != 0 || v.Check() != nil {
		t.Errorf("%+v", v)
	}
}

func readArray(t *testing.T, name string) *collection.Array {
	f, err := os.Open(shared.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := collection.ReadNPY(f, name, collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func readIDs(t *testing.T, name string) []string {
	data, err := os.ReadFile(shared.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// Oracle: NumPy 2.4.6 over Harbour Wire's stored vectors, a scale and int8 a row (scripts/oracle/harbour): dot
// products in float64 of the float32 rows. Rounding a row to float32 changes a score there by a relative 6e-8.
func TestEqualToNumPy(t *testing.T) {
	const folder = "embeddings/harbour-wire/all-MiniLM-L6-v2/"
	ids, queryIDs := readIDs(t, folder+"doc_ids.txt"), readIDs(t, folder+"query_ids.txt")
	docs, queries := readArray(t, folder+"docs.i8.npy"), readArray(t, folder+"queries.i8.npy")
	dim := docs.Dim()
	docSteps, querySteps := readArray(t, folder+"docs.scales.npy").Float32,
		readArray(t, folder+"queries.scales.npy").Float32
	rows := func(v []int8, steps []float32) []float32 {
		out := make([]float32, len(v))
		for i, x := range v {
			out[i] = float32(x) * steps[i/dim]
		}
		return out
	}
	stored, err := dense.New("m", &dense.Vectors{Dim: dim, Rows: docs.Int8, Scales: docSteps},
		&dense.Vectors{Dim: dim, Rows: queries.Int8, Scales: querySteps}, queryIDs)
	if err != nil {
		t.Fatal(err)
	}
	floats, err := dense.NewTuned("m", dense.Round(rows(docs.Int8, docSteps), dim),
		dense.Round(rows(queries.Int8, querySteps), dim), queryIDs, dense.SearchParameters{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(shared.Path(t, folder+"top20.json"))
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
	if err := json.Unmarshal(data, &want); err != nil || len(want.Results) != 20 {
		t.Fatalf("%d queries, %v", len(want.Results), err)
	}
	for _, x := range []struct {
		name      string
		r         rank.Ranker
		tolerance float64
	}{{"int8", stored, 1e-6}, {"float32", floats, 1e-12}} {
		t.Run(x.name, func(t *testing.T) {
			for _, q := range want.Results {
				got, err := x.r.Rank(rank.Query{ID: q.Query}, len(q.Hits), nil, nil)
				if err != nil || len(got) != len(q.Hits) {
					t.Fatalf("query %s: %d hits, %v", q.Query, len(got), err)
				}
				for i, h := range q.Hits {
					if id := ids[got[i].Doc]; id != h.Doc || math.Abs(got[i].Score-h.Score) > x.tolerance {
						t.Errorf("query %s, rank %d: %s %v; want %s %v", q.Query, i+1, id, got[i].Score, h.Doc, h.Score)
					}
				}
			}
		})
	}
}

// The cost of int8 in the stage's documentation. Oracle: the float32 vectors of shared/embeddings/scifact, their
// dot products in double precision.
func TestWhatRoundingCostsOnSciFact(t *testing.T) {
	docs, queries := readIDs(t, "embeddings/scifact/doc_ids.txt"), readIDs(t, "embeddings/scifact/query_ids.txt")
	f, err := os.Open(shared.Path(t, "data/scifact/qrels/test.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	grades := map[string]map[string]int32{}
	for _, row := range rows[1:] {
		g, _ := strconv.Atoi(row[2])
		if grades[row[0]] == nil {
			grades[row[0]] = map[string]int32{}
		}
		grades[row[0]][row[1]] = int32(g)
	}
	ndcg, err := measure.Parse("nDCG@10")
	if err != nil {
		t.Fatal(err)
	}
	least, most := len(queries), 0
	for _, model := range []string{"all-MiniLM-L6-v2", "bge-small-en-v1.5", "e5-small-v2"} {
		d, q := readArray(t, "embeddings/scifact/"+model+"/docs.npy"),
			readArray(t, "embeddings/scifact/"+model+"/queries.npy")
		dim := d.Dim()
		r, err := dense.New(model, dense.Quantise(d.Float32, dim), dense.Quantise(q.Float32, dim), queries)
		if err != nil {
			t.Fatal(err)
		}
		differ, means := 0, [2]float64{}
		var top rank.Top
		for i, id := range queries {
			top.Reset(10, nil)
			for j := range docs {
				var dot float64
				for c := range dim {
					dot += float64(q.Float32[i*dim+c]) * float64(d.Float32[j*dim+c])
				}
				top.Push(rank.Hit{Doc: uint32(j), Score: dot})
			}
			exact := top.Sorted()
			rounded, err := r.Rank(rank.Query{ID: id}, 10, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(exact, rounded, func(a, b rank.Hit) bool { return a.Doc == b.Doc }) {
				differ++
			}
			for k, hits := range [][]rank.Hit{exact, rounded} {
				var topic measure.Topic
				topic.Query = id
				for _, h := range hits {
					g, ok := grades[id][docs[h.Doc]]
					if !ok {
						g = measure.Unjudged
					}
					topic.Ranked = append(topic.Ranked, float64(g))
				}
				for _, g := range grades[id] {
					topic.Judged = append(topic.Judged, float64(g))
				}
				means[k] += ndcg.Score(&topic) / float64(len(queries))
			}
		}
		t.Logf("%s: %d of %d queries, nDCG@10 %.5f and %.5f", model, differ, len(queries), means[0], means[1])
		least, most = min(least, differ), max(most, differ)
		if change := means[1] - means[0]; change > 0.002 || change < -0.002 {
			t.Errorf("%s: nDCG@10 changes by %v", model, change)
		}
	}
	if least != 89 || most != 231 {
		t.Errorf("the first ten differ for %d to %d queries, the documentation says 89 to 231", least, most)
	}
}
