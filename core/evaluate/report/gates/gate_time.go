package gates

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Timed is what the queries of a run needed.
type Timed struct {
	System string
	Millis []float64
}

// quantileOf reads p50, p95, p99.9.
func quantileOf(s string) (share float64, ok bool) {
	text, found := strings.CutPrefix(s, "p")
	v, err := strconv.ParseFloat(text, 64)
	return v / 100, found && err == nil && text != "" && text[0] >= '0' && text[0] <= '9' && v > 0 && v < 100
}

// Milliseconds reads 2s, 150ms, 800us.
func Milliseconds(s string) (v float64, ok bool) {
	for _, u := range []struct {
		name string
		of   float64
	}{{"ms", 1}, {"us", 0.001}, {"µs", 0.001}, {"s", 1000}} {
		if text, found := strings.CutSuffix(s, u.name); found {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			return float64(v * u.of), err == nil && v > 0 && !math.IsInf(v, 1)
		}
	}
	return 0, false
}

// CheckTimes holds every run that was timed against the gates that are about time.
func CheckTimes(gates []Gate, runs []Timed) (out []Check) {
	for _, g := range gates {
		if g.Quantile == 0 {
			continue
		}
		for _, r := range runs {
			if len(r.Millis) == 0 {
				continue
			}
			got := report.Quantile(slices.Sorted(slices.Values(r.Millis)), g.Quantile)
			out = append(out, Check{Gate: g, System: r.System, Old: math.NaN(), New: got, Got: got,
				Passed: g.holds(got), P: math.NaN()})
		}
	}
	return out
}
