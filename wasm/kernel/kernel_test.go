package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// kernels are the functions under test, over Go slices. Natively they are kernel.wasm in wazero, with slices copied
// to and from its memory; under js/wasm they are those of the package.
type kernels interface {
	dotI8(dst []int32, rows, q []int8)
	dotF32(dst, rows, q []float32)
	hamming(dst, counts []uint32, rows, q []byte)
	dotBiased(dst []int32, rows, q []int8)
	dotBiasedAt(dst []int32, rows []int8, at []uint32, q []int8)
	dotF64At(dst []float64, rows []float32, at []uint32, q []float32)
	near(dst, values []uint32, limit, ties uint32) int
	weigh(dst []float32, dots []int32, factors, most []float32)
	above(dst []uint32, values []float32, least float32) int
	maxSimI8(dst []float32, tokens []int8, scales []float32, offsets []uint32, q []int8, qscales []float32)
	sumRows(dst []float64, rows string, scales []float64, tokens []int32)
	rank(j *bm25.Job) []rank.Hit
	unpackTerms(prefix, suffix, blob []byte, ends, table []uint32) bool
	unpack(p *index.Packed) bool
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

// bitsOf converts floats for comparison bit for bit.
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
			counts, wantCounts := make([]uint32, 8*size+1), make([]uint32, 8*size+1)
			k.hamming(got, counts, rows, q)
			twinHamming(want, wantCounts, rows, q)
			if !slices.Equal(got, want) || !slices.Equal(counts, wantCounts) {
				t.Fatalf("%d rows of %d: %v, want %v", n, size, got, want)
			}
		}
	}
}

// Oracle: the Go twins.
func TestMaxSimI8(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(4, 1))
	for _, dim := range []int{1, 2, 7, 8, 9, 16, 33, 64, 96, 128} {
		for _, nq := range []int{1, 2, 4, 7, 16, 23, 32} {
			const docs = 9
			offsets := []uint32{uint32(r.IntN(3))}
			for d := range docs {
				offsets = append(offsets, offsets[d]+uint32(r.IntN(7)))
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

// Saturation: every product is 128·128, the sum of 64 of them 2²⁰. Scales of 0 keep the sign of a product's zero as
// in the twin.
func TestMaxSimI8OfTheLowest(t *testing.T) {
	k := newKernels(t)
	for _, scale := range []float32{1, 0} {
		tokens, q := slices.Repeat([]int8{-128}, 3*64), slices.Repeat([]int8{-128, 127}, 5*32)
		scales, qscales := slices.Repeat([]float32{scale}, 3), slices.Repeat([]float32{1}, 5)
		got, want := make([]float32, 2), make([]float32, 2)
		k.maxSimI8(got, tokens, scales, []uint32{0, 2, 3}, q, qscales)
		twinMaxSimI8(want, tokens, scales, []uint32{0, 2, 3}, q, qscales, 64)
		if !slices.Equal(bitsOf(got), bitsOf(want)) {
			t.Errorf("scale %v: %v, want %v", scale, got, want)
		}
	}
}

// places returns n indices of rows, some of them twice.
func places(r *rand.Rand, n, rows int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(r.IntN(rows))
	}
	return out
}

// Oracle: dense's own loops.
func TestDotProductsOfSomeRows(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(6, 1))
	for _, dim := range sizes {
		for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 9, 21} {
			at := places(r, n, 20)
			frows, fq := floats(r, 20*dim), floats(r, dim)
			got64, want64 := make([]float64, n), make([]float64, n)
			k.dotF64At(got64, frows, at, fq)
			dense.DotAt(want64, frows, at, fq)
			for i := range want64 {
				if math.Float64bits(got64[i]) != math.Float64bits(want64[i]) {
					t.Fatalf("double precision, %d places, rows of %d: %v, want %v", n, dim, got64, want64)
				}
			}
		}
	}
}

