package export

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/report"
)

// Digest is the SHA-256 of what a later report is held against, 64 hex digits: decisions, runs, measures, the values of
// every query and the judgments they rest on. A report that was read from JSON has it too, so that an edited figure is
// noticed.
func Digest(r *report.Report) string {
	kept := report.Report{Measures: r.Measures}
	for _, d := range r.Decisions {
		kept.Decisions = append(kept.Decisions, report.Decision{Name: d.Name, Option: d.Option})
	}
	before := func(a, b report.Decision) int { return strings.Compare(a.Name, b.Name) }
	sort.Slice(kept.Decisions, func(i, j int) bool { return before(kept.Decisions[i], kept.Decisions[j]) < 0 })
	for _, s := range r.Systems {
		kept.Systems = append(kept.Systems, report.System{Label: s.Label})
	}
	for _, q := range r.Queries {
		kept.Queries = append(kept.Queries, report.Query{ID: q.ID, Relevant: q.Relevant})
	}
	for m := range r.Columns {
		c := report.Column{Measure: r.Columns[m].Measure, Lower: r.Columns[m].Lower}
		for _, row := range r.Columns[m].Values {
			row = slices.Clone(row)
			for i, v := range row {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					row[i] = math.NaN() // null
				}
			}
			c.Values = append(c.Values, row)
		}
		kept.Columns = append(kept.Columns, c)
	}
	kept.Stats.Judgments, kept.Stats.Digest = r.Stats.Judgments, r.Stats.Digest
	return sha256.Hex(kept.Figures())
}
