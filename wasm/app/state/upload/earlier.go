package upload

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Earlier is the collection on this device that has most documents of the one that was made last. When a folder has
// changed, its queries and grades can be brought over.
type Earlier struct {
	Of *message.EarlierOne // nil if there is nothing to bring over

	app   *state.App
	made  string // id of the collection that was made
	waits bool   // for the list of collections
}

// begin is told which collection was made.
func (e *Earlier) begin(made string) { e.Of, e.made, e.waits = nil, made, true }

// listed asks for it among the collections in which something was made.
func (e *Earlier) listed(s *message.Shelf) {
	if !e.waits {
		return
	}
	e.waits = false
	ask, there := &message.AskEarlier{ID: e.made}, false
	for _, x := range s.List {
		if p := e.app.Made(x.ID); x.ID == e.made {
			there = true
		} else if p.Grades+p.Queries > 0 {
			ask.Among = append(ask.Among, x.ID)
		}
	}
	if there && len(ask.Among) > 0 {
		e.app.Engine.Request(message.Earlier, ask)
	}
}

func (e *Earlier) heard(x *message.EarlierOne) {
	if x.ID != "" {
		e.Of = x
	}
}

// Says says what became of its documents, and what can be brought over.
func (e *Earlier) Says() string {
	x, p := e.Of, e.app.Made(e.Of.ID)
	text := say.Visible(x.Name) + " on this device is an earlier state of these documents: " +
		say.Count(x.Same, "is the same", "are the same")
	for _, part := range []struct {
		n    int
		what string
	}{{len(x.Changed), " changed"}, {len(x.From), " renamed"}, {x.Added, " new"}, {len(x.Gone), " gone"}} {
		if part.n > 0 {
			text += ", " + say.Thousands(part.n) + part.what
		}
	}
	return text + ". It has " + say.Count(p.Grades, "grade", "grades") + " and " +
		say.Count(p.Queries, "query", "queries") + " of yours."
}

// Bring brings queries, grades and notes over. Those of the earlier collection stay.
func (e *Earlier) Bring() {
	x := e.Of
	e.Of = nil
	if w, ok := workspacesOf(e.app); ok && x != nil {
		w.BringOver(x, e.made)
	}
	e.app.View.Draw()
}

// Leave leaves them where they are.
func (e *Earlier) Leave() {
	e.Of = nil
	e.app.View.Draw()
}
