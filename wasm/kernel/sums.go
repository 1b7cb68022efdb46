package kernel

import "unsafe"

// sumRows is encoder.SumRows. The kernel processes sixteen columns at a time; the caller guarantees multiples.
func sumRows(dst []float64, rows string, scales []float64, tokens []int32) {
	half := len(dst) / 2
	for _, t := range tokens { // bounds checks, which the kernel lacks
		_, _ = rows[int(t)*half:(int(t)+1)*half], scales[t]
	}
	wasmSumRows(base(dst), unsafe.Pointer(unsafe.StringData(rows)), uint32(half), base(scales), base(tokens),
		uint32(len(tokens)))
}
