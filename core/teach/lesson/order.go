package lesson

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Goal is a condition on an order.
type Goal struct {
	Measure string
	Below   bool // below Value; otherwise at least Value
	Value   float64
}

func (g Goal) String() string {
	if g.Below {
		return g.Measure + " is below " + brief(g.Value)
	}
	return g.Measure + " is " + brief(g.Value) + " or more"
}

// met returns the measure of an order, and whether it meets the condition.
func (g Goal) met(ranked []float64) (float64, bool) {
	v := value(g.Measure, ranked, ranked)
	if g.Below {
		return v, v < g.Value-1e-9
	}
	return v, v >= g.Value-1e-9
}

// written formats a value with three decimals, or with more if rounding would cross the condition's limit.
func (g Goal) written(v float64, met bool) string {
	for decimals := 3; ; decimals++ {
		text := say.Page.Number(v, decimals)
		read, _ := readNumber(text)
		if decimals == 6 || (g.Below && read < g.Value || !g.Below && read >= g.Value) == met {
			return text
		}
	}
}

// makeOrder asks for an order that is high by one measure and low by another. A solution exists because the
// conditions come from a drawn order; every order that meets them is right.
func makeOrder(rng *rand.Rand, level int) *Exercise {
	pairs := [][2]string{{"RR", "P@3"}, {"nDCG@5", "P@5"}, {"P@3", "RR"}, {"AP", "RR"}, {"nDCG@3", "AP"},
		{"ERR(max_rel=3)@5", "P@5"}}
	pair := pairs[rng.IntN(2+2*(level-1))]
	d := draw(rng, 4+level+rng.IntN(2), 3, 0)
	n := relevant(d.ranked, 99)
	if n < 2 || n > len(d.ranked)-2 {
		return nil
	}
	witness := slices.Clone(d.ranked)
	rng.Shuffle(len(witness), func(i, j int) { witness[i], witness[j] = witness[j], witness[i] })
	high := Goal{Measure: pair[0], Value: math.Floor(value(pair[0], witness, witness)*20) / 20}
	low := Goal{Measure: pair[1], Below: true, Value: (math.Floor(value(pair[1], witness, witness)*20) + 1) / 20}
	e := &Exercise{Question: "Put the documents in an order in which " + high.String() + ", but " + low.String() + ".",
		Answer: math.NaN(),
		Given: []string{"The grades of the documents, as they stand now: " +
			gradesOf(d.ranked)}, Order: d.ranked, Goals: []Goal{high, low},
		Working: "one right order is " + gradesOf(witness)}
	ideal := descending(d.ranked)
	if high.Value < 0.3 || low.Value > 1 || e.order(ideal).Right || e.order(reversed(ideal)).Right ||
		e.order(d.ranked).Right {
		return nil // the first order that comes to mind must be wrong
	}
	return e
}

func reversed(g []float64) []float64 {
	s := slices.Clone(g)
	slices.Reverse(s)
	return s
}

// CheckOrder assesses an order: indices in Order, the first rank first.
func (e *Exercise) CheckOrder(places []int) Verdict {
	ranked := make([]float64, len(places))
	for i, p := range places {
		ranked[i] = float64(e.Order[p])
	}
	return e.order(ranked)
}

func (e *Exercise) order(ranked []float64) Verdict {
	var worth []string
	var met []bool
	for _, g := range e.Goals {
		v, ok := g.met(ranked)
		worth, met = append(worth, g.Measure+" is "+g.written(v, ok)), append(met, ok)
	}
	v := Verdict{Right: met[0] && met[1], Note: strings.Join(worth, ", ")}
	switch {
	case v.Right:
	case met[0]:
		v.Mistake = "met the first condition and not the second"
	case met[1]:
		v.Mistake = "met the second condition and not the first"
	default:
		v.Mistake = "met neither condition"
	}
	return v
}

// OrderNumber numbers the orders of a list from 0, the number of 0, 1, 2, …. OrderOf is its inverse.
func OrderNumber(places []int) int {
	n := 0
	for i, p := range places {
		smaller := 0
		for _, q := range places[i+1:] {
			if q < p {
				smaller++
			}
		}
		n = n*(len(places)-i) + smaller
	}
	return n
}

// OrderOf returns the order of size documents with a number; ok is false if there is none.
func OrderOf(n, size int) (places []int, ok bool) {
	if n < 0 || size < 0 || size > 12 {
		return nil, false
	}
	digits := make([]int, size)
	for i := size - 1; i >= 0; i-- {
		digits[i] = n % (size - i)
		n /= size - i
	}
	left := make([]int, size)
	for i := range left {
		left[i] = i
	}
	for _, d := range digits {
		places = append(places, left[d])
		left = slices.Delete(left, d, d+1)
	}
	return places, n == 0
}

// Entry encodes an answer as an integer: ten-thousandths, or the number of an order. Numbers are rounded to it
// before they are checked, so that every later check gives the same verdict.
func Entry(v float64) int { return int(math.RoundToEven(v * 10000)) }

// CheckEntry checks an answer encoded as an integer.
func (e *Exercise) CheckEntry(n int) Verdict {
	if e.Order == nil {
		return e.Check(float64(n) / 10000)
	}
	places, ok := OrderOf(n, len(e.Order))
	if !ok {
		return Verdict{Mistake: "given no order of these documents", Note: "it is number " + itoa(n)}
	}
	return e.CheckOrder(places)
}

// EntryText formats an encoded answer for people.
func (e *Exercise) EntryText(n int) string {
	if e.Order == nil {
		return Written(float64(n) / 10000)
	}
	places, ok := OrderOf(n, len(e.Order))
	if !ok {
		return "?"
	}
	ranked := make([]float64, len(places))
	for i, p := range places {
		ranked[i] = float64(e.Order[p])
	}
	return gradesOf(ranked)
}
