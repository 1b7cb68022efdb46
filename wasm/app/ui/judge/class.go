package judge

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/teach/assignment"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
)

// Class makes the links of a class and lists them.
type Class struct {
	Judge *screen.Judge
	Form  screen.Form
	begun bool
}

// Init fills in what is usual.
func (c *Class) Init(vugu.InitCtx) {
	if !c.begun {
		c.begun = true
		c.Form.Each, c.Form.Depth, c.Form.Scale = 2, 10, strings.Join(assignment.DefaultScale, ", ")
	}
}

// Made says whether links were made.
func (c *Class) Made() bool { return c.Judge.Class.HandedOut() != nil }

func value(event vugu.DOMEvent) string { return event.PropString("target", "value") }

// Title takes the name of the class.
func (c *Class) Title(event vugu.DOMEvent) { c.Form.Title = value(event) }

// Students takes the ids of the students.
func (c *Class) Students(event vugu.DOMEvent) { c.Form.Students = value(event) }

// Scale takes the names of the grades.
func (c *Class) Scale(event vugu.DOMEvent) { c.Form.Scale = value(event) }

// Guidelines takes what students are told.
func (c *Class) Guidelines(event vugu.DOMEvent) { c.Form.Guidelines = value(event) }

// Depth takes how many documents of each list are pooled.
func (c *Class) Depth(event vugu.DOMEvent) { c.Form.Depth, _ = strconv.Atoi(value(event)) }

// Each takes how many students judge each document.
func (c *Class) Each(event vugu.DOMEvent) { c.Form.Each, _ = strconv.Atoi(value(event)) }

// Which is the choice of queries.
func (c *Class) Which() string {
	if c.Form.Own {
		return "own"
	}
	return "all"
}

// SetQueries chooses them.
func (c *Class) SetQueries(event vugu.DOMEvent) { c.Form.Own = value(event) == "own" }

// QueryChoices are all queries, and those that were added here.
func (c *Class) QueryChoices() []Choice {
	all, own := 0, 0
	if o := c.Judge.App.Engine.Opened; o != nil {
		for _, q := range o.Queries {
			if all++; c.Judge.Queries.Own(q.ID) {
				own++
			}
		}
	}
	out := []Choice{{"all", "all (" + say.Thousands(all) + ")"}}
	if own > 0 {
		out = append(out, Choice{"own", "added here (" + say.Thousands(own) + ")"})
	}
	return out
}

// Number is a number in a field or cell.
func (c *Class) Number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Make makes the links.
func (c *Class) Make() { c.Judge.Class.Share(c.Form) }

// Status says what goes on, or why no links were made.
func (c *Class) Status() string {
	if c.Judge.Class.Pooling {
		return "Searching …"
	}
	return c.Judge.Class.Refused
}

// Said says what was handed out.
func (c *Class) Said() string {
	x := c.Judge.Class.HandedOut()
	queries := map[string]bool{}
	for _, p := range x.Pool {
		queries[p.Query] = true
	}
	return say.Visible(x.Title) + ": " + say.Count(len(x.Pool), "document", "documents") + " of " +
		say.Count(len(queries), "query", "queries") + ", each for " + say.Count(x.Each, "student", "students") +
		" of " + say.Thousands(len(x.Students)) + "."
}

// Doubts says what the systems did not find.
func (c *Class) Doubts() string { return say.Visible(say.Few(c.Judge.Class.Doubts, 3)) }

// Shares are those of the students.
func (c *Class) Shares() []screen.Share { return c.Judge.Class.Shares() }

// Handed says how much a student handed in.
func (c *Class) Handed(s screen.Share) string { return c.Number(s.Handed) }

// Length says how long a link is.
func (c *Class) Length(s screen.Share) string {
	return "link, " + say.Thousands(len(s.Link)) + " characters"
}

// Visible is an id as it is shown.
func (c *Class) Visible(s string) string { return say.Visible(s) }
