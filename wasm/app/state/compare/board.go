package compare

import (
	"cmp"
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Board is the order of the board.
type Board struct {
	app  *state.App
	runs *Runs

	By   string // what it is sorted by: a measure, "run" or "difference"; "" for the first measure
	Down bool   // worst first
	of   string // the measure whose interval, difference and groups it shows; "" for the first
}

// The columns that sort the board besides its measures.
const (
	BoardByRun        = "run"
	BoardByDifference = "difference"
)

// Sort sorts the board by "run", "difference" or a measure, best first; the same column again reverses the
// order. A measure also becomes the one whose interval, difference and groups the board shows, unless it is a share
// of judged documents, which has none.
func (b *Board) Sort(by string) {
	if by == b.Order() {
		b.Down = !b.Down
	} else {
		b.Down = false
	}
	b.By = by
	if by != BoardByRun && by != BoardByDifference && !measure.JudgedShare(by) {
		b.of = by
	}
	b.app.View.Draw()
}

// Column is the measure whose interval, difference and groups the board shows, as an index into the report's
// columns.
func (b *Board) Column() int {
	return max(0, slices.Index(b.runs.Report().Measures, b.of))
}

// Order is the column that sorts the board: "run", "difference" or a measure.
func (b *Board) Order() string {
	r := b.runs.Report()
	if b.By == BoardByRun || b.By == BoardByDifference || slices.Contains(r.Measures, b.By) {
		return b.By
	}
	return r.Measures[0]
}

// Rows is the runs in the order of the board, as indices. Runs with equal values stay in the order of the report.
func (b *Board) Rows() []int {
	r := b.runs.Report()
	m, by := b.Column(), b.Order()
	out := slices.Clone(r.Ranking())
	if by == r.Measures[0] && !b.Down {
		return out
	}
	order := func(i, j int) int { return better(r, slices.Index(r.Measures, by), i, j) }
	switch by {
	case BoardByRun:
		order = func(i, j int) int { return cmp.Compare(r.Systems[i].Label, r.Systems[j].Label) }
	case BoardByDifference:
		base := r.Columns[m].Means[r.Baseline]
		order = func(i, j int) int {
			x := significance.Difference(base, r.Columns[m].Means[i])
			return cmp.Compare(significance.Difference(base, r.Columns[m].Means[j]), x)
		}
	}
	slices.SortStableFunc(out, func(i, j int) int {
		if b.Down {
			return order(j, i)
		}
		return order(i, j)
	})
	return out
}

// better orders two runs by a measure, the better one first.
func better(r *report.Report, m, i, j int) int {
	x := &r.Columns[m]
	if x.Lower {
		return cmp.Compare(x.Means[i], x.Means[j])
	}
	return cmp.Compare(x.Means[j], x.Means[i])
}
