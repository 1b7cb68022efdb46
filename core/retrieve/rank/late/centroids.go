package late

import (
	"math/bits"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// centroids assigns each token its nearest among a few tokens, so that those few suffice to score a document
// roughly (Santhanam et al. 2022, PLAID, §4: centroid interaction). The centroids here are evenly spaced tokens,
// not learned ones.
type centroids struct {
	rows    []int8
	n       int
	sets    []uint16 // the centroids of document d, ascending: sets[offsets[d]:offsets[d+1]]
	offsets []uint32
}

// centroidsOf chooses about 4·√tokens centroids, at most 1,024.
func centroidsOf(t *Tokens) *centroids {
	size := t.Size()
	n := 1
	for n < 1024 && n*n < 16*size {
		n *= 2
	}
	n = min(n, size)
	c := &centroids{n: n, offsets: []uint32{0}}
	for i := range n {
		at := i * size / n * t.Dim
		c.rows = append(c.rows, t.Rows[at:at+t.Dim]...)
	}
	dots := make([]int32, n)
	seen := make([]uint64, (n+63)/64)
	for d := range t.Len() {
		clear(seen)
		rows := t.Of(d)
		for at := 0; at < len(rows); at += t.Dim {
			dense.Scan(dots, c.rows, rows[at:at+t.Dim])
			best := 0
			for i, s := range dots {
				if s > dots[best] {
					best = i
				}
			}
			seen[best>>6] |= 1 << (best & 63)
		}
		for w, word := range seen {
			for ; word != 0; word &= word - 1 {
				c.sets = append(c.sets, uint16(w<<6+bits.TrailingZeros64(word)))
			}
		}
		c.offsets = append(c.offsets, uint32(len(c.sets)))
	}
	return c
}

// first returns the top documents when each token is replaced by its centroid. The next call overwrites them.
func (r *Ranker) first(q []int8, nq int, f rank.Filter) []rank.Hit {
	if r.near == nil {
		r.near = centroidsOf(r.docs)
	}
	c := r.near
	dots := make([]int32, c.n*nq)
	for i := range nq {
		dense.Scan(dots[i*c.n:(i+1)*c.n], c.rows, q[i*r.docs.Dim:(i+1)*r.docs.Dim])
	}
	r.rough.Reset(r.Candidates, r.found)
	for d := range r.docs.Len() {
		set := c.sets[c.offsets[d]:c.offsets[d+1]]
		if len(set) == 0 || !f.Has(uint32(d)) {
			continue
		}
		var sum int64
		for i := range nq {
			row := dots[i*c.n:]
			best := row[set[0]]
			for _, s := range set[1:] {
				best = max(best, row[s])
			}
			sum += int64(best)
		}
		r.rough.Push(rank.Hit{Doc: uint32(d), Score: float64(sum)})
	}
	r.found = r.rough.Sorted()
	return r.found
}
