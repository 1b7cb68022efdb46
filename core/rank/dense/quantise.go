package dense

import "math"

// Quantise returns rows of dim numbers as int8 with a scale each: the largest absolute value of a row becomes 127. Ties are rounded to even; a row of
// zeros, or one with a number that is not finite, has scale 0. len(rows) is a multiple of dim.
func Quantise(rows []float32, dim int) *Vectors {
	v := &Vectors{Dim: dim, Rows: make([]int8, len(rows)), Scales: make([]float32, len(rows)/dim)}
	for r := range v.Scales {
		row := rows[r*dim : (r+1)*dim]
		largest := 0.0
		for _, x := range row {
			largest = max(largest, math.Abs(float64(x)))
		}
		scale := float32(largest / 127)
		if scale == 0 || math.IsNaN(largest) || math.IsInf(largest, 0) {
			continue
		}
		v.Scales[r] = scale
		for c, x := range row {
			v.Rows[r*dim+c] = int8(max(-127, min(127, math.RoundToEven(float64(x)/float64(scale)))))
		}
	}
	return v
}
