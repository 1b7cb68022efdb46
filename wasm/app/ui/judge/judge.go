// Package judge is the screen on which documents are judged, one after the other.
package judge

import (
	"errors"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a)
	return s, &Judge{Judge: s}
}

// Judge is the screen.
type Judge struct {
	Judge *screen.Judge
	Typed string // in the field of new queries
	Added string // what came of the last ones
}

// Assigned says whether the share of a class is judged.
func (c *Judge) Assigned() bool { return c.Judge.Task.Assigned() != nil }

// Waiting says that the share's documents are not on this device, "" if they are.
func (c *Judge) Waiting() string {
	a := c.Judge.Task.Waiting()
	if a == nil {
		return ""
	}
	return "This is the share of " + say.Visible(a.Student) + " in " + say.Visible(a.Class) + ". It is about " +
		say.Visible(a.Name) + ", whose documents are not on this device. Open the file of the documents that your " +
		"teacher gave you on Documents, then open the link again."
}

// First says where one begins.
func (c *Judge) First() string {
	if c.Assigned() {
		return "Begin with the first query of the share"
	}
	return "Begin with the first query"
}

// ListWords says what else there is.
func (c *Judge) ListWords() string {
	if c.Assigned() {
		return "All queries of the share"
	}
	return "All queries, and the layers of judgments"
}

// SecondColumn heads what is said of a query: how many documents are known to be relevant would tell a student much.
func (c *Judge) SecondColumn() string {
	if c.Assigned() {
		return "Documents to judge"
	}
	return "Relevant documents"
}

// queries are what there is to judge.
func queries(j *screen.Judge) []report.Query {
	if j.App.Engine.Opened == nil {
		return nil
	}
	if j.Task.Assigned() != nil {
		return j.Grading.TaskQueries()
	}
	return j.App.Engine.Opened.Queries
}

// listed is how many queries the list of the start has; the field above it has all.
const listed = 50

// Todo is a query of the list.
type Todo struct{ ID, Text, Relevant, Yours string }

// Todo are the first queries of the collection, with how much of each is judged.
func (c *Judge) Todo() (out []Todo) {
	yours, given := c.Judge.Grading.Graded(), map[string]int{}
	if a := c.Judge.Task.Assigned(); a != nil {
		for _, d := range a.Documents {
			given[d.Query]++
		}
	}
	for _, q := range queries(c.Judge) {
		if len(out) == listed {
			break
		}
		t := Todo{ID: q.ID, Text: say.Visible(q.Text), Relevant: strconv.Itoa(q.Relevant)}
		if c.Assigned() {
			t.Relevant = strconv.Itoa(given[q.ID])
		}
		if n := yours[q.ID]; n > 0 {
			t.Yours = strconv.Itoa(n)
		}
		out = append(out, t)
	}
	return out
}

// Rest says how many queries the list leaves out, "" for none.
func (c *Judge) Rest() string {
	if n := len(queries(c.Judge)) - listed; n > 0 {
		return "and " + say.Count(n, "query", "queries") + " more; choose them above"
	}
	return ""
}

// Example is a query as one may be typed: the first of the collection.
func (c *Judge) Example() string {
	if q := queries(c.Judge); len(q) > 0 {
		return say.Visible(q[0].Text)
	}
	return "a question that your documents answer"
}

// Ready says whether the pool of the open query is there.
func (c *Judge) Ready() bool {
	return c.Judge.App.Settings.Query() != nil && c.Judge.App.Search.Results != nil
}

// Busy says whether it is on its way.
func (c *Judge) Busy() interface{} {
	if c.Judge.App.Settings.Query() != nil && c.Judge.App.Search.Results == nil {
		return "true"
	}
	return nil
}

// Share says how much of the share of a pool is judged, "" without one.
func (c *Judge) Share() string {
	done, all := c.Judge.Task.Progress()
	if all == 0 {
		return ""
	}
	return "Your share: " + judged(done, all)
}

// Type takes what is typed as new queries.
func (c *Judge) Type(event vugu.DOMEvent) { c.Typed = event.PropString("target", "value") }