// Oracle: twinDotI8 of the unbiased rows. Rows contain every byte, including −128.
func TestDotProductsOfBiasedRows(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(8, 1))
	queries := map[string]func(c int) int8{
		"any":                       func(int) int8 { return int8(r.IntN(255) - 127) },
		"127":                       func(int) int8 { return 127 },
		"-127":                      func(int) int8 { return -127 },
		"127 and -127":              func(c int) int8 { return int8(127 - 254*(c&1)) },
		"-128 in odd columns":       func(c int) int8 { return int8(127 - 255*(c&1)) },
		"-128, which no lane holds": func(int) int8 { return -128 },
	}
	for name, number := range queries {
		for _, dim := range append([]int{4096}, sizes...) {
			q := make([]int8, dim)
			for c := range q {
				q[c] = number(c)
			}
			for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 23} {
				rows := int8s(r, n*dim)
				for row := 0; row < n; row += 3 { // the largest possible sums
					for c := range dim {
						rows[row*dim+c] = int8(127 - 255*(row&1))
					}
				}
				want := make([]int32, n)
				twinDotI8(want, rows, q)
				for i := range rows {
					if i%dim&1 == 0 {
						rows[i] ^= -128
					}
				}
				got, twin := make([]int32, n), make([]int32, n)
				k.dotBiased(got, rows, q)
				twinDotBiased(twin, rows, q)
				if !slices.Equal(got, want) || !slices.Equal(twin, want) {
					t.Fatalf("query %s, %d rows of %d: %v, twin %v, want %v", name, n, dim, got, twin, want)
				}
				if n == 0 {
					k.dotBiasedAt(nil, rows, nil, q)
					continue
				}
				at := places(r, n+2, n)
				some := make([]int32, n+2)
				k.dotBiasedAt(some, rows, at, q)
				for i, d := range at {
					if some[i] != want[d] {
						t.Fatalf("query %s, place %d of %d rows of %d: %d, want %d", name, d, n, dim, some[i], want[d])
					}
				}
			}
		}
	}
}

// Oracle: dense's own loops.
func TestChoosing(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(7, 1))
	nan := float32(math.NaN())
	for _, n := range []int{0, 1, 3, 4, 5, 8, 63, 100, 1001} {
		for _, m := range []int{4, 8, 64, 1024} {
			dots, factors := make([]int32, n), floats(r, n)
			for i := range dots {
				dots[i] = int32(r.Uint32()) >> r.IntN(32)
				if r.IntN(5) == 0 {
					factors[i] = nan
				}
			}
			got, want := make([]float32, n), make([]float32, n)
			most := slices.Repeat([]float32{float32(math.Inf(-1))}, m)
			wantMost := slices.Clone(most)
			k.weigh(got, dots, factors, most)
			dense.Weigh(want, dots, factors, wantMost)
			for i := range want { // the bits of a NaN do not matter
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) && (got[i] == got[i] || want[i] == want[i]) {
					t.Fatalf("%d products, place %d: %v, want %v", n, i, got[i], want[i])
				}
			}
			if !slices.Equal(bitsOf(most), bitsOf(wantMost)) {
				t.Fatalf("%d products, the largest of %d: %v, want %v", n, m, most, wantMost)
			}
			for _, least := range []float32{0, 1, float32(math.Inf(-1)), float32(math.Inf(1))} {
				for _, room := range []int{0, 1, 5, n} {
					at, wantAt := make([]uint32, room), make([]uint32, room)
					found, wantFound := k.above(at, want, least), dense.Above(wantAt, want, least)
					if found != wantFound || !slices.Equal(at, wantAt) {
						t.Fatalf("%d values, above %v, room for %d: %v, want %v", n, least, room, at[:found],
							wantAt[:wantFound])
					}
				}
			}
		}
		values := make([]uint32, n)
		for i := range values {
			values[i] = uint32(r.IntN(9))
		}
		for limit := range uint32(10) {
			for _, ties := range []uint32{0, 1, 3, 5000} {
				at, wantAt := make([]uint32, n+1), make([]uint32, n+1)
				found, wantFound := k.near(at, values, limit, ties), dense.Near(wantAt, values, limit, ties)
				if found != wantFound || !slices.Equal(at[:found], wantAt[:wantFound]) {
					t.Fatalf("%d values below %d and %d that are: %v, want %v", n, limit, ties, at[:found],
						wantAt[:wantFound])
				}
			}
		}
	}
}

// newJob generates a random job. With same, matching documents have few distinct scores, so that most are ties.
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

// clone copies everything that running a job changes.
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
		t.Fatalf("%s: %d hits %v, want %d %v", label, len(got), got[:min(9, len(got))], len(want),
			want[:min(9, len(want))])
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

