package search

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// Judged is the choice of a judged query.
type Judged struct {
	App *state.App
	dom.Kept
}

// Shown is what the component shows.
func (c *Judged) Shown() any { return [2]any{c.App.Engine.Opened, c.App.Settings.Spec.QueryID} }

// QueryGroup is the judged queries of one type.
type QueryGroup struct {
	Name    string
	Queries []report.Query
}

// Pick opens the query that was chosen.
func (c *Judged) Pick(event vugu.DOMEvent) { c.App.Search.Pick(event.PropString("target", "value")) }

// Groups are the judged queries by type, in the order in which the types appear.
func (c *Judged) Groups() []QueryGroup {
	if c.App.Engine.Opened == nil {
		return nil
	}
	var out []QueryGroup
	at := map[string]int{}
	for _, q := range c.App.Engine.Opened.Queries {
		name := q.Type
		if name == "" {
			name = "queries"
		}
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, QueryGroup{Name: name})
		}
		out[i].Queries = append(out[i].Queries, q)
	}
	return out
}
