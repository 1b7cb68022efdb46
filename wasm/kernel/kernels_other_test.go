//go:build !js

package kernel

import (
	"context"
	_ "embed"
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
)

//go:embed kernel.wasm
var kernelWasm []byte

// memoryWasm is (module (memory (export "mem") 1024)): it represents the Go program.
var memoryWasm = []byte("\x00asm\x01\x00\x00\x00\x05\x04\x01\x00\x80\x08\x07\x07\x01\x03mem\x02\x00")

// native runs the kernels in wazero.
type native struct {
	t      *testing.T
	mod    api.Module
	memory api.Memory
	top    uint32
}

func newKernels(t *testing.T) kernels {
	ctx := context.Background()
	run := wazero.NewRuntime(ctx)
	t.Cleanup(func() { run.Close(ctx) })
	if _, err := run.InstantiateWithConfig(ctx, memoryWasm, wazero.NewModuleConfig().WithName("go")); err != nil {
		t.Fatal(err)
	}
	mod, err := run.Instantiate(ctx, kernelWasm)
	if err != nil {
		t.Fatal(err)
	}
	return &native{t: t, mod: mod, memory: run.Module("go").Memory()}
}

// reset frees everything. Memory starts at an inconvenient alignment, 8 modulo 16, as Go's may.
func (k *native) reset() { k.top = 8 }

func bytesOf[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(base(s)), len(s)*int(unsafe.Sizeof(zero)))
}

// in copies a slice to the memory, after eight guard bytes.
func in[T any](k *native, s []T) uint64 {
	at := k.top
	if !k.memory.Write(at, bytesOf(s)) {
		k.t.Fatal("the memory is too small")
	}
	k.top = (at+uint32(len(bytesOf(s)))+7)&^7 + 8
	k.memory.WriteUint64Le(k.top-8, 0x5a5a5a5a5a5a5a5a)
	return uint64(at)
}

// out copies a slice back and checks the guard bytes after it.
func out[T any](k *native, s []T, at uint64) {
	b, _ := k.memory.Read(uint32(at), uint32(len(bytesOf(s))))
	copy(bytesOf(s), b)
	behind := (uint32(at) + uint32(len(b)) + 7) &^ 7
	if v, _ := k.memory.ReadUint64Le(behind); v != 0x5a5a5a5a5a5a5a5a {
		k.t.Fatal("a kernel wrote beyond the end")
	}
}

func (k *native) call(name string, args ...uint64) uint64 {
	res, err := k.mod.ExportedFunction(name).Call(context.Background(), args...)
	if err != nil {
		k.t.Fatal(name, err)
	}
	if len(res) == 0 {
		return 0
	}
	return res[0]
}

func (k *native) dotI8(dst []int32, rows, q []int8) {
	k.reset()
	at := in(k, dst)
	wide := make([]int16, len(q))
	room := in(k, wide)
	k.call("dot_i8", at, in(k, rows), uint64(len(dst)), in(k, q), uint64(len(q)), room)
	out(k, dst, at)
	out(k, wide, room)
}

func (k *native) dotF32(dst, rows, q []float32) {
	k.reset()
	at := in(k, dst)
	tail := make([]float32, 16)
	room := in(k, tail)
	padded := append(append([]float32{}, q...), make([]float32, -len(q)&15)...)
	k.call("dot_f32", at, in(k, rows), uint64(len(dst)), in(k, padded), uint64(len(q)), room)
	out(k, dst, at)
	out(k, tail, room)
}

func (k *native) hamming(dst, counts []uint32, rows, q []byte) {
	k.reset()
	at, sums := in(k, dst), in(k, counts)
	k.call("hamming", at, in(k, rows), uint64(len(dst)), in(k, q), uint64(len(q)), sums)
	out(k, dst, at)
	out(k, counts, sums)
}

