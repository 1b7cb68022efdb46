package collection

import (
	"bytes"
	"errors"
	"math"
	"math/bits"
	"strconv"
)

// powers of ten that a float64, and those that a uint64, holds exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
var upow10 = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
	1e18, 1e19}

// parseScore reads a number in any form that C's strtod and Go's strconv agree on (sign, digits, point, exponent,
// hexadecimal), rounded to nearest even: the same float64 that strconv.ParseFloat returns. NaN, infinities and numbers
// beyond float64 are errors.
func parseScore(b []byte) (float64, error) {
	i := 0
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		i = 1
	}
	var m uint64
	start := i
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		m = m*10 + uint64(d)
	}
	digits, frac := i-start, 0
	if i < len(b) && b[i] == '.' {
		i++
		start = i
		for ; i < len(b); i++ {
			d := b[i] - '0'
			if d > 9 {
				break
			}
			m = m*10 + uint64(d)
		}
		frac = i - start
		digits += frac
	}
	if i < len(b) || digits == 0 || digits > 19 {
		return parseScoreSlow(b)
	}
	f := decimal(m, frac)
	if neg {
		f = -f
	}
	return f, nil
}

// decimal returns m / 10^frac, rounded to nearest even; m has at most 19 digits and frac is at most 19.
func decimal(m uint64, frac int) float64 {
	if m < 1<<53 {
		return float64(m) / pow10[frac] // both exact, so the quotient is rounded once
	}
	if frac == 0 {
		return float64(m)
	}
	// m·2^s / d with m and d shifted to the top has a quotient of 63 or 64 bits; its rest only matters for being zero
	// or not.
	d := upow10[frac]
	lm, ld := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	m, d = m<<lm, d<<ld
	q, rest := bits.Div64(m>>1, m<<63, d)
	e := ld - lm - 63 // m/10^frac = q · 2^e
	if rest != 0 {
		q |= 1 // the lowest of at least ten bits that are rounded off
	}
	// float64(q) rounds to nearest even, and scaling by a power of two is exact here (10^-19 … 10^19).
	return float64(q) * math.Float64frombits(uint64(1023+e)<<52)
}

// parseScoreSlow reads what parseScore does not: exponents, more than 19 digits, hexadecimal.
func parseScoreSlow(b []byte) (float64, error) {
	for _, c := range b {
		if c == '_' {
			return 0, errors.New("score " + strconv.Quote(clip(b)) + " is not a number")
		}
	}
	f, err := strconv.ParseFloat(text(b), 64)
	if err != nil && holds(b[:min(len(b), 3)], '0') && bytes.IndexAny(b[:min(len(b), 3)], "xX") > 0 &&
		!bytes.ContainsAny(b, "pP") {
		f, err = strconv.ParseFloat(text(b)+"p0", 64) // C needs no exponent
	}
	switch {
	case err == nil && f != f:
		return 0, errors.New("score " + clip(b) + " cannot be ranked: replace it with a number, or remove the line")
	case math.IsInf(f, 0) && err == nil:
		return 0, errors.New("score " + clip(b) +
			" is infinite and cannot be ranked: replace it with a number, or remove the line")
	case math.IsInf(f, 0):
		return 0, errors.New("score " + clip(b) + " is beyond the range of double precision")
	case err != nil:
		for i, c := range b {
			if c == ',' && i > 0 {
				return 0, errors.New("score " + strconv.Quote(clip(b)) +
					" is not a number (decimals are separated by a point)")
			}
		}
		return 0, errors.New("score " + strconv.Quote(clip(b)) + " is not a number")
	}
	return f, nil
}
