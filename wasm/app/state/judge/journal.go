package judge

import (
	"strconv"
	"time"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

const (
	mine     = "mine"  // the layer of the person at this device
	patience = 3000    // milliseconds that a write may take before grading goes on without it
	soon     = 500     // milliseconds after which another tab's grades are measured
	foldFrom = 1 << 16 // bytes of a journal that is folded when it is read
)

// Journal is the workspace of the open collection, and how its edits come onto the device and to the worker.
type Journal struct {
	Unsaved string // why the last edits are not on the device, "" if they are
	Lost    string // what could not be read of what was saved, "" for nothing

	app       *state.App
	w         *workspace.Workspace
	name      string // of the collection, "" for none
	tab       string
	loading   bool
	writing   bool // a decision is on its way to the device, and the next document is not shown yet
	following bool
	dirty     bool   // the worker has not been given the last edits
	unwritten []byte // records that the device did not take
	steps     []step // edits of this page, for undo
	at        int    // how many of them count
}

// step is an edit and what takes it back.
type step struct{ do, undo workspace.Edit }

// begin is the empty workspace of a collection.
func (j *Journal) begin(collection string) {
	d := workspace.Documents{Collection: collection}
	if o := j.app.Engine.Opened; o != nil {
		d.Name, d.Hash, d.Count = o.Ref.Name, o.Ref.Hash, o.Ref.Documents
	}
	*j = Journal{app: j.app, w: workspace.New(d), name: collection, tab: "page", following: j.following}
}

// load reads what the device has of the collection, then calls then.
func (j *Journal) load(then func()) {
	d := j.device()
	if d == nil {
		j.app.Adopted(nil)
		then()
		return
	}
	j.loading = true
	if !j.following {
		j.following = true
		d.FollowWorkspaces(j.heard)
	}
	name := j.name
	d.LoadWorkspace(name, func(k Kept, problem string) {
		if name == j.name && j.loading {
			j.loaded(k, problem)
			then()
			j.app.View.Draw()
		}
	})
}

func (j *Journal) device() Device {
	d, _ := j.app.Browser.(Device)
	return d
}

// loaded takes what the device has. What cannot be read stays there as it is.
func (j *Journal) loaded(k Kept, problem string) {
	j.loading = false
	if problem != "" {
		j.Unsaved = problem
		j.app.Adopted(nil)
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

// heard takes what another tab has written.
func (j *Journal) heard(name string, records []byte) {
	edits, _ := workspace.ReadJournal(records)
	for _, e := range edits {
		if u, ok := j.app.Screens.Other("upload").(interface{ Renamed(id, name string) }); ok &&
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
	} else if j.app.Settings.Screen != ID {
		j.app.Browser.After(soon, j.left)
	}
	j.app.View.Draw()
}

// push gives the worker the workspace.
func (j *Journal) push() {
	if !j.CanMeasure() && len(j.w.Queries()) == 0 && j.w.Collection().State == workspace.Counts && !j.dirty {
		j.app.Adopted(nil)
		return
	}
	b, err := j.w.Export()
	if err != nil {
		j.Lost = say.Sentence(err)
		j.app.Adopted(nil)
		return
	}
	j.dirty = false
	j.app.Engine.Request(message.Adopt, &message.AskAdopt{Collection: j.name, Zip: b})
}

// left gives the worker the grades that were given on this screen, once another one is open: its figures are about
// them.
func (j *Journal) left() {
	if j.dirty && j.app.Engine.Phase == state.Ready {
		j.push()
	}
}

// busy says whether a key would be lost: what is saved is being read or written, or may only be read.
func (j *Journal) busy() bool { return j.loading || j.writing || j.w.ReadOnly != "" }

// Loading says whether what the device has is still being read: no query can be added before.
func (j *Journal) Loading() bool { return j.loading }

// whole says whether an edit of a kind changes what the worker has at once, not grades alone.
func whole(k workspace.Kind) bool {
	switch k {
	case workspace.SetQuery, workspace.RemoveQuery, workspace.SetLayer, workspace.SetRule:
		return true
	}
	return false
}

// write brings edits onto the device, then calls then, which applies them. If the device does not take them they count
// all the same, the screen says that they are not saved, and the next write tries them again.
func (j *Journal) write(edits []workspace.Edit, then func(apply func())) {
	for i := range edits {
		edits[i].Stamp = j.w.Next(time.Now().UnixMilli(), j.tab)
	}
	j.writeStamped(edits, func(e workspace.Edit) bool { return len(edits) == 1 || e.Kind != workspace.SetLayer }, then)
}

// writeStamped is write for edits that have stamps. undone says which of them undo takes back.
func (j *Journal) writeStamped(edits []workspace.Edit, undone func(workspace.Edit) bool, then func(apply func())) {
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
func (j *Journal) put(records []byte, then func()) {
	d := j.device()
	if d == nil {
		then()
		return
	}
	name := j.name
	j.app.Browser.Remember(state.OwnKey(name), "1")
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
		j.app.View.Draw()
	}
	stop := j.app.Browser.After(patience, func() {
		if !over && name == j.name {
			over = true
			j.Unsaved = "the device has not answered for " + strconv.Itoa(patience/1000) + " seconds"
			then()
			j.app.View.Draw()
		}
	})
	d.AppendEdits(name, all, func(problem string) { stop(); end(problem) })
}

// travel takes edits of this page back, or makes them again, until at of them count.
func (j *Journal) travel(at int) {
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
	if queries || len(records) > 0 && j.app.Settings.Screen != ID {
		j.push()
	}
	if len(records) > 0 {
		j.put(records, func() {})
	}
}

// CanMeasure says whether there are grades to measure with.
func (j *Journal) CanMeasure() bool {
	for _, h := range j.w.Layers() {
		if j.w.Layer(h.ID).Graded() > 0 {
			return true
		}
	}
	return false
}

// stored calls done with the workspace of any collection, nil if there is none, and what of it could not be read.
func (j *Journal) stored(name string, done func(w *workspace.Workspace, problem string)) {
	d := j.device()
	switch {
	case d == nil:
		done(nil, "")
	case name == j.name && !j.loading:
		done(j.w, j.Lost)
	default:
		d.LoadWorkspace(name, func(k Kept, problem string) {
			if problem != "" {
				done(nil, problem)
				return
			}
			done(read(name, workspace.New(workspace.Documents{Collection: name}), k))
		})
	}
}

// fold replaces the journal, which still holds what was deleted.
func (j *Journal) fold() {
	d := j.device()
	if d == nil {
		return
	}
	name := j.name
	d.LoadWorkspace(name, func(k Kept, problem string) {
		if problem != "" || name != j.name {
			return
		}
		w, lost := read(name, workspace.New(j.w.Documents), k)
		if lost != "" || w.ReadOnly != "" {
			return
		}
		if b, err := w.ExportWithClicks(); err == nil {
			d.FoldWorkspace(name, b, k.Folded, k.Last, func(string) {})
		}
	})
}

// version tells states of the workspace apart: which one it is, and how many edits it has taken.
type version struct {
	w     *workspace.Workspace
	edits int
}

func (j *Journal) version() version { return version{j.w, j.w.Edits()} }

// spec is the text of a spec, "" if there is none.
func (j *Journal) spec(name, form string) string {
	for _, s := range j.w.Specs() {
		if s.Name == name && s.Form == form {
			return s.Text
		}
	}
	return ""
}

// change writes edits that undo takes back at once, and gives the worker the workspace.
func (j *Journal) change(edits ...workspace.Edit) {
	j.write(edits, func(apply func()) {
		j.app.Change(false, func(*share.Address) { apply() })
		j.push()
	})
}