func (k *native) dotBiased(dst []int32, rows, q []int8) {
	wide, bias, ok := widen(q)
	if !ok {
		twinDotBiased(dst, rows, q)
		return
	}
	k.reset()
	whole := len(dst) &^ 3
	to, from, query := in(k, dst), in(k, rows), in(k, wide)
	k.call("dot_biased", to, from, uint64(whole), query, uint64(len(q)), uint64(uint32(bias)))
	out(k, dst, to)
	var at []uint32
	for i := range dst[whole:] {
		at = append(at, uint32(whole+i))
	}
	k.dotBiasedAt(dst[whole:], rows, at, q)
}

func (k *native) dotBiasedAt(dst []int32, rows []int8, at []uint32, q []int8) {
	wide, bias, ok := widen(q)
	if !ok {
		for i, r := range at {
			twinDotBiased(dst[i:i+1], rows[int(r)*len(q):], q)
		}
		return
	}
	k.reset()
	padded := append(slices.Clone(at), make([]uint32, -len(at)&3)...)
	sums := make([]int32, len(padded))
	to := in(k, sums)
	k.call("dot_biased_at", to, in(k, rows), in(k, padded), uint64(len(padded)), in(k, wide), uint64(len(q)),
		uint64(uint32(bias)))
	out(k, sums, to)
	copy(dst, sums)
}

func (k *native) dotF64At(dst []float64, rows []float32, at []uint32, q []float32) {
	k.reset()
	padded := append(slices.Clone(at), make([]uint32, -len(at)&7)...)
	sums := make([]float64, len(padded))
	wide := make([]float64, len(q))
	for c, x := range q {
		wide[c] = float64(x)
	}
	to := in(k, sums)
	k.call("dot_f64_at", to, in(k, rows), in(k, padded), uint64(len(padded)), in(k, wide), uint64(len(q)))
	out(k, sums, to)
	copy(dst, sums)
}

func (k *native) sumRows(dst []float64, rows string, scales []float64, tokens []int32) {
	k.reset()
	to := in(k, dst)
	k.call("sum_rows", to, in(k, []byte(rows)), uint64(len(dst)/2), in(k, scales), in(k, tokens), uint64(len(tokens)))
	out(k, dst, to)
}

func (k *native) near(dst, values []uint32, limit, ties uint32) int {
	k.reset()
	to := in(k, dst)
	n := k.call("near", to, in(k, values), uint64(len(values)), uint64(limit), uint64(ties))
	out(k, dst, to)
	return int(n)
}

func (k *native) weigh(dst []float32, dots []int32, factors, most []float32) {
	k.reset()
	to, largest := in(k, dst), in(k, most)
	k.call("weigh", to, in(k, dots), in(k, factors), uint64(len(dots)), largest, uint64(len(most)))
	out(k, dst, to)
	out(k, most, largest)
}

func (k *native) above(dst []uint32, values []float32, least float32) int {
	k.reset()
	to := in(k, dst)
	n := k.call("above", to, uint64(len(dst)), in(k, values), uint64(len(values)), uint64(math.Float32bits(least)))
	out(k, dst, to)
	return int(n)
}

func (k *native) maxSimI8(dst []float32, tokens []int8, scales []float32, offsets []uint32, q []int8,
	qscales []float32) {
	k.reset()
	at := in(k, dst)
	wide := make([]byte, maxSimRoom(len(qscales), len(q)/len(qscales)))
	room := in(k, wide)
	k.call("max_sim_i8", at, in(k, tokens), in(k, scales), in(k, offsets), uint64(len(dst)), in(k, q), in(k, qscales),
		uint64(len(qscales)),
		uint64(len(q)/len(qscales)), room)
	out(k, dst, at)
	out(k, wide, room)
}

