//go:build !first || lessons

package measure

// Rounding returns the difference between the terms and the value: Base + Sum/Divisor + Rounding = Value, to the
// last bit. It is 0 except for measures that are not computed document by document; for those it is a few units in
// the last place.
func (u *Unfolding) Rounding() float64 { return u.Value - (u.Base + u.Sum/u.Divisor) }
