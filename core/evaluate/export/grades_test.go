package export

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// The sentence about judgments of very many grades takes memory by its length, not by the square of that.
func TestJudgmentsOfManyGrades(t *testing.T) {
	const n = 20_000
	r := &report.Report{}
	for i := range n {
		r.Stats.Grades = append(r.Stats.Grades, report.Grade{Grade: float64(i), Count: 1})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := judgments(r)
	runtime.ReadMemStats(&after)
	if !strings.HasSuffix(text, "; grades 0: 1, 1: 1"+text[strings.Index(text, ", 2: 1"):]) ||
		!strings.HasSuffix(text, ", 19998: 1, 19999: 1.") {
		t.Errorf("%.100s", text)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("%d bytes are allocated", used)
	}
}