// Oracle: the Go twin bm25.RunGo, with initial sums of both signs in double precision.
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

// lines is an analyzer that takes every line as a word.
type lines struct{}

func (lines) Name() string                    { return "lines" }
func (lines) Version() int                    { return 1 }
func (lines) Term(word string) (string, bool) { return word, word != "" }
func (lines) Words(s string, emit func(start, end int)) {
	for at := 0; at < len(s); {
		n := bytes.IndexByte([]byte(s[at:]), '\n')
		if n < 0 {
			n = len(s) - at
		}
		if n > 0 {
			emit(at, at+n)
		}
		at += n + 1
	}
}

// newIndex generates the bytes of a random index. Its sizes cover all layouts: one to three bytes of gap, df below
// and above a 256th of the documents, long prefixes and, if large, input that the kernels leave to Go.
func newIndex(r *rand.Rand, docs, vocabulary int, titles, large bool) []byte {
	b := index.NewBuilder(lines{})
	stem := ""
	words := make([]string, vocabulary)
	for i := range words {
		if r.IntN(4) > 0 {
			stem = stem[:r.IntN(len(stem)+1)]
		}
		if limit := 40; len(stem) > limit && !large {
			stem = stem[:limit]
		}
		stem += string(rune('a'+r.IntN(26))) + string(rune(0x20+r.IntN(0x3000)))
		words[i] = stem
	}
	pick := func() string { return words[int(float64(vocabulary)*math.Pow(r.Float64(), 3))] + "\n" }
	for range docs {
		title, body := "", ""
		if titles {
			for range r.IntN(4) {
				title += pick()
			}
		}
		for range r.IntN(30) {
			body += pick()
		}
		if large && r.IntN(50) == 0 {
			w := pick()
			for range 200 + r.IntN(200) {
				body += w
			}
			if titles {
				for range r.IntN(300) {
					title += w
				}
			}
		}
		b.Add(title, body)
	}
	return b.Build().Bytes()
}

// readBoth reads an index with and without the kernels, and checks that they agree.
func readBoth(t *testing.T, k kernels, b []byte, label string) (used bool, err error) {
	t.Helper()
	index.UnpackTerms, index.Unpack = nil, nil
	want, wantErr := index.Read(b)
	terms, lists := false, false
	index.UnpackTerms = func(prefix, suffix, blob []byte, ends, table []uint32) bool {
		terms = k.unpackTerms(prefix, suffix, blob, ends, table)
		return terms
	}
	index.Unpack = func(p *index.Packed) bool {
		lists = k.unpack(p)
		return lists
	}
	defer func() { index.UnpackTerms, index.Unpack = nil, nil }()
	got, gotErr := index.Read(b)
	if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
		t.Fatalf("%s: %v, want %v", label, gotErr, wantErr)
	}
	if wantErr != nil {
		return terms && lists, wantErr
	}
	if !bytes.Equal(got.Bytes(), b) || !bytes.Equal(want.Bytes(), b) {
		t.Fatalf("%s: writing again gives other bytes", label)
	}
	for id := range uint32(want.Terms()) {
		if found, ok := got.ID(want.Term(id)); !ok || found != id {
			t.Fatalf("%s: %q is not found", label, want.Term(id))
		}
		g, w := got.List(id), want.List(id)
		if !slices.Equal(g.Postings, w.Postings) || !slices.Equal(g.Titles, w.Titles) {
			t.Fatalf("%s: the lists of %q differ", label, want.Term(id))
		}
	}
	for _, f := range []index.Field{index.Contents, index.Title} {
		if !slices.Equal(got.Lengths(f), want.Lengths(f)) || got.Stats(f) != want.Stats(f) {
			t.Fatalf("%s: the lengths of %s differ", label, f)
		}
	}
	return terms && lists, nil
}

// Oracle: index.Read in Go.
func TestUnpack(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(7, 1))
	for _, docs := range []int{1, 3, 255, 256, 257, 700, 3000, 66_000} {
		for i := range 4 {
			titles, large := i%2 == 1, i >= 2
			b := newIndex(r, docs, 20+docs/4, titles, large)
			label := fmt.Sprintf("docs=%d/titles=%v/large=%v", docs, titles, large)
			used, err := readBoth(t, k, b, label)
			if err != nil {
				t.Fatalf("%s: %v", label, err)
			}
			if !used && !large && docs > 3 {
				t.Errorf("%s: the kernels did not understand it", label)
			}
		}
	}
}

