package dense_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
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

// Hand computation: q = (1, 2)·0.5; documents (3, 4)·1 → (3+8)·0.5 = 5.5; (5, 0)·2 → 5·0.5·2 = 5; (0, 0)·0 has no text;
// (3, 4)·1 again ties with the first and comes after it.
func small(t *testing.T) *dense.Ranker {
	t.Helper()
	docs := &dense.Vectors{Dim: 2, Rows: []int8{3, 4, 5, 0, 0, 0, 3, 4}, Scales: []float32{1, 2, 0, 1}}
	queries := &dense.Vectors{Dim: 2, Rows: []int8{1, 2}, Scales: []float32{0.5}}
	r, err := dense.New("m", docs, queries, []string{"q1"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRank(t *testing.T) {
	cases := []struct {
		name   string
		k      int
		filter rank.Filter
		want   []rank.Hit
	}{
		{"all, ties by ordinal, empty documents left out", 10, nil,
			[]rank.Hit{{Doc: 0, Score: 5.5}, {Doc: 3, Score: 5.5}, {Doc: 1, Score: 5}}},
		{"k", 2, nil, []rank.Hit{{Doc: 0, Score: 5.5}, {Doc: 3, Score: 5.5}}},
		{"filter", 10, rank.Filter{0b1010}, []rank.Hit{{Doc: 3, Score: 5.5}, {Doc: 1, Score: 5}}},
		{"k = 0", 0, nil, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := small(t).Rank(rank.Query{ID: "q1"}, c.k, c.filter, nil)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %v, %v; want %v", got, err, c.want)
			}
		})
	}
}

func TestATypedQueryCannotBeAnswered(t *testing.T) {
	_, err := small(t).Rank(rank.Query{Text: "typed"}, 10, nil, nil)
	var u *rank.Unanswerable
	if !errors.As(err, &u) || !strings.Contains(u.Reason, "query has no vector") {
		t.Errorf("error %v", err)
	}
}

func TestTheExplanationIsTheScore(t *testing.T) {
	p, err := small(t).Explain(rank.Query{ID: "q1"}, nil, 1)
	if err != nil || p.Score != 5 || p.Values[0].Value != 5 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestSizesThatDoNotFitAreRefused(t *testing.T) {
	ok := &dense.Vectors{Dim: 2, Rows: []int8{1, 2}, Scales: []float32{1}}
	for name, v := range map[string]*dense.Vectors{
		"short rows":     {Dim: 2, Rows: []int8{1}, Scales: []float32{1}},
		"no dimension":   {},
		"other size":     {Dim: 1, Rows: []int8{1}, Scales: []float32{1}},
		"negative scale": {Dim: 2, Rows: []int8{1, 2}, Scales: []float32{-1}},
		"NaN scale":      {Dim: 2, Rows: []int8{1, 2}, Scales: []float32{float32(math.NaN())}},
	} {
		if _, err := dense.New("m", ok, v, []string{"q"}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func npy(t *testing.T, name string) ([]float32, int) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b = b[10+int(binary.LittleEndian.Uint16(b[8:])):]
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out, 384
}

func quantise(f []float32, dim int) *dense.Vectors {
	v := &dense.Vectors{Dim: dim}
	for r := 0; r < len(f); r += dim {
		m := float32(0)
		for _, x := range f[r : r+dim] {
			m = max(m, float32(math.Abs(float64(x))))
		}
		scale := m / 127
		v.Scales = append(v.Scales, scale)
		for _, x := range f[r : r+dim] {
			v.Rows = append(v.Rows, int8(math.RoundToEven(float64(x/scale))))
		}
	}
	return v
}

// Oracle: exact search in float64 over the float32 rows of all-MiniLM-L6-v2 (top20.json of the embeddings). Rows
// quantised to int8 move a score by at most 0.01 and keep at least 18 of the 20 best documents on average.
func TestQuantisedRowsFindWhatExactSearchFinds(t *testing.T) {
	base := shared.Path(t, "embeddings/cranfield/all-MiniLM-L6-v2")
	docs, dim := npy(t, base+"/docs.npy")
	queries, _ := npy(t, base+"/queries.npy")
	raw, err := os.ReadFile(base + "/top20.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Results []struct {
			Query string `json:"query_id"`
			Hits  []struct {
				Doc   string  `json:"doc_id"`
				Score float64 `json:"score"`
			}
		}
	}
	if err := json.Unmarshal(raw, &oracle); err != nil {
		t.Fatal(err)
	}
	docIDs := lines(t, base+"/../doc_ids.txt")
	queryIDs := lines(t, base+"/../query_ids.txt")
	r, err := dense.New("minilm", quantise(docs, dim), quantise(queries, dim), queryIDs)
	if err != nil {
		t.Fatal(err)
	}
	found, total := 0, 0
	for _, q := range oracle.Results {
		hits, err := r.Rank(rank.Query{ID: q.Query}, 20, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, h := range hits {
			got[docIDs[h.Doc]] = h.Score
		}
		for _, h := range q.Hits {
			total++
			if g, ok := got[h.Doc]; ok {
				found++
				if math.Abs(g-h.Score) > 0.01 {
					t.Errorf("query %s document %s: %v, exact %v", q.Query, h.Doc, g, h.Score)
				}
			}
		}
	}
	if total == 0 || float64(found)/float64(total) < 0.9 {
		t.Errorf("%d of %d documents of the exact top 20 were found", found, total)
	}
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}

// The twin of the SIMD kernel: exact, whatever the signs.
func TestScanIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		dim, n := 1+r.IntN(70), r.IntN(9)
		q, rows := make([]int8, dim), make([]int8, dim*n)
		for i := range q {
			q[i] = int8(r.IntN(256) - 128)
		}
		for i := range rows {
			rows[i] = int8(r.IntN(256) - 128)
		}
		dst := make([]int32, n)
		dense.Scan(dst, rows, q)
		for i := range dst {
			var want int64
			for c := range q {
				want += int64(q[c]) * int64(rows[i*dim+c])
			}
			if int64(dst[i]) != want {
				t.Fatalf("row %d: %d, want %d", i, dst[i], want)
			}
		}
	}
}

func BenchmarkRank(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	docs := &dense.Vectors{Dim: 384, Rows: make([]int8, 5183*384), Scales: make([]float32, 5183)}
	for i := range docs.Rows {
		docs.Rows[i] = int8(r.IntN(255) - 127)
	}
	for i := range docs.Scales {
		docs.Scales[i] = 0.002
	}
	rk, err := dense.New("m", docs, &dense.Vectors{Dim: 384, Rows: docs.Rows[:384], Scales: docs.Scales[:1]},
		[]string{"q"})
	if err != nil {
		b.Fatal(err)
	}
	var hits []rank.Hit
	b.Run("docs=5183/dim=384/k=100", func(b *testing.B) {
		for b.Loop() {
			hits, _ = rk.Rank(rank.Query{ID: "q"}, 100, nil, hits)
		}
	})
}
