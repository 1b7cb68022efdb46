package compare

import (
	"math"
	"strconv"
)

// number writes v with so many places, "n/a" where it is not a number.
func number(v float64, places int) string {
	if math.IsNaN(v) {
		return "n/a"
	}
	s := strconv.FormatFloat(v, 'f', places, 64)
	if v < 0 && zero(s) {
		return s[1:]
	}
	return s
}

// zero reports whether a decimal is −0, −0.00 …
func zero(s string) bool {
	for _, c := range s[1:] {
		if c != '0' && c != '.' {
			return false
		}
	}
	return true
}

// signed is number with a sign for all but n/a.
func signed(v float64, places int) string {
	s := number(v, places)
	if !math.IsNaN(v) && s[0] != '-' {
		return "+" + s
	}
	return s
}

// percent writes a share as a percentage: 0.125 is "12.5 %" with one place.
func percent(v float64, places int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "n/a"
	}
	return number(100*v, places) + " %"
}

// probability writes a p-value to three places: "= 0.012", "< 0.001".
func probability(p float64) string {
	switch {
	case math.IsNaN(p):
		return "n/a"
	case p < 0.001:
		return "< 0.001"
	}
	return "= " + strconv.FormatFloat(p, 'f', 3, 64)
}

// relative returns the change from old to new as a share of old: ±Inf from 0, 0 where both are 0.
func relative(old, new float64) float64 {
	if old == new {
		return 0
	}
	return (new - old) / math.Abs(old)
}
