package kernel

import (
	"os"
	"testing"

	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/bm25"
)

// wasm runs the kernels as a program does.
type wasm struct{}

func newKernels(t *testing.T) kernels {
	if !Available() {
		if os.Getenv("RANKBOX_KERNEL") != "off" {
			t.Fatal("the kernels are not there: run this under wasm/kernel/exec/wasm_exec_kernel.mjs")
		}
		t.Skip("the kernels are switched off")
	}
	return wasm{}
}

func (wasm) dotI8(dst []int32, rows, q []int8)    { DotI8(dst, rows, q) }
func (wasm) dotF32(dst, rows, q []float32)        { DotF32(dst, rows, q) }
func (wasm) hamming(dst []uint32, rows, q []byte) { Hamming(dst, rows, q) }
func (wasm) rank(j *bm25.Job) []rank.Hit          { return Rank(j) }
func (wasm) maxSimI8(dst []float32, tokens []int8, scales []float32, offsets []uint32, q []int8, qscales []float32) {
	MaxSimI8(dst, tokens, scales, offsets, q, qscales)
}
func (wasm) unpack(p *index.Packed) bool { return unpack(p) }
func (wasm) unpackTerms(prefix, suffix, blob []byte, ends, table []uint32) bool {
	return unpackTerms(prefix, suffix, blob, ends, table)
}
