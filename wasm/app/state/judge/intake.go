package judge

import (
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Intake is the files that are given to the screen: judgments, labels, shares.
type Intake struct {
	Reading bool // files are being read

	app     *state.App
	journal *Journal
	layers  *Layers
	task    *Task
	class   *Class
	unsure  *Unsure
	early   []message.File      // that were given before the workspace was there
	late    []message.LayerRead // that were read while a grade was on its way to the device
	from    string              // the collection that files are read for
}

// begin forgets what was read for another collection.
func (in *Intake) begin(early []message.File) {
	in.Reading, in.early, in.late, in.from = len(early) > 0, early, nil, ""
}

// add has judgments read that become layers. Files that come while the collection or its workspace is being
// opened wait for it.
func (in *Intake) add(files []message.File) {
	defer in.app.View.Draw()
	switch {
	case in.journal.w.ReadOnly != "":
		in.layers.Said = []string{"Nothing can be added: " + in.journal.w.ReadOnly}
	case in.journal.loading || in.app.Engine.Opened == nil && in.app.Engine.Phase < state.Ready:
		in.Reading, in.early = true, append(in.early, files...)
	case in.app.Engine.Opened == nil:
		in.layers.Said = []string{"Open a collection first: judgments are about its documents."}
	default:
		in.Reading, in.layers.Said, in.from = true, nil, in.journal.name
		in.app.Engine.Request(message.Layers, &message.AskLayers{Files: files, Limit: in.app.Engine.Limit})
	}
}

// catchUp does what waited until edits can be written.
func (in *Intake) catchUp() {
	if in.journal.busy() {
		return
	}
	in.task.take()
	if files := in.early; len(files) > 0 {
		in.early = nil
		in.add(files)
	}
	if list := in.late; len(list) > 0 {
		in.late = nil
		in.addLayers(list)
	}
}

// read takes what was read from files, nil if nothing was.
func (in *Intake) read(x *message.LayersRead) {
	in.Reading = false
	if x != nil && in.from == in.journal.name {
		in.late = append(in.late, x.List...)
		in.catchUp()
	}
}

// say adds a sentence to those above the list of layers.
func (in *Intake) say(text string) { in.layers.Said = append(in.layers.Said, text) }

// addLayers adds what was read from files: a layer each, or a share of a pool.
func (in *Intake) addLayers(list []message.LayerRead) {
	now := time.Now().UnixMilli()
	var edits []workspace.Edit
	taken := map[string]bool{}
	for _, l := range list {
		switch {
		case l.Problem != "":
			in.say(say.Visible(l.File) + ": " + l.Problem)
			continue
		case len(l.Unsure) > 0:
			edits = append(edits, in.addUnsure(l, now)...)
			continue
		case l.Student != "":
			own := in.ofClass(&l)
			edits = append(edits, own...)
			continue
		case len(l.Pool) > 0:
			e, err := shareOf(l.Pool)
			if err != nil {
				in.say(say.Visible(l.File) + ": " + say.Sentence(err))
				continue
			}
			e.Stamp = in.journal.w.Next(now, in.journal.tab)
			edits = append(edits, e)
			in.say(say.Visible(l.File) + ": a share of " + say.Count(len(l.Pool), "document",
				"documents") + " to judge." + lacking(l.Unknown))
			continue
		}
		h := workspace.Head{Origin: workspace.Origin(l.Origin), Author: l.Author, Date: l.Date, Rule: l.Rule}
		if h.Origin == "" {
			h.Origin = workspace.Second
		}
		h.ID = in.journal.w.FreeLayer(h.Author, in.journal.tab)
		for n := 2; taken[h.ID]; n++ {
			h.ID = in.journal.w.FreeLayer(h.Author+"-"+say.Page.Int(n), in.journal.tab)
		}
		taken[h.ID] = true
		grades := make([]workspace.Judgment, len(l.Grades))
		n := 0
		for i, g := range l.Grades {
			grades[i] = workspace.Judgment{Query: g.Query, Document: g.Document, Grade: g.Grade, Graded: g.Graded,
				Time: int64(g.Time), Note: g.Note}
			if g.Graded {
				n++
			}
		}
		own := in.journal.w.AddLayer(h, grades, now, in.journal.tab)
		if err := checked(own); err != nil {
			in.say(say.Visible(l.File) + ": " + say.Sentence(err))
			continue
		}
		edits = append(edits, own...)
		in.say(say.Visible(h.Author) + ": " + say.Count(n, "grade", "grades") + " added." + lacking(l.Unknown))
	}
	if in.app.Settings.Query() != nil { // the list of layers is not on the screen
		in.app.Notices.Say(say.Few(in.layers.Said, 3))
	}
	if len(edits) == 0 {
		in.task.take()
		in.app.View.Draw()
		return
	}
	defer in.task.take()
	in.journal.writeStamped(edits, func(e workspace.Edit) bool {
		return e.Kind == workspace.SetLayer ||
			e.Kind == workspace.SetSpec
	}, func(apply func()) {
		in.app.Change(false, func(*share.Address) { apply() })
		in.journal.push()
	})
}

// checked says what is wrong with the first edit that is wrong.
func checked(edits []workspace.Edit) error {
	for i := range edits {
		if err := edits[i].Check(); err != nil {
			return err
		}
	}
	return nil
}

func lacking(n int) string {
	if n == 0 {
		return ""
	}
	return " " + say.Count(n, "judgment is", "judgments are") + " of queries or documents that this collection lacks."
}

// ofClass takes a file of a class: a share that is to be judged here, or the judgments that a student hands in, whose
// edits it returns. It says what came of the file.
func (in *Intake) ofClass(l *message.LayerRead) (edits []workspace.Edit) {
	file := say.Visible(l.File) + ": "
	if l.Share == "" {
		edits, said, err := in.class.handIn(l)
		if err != nil {
			edits, said = nil, file+say.Sentence(err)
		}
		in.say(said + lacking(l.Unknown))
		return edits
	}
	switch a, err := assignment.Read(l.Share); {
	case err != nil:
		in.say(file + say.Sentence(err))
	case a.Collection != in.journal.name:
		in.say(file + "the share is about " + say.Visible(a.Name) + ". Open that first, then " +
			"drop the file again.")
	default:
		in.task.offered = a
	}
	return nil
}

// addUnsure returns the edits that add labels of a file to the list, and says how many they are.
func (in *Intake) addUnsure(l message.LayerRead, now int64) []workspace.Edit {
	edits, err := in.unsure.edits(l.Unsure)
	if err != nil {
		in.say(say.Visible(l.File) + ": " + say.Sentence(err))
		return nil
	}
	for i := range edits {
		edits[i].Stamp = in.journal.w.Next(now, in.journal.tab)
	}
	said := say.Visible(l.File) + ": " + say.Count(len(edits), "label", "labels") + " to look at."
	if l.Unknown > 0 {
		said += " " + say.Count(l.Unknown, "label is", "labels are") +
			" of other queries or documents, or would grade nothing here."
	}
	in.say(said)
	return edits
}
