package experiment

import "math"

func (r *Report) test(cancel func() bool) error {
	for m := range r.Columns {
		c := &r.Columns[m]
		c.Low, c.High, c.Groups = append([]float64(nil), c.Means...), append([]float64(nil), c.Means...), make([]string, len(c.Means))
	}
	v := r.Columns[0].Values
	for a := range v {
		for b := a + 1; b < len(v); b++ {
			r.Pairs = append(r.Pairs, Pair{A: a, B: b, Diff: mean(v[b]) - mean(v[a]), Effect: math.NaN()})
		}
	}
	return nil
}

func rankBiasedOverlap(a, b []uint32) float64 { return math.NaN() }