// Add adds what was typed, a query a line.
func (c *Judge) Add() {
	n := c.Judge.Queries.Add(c.Typed)
	if n == 0 {
		c.Added = "Nothing was added: type a query that the collection lacks."
		c.Judge.App.View.Draw()
		return
	}
	c.Typed, c.Added = "", say.Count(n, "query", "queries")+" added."
	c.Judge.App.View.Draw()
}

// Kept is what was typed on Search and is not a query of the collection yet, "" for nothing.
func (c *Judge) Kept() string {
	if c.Judge.App.Settings.Query() != nil {
		return ""
	}
	return strings.TrimSpace(c.Judge.App.Settings.Spec.Query)
}

// Keep makes it one.
func (c *Judge) Keep() { c.Judge.Queries.Add(c.Kept()) }

// Unsaved says that grades are not on the device, what is safe and what to do; "" if they are.
func (c *Judge) Unsaved() string {
	j := &c.Judge.Journal
	if j.Unsaved == "" {
		return ""
	}
	return "Not saved: " + say.Sentence(errors.New(j.Unsaved)) + " All your grades are safe while this tab is open, " +
		"and Rankbox goes on trying. Free some space, or save the workspace as a file before you close the tab."
}

// Lost says what of the saved work could not be read.
func (c *Judge) Lost() string {
	if c.Judge.Journal.Lost == "" {
		return ""
	}
	return c.Judge.Journal.Lost + " The rest is here. What could not be read stays on this device as it is."
}

// Ahead says that a clock that was wrong has dated edits.
func (c *Judge) Ahead() string {
	d := c.Judge.Journal.Ahead
	if d == "" {
		return ""
	}
	return "Grades here are dated " + d + ": the clock of a device was set ahead. They would win over later grades when " +
		"workspaces are merged, so Rankbox asks before it merges them."
}

// Clash asks which side of a merge counts.
func (c *Judge) Clash() string {
	n := c.Judge.Clashing()
	return say.Count(n, "value of the file differs", "values of the file differ") + " from this device's. The clock of " +
		"one side was set ahead, so their dates don't say which came later."
}

// None says that the collection has no query yet.
func (c *Judge) None() bool { return c.Judge.App.Engine.Opened != nil && len(queries(c.Judge)) == 0 }

// Empty says that nothing can be saved yet.
func (c *Judge) Empty() bool { n, _ := c.Judge.Grading.Total(); return n == 0 }

// Here names the collection, as elsewhere.
func (c *Judge) Here() string {
	o := c.Judge.App.Engine.Opened
	if o == nil {
		return c.Judge.App.Settings.Collection()
	}
	return o.Ref.Name + " · " + o.Ref.Size() + " · " + say.Count(len(o.Queries), "query", "queries")
}

// Hash is empty: there is no report here.
func (c *Judge) Hash() string { return "" }

// Status leaves it to the page to say what it does.
func (c *Judge) Status() string { return "" }

// Exporting is never: qrels are made at once.
func (c *Judge) Exporting() bool { return false }

// Cancel has nothing to cancel.
func (c *Judge) Cancel() {}

// Find is the choice of a query.
func (c *Judge) Find() string { return "judge-query" }

// Step opens another query.
func (c *Judge) Step(by int) { c.Judge.Queries.Step(by) }

// Escape ends adjudication.
func (c *Judge) Escape() bool {
	if c.Judge.Adjudication.On {
		c.Judge.Adjudication.End()
		return true
	}
	return false
}

// Key grades by the digits and goes through the documents by the arrows.
func (c *Judge) Key(key string) bool {
	if c.Judge.App.Settings.Query() == nil && c.Judge.Unsure.Question() != nil && decide(&c.Judge.Unsure, key) {
		return true
	}
	switch {
	case key == "ArrowRight" && c.Ready():
		c.Judge.Grading.Turn(1)
	case key == "ArrowLeft" && c.Ready():
		c.Judge.Grading.Turn(-1)
	case (key == "u" || key == "U") && c.Judge.App.History.CanUndo():
		c.Judge.App.Undo()
	case len(key) == 1 && key[0] >= '0' && key[0] <= '3' && c.Judge.Grading.At() >= 0:
		c.Judge.Grading.Give(int(key[0] - '0'))
	default:
		return false
	}
	return true
}
