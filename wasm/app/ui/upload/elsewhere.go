package upload

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/remote"
	screen "github.com/rankbox/rankbox/wasm/app/state/upload"
)

// Engines shows the backends that may have the documents.
type Engines struct {
	Import *screen.Import
}

// List are the backends that may have the documents.
func (c *Engines) List() []remote.Backend {
	list, _ := c.Import.Engines()
	return list
}

// Asking says whether the edge has not answered yet.
func (c *Engines) Asking() bool {
	list, why := c.Import.Engines()
	return len(list) == 0 && why == ""
}

// NoEngine says why no backend can be chosen, and what to do; "" if one can.
func (c *Engines) NoEngine() string {
	list, why := c.Import.Engines()
	if len(list) > 0 || why == "" {
		return ""
	}
	return say.Visible(why) + " Add the documents, or connect their search engine with `rankbox serve -config " +
		"edge.json`."
}

// engine says what a backend is.
func engine(b remote.Backend) string {
	s := b.Kind
	if b.Index != "" {
		s += ", index " + b.Index
	}
	if len(b.Modes) > 0 {
		s += ", " + strings.Join(b.Modes, ", ")
	}
	return say.Visible(s)
}

// Calls says what the backend will be asked, before anything is.
func (c *Engines) Calls() string {
	n := c.Import.Draft.Seen.Queries
	return "Nothing is sent yet. Ranking a query takes 1 call, and all " +
		say.Count(n, "query takes ", "queries take ") + say.Count(n, "call", "calls") +
		": Search asks you first. The titles and texts of a list take 1 more call when they are shown. This " +
		"device saves the queries, the judgments, the backend's name and identity, and its answers, which hold " +
		"ids and scores."
}

// Judged says how many queries and judgments the files hold.
func (c *Upload) Judged() string {
	p := c.Upload.Import.Draft.Seen
	s := "These files hold " + say.Count(p.Queries, "query", "queries")
	if p.Judgments > 0 {
		s += " and " + say.Count(p.Judgments, "judgment", "judgments")
	}
	return s
}

// AddLabel says which files can be added.
func (c *Upload) AddLabel() string {
	if c.Upload.Import.Draft.Distant() {
		return "Add the documents"
	}
	return "Add queries, judgments or a mapping"
}
