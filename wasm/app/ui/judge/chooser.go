package judge

import (
	"strconv"

	"github.com/vugu/vugu"

	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
)

// Chooser chooses a query, and which of its documents come in which order.
type Chooser struct {
	Judge *screen.Judge
}

// Pick opens a query.
func (c *Chooser) Pick(event vugu.DOMEvent) {
	c.Judge.Queries.Open(event.PropString("target", "value"))
}

// Only chooses which documents are judged.
func (c *Chooser) Only(event vugu.DOMEvent) {
	c.Judge.Grading.Unjudged(event.PropBool("target", "checked"))
}

// Decisive chooses the order of the documents.
func (c *Chooser) Decisive(event vugu.DOMEvent) {
	c.Judge.Grading.SetDecisive(event.PropBool("target", "checked"))
}

// Where says which query of how many is open.
func (c *Chooser) Where() string {
	list := queries(c.Judge)
	for i, q := range list {
		if q.ID == c.Judge.App.Settings.Spec.QueryID {
			return "Query " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(list))
		}
	}
	return ""
}

// Own says whether the open query was added here.
func (c *Chooser) Own() bool { return c.Judge.Queries.Own(c.Judge.App.Settings.Spec.QueryID) }
