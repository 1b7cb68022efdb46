package lesson

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/link/play"
)

// Side is the length of the axes of a drawn curve.
const Side = 200

// curve draws precision over recall: the sawtooth with a point for each rank, and the staircase of interpolated
// precision. Both are SVG paths in a square of Side × Side, recall to the right and precision upwards.
func curve(t *play.Table) (saw, stairs string) {
	all := 0
	for _, d := range t.Docs {
		if d.Grade > 0 {
			all++
		}
	}
	var recall, precision []float64
	found := 0
	for i, d := range t.Lists[0] {
		if t.Docs[d].Grade > 0 {
			found++
		}
		recall, precision = append(recall, quotient(found, all)), append(precision, quotient(found, i+1))
	}
	at := func(r, p float64) string {
		return strconv.FormatFloat(r*Side, 'f', 1, 64) + " " + strconv.FormatFloat((1-p)*Side, 'f', 1, 64)
	}
	var a, b strings.Builder
	for i := range recall {
		a.WriteString(coordinate(i) + at(recall[i], precision[i]))
	}
	// From recall 0: the best precision at this recall or higher, up to the largest recall.
	from := 0.0
	for from < quotient(found, all) {
		best, to := 0.0, 0.0
		for i := range recall {
			if recall[i] > from+1e-12 && precision[i] >= best { // the rightmost of equally good ones
				best, to = precision[i], recall[i]
			}
		}
		b.WriteString(coordinate(b.Len()) + at(from, best) + "L" + at(to, best))
		from = to
	}
	if b.Len() > 0 {
		b.WriteString("L" + at(from, 0))
	}
	return a.String(), b.String()
}

func coordinate(i int) string {
	if i == 0 {
		return "M"
	}
	return "L"
}
