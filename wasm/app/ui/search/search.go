// Package search is the screen with the systems side by side: lists, settings, and why a document stands where it does.
package search

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Make is the screen for a page.
func Make(a *state.App) (kept state.Screen, _ vugu.Builder) {
	s := &Search{App: a}
	if rich != nil {
		kept, s.Arithmetic = rich(a)
	}
	return kept, s
}

// rich makes what the richer program adds: nil in the first one.
var rich func(*state.App) (state.Screen, vugu.Builder)

// Search is the screen with the systems side by side.
type Search struct {
	App        *state.App
	Arithmetic vugu.Builder // of the ranking that is unfolded; nil in the first program
}

// Logs says whether this program keeps the click log. If not, a button fetches the one that does.
func (c *Search) Logs() bool { return Bench.Log != nil }

// Log is its switch and its list.
func (c *Search) Log() vugu.Builder { return Bench.Log(c.App) }

// About says what kind of query is open.
func (c *Search) About() string {
	a := c.App
	if q := a.Settings.Query(); q != nil {
		at := 0
		for i := range a.Engine.Opened.Queries {
			if a.Engine.Opened.Queries[i].ID == q.ID {
				at = i + 1
			}
		}
		s := strconv.Itoa(at) + " of " + strconv.Itoa(len(a.Engine.Opened.Queries))
		if q.Type != "" {
			s += " · " + q.Type
		}
		if q.Difficulty != "" {
			s += " · " + q.Difficulty
		}
		return s + " · " + say.Count(q.Relevant, "relevant document", "relevant documents")
	}
	if a.Settings.HasQuery() {
		return "No grades yet, so no nDCG. Percentages show overlap with A: shared documents and " +
			"rank-biased overlap."
	}
	return "Type a query, or choose a judged one"
}

// Encoded says how the query was encoded where that is not how a model would, and for which systems; "" otherwise.
func (c *Search) Encoded() string {
	if c.App.Search.Results == nil {
		return ""
	}
	return notes(c.App.Search.Results.Lists, c.App.Settings.Letter)
}

// notes are those of lists, each once, with the letters of the systems that have it.
func notes(lists []experiment.List, letter func(int) string) string {
	var out []string
	for i := range lists {
		var of []string
		said := lists[i].Note == ""
		for j := range lists {
			if lists[j].Note == lists[i].Note {
				said = said || j < i
				of = append(of, letter(j))
			}
		}
		if !said {
			out = append(out, strings.TrimSuffix(lists[i].Note, ".")+" ("+say.And(of)+").")
		}
	}
	return strings.Join(out, " ")
}

// ToModel goes where a model of one's own is loaded.
func (c *Search) ToModel(event vugu.DOMEvent) { toModel(c.App, event) }

func toModel(a *state.App, event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		a.Go("model")
	}
}

// Class says what a phone shows: the query in its header instead of the search box, the settings, and which system's.
func (c *Search) Class() string {
	s := "search"
	if c.App.Settings.HasQuery() {
		s += " asked"
	}
	if c.App.Filters.Tuning {
		s += " tuning"
	}
	return s + " show-" + ui.SystemClass(c.App.Settings.Place(c.App.View.Shown))
}

// Figures are those of a system.
func (c *Search) Figures(i int) Figures { return Figures{&Ranking{App: c.App, System: i}} }

// Tab says whether a system's list is the one that a phone shows.
func (c *Search) Tab(i int) string { return strconv.FormatBool(i == c.App.View.Shown) }

// TabLabel says in words what a tab shows.
func (c *Search) TabLabel(i int) string {
	s := "System " + c.App.Settings.Letter(i)
	if r := c.Figures(i); r.HasScore() {
		s += ", " + r.Measure() + " " + r.Score() + " " + r.Delta()
	}
	return s
}

// TabScore is the figure of a system in short.
func (c *Search) TabScore(i int) string {
	r := c.Figures(i)
	if !r.HasScore() {
		return ""
	}
	if !r.of.Judged() {
		return r.Score()
	}
	return strings.TrimPrefix(say.Page.Number(r.of.list().Scores[0], 2), "0")
}

// TabMove is the difference to the baseline in short.
func (c *Search) TabMove(i int) string {
	r := c.Figures(i)
	if !r.HasScore() || !r.of.Judged() || r.Delta() == "" {
		return ""
	}
	d := r.of.list().Scores[0] - c.App.Search.Results.Lists[c.App.Settings.Spec.Baseline].Scores[0]
	s := strings.TrimPrefix(say.Page.Number(math.Abs(d), 2), "0")
	switch {
	case s == ".00":
		return "="
	case d > 0:
		return "↑" + s
	}
	return "↓" + s
}

