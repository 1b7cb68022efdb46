//go:build !first

package kernel

// dotBiased is dense.ScanBiased. The kernel processes four rows at a time.
func dotBiased(dst []int32, rows, q []int8) {
	dim := len(q)
	_ = rows[:len(dst)*dim]
	wide, bias, ok := widen(q)
	if !ok {
		twinDotBiased(dst, rows, q)
		return
	}
	whole := len(dst) &^ 3
	wasmDotBiased(base(dst), base(rows), uint32(whole), base(wide), uint32(dim), bias)
	if whole < len(dst) {
		var rest [3]uint32
		for i := range dst[whole:] {
			rest[i] = uint32(whole + i)
		}
		fewBiased(dst[whole:], rows, rest[:len(dst)-whole], wide, bias)
	}
}

// dotBiasedAt is dense.ScanBiasedAt.
func dotBiasedAt(dst []int32, rows []int8, at []uint32, q []int8) {
	check(rows, at, len(q))
	_ = dst[:len(at)]
	wide, bias, ok := widen(q)
	if !ok {
		for i, r := range at {
			twinDotBiased(dst[i:i+1], rows[int(r)*len(q):], q)
		}
		return
	}
	whole := len(at) &^ 3
	wasmDotBiasedAt(base(dst), base(rows), base(at), uint32(whole), base(wide), uint32(len(q)), bias)
	if whole < len(at) {
		fewBiased(dst[whole:], rows, at[whole:], wide, bias)
	}
}

// fewBiased handles fewer than four rows by padding with the first.
func fewBiased(dst []int32, rows []int8, at []uint32, wide []int16, bias int32) {
	four := [4]uint32{at[0], at[0], at[0], at[0]}
	copy(four[:], at)
	var sums [4]int32
	wasmDotBiasedAt(base(sums[:]), base(rows), base(four[:]), 4, base(wide), uint32(len(wide)), bias)
	copy(dst, sums[:len(at)])
}
