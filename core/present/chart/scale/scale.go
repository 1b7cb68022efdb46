// Package scale takes values to places: scales, round numbers along them, and dots that lie beside each other instead
// of over each other. It is what drawings have in common, and draws nothing.
package scale

import (
	"math"
	"strconv"

	"github.com/rankbox/rankbox/core/base/float"
)

// Scale takes values to places. Where Low and High are the same everything lies in the middle.
type Scale struct {
	Low, High float64 // values
	From, To  float64 // places
	Log       bool
}

// At returns the place of a value.
func (s Scale) At(v float64) float64 {
	lo, hi := s.Low, s.High
	if s.Log {
		lo, hi, v = float.Log10(lo), float.Log10(hi), float.Log10(v)
	}
	if !(hi > lo) {
		return (s.From + s.To) / 2
	}
	return s.From + float64((s.To-s.From)*((v-lo)/(hi-lo)))
}

// Span returns the ends of an axis that holds all values with some room, lo ≤ hi.
func Span(lo, hi float64) (low, high float64) {
	if !(hi > lo) {
		return lo - 0.5, hi + 0.5
	}
	pad := float64((hi - lo) * 0.04)
	return lo - pad, hi + pad
}

// Ticks returns round numbers from lo to hi, no more than most (but two), and the decimals that they need.
func Ticks(lo, hi float64, most int, whole bool) (at []float64, decimals int) {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil, 0
	}
	most = max(most, 2)
	for e := int(math.Floor(float.Log10((hi-lo)/float64(most)))) - 1; ; e++ {
		if whole && e < 0 {
			continue
		}
		for _, m := range []int{1, 2, 5} {
			unit := float.Pow(10, float64(max(e, -e)))
			round := func(k float64) float64 { // the nearest to k·m·10^e
				if e < 0 {
					return k * float64(m) / unit
				}
				return k * float64(m) * unit
			}
			first, last := math.Ceil((lo-float64((hi-lo)*1e-9))/round(1)),
				math.Floor((hi+float64((hi-lo)*1e-9))/round(1))
			if last-first+1 > float64(most) {
				continue
			}
			for k := first; k <= last; k++ {
				at = append(at, round(k)+0) // no −0
			}
			return at, max(-e, 0)
		}
	}
}

// LogTicks returns 1, 2, 5, 10, … from lo to hi, only the powers of ten where those are more than most.
func LogTicks(lo, hi float64, most int) []float64 {
	for _, ms := range [][]float64{{1, 2, 5}, {1}} {
		var at []float64
		for p := float.Pow(10, math.Floor(float.Log10(lo))); p <= hi; p *= 10 {
			for _, m := range ms {
				if v := p * m; v >= lo && v <= hi {
					at = append(at, v)
				}
			}
		}
		if len(at) <= most || len(ms) == 1 {
			return at
		}
	}
	return nil
}

// Text writes a place in a drawing: tenths of a pixel.
func Text(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	if n := len(s); s[n-1] == '0' {
		s = s[:n-2]
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// Place is where something lies, in pixels.
type Place struct{ X, Y float64 }

// Stack places one dot a value along a line, in the order of the values: X by the scale, Y up and down from the line
// where dots would lie over each other, at most 17 away. Stacks of more than five dots grow to both sides, by at most
// 11 and never beyond the ends of the scale: the more dots, the closer they lie.
func Stack(values []float64, s Scale) []Place {
	const rows, step, half = 5, 3, 11
	slot := func(x float64) int { return int(math.Round(x / 11)) }
	size := map[int]int{}
	for _, v := range values {
		size[slot(s.At(v))]++
	}
	low, high := min(s.From, s.To), max(s.From, s.To)
	out := make([]Place, len(values))
	stack := map[int]int{}
	for i, v := range values {
		x := s.At(v)
		k := slot(x)
		n := stack[k]
		stack[k]++
		columns := float64((size[k]+rows-1)/rows - 1) // beside the first
		wide := min(columns*step, 2*half)
		left := max(low, min(x-float64(wide/2), high-wide))
		if columns > 0 {
			x = left + float64(wide*float64(n/rows)/columns)
		}
		n %= rows
		out[i] = Place{X: x, Y: min(max(float64((n+1)/2)*8*float64(1-2*(n%2)), -17), 17)}
	}
	return out
}