// Changed lists the settings that differ from their defaults.
func (c *Search) Changed() string {
	s := ""
	for _, k := range c.App.Sliders.Knobs() {
		for _, h := range k.Handles {
			if !c.App.Sliders.Untouched(k, h.System) {
				s += c.App.Settings.Letter(h.System) + " " + k.Param.Name + " " + text(h.Value) + " "
			}
		}
	}
	if c.App.Settings.Filtered() {
		s += "filters"
	}
	if s == "" {
		return "defaults"
	}
	return s
}

// Tuned says whether the settings are open.
func (c *Search) Tuned() string { return strconv.FormatBool(c.App.Filters.Tuning) }

// SheetFigures are the figures of the list that a phone shows, above its sliders.
func (c *Search) SheetFigures() string {
	i := min(c.App.View.Shown, len(c.App.Settings.Systems())-1)
	r := c.Figures(i)
	s := c.App.Settings.Letter(i)
	if r.HasScore() && r.of.Judged() {
		s += ": " + r.Measure() + " " + r.Score() + " " + r.Since()
	}
	if m, ok := c.App.Sliders.Mean(i); ok {
		s += " · all queries " + say.Page.Number(m, 3) + " " + r.MeanSince()
	}
	return s
}

// Scrolled is told where the lists stand that a phone sweeps.
func (c *Search) Scrolled(event vugu.DOMEvent) {
	at, wide, all := event.PropFloat64("target", "scrollLeft"), event.PropFloat64("target", "clientWidth"),
		event.PropFloat64("target", "scrollWidth")
	if wide > 0 && all >= 1.9*wide { // one list at a time
		c.App.View.Swiped(int(math.Round(at / wide)))
	}
}

// Timing says how long the rankings took.
func (c *Search) Timing() string {
	r := c.App.Search.Results
	if r == nil {
		return ""
	}
	var total float64
	for _, l := range r.Lists {
		total += l.Micros
	}
	s := say.Count(len(r.Lists), "ranking", "rankings") + " of " + c.App.Engine.Opened.Ref.Size() + " in "
	if c.App.Engine.Phase == state.Loading { // the example, which the page brought
		return ""
	}
	if total < 100 {
		s += "less than 0.1 ms."
	} else {
		s += say.Page.Number(total/1000, 1) + " ms."
	}
	return s
}

// Deeper shows more documents, or fewer again.
func (c *Search) Deeper() {
	if c.App.Settings.Depth() < 20 {
		c.App.Search.SetDepth(20)
	} else {
		c.App.Search.SetDepth(state.DefaultDepth)
	}
}

// DeeperLabel says which.
func (c *Search) DeeperLabel() string {
	if c.App.Settings.Depth() < 20 {
		return "Show the first 20"
	}
	return "Show the first 10"
}

// Examples are judged queries to begin with.
func (c *Search) Examples() []report.Query { return ui.Examples(c.App) }

// Link is the address of a judged query.
func (c *Search) Link(id string) string { return ui.QueryLink(c.App, id) }

// Open opens it.
func (c *Search) Open(event vugu.DOMEvent, id string) {
	if ui.PlainClick(event) {
		c.App.Search.Pick(id)
	}
}

// LayoutClass leaves room for the explanation.
func (c *Search) LayoutClass() string {
	s := "layout n" + strconv.Itoa(len(c.App.Settings.Systems()))
	if c.App.Settings.Focus.Document != "" || c.Unfolded() {
		s += " explaining"
	}
	return s
}

// Unfolded says whether the arithmetic of a ranking is shown.
func (c *Search) Unfolded() bool {
	return c.App.Search.Unfolded > 0 && c.Arithmetic != nil && c.App.Search.Results != nil &&
		c.App.Search.Results.Judged
}

// Busy says whether an answer is on its way.
func (c *Search) Busy() interface{} {
	if c.App.Settings.HasQuery() && c.App.Search.Results == nil {
		return "true"
	}
	return nil
}

// Of is the query whose rankings the columns hold, "" while those of the present one are awaited.
func (c *Search) Of() string {
	if _, awaited := c.App.Engine.Asked(message.Search); awaited || c.App.Search.Results == nil {
		return ""
	}
	return c.App.Settings.QueryText()
}

// CanAdd says whether there is room for another system.
func (c *Search) CanAdd() bool { return len(c.App.Settings.Systems()) < share.MaxSystems }

// joined joins segments, for names that a screen reader reads.
func joined(s []experiment.Segment) string {
	var b strings.Builder
	for _, g := range s {
		b.WriteString(g.Text)
	}
	return say.Visible(b.String())
}
