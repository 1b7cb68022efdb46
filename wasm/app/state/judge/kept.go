package judge

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Kept is what the device has of a workspace.
type Kept struct {
	Tab     string // random name of this tab
	Fold    []byte // as Export wrote it, empty if it was never folded
	Folded  int    // how often it was folded
	Journal []byte
	Last    int // key of the last record
}

// Device keeps workspaces. Every done is called once, with a problem in words or "".
type Device interface {
	LoadWorkspace(name string, done func(k Kept, problem string))
	// AppendEdits is done when the records are on the disk.
	AppendEdits(name string, records []byte, done func(problem string))
	// FoldWorkspace replaces the journal up to the record last, unless another tab has folded meanwhile.
	FoldWorkspace(name string, fold []byte, folded, last int, done func(problem string))
	// FollowWorkspaces calls heard with what other tabs append.
	FollowWorkspaces(heard func(name string, records []byte))
}

const (
	mine       = "mine"  // the layer of the person at this device
	patience   = 3000    // milliseconds that a write may take before grading goes on without it
	soon       = 500     // milliseconds after which another tab's grades are measured
	foldFrom   = 1 << 16 // bytes of a journal that is folded when it is read
	mostPasted = 1000    // queries that are added at once

	encoderPause = 250 // milliseconds between two looks whether the encoder is there
	encoderTries = 24
)

// kept is the workspace of the open collection, and how it is written.
type kept struct {
	w         *workspace.Workspace
	name      string // of the collection, "" for none
	tab       string
	loading   bool
	grading   bool // a grade is on its way to the device, and the next document is not shown yet
	following bool
	dirty     bool   // the worker has not been given the last edits
	unwritten []byte // records that the device did not take
	goTo      string // the query that is opened once the worker has it
	steps     []step // edits of this page, for undo
	at        int    // how many of them count
}

// step is an edit and what takes it back.
type step struct{ do, undo workspace.Edit }

func (j *Judge) begin(collection string) {
	d := workspace.Documents{Collection: collection}
	if o := j.App.Engine.Opened; o != nil {
		d.Name, d.Hash, d.Count = o.Ref.Name, o.Ref.Hash, o.Ref.Documents
	}
	early := j.early
	if j.name != "" && j.name != collection { // files that are waiting are for the other one
		early = nil
	}
	j.kept = kept{w: workspace.New(d), name: collection, tab: "page", following: j.following}
	j.layering = layering{own: -1, early: early, Reading: len(early) > 0}
	j.logging = logging{}
	j.classing = classing{offered: j.offered}
	j.asking = asking{}
	j.theirs, j.Unsaved, j.Lost = map[[2]string]int{}, "", ""
}

func (j *Judge) device() Device {
	d, _ := j.App.Browser.(Device)
	return d
}

// CollectionOpened is told that the worker has opened a collection, for the first time or again.
func (j *Judge) CollectionOpened() {
	name := j.App.Settings.Collection()
	defer func() {
		if j.App.Settings.Screen == j.ID() {
			j.count()
		}
	}()
	if name == j.name && !j.loading {
		j.push()
		return
	}
	j.begin(name)
	d := j.device()
	if d == nil {
		j.App.Adopted(nil)
		j.catchUp()
		return
	}
	j.loading = true
	if !j.following {
		j.following = true
		d.FollowWorkspaces(j.heard)
	}
	d.LoadWorkspace(name, func(k Kept, problem string) {
		if name == j.name && j.loading {
			j.loaded(k, problem)
		}
	})
}

// loaded takes what the device has. What cannot be read stays there as it is.
func (j *Judge) loaded(k Kept, problem string) {
	j.loading = false
	defer j.App.View.Draw()
	defer j.catchUp()
	if problem != "" {
		j.Unsaved = problem
		j.App.Adopted(nil)
		return
	}
	if k.Tab != "" {
		j.tab = k.Tab
	}
	j.w, j.Lost = read(j.name, j.w, k)
	whole := j.Lost == ""
	if whole && j.w.ReadOnly == "" && len(k.Journal) >= foldFrom {
		if b, err := j.w.ExportWithClicks(); err == nil {
			j.device().FoldWorkspace(j.name, b, k.Folded, k.Last, func(string) {}) // if it fails, the journal stays
		}
	}
	j.push()
}

