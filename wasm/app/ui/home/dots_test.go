package home

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// The parts of the line through a query's dots meet at the edges of the rows.
func TestJoin(t *testing.T) {
	a := state.New(nil, nil, "/")
	a.Figures.Report = &report.Report{
		Systems: make([]report.System, 3), Queries: []report.Query{{ID: "q1"}, {ID: "q2"}},
		Measures: []string{"nDCG@10"},
		Columns:  []report.Column{{Values: [][]float64{{0, 1}, {0.5, 1}, {1, 1}}}},
	}
	c := &Dots{Part: ui.Part{App: a}}
	c.Compute()
	if got := c.Join(0); got != "" {
		t.Errorf("no query is brushed: %q", got)
	}
	a.View.Hover = "q1"
	for i, want := range []string{"M12 22L246 44", "M246 0L480 22L714 44", "M714 0L948 22"} {
		if got := c.Join(i); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
}
