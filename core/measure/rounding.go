//go:build !first || lessons

package measure

// Rounding is what is missing between the terms and the value: Base + Sum/Divisor + Rounding = Value, to the last bit.
// It is 0 but for measures that the engine adds up in another order than document by document, and there a few units of
// the last place.
func (u *Unfolding) Rounding() float64 { return u.Value - (u.Base + u.Sum/u.Divisor) }
