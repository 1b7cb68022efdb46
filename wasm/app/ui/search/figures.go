package search

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Figures are those of a system for the query and for all queries.
type Figures struct{ of *Ranking }

// HasScore says whether there is a figure for the head of the list.
func (c Figures) HasScore() bool {
	l := c.of.list()
	if l == nil || l.Problem != "" {
		return false
	}
	return c.of.Judged() || c.of.System > 0
}

// Measure names the figure.
func (c Figures) Measure() string {
	if c.of.Judged() {
		return c.of.App.Search.Results.Measures[0]
	}
	return "shared with A"
}

// MeasureTo is where the figure is defined.
func (c Figures) MeasureTo() string {
	if c.of.Judged() {
		return ui.ToMeasure(c.Measure())
	}
	return ui.ToTest("common")
}

// Score is the figure.
func (c Figures) Score() string {
	l := c.of.list()
	if c.of.Judged() {
		return say.Page.Number(l.Scores[0], 3)
	}
	return say.Page.Percent(l.Overlap, 0)
}

// Delta is the difference to the baseline.
func (c Figures) Delta() string {
	l := c.of.list()
	if !c.of.Judged() {
		return "RBO " + say.Page.Number(l.RBO, 2)
	}
	if c.of.System == c.of.App.Settings.Spec.Baseline {
		return ""
	}
	b := &c.of.App.Search.Results.Lists[c.of.App.Settings.Spec.Baseline]
	if b.Problem != "" {
		return ""
	}
	return say.Page.Signed(l.Scores[0]-b.Scores[0], 3)
}

// DeltaClass colours it.
func (c Figures) DeltaClass() string {
	if !c.of.Judged() {
		return "muted"
	}
	b := &c.of.App.Search.Results.Lists[c.of.App.Settings.Spec.Baseline]
	if d := c.Delta(); d == "" || len(b.Scores) == 0 {
		return ""
	}
	switch d := c.of.list().Scores[0] - b.Scores[0]; {
	case d > 0:
		return "up"
	case d < 0:
		return "down"
	}
	return "muted"
}

// Mean is the first measure over all judged queries, which follows every setting but the filters.
func (c Figures) Mean() string {
	r := c.of.App.Figures.Report
	if r == nil || len(r.Columns) == 0 {
		return ""
	}
	of := say.Verb(len(r.Queries), "the one query", "all "+say.Thousands(len(r.Queries))+" queries")
	if c.of.App.Settings.Filtered() {
		of += ", without the filters"
	}
	if len(r.Queries) == 0 {
		return "no judged query, so no figure"
	}
	v, ok := c.of.App.Sliders.Mean(c.of.System)
	doubt := c.of.App.Figures.Doubt(c.of.System)
	switch {
	case !ok && doubt == "":
		return of + ": measuring …"
	case !ok || !report.May(r.Columns[0].Measure, v, len(r.Queries)):
		return of + ": no figure. " + say.Visible(doubt)
	case doubt != "":
		return of + ": " + say.Page.Number(v, 4) + ". " + say.Visible(doubt)
	}
	return of + ": " + say.Page.Number(v, 4)
}

// CanMeasure says whether asking backends for all judged queries would give the figure.
func (c Figures) CanMeasure() bool {
	_, ok := c.of.App.Sliders.Mean(c.of.System)
	return !ok && strings.HasPrefix(c.of.App.Figures.Doubt(c.of.System), "Not asked yet")
}

// Since is how far the query's figure has come since the hand went down on a slider, "" where none did.
func (c Figures) Since() string {
	if h := c.of.App.Sliders.Held; h != nil && c.HasScore() && c.of.Judged() {
		return since(c.of.list().Scores[0], h.Scores, c.of.System, 3)
	}
	return ""
}

// SinceClass colours it.
func (c Figures) SinceClass() string { return "since " + direction(c.Since()) }

// MeanSince is how far the figure over all queries has come likewise.
func (c Figures) MeanSince() string {
	if v, ok := c.of.App.Sliders.Mean(c.of.System); ok && c.of.App.Sliders.Held != nil {
		return since(v, c.of.App.Sliders.Held.Means, c.of.System, 4)
	}
	return ""
}

// MeanSinceClass colours it.
func (c Figures) MeanSinceClass() string { return "since " + direction(c.MeanSince()) }

func since(now float64, held []float64, system, decimals int) string {
	if system >= len(held) || math.IsNaN(held[system]) {
		return ""
	}
	return say.Page.Signed(now-held[system], decimals) + " since you began"
}

// direction is the class of a change that is written with its sign.
func direction(s string) string {
	switch digits := strings.Fields(s); {
	case len(digits) == 0 || strings.Trim(digits[0], "+−±-0.") == "":
		return "muted"
	case strings.HasPrefix(s, "+"):
		return "up"
	}
	return "down"
}
