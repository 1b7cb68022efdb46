package judge

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
)

// Unsure shows the labels that are looked at one by one.
type Unsure struct {
	Judge *screen.Judge
}

// Title says how many labels are to be looked at.
func (c *Unsure) Title() string {
	return say.Count(len(c.Judge.Unsure.Questions()), "label", "labels") + " to look at"
}

// About says what was graded for which query, by whom.
func (c *Unsure) About() string {
	q := c.Judge.Unsure.Question()
	query := q.Query
	if o := c.Judge.App.Engine.Opened; o != nil {
		for _, x := range o.Queries {
			if x.ID == q.Query {
				query = x.Text
			}
		}
	}
	s := "Grade " + say.Page.Grade(q.Grade) + " for “" + say.Brief(query, 200) + "”"
	if q.Layer != "" {
		s += ", by " + say.Brief(q.Layer, 60)
	}
	return s + "."
}

// Was is the passage as it was.
func (c *Unsure) Was() string {
	if q := c.Judge.Unsure.Question(); q.Quote != "" {
		return say.Brief(oneLine(q.Quote), 2000)
	}
	return "The whole document."
}

// Place is the document that the passage may be in.
func (c *Unsure) Place() string { return say.Visible(c.Judge.Unsure.Question().Document) }

// Before is the text before the passage that may be meant.
func (c *Unsure) Before() string { return say.Visible(c.Judge.Unsure.Question().Before) }

// Now is that passage.
func (c *Unsure) Now() string {
	q := c.Judge.Unsure.Question()
	if q.Span.Start < 0 {
		return "The whole document."
	}
	return say.Brief(oneLine(q.Candidate), 2000)
}

// After is the text behind it.
func (c *Unsure) After() string { return say.Visible(c.Judge.Unsure.Question().After) }

// Reason says why it is not certain.
func (c *Unsure) Reason() string { return say.Brief(c.Judge.Unsure.Question().Reason, 400) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// decide decides about the label that is shown, and says whether the key does.
func decide(u *screen.Unsure, key string) bool {
	switch strings.ToLower(key) {
	case "a":
		u.Accept()
	case "d":
		u.Drop()
	case "arrowright":
		u.MoveOn(1)
	case "arrowleft":
		u.MoveOn(-1)
	default:
		return false
	}
	return true
}
