package rerank

import (
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
)

// Day returns a date, YYYY-MM-DD, as the number of days since 1970-01-01. ok is false if the date is malformed.
//
// Source: the Julian day number of the proleptic Gregorian calendar, H. F. Fliegel and T. C. Van Flandern, CACM 11
// (1968) 657.
func Day(date string) (day int, ok bool) {
	if len(date) != 10 || date[4] != '-' || date[7] != '-' {
		return 0, false
	}
	y, err1 := strconv.Atoi(date[:4])
	m, err2 := strconv.Atoi(date[5:7])
	d, err3 := strconv.Atoi(date[8:])
	if err1 != nil || err2 != nil || err3 != nil || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	a := (m - 14) / 12
	julian := (1461*(y+4800+a))/4 + (367*(m-2-12*a))/12 - (3*((y+4900+a)/100))/4 + d - 32075
	return julian - 2440588, true
}

// Recency returns ½^(age/half) for an age in days; half is the half-life.
func Recency(age int, half float64) float64 { return float.Exp2(-math.Max(0, float64(age)) / half) }

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
	"november", "december"}

// PartialDate is a date in a query: a year, with month and day if given (else 0).
type PartialDate struct{ Year, Month, Day int }

// Dates returns the dates in a text: years from 1000 to 2999, with the month before them and the day before or
// after that ("12 August 2025", "March 2024", "1931").
func Dates(text string) []PartialDate {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	month := func(i int) int {
		for m, name := range months {
			if i >= 0 && words[i] == name {
				return m + 1
			}
		}
		return 0
	}
	day := func(i int) int {
		if i < 0 {
			return 0
		}
		if n, err := strconv.Atoi(words[i]); err == nil && n >= 1 && n <= 31 {
			return n
		}
		return 0
	}
	var out []PartialDate
	for i, w := range words {
		y, err := strconv.Atoi(w)
		if err != nil || len(w) != 4 || y < 1000 || y > 2999 {
			continue
		}
		when := PartialDate{Year: y, Month: month(i - 1)}
		if when.Month > 0 {
			when.Day = day(i - 2)
		} else if d := day(i - 1); d > 0 && month(i-2) > 0 { // March 4, 2024
			when.Month, when.Day = month(i-2), d
		}
		out = append(out, when)
	}
	return out
}

// Holds reports whether a date, YYYY-MM-DD, falls within w.
func (w PartialDate) Holds(date string) bool {
	if len(date) != 10 {
		return false
	}
	is := func(part string, want int) bool {
		n, err := strconv.Atoi(part)
		return want == 0 || err == nil && n == want
	}
	return is(date[:4], w.Year) && is(date[5:7], w.Month) && is(date[8:], w.Day)
}