// read is the workspace that the device has of a collection, and what of it cannot be read, "" for nothing. w is an
// empty one.
func read(name string, w *workspace.Workspace, k Kept) (_ *workspace.Workspace, lost string) {
	if len(k.Fold) > 0 {
		saved, err := workspace.Import("what is saved of "+name, k.Fold, workspace.Limits{})
		if err != nil {
			lost = say.Sentence(err)
		} else {
			w = saved
		}
	}
	if all := w.Replay(k.Journal); len(all) > 0 {
		said := say.Count(len(all), "saved edit", "saved edits") + " could not be read: " + say.Sentence(all[0])
		if errors.Is(all[0], workspace.ErrUnknown) {
			said = "A newer Rankbox has saved edits here that this one doesn't know. Reload the page to get it."
		}
		lost = strings.TrimSpace(lost + " " + said)
	}
	return w, lost
}

// heard takes what another tab has written.
func (j *Judge) heard(name string, records []byte) {
	edits, _ := workspace.ReadJournal(records)
	for _, e := range edits {
		if u, ok := j.App.Screens.Other("upload").(interface{ Renamed(id, name string) }); ok &&
			e.Kind == workspace.SetName {
			u.Renamed(name, e.Text)
		}
	}
	if name != j.name || j.loading {
		return
	}
	queries := false
	for _, e := range edits {
		if _, err := j.w.Apply(e); err == nil && e.Kind != workspace.SetClick && e.Kind != workspace.RemoveClick {
			j.dirty = true
			queries = queries || whole(e.Kind)
		}
	}
	if queries {
		j.push()
	} else if j.App.Settings.Screen != j.ID() {
		j.App.Browser.After(soon, j.Left)
	}
	j.App.View.Draw()
}

// push gives the worker the workspace.
func (j *Judge) push() {
	if !j.CanMeasure() && len(j.w.Queries()) == 0 && j.w.Collection().State == workspace.Counts && !j.dirty {
		j.App.Adopted(nil)
		return
	}
	b, err := j.w.Export()
	if err != nil {
		j.Lost = say.Sentence(err)
		j.App.Adopted(nil)
		return
	}
	j.dirty = false
	j.App.Engine.Request(message.Adopt, &message.AskAdopt{Collection: j.name, Zip: b})
}

// Left gives the worker the grades that were given on this screen, once another one is open: its figures are about them.
func (j *Judge) Left() {
	if j.dirty && j.App.Engine.Phase == state.Ready {
		j.push()
	}
}

// adopted takes the collection with the workspace in it, nil if that went wrong.
func (j *Judge) adopted(x *message.Adopted) {
	if x == nil {
		j.App.Adopted(nil)
		return
	}
	if x.Opened.Ref.ID != j.name {
		return
	}
	for _, t := range x.Theirs {
		j.theirs[[2]string{t.Query, t.Document}] = t.Grade
	}
	j.App.Adopted(&x.Opened)
	if j.encodes() {
		j.App.Encoder.Load()
	}
	if id := j.goTo; id != "" {
		j.goTo = ""
		j.Open(id)
	}
}

// busy says whether a key would be lost: what is saved is being read or written, or may only be read.
func (j *Judge) busy() bool { return j.loading || j.grading || j.w.ReadOnly != "" }

// whole says whether an edit of a kind changes what the worker has at once, not grades alone.
func whole(k workspace.Kind) bool {
	switch k {
	case workspace.SetQuery, workspace.RemoveQuery, workspace.SetLayer, workspace.SetRule:
		return true
	}
	return false
}