func (k *native) rank(j *bm25.Job) []rank.Hit {
	k.reset()
	n := len(j.Acc)
	acc := in(k, j.Acc)
	hits, temp := make([]rank.Hit, n), make([]rank.Hit, n)
	keys := make([]int32, n+3)
	at, second, third := in(k, hits), in(k, temp), in(k, keys)
	var lists []uint32
	for _, l := range j.Lists {
		titles := uint32(0)
		if l.Titles != nil {
			titles = uint32(in(k, l.Titles))
		}
		lists = append(lists, uint32(in(k, l.Postings)), uint32(len(l.Postings)), math.Float32bits(l.Weight), titles)
	}
	head := job{acc: uint32(acc), n: uint32(n), inv: uint32(in(k, j.Inv)), lists: uint32(in(k, lists)),
		nlists: uint32(len(j.Lists)),
		k:      uint32(min(j.K, n)), hits: uint32(at), temp: uint32(second), keys: uint32(third), title: j.Title,
		base: j.Base}
	if j.Filter != nil {
		head.filter = uint32(in(k, j.Filter))
	}
	if j.Single {
		head.single = 1
	}
	found := k.call("rank", in(k, []job{head}))
	out(k, j.Acc, acc)
	out(k, temp, second)
	out(k, keys, third)
	out(k, hits, at)
	return hits[:found]
}

func (k *native) unpackTerms(prefix, suffix, blob []byte, ends, table []uint32) bool {
	if len(ends) == 0 {
		return false
	}
	k.reset()
	// Sixteen bytes after blob may be written to.
	whole := blob[:cap(blob)]
	if cap(blob) < len(blob)+16 {
		k.t.Fatal("there is no room behind blob")
	}
	whole = whole[:len(blob)+16]
	to, endsAt, tableAt := in(k, whole), in(k, ends), in(k, table)
	from := in(k, suffix)
	ok := k.call("unpack_terms", in(k, prefix), uint64(len(ends)), from, from+uint64(len(suffix)), to,
		to+uint64(len(blob)), endsAt, tableAt,
		uint64(len(table)-1))
	out(k, whole, to)
	out(k, ends, endsAt)
	out(k, table, tableAt)
	return ok == 1
}

func (k *native) unpack(p *index.Packed) bool {
	if len(p.Postings) == 0 {
		return false
	}
	k.reset()
	j := newPacked(p, func(b []byte) (at, end uint32) {
		at = uint32(in(k, b))
		return at, at + uint32(len(b))
	})
	postings, lengths := in(k, p.Postings), in(k, p.Lengths[0])
	var titles, titleLengths uint64
	if p.Titles != nil {
		titles, titleLengths = in(k, p.Titles), in(k, p.Lengths[1])
		j.deposit = uint32(in(k, deposit[:]))
	}
	j.counts, j.postings, j.lengths, j.titles, j.titleLengths = uint32(in(k,
		p.Counts)), uint32(postings), uint32(lengths), uint32(titles), uint32(titleLengths)
	ok := k.call("unpack", in(k, []packed{j}))
	out(k, p.Postings, postings)
	out(k, p.Lengths[0], lengths)
	if p.Titles != nil {
		out(k, p.Titles, titles)
		out(k, p.Lengths[1], titleLengths)
	}
	return ok == 1
}

// Go's layout of a job equals that in kernel.wat.
func TestJobLayout(t *testing.T) {
	j := job{acc: 1, n: 2, inv: 3, lists: 4, nlists: 5, k: 6, hits: 7, keys: 8, temp: 9, filter: 10, single: 11,
		title: 12, base: 13}
	b := bytesOf([]job{j})
	for i := range 11 {
		if v := binary.LittleEndian.Uint32(b[4*i:]); v != uint32(i+1) {
			t.Errorf("word %d is %d", i, v)
		}
	}
	if len(b) != 56 || math.Float32frombits(binary.LittleEndian.Uint32(b[44:])) != 12 ||
		math.Float64frombits(binary.LittleEndian.Uint64(b[48:])) != 13 {
		t.Error("title or base is not where the kernel reads it")
	}
	if unsafe.Sizeof(packed{}) != 92 || unsafe.Offsetof(packed{}.postings) != 48 ||
		unsafe.Offsetof(packed{}.flags) != 76 {
		t.Error("the job of unpack does not have the layout that the kernel reads")
	}
	if unsafe.Sizeof(list{}) != 16 || unsafe.Sizeof(rank.Hit{}) != 16 || unsafe.Offsetof(rank.Hit{}.Score) != 8 {
		t.Error("a list or a hit does not have the size that the kernel reads")
	}
}
