package collection

import (
	"bytes"

	"github.com/rankbox/rankbox/core/measure"
)

// looksLikeFigures reports whether the lines are an evaluation's output: measure, query or "all", value
// (trec_eval); query or "all", measure, value, or measure and value (ir_measures); or run, measure and topic in
// either order, and value (auto-judge's tot).
func looksLikeFigures(lines [][]byte) bool {
	if isRunMeasureTable(lines) {
		return true
	}
	n := 0
	for _, l := range lines {
		if isBlank(l) {
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
		case number && len(f) == 4 && (!isJudgmentColumn(f[1]) && measure.Known(string(f[1])) || string(f[1]) != "0" &&
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

// isJudgmentColumn reports whether a second column belongs to judgments or to a run: a number, or Q0.
func isJudgmentColumn(f []byte) bool {
	_, err := parseScore(f)
	return err == nil || lower(f) == "q0"
}

// isRunMeasureTable reports whether all lines have four columns, the second is never a number and some value is a
// fraction. No grade is a fraction.
func isRunMeasureTable(lines [][]byte) bool {
	n, fraction := 0, false
	for _, l := range lines[:min(len(lines), 64)] {
		if isBlank(l) {
			continue
		}
		f := bytes.Fields(l)
		if len(f) != 4 || isJudgmentColumn(f[1]) {
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
