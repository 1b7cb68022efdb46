package kernel

import (
	"os"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
)

// wasm runs the kernels like a program.
type wasm struct{}

func newKernels(t *testing.T) kernels {
	if !available {
		if os.Getenv("RANKBOX_KERNEL") != "off" {
			t.Fatal("the kernels are not there: run this under wasm/kernel/exec/wasm_exec_kernel.mjs")
		}
		t.Skip("the kernels are switched off")
	}
	return wasm{}
}

func (wasm) dotI8(dst []int32, rows, q []int8)            { DotI8(dst, rows, q) }
func (wasm) dotF32(dst, rows, q []float32)                { DotF32(dst, rows, q) }
func (wasm) hamming(dst, counts []uint32, rows, q []byte) { Hamming(dst, counts, rows, q) }
func (wasm) dotBiased(dst []int32, rows, q []int8)        { dotBiased(dst, rows, q) }
func (wasm) dotBiasedAt(dst []int32, rows []int8, at []uint32, q []int8) {
	dotBiasedAt(dst, rows, at, q)
}
func (wasm) dotF64At(dst []float64, rows []float32, at []uint32, q []float32) {
	dotF64At(dst, rows, at, q)
}
func (wasm) near(dst, values []uint32, limit, ties uint32) int { return near(dst, values, limit, ties) }
func (wasm) weigh(dst []float32, dots []int32, factors, most []float32) {
	weigh(dst, dots, factors, most)
}
func (wasm) above(dst []uint32, values []float32, least float32) int {
	return above(dst, values, least)
}
func (wasm) sumRows(dst []float64, rows string, scales []float64, tokens []int32) {
	sumRows(dst, rows, scales, tokens)
}
func (wasm) rank(j *bm25.Job) []rank.Hit { return Rank(j) }
func (wasm) maxSimI8(dst []float32, tokens []int8, scales []float32, offsets []uint32, q []int8, qscales []float32) {
	MaxSimI8(dst, tokens, scales, offsets, q, qscales)
}
func (wasm) unpack(p *index.Packed) bool { return unpack(p) }
func (wasm) unpackTerms(prefix, suffix, blob []byte, ends, table []uint32) bool {
	return unpackTerms(prefix, suffix, blob, ends, table)
}
