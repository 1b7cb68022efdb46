package report

import "github.com/rankbox/rankbox/core/base/say"

// Letters are the places in the alphabet of the letters of systems, in their order, where one that left had a letter
// before them: a system keeps its own. nil where they are A, B, C …
type Letters []int

// MaxPlace is one more than the highest place that a letter has: ZZ.
const MaxPlace = 26 * 27

// Place is where the letter of a system stands in the alphabet, from 0.
func (l Letters) Place(system int) int {
	if system < len(l) {
		return l[system]
	}
	return system
}

// Letter is what a system is called.
func (l Letters) Letter(system int) string { return say.Letter(l.Place(system)) }

// For are the letters of n systems: these as far as they are different ones, and the first that are free for the others
// (negative).
func (l Letters) For(n int) Letters {
	out, taken := make(Letters, n), map[int]bool{}
	for i := range out {
		out[i] = -1
		if i < len(l) && l[i] >= 0 && l[i] < MaxPlace && !taken[l[i]] {
			out[i] = l[i]
			taken[l[i]] = true
		}
	}
	free, own := 0, true
	for i := range out {
		for out[i] < 0 {
			if !taken[free] {
				out[i] = free
			}
			free++
		}
		own = own && out[i] == i
	}
	if own {
		return nil
	}
	return out
}
