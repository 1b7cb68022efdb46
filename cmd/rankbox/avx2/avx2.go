// Package avx2 holds the loop in which dense retrieval spends its time, for processors of amd64 that have AVX2; the tab
// has it as WebAssembly SIMD (wasm/kernel). It computes in integers, so that its results are those of the loop in
// core/retrieve/rank/dense to the bit.
package avx2

import (
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"golang.org/x/sys/cpu"
)

// Install makes dense use the loop where the processor can run it. Call it once at start-up.
func Install() {
	if cpu.X86.HasAVX2 {
		dense.Scan = scan
		dense.ScanAt = scanAt
	}
}

// scan is dense.Scan.
func scan(dst []int32, rows, q []int8) {
	if len(dst) == 0 || len(q) == 0 {
		clear(dst)
		return
	}
	_ = rows[:len(dst)*len(q)]
	wide := widen(q)
	dot(&dst[0], &rows[0], len(dst), &wide[0], len(q), len(q)/16)
	if rest := len(q) &^ 15; rest < len(q) {
		for r := range dst {
			dst[r] += tail(rows[r*len(q):][:len(q)], q, rest)
		}
	}
}

// scanAt is dense.ScanAt.
func scanAt(dst []int32, rows []int8, at []uint32, q []int8) {
	if len(q) == 0 {
		clear(dst[:len(at)])
		return
	}
	wide := widen(q)
	for i, r := range at {
		row := rows[int(r)*len(q):][:len(q)]
		dot(&dst[i], &row[0], 1, &wide[0], len(q), len(q)/16)
		dst[i] += tail(row, q, len(q)&^15)
	}
}

func widen(q []int8) []int16 {
	wide := make([]int16, len(q))
	for c, x := range q {
		wide[c] = int16(x)
	}
	return wide
}

// tail is the product of what stands from column from on.
func tail(row, q []int8, from int) (s int32) {
	for c := from; c < len(q); c++ {
		s += int32(row[c]) * int32(q[c])
	}
	return s
}
