// Package kernel holds the hot loops of search as WebAssembly SIMD (kernel.wat), which Go's compiler cannot
// produce. Each has a Go twin with equal bits for native programs and browsers without SIMD. Install replaces the
// loops of core.
//
// A js/wasm program with this package must be instantiated with the functions of kernel.js. Tests run under
// exec/wasm_exec_kernel.mjs.
package kernel

import (
	"math"
	"runtime"
	"unsafe"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// available reports whether the kernels run; otherwise the functions use their Go twins.
var available = ready() == 1

// Install makes core use the kernels if they are available, and reports whether they are. Call it once at start-up.
func Install() bool {
	if available {
		bm25.Run = Rank
		dense.Scan = DotI8
		index.UnpackTerms = unpackTerms
		index.Unpack = unpack
		installMore()
	}
	return available
}

// DotI8 writes the dot product of q with each row of rows: dst[r] = Σ q[c]·rows[r·len(q)+c]. It is exact for len(q)
// ≤ 131,072. len(rows) must be at least len(dst) × len(q).
func DotI8(dst []int32, rows, q []int8) {
	dim := len(q)
	_ = rows[:len(dst)*dim]
	if !available || len(dst) == 0 {
		twinDotI8(dst, rows, q)
		return
	}
	wide := make([]int16, dim)
	wasmDotI8(base(dst), base(rows), uint32(len(dst)), base(q), uint32(dim), base(wide))
}

// DotF32 writes the dot product of q with each row of rows, in 32 bits. Element c goes to sum c mod 16, in
// ascending order; the sixteen sums are folded to 8, 4, 2 and 1, sum j adding sum j + n. len(rows) must be at least
// len(dst) × len(q). The numbers must be finite.
func DotF32(dst, rows, q []float32) {
	dim := len(q)
	_ = rows[:len(dst)*dim]
	if !available || len(dst) == 0 {
		twinDotF32(dst, rows, q)
		return
	}
	room := make([]float32, (dim+15)&^15+16)
	copy(room[16:], q)
	wasmDotF32(base(dst), base(rows), uint32(len(dst)), base(room[16:]), uint32(dim), base(room))
}

// Hamming is dense.ScanBits. len(rows) must be at least len(dst) × len(q).
func Hamming(dst, counts []uint32, rows, q []byte) {
	_, _ = rows[:len(dst)*len(q)], counts[8*len(q)]
	if !available || len(dst) == 0 {
		twinHamming(dst, counts, rows, q)
		return
	}
	wasmHamming(base(dst), base(rows), uint32(len(dst)), base(q), uint32(len(q)), base(counts))
}

// MaxSimI8 writes the late-interaction score of each document: Σ over the query's tokens i of qscales[i] × the
// largest dot × scales[t] over the document's tokens t, in 32 bits and in this order; 0 without tokens. Document d
// has the tokens offsets[d] to offsets[d+1]. Document token t is tokens[t·dim:(t+1)·dim], and likewise for q, with
// dim = len(q)/len(qscales). Scales must not be negative.
func MaxSimI8(dst []float32, tokens []int8, scales []float32, offsets []uint32, q []int8, qscales []float32) {
	if len(qscales) == 0 || len(dst) == 0 {
		clear(dst)
		return
	}
	dim := len(q) / len(qscales)
	for d := range dst {
		_ = scales[offsets[d]:offsets[d+1]]
	}
	_ = tokens[:int(offsets[len(dst)])*dim]
	if !available || dim == 0 {
		twinMaxSimI8(dst, tokens, scales, offsets, q, qscales, dim)
		return
	}
	room := make([]byte, maxSimRoom(len(qscales), dim))
	wasmMaxSimI8(base(dst), base(tokens), base(scales), base(offsets), uint32(len(dst)), base(q), base(qscales),
		uint32(len(qscales)), uint32(dim),
		base(room))
}

// maxSimRoom returns how many zeroed bytes the kernel needs for a query of nq tokens.
func maxSimRoom(nq, dim int) int {
	groups, pairs := (nq+3)/4, (dim+1)/2
	return groups*pairs*16 + groups*16 + 2*pairs*4
}

// widen converts a query for the kernels of biased rows (kernel.wat) and returns its bias; false if it contains
// −128, which they cannot handle.
func widen(q []int8) (wide []int16, bias int32, ok bool) {
	wide = make([]int16, len(q))
	whole := len(q) &^ 15
	for at := 0; at < whole; at += 16 {
		from, to := q[at:at+16], wide[at:at+16]
		for c := 0; c < 16; c += 2 {
			even, odd := int32(from[c]), int32(from[c+1])
			if even == math.MinInt8 {
				return nil, 0, false
			}
			to[c/2], to[8+c/2] = int16(even), int16(odd-256*even)
			bias += 128 * even
		}
	}
	for c, x := range q[whole:] {
		wide[whole+c] = int16(x)
	}
	return wide, bias, true
}

// base returns the address of a slice.
func base[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// address returns start in the form of a job.
func address[T any](s []T) uint32 { return uint32(uintptr(base(s))) }

// job is the input of the kernel rank.
type job struct {
	acc, n, inv, lists, nlists, k uint32
	hits, keys, temp              uint32 // space for n hits, n keys and 3 more, n hits
	filter                        uint32 // or 0
	single                        uint32
	title                         float32
	base                          float64
}

// list is a postings list of a job.
type list struct {
	postings, n uint32
	weight      float32
	titles      uint32 // or 0
}

// Rank is bm25.Run.
func Rank(j *bm25.Job) []rank.Hit {
	n := len(j.Acc)
	k := min(j.K, n)
	if !available || k <= 0 {
		return bm25.RunGo(j)
	}
	const hit = int(unsafe.Sizeof(rank.Hit{}) / 8)
	size := int(unsafe.Sizeof(job{})/8) + 2*len(j.Lists) + 2*hit*n + (n+4)/2
	if len(j.Room) < size {
		j.Room = make([]uint64, size)
	}
	room := j.Room
	take := func(words int) []uint64 {
		out := room[:words]
		room = room[words:]
		return out
	}
	head := (*job)(base(take(int(unsafe.Sizeof(job{}) / 8))))
	lists := take(2 * len(j.Lists))
	*head = job{acc: address(j.Acc), n: uint32(n), inv: address(j.Inv), lists: address(lists),
		nlists: uint32(len(j.Lists)), k: uint32(k),
		title: j.Title, base: j.Base}
	for i := range j.Lists {
		l := &j.Lists[i]
		to := (*list)(base(lists[2*i:]))
		*to = list{postings: address(l.Postings), n: uint32(len(l.Postings)), weight: l.Weight}
		if l.Titles != nil {
			to.titles = address(l.Titles)
		}
	}
	hits := take(hit * n)
	head.hits, head.temp, head.keys = address(hits), address(take(hit*n)), address(take((n+4)/2))
	if j.Filter != nil {
		head.filter = address(j.Filter)
	}
	if j.Single {
		head.single = 1
	}
	found := wasmRank(unsafe.Pointer(head))
	runtime.KeepAlive(j)
	return append(j.Hits[:0], unsafe.Slice((*rank.Hit)(base(hits)), found)...)
}

// packed is the input of the kernel unpack.
type packed struct {
	docs, counts, most           uint32
	low, middle, high            uint32 // the last two are 0 if absent
	gap, gapEnd, tf, tf4, tf4End uint32
	lengths, postings, n         uint32
	titleLengths, titles         uint32 // or 0
	titleTF, titleTFEnd, deposit uint32
	flags                        [2]run
}

// run is a range of bits.
type run struct{ at, end uint32 }

// deposit[m<<4|b] places the lowest bits of b at the set bits of m, in order.
var deposit = func() (out [256]byte) {
	for m := range 16 {
		for b := range 16 {
			rest := b
			for i := range 4 {
				if m>>i&1 == 1 {
					out[m<<4|b] |= byte(rest & 1 << i)
					rest >>= 1
				}
			}
		}
	}
	return out
}()

// newPacked builds the input of unpack from the addresses of slices.
func newPacked(p *index.Packed, bytes func([]byte) (at, end uint32)) packed {
	j := packed{docs: uint32(p.Docs), most: uint32(len(p.Counts) - 1), n: uint32(len(p.Postings))}
	j.low, _ = bytes(p.Low)
	if p.Docs > 1<<8 {
		j.middle, _ = bytes(p.Middle)
	}
	if p.Docs > 1<<16 {
		j.high, _ = bytes(p.High)
	}
	j.gap, j.gapEnd = bytes(p.Gap)
	j.tf, _ = bytes(p.TF)
	j.tf4, j.tf4End = bytes(p.TF4)
	j.titleTF, j.titleTFEnd = bytes(p.TitleTF)
	for i, f := range p.Flags {
		at, end := bytes(f)
		j.flags[i] = run{at, end}
	}
	return j
}

// unpack is index.Unpack.
func unpack(p *index.Packed) bool {
	if len(p.Postings) == 0 {
		return false
	}
	j := newPacked(p, func(b []byte) (at, end uint32) { return address(b), address(b) + uint32(len(b)) })
	j.counts, j.postings, j.lengths = address(p.Counts), address(p.Postings), address(p.Lengths[0])
	if p.Titles != nil {
		j.titles, j.titleLengths = address(p.Titles), address(p.Lengths[1])
		j.deposit = address(deposit[:])
	}
	ok := wasmUnpack(unsafe.Pointer(&j)) == 1
	runtime.KeepAlive(p)
	return ok
}

// unpackTerms is index.UnpackTerms.
func unpackTerms(prefix, suffix, blob []byte, ends, table []uint32) bool {
	if len(ends) == 0 {
		return false
	}
	return wasmUnpackTerms(base(prefix), uint32(len(ends)), base(suffix), address(suffix)+uint32(len(suffix)),
		base(blob),
		address(blob)+uint32(len(blob)), base(ends), base(table), uint32(len(table)-1)) == 1
}
