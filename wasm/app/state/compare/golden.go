package compare

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// GoldenShown is how many queries of a golden set stand on a page of its table.
const GoldenShown = 25

// Golden is what is looked at of a golden set. It is no step of undo: the edits are, which the Setting has.
type Golden struct {
	app  *state.App
	runs *Runs

	Passed bool   // the queries that passed are shown too
	Page   int    // of the table, from 0
	Query  string // whose expectations are edited, "" for none
	Doc    string // as typed
	Grade  string // as typed
	Fault  string // what is wrong with them, "" for nothing
}

// ShowPassed shows the queries that passed beside those that failed, or hides them.
func (g *Golden) ShowPassed(on bool) {
	g.Passed, g.Page = on, 0
	g.app.View.Draw()
}

// Turn goes to another page of the table.
func (g *Golden) Turn(by int) {
	g.Page = max(0, g.Page+by)
	g.app.View.Draw()
}

// Edit opens the expectations of a query, or closes them if they are open.
func (g *Golden) Edit(query string) {
	if g.Query == query {
		query = ""
	}
	g.Query, g.Doc, g.Grade, g.Fault = query, "", "1", ""
	g.app.View.Draw()
	if query != "" {
		g.app.View.FocusOn("golden-doc")
	}
}

// Expect changes what the open query expects: a document with a grade, or -1 if it is expected no longer.
func (g *Golden) Expect(query, doc string, grade float64) {
	doc = strings.TrimSpace(doc)
	switch {
	case doc == "":
		g.Fault = "Type the id of a document."
	case !(grade >= 0 && grade <= golden.MostGrade || grade == -1):
		g.Fault = "A grade is a number from 0 to 100."
	default:
		g.Doc, g.Fault = "", ""
		g.runs.change(func(s *message.Setting) {
			s.Edits = slices.DeleteFunc(s.Edits, func(e golden.Edit) bool { return e.Query == query && e.Doc == doc })
			s.Edits = append(s.Edits, golden.Edit{Query: query, Doc: doc, Grade: grade})
		})
		return
	}
	g.app.View.Draw()
}
