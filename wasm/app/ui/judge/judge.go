// Package judge is the screen on which documents are judged, one after the other.
package judge

import (
	"errors"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/assignment"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
	"github.com/rankbox/rankbox/wasm/app/ui"
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

// Grade is a button.
type Grade struct {
	Value             int
	Key, Words, Class string
}

var grades = scaleOf(assignment.DefaultScale)

func scaleOf(names []string) (out []Grade) {
	for i, name := range names {
		key := strconv.Itoa(i)
		out = append(out, Grade{i, key, say.Visible(name), "grade g" + key})
	}
	return out
}

// Grades are the buttons.
func (c *Judge) Grades() []Grade { return scaleOf(c.Judge.Scale()) }

// LastKey is that of the highest grade.
func (c *Judge) LastKey() string { return strconv.Itoa(len(c.Judge.Scale()) - 1) }

// Assigned says whether the share of a class is judged.
func (c *Judge) Assigned() bool { return c.Judge.Assigned() != nil }

// Whose says whose share it is.
func (c *Judge) Whose() string {
	a := c.Judge.Assigned()
	return "Share of " + say.Visible(a.Student) + " in " + say.Visible(a.Class) + "."
}

// Guidelines are what the teacher says.
func (c *Judge) Guidelines() string { return say.Visible(c.Judge.Assigned().Guidelines) }

// HandInClass makes the button stand out once everything is judged.
func (c *Judge) HandInClass() string {
	if done, all := c.Judge.Share(); done == all {
		return "primary"
	}
	return ""
}

// Waiting says that the share's documents are not on this device, "" if they are.
func (c *Judge) Waiting() string {
	a := c.Judge.Waiting()
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

// Given marks the grade that the open document has.
func (c *Judge) Given(g Grade) string {
	have, ok := c.Judge.Grade(c.Judge.App.Settings.Focus.Document)
	return strconv.FormatBool(ok && have == g.Value)
}

// Queries are what there is to judge.
func (c *Judge) Queries() []report.Query {
	if c.Judge.App.Engine.Opened == nil {
		return nil
	}
	if c.Assigned() {
		return c.Judge.TaskQueries()
	}
	return c.Judge.App.Engine.Opened.Queries
}

// listed is how many queries the list of the start has; the field above it has all.
const listed = 50

// Todo is a query of the list.
type Todo struct{ ID, Text, Relevant, Yours string }

// Todo are the first queries of the collection, with how much of each is judged.
func (c *Judge) Todo() (out []Todo) {
	yours, given := c.Judge.Graded(), map[string]int{}
	if a := c.Judge.Assigned(); a != nil {
		for _, d := range a.Documents {
			given[d.Query]++
		}
	}
	for _, q := range c.Queries() {
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
	if n := len(c.Queries()) - listed; n > 0 {
		return "and " + say.Count(n, "query", "queries") + " more; choose them above"
	}
	return ""
}

// Example is a query as one may be typed: the first of the collection.
func (c *Judge) Example() string {
	if q := c.Queries(); len(q) > 0 {
		return say.Visible(q[0].Text)
	}
	return "a question that your documents answer"
}

// Pick opens a query.
func (c *Judge) Pick(event vugu.DOMEvent) { c.Judge.Open(event.PropString("target", "value")) }

// Only chooses which documents are judged.
func (c *Judge) Only(event vugu.DOMEvent) { c.Judge.Unjudged(event.PropBool("target", "checked")) }

// Decisive chooses the order of the documents.
func (c *Judge) Decisive(event vugu.DOMEvent) {
	c.Judge.SetDecisive(event.PropBool("target", "checked"))
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

// Document is the open document as it is read, nil while it is fetched.
func (c *Judge) Document() *experiment.Document {
	w := c.Judge.App.Search.Why
	if w == nil || c.Judge.App.Settings.Focus.Document == "" || w.Document.ID != c.Judge.App.Settings.Focus.Document {
		return nil
	}
	return &w.Document
}

// Place says which document of how many is open.
func (c *Judge) Place() string {
	_, all := c.Judge.Done()
	return "Document " + strconv.Itoa(c.Judge.At()+1) + " of " + strconv.Itoa(all)
}

// Meta is what is known of it.
func (c *Judge) Meta() string {
	d := c.Document()
	id := say.Visible(d.ID)
	for _, f := range c.Judge.Pool() {
		if f.ID == d.ID && f.Part != "" {
			id = say.Visible(f.Part)
		}
	}
	return ui.Meta(d.Date, d.Category, id)
}

// Description says what the open query asks for, "" where the collection does not.
func (c *Judge) Description() string { return say.Visible(c.Judge.Need().Description) }

// Narrative says what is relevant to it.
func (c *Judge) Narrative() string { return say.Visible(c.Judge.Need().Narrative) }

// DoneOf is how many documents of the query have a grade.
func (c *Judge) DoneOf() int { n, _ := c.Judge.Done(); return n }

// All is how many it has.
func (c *Judge) All() int { _, n := c.Judge.Done(); return n }

// Progress says how much is judged.
func (c *Judge) Progress() string {
	done, all := c.Judge.Done()
	s := strconv.Itoa(done) + " of " + say.Count(all, "document", "documents") + " of this query judged"
	if n, queries := c.Judge.Total(); n > done {
		s += "; " + strconv.Itoa(n) + " in all, over " + say.Count(queries, "query", "queries")
	}
	return s + "."
}

// Reveal says what the others gave the open document, "" while that is not shown.
func (c *Judge) Reveal() string {
	if s := c.Judge.Reveal(); s != "" {
		return "Grades of this document: " + s + "."
	}
	return "Grade it first: the grades of the others show afterwards."
}

// Share says how much of the share that somebody was given is judged, "" without one.
func (c *Judge) Share() string {
	done, all := c.Judge.Share()
	if all == 0 {
		return ""
	}
	said := strconv.Itoa(done) + " of " + say.Count(all, "document", "documents") + " judged."
	if c.Assigned() {
		return said
	}
	return "Your share: " + said
}

// Finished says that all documents of the query have a grade.
func (c *Judge) Finished() bool { done, all := c.Judge.Done(); return all > 0 && done == all }

// Nothing says why there is nothing to judge.
func (c *Judge) Nothing() string {
	if c.Judge.Only {
		return "The collection has a judgment of every document that the systems find for this query."
	}
	return "The systems find nothing for this query."
}

// Unasked says what asking backends for the lists of the open query would take, "" if nothing is to be asked.
func (c *Judge) Unasked() string {
	r := c.Judge.App.Search.Results
	if r == nil {
		return ""
	}
	for _, l := range r.Lists {
		if l.Unasked != "" {
			return l.Unasked
		}
	}
	return ""
}

// CanAsk says whether asking backends would give a list.
func (c *Judge) CanAsk() bool { return c.Unasked() != "" }

// Type takes what is typed as new queries.
func (c *Judge) Type(event vugu.DOMEvent) { c.Typed = event.PropString("target", "value") }

// Add adds what was typed, a query a line.
func (c *Judge) Add() {
	n := c.Judge.AddQueries(c.Typed)
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
func (c *Judge) Keep() { c.Judge.AddQueries(c.Kept()) }

// Note takes a note on the open document.
func (c *Judge) Note(event vugu.DOMEvent) { c.Judge.SetNote(event.PropString("target", "value")) }

// Own says whether the open query was added here.
func (c *Judge) Own() bool { return c.Judge.Own(c.Judge.App.Settings.Spec.QueryID) }

// Unsaved says that grades are not on the device, and what to do; "" if they are.
func (c *Judge) Unsaved() string {
	if c.Judge.Unsaved == "" {
		return ""
	}
	return "Not saved on this device: " + say.Sentence(errors.New(c.Judge.Unsaved)) + " You can go on grading. Save the grades as a file before you close this tab."
}

// Lost says what of the saved work could not be read.
func (c *Judge) Lost() string {
	if c.Judge.Lost == "" {
		return ""
	}
	return c.Judge.Lost + " The rest is here. What could not be read stays on this device as it is."
}

// Where says which query of how many is open.
func (c *Judge) Where() string {
	for i, q := range c.Queries() {
		if q.ID == c.Judge.App.Settings.Spec.QueryID {
			return "Query " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(c.Queries()))
		}
	}
	return ""
}

// None says that the collection has no query yet.
func (c *Judge) None() bool { return c.Judge.App.Engine.Opened != nil && len(c.Queries()) == 0 }

// Agreement holds the grades against those of the collection.
func (c *Judge) Agreement() string {
	both, same, kappa := c.Judge.Agreement()
	if both == 0 {
		return ""
	}
	s := "You agree with " + strconv.Itoa(same) + " of " + say.Count(both, "existing grade", "existing grades")
	if both > 1 && kappa == kappa {
		s += " (Cohen's κ " + say.Page.Number(kappa, 2) + ")"
	}
	return s + "."
}

// Empty says that nothing can be saved yet.
func (c *Judge) Empty() bool { n, _ := c.Judge.Total(); return n == 0 }

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
func (c *Judge) Step(by int) { c.Judge.Step(by) }

// Escape ends adjudication.
func (c *Judge) Escape() bool {
	if c.Judge.Adjudicating {
		c.Judge.EndAdjudication()
		return true
	}
	return false
}

// Key grades by the digits and goes through the documents by the arrows.
func (c *Judge) Key(key string) bool {
	if c.Judge.App.Settings.Query() == nil && c.Judge.Question() != nil && c.unsureKey(key) {
		return true
	}
	switch {
	case key == "ArrowRight" && c.Ready():
		c.Judge.Turn(1)
	case key == "ArrowLeft" && c.Ready():
		c.Judge.Turn(-1)
	case (key == "u" || key == "U") && c.Judge.App.History.CanUndo():
		c.Judge.App.Undo()
	case len(key) == 1 && key[0] >= '0' && key[0] <= '3' && c.Judge.At() >= 0:
		c.Judge.Give(int(key[0] - '0'))
	default:
		return false
	}
	return true
}
