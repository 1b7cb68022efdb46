package kernel

import "math/bits"

// The twins compute in Go what the kernels compute. They are the reference in tests, and the implementation without
// kernels.

func twinDotI8(dst []int32, rows, q []int8) {
	dim := len(q)
	for r := range dst {
		row := rows[r*dim:][:dim]
		var s int32
		for c, x := range q {
			s += int32(x) * int32(row[c])
		}
		dst[r] = s
	}
}

// twinDotBiased is twinDotI8 of rows whose numbers in even columns have an inverted highest bit.
func twinDotBiased(dst []int32, rows, q []int8) {
	dim := len(q)
	for r := range dst {
		row := rows[r*dim:][:dim]
		var s int32
		for c, x := range q {
			y := row[c]
			if c&1 == 0 {
				y ^= -128
			}
			s += int32(x) * int32(y)
		}
		dst[r] = s
	}
}

func twinDotF32(dst, rows, q []float32) {
	dim := len(q)
	for r := range dst {
		row := rows[r*dim:][:dim]
		var s [16]float32
		for c, x := range q {
			s[c&15] += float32(x * row[c])
		}
		for n := 8; n > 0; n /= 2 {
			for j := range n {
				s[j] += s[j+n]
			}
		}
		dst[r] = s[0]
	}
}

func twinHamming(dst, counts []uint32, rows, q []byte) {
	size := len(q)
	for r := range dst {
		row := rows[r*size:][:size]
		n := 0
		for c, x := range q {
			n += bits.OnesCount8(x ^ row[c])
		}
		dst[r] = uint32(n)
		counts[n]++
	}
}

func twinMaxSimI8(dst []float32, tokens []int8, scales []float32, offsets []uint32, q []int8, qscales []float32,
	dim int) {
	for d := range dst {
		from, to := offsets[d], offsets[d+1]
		var sum float32
		for i := range qscales {
			if from == to {
				break
			}
			query := q[i*dim:][:dim]
			var best float32
			for t := from; t < to; t++ {
				row := tokens[int(t)*dim:][:dim]
				var s int32
				for c, x := range query {
					s += int32(x) * int32(row[c])
				}
				if v := float32(s) * scales[t]; t == from || v > best {
					best = v
				}
			}
			sum += float32(best * qscales[i])
		}
		dst[d] = sum
	}
}
