package search

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Head is what stands above the list of a system: its notation and its figures.
type Head struct{ Ranking *Ranking }

// HasScore says whether there is a figure for the head of the list.
func (c *Head) HasScore() bool {
	l := c.Ranking.list()
	if l == nil || l.Problem != "" {
		return false
	}
	return c.Ranking.Judged() || c.Ranking.System > 0
}

// Measure names the figure.
func (c *Head) Measure() string {
	if c.Ranking.Judged() {
		return c.Ranking.App.Results.Measures[0]
	}
	return "shared with A"
}

// MeasureTo is where the figure is defined.
func (c *Head) MeasureTo() string {
	if c.Ranking.Judged() {
		return ui.ToMeasure(c.Measure())
	}
	return ui.ToTest("common")
}

// Score is the figure.
func (c *Head) Score() string {
	l := c.Ranking.list()
	if c.Ranking.Judged() {
		return say.Page.Number(l.Scores[0], 3)
	}
	return say.Page.Percent(l.Overlap, 0)
}

// Delta is the difference to the baseline.
func (c *Head) Delta() string {
	l := c.Ranking.list()
	if !c.Ranking.Judged() {
		return "RBO " + say.Page.Number(l.RBO, 2)
	}
	if c.Ranking.System == c.Ranking.App.Spec.Baseline {
		return ""
	}
	b := &c.Ranking.App.Results.Lists[c.Ranking.App.Spec.Baseline]
	if b.Problem != "" {
		return ""
	}
	return say.Page.Signed(l.Scores[0]-b.Scores[0], 3)
}

// DeltaClass colours it.
func (c *Head) DeltaClass() string {
	if !c.Ranking.Judged() {
		return "muted"
	}
	b := &c.Ranking.App.Results.Lists[c.Ranking.App.Spec.Baseline]
	if d := c.Delta(); d == "" || len(b.Scores) == 0 {
		return ""
	}
	switch d := c.Ranking.list().Scores[0] - b.Scores[0]; {
	case d > 0:
		return "up"
	case d < 0:
		return "down"
	}
	return "muted"
}

// Mean is the first measure over all judged queries, which follows every setting but the filters.
func (c *Head) Mean() string {
	r := c.Ranking.App.Report
	if r == nil || len(r.Columns) == 0 {
		return ""
	}
	of := say.Verb(len(r.Queries), "the one query", "all "+say.Thousands(len(r.Queries))+" queries")
	if c.Ranking.App.Filtered() {
		of += ", without the filters"
	}
	v, ok := c.Ranking.App.Mean(c.Ranking.System)
	doubt := c.Ranking.App.Doubt(c.Ranking.System)
	switch {
	case !ok && doubt == "":
		return of + ": measuring …"
	case !ok:
		return of + ": no figure. " + say.Visible(doubt)
	case doubt != "":
		return of + ": " + say.Page.Number(v, 4) + ". " + say.Visible(doubt)
	}
	return of + ": " + say.Page.Number(v, 4)
}

// CanMeasure says whether asking backends for all judged queries would give the figure.
func (c *Head) CanMeasure() bool {
	_, ok := c.Ranking.App.Mean(c.Ranking.System)
	return !ok && strings.HasPrefix(c.Ranking.App.Doubt(c.Ranking.System), "Not asked yet")
}

// Since is how far the query's figure has come since the hand went down on a slider, "" where none did.
func (c *Head) Since() string {
	if h := c.Ranking.App.Held; h != nil && c.HasScore() && c.Ranking.Judged() {
		return since(c.Ranking.list().Scores[0], h.Scores, c.Ranking.System, 3)
	}
	return ""
}

// SinceClass colours it.
func (c *Head) SinceClass() string { return "since " + direction(c.Since()) }

// MeanSince is how far the figure over all queries has come likewise.
func (c *Head) MeanSince() string {
	if v, ok := c.Ranking.App.Mean(c.Ranking.System); ok && c.Ranking.App.Held != nil {
		return since(v, c.Ranking.App.Held.Means, c.Ranking.System, 4)
	}
	return ""
}

// MeanSinceClass colours it.
func (c *Head) MeanSinceClass() string { return "since " + direction(c.MeanSince()) }

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
