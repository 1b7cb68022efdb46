package collection

import (
	"bytes"

	"github.com/rankbox/rankbox/core/measure"
)

// figures reports whether the lines are what an evaluation prints: measure, query or "all", value (trec_eval); query or "all", measure, value, or measure and value
// (ir_measures).
func figures(lines [][]byte) bool {
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
		case number && len(f) == 3 && (string(f[1]) == "all" && (n > 0 || string(f[0]) == "runid" || measure.Known(string(f[0]))) || measure.Known(string(f[0])) && bytes.Contains(l, []byte(" \t"))):
		case number && len(f) == 3 && measure.Known(string(f[1])):
		case number && len(f) == 2 && measure.Known(string(f[0])):
		default:
			return false
		}
		if n++; n == 3 {
			break
		}
	}
	return n > 0
}
