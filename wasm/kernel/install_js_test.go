package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
)

// Oracle: the same rankings with core's own loops, before Install, to the bit.
func TestRankingsByTheKernelsAreThoseOfTheLoops(t *testing.T) {
	newKernels(t)
	r := rand.New(rand.NewPCG(12, 3))
	const dim, n = 384, 3000
	rows := floats(r, n*dim)
	for d := 7; d < n; d += 7 { // similar to the query, and sometimes zero
		for c := range dim {
			rows[d*dim+c] = rows[c] + rows[d*dim+c]/2
			if d%49 == 0 {
				rows[d*dim+c] = 0
			}
		}
	}
	docs, queries := dense.Round(rows, dim), dense.Round(rows[:dim], dim)
	tokens := &late.Tokens{Dim: 64, Scale: .01, Rows: int8s(r, 200*64), Offsets: []uint32{0, 0, 3, 90, 91, 200}}
	asked := &late.Tokens{Dim: 64, Scale: .01, Rows: int8s(r, 13*64), Offsets: []uint32{0, 13}}
	filter := make(rank.Filter, (n+63)/64)
	for i := range filter {
		filter[i] = r.Uint64() | 0b10100 // include the documents with token vectors
	}
	all := func() (out []rank.Hit) {
		rankers := []rank.Ranker{}
		for _, similarity := range []dense.Similarity{dense.Dot, dense.Cosine, dense.L2} {
			for _, s := range []dense.SearchParameters{
				{}, {Scan: dense.Int8, Rescore: 150}, {Scan: dense.Bit, Rescore: 300},
				{Scan: dense.Bit, Int8: 500, Rescore: 120}, {Scan: dense.Bit, Int8: 501},
			} {
				s.Similarity = similarity
				x, err := dense.NewTuned("m", docs, queries, []string{"q"}, s)
				if err != nil {
					t.Fatal(err)
				}
				rankers = append(rankers, x)
			}
		}
		x, err := late.New("m", tokens, asked, []string{"q"})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range append(rankers, x) {
			for _, f := range []rank.Filter{nil, filter} {
				hits, err := x.Rank(rank.Query{ID: "q"}, 100, f, nil)
				if err != nil || len(hits) == 0 {
					t.Fatalf("%d hits, %v", len(hits), err)
				}
				out = append(out, hits...)
			}
		}
		return out
	}
	want := all()
	if !install(t) {
		t.Fatal("the kernels are not there")
	}
	got := all()
	if !slices.EqualFunc(got, want, func(a, b rank.Hit) bool {
		return a.Doc == b.Doc && math.Float64bits(a.Score) == math.Float64bits(b.Score)
	}) {
		t.Errorf("%d hits %v\nwant %d %v", len(got), got[:3], len(want), want[:3])
	}
}

// Oracle: the encoder's own sums, text by text, to the bit. A text may have more tokens than a batch collects.
func TestTextsEncodedByTheKernelHaveTheSameVectors(t *testing.T) {
	newKernels(t)
	r := rand.New(rand.NewPCG(26, 11))
	vocabulary := []string{"[UNK]", "[CLS]", "a", "##b", "c", "##a", "b"}
	f := &encoder.File{Name: "any", Teacher: "none", Dim: 48, Vocabulary: strings.Join(vocabulary, "\n") + "\n"}
	packed := make([]byte, len(vocabulary)*f.Dim/2)
	for i := range packed {
		packed[i] = byte(r.IntN(256))
	}
	f.Rows = string(packed)
	for range vocabulary {
		f.Scales = append(f.Scales, float64(r.Float32()))
	}
	s, err := encoder.New(f)
	if err != nil {
		t.Fatal(err)
	}
	if !install(t) {
		t.Fatal("the kernels are not there")
	}
	batch := s.Batch()
	for _, text := range []string{"", "a", "ab c", "d", strings.Repeat("c aba b\n", 700), "c"} {
		got, want := batch.Encode(text, nil), s.Encode(text, nil)
		if !slices.Equal(got, want) {
			t.Errorf("%.20q: %v\nwant %v", text, got, want)
		}
	}
}
