package rerank_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// fixed is a fixed ranking.
type fixed []rank.Hit

func (l fixed) Rank(_ rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	dst = dst[:0]
	for _, h := range l {
		if len(dst) < k && f.Has(h.Doc) {
			dst = append(dst, h)
		}
	}
	return dst, nil
}

func (l fixed) Explain(_ rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	return rank.Part{Name: "fixed"}, nil
}

func mmr(l fixed, lambda float64, depth int, v *dense.Vectors) *rerank.MMR {
	return &rerank.MMR{Ranker: l, Lambda: lambda, Depth: depth, Vectors: func() (*dense.Vectors, error) {
		return v, nil
	}}
}

// By hand: 0 and 1 are the same vector, 2 stands at a right angle to both. λ = 0.5, relevance 1, 0.75 and 0. The first
// is 0 with 0.5; then 1 has 0.375 − 0.5 and 2 has 0 − 0, so 2 comes second; 1 is as like 0 as before.
func TestByHand(t *testing.T) {
	v := &dense.Vectors{Dim: 2, Rows: []int8{1, 0, 1, 0, 0, 1}, Scales: []float32{1, 1, 1}}
	l := fixed{{Doc: 0, Score: 8}, {Doc: 1, Score: 7}, {Doc: 2, Score: 4}}
	for _, c := range []struct {
		name   string
		lambda float64
		k      int
		f      rank.Filter
		want   []rank.Hit
	}{
		{"half", 0.5, 10, nil, []rank.Hit{{Doc: 0, Score: .5}, {Doc: 2, Score: 0}, {Doc: 1, Score: .375 - .5}}},
		{"relevance alone", 1, 10, nil, []rank.Hit{{Doc: 0, Score: 1}, {Doc: 1, Score: .75}, {Doc: 2, Score: 0}}},
		{"two of them", 0.5, 2, nil, []rank.Hit{{Doc: 0, Score: .5}, {Doc: 2, Score: 0}}},
		{"without the first", 0.5, 10, rank.Filter{6}, []rank.Hit{{Doc: 1, Score: .5}, {Doc: 2, Score: 0}}},
		{"nothing passes", 0.5, 10, rank.Filter{0}, nil},
	} {
		got, err := mmr(l, c.lambda, 10, v).Rank(rank.Query{}, c.k, c.f, nil)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

// Oracle: every step computed from scratch, over all pairs. The order is valid for any ranker, and explanations add
// up.
func TestEqualsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for round := range 200 {
		n := 1 + r.IntN(30)
		v := &dense.Vectors{Dim: 4, Rows: make([]int8, 4*n), Scales: make([]float32, n)}
		for i := range v.Rows {
			v.Rows[i] = int8(r.IntN(5) - 2)
		}
		if round%2 == 1 { // use the unrounded numbers
			floats := make([]float32, 4*n)
			for i := range floats {
				floats[i] = r.Float32() - 0.5
			}
			v = dense.Round(floats, 4)
		}
		var top rank.Top
		top.Reset(n, nil)
		for d := range n {
			if v.Floats == nil {
				v.Scales[d] = float32(r.IntN(3)) / 4
			}
			top.Push(rank.Hit{Doc: uint32(d), Score: float64(r.IntN(8))})
		}
		l := fixed(top.Sorted())
		lambda, depth := float64(r.IntN(11))/10, 1+r.IntN(n)
		m := mmr(l, lambda, depth, v)
		got, err := m.Rank(rank.Query{}, n, nil, nil)
		if err != nil || len(got) != depth {
			t.Fatalf("round %d: %d hits of %d, %v", round, len(got), depth, err)
		}
		first, last := l[0].Score, l[depth-1].Score
		for i, h := range got {
			var best rank.Hit
			none := true
			for _, c := range l[:depth] {
				if slices.ContainsFunc(got[:i], func(g rank.Hit) bool { return g.Doc == c.Doc }) {
					continue
				}
				relevance, alike := 1.0, 0.0
				if first > last {
					relevance = (c.Score - last) / (first - last)
				}
				for k, g := range got[:i] {
					var dot int
					for x := range 4 {
						dot += int(v.Row(int(c.Doc))[x]) * int(v.Row(int(g.Doc))[x])
					}
					s := float64(float64(dot)*float64(v.Scales[c.Doc])) * float64(v.Scales[g.Doc])
					if v.Floats != nil {
						s = 0
						for x := range 4 {
							s += float64(float64(v.Floats[4*c.Doc+uint32(x)]) * float64(v.Floats[4*g.Doc+uint32(x)]))
						}
					}
					if k == 0 || s > alike {
						alike = s
					}
				}
				x := rank.Hit{Doc: c.Doc, Score: float64(lambda*relevance) - float64((1-lambda)*alike)}
				if none || rank.Better(x, best) {
					best, none = x, false
				}
			}
			if h != best {
				t.Fatalf("round %d rank %d: %v, want %v", round, i+1, h, best)
			}
			part, err := m.Explain(rank.Query{}, nil, h.Doc)
			if err != nil || part.Score != h.Score || part.Parts[0].Score+part.Parts[1].Score != h.Score {
				t.Fatalf("round %d: document %d explained %+v, %v", round, h.Doc, part, err)
			}
		}
	}
}
