package judge

import (
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Labels of passages that were not found for certain after documents were edited are looked at one by one. Each is a
// spec of the workspace until it is decided, so a reload keeps the list and undo brings one back.

// unsureName begins the names of those specs.
const unsureName = "unsure-"

// Question is a label to look at.
type Question struct {
	chunk.Unsure
	Spec          string
	Before, After string   // the text around the candidate
	IDs           []string // the documents or chunks that it grades there
}

// Unsure is the list of labels to look at.
type Unsure struct {
	app       *state.App
	journal   *Journal
	at        int // which of them is shown
	questions []Question
	of        version // of the workspace that they were read from
}

// begin forgets the labels of another collection.
func (u *Unsure) begin() { *u = Unsure{app: u.app, journal: u.journal} }

// Questions are the labels to look at, in the order of their file.
func (u *Unsure) Questions() []Question {
	if u.of == u.journal.version() {
		return u.questions
	}
	var out []Question
	for _, s := range u.journal.w.Specs() {
		if s.Form != workspace.Unsure {
			continue
		}
		parts := strings.Split(s.Text, "\t")
		if len(parts) < 4 {
			continue
		}
		list, err := chunk.ReadUnsure(s.Name, []byte(parts[0]))
		if err != nil || len(list) != 1 {
			continue
		}
		out = append(out, Question{list[0], s.Name, parts[1], parts[2], parts[3:]})
	}
	u.questions, u.of = out, u.journal.version()
	return out
}

// Question is the label that is shown, nil for none.
func (u *Unsure) Question() *Question {
	list := u.Questions()
	if len(list) == 0 {
		return nil
	}
	return &list[max(0, min(u.at, len(list)-1))]
}

// edits are the edits that put labels of a file into the list. Names sort in the order of the file.
func (u *Unsure) edits(list []message.Unsure) (out []workspace.Edit, err error) {
	n := 0
	for _, s := range u.journal.w.Specs() {
		if s.Form == workspace.Unsure {
			k, _ := strconv.Atoi(strings.TrimPrefix(s.Name, unsureName))
			n = max(n, k)
		}
	}
	for _, x := range list {
		n++
		name := strconv.Itoa(n)
		name = unsureName + strings.Repeat("0", max(0, 6-len(name))) + name
		text := strings.Join(append([]string{x.Line, oneLine(x.Before), oneLine(x.After)}, x.IDs...), "\t")
		e := workspace.Edit{Kind: workspace.SetSpec, Spec: name, Form: workspace.Unsure, Text: text}
		if len(text) > workspace.MaxText {
			return nil, say.Faultf("judge", "a label has %s, more than %s", say.Bytes(int64(len(text))),
				say.Bytes(workspace.MaxText))
		}
		out = append(out, e)
	}
	return out, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// layerOf is the layer that a label came from, and the edit that makes it if it is not there.
func (u *Unsure) layerOf(name string) (id string, made []workspace.Edit) {
	if name == "" {
		name = "re-anchored"
	}
	for _, l := range u.journal.w.Layers() {
		if l.Called() == name {
			return l.ID, nil
		}
	}
	if name == "you" {
		return mine, nil
	}
	h := workspace.Head{ID: u.journal.w.FreeLayer(name, u.journal.tab), Origin: workspace.Second, Author: name,
		Date: time.Now().UTC().Format(time.DateOnly)}
	return h.ID, []workspace.Edit{workspace.SetHead(h)}
}

// Accept grades what the shown label is about at the place that may be meant, in the layer that it came from. A higher
// grade that is there stays. A note says what was decided.
func (u *Unsure) Accept() {
	q := u.Question()
	if q == nil || u.journal.busy() {
		return
	}
	layer, edits := u.layerOf(q.Layer)
	for _, id := range q.IDs {
		grade := q.Grade
		if have, ok := u.journal.w.Layer(layer).Grade(q.Query, id); ok {
			grade = max(grade, have)
		}
		edits = append(edits, workspace.Edit{Kind: workspace.SetGrade, Layer: layer, Query: q.Query, Document: id,
			Grade: grade})
	}
	note := "Found again by hand after the document changed."
	if q.Quote != "" {
		note += " It was: " + say.Brief(q.Quote, 300)
	}
	before := u.journal.w.Layer(layer).Note(q.Query, q.IDs[0])
	if before != "" && len(before)+len(note) < workspace.MaxText {
		note = before + "\n" + note
	}
	edits = append(edits, workspace.Edit{Kind: workspace.SetNote, Layer: layer, Query: q.Query, Document: q.IDs[0],
		Text: note},
		workspace.Edit{Kind: workspace.RemoveSpec, Spec: q.Spec})
	u.decide(edits)
}

// Drop takes the shown label off the list. It grades nothing.
func (u *Unsure) Drop() {
	if q := u.Question(); q != nil && !u.journal.busy() {
		u.decide([]workspace.Edit{{Kind: workspace.RemoveSpec, Spec: q.Spec}})
	}
}

func (u *Unsure) decide(edits []workspace.Edit) {
	u.journal.writing = true
	u.journal.write(edits, func(apply func()) {
		u.journal.writing = false
		u.app.Change(false, func(*share.Address) { apply() })
		if edits[0].Kind == workspace.SetLayer {
			u.journal.push()
		}
	})
}

// MoveOn shows another label, and comes back to this one later.
func (u *Unsure) MoveOn(by int) {
	if n := len(u.Questions()); n > 0 {
		u.at = ((min(u.at, n-1)+by)%n + n) % n
		u.app.View.Draw()
	}
}
