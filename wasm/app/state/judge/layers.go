package judge

import (
	"bytes"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// adjudicated is the layer of grades that are given where others differ.
const adjudicated = "adjudicated"

// layering is what the screen knows of layers beside the workspace.
type layering struct {
	Adjudicating bool                // grades go to the layer adjudicated, of documents that layers grade differently
	Unblind      bool                // the grades of the others are shown before one is given
	Reading      bool                // files are being read
	early        []message.File      // that were given before the workspace was there
	late         []message.LayerRead // that were read while a grade was on its way to the device
	Said         []string
	Agreed       *message.LayersAgree // the last answer, nil before
	agreedAt     int                  // how many edits there were when it was asked for
	own          int                  // judgments of the collection, -1 before the worker said how many
	from         string               // the collection that files are read for
	disputes     []workspace.Dispute
	disputesOf   [3]int // edits and grades of the collection that they were found with
}

// Layer is a layer as it is listed.
type Layer struct {
	workspace.Head
	Name   string
	Grades int
}

// Layers are the layers of the workspace in the order in which they take precedence, the collection's own last.
func (j *Judge) Layers() (out []Layer) {
	for _, h := range j.w.Layers() {
		if n := j.w.Graded(h.ID); n > 0 || h.ID != mine && h.ID != adjudicated {
			out = append(out, Layer{h, h.Called(), n})
		}
	}
	if j.own > 0 {
		h := j.w.Collection()
		out = append(out, Layer{h, h.Called(), j.own})
	}
	return out
}

// count asks the worker how many judgments the collection has, once.
func (j *Judge) count() {
	if j.own >= 0 || j.App.Engine.Opened == nil {
		return
	}
	if _, waiting := j.App.Engine.Asked(message.Layered); !waiting {
		j.App.Engine.Request(message.Layered, &message.AskLayered{Collection: j.App.Settings.Collection(), Count: true})
	}
}

// Entered is told that the screen was opened.
func (j *Judge) Entered() { j.count() }

// head is the head of a layer that is listed.
func (j *Judge) head(id string) (workspace.Head, bool) {
	for _, l := range j.Layers() {
		if l.ID == id {
			return l.Head, true
		}
	}
	return workspace.Head{}, false
}

// SetHead changes the author, date, origin or state of a layer. Its grades stay as they are.
func (j *Judge) SetHead(id string, change func(h *workspace.Head)) {
	h, ok := j.head(id)
	if !ok || j.busy() {
		return
	}
	before := h
	if change(&h); h == before {
		return
	}
	e := workspace.SetHead(h)
	e.Stamp = j.w.Next(0, j.tab)
	if err := e.Check(); err != nil {
		j.Said = []string{say.Sentence(err)}
		j.App.View.Draw()
		return
	}
	j.put1(e)
}

// SetRule chooses which grade counts where layers differ.
func (j *Judge) SetRule(r workspace.Rule) {
	if r != j.w.Rule() && !j.busy() {
		j.put1(workspace.Edit{Kind: workspace.SetRule, Text: string(r)})
	}
}

// Rule is that rule.
func (j *Judge) Rule() workspace.Rule { return j.w.Rule() }

// put1 writes one edit that undo takes back, and gives the worker the workspace.
func (j *Judge) put1(e workspace.Edit) {
	j.write([]workspace.Edit{e}, func(apply func()) {
		j.App.Change(false, func(*share.Address) { apply() })
		j.push()
	})
}

// Remove removes a layer. Undo brings it back with its grades.
func (j *Judge) Remove(id string) {
	if id == workspace.OfCollection {
		return
	}
	name := ""
	j.SetHead(id, func(h *workspace.Head) { name, h.State = h.Called(), workspace.Removed })
	if name != "" {
		j.App.Notices.Say("The layer " + name + " was removed. Undo brings it back.")
	}
}

// ExportLayer saves the grades of one layer as TREC qrels. The file is named after the layer, so it is again where it
// is opened.
func (j *Judge) ExportLayer(id string) {
	h, ok := j.head(id)
	if !ok || id == workspace.OfCollection {
		return
	}
	q := collection.NewQrels()
	for _, x := range j.w.Judgments(id) {
		if x.Graded {
			q.Add(x.Query, x.Document, x.Grade)
		}
	}
	var b bytes.Buffer
	if err := q.WriteTREC(&b); err != nil {
		j.Said = []string{"The grades can't be written as TREC qrels: " + say.Sentence(err) +
			" Save the workspace instead: its format holds every id."}
		j.App.View.Draw()
		return
	}
	name := strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, h.Called()), ". ") + ".qrels"
	j.App.Browser.Save(name, "text/plain", b.Bytes())
	j.App.Notices.Say(name + " was saved.")
}

// TakesFiles says that files are layers while the screen is open.
func (j *Judge) TakesFiles() bool { return j.App.Settings.Screen == j.ID() }

// AddFiles has judgments read that become layers. Files that come while the collection or its workspace is being
// opened wait for it.
func (j *Judge) AddFiles(files []message.File) {
	defer j.App.View.Draw()
	switch {
	case j.w.ReadOnly != "":
		j.Said = []string{"Nothing can be added: " + j.w.ReadOnly}
	case j.loading || j.App.Engine.Opened == nil && j.App.Engine.Phase < state.Ready:
		j.Reading, j.early = true, append(j.early, files...)
	case j.App.Engine.Opened == nil:
		j.Said = []string{"Open a collection first: judgments are about its documents."}
	default:
		j.Reading, j.Said, j.from = true, nil, j.name
		j.App.Engine.Request(message.Layers, &message.AskLayers{Files: files, Limit: j.App.Engine.Limit})
	}
}

