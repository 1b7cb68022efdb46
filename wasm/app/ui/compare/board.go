package compare

import (
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Board is the leaderboard of the runs and the measures that it shows.
type Board struct {
	part
}

// Best names the best run by each measure.
func (c *Board) Best() string {
	r := c.Compare.Report()
	if len(r.Systems) < 2 {
		return ""
	}
	var parts []string
	for m, col := range r.Columns {
		if measure.Describes(col.Measure) {
			continue
		}
		var names []string
		best := r.Best(m)
		for _, s := range best {
			names = append(names, c.Compare.Report().Letter(s)+" "+say.Visible(r.Systems[s].Label))
		}
		parts = append(parts, col.Measure+": "+strings.Join(names, " and ")+" ("+say.Page.Number(col.Means[best[0]], 3)+")")
	}
	return "Best run by measure. " + strings.Join(parts, "; ") + "."
}

// Input takes what was typed.
func (c *Board) Input(event vugu.DOMEvent) {
	c.Compare.WriteMeasures(event.PropString("target", "value"))
}

// Submit measures by it.
func (c *Board) Submit(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Compare.UseMeasures()
}

// Invalid marks measures that cannot be read.
func (c *Board) Invalid() interface{} {
	if c.Compare.DraftErr != "" {
		return "true"
	}
	return nil
}

// Changed says whether there is something new to measure.
func (c *Board) Changed() bool {
	return c.Compare.DraftErr == "" && c.Compare.Draft != strings.Join(c.Compare.Report().Measures, " ")
}

// Runs is the report for the table.
func (c *Board) Runs() ui.Runs { return runs{c.Compare} }

// runs is the report of the screen as the table takes it.
type runs struct{ *screen.Compare }

func (r runs) Report() *report.Report { return r.Compare.Report() }
func (r runs) Stale() bool            { return r.Comparing() }
func (r runs) Ranking() []int         { return r.Compare.Report().Ranking() }
func (r runs) Lower(m int) bool       { return r.Compare.Report().Columns[m].Lower }
func (r runs) Best(m int) []int       { return r.Compare.Report().Best(m) }
func (r runs) Naming(i int) bool      { return r.Compare.Naming == i+1 }
func (r runs) NewName() string        { return r.Compare.NewName }
func (r runs) Longest() int           { return screen.MaxName }
func (r runs) Write(text string)      { r.WriteName(text) }
func (r runs) Keep()                  { r.KeepName() }
func (r runs) Leave()                 { r.LeaveName() }
func (r runs) SetBaseline(i int)      { r.SetRunBaseline(i) }

// Notation is what sets a run apart: the queries that it lacks, and its tag where that is another name. How much each holds stands with
// what was read.
func (r runs) Notation(i int) string {
	x := r.Compare.Report()
	u := x.Coverage[i]
	var parts []string
	if u.Tag != "" && u.Tag != x.Systems[i].Label {
		parts = append(parts, say.Visible(u.Tag))
	}
	if u.Queries < len(x.Queries) && x.Systems[i].Missing == 0 { // what counts 0 has a line of its own
		parts = append(parts, "only "+say.Thousands(u.Queries)+" of "+say.Count(len(x.Queries), "query", "queries"))
	}
	return strings.Join(parts, " · ")
}
