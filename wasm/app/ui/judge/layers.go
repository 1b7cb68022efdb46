package judge

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/project/workspace"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
)

// Layers lists the layers of the open workspace, how far they agree, and what they grade differently.
type Layers struct {
	Judge   *screen.Judge
	Query   string // whose differences are listed, "" for all
	Ordered string // the measure that was chosen, "" for the first
}

// Choice is an option of a select.
type Choice struct{ Value, Words string }

var origins = []Choice{{"person", "a person"}, {"second", "a second judge"}, {"model", "a model"}, {"imported",
	"a file"}}

// Reading says that files are being read.
func (c *Layers) Reading() string {
	if c.Judge.Intake.Reading {
		return "Reading …"
	}
	return ""
}

// layerName is what a layer is called.
func layerName(l screen.Layer) string { return say.Brief(l.Name, 80) }

// movable says whether it can be said who made a layer: not of yours, the collection's and adjudicated ones.
func movable(l screen.Layer) bool {
	return l.ID != "mine" && ofWorkspace(l) && l.Head.Origin != workspace.Adjudicated
}

// ofWorkspace says whether a layer is the workspace's own, not the collection's.
func ofWorkspace(l screen.Layer) bool { return l.ID != workspace.OfCollection }

// origin says who made a layer.
func origin(l screen.Layer) string {
	switch {
	case l.ID == "mine":
		return "you"
	case l.ID == workspace.OfCollection:
		return "came with the documents"
	case l.Head.Origin == workspace.Adjudicated:
		return "adjudicated"
	}
	return string(l.Head.Origin)
}

// counts says whether its grades count.
func counts(l screen.Layer) bool { return l.State != workspace.Hidden }

// Author renames a layer.
func (c *Layers) Author(id string, event vugu.DOMEvent) {
	name := event.PropString("target", "value")
	c.Judge.Layers.SetHead(id, func(h *workspace.Head) {
		if name != h.Called() {
			h.Author = name
		}
	})
}

// Date changes its date.
func (c *Layers) Date(id string, event vugu.DOMEvent) {
	date := event.PropString("target", "value")
	c.Judge.Layers.SetHead(id, func(h *workspace.Head) { h.Date = date })
}

// SetOrigin changes who made it.
func (c *Layers) SetOrigin(id string, event vugu.DOMEvent) {
	o := event.PropString("target", "value")
	c.Judge.Layers.SetHead(id, func(h *workspace.Head) { h.Origin = workspace.Origin(o) })
}

// Hide takes its grades out, or back in.
func (c *Layers) Hide(id string, event vugu.DOMEvent) {
	counts := event.PropBool("target", "checked")
	c.Judge.Layers.SetHead(id, func(h *workspace.Head) {
		if h.State = workspace.Hidden; counts {
			h.State = workspace.Counts
		}
	})
}

// Rules are the rules by which one grade counts.
func (c *Layers) Rules() (out []Choice) {
	for _, r := range workspace.Rules() {
		out = append(out, Choice{string(r), r.Said()})
	}
	return out
}

// Rule chooses one.
func (c *Layers) Rule(event vugu.DOMEvent) {
	c.Judge.Layers.SetRule(workspace.Rule(event.PropString("target", "value")))
}

// Chosen is the id of the layer that has a role, "" for none.
func (c *Layers) Chosen(role string) string {
	choices := c.Judge.Comparison.Choices()
	switch screen.Role(role) {
	case screen.First:
		return choices.First
	case screen.Second:
		return choices.Second
	case screen.Human:
		return choices.Human
	}
	return choices.Model
}

// Choose gives a layer a role.
func (c *Layers) Choose(role string, event vugu.DOMEvent) {
	c.Judge.Comparison.Choose(screen.Role(role), event.PropString("target", "value"))
}

// Disputes are the documents that layers grade differently.
func (c *Layers) Disputes() []workspace.Dispute { return c.Judge.Adjudication.Disputes() }

// Open is how many of them are not decided.
func (c *Layers) Open() (n int) {
	for _, d := range c.Disputes() {
		if !d.Decided {
			n++
		}
	}
	return n
}

// DisputesSaid says how many there are.
func (c *Layers) DisputesSaid() string {
	n := len(c.Disputes())
	of := ""
	if pair := c.Judge.Comparison.Compared(); pair != "" {
		of = " of " + pair
	}
	return say.Count(n, "document has", "documents have") + " grades" + of + " that differ; " +
		strconv.Itoa(n-c.Open()) + " decided. You grade before you see the others' grades, and your decision wins."
}

// Filter lists those of one query.
func (c *Layers) Filter(event vugu.DOMEvent) {
	c.Query = event.PropString("target", "value")
	c.Judge.App.View.Draw()
}

// DisputedQueries are the queries with such documents.
func (c *Layers) DisputedQueries() (out []report.Query) {
	has := map[string]bool{}
	for _, d := range c.Disputes() {
		has[d.Query] = true
	}
	if c.Judge.App.Engine.Opened == nil {
		return nil
	}
	for _, q := range c.Judge.App.Engine.Opened.Queries {
		if has[q.ID] {
			out = append(out, report.Query{ID: q.ID, Text: say.Visible(q.Text)})
		}
	}
	return out
}

func (c *Layers) filtered() (out []workspace.Dispute) {
	for _, d := range c.Disputes() {
		if c.Query == "" || d.Query == c.Query {
			out = append(out, d)
		}
	}
	return out
}

// Shown are the first of the list.
func (c *Layers) Shown() []workspace.Dispute {
	list := c.filtered()
	return list[:min(len(list), listed)]
}

// Rest says how many the list leaves out, "" for none.
func (c *Layers) Rest() string {
	if n := len(c.filtered()) - listed; n > 0 {
		return "and " + strconv.Itoa(n) + " more"
	}
	return ""
}

// Text is that of a query.
func (c *Layers) Text(id string) string {
	if o := c.Judge.App.Engine.Opened; o != nil {
		for _, q := range o.Queries {
			if q.ID == id {
				return say.Visible(q.Text)
			}
		}
	}
	return say.Visible(id)
}

// Spread is by how much the grades differ.
func (c *Layers) Spread(d workspace.Dispute) string { return say.Page.Short(d.Spread) }

// Decided says whether an adjudicated grade is there.
func (c *Layers) Decided(d workspace.Dispute) string {
	if d.Decided {
		return "yes"
	}
	return ""
}

// Measure is that by which systems are ordered.
func (c *Layers) Measure() string {
	list := c.Judge.Comparison.Measures()
	for _, m := range list {
		if m == c.Ordered {
			return m
		}
	}
	return list[0]
}

// SetMeasure chooses it.
func (c *Layers) SetMeasure(event vugu.DOMEvent) {
	c.Ordered = event.PropString("target", "value")
	c.Judge.App.View.Draw()
}

// Status says what goes on.
func (c *Layers) Status() string {
	switch {
	case c.Judge.Comparison.Agreeing():
		return "Comparing …"
	case c.Judge.Comparison.Stale():
		return "Grades or layers have changed since. Compare again."
	}
	return ""
}

// Problem says why the systems are not ordered.
func (c *Layers) Problem() string {
	if p := c.Judge.Comparison.Agreed.Problem; p != "" {
		return "The order of the systems could not be compared: " + p
	}
	return ""
}

// Sections are what was found.
func (c *Layers) Sections() (out []*analysis.Section) {
	for i := range c.Judge.Comparison.Agreed.Sections {
		out = append(out, &c.Judge.Comparison.Agreed.Sections[i])
	}
	return out
}
