package dense_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// best sorts everything and keeps the first k.
func best(hits []rank.Hit, k int) []rank.Hit {
	hits = slices.Clone(hits)
	rank.Sort(hits)
	return hits[:min(k, len(hits))]
}

// Oracle: every document scored one by one by SearchParameters, then a full sort. Rows are similar, opposite, zero
// and of many lengths; a filter passes a part.
func TestEveryScanFindsWhatSortingFinds(t *testing.T) {
	t.Run("rows as they are", everyScan)
	t.Run("biased rows", func(t *testing.T) {
		biased(t)
		everyScan(t)
	})
}

func everyScan(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 2))
	for _, dim := range []int{3, 16, 40} {
		for _, n := range []int{1, 9, 1500} {
			rows, q := make([]float32, n*dim), make([]float32, dim)
			for c := range q {
				q[c] = float32(r.NormFloat64())
			}
			for d := range n {
				size := math.Exp(r.NormFloat64())
				for c := range dim {
					x := r.NormFloat64()
					switch d % 7 {
					case 0:
						x = 0
					case 1:
						x = -float64(q[c])
					case 2:
						x = float64(q[c]) + x/50
					}
					rows[d*dim+c] = float32(x * size)
				}
			}
			docs, query := dense.Round(rows, dim), dense.Round(q, dim)
			filter := make(rank.Filter, (n+63)/64)
			for i := range filter {
				filter[i] = r.Uint64()
			}
			of := map[dense.Similarity]func(dot, q, d float64) float64{
				dense.Dot:    func(dot, q, d float64) float64 { return dot },
				dense.Cosine: func(dot, q, d float64) float64 { return dot / math.Sqrt(q*d) },
				dense.L2:     func(dot, q, d float64) float64 { return min(0, 2*dot-q-d) },
			}
			for sim, score := range of {
				for _, f := range []rank.Filter{nil, filter} {
					var exact, rounded, signs []rank.Hit
					for d := range n {
						if docs.Scales[d] == 0 || !f.Has(uint32(d)) {
							continue
						}
						var dot, qq, dd float64
						var dot8, qq8, dd8 int64
						differ := 0
						for c := range dim {
							x, y := rows[d*dim+c], q[c]
							dot, qq, dd = dot+float64(x)*float64(y), qq+float64(y)*float64(y), dd+float64(x)*float64(x)
							x8, y8 := docs.Row(d)[c], query.Row(0)[c]
							dot8, qq8, dd8 = dot8+int64(x8)*int64(y8), qq8+int64(y8)*int64(y8), dd8+int64(x8)*int64(x8)
							differ += bits.OnesCount8(uint8(x8>>7&1) ^ uint8(y8>>7&1))
						}
						qs, ds := float64(query.Scales[0]), float64(docs.Scales[d])
						hit := func(s float64) rank.Hit { return rank.Hit{Doc: uint32(d), Score: s} }
						exact = append(exact, hit(score(dot, qq, dd)))
						rounded = append(rounded,
							hit(score(float64(dot8)*qs*ds, float64(qq8)*(qs*qs), float64(dd8)*(ds*ds))))
						signs = append(signs, hit(float64(dim-2*differ)))
					}
					among := func(all, some []rank.Hit) (out []rank.Hit) {
						for _, h := range all {
							if slices.ContainsFunc(some, func(o rank.Hit) bool { return o.Doc == h.Doc }) {
								out = append(out, h)
							}
						}
						return out
					}
					for _, k := range []int{1, 10, 200} {
						for _, c := range []struct {
							set  dense.SearchParameters
							want []rank.Hit
						}{
							{dense.SearchParameters{}, best(exact, k)},
							{dense.SearchParameters{Scan: dense.Int8}, best(rounded, k)},
							{dense.SearchParameters{Scan: dense.Int8, Rescore: 15},
								best(among(exact, best(rounded, 15)), k)},
							{dense.SearchParameters{Scan: dense.Bit}, best(signs, k)},
							{dense.SearchParameters{Scan: dense.Bit, Rescore: 30},
								best(among(exact, best(signs, 30)), k)},
							{dense.SearchParameters{Scan: dense.Bit, Int8: 60, Rescore: 20},
								best(among(exact, best(among(rounded, best(signs, 60)), 20)), k)},
							{dense.SearchParameters{Scan: dense.Bit, Int8: 60},
								best(among(rounded, best(signs, 60)), k)},
						} {
							c.set.Similarity = sim
							name := fmt.Sprintf("%d rows of %d, filter %v, k %d, %+v", n, dim, f != nil, k, c.set)
							x, err := dense.NewTuned("m", docs, query, []string{"q"}, c.set)
							if err != nil {
								t.Fatal(err)
							}
							got, err := x.Rank(rank.Query{ID: "q"}, k, f, nil)
							if err != nil || !slices.Equal(got, c.want) {
								t.Fatalf("%s: %v\n%v\nwant\n%v", name, err, got, c.want)
							}
							if len(got) > 0 {
								if p, err := x.Explain(rank.Query{ID: "q"}, f, got[0].Doc); err != nil ||
									p.Score != got[0].Score {
									t.Fatalf("%s: explained as %v, %v; ranked with %v", name, p.Score, err,
										got[0].Score)
								}
							}
						}
					}
				}
			}
		}
	}
}
