package kernel

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

type doc struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func readJSONL(t testing.TB, name string) []doc {
	root := os.Getenv("RANKBOX_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	f, err := os.Open(root + "/" + name)
	if err != nil {
		t.Skip("the whole of scifact is absent: ", name, " is not in RANKBOX_SHARED")
	}
	defer f.Close()
	var out []doc
	for dec := json.NewDecoder(f); dec.More(); {
		var d doc
		if err := dec.Decode(&d); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

func scifact(t testing.TB) (*index.Index, []doc) {
	docs := readJSONL(t, "data/scifact/corpus.jsonl")
	slices.SortFunc(docs, func(a, b doc) int { return strings.Compare(b.ID, a.ID) })
	a, err := text.Get("lucene-english")
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(a)
	for _, d := range docs {
		b.Add(d.Title, d.Text)
	}
	return b.Build(), readJSONL(t, "data/scifact/queries.jsonl")
}

// Oracle: the Go twin bm25.RunGo, on the 300 queries of SciFact.
func TestRankSciFact(t *testing.T) {
	k := newKernels(t)
	x, queries := scifact(t)
	for _, title := range []float64{1, 3} {
		p := stage.BM25Params(stage.MustParse("bm25"))
		p.Title = title
		r, err := bm25.New(x, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range queries {
			for _, top := range []int{10, 100, 1000} {
				var want []rank.Hit
				bm25.Run = func(j *bm25.Job) []rank.Hit {
					want = bm25.RunGo(clone(j))
					return k.rank(j)
				}
				got, err := r.Rank(rank.Query{Text: q.Text}, top, nil, nil)
				bm25.Run = bm25.RunGo
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("query %s, title %v, k=%d: %d hits, want %d", q.ID, title, top, len(got), len(want))
				}
			}
		}
	}
}

// BenchmarkBM25 ranks the 300 queries of SciFact: one operation is one query, and median-µs is the median over the
// queries of the best time of each.
func BenchmarkBM25(b *testing.B) {
	x, queries := scifact(b)
	for _, c := range []struct {
		name           string
		kernel, parsed bool
		title          float64
	}{
		{"terms/kernel", true, true, 1},
		{"terms/go", false, true, 1},
		{"text/kernel", true, false, 1},
		{"text/go", false, false, 1},
		{"terms/title=3/kernel", true, true, 3},
		{"terms/title=3/go", false, true, 3},
	} {
		b.Run("docs=5183/k=100/"+c.name, func(b *testing.B) {
			if c.kernel && !available {
				b.Skip("there are no kernels here")
			}
			old := bm25.Run
			defer func() { bm25.Run = old }()
			bm25.Run = bm25.RunGo
			if c.kernel {
				bm25.Run = Rank
			}
			p := stage.BM25Params(stage.MustParse("bm25"))
			p.Title = c.title
			r, err := bm25.New(x, p)
			if err != nil {
				b.Fatal(err)
			}
			terms := make([][]bm25.Term, len(queries))
			for i, q := range queries {
				terms[i] = slices.Clone(r.Terms(q.Text))
			}
			var hits []rank.Hit
			one := func(i int) {
				if c.parsed {
					hits = r.RankTerms(terms[i], 100, nil, hits)
				} else {
					hits, _ = r.Rank(rank.Query{Text: queries[i].Text}, 100, nil, hits)
				}
			}
			i := 0
			for b.Loop() {
				one(i % len(queries))
				i++
			}
			b.ReportMetric(median(len(queries), one), "median-µs")
		})
	}
}

// median returns the median over n items of the time each takes, in µs. Each time is the best of several means,
// because the machine has other work.
func median(n int, one func(i int)) float64 {
	times := make([]float64, n)
	for i := range times {
		one(i)
		for range 12 {
			const repeat = 20
			start := time.Now()
			for range repeat {
				one(i)
			}
			if t := float64(time.Since(start).Nanoseconds()) / repeat / 1000; times[i] == 0 || t < times[i] {
				times[i] = t
			}
		}
	}
	slices.Sort(times)
	return times[n/2]
}

// BenchmarkRead decodes SciFact's index, including titles.
func BenchmarkRead(b *testing.B) {
	x, _ := scifact(b)
	data := x.Bytes()
	if Install() {
		defer func() { index.UnpackTerms, index.Unpack = nil, nil }()
	}
	b.Run("docs=5183/"+mode(), func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := index.Read(data); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(median(1, func(int) {
			if _, err := index.Read(data); err != nil {
				b.Fatal(err)
			}
		})/1000, "best-ms")
	})
}

func BenchmarkScan(b *testing.B) {
	const n, dim = 100_000, 384
	r := rand.New(rand.NewPCG(1, 1))
	rows, q, dst := int8s(r, n*dim), int8s(r, dim), make([]int32, n)
	name := fmt.Sprintf("docs=100k/dim=%d/", dim)
	b.Run("dotI8/"+name+mode(), func(b *testing.B) {
		for b.Loop() {
			DotI8(dst, rows, q)
		}
	})
	frows, fq, fdst := floats(r, n/10*dim), floats(r, dim), make([]float32, n/10)
	b.Run("dotF32/"+fmt.Sprintf("docs=10k/dim=%d/", dim)+mode(), func(b *testing.B) {
		for b.Loop() {
			DotF32(fdst, frows, fq)
		}
	})
	bits, bq, bdst, counts := make([]byte, n*dim/8), make([]byte, dim/8), make([]uint32, n), make([]uint32, dim+1)
	b.Run("hamming/"+name+mode(), func(b *testing.B) {
		for b.Loop() {
			Hamming(bdst, counts, bits, bq)
		}
	})
	tokens, query := int8s(r, 100*180*128), int8s(r, 32*128)
	scales, qscales := make([]float32, 100*180), make([]float32, 32)
	offsets := make([]uint32, 101)
	for i := range offsets {
		offsets[i] = uint32(180 * i)
	}
	sims := make([]float32, 100)
	b.Run("maxSimI8/docs=100/tokens=180/dim=128/"+mode(), func(b *testing.B) {
		for b.Loop() {
			MaxSimI8(sims, tokens, scales, offsets, query, qscales)
		}
	})
}

func mode() string {
	if available {
		return "kernel"
	}
	return "go"
}

// BenchmarkCall measures the overhead of a kernel call with minimal work.
func BenchmarkCall(b *testing.B) {
	dst, counts, rows, q := make([]uint32, 1), make([]uint32, 9), make([]byte, 1), make([]byte, 1)
	b.Run(mode(), func(b *testing.B) {
		for b.Loop() {
			Hamming(dst, counts, rows, q)
		}
	})
}
