package judge

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// adjudicated is the layer of grades that are given where others differ.
const adjudicated = "adjudicated"

// Adjudication is the documents that layers grade differently, and their deciding.
type Adjudication struct {
	On      bool // grades go to the layer adjudicated, of documents that layers grade differently
	Unblind bool // the grades of the others are shown before one is given

	app        *state.App
	journal    *Journal
	layers     *Layers
	comparison *Comparison
	disputes   []workspace.Dispute
	disputesOf [3]int // edits and grades of the collection that they were found with
}

// begin forgets the documents of another collection.
func (a *Adjudication) begin() {
	*a = Adjudication{app: a.app, journal: a.journal, layers: a.layers, comparison: a.comparison}
}

// Disputes are the documents that the compared layers grade differently, the largest difference first.
func (a *Adjudication) Disputes() []workspace.Dispute {
	if of := [3]int{a.journal.w.Edits(), len(a.layers.theirs), a.layers.own}; a.disputes == nil || of != a.disputesOf {
		var imported []workspace.Judgment
		for p, g := range a.layers.theirs {
			imported = append(imported, workspace.Judgment{Query: p[0], Document: p[1], Grade: g, Graded: true})
		}
		a.disputes, a.disputesOf = a.journal.w.Disputes(imported, a.comparison.pair()...), of
	}
	return a.disputes
}

// Begin opens a document that layers grade differently. Grades go to the layer adjudicated from then on.
func (a *Adjudication) Begin(query, document string) {
	a.On, a.Unblind = true, false
	a.app.Change(true, func(s *share.Address) {
		s.QueryID, s.Query = query, ""
		s.Focus = focus(a.app, document, true)
	})
}

// Next opens the first document that is not decided, those of the open query first; without one it ends
// adjudication.
func (a *Adjudication) Next() {
	var next *workspace.Dispute
	list := a.Disputes()
	for i := range list {
		d := &list[i]
		if d.Decided || d.Document == a.app.Settings.Focus.Document && d.Query == a.app.Settings.Spec.QueryID {
			continue
		}
		if next == nil || d.Query == a.app.Settings.Spec.QueryID && next.Query != d.Query {
			next = d
		}
	}
	if next == nil {
		a.End()
		return
	}
	a.Begin(next.Query, next.Document)
}

// End goes back to the list of queries. Grades go to your layer again.
func (a *Adjudication) End() {
	a.On, a.Unblind = false, false
	open(a.app, "")
	a.journal.left()
}

// Reveal says what the layers gave the open document, once it is decided or if it is asked for; "" otherwise.
func (a *Adjudication) Reveal() string {
	if !a.On {
		return ""
	}
	layer := a.journal.w.Layer(adjudicated)
	if _, decided := layer.Grade(a.app.Settings.Spec.QueryID, a.app.Settings.Focus.Document); !decided && !a.Unblind {
		return ""
	}
	for _, d := range a.Disputes() {
		if d.Query != a.app.Settings.Spec.QueryID || d.Document != a.app.Settings.Focus.Document {
			continue
		}
		var said []string
		for _, g := range d.Grades {
			name := g.Layer
			for _, l := range a.layers.List() {
				if l.ID == g.Layer {
					name = l.Name
				}
			}
			said = append(said, say.Visible(name)+" "+say.Page.Grade(g.Grade))
		}
		return strings.Join(said, ", ")
	}
	return ""
}

// ShowGrades shows the grades of the others before one is given.
func (a *Adjudication) ShowGrades() { a.Unblind = true; a.app.View.Draw() }
