//go:build !first

package kernel

// The functions that dense selects documents with. Without kernels dense uses its own equivalent loops.

// dotF64At is dense.DotAt. The kernel processes eight rows at a time; the first row pads the rest.
func dotF64At(dst []float64, rows []float32, at []uint32, q []float32) {
	check(rows, at, len(q))
	_ = dst[:len(at)]
	wide := make([]float64, len(q))
	for c, x := range q {
		wide[c] = float64(x)
	}
	whole := len(at) &^ 7
	wasmDotF64At(base(dst), base(rows), base(at), uint32(whole), base(wide), uint32(len(q)))
	if whole < len(at) {
		var rest [8]uint32
		var sums [8]float64
		copy(rest[:], at[whole:])
		wasmDotF64At(base(sums[:]), base(rows), base(rest[:]), 8, base(wide), uint32(len(q)))
		copy(dst[whole:len(at)], sums[:])
	}
}

// check panics if an index is beyond the rows.
func check[T any](rows []T, at []uint32, dim int) {
	var last uint32
	for _, r := range at {
		last = max(last, r)
	}
	if len(at) > 0 {
		_ = rows[:(int(last)+1)*dim]
	}
}

// near is dense.Near.
func near(dst, values []uint32, limit, ties uint32) int {
	return int(wasmNear(base(dst), base(values), uint32(len(values)), limit, ties))
}

// weigh is dense.Weigh.
func weigh(dst []float32, dots []int32, factors, most []float32) {
	if len(dots) == 0 {
		return
	}
	_, _ = dst[:len(dots)], factors[:len(dots)]
	if len(most) == 0 || len(most)%4 != 0 {
		panic("kernel: weigh: the number of maxima is no multiple of 4")
	}
	wasmWeigh(base(dst), base(dots), base(factors), uint32(len(dots)), base(most), uint32(len(most)))
}

// above is dense.Above.
func above(dst []uint32, values []float32, least float32) int {
	return int(wasmAbove(base(dst), uint32(len(dst)), base(values), uint32(len(values)), least))
}