// dated puts the head of the layer before its first edit.
func (j *Judge) dated(e workspace.Edit) []workspace.Edit {
	for _, h := range j.w.Layers() {
		if h.ID == e.Layer && h.Date != "" {
			return []workspace.Edit{e}
		}
	}
	h := workspace.Head{ID: e.Layer, Origin: workspace.Person, Date: time.Now().UTC().Format(time.DateOnly),
		Rule: "0 not relevant, 1 related, 2 relevant, 3 the answer"}
	if e.Layer == adjudicated {
		h.Origin = workspace.Adjudicated
	}
	if a := j.Assigned(); a != nil && e.Layer == a.Layer() {
		h.Author, h.Rule = a.Student, a.Rule()
	}
	return []workspace.Edit{workspace.SetHead(h), e}
}

// write brings edits onto the device, then calls then, which applies them. If the device does not take them they count all the same, the
// screen says that they are not saved, and the next write tries them again.
func (j *Judge) write(edits []workspace.Edit, then func(apply func())) {
	for i := range edits {
		edits[i].Stamp = j.w.Next(time.Now().UnixMilli(), j.tab)
	}
	j.writeStamped(edits, func(e workspace.Edit) bool { return len(edits) == 1 || e.Kind != workspace.SetLayer }, then)
}

// writeStamped is write for edits that have stamps. undone says which of them undo takes back.
func (j *Judge) writeStamped(edits []workspace.Edit, undone func(workspace.Edit) bool, then func(apply func())) {
	name := j.name
	var records []byte
	for i := range edits {
		records = workspace.AppendRecord(records, &edits[i])
	}
	apply := func() {
		j.steps = j.steps[:j.at]
		for _, e := range edits {
			undo := j.w.Inverse(e)
			if _, err := j.w.Apply(e); err != nil {
				j.Lost = say.Sentence(err)
				return
			}
			if undone(e) {
				j.steps = append(j.steps, step{e, undo})
			}
		}
		j.at, j.dirty = len(j.steps), true
	}
	j.put(records, func() {
		if name == j.name {
			then(apply)
		}
	})
}

// put brings records onto the device, and calls then when they are there or cannot be. It waits for no device for ever.
func (j *Judge) put(records []byte, then func()) {
	d := j.device()
	if d == nil {
		then()
		return
	}
	name := j.name
	j.App.Browser.Remember(state.OwnKey(name), "1")
	all := append(j.unwritten, records...)
	j.unwritten = nil
	over := false
	end := func(problem string) {
		if name != j.name {
			return
		}
		if problem == "" {
			j.Unsaved = ""
		} else {
			j.Unsaved, j.unwritten = problem, append(all, j.unwritten...)
		}
		if !over {
			over = true
			then()
		}
		j.App.View.Draw()
	}
	stop := j.App.Browser.After(patience, func() {
		if !over && name == j.name {
			over = true
			j.Unsaved = "the device has not answered for " + strconv.Itoa(patience/1000) + " seconds"
			then()
			j.App.View.Draw()
		}
	})
	d.AppendEdits(name, all, func(problem string) { stop(); end(problem) })
}

// travel takes edits of this page back, or makes them again, until at of them count.
func (j *Judge) travel(at int) {
	at = max(0, min(at, len(j.steps)))
	queries := false
	var records []byte
	for j.at != at && j.w.ReadOnly == "" {
		var e workspace.Edit
		if j.at > at {
			j.at--
			e = j.steps[j.at].undo
		} else {
			e = j.steps[j.at].do
			j.at++
		}
		e.Stamp = j.w.Next(time.Now().UnixMilli(), j.tab)
		if _, err := j.w.Apply(e); err != nil {
			j.Lost = say.Sentence(err)
			break
		}
		records = workspace.AppendRecord(records, &e)
		j.dirty = true
		queries = queries || whole(e.Kind)
	}
	if queries || len(records) > 0 && j.App.Settings.Screen != j.ID() {
		j.push()
	}
	if len(records) > 0 {
		j.put(records, func() {})
	}
}

