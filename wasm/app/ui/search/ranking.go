package search

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
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

// Class is "about" too where a document of this list is explained: beside that the other lists are strips of ranks and
// grades.
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

// Alike is the first system before this one that lacks its list for the same reason, −1 for none.
func (c *Ranking) Alike() int {
	for i := range c.System {
		if p := (&Ranking{App: c.App, System: i}).Problem(); p != "" && p == c.Problem() {
			return i
		}
	}
	return -1
}

// CannotClass is that of the reason. Where another system has the same, a wide page doesn't write it twice.
func (c *Ranking) CannotClass() string {
	if c.Alike() >= 0 {
		return "cannot small like"
	}
	return "cannot small"
}

// OfModel says whether the query was typed and the system needs vectors, so that a model's own network would encode it.
func (c *Ranking) OfModel() bool {
	return c.App.Settings.Spec.QueryID == "" && !c.App.View.Embedded && c.App.Settings.NeedsVectors(c.System)
}

// ToModel goes where such a network is loaded.
func (c *Ranking) ToModel(event vugu.DOMEvent) { toModel(c.App, event) }

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
		return "No document that passes the filters contains these words."
	}
	return "No document contains these words."
}

// Judged says whether the query has judgments.
func (c *Ranking) Judged() bool { return c.App.Search.Results != nil && c.App.Search.Results.Judged }

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

// Figures are those of the system.
func (c *Ranking) Figures() Figures { return Figures{c} }

// Remedies are what can be done where there is no list.
func (c *Ranking) Remedies() Remedies { return Remedies{c} }
