package judge

import (
	"strings"

	"github.com/rankbox/rankbox/core/say"
)

// unsureKey decides about the label that is shown, and says whether the key does.
func (c *Judge) unsureKey(key string) bool {
	switch strings.ToLower(key) {
	case "a":
		c.Judge.Accept()
	case "d":
		c.Judge.DropLabel()
	case "arrowright":
		c.Judge.MoveOn(1)
	case "arrowleft":
		c.Judge.MoveOn(-1)
	default:
		return false
	}
	return true
}

// UnsureTitle says how many labels are to be looked at.
func (c *Judge) UnsureTitle() string {
	return say.Count(len(c.Judge.Questions()), "label", "labels") + " to look at"
}

// UnsureAbout says what was graded for which query, by whom.
func (c *Judge) UnsureAbout() string {
	q := c.Judge.Question()
	query := q.Query
	if o := c.Judge.App.Engine.Opened; o != nil {
		for _, x := range o.Queries {
			if x.ID == q.Query {
				query = x.Text
			}
		}
	}
	s := "Grade " + say.Page.Int(q.Grade) + " for “" + say.Brief(query, 200) + "”"
	if q.Layer != "" {
		s += ", by " + say.Brief(q.Layer, 60)
	}
	return s + "."
}

// UnsureWas is the passage as it was.
func (c *Judge) UnsureWas() string {
	if q := c.Judge.Question(); q.Quote != "" {
		return say.Brief(oneLine(q.Quote), 2000)
	}
	return "The whole document."
}

// UnsurePlace is the document that the passage may be in.
func (c *Judge) UnsurePlace() string { return say.Visible(c.Judge.Question().Document) }

// UnsureBefore is the text before the passage that may be meant.
func (c *Judge) UnsureBefore() string { return say.Visible(c.Judge.Question().Before) }

// UnsureNow is that passage.
func (c *Judge) UnsureNow() string {
	q := c.Judge.Question()
	if q.Span.Start < 0 {
		return "The whole document."
	}
	return say.Brief(oneLine(q.Candidate), 2000)
}

// UnsureAfter is the text behind it.
func (c *Judge) UnsureAfter() string { return say.Visible(c.Judge.Question().After) }

// UnsureReason says why it is not certain.
func (c *Judge) UnsureReason() string { return say.Brief(c.Judge.Question().Reason, 400) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