// catchUp does what waited until edits can be written.
func (j *Judge) catchUp() {
	if j.busy() {
		return
	}
	j.take()
	if files := j.early; len(files) > 0 {
		j.early = nil
		j.AddFiles(files)
	}
	if list := j.late; len(list) > 0 {
		j.late = nil
		j.addLayers(list)
	}
}

// layersAnswered takes the layers of files, and what the worker says of those that are there.
func (j *Judge) layersAnswered(r message.Reply) {
	switch r.Kind {
	case message.Layers:
		j.Reading = false
		if x, ok := r.Answer.(*message.LayersRead); ok && j.from == j.name {
			j.late = append(j.late, x.List...)
			j.catchUp()
		}
	case message.Layered:
		if x, ok := r.Answer.(*message.LayersAgree); ok {
			if j.own = x.Own; len(x.Sections) > 0 || x.Problem != "" {
				j.Agreed = x
			}
		}
	}
}

// addLayers adds what was read from files: a layer each, or a share of a pool.
func (j *Judge) addLayers(list []message.LayerRead) {
	now := time.Now().UnixMilli()
	var edits []workspace.Edit
	taken := map[string]bool{}
	layers := 0
	for _, l := range list {
		switch {
		case l.Problem != "":
			j.Said = append(j.Said, say.Visible(l.File)+": "+l.Problem)
			continue
		case len(l.Unsure) > 0:
			edits = append(edits, j.addUnsure(l, now)...)
			continue
		case l.Student != "":
			own := j.ofClass(&l)
			edits = append(edits, own...)
			continue
		case len(l.Pool) > 0:
			e, err := j.share(l.Pool)
			if err != nil {
				j.Said = append(j.Said, say.Visible(l.File)+": "+say.Sentence(err))
				continue
			}
			e.Stamp = j.w.Next(now, j.tab)
			edits = append(edits, e)
			j.Said = append(j.Said, say.Visible(l.File)+": a share of "+say.Count(len(l.Pool), "document",
				"documents")+" to judge."+lacking(l.Unknown))
			continue
		}
		h := workspace.Head{Origin: workspace.Origin(l.Origin), Author: l.Author, Date: l.Date, Rule: l.Rule}
		if h.Origin == "" {
			h.Origin = workspace.Second
		}
		h.ID = j.w.FreeLayer(h.Author, j.tab)
		for n := 2; taken[h.ID]; n++ {
			h.ID = j.w.FreeLayer(h.Author+"-"+say.Page.Int(n), j.tab)
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
		own := j.w.AddLayer(h, grades, now, j.tab)
		if err := checked(own); err != nil {
			j.Said = append(j.Said, say.Visible(l.File)+": "+say.Sentence(err))
			continue
		}
		edits = append(edits, own...)
		layers++
		j.Said = append(j.Said, say.Visible(h.Author)+": "+say.Count(n, "grade", "grades")+" added."+lacking(l.Unknown))
	}
	if j.App.Settings.Query() != nil { // the list of layers is not on the screen
		j.App.Notices.Say(say.Few(j.Said, 3))
	}
	if len(edits) == 0 {
		j.take()
		j.App.View.Draw()
		return
	}
	defer j.take()
	j.writeStamped(edits, func(e workspace.Edit) bool {
		return e.Kind == workspace.SetLayer ||
			e.Kind == workspace.SetSpec
	}, func(apply func()) {
		j.App.Change(false, func(*share.Address) { apply() })
		j.push()
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

// Judges is how many layers have grades, the collection's with them.
func (j *Judge) Judges() (n int) {
	for _, l := range j.Layers() {
		if l.Grades > 0 {
			n++
		}
	}
	return n
}

// Measures are the measures that may order the systems, the first of them without a choice.
func (j *Judge) Measures() []string {
	if r := j.App.Figures.Report; r != nil && len(r.Measures) > 0 {
		return r.Measures
	}
	if r := j.App.Search.Results; r != nil && len(r.Measures) > 0 {
		return r.Measures
	}
	return []string{"nDCG@10"}
}

// Agree asks how far the layers agree and what that does to the order of the open systems by a measure, and what a
// model's layer is worth beside a person's. Choices says which layers these are.
func (j *Judge) Agree(measure string) {
	if measure == "" {
		measure = j.Measures()[0]
	}
	b, err := j.w.Export()
	if err != nil {
		j.Said = []string{say.Sentence(err)}
		j.App.View.Draw()
		return
	}
	ask := &message.AskLayered{Collection: j.name, Zip: b, Systems: j.App.Settings.Systems(), Measure: measure}
	c := j.Choices()
	if ask.Human, ask.Model = c.Human, c.Model; c.First != "" {
		ask.Of = []string{c.First, c.Second}
	}
	if j.dirty { // the systems rank the queries that the worker knows as judged
		j.push()
	}
	j.agreedAt = j.w.Edits()
	j.App.Engine.Request(message.Layered, ask)
	j.App.View.Draw()
}

// Agreeing says whether the answer is on its way.
func (j *Judge) Agreeing() bool {
	r, waiting := j.App.Engine.Asked(message.Layered)
	if !waiting {
		return false
	}
	ask, ok := r.Question.(*message.AskLayered)
	return ok && !ask.Count
}

// Stale says that grades have changed since the layers were compared.
func (j *Judge) Stale() bool { return j.Agreed != nil && j.agreedAt != j.w.Edits() }
