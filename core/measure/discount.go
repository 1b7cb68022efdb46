package measure

import "strconv"

// paramBase is the discount of the original DCG paper.
var paramBase = Param{Name: "base", Kind: KindInt, Optional: true, Min: 2, Max: maxCutoff,
	Doc: "no discount before this rank b, log_b(rank) from it on; without it, log2(rank + 1)"}

// log2Table[i] is log2(i) for common list lengths; index 0 is unused.
var log2Table = func() (t [1026]float64) {
	for i := 1; i < len(t); i++ {
		t[i] = log2(float64(i))
	}
	return t
}()

// log2Rank returns log2(rank+1), the discount of DCG: 1 at rank 1.
func log2Rank(rank int32) float64 {
	if int(rank) < len(log2Table)-1 {
		return log2Table[rank+1]
	}
	return log2(float64(rank) + 1)
}

// discountAt returns the divisor of the gain at a rank under parameter base. Without base it is log2(rank+1), else
// 1 before rank base and log_base(rank) from there on. It never decreases with the rank.
func discountAt(base float64, rank int32) float64 {
	if base == notGiven {
		return log2Rank(rank)
	}
	if float64(rank) < base {
		return 1
	}
	return log2Rank(rank-1) / log2Rank(int32(base)-1)
}

// hasBase reports whether parameter base is set.
func (m *Measure) hasBase() bool {
	p := m.info.param(paramBase.Name)
	return p != nil && !m.isDefault(p)
}

// discountOf returns the discount of a rank under the measure's base, and its notation.
func (m *Measure) discountOf(rank int) (v float64, work string) {
	base := m.Float(paramBase.Name)
	v = discountAt(base, int32(rank))
	switch {
	case base == notGiven:
		return v, logOf(rank)
	case v == 1:
		return v, "1"
	}
	return v, "log" + strconv.Itoa(int(base)) + "(" + strconv.Itoa(rank) + ")"
}
