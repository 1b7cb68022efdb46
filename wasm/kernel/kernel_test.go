package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/bm25"
)

// kernels are the functions under test, over slices of this program. Natively they are kernel.wasm in wazero, whose memory the slices
// are copied to and from; under js/wasm they are those of the package.
type kernels interface {
	dotI8(dst []int32, rows, q []int8)
	dotF32(dst, rows, q []float32)
	hamming(dst []uint32, rows, q []byte)
	maxSimI8(dst []float32, tokens []int8, scales []float32, offsets []uint32, q []int8, qscales []float32)
	rank(j *bm25.Job) []rank.Hit
}

// sizes are around the widths of the vectors.
var sizes = []int{1, 2, 7, 15, 16, 17, 31, 32, 33, 48, 64, 100, 128, 384, 385}

func int8s(r *rand.Rand, n int) []int8 {
	out := make([]int8, n)
	for i := range out {
		out[i] = int8(r.IntN(256) - 128)
	}
	return out
}

func floats(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

// bitsOf makes floats comparable bit for bit.
func bitsOf(v []float32) []uint32 {
	out := make([]uint32, len(v))
	for i, f := range v {
		out[i] = math.Float32bits(f)
	}
	return out
}

// Oracle: the Go twins.
func TestDotI8(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(1, 1))
	for _, dim := range sizes {
		for _, n := range []int{1, 2, 5, 50} {
			rows, q := int8s(r, n*dim), int8s(r, dim)
			got, want := make([]int32, n), make([]int32, n)
			k.dotI8(got, rows, q)
			twinDotI8(want, rows, q)
			if !slices.Equal(got, want) {
				t.Fatalf("%d rows of %d: %v, want %v", n, dim, got, want)
			}
		}
	}
	lowest := slices.Repeat([]int8{-128}, 4096)
	got := make([]int32, 1)
	if k.dotI8(got, lowest, lowest); got[0] != 4096<<14 {
		t.Errorf("-128 squared 4096 times: %d", got[0])
	}
}

// Oracle: the Go twins.
func TestDotF32(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(2, 1))
	for _, dim := range sizes {
		for _, n := range []int{1, 2, 5, 50} {
			rows, q := floats(r, n*dim), floats(r, dim)
			got, want := make([]float32, n), make([]float32, n)
			k.dotF32(got, rows, q)
			twinDotF32(want, rows, q)
			if !slices.Equal(bitsOf(got), bitsOf(want)) {
				t.Fatalf("%d rows of %d: %v, want %v", n, dim, got, want)
			}
		}
	}
}

// Oracle: the Go twins.
func TestHamming(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(3, 1))
	for _, size := range sizes {
		for _, n := range []int{1, 2, 5, 50} {
			rows, q := make([]byte, n*size), make([]byte, size)
			for i := range rows {
				rows[i] = byte(r.Uint32())
			}
			for i := range q {
				q[i] = byte(r.Uint32())
			}
			got, want := make([]uint32, n), make([]uint32, n)
			k.hamming(got, rows, q)
			twinHamming(want, rows, q)
			if !slices.Equal(got, want) {
				t.Fatalf("%d rows of %d: %v, want %v", n, size, got, want)
			}
		}
	}
}

// Oracle: the Go twins.
func TestMaxSimI8(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(4, 1))
	for _, dim := range []int{1, 8, 16, 33, 96, 128} {
		for _, nq := range []int{1, 2, 7, 32} {
			const docs = 9
			offsets := []uint32{uint32(r.IntN(3))}
			for d := range docs {
				offsets = append(offsets, offsets[d]+uint32(r.IntN(5)))
			}
			n := int(offsets[docs])
			tokens, q := int8s(r, n*dim), int8s(r, nq*dim)
			scales, qscales := floats(r, n), floats(r, nq)
			for _, s := range [][]float32{scales, qscales} {
				for i := range s {
					s[i] = float32(math.Abs(float64(s[i])))
				}
			}
			got, want := make([]float32, docs), make([]float32, docs)
			k.maxSimI8(got, tokens, scales, offsets, q, qscales)
			twinMaxSimI8(want, tokens, scales, offsets, q, qscales, dim)
			if !slices.Equal(bitsOf(got), bitsOf(want)) {
				t.Fatalf("%d query tokens of %d: %v, want %v", nq, dim, got, want)
			}
		}
	}
}

