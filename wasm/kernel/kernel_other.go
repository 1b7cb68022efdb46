//go:build !js

package kernel

import "unsafe"

func ready() uint32 { return 0 }

func wasmDotI8(dst, rows unsafe.Pointer, n uint32, q unsafe.Pointer, dim uint32, wide unsafe.Pointer) {
}

func wasmDotF32(dst, rows unsafe.Pointer, n uint32, q unsafe.Pointer, dim uint32, tail unsafe.Pointer) {
}

func wasmHamming(dst, rows unsafe.Pointer, n uint32, q unsafe.Pointer, size uint32, counts unsafe.Pointer) {
}

func wasmMaxSimI8(dst, tokens, scales, offsets unsafe.Pointer, docs uint32, q, qscales unsafe.Pointer, nq, dim uint32,
	wide unsafe.Pointer) {
}

func wasmRank(job unsafe.Pointer) uint32 { return 0 }

func wasmUnpack(packed unsafe.Pointer) uint32 { return 0 }

func wasmUnpackTerms(prefix unsafe.Pointer, n uint32, suffix unsafe.Pointer, suffixEnd uint32, blob unsafe.Pointer,
	blobEnd uint32, ends, table unsafe.Pointer,
	mask uint32) uint32 {
	return 0
}

func wasmNear(dst, values unsafe.Pointer, n, limit, ties uint32) uint32 { return 0 }

func wasmDotBiased(dst, rows unsafe.Pointer, n uint32, wide unsafe.Pointer, dim uint32, bias int32) {
}

func wasmDotBiasedAt(dst, rows, at unsafe.Pointer, n uint32, wide unsafe.Pointer, dim uint32, bias int32) {
}

func wasmDotF64At(dst, rows, at unsafe.Pointer, n uint32, q unsafe.Pointer, dim uint32) {}

func wasmWeigh(dst, dots, factors unsafe.Pointer, n uint32, most unsafe.Pointer, m uint32) {}

func wasmAbove(dst unsafe.Pointer, room uint32, values unsafe.Pointer, n uint32, least float32) uint32 {
	return 0
}

func wasmSumRows(dst, rows unsafe.Pointer, half uint32, scales, tokens unsafe.Pointer, n uint32) {}
