package dense

// A loop that reads two numbers of a row at a time is faster if the first is unsigned. So rows may be stored with
// the numbers of even columns biased by 128: their highest bit is inverted. This happens in place, because a copy
// would double the memory, and only if the program has such loops.
var (
	// ScanBiased is Scan of biased rows; nil unless a program installed one at start-up.
	ScanBiased func(dst []int32, rows, q []int8)

	// ScanBiasedAt is ScanAt of biased rows; nil if ScanBiased is.
	ScanBiasedAt func(dst []int32, rows []int8, at []uint32, q []int8)
)

// bias converts the rows for ScanBiased, if installed. Rows is nil afterwards: use Row or All.
func (v *Vectors) bias() {
	if ScanBiased == nil || v.biased != nil || v.Rows == nil {
		return
	}
	for at := 0; at < len(v.Rows); at += v.Dim {
		invertEvenSigns(v.Rows[at : at+v.Dim])
	}
	v.biased, v.Rows = v.Rows, nil
}

// invertEvenSigns inverts the highest bit of the numbers in even columns of a row.
func invertEvenSigns(row []int8) {
	for c := 0; c < len(row); c += 2 {
		row[c] ^= -128
	}
}

// storedRows returns the stored rows, biased or not.
func (v *Vectors) storedRows() []int8 {
	if v.biased != nil {
		return v.biased
	}
	return v.Rows
}

// Row returns row r. The caller must not change it.
func (v *Vectors) Row(r int) []int8 { return v.row(r, nil) }

// row is Row. room holds the result if the row has to be converted.
func (v *Vectors) row(r int, room []int8) []int8 {
	row := v.storedRows()[r*v.Dim : (r+1)*v.Dim]
	if v.biased == nil {
		return row
	}
	row = append(room[:0], row...)
	invertEvenSigns(row)
	return row
}

// All returns all rows, concatenated. The caller must not change them.
func (v *Vectors) All() []int8 {
	if v.biased == nil {
		return v.Rows
	}
	all := make([]int8, 0, len(v.biased))
	for r := range v.Len() {
		all = append(all, v.biased[r*v.Dim:(r+1)*v.Dim]...)
		invertEvenSigns(all[r*v.Dim:])
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

// Dots writes the dot products of q with the rows at the given indices: dst[i] = row at[i] · q.
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
