package compare

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/golden"
	"github.com/rankbox/rankbox/core/message"
)

// GoldenShown is how many queries of a golden set stand on a page of its table.
const GoldenShown = 25

// Golden is what is looked at of a golden set. It is no step of undo: the edits are, which the Setting has.
type Golden struct {
	Passed bool   // the queries that passed are shown too
	Page   int    // of the table, from 0
	Query  string // whose expectations are edited, "" for none
	Doc    string // as typed
	Grade  string // as typed
	Fault  string // what is wrong with them, "" for nothing
}

// ShowPassed shows the queries that passed beside those that failed, or hides them.
func (c *Compare) ShowPassed(on bool) {
	c.Golden.Passed, c.Golden.Page = on, 0
	c.App.View.Draw()
}

// TurnGolden goes to another page of the table.
func (c *Compare) TurnGolden(by int) {
	c.Golden.Page = max(0, c.Golden.Page+by)
	c.App.View.Draw()
}

// EditGolden opens the expectations of a query, or closes them if they are open.
func (c *Compare) EditGolden(query string) {
	if c.Golden.Query == query {
		query = ""
	}
	c.Golden.Query, c.Golden.Doc, c.Golden.Grade, c.Golden.Fault = query, "", "1", ""
	c.App.View.Draw()
	if query != "" {
		c.App.View.FocusOn("golden-doc")
	}
}

// Expect changes what the open query expects: a document with a grade, or -1 if it is expected no longer.
func (c *Compare) Expect(query, doc string, grade int) {
	doc = strings.TrimSpace(doc)
	switch {
	case doc == "":
		c.Golden.Fault = "Type the id of a document."
	case grade < -1 || grade > golden.MostGrade:
		c.Golden.Fault = "A grade is a whole number from 0 to 100."
	default:
		c.Golden.Doc, c.Golden.Fault = "", ""
		c.changeRuns(func(s *message.Setting) {
			s.Edits = slices.DeleteFunc(s.Edits, func(e golden.Edit) bool { return e.Query == query && e.Doc == doc })
			s.Edits = append(s.Edits, golden.Edit{Query: query, Doc: doc, Grade: grade})
		})
		return
	}
	c.App.View.Draw()
}