// AddQueries adds each line of a text as a query, unless the collection has it, and opens the first. It reports how many it added.
func (j *Judge) AddQueries(text string) (added int) {
	if j.busy() || j.App.Engine.Opened == nil {
		return 0
	}
	known := map[string]bool{}
	for _, q := range j.App.Engine.Opened.Queries {
		known[strings.ToLower(q.Text)] = true
	}
	for _, q := range j.w.Queries() {
		known[strings.ToLower(q.Text)] = true
	}
	var edits []workspace.Edit
	n, first := len(j.w.Queries()), ""
	for _, line := range strings.Split(text, "\n") {
		line = strings.Join(strings.Fields(strings.ToValidUTF8(line, "\uFFFD")), " ")
		if line == "" || known[strings.ToLower(line)] || len(edits) == mostPasted || len(line) > workspace.MaxText {
			continue
		}
		known[strings.ToLower(line)] = true
		n++
		id := "q" + strconv.Itoa(n) + "-" + j.tab // of no other tab
		for j.has(id) {
			n++
			id = "q" + strconv.Itoa(n) + "-" + j.tab
		}
		if first == "" {
			first = id
		}
		edits = append(edits, workspace.Edit{Kind: workspace.SetQuery, Query: id, Text: line})
	}
	if len(edits) == 0 {
		return 0
	}
	j.write(edits, func(apply func()) {
		j.App.Change(false, func(*share.Address) { apply() })
		j.goTo = first
		j.push()
	})
	return len(edits)
}

func (j *Judge) has(id string) bool {
	for _, q := range j.App.Engine.Opened.Queries {
		if q.ID == id {
			return true
		}
	}
	for _, s := range j.steps {
		if s.do.Query == id {
			return true
		}
	}
	return false
}

// Own says whether a query was added here.
func (j *Judge) Own(id string) bool {
	for _, q := range j.w.Queries() {
		if q.ID == id {
			return true
		}
	}
	return false
}

// RemoveQuery removes the open query, if it was added here. Its grades come back with it.
func (j *Judge) RemoveQuery() {
	id := j.App.Settings.Spec.QueryID
	if !j.Own(id) || j.busy() {
		return
	}
	j.write([]workspace.Edit{{Kind: workspace.RemoveQuery, Query: id}}, func(apply func()) {
		j.App.Change(false, func(s *share.Address) { apply(); s.QueryID, s.Focus.Document = "", "" })
		j.push()
	})
}

// CanMeasure says whether there are grades to measure with.
func (j *Judge) CanMeasure() bool {
	for _, h := range j.w.Layers() {
		if j.w.Graded(h.ID) > 0 {
			return true
		}
	}
	return false
}

// encodes says whether systems need the encoder for queries that were added here: no model has vectors of those.
func (j *Judge) encodes() bool {
	o := j.App.Engine.Opened
	return len(j.w.Queries()) > 0 && o != nil && len(o.Models) > 0 && j.App.Encoder.File.URL != ""
}

// Measure compares the open systems with the grades. It waits for the encoder that dense systems need, but not for ever.
func (j *Judge) Measure() { j.measure(encoderTries) }

func (j *Judge) measure(tries int) {
	if j.encodes() && !j.App.Encoder.Ready && tries > 0 {
		if tries == encoderTries {
			j.App.Encoder.Load()
			j.App.Notices.Say("Loading the encoder for your queries.")
		}
		j.App.Browser.After(encoderPause, func() { j.measure(tries - 1) })
		return
	}
	if j.dirty {
		j.push()
	}
	if c, ok := j.App.Screens.Other(share.Compare).(interface{ UseExperiment(message.Matrix) }); ok {
		c.UseExperiment(message.Matrix{Systems: j.App.Settings.Systems()})
	}
}
