package judge

import (
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/documents/chunk"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
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

// asking is where the list of labels to look at stands.
type asking struct {
	At        int // which of them is shown
	questions []Question
	of        int // how many edits there were when they were read, plus 1
}

// Questions are the labels to look at, in the order of their file.
func (j *Judge) Questions() []Question {
	if j.asking.of == j.w.Edits()+1 {
		return j.asking.questions
	}
	var out []Question
	for _, s := range j.w.Specs() {
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
	j.asking.questions, j.asking.of = out, j.w.Edits()+1
	return out
}

// Question is the label that is shown, nil for none.
func (j *Judge) Question() *Question {
	list := j.Questions()
	if len(list) == 0 {
		return nil
	}
	return &list[max(0, min(j.asking.At, len(list)-1))]
}

// unsureEdits are the edits that put labels of a file into the list. Names sort in the order of the file.
func (j *Judge) unsureEdits(list []message.Unsure) (out []workspace.Edit, err error) {
	n := 0
	for _, s := range j.w.Specs() {
		if s.Form == workspace.Unsure {
			k, _ := strconv.Atoi(strings.TrimPrefix(s.Name, unsureName))
			n = max(n, k)
		}
	}
	for _, u := range list {
		n++
		name := strconv.Itoa(n)
		name = unsureName + strings.Repeat("0", max(0, 6-len(name))) + name
		text := strings.Join(append([]string{u.Line, oneLine(u.Before), oneLine(u.After)}, u.IDs...), "\t")
		e := workspace.Edit{Kind: workspace.SetSpec, Spec: name, Form: workspace.Unsure, Text: text}
		if len(text) > workspace.MaxText {
			return nil, say.Faultf("judge", "a label has %s, more than %s", say.Bytes(int64(len(text))),
				say.Bytes(workspace.MaxText))
		}
		out = append(out, e)
	}
	return out, nil
}

// addUnsure returns the edits that add labels of a file to the list, and says how many they are.
func (j *Judge) addUnsure(l message.LayerRead, now int64) []workspace.Edit {
	edits, err := j.unsureEdits(l.Unsure)
	if err != nil {
		j.Said = append(j.Said, say.Visible(l.File)+": "+say.Sentence(err))
		return nil
	}
	for i := range edits {
		edits[i].Stamp = j.w.Next(now, j.tab)
	}
	said := say.Visible(l.File) + ": " + say.Count(len(edits), "label", "labels") + " to look at."
	if l.Unknown > 0 {
		said += " " + say.Count(l.Unknown, "label is", "labels are") +
			" of other queries or documents, or would grade nothing here."
	}
	j.Said = append(j.Said, said)
	return edits
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// layerOf is the layer that a label came from, and the edit that makes it if it is not there.
func (j *Judge) layerOf(name string) (id string, made []workspace.Edit) {
	if name == "" {
		name = "re-anchored"
	}
	for _, l := range j.w.Layers() {
		if l.Called() == name {
			return l.ID, nil
		}
	}
	if name == "you" {
		return mine, nil
	}
	h := workspace.Head{ID: j.w.FreeLayer(name, j.tab), Origin: workspace.Second, Author: name,
		Date: time.Now().UTC().Format(time.DateOnly)}
	return h.ID, []workspace.Edit{workspace.SetHead(h)}
}

// Accept grades what the shown label is about at the place that may be meant, in the layer that it came from. A higher
// grade that is there stays. A note says what was decided.
func (j *Judge) Accept() {
	q := j.Question()
	if q == nil || j.busy() {
		return
	}
	layer, edits := j.layerOf(q.Layer)
	for _, id := range q.IDs {
		grade := q.Grade
		if have, ok := j.w.Grade(layer, q.Query, id); ok {
			grade = max(grade, have)
		}
		edits = append(edits, workspace.Edit{Kind: workspace.SetGrade, Layer: layer, Query: q.Query, Document: id,
			Grade: grade})
	}
	note := "Found again by hand after the document changed."
	if q.Quote != "" {
		note += " It was: " + say.Brief(q.Quote, 300)
	}
	if before := j.w.Note(layer, q.Query, q.IDs[0]); before != "" && len(before)+len(note) < workspace.MaxText {
		note = before + "\n" + note
	}
	edits = append(edits, workspace.Edit{Kind: workspace.SetNote, Layer: layer, Query: q.Query, Document: q.IDs[0],
		Text: note},
		workspace.Edit{Kind: workspace.RemoveSpec, Spec: q.Spec})
	j.decide(edits)
}

// DropLabel takes the shown label off the list. It grades nothing.
func (j *Judge) DropLabel() {
	if q := j.Question(); q != nil && !j.busy() {
		j.decide([]workspace.Edit{{Kind: workspace.RemoveSpec, Spec: q.Spec}})
	}
}

func (j *Judge) decide(edits []workspace.Edit) {
	j.grading = true
	j.write(edits, func(apply func()) {
		j.grading = false
		j.App.Change(false, func(*share.Address) { apply() })
		if edits[0].Kind == workspace.SetLayer {
			j.push()
		}
	})
}

// MoveOn shows another label, and comes back to this one later.
func (j *Judge) MoveOn(by int) {
	if n := len(j.Questions()); n > 0 {
		j.asking.At = ((min(j.asking.At, n-1)+by)%n + n) % n
		j.App.View.Draw()
	}
}
