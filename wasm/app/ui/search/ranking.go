package search

import (
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
	"github.com/vugu/vugu"
)

// Ranking is the list of one system.
type Ranking struct {
	App    *state.App
	System int
}

func (c *Ranking) list() *experiment.List {
	r := c.App.Search.Results
	if r == nil || c.System >= len(r.Lists) {
		return nil
	}
	return &r.Lists[c.System]
}

// Class is "about" too where a document of this list is explained: beside that the other lists are strips of ranks and grades.
func (c *Ranking) Class() string {
	s := "col " + ui.SystemClass(c.App.Settings.Place(c.System))
	if c.App.Settings.Focus.Document != "" && c.App.Settings.Focus.System == c.System ||
		c.App.Search.Unfolded == c.System+1 {
		s += " about"
	}
	return s
}

// HasStages says whether this program shows what the stages of a system did.
func (c *Ranking) HasStages() bool {
	return Bench.Stages != nil && c.list() != nil && c.Problem() == "" && c.App.Engine.Phase != state.Loading
}

// Stages shows it.
func (c *Ranking) Stages() vugu.Builder { return Bench.Stages(c.App, c.System) }

// Index writes the number of the system.
func (c *Ranking) Index() string { return strconv.Itoa(c.System) }

// Notation is the pipeline.
func (c *Ranking) Notation() string { return c.App.Settings.Systems()[c.System] }

// Name says which list this is.
func (c *Ranking) Name() string {
	return "System " + c.App.Settings.Letter(c.System) + ": " + c.Notation()
}

// Hits are the documents.
func (c *Ranking) Hits() []experiment.Found {
	if l := c.list(); l != nil {
		return l.Hits
	}
	return nil
}

// Hit is one of them.
func (c *Ranking) Hit(i int) *experiment.Found { return &c.Hits()[i] }

// Problem says why there are none.
func (c *Ranking) Problem() string {
	if l := c.list(); l != nil {
		return l.Problem
	}
	return ""
}

// CanRetry says whether the same search may find them.
func (c *Ranking) CanRetry() bool {
	l := c.list()
	return l != nil && l.Again
}

// Note says how the query was encoded, where that is not how the model would.
func (c *Ranking) Note() string {
	if l := c.list(); l != nil {
		return l.Note
	}
	return ""
}

// OfModel says whether the query was typed and the system needs vectors, so that a model's own network would encode it.
func (c *Ranking) OfModel() bool {
	return c.App.Settings.Spec.QueryID == "" && !c.App.View.Embedded && c.App.Settings.NeedsVectors(c.System)
}

// ToModel goes where such a network is loaded.
func (c *Ranking) ToModel(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.App.Go("model")
	}
}

// CanEncode says whether loading the encoder is worth an offer.
func (c *Ranking) CanEncode() bool { return c.App.Encoder.Offered(c.System) }

// Encoding says how far the encoder is that this system waits for, "" for none.
func (c *Ranking) Encoding() string { return c.App.Encoder.Says(c.System) }

// Empty says whether there is nothing to show though nothing went wrong.
func (c *Ranking) Empty() bool {
	return c.App.Settings.HasQuery() && len(c.Hits()) == 0 && c.Problem() == ""
}

// EmptyText says why.
func (c *Ranking) EmptyText() string {
	switch {
	case c.App.Search.Results == nil && c.App.Engine.Phase == state.Ready:
		return "Searching …"
	case c.App.Search.Results == nil && c.App.Engine.Phase == state.Failed:
		return "The search engine is not running."
	case c.App.Search.Results == nil:
		return "The query is answered as soon as the search engine is ready."
	case c.App.Settings.Filtered():
		return "No document that passes the filters holds a word of the query."
	}
	return "No document holds a word of the query."
}

// Judged says whether the query has judgments.
func (c *Ranking) Judged() bool { return c.App.Search.Results != nil && c.App.Search.Results.Judged }

// HasScore says whether there is a figure for the head of the list.
func (c *Ranking) HasScore() bool {
	l := c.list()
	if l == nil || l.Problem != "" {
		return false
	}
	return c.Judged() || c.System > 0
}

// Measure names the figure.
func (c *Ranking) Measure() string {
	if c.Judged() {
		return c.App.Search.Results.Measures[0]
	}
	return "shared with A"
}

