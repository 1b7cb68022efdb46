package kernel

import "unsafe"

//go:wasmimport kernel ready
func ready() uint32

//go:wasmimport kernel dot_i8
func wasmDotI8(dst, rows unsafe.Pointer, n uint32, q unsafe.Pointer, dim uint32, wide unsafe.Pointer)

//go:wasmimport kernel dot_f32
func wasmDotF32(dst, rows unsafe.Pointer, n uint32, q unsafe.Pointer, dim uint32, tail unsafe.Pointer)

//go:wasmimport kernel hamming
func wasmHamming(dst, rows unsafe.Pointer, n uint32, q unsafe.Pointer, size uint32, counts unsafe.Pointer)

//go:wasmimport kernel max_sim_i8
func wasmMaxSimI8(dst, tokens, scales, offsets unsafe.Pointer, docs uint32, q, qscales unsafe.Pointer, nq, dim uint32,
	wide unsafe.Pointer)

//go:wasmimport kernel rank
func wasmRank(job unsafe.Pointer) uint32

//go:wasmimport kernel unpack
func wasmUnpack(packed unsafe.Pointer) uint32

//go:wasmimport kernel unpack_terms
func wasmUnpackTerms(prefix unsafe.Pointer, n uint32, suffix unsafe.Pointer, suffixEnd uint32, blob unsafe.Pointer,
	blobEnd uint32, ends, table unsafe.Pointer,
	mask uint32) uint32

//go:wasmimport kernel near
func wasmNear(dst, values unsafe.Pointer, n, limit, ties uint32) uint32

//go:wasmimport kernel dot_biased
func wasmDotBiased(dst, rows unsafe.Pointer, n uint32, wide unsafe.Pointer, dim uint32, bias int32)

//go:wasmimport kernel dot_biased_at
func wasmDotBiasedAt(dst, rows, at unsafe.Pointer, n uint32, wide unsafe.Pointer, dim uint32, bias int32)

//go:wasmimport kernel dot_f64_at
func wasmDotF64At(dst, rows, at unsafe.Pointer, n uint32, q unsafe.Pointer, dim uint32)

//go:wasmimport kernel weigh
func wasmWeigh(dst, dots, factors unsafe.Pointer, n uint32, most unsafe.Pointer, m uint32)

//go:wasmimport kernel above
func wasmAbove(dst unsafe.Pointer, room uint32, values unsafe.Pointer, n uint32, least float32) uint32

//go:wasmimport kernel sum_rows
func wasmSumRows(dst, rows unsafe.Pointer, half uint32, scales, tokens unsafe.Pointer, n uint32)
