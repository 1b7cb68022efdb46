package significance

import (
	"math"
	"math/bits"

	"github.com/rankbox/rankbox/core/base/say"
)

// Effect is one row of an analysis of variance.
type Effect struct {
	Factors []int   // of the design, ascending; nil for the rest
	SS, DF  float64 // sum of squares, degrees of freedom
	Eta     float64 // η²: SS as a share of that of all values, NaN where nothing varies
}

// Anova divides the variance of a full factorial design with one value a cell into effects. levels are how many levels
// each factor has, values the cells, the last factor varying fastest; terms are the effects that are looked for, each a
// set of factors as bits. What no term explains is the rest, the last row. In a balanced design sums of squares of
// types I, II and III are the same.
//
// It describes these values and tests nothing: against the rest of such a table an effect that differs from query to
// query looks surer than it is. RepeatedMeasures tests.
//
// Source: Ferro and Silvello 2018, Toward an Anatomy of IR System Component Performances, JASIST 69(2), equations 3 to
// 5. It is one pass: every term takes its share from what those before have left.
func Anova(levels []int, values []float64, terms []uint) ([]Effect, error) {
	n := 1
	for _, l := range levels {
		if l < 2 || n > 1<<26/l {
			return nil, say.Faultf("significance: analysis of variance",
				"a factor has fewer than two levels, or there are too many cells")
		}
		n *= l
	}
	if len(levels) > 16 || n != len(values) {
		return nil, say.Faultf("significance: analysis of variance", "the design is not a full one")
	}
	if !finite(values) {
		return nil, say.Faultf("significance: analysis of variance", "a value is not finite")
	}
	grand := Mean(values)
	centred := make([]float64, n)
	for i, v := range values {
		centred[i] = v - grand
	}
	all := 0.0
	for _, v := range centred {
		all += float64(v * v)
	}
	// what the means of a set of factors explain, and by inclusion and exclusion what the set explains beyond its
	// subsets
	explained := map[uint]float64{0: 0}
	explain := func(set uint) float64 {
		if v, ok := explained[set]; ok {
			return v
		}
		sums := make([]float64, n)
		cell := make([]int, len(levels))
		groups := 1
		for f, l := range levels {
			if set>>f&1 == 1 {
				groups *= l
			}
		}
		for _, v := range centred {
			at := 0
			for f, l := range levels {
				if set>>f&1 == 1 {
					at = at*l + cell[f]
				}
			}
			sums[at] += v
			for f := len(levels) - 1; f >= 0; f-- {
				if cell[f]++; cell[f] < levels[f] {
					break
				}
				cell[f] = 0
			}
		}
		s := 0.0
		for _, v := range sums[:groups] {
			s += float64(v * v)
		}
		s /= float64(n / groups)
		explained[set] = s
		return s
	}
	var out []Effect
	rest, df := all, float64(n-1)
	for _, t := range terms {
		if t == 0 || t>>len(levels) != 0 {
			return nil, say.Faultf("significance: analysis of variance", "a term is not of the design")
		}
		e := Effect{DF: 1}
		for f, l := range levels {
			if t>>f&1 == 1 {
				e.Factors = append(e.Factors, f)
				e.DF *= float64(l - 1)
			}
		}
		for sub := t; ; sub = (sub - 1) & t {
			if bits.OnesCount(t^sub)%2 == 0 {
				e.SS += explain(sub)
			} else {
				e.SS -= explain(sub)
			}
			if sub == 0 {
				break
			}
		}
		e.SS = max(e.SS, 0)
		rest -= e.SS
		df -= e.DF
		out = append(out, e)
	}
	if df < 1 {
		return nil, say.Faultf("significance: analysis of variance", "the effects leave nothing over")
	}
	if rest < float64(1e-13*all) { // rounding
		rest = 0
	}
	out = append(out, Effect{SS: rest, DF: df})
	for i := range out {
		if e := &out[i]; all > 0 {
			e.Eta = e.SS / all
		} else {
			e.Eta = math.NaN()
		}
	}
	return out, nil
}
