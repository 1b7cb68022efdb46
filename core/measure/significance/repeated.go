package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
)

// Within is the test of one effect of a repeated-measures analysis of variance: every query has a value in every cell,
// and the effect is tested against how much it differs from query to query.
type Within struct {
	Factors          []int   // of the design, ascending
	SS, DF           float64 // of the effect
	ErrorSS, ErrorDF float64 // of its interaction with the queries
	F                float64 // NaN where the effect is the same for every query
	// Greenhouse and Geisser's ε, 1 for one degree of freedom: how far the effect's contrasts vary alike
	Epsilon      float64
	HuynhFeldt   float64 // the ε of Huynh and Feldt, at most 1
	P            float64 // of F with the degrees of freedom times Epsilon
	PUncorrected float64 // with ε = 1
}

// RepeatedMeasures tests effects of a full factorial design in which every query has a value in every cell. levels are
// how many levels each factor has. values hold the queries of the first cell, then those of the next, the last factor
// varying fastest: as Anova has them with the queries as its last factor. terms are the effects, each a set of factors
// as bits.
//
// An effect S is tested against S × query, which holds if the queries are a sample. The degrees of freedom are
// multiplied by Greenhouse and Geisser's ε, so that contrasts of unequal variance do not make P too small. For one
// factor of two levels it is the paired t test.
//
// Source: Greenhouse and Geisser 1959, Psychometrika 24; Huynh and Feldt 1976, Journal of Educational Statistics 1; F
// as statsmodels AnovaRM, ε as pingouin.
func RepeatedMeasures(levels []int, queries int, values []float64, terms []uint) ([]Within, error) {
	cells := 1
	for _, l := range levels {
		if l < 2 || cells > 1<<26/l {
			return nil, say.Faultf("significance: repeated measures",
				"a factor has fewer than two levels, or there are too many cells")
		}
		cells *= l
	}
	if len(levels) > 16 || queries < 2 || cells > 1<<26/queries || cells*queries != len(values) {
		return nil, say.Faultf("significance: repeated measures",
			"the design is not a full one with at least two queries")
	}
	if !finite(values) {
		return nil, say.Faultf("significance: repeated measures", "a value is not finite")
	}
	var out []Within
	for _, t := range terms {
		if t == 0 || t>>len(levels) != 0 {
			return nil, say.Faultf("significance: repeated measures", "a term is not of the design")
		}
		out = append(out, within(levels, queries, values, t))
	}
	return out, nil
}

// within tests one effect.
func within(levels []int, n int, values []float64, set uint) Within {
	e := Within{DF: 1, F: math.NaN(), P: math.NaN(), PUncorrected: math.NaN(), Epsilon: 1, HuynhFeldt: 1}
	var size []int // levels of the effect's factors
	width := 1
	for f, l := range levels {
		if set>>f&1 == 1 {
			e.Factors = append(e.Factors, f)
			e.DF *= float64(l - 1)
			size = append(size, l)
			width *= l
		}
	}
	e.ErrorDF = float64(e.DF * float64(n-1))
	rows := contrasts(levels, n, values, set, width)
	for _, row := range rows {
		project(row, size)
	}
	// every row is what the effect is for one query; times the cells behind each of its values it is a sum of squares
	behind := float64(len(values) / n / width)
	mean := make([]float64, width)
	for i := range mean {
		var s total
		for _, row := range rows {
			s.add(row[i])
		}
		mean[i] = s.value() / float64(n)
	}
	var effect, rest total
	size2 := 0.0
	for _, row := range rows {
		for i := range row {
			size2 = max(size2, math.Abs(row[i]))
			row[i] -= mean[i]
			rest.add(float64(row[i] * row[i]))
		}
	}
	for _, v := range mean {
		effect.add(float64(v * v))
	}
	e.SS, e.ErrorSS = float64(effect.value()*behind)*float64(n), float64(rest.value()*behind)
	if rest.value() <= float64(float64(1e-24*size2*size2)*float64(n*width)) { // rounding
		e.ErrorSS = 0
		return e
	}
	if e.DF > 1 {
		e.Epsilon = sphericity(rows, rest.value(), e.DF)
		x := float64(e.DF * e.Epsilon)
		e.HuynhFeldt = float64(float64(float64(n)*x)-2) / float64(e.DF*(float64(n-1)-x))
		if !(e.HuynhFeldt <= 1 && e.HuynhFeldt > 0) { // few queries may leave nothing in the denominator
			e.HuynhFeldt = 1
		}
		e.HuynhFeldt = max(e.HuynhFeldt, e.Epsilon)
	}
	e.F = e.SS / e.DF / (e.ErrorSS / e.ErrorDF)
	e.P = FSF(e.F, float64(e.DF*e.Epsilon), float64(e.ErrorDF*e.Epsilon))
	e.PUncorrected = FSF(e.F, e.DF, e.ErrorDF)
	return e
}

// contrasts are the means of a set's cells, a row for every query.
func contrasts(levels []int, n int, values []float64, set uint, width int) [][]float64 {
	rows := make([][]float64, n)
	flat := make([]float64, n*width)
	for q := range rows {
		rows[q], flat = flat[:width], flat[width:]
	}
	cell := make([]int, len(levels))
	share := float64(len(values) / n / width)
	for at := 0; at < len(values); at += n {
		to := 0
		for f, l := range levels {
			if set>>f&1 == 1 {
				to = to*l + cell[f]
			}
		}
		for q := range n {
			rows[q][to] += values[at+q] / share
		}
		for f := len(levels) - 1; f >= 0; f-- {
			if cell[f]++; cell[f] < levels[f] {
				break
			}
			cell[f] = 0
		}
	}
	return rows
}

// project leaves of a row over the cells of some factors what is of all of them together: from every line along a
// factor its mean is taken away.
func project(row []float64, size []int) {
	stride := len(row)
	for _, l := range size {
		stride /= l
		for from := range row {
			if from/stride%l != 0 {
				continue
			}
			m := 0.0
			for x := range l {
				m += row[from+x*stride]
			}
			m /= float64(l)
			for x := range l {
				row[from+x*stride] -= m
			}
		}
	}
}

// sphericity is Greenhouse and Geisser's ε of rows without their mean: the squared sum of the eigenvalues of their
// covariance by df times the sum of the squared ones.
func sphericity(rows [][]float64, trace, df float64) float64 {
	var squares total
	// the products of rows have the same eigenvalues as those of columns
	if n, width := len(rows), len(rows[0]); n < width {
		for i := range rows {
			for j := range i + 1 {
				v := product(rows[i], rows[j])
				squares.add(float64(float64(v*v) * float64(1+min(i-j, 1))))
			}
		}
	} else {
		columns := make([][]float64, width)
		for i := range columns {
			columns[i] = make([]float64, n)
			for q, row := range rows {
				columns[i][q] = row[i]
			}
		}
		for i := range columns {
			for j := range i + 1 {
				v := product(columns[i], columns[j])
				squares.add(float64(float64(v*v) * float64(1+min(i-j, 1))))
			}
		}
	}
	return min(1, float64(trace*trace)/float64(df*squares.value()))
}

func product(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += float64(v * b[i])
	}
	return s
}
