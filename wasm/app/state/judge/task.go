package judge

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Usually the documents to judge are what the systems find. Two tasks have lists of their own: a share of a pool that
// somebody was given, which the workspace keeps, and the documents that layers grade differently.

// The names of the specs that hold the share: lines of documents, or the link of a share of a class.
const (
	shareName    = "share"
	assignedName = "assigned"
)

// Task is the share that this device was given to judge.
type Task struct {
	app     *state.App
	journal *Journal
	layers  *Layers
	found   func()                 // called once other documents are to be judged
	offered *assignment.Assignment // a share whose collection is not open yet
	taken   *assignment.Assignment // of the spec with the text takenOf
	takenOf string
}

// layer is the layer of the share that is judged.
func (t *Task) layer() string {
	if a := t.Assigned(); a != nil {
		return a.Layer()
	}
	return mine
}

// shareOf is the edit that makes a list of documents the share to judge.
func shareOf(pool []message.Pooled) (workspace.Edit, error) {
	var b strings.Builder
	for _, p := range pool {
		if strings.ContainsAny(p.Query+p.Document, "\t\n") {
			return workspace.Edit{}, say.Faultf("judge", "the id %q holds a tab", p.Document)
		}
		b.WriteString(p.Query + "\t" + p.Document + "\n")
	}
	if b.Len() > workspace.MaxText {
		return workspace.Edit{}, say.Faultf("judge", "a share may have %s, and this one has %s: split the pool further",
			say.Bytes(workspace.MaxText), say.Bytes(int64(b.Len())))
	}
	return workspace.Edit{Kind: workspace.SetSpec, Spec: shareName, Form: workspace.Pool, Text: b.String()}, nil
}

// documents are the documents of the share, in its order, nil for none.
func (t *Task) documents() (out []message.Pooled) {
	if a := t.Assigned(); a != nil {
		for _, d := range a.Documents {
			out = append(out, message.Pooled{Query: d.Query, Document: d.Document})
		}
		return out
	}
	for _, s := range t.journal.w.Specs() {
		if s.Form != workspace.Pool {
			continue
		}
		for _, line := range strings.Split(strings.TrimSuffix(s.Text, "\n"), "\n") {
			if query, doc, ok := strings.Cut(line, "\t"); ok {
				out = append(out, message.Pooled{Query: query, Document: doc})
			}
		}
	}
	return out
}

// Leave goes back to what the systems find. The grades stay.
func (t *Task) Leave() {
	if len(t.documents()) > 0 && !t.journal.busy() {
		name := shareName
		if t.Assigned() != nil {
			name = assignedName
		}
		t.journal.change(workspace.Edit{Kind: workspace.RemoveSpec, Spec: name})
		t.found()
	}
}

// Progress is how many documents of the share are judged, and how many it has; 0 and 0 for none.
func (t *Task) Progress() (done, all int) {
	layer := t.layer()
	for _, p := range t.documents() {
		all++
		if _, ok := t.journal.w.Layer(layer).Grade(p.Query, p.Document); ok {
			done++
		}
	}
	return done, all
}

// readLink takes the link of a share.
func (t *Task) readLink(fragment string) {
	a, err := assignment.Read(fragment)
	if err != nil {
		t.app.Notices.Problem = &message.Problem{What: "This link could not be opened: " + say.Sentence(err),
			Where: "the part of the address after #", Do: "Ask your teacher for the link again, or for the file."}
		return
	}
	t.open(a)
}

// open goes to the collection of a share, which is taken once its workspace is there.
func (t *Task) open(a *assignment.Assignment) {
	t.offered = a
	s := &t.app.Settings.Spec
	if s.Collection, s.Hash = a.Collection, a.Hash; a.Collection == t.app.Settings.Default {
		s.Collection = ""
	}
	s.QueryID, s.Query = "", ""
}

// Waiting is the share whose collection is not open, nil for none.
func (t *Task) Waiting() *assignment.Assignment {
	if t.offered != nil && t.app.Engine.Phase == state.Failed {
		return t.offered
	}
	return nil
}

// take makes the share that was opened the one that is judged.
func (t *Task) take() {
	a := t.offered
	if a == nil || t.app.Engine.Opened == nil || a.Collection != t.journal.name || t.journal.busy() {
		return
	}
	t.offered = nil
	if have := t.Assigned(); have != nil && have.ID() == a.ID() {
		return
	}
	link := a.Fragment()
	edits := []workspace.Edit{{Kind: workspace.SetSpec, Spec: assignedName, Form: workspace.Assigned, Text: link}}
	if len(link) > workspace.MaxText {
		t.layers.Said = []string{"The share has " + say.Bytes(int64(len(link))) + ", and a workspace keeps " +
			say.Bytes(workspace.MaxText) + ": ask your teacher for a smaller one."}
		return
	}
	for _, q := range a.Queries {
		if !slices.ContainsFunc(t.app.Engine.Opened.Queries, func(x report.Query) bool { return x.ID == q.ID }) {
			edits = append(edits, workspace.Edit{Kind: workspace.SetQuery, Query: q.ID, Text: q.Text,
				Description: q.Description, Narrative: q.Narrative})
		}
	}
	t.journal.change(edits...)
}

// Assigned is the share that is judged here, nil for none.
func (t *Task) Assigned() *assignment.Assignment {
	text := t.journal.spec(assignedName, workspace.Assigned)
	if text != t.takenOf {
		t.takenOf, t.taken = text, nil
		if text != "" {
			t.taken, _ = assignment.Read(text)
		}
	}
	return t.taken
}

// HandIn saves what the student hands in: a file that is called after the student.
func (t *Task) HandIn() {
	a := t.Assigned()
	if a == nil {
		return
	}
	b, err := a.HandIn(t.journal.w.Layer(a.Layer()).Judgments())
	if err != nil {
		t.app.Notices.Problem = &message.Problem{What: "The grades can't be written as TREC qrels: " +
			say.Sentence(err),
			Where: "Hand in", Do: "Tell your teacher which id it is."}
		t.app.View.Draw()
		return
	}
	name := assignment.FileName(a.Student, ".qrels")
	t.app.Browser.Save(name, "text/plain", b)
	t.app.Notices.Say(name + " was saved. Send it to your teacher.")
}