// MeasureTo is where the figure is defined.
func (c *Ranking) MeasureTo() string {
	if c.Judged() {
		return ui.ToMeasure(c.Measure())
	}
	return ui.ToTest("common")
}

// Score is the figure.
func (c *Ranking) Score() string {
	l := c.list()
	if c.Judged() {
		return say.Page.Number(l.Scores[0], 3)
	}
	return say.Page.Percent(l.Overlap, 0)
}

// Delta is the difference to the baseline.
func (c *Ranking) Delta() string {
	l := c.list()
	if !c.Judged() {
		return "RBO " + say.Page.Number(l.RBO, 2)
	}
	if c.System == c.App.Settings.Spec.Baseline {
		return ""
	}
	b := &c.App.Search.Results.Lists[c.App.Settings.Spec.Baseline]
	if b.Problem != "" {
		return ""
	}
	return say.Page.Signed(l.Scores[0]-b.Scores[0], 3)
}

// DeltaClass colours it.
func (c *Ranking) DeltaClass() string {
	if !c.Judged() {
		return "muted"
	}
	b := &c.App.Search.Results.Lists[c.App.Settings.Spec.Baseline]
	if d := c.Delta(); d == "" || len(b.Scores) == 0 {
		return ""
	}
	switch d := c.list().Scores[0] - b.Scores[0]; {
	case d > 0:
		return "up"
	case d < 0:
		return "down"
	}
	return "muted"
}

// Mean is the first measure over all judged queries, which follows every setting but the filters.
func (c *Ranking) Mean() string {
	r := c.App.Figures.Report
	if r == nil || len(r.Columns) == 0 {
		return ""
	}
	of := say.Verb(len(r.Queries), "the one query", "all "+say.Thousands(len(r.Queries))+" queries")
	if c.App.Settings.Filtered() {
		of += ", without the filters"
	}
	v, ok := c.App.Sliders.Mean(c.System)
	doubt := c.App.Figures.Doubt(c.System)
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
func (c *Ranking) CanMeasure() bool {
	_, ok := c.App.Sliders.Mean(c.System)
	return !ok && strings.HasPrefix(c.App.Figures.Doubt(c.System), "Not asked yet")
}

// CanAsk says whether asking backends would give the list.
func (c *Ranking) CanAsk() bool {
	l := c.list()
	return l != nil && l.Unasked != ""
}

// AskLabel says up to where they are asked.
func (c *Ranking) AskLabel() string {
	return "ask the backend (up to " + say.Count(state.Allowed, "token", "tokens") +
		" before this page asks again)"
}

// Since is how far the query's figure has come since the hand went down on a slider, "" where none did.
func (c *Ranking) Since() string {
	if h := c.App.Sliders.Held; h != nil && c.HasScore() && c.Judged() {
		return since(c.list().Scores[0], h.Scores, c.System, 3)
	}
	return ""
}

// SinceClass colours it.
func (c *Ranking) SinceClass() string { return "since " + direction(c.Since()) }

// MeanSince is how far the figure over all queries has come likewise.
func (c *Ranking) MeanSince() string {
	if v, ok := c.App.Sliders.Mean(c.System); ok && c.App.Sliders.Held != nil {
		return since(v, c.App.Sliders.Held.Means, c.System, 4)
	}
	return ""
}

// MeanSinceClass colours it.
func (c *Ranking) MeanSinceClass() string { return "since " + direction(c.MeanSince()) }

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

// Nearest is the id of the judged query that shares most words with the one that was typed, "" for none.
func (c *Ranking) Nearest() string {
	if t := c.App.Settings.NearestQuery(); t != nil {
		return t.ID
	}
	return ""
}

// NearestLabel offers it.
func (c *Ranking) NearestLabel() string {
	return "take the judged query “" + c.App.Settings.NearestQuery().Text + "”"
}

// UseNearest opens it.
func (c *Ranking) UseNearest() { c.App.Search.Pick(c.Nearest()) }

// UseBM25 puts BM25 into this column.
func (c *Ranking) UseBM25() { c.App.Editor.Replace(c.System, stage.BM25.Name) }

// ListClass leaves out the column of grades where nothing is judged.
func (c *Ranking) ListClass() string {
	if c.Judged() {
		return "hits"
	}
	return "hits unjudged"
}

// Play is the address at which the ranking is played with.
func (c *Ranking) Play() string {
	return ui.Address(c.App, func(s *share.Address) { s.Screen, s.Systems = "play", []string{c.list().Notation} })
}
