package judge

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/teach/assignment"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Judging shows a document of the open query, and takes its grade.
type Judging struct {
	Judge *screen.Judge
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
func (c *Judging) Grades() []Grade { return scaleOf(c.Judge.Grading.Scale()) }

// LastKey is that of the highest grade.
func (c *Judging) LastKey() string { return strconv.Itoa(len(c.Judge.Grading.Scale()) - 1) }

// Given marks the grade that the open document has.
func (c *Judging) Given(g Grade) string {
	have, ok := c.Judge.Grading.Grade(c.Judge.App.Settings.Focus.Document)
	return strconv.FormatBool(ok && have == float64(g.Value))
}

// Document is the open document as it is read, nil while it is fetched.
func (c *Judging) Document() *experiment.Document {
	w := c.Judge.App.Search.Why
	if w == nil || c.Judge.App.Settings.Focus.Document == "" || w.Document.ID != c.Judge.App.Settings.Focus.Document {
		return nil
	}
	return &w.Document
}

// Place says which document of how many is open.
func (c *Judging) Place() string {
	_, all := c.Judge.Grading.Done()
	return "Document " + strconv.Itoa(c.Judge.Grading.At()+1) + " of " + strconv.Itoa(all)
}

// Meta is what is known of it.
func (c *Judging) Meta() string {
	d := c.Document()
	id := say.Visible(d.ID)
	for _, f := range c.Judge.Grading.Pool() {
		if f.ID == d.ID && f.Part != "" {
			id = say.Visible(f.Part)
		}
	}
	return ui.Meta(d.Date, d.Category, id)
}

// Description says what the open query asks for, "" where the collection does not.
func (c *Judging) Description() string { return say.Visible(c.Judge.Queries.Need().Description) }

// Narrative says what is relevant to it.
func (c *Judging) Narrative() string { return say.Visible(c.Judge.Queries.Need().Narrative) }

// DoneOf is how many documents of the query have a grade.
func (c *Judging) DoneOf() int { n, _ := c.Judge.Grading.Done(); return n }

// All is how many it has.
func (c *Judging) All() int { _, n := c.Judge.Grading.Done(); return n }

// Progress says how much is judged.
func (c *Judging) Progress() string {
	done, all := c.Judge.Grading.Done()
	s := strconv.Itoa(done) + " of " + say.Count(all, "document", "documents") + " of this query judged"
	if n, queries := c.Judge.Grading.Total(); n > done {
		s += "; " + strconv.Itoa(n) + " in all, over " + say.Count(queries, "query", "queries")
	}
	return s + "."
}

// Reveal says what the others gave the open document, "" while that is not shown.
func (c *Judging) Reveal() string {
	if s := c.Judge.Adjudication.Reveal(); s != "" {
		return "Grades of this document: " + s + "."
	}
	return "Grade it first: the grades of the others show afterwards."
}

// Finished says that all documents of the query have a grade.
func (c *Judging) Finished() bool { done, all := c.Judge.Grading.Done(); return all > 0 && done == all }

// Nothing says why there is nothing to judge.
func (c *Judging) Nothing() string {
	if c.Judge.Grading.Only {
		return "The collection has a judgment of every document that the systems find for this query."
	}
	return "The systems find nothing for this query."
}

// Unasked says what asking backends for the lists of the open query would take, "" if nothing is to be asked.
func (c *Judging) Unasked() string {
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
func (c *Judging) CanAsk() bool { return c.Unasked() != "" }

// Note takes a note on the open document.
func (c *Judging) Note(event vugu.DOMEvent) {
	c.Judge.Grading.SetNote(event.PropString("target", "value"))
}

// Agreement holds the grades against those of the collection.
func (c *Judging) Agreement() string {
	both, same, kappa := c.Judge.Layers.Agreement()
	if both == 0 {
		return ""
	}
	s := "You agree with " + strconv.Itoa(same) + " of " + say.Count(both, "existing grade", "existing grades")
	if both > 1 && kappa == kappa {
		s += " (Cohen's κ " + say.Page.Number(kappa, 2) + ")"
	}
	return s + "."
}