// Oracle: index.Read in Go. The checksum is corrected after every change, so that the decoders run.
func TestUnpackDamaged(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(8, 1))
	accepted, refused := 0, 0
	for i := range 300 {
		b := newIndex(r, 1+r.IntN(600), 1+r.IntN(100), i%2 == 1, i%5 == 0)
		for range 20 {
			c := slices.Clone(b)
			for range 1 + r.IntN(2) {
				c[24+r.IntN(len(c)-24)] ^= 1 << r.IntN(8)
			}
			if r.IntN(4) == 0 {
				c = slices.Delete(c, len(c)-1-r.IntN(len(c)-25), len(c))
				binary.LittleEndian.PutUint64(c[8:], uint64(len(c)))
			}
			binary.LittleEndian.PutUint64(c[16:], xxh64(c[24:]))
			if _, err := readBoth(t, k, c, fmt.Sprint(i)); err != nil {
				refused++
			} else {
				accepted++
			}
		}
	}
	if accepted < 100 || refused < 100 {
		t.Errorf("%d accepted, %d refused: this tests too little of one", accepted, refused)
	}
}

// xxh64 is XXH64 with seed 0, by its specification.
func xxh64(b []byte) uint64 {
	const p1, p2, p3, p4, p5 = 11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
		2870177450012600261
	n := uint64(len(b))
	h := uint64(p5)
	if len(b) >= 32 {
		v := [4]uint64{p1, p2, 0, 0}
		v[0] += v[1]
		v[3] -= p1
		for ; len(b) >= 32; b = b[32:] {
			for i := range v {
				v[i] = bits.RotateLeft64(v[i]+binary.LittleEndian.Uint64(b[8*i:])*p2, 31) * p1
			}
		}
		h = bits.RotateLeft64(v[0], 1) + bits.RotateLeft64(v[1], 7) + bits.RotateLeft64(v[2], 12) +
			bits.RotateLeft64(v[3], 18)
		for _, x := range v {
			h = (h^bits.RotateLeft64(x*p2, 31)*p1)*p1 + p4
		}
	}
	h += n
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^bits.RotateLeft64(binary.LittleEndian.Uint64(b)*p2, 31)*p1, 27)*p1 + p4
	}
	if len(b) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(b))*p1, 23)*p2 + p3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*p5, 11) * p1
	}
	h = (h ^ h>>33) * p2
	h = (h ^ h>>29) * p3
	return h ^ h>>32
}

// Oracle: encoder.Static.Encode, which sums in Go, before scaling; this loop is its own.
func TestSumsOfRows(t *testing.T) {
	k := newKernels(t)
	r := rand.New(rand.NewPCG(4, 26))
	for _, dim := range []int{16, 32, 48, 256} {
		const vocabulary = 300
		packed, scales := make([]byte, vocabulary*dim/2), make([]float64, vocabulary)
		for i := range packed {
			packed[i] = byte(r.IntN(256))
		}
		for i := range scales {
			scales[i] = float64(r.Float32()) * math.Ldexp(1, r.IntN(40)-20)
		}
		for _, n := range []int{0, 1, 2, 3, 100, 1000} {
			tokens := make([]int32, n)
			for i := range tokens {
				tokens[i] = int32(r.IntN(vocabulary))
			}
			got, want := make([]float64, dim), make([]float64, dim)
			for c := range want {
				want[c] = r.NormFloat64()
			}
			copy(got, want)
			for _, t := range tokens {
				for c := range want {
					number := packed[(int(t)*dim+c)/2] >> (4 * (c & 1)) & 15
					want[c] += float64(float64(int(number)-8) * scales[t])
				}
			}
			k.sumRows(got, string(packed), scales, tokens)
			for c := range want {
				if math.Float64bits(got[c]) != math.Float64bits(want[c]) {
					t.Fatalf("%d tokens, column %d of %d: %v, want %v", n, c, dim, got[c], want[c])
				}
			}
		}
	}
}
