package chart

import (
	"math"
	"strconv"

	"github.com/rankbox/rankbox/core/float"
	"github.com/rankbox/rankbox/core/say"
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

// span returns the ends of an axis that holds all values with some room, lo ≤ hi.
func span(lo, hi float64) (low, high float64) {
	if !(hi > lo) {
		return lo - 0.5, hi + 0.5
	}
	pad := (hi - lo) * 0.04
	return lo - pad, hi + pad
}

// ticks returns round numbers from lo to hi, no more than most (but two), and the decimals that they need.
func ticks(lo, hi float64, most int, whole bool) (at []float64, decimals int) {
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
			first, last := math.Ceil((lo-(hi-lo)*1e-9)/round(1)), math.Floor((hi+(hi-lo)*1e-9)/round(1))
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

// logTicks returns 1, 2, 5, 10, … from lo to hi, only the powers of ten where those are more than most.
func logTicks(lo, hi float64, most int) []float64 {
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

// tick is a number of an axis.
type tick struct {
	at   float64
	text string
}

// ticksFor returns the ticks of an axis, no more than most.
func (a *Axis) ticksFor(most int) []tick {
	if a.Bare || a.Bands != nil {
		return nil
	}
	lo, hi := a.Low, a.High
	if a.To > a.From {
		lo, hi = a.From, a.To
	}
	var out []tick
	if a.Log {
		for _, v := range logTicks(lo, hi, most) {
			out = append(out, tick{v, say.Exact(v)})
		}
		return out
	}
	at, decimals := ticks(lo, hi, most, a.Whole)
	for _, v := range at {
		text := say.Page.Number(v, decimals)
		if a.Signed && v != 0 {
			text = say.Page.Signed(v, decimals)
		}
		out = append(out, tick{v, text})
	}
	return out
}

// place writes a place in a drawing: tenths of a pixel.
func place(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	if n := len(s); s[n-1] == '0' {
		s = s[:n-2]
	}
	if s == "-0" {
		return "0"
	}
	return s
}
