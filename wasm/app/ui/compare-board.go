package ui

import (
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/measure"
)

// CompareBoard is the leaderboard of the runs and the measures that it shows.
type CompareBoard struct {
	part
}

// Best names the best run by each measure.
func (c *CompareBoard) Best() string {
	r := c.App.Compare.Report()
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
			names = append(names, letter(s)+" "+shown(r.Systems[s].Label))
		}
		parts = append(parts, col.Measure+": "+strings.Join(names, " and ")+" ("+fixed(col.Means[best[0]], 3)+")")
	}
	return "Best run by measure. " + strings.Join(parts, "; ") + "."
}

// Input takes what was typed.
func (c *CompareBoard) Input(event vugu.DOMEvent) {
	c.App.WriteMeasures(event.PropString("target", "value"))
}

// Submit measures by it.
func (c *CompareBoard) Submit(event vugu.DOMEvent) {
	event.PreventDefault()
	c.App.UseMeasures()
}

// Invalid marks measures that cannot be read.
func (c *CompareBoard) Invalid() interface{} {
	if c.App.Compare.DraftErr != "" {
		return "true"
	}
	return nil
}

// Changed says whether there is something new to measure.
func (c *CompareBoard) Changed() bool {
	return c.App.Compare.DraftErr == "" && c.App.Compare.Draft != strings.Join(c.App.Compare.Report().Measures, " ")
}
