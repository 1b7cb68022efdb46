package judge

import (
	"bytes"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Layers are the layers of the workspace, and what the screen knows of the collection's own.
type Layers struct {
	Said []string // of the files that were read last, or why a layer was not changed

	app     *state.App
	journal *Journal
	own     int                   // judgments of the collection, -1 before the worker said how many
	theirs  map[[2]string]float64 // the collection's grades of a query's document that was graded here
}

// Layer is a layer as it is listed.
type Layer struct {
	workspace.Head
	Name   string
	Grades int
}

// List is the layers of the workspace in the order in which they take precedence, the collection's own last.
func (ls *Layers) List() (out []Layer) {
	for _, h := range ls.journal.w.Layers() {
		if n := ls.journal.w.Layer(h.ID).Graded(); n > 0 || h.ID != mine && h.ID != adjudicated {
			out = append(out, Layer{h, h.Called(), n})
		}
	}
	if ls.own > 0 {
		h := ls.journal.w.Collection()
		out = append(out, Layer{h, h.Called(), ls.own})
	}
	return out
}

// count asks the worker how many judgments the collection has, once.
func (ls *Layers) count() {
	if ls.own >= 0 || ls.app.Engine.Opened == nil {
		return
	}
	if _, waiting := ls.app.Engine.Asked(message.Layered); !waiting {
		ls.app.Engine.Request(message.Layered,
			&message.AskLayered{Collection: ls.app.Settings.Collection(), Count: true})
	}
}

// head is the head of a layer that is listed.
func (ls *Layers) head(id string) (workspace.Head, bool) {
	for _, l := range ls.List() {
		if l.ID == id {
			return l.Head, true
		}
	}
	return workspace.Head{}, false
}

// SetHead changes the author, date, origin or state of a layer. Its grades stay as they are.
func (ls *Layers) SetHead(id string, change func(h *workspace.Head)) {
	h, ok := ls.head(id)
	if !ok || ls.journal.busy() {
		return
	}
	before := h
	if change(&h); h == before {
		return
	}
	e := workspace.SetHead(h)
	e.Stamp = ls.journal.w.Next(0, ls.journal.tab)
	if err := e.Check(); err != nil {
		ls.Said = []string{say.Sentence(err)}
		ls.app.View.Draw()
		return
	}
	ls.journal.change(e)
}

// SetRule chooses which grade counts where layers differ.
func (ls *Layers) SetRule(r workspace.Rule) {
	if r != ls.journal.w.Rule() && !ls.journal.busy() {
		ls.journal.change(workspace.Edit{Kind: workspace.SetRule, Text: string(r)})
	}
}

// Rule is that rule.
func (ls *Layers) Rule() workspace.Rule { return ls.journal.w.Rule() }

// Remove removes a layer. Undo brings it back with its grades.
func (ls *Layers) Remove(id string) {
	if id == workspace.OfCollection {
		return
	}
	name := ""
	ls.SetHead(id, func(h *workspace.Head) { name, h.State = h.Called(), workspace.Removed })
	if name != "" {
		ls.app.Notices.Say("The layer " + name + " was removed. Undo brings it back.")
	}
}

// Export saves the grades of one layer as TREC qrels. The file is named after the layer, so it is again where it
// is opened.
func (ls *Layers) Export(id string) {
	h, ok := ls.head(id)
	if !ok || id == workspace.OfCollection {
		return
	}
	b, err := ls.Qrels(id)
	if err != nil {
		ls.Said = []string{"The grades can't be written as TREC qrels: " + say.Sentence(err) +
			" Save the workspace instead: its format holds every id."}
		ls.app.View.Draw()
		return
	}
	name := strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, h.Called()), ". ") + ".qrels"
	ls.app.Browser.Save(name, "text/plain", b)
	ls.app.Notices.Say(name + " was saved.")
}

// Qrels is the grades of a layer as TREC qrels, by query and document. An id that the format cannot hold is an error.
func (ls *Layers) Qrels(id string) ([]byte, error) {
	q := collection.NewQrels()
	for _, x := range ls.journal.w.Layer(id).Judgments() {
		if x.Graded {
			q.Add(x.Query, x.Document, x.Grade)
		}
	}
	var b bytes.Buffer
	err := q.WriteTREC(&b)
	return b.Bytes(), err
}

// Graders are the layers that have grades.
func (ls *Layers) Graders() (out []Layer) {
	for _, l := range ls.List() {
		if l.Grades > 0 {
			out = append(out, l)
		}
	}
	return out
}

// keepTheirs remembers the collection's grade of a document before its first edit here.
func (ls *Layers) keepTheirs(query string, f experiment.Found) {
	for _, h := range ls.journal.w.Layers() { // once a layer has one, the worker says which grade is the collection's
		if ls.journal.w.Layer(h.ID).Touched(query, f.ID) {
			return
		}
	}
	if f.Grade != experiment.NoGrade && ls.journal.w.Collection().State != workspace.Hidden {
		ls.theirs[[2]string{query, f.ID}] = f.Grade
	}
}

// Agreement holds the grades against the collection's own: how many documents have both, how many the same one, and
// Cohen's κ (1960), the agreement beyond what their shares of each grade would give by chance; NaN where both gave one
// and the same grade throughout.
func (ls *Layers) Agreement() (both, same int, kappa float64) {
	var own, other []float64
	for p, x := range ls.theirs {
		if y, ok := ls.journal.w.Layer(mine).Grade(p[0], p[1]); ok {
			own, other = append(own, y), append(other, x)
			if x == y {
				same++
			}
		}
	}
	x, y := significance.Whole(own, other)
	kappa, err := significance.CohenKappa(x, y, significance.Unweighted)
	if err != nil { // of lists of two lengths
		panic(err)
	}
	return len(own), same, kappa
}
