package dense

import (
	"math"
	"math/bits"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// These functions are variables, so that a program can install faster equivalents at start-up.
var (
	// ScanBits writes the Hamming distance of q to each row of rows and adds the number of rows at distance v to
	// counts[v]. len(counts) must be at least 8·len(q) + 1.
	ScanBits = func(dst, counts []uint32, rows, q []byte) {
		size := len(q)
		for r := range dst {
			n := 0
			for c, x := range q {
				n += bits.OnesCount8(x ^ rows[r*size+c])
			}
			dst[r] = uint32(n)
			counts[n]++
		}
	}

	// ScanAt is Scan of the rows at the given indices: dst[i] = rows[at[i]] · q.
	ScanAt = func(dst []int32, rows []int8, at []uint32, q []int8) {
		for i, r := range at {
			Scan(dst[i:i+1], rows[int(r)*len(q):][:len(q)], q)
		}
	}

	// DotAt writes the dot products of q with the rows at the given indices, in double precision and added in
	// order.
	DotAt = func(dst []float64, rows []float32, at []uint32, q []float32) {
		for i, r := range at {
			dst[i] = dot64(q, rows[int(r)*len(q):][:len(q)])
		}
	}

	// Near writes the ascending indices of the values below limit and of the first ties that equal it. It returns
	// their number. dst needs room for one more.
	Near = func(dst, values []uint32, limit, ties uint32) int {
		n := 0
		for i, v := range values {
			if v < limit || v == limit && ties > 0 {
				if v == limit {
					ties--
				}
				dst[n] = uint32(i)
				n++
			}
		}
		return n
	}

	// Weigh writes the 32-bit product of each dot product with its factor. It raises most[i mod len(most)] to the
	// largest of them. len(most) must be a multiple of 4.
	Weigh = func(dst []float32, dots []int32, factors, most []float32) {
		for i, dot := range dots {
			v := float32(float32(dot) * factors[i])
			dst[i] = v
			if at := i % len(most); v > most[at] {
				most[at] = v
			}
		}
	}

	// Above writes the ascending indices of values ≥ least until dst is full, and returns their number.
	Above = func(dst []uint32, values []float32, least float32) int {
		n := 0
		for i, v := range values {
			if v >= least {
				if n == len(dst) {
					break
				}
				dst[n] = uint32(i)
				n++
			}
		}
		return n
	}
)

// choice is scratch memory for selecting the best of many.
type choice struct {
	values, most []float32
	least        float32 // a lower bound of the k-th largest product, −∞ if there are fewer
	at           []uint32
}

// sized returns s resized to n; its contents are arbitrary.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// first returns the ascending indices of the dots whose product with their factor is among the best k or at most
// slack below the k-th best. It returns all of those and few others. A NaN factor excludes its index, as pass does;
// a nil pass accepts all. The next call overwrites the result.
func (c *choice) first(dots []int32, factors []float32, k int, slack float64, pass func(i int) bool) []uint32 {
	// The maxima of every m-th product come from m different places. So the k-th of them is a lower bound of the
	// k-th product, and a close one: with m = 5k it is about the 110th instead of the 100th. A larger m costs more
	// time than it saves.
	m := min(max(512, 5*k), len(dots)+3) &^ 3
	c.values, c.most, c.at = sized(c.values, len(dots)), sized(c.most, m), sized(c.at, len(dots))
	none := float32(math.Inf(-1))
	fill(c.most, none)
	Weigh(c.values, dots, factors, c.most)
	if pass != nil {
		fill(c.most, none)
		for i, v := range c.values {
			if !pass(i) {
				c.values[i] = float32(math.NaN())
			} else if v > c.most[i%m] {
				c.most[i%m] = v
			}
		}
	}
	c.least = none
	if k <= m {
		c.least = kthLargest(c.most, k)
	}
	// Each of the two compared products is rounded up to three times.
	limit := min(float64(c.least), math.MaxFloat32)
	limit -= slack + float64((math.Abs(limit)+slack)*0x1p-20) + 0x1p-147
	return c.at[:Above(c.at, c.values, float32Below(limit))]
}

func fill(s []float32, v float32) {
	for i := range s {
		s[i] = v
	}
}

// float32Below returns the nearest float32 that is not larger.
func float32Below(x float64) float32 {
	f := float32(x)
	if float64(f) > x {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// kthLargest returns the k-th largest number, 1 ≤ k ≤ len(v), and reorders v.
func kthLargest(v []float32, k int) float32 {
	for {
		a, b, c := v[0], v[len(v)/2], v[len(v)-1]
		pivot := max(min(a, b), min(max(a, b), c))
		high, end := 0, len(v) // v[:high] > pivot, v[high:i] == pivot, v[end:] < pivot
		for i := 0; i < end; {
			switch x := v[i]; {
			case x > pivot:
				v[i], v[high] = v[high], x
				high++
				i++
			case x < pivot:
				end--
				v[i], v[end] = v[end], x
			default:
				i++
			}
		}
		switch {
		case k <= high:
			v = v[:high]
		case k <= end:
			return pivot
		default:
			v, k = v[end:], k-end
		}
	}
}

// nearest returns the n documents with the smallest Hamming distance to q, ties by ordinal, as ascending indices.
// The next call overwrites the result.
func (r *Tuned) nearest(q *query, n int, f rank.Filter) []uint32 {
	if r.bits == nil {
		r.bits = r.docs.signs()
		r.differ = make([]uint32, r.docs.Len())
		r.counts = make([]uint32, 8*((r.docs.Dim+7)/8)+1)
	}
	clear(r.counts)
	ScanBits(r.differ, r.counts, r.bits.Rows, Signs(q.row, r.docs.Dim).Rows)
	out := func(d int) {
		r.counts[r.differ[d]]--
		r.differ[d] = math.MaxUint32
	}
	if f == nil {
		for _, d := range r.zeros {
			out(d)
		}
	} else {
		for d := range r.differ {
			if r.docs.Scales[d] == 0 || !f.Has(uint32(d)) {
				out(d)
			}
		}
	}
	limit, left := 0, uint32(max(n, 0))
	for limit < len(r.counts)-1 && r.counts[limit] <= left {
		left -= r.counts[limit]
		limit++
	}
	r.close = sized(r.close, min(max(n, 0), r.docs.Len())+1)
	return r.close[:Near(r.close, r.differ, uint32(limit), left)]
}
