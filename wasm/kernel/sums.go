package kernel

import "unsafe"

// sumRows is encoder.SumRows. The kernel takes sixteen columns at a time, which the caller sees to.
func sumRows(dst []float64, rows string, scales []float64, tokens []int32) {
	half := len(dst) / 2
	for _, t := range tokens { // Go looks where the kernel can't
		_, _ = rows[int(t)*half:(int(t)+1)*half], scales[t]
	}
	wasmSumRows(start(dst), unsafe.Pointer(unsafe.StringData(rows)), uint32(half), start(scales), start(tokens),
		uint32(len(tokens)))
}
