package compare

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/chart"
)

// noFigures is View.Figures where none is unfolded.
const noFigures = "none"

// unfolded are the figures that are at first.
var unfolded = []string{"intervals", "differences"}

// Unfolded says whether a figure is unfolded.
func (c *Compare) Unfolded(name string) bool { return slices.Contains(c.figures(), name) }

func (c *Compare) figures() []string {
	if c.View.Figures == "" {
		return unfolded
	}
	return strings.Split(c.View.Figures, ".")
}

// TurnFigure unfolds a figure, or folds it.
func (c *Compare) TurnFigure(name string) {
	var names []string
	for _, f := range chart.All() {
		if c.Unfolded(f.Name) != (f.Name == name) {
			names = append(names, f.Name)
		}
	}
	text := strings.Join(names, ".")
	switch {
	case names == nil:
		text = noFigures
	case slices.Equal(names, unfolded):
		text = ""
	}
	c.look(leafing, func(c *Compare) { c.View.Figures = text })
	if slices.ContainsFunc(c.drawn(), func(part string) bool { return !c.AnalysesOf(part) }) || c.lacks() {
		c.lookAnalyses()
	}
}

// lacks says whether a figure waits for measures that nobody asked for yet.
func (c *Compare) lacks() bool {
	want := c.lacking()
	if len(want) == 0 {
		return false
	}
	x := c.Analysed
	return x == nil || x.More == nil || !slices.Equal(x.More.Measures, want)
}

// Light lights a query wherever it is drawn, "" none. It is no step of undo and nothing of a link.
func (c *Compare) Light(query string) {
	c.Lit = query
	c.App.Browser.Render()
}
