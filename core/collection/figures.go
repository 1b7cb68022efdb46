package collection

import (
	"bytes"

	"github.com/rankbox/rankbox/core/measure"
)

// figures reports whether the lines are what an evaluation prints: measure, query or "all", value (trec_eval); query or
// "all", measure, value, or measure and value (ir_measures); or run, measure and topic in either order, and value
// (auto-judge's tot).
func figures(lines [][]byte) bool {
	if byRun(lines) {
		return true
	}
	n := 0
	for _, l := range lines {
		if blank(l) {
			continue
		}
		f := bytes.Fields(l)
		number := len(f) > 1
		if number {
			_, err := parseScore(f[len(f)-1])
			number = err == nil || string(f[0]) == "runid"
		}
		switch {
		case number && len(f) == 3 &&
			(string(f[1]) == "all" && (n > 0 || string(f[0]) == "runid" || measure.Known(string(f[0]))) ||
				measure.Known(string(f[0])) && bytes.Contains(l, []byte(" \t"))):
		case number && len(f) == 3 && measure.Known(string(f[1])):
		case number && len(f) == 2 && measure.Known(string(f[0])):
		case number && len(f) == 4 && (!judging(f[1]) && measure.Known(string(f[1])) || string(f[1]) != "0" &&
			lower(f[1]) != "q0" && measure.Known(string(f[2]))):
		default:
			return false
		}
		if n++; n == 3 {
			break
		}
	}
	return n > 0
}

// judging reports whether a second column is one of judgments or of a run: a number, or Q0.
func judging(f []byte) bool {
	_, err := parseScore(f)
	return err == nil || lower(f) == "q0"
}

// byRun reports whether all lines have four columns, the second no number and some value a fraction, which
// no grade is.
func byRun(lines [][]byte) bool {
	n, fraction := 0, false
	for _, l := range lines[:min(len(lines), 64)] {
		if blank(l) {
			continue
		}
		f := bytes.Fields(l)
		if len(f) != 4 || judging(f[1]) {
			return false
		}
		v, err := parseScore(f[3])
		if err != nil {
			return false
		}
		n++
		fraction = fraction || v != float64(int64(v))
	}
	return n > 1 && fraction
}
