package dense

// Round is Quantise, and also keeps the unrounded numbers. It keeps rows without copying them.
func Round(rows []float32, dim int) *Vectors {
	v := Quantise(rows, dim)
	v.Floats = rows
	return v
}

// Zero returns the rows of zeros, ascending. They have no direction, so no query finds them.
func (v *Vectors) Zero() []int {
	var out []int
	for r, s := range v.Scales {
		if s == 0 {
			out = append(out, r)
		}
	}
	return out
}

// float returns the real values of row r, computed in room unless Floats has them.
func (v *Vectors) float(r int, room []float32) []float32 {
	if v.Floats != nil {
		return v.Floats[r*v.Dim : (r+1)*v.Dim]
	}
	room = room[:0]
	for _, x := range v.Row(r) {
		room = append(room, float32(float32(x)*v.Scales[r]))
	}
	return room
}

// Bits are the signs of rows: bit c%8 of byte c/8 of a row is set if number c is not negative. Unused bits are 0.
type Bits struct {
	Dim  int
	Rows []byte // (Dim+7)/8 a row
}

// Signs returns the signs of rows of dim numbers.
func Signs(rows []int8, dim int) *Bits {
	size := (dim + 7) / 8
	b := &Bits{Dim: dim, Rows: make([]byte, len(rows)/max(dim, 1)*size)}
	for r := range len(rows) / max(dim, 1) {
		signs(b.Rows[r*size:], rows[r*dim:(r+1)*dim])
	}
	return b
}

// signs sets the signs of a row in to, which must be zero.
func signs(to []byte, row []int8) {
	for c, x := range row {
		if x >= 0 {
			to[c/8] |= 1 << (c % 8)
		}
	}
}

// Vectors returns the vectors that the signs represent: ±1 with a scale that gives each row length 1. Rows with a
// true value in zero have scale 0; zero may be nil.
func (b *Bits) Vectors(zero []bool) *Vectors {
	size := (b.Dim + 7) / 8
	n := len(b.Rows) / max(size, 1)
	v := &Vectors{Dim: b.Dim, Rows: make([]int8, n*b.Dim), Scales: make([]float32, n)}
	scale := float32(1 / sqrt(float64(b.Dim)))
	for r := range n {
		if zero == nil || !zero[r] {
			v.Scales[r] = scale
		}
		for c := range b.Dim {
			v.Rows[r*b.Dim+c] = int8(b.Rows[r*size+c/8]>>(c%8)&1)*2 - 1
		}
	}
	return v
}

// ScanFloats writes the dot product of q with each row of rows, in 32 bits. Element c goes to sum c mod 16, in
// ascending order; the sixteen sums are folded to 8, 4, 2 and 1, sum j adding sum j + n. It is a variable, so that
// a program can install a faster equivalent at start-up.
var ScanFloats = func(dst, rows, q []float32) {
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
