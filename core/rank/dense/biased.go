package dense

// A loop that takes two numbers of a row at a time reads them faster where the first of the two has no sign. So rows
// that are scanned may stand with the numbers of even columns biased by 128, that is, with their highest bit turned
// over. They are turned in place, since a second copy would double what vectors take, and only where a program has such
// loops.
var (
	// ScanBiased is Scan of biased rows; nil where no program put one here at start-up.
	ScanBiased func(dst []int32, rows, q []int8)

	// ScanBiasedAt is ScanAt of biased rows; nil where ScanBiased is.
	ScanBiasedAt func(dst []int32, rows []int8, at []uint32, q []int8)
)

// bias makes rows ready for ScanBiased, where there is one. Rows is nil from then on: who reads numbers does it by Row
// or All.
func (v *Vectors) bias() {
	if ScanBiased == nil || v.biased != nil || v.Rows == nil {
		return
	}
	for at := 0; at < len(v.Rows); at += v.Dim {
		turn(v.Rows[at : at+v.Dim])
	}
	v.biased, v.Rows = v.Rows, nil
}

// turn turns over the highest bit of the numbers of even columns of a row.
func turn(row []int8) {
	for c := 0; c < len(row); c += 2 {
		row[c] ^= -128
	}
}

// numbers are the rows as they stand.
func (v *Vectors) numbers() []int8 {
	if v.biased != nil {
		return v.biased
	}
	return v.Rows
}

// Row returns row r. It is not to be written to.
func (v *Vectors) Row(r int) []int8 { return v.row(r, nil) }

// row is Row; room is used where the row has to be made.
func (v *Vectors) row(r int, room []int8) []int8 {
	row := v.numbers()[r*v.Dim : (r+1)*v.Dim]
	if v.biased == nil {
		return row
	}
	row = append(room[:0], row...)
	turn(row)
	return row
}

// All returns all rows, one after another. They are not to be written to.
func (v *Vectors) All() []int8 {
	if v.biased == nil {
		return v.Rows
	}
	all := make([]int8, 0, len(v.biased))
	for r := range v.Len() {
		all = append(all, v.biased[r*v.Dim:(r+1)*v.Dim]...)
		turn(all[r*v.Dim:])
	}
	return all
}

// scan is Scan of all rows.
func (v *Vectors) scan(dst []int32, q []int8) {
	if v.biased != nil {
		ScanBiased(dst, v.biased, q)
		return
	}
	Scan(dst, v.Rows, q)
}

// Dots writes the dot products of q with the rows at some places: dst[i] = row at[i] · q.
func (v *Vectors) Dots(dst []int32, at []uint32, q []int8) {
	if v.biased != nil {
		ScanBiasedAt(dst, v.biased, at, q)
		return
	}
	ScanAt(dst, v.Rows, at, q)
}

// signs returns the signs of all rows.
func (v *Vectors) signs() *Bits {
	if v.biased == nil {
		return Signs(v.Rows, v.Dim)
	}
	size := (v.Dim + 7) / 8
	b := &Bits{Dim: v.Dim, Rows: make([]byte, v.Len()*size)}
	var room []int8
	for r := range v.Len() {
		room = v.row(r, room)
		signs(b.Rows[r*size:], room)
	}
	return b
}
