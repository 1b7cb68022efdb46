package dense

import (
	"math"
	"math/bits"

	"github.com/rankbox/rankbox/core/rank"
)

// The functions below are variables so that a program can put faster equals in their place at start-up.
var (
	// ScanBits writes the number of bits in which q differs from each row of rows; counts[v] grows by the number of
	// rows that are v. len(counts) must be at least 8·len(q) + 1.
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

	// ScanAt is Scan of the rows at some places: dst[i] = rows[at[i]] · q.
	ScanAt = func(dst []int32, rows []int8, at []uint32, q []int8) {
		for i, r := range at {
			Scan(dst[i:i+1], rows[int(r)*len(q):][:len(q)], q)
		}
	}

	// DotAt writes the dot products of q with the rows at some places in double precision, added up in order.
	DotAt = func(dst []float64, rows []float32, at []uint32, q []float32) {
		for i, r := range at {
			dst[i] = dot64(q, rows[int(r)*len(q):][:len(q)])
		}
	}

	// Near writes the places, ascending, of the values that are below limit and of the first ties that equal it, and
	// returns how many there are. dst must have room for one more.
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

	// Weigh writes the product, in 32 bits, of each of the dots and its factor. most[i mod len(most)] becomes the
	// largest of them, where that is larger than what is there. len(most) must be a multiple of 4.
	Weigh = func(dst []float32, dots []int32, factors, most []float32) {
		for i, dot := range dots {
			v := float32(float32(dot) * factors[i])
			dst[i] = v
			if at := i % len(most); v > most[at] {
				most[at] = v
			}
		}
	}

	// Above writes the places, ascending, of the values that are least or more, until dst is full, and returns how many
	// there are.
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

// choice is the room that choosing the best of many needs.
type choice struct {
	values, most []float32
	least        float32 // no more than the k-th of the products, −∞ where there are fewer
	at           []uint32
}

// sized returns s with room for n, whatever it holds.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// first returns the places, ascending, of the dots whose product with their factor is among the best k, or is less than
// the k-th best by slack at most: all of those, and few others. A factor that is not a number leaves its place out, as
// pass does; nil passes all. It is overwritten by the next call.
func (c *choice) first(dots []int32, factors []float32, k int, slack float64, pass func(i int) bool) []uint32 {
	// The largest of every m-th product are products of m different places, so that the k-th of them is no more than
	// the k-th of all, and hardly less: with m = 5k the 110th, say, for the 100th. Twice as many take longer to choose
	// from than the fewer that are left save.
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
		c.least = largest(c.most, k)
	}
	// The products, of which either may be one, are rounded three times.
	limit := min(float64(c.least), math.MaxFloat32)
	limit -= slack + float64((math.Abs(limit)+slack)*0x1p-20) + 0x1p-147
	return c.at[:Above(c.at, c.values, below(limit))]
}

func fill(s []float32, v float32) {
	for i := range s {
		s[i] = v
	}
}

// below is the nearest float32 that is not more.
func below(x float64) float32 {
	f := float32(x)
	if float64(f) > x {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// largest returns the k-th largest of numbers, 1 ≤ k ≤ len(v), and reorders them.
func largest(v []float32, k int) float32 {
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

// nearest returns the first n documents by the bits in which they differ from q, those that differ in as many in
// ascending order; the places are ascending. It is overwritten by the next call.
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
