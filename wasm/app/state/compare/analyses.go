package compare

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/present/chart"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Analyses hold what matters and whether it is luck. A part is computed when it is opened.
type Analyses struct {
	app  *state.App
	runs *Runs
	view *View

	Done  *message.Analysed // nil until it is there
	Parts []string          // the parts that are looked at
}

// Show shows a part of what matters and whether it is luck, or hides it.
func (a *Analyses) Show(part string, on bool) {
	if a.runs.Report() == nil || slices.Contains(a.Parts, part) == on {
		return
	}
	if on {
		a.Parts = append(slices.Clone(a.Parts), part)
	} else {
		a.Parts = slices.DeleteFunc(slices.Clone(a.Parts), func(p string) bool { return p == part })
	}
	a.ask()
	a.app.View.Draw()
}

// Has reports whether a part is there.
func (a *Analyses) Has(part string) bool {
	return a.Done != nil && slices.Contains(a.Done.Parts, part)
}

// Waiting reports whether the worker is looking.
func (a *Analyses) Waiting() bool {
	_, waiting := a.app.Engine.Asked(message.Analyse)
	return waiting
}

// drawn are the parts that unfolded figures are drawn from, of runs that were made here: the named patterns, whose
// documents are at hand, and the times.
func (a *Analyses) drawn() (parts []string) {
	if !a.runs.Timeable() {
		return nil
	}
	if a.view.Unfolded(chart.Mistakes) {
		parts = append(parts, analysis.Matters)
	}
	if slices.ContainsFunc(chart.Clocked, a.view.Unfolded) {
		parts = append(parts, analysis.Took)
	}
	if a.view.Unfolded(chart.Waterfall) {
		parts = append(parts, analysis.Grown)
	}
	if a.view.Unfolded(chart.Worths) {
		parts = append(parts, analysis.Apart)
	}
	return parts
}

// lacking are the measures that unfolded figures are drawn from, with those of the report, the one that is looked at
// first; nil if the report has all of them.
func (a *Analyses) lacking() []string {
	r := a.runs.Report()
	if r == nil || !r.HasRankings() && a.runs.Done.Available != nil {
		return nil // a table has what it has
	}
	all := []string{r.Measures[a.view.Column]}
	add := func(measures []string) {
		for _, m := range measures {
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	for _, f := range chart.All() {
		if f.Measures != nil && a.view.Unfolded(f.Name) {
			add(f.Measures(all[0]))
		}
	}
	add(r.Measures)
	if len(all) == len(r.Measures) {
		return nil
	}
	return all
}

// ask asks for the parts that are looked at, and for those that figures are drawn from.
func (a *Analyses) ask() {
	parts := slices.Clone(a.Parts)
	for _, p := range a.drawn() {
		if !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	_, waiting := a.app.Engine.Asked(message.Analyse)
	measures := a.lacking()
	if a.runs.Report() != nil && (len(parts) > 0 || a.view.Claim != "" || len(measures) > 0) || waiting {
		a.app.Engine.Request(message.Analyse, &message.AskAnalyse{Parts: parts, Claim: a.view.Claim,
			Measures: measures})
	}
}

// TurnFigure unfolds a figure, or folds it.
func (a *Analyses) TurnFigure(name string) {
	var names []string
	for _, f := range chart.All() {
		if a.view.Unfolded(f.Name) != (f.Name == name) {
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
	a.view.look(leafing, func(x *packed.View) { x.Figures = text })
	if slices.ContainsFunc(a.drawn(), func(part string) bool { return !a.Has(part) }) || a.lacks() {
		a.ask()
	}
}

// lacks says whether a figure waits for measures that nobody asked for yet.
func (a *Analyses) lacks() bool {
	want := a.lacking()
	if len(want) == 0 {
		return false
	}
	x := a.Done
	return x == nil || x.More == nil || !slices.Equal(x.More.Measures, want)
}