// newJob makes a random job. Where same, all documents that match have few different scores, so that most are ties.
func newJob(r *rand.Rand, docs, lists, k int, same, titles bool) *bm25.Job {
	j := &bm25.Job{Single: true, K: k, Title: 3}
	j.Acc = make([]float64, docs)
	j.Inv = make([]float32, docs)
	for d := range j.Acc {
		j.Acc[d] = bm25.Untouched
		j.Inv[d] = 0.5 + r.Float32()
		if same {
			j.Inv[d] = 1
		}
	}
	for range lists {
		l := bm25.Weighted{Weight: 10 * r.Float32()}
		if same {
			l.Weight = 1
		}
		p := r.Float64()
		for d := range docs {
			if r.Float64() > p*p {
				continue
			}
			tf := 1 + uint32(r.ExpFloat64())
			if same {
				tf = 1
			}
			l.Postings = append(l.Postings, index.Posting(uint32(d)<<8|min(tf, 254)))
			if titles {
				l.Titles = append(l.Titles, uint8(r.IntN(int(tf)+1)))
			}
		}
		r.Shuffle(len(l.Postings), func(a, b int) {
			l.Postings[a], l.Postings[b] = l.Postings[b], l.Postings[a]
			if titles {
				l.Titles[a], l.Titles[b] = l.Titles[b], l.Titles[a]
			}
		})
		j.Lists = append(j.Lists, l)
	}
	return j
}

// clone copies what doing a job changes.
func clone(j *bm25.Job) *bm25.Job {
	c := *j
	c.Acc = slices.Clone(j.Acc)
	c.Room = nil
	return &c
}

func checkRank(t *testing.T, k kernels, j *bm25.Job, label string) {
	t.Helper()
	a, b := clone(j), clone(j)
	got, want := k.rank(a), bm25.RunGo(b)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %d hits %v, want %d %v", label, len(got), got[:min(9, len(got))], len(want), want[:min(9, len(want))])
	}
	for d := range a.Acc {
		if math.Float64bits(a.Acc[d]) != math.Float64bits(bm25.Untouched) {
			t.Fatalf("%s: document %d is left touched", label, d)
		}
	}
}

// Oracle: the Go twin bm25.RunGo.
func TestRank(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(5, 1))
	for _, docs := range []int{1, 2, 3, 4, 5, 63, 64, 65, 255, 1000, 5183} {
		for _, top := range []int{1, 10, 100, 1000, 6000} {
			for i := range 12 {
				same, titles := i%3 == 2, i%2 == 1
				j := newJob(r, docs, r.IntN(9), top, same, titles)
				label := fmt.Sprintf("docs=%d/k=%d/same=%v/titles=%v", docs, top, same, titles)
				checkRank(t, k, j, label)
				j.Filter = make(rank.Filter, (docs+63)/64)
				for w := range j.Filter {
					j.Filter[w] = r.Uint64()
				}
				checkRank(t, k, j, label+"/filter")
			}
		}
	}
}

// Oracle: the Go twin bm25.RunGo. Sums that are there already, of both signs, in double precision.
func TestRankDouble(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(6, 1))
	for _, docs := range []int{1, 5, 64, 1000, 5183} {
		for _, top := range []int{1, 10, 100, 6000} {
			for i := range 10 {
				j := newJob(r, docs, 0, top, false, false)
				j.Single, j.Base = false, float64(i%3)*r.NormFloat64()
				for d := range j.Acc {
					switch r.IntN(10) {
					case 0:
						j.Acc[d] = 0
					case 1:
						j.Acc[d] = 1 + 1e-12*float64(r.IntN(3)) // one key, several scores
					case 2, 3, 4, 5, 6:
						j.Acc[d] = r.NormFloat64()
					}
				}
				checkRank(t, k, j, fmt.Sprintf("docs=%d/k=%d/%d", docs, top, i))
			}
		}
	}
}
