package judge

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
	"github.com/rankbox/rankbox/wasm/app/ui/search"
)

func init() {
	search.Bench.Grading = func(a *state.App) vugu.Builder {
		j, _ := a.Screens.Other("judge").(*screen.Judge)
		return &Grading{Judge: j}
	}
}

// Grading takes the grade of the document that is open on Search.
type Grading struct {
	Judge *screen.Judge
}

// Judged says whether the open query can have grades: one that was only typed is kept first.
func (c *Grading) Judged() bool { return c.Judge.App.Settings.Query() != nil }

// Typed is the query that was typed.
func (c *Grading) Typed() string { return strings.TrimSpace(c.Judge.App.Settings.Spec.Query) }

// Keep makes it a query of the collection.
func (c *Grading) Keep() { c.Judge.Queries.Add(c.Typed()) }

// Label stands before the grades.
func (c *Grading) Label() string {
	if _, ok := c.Judge.Grading.Grade(c.Judge.App.Settings.Focus.Document); ok {
		return "Your grade"
	}
	return "Grade it"
}

// Given marks the grade that the document has from here.
func (c *Grading) Given(g Grade) string {
	have, ok := c.Judge.Grading.Grade(c.Judge.App.Settings.Focus.Document)
	return strconv.FormatBool(ok && have == float64(g.Value))
}
