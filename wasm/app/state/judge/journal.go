package judge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

const (
	mine           = "mine"           // the layer of the person at this device
	patience       = 3000             // milliseconds that a write may take before grading goes on without it
	soon           = 500              // milliseconds after which another tab's grades are measured
	foldFrom       = 1 << 16          // bytes of a journal that is folded when it is read
	again          = 5000             // milliseconds after which a write that failed is tried again
	settlePatience = 30_000           // milliseconds that a device may take to be compared with what is known
	copyPace       = 2000             // milliseconds from the last edit to the second copy
	copyLatest     = 30 * time.Second // how long the second copy may lag behind while grading goes on
	ahead          = 24 * time.Hour
)

// Journal is the workspace of the open collection, and how its edits come onto the device and to the worker.
type Journal struct {
	Unsaved string // why the last edits are not on the device, "" if they are
	Lost    string // what could not be read of what was saved, "" for nothing
	Gone    string // what was saved and is no longer there, and what came back of it, "" for nothing
	Ahead   string // the date of edits that a clock set ahead has stamped, "" for none

	app       *state.App
	w         *workspace.Workspace
	name      string // of the collection, "" for none
	tab       string
	loading   bool
	writing   bool // a decision is on its way to the device, and the next document is not shown yet
	following bool
	dirty     bool      // the worker has not been given the last edits
	stream    int       // counts how often the worker was given the whole workspace
	given     bool      // it has it, but for records
	sent      int       // bytes of records that it has taken since
	records   []byte    // edits that it may lack, as in a journal
	settling  bool      // what the device has is being compared with the edits that are known
	stopWait  func()    // ends the wait for that
	stopCopy  func()    // ends the wait for the second copy, nil if none is to be made
	behind    time.Time // since when it lacks an edit
	stopRetry func()    // ends the wait for the next try to save
	steps     []step    // edits of this page, for undo
	at        int       // how many of them count
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
			j.loaded(k, problem, func() {
				then()
				j.app.View.Draw()
			})
		}
	})
}

func (j *Journal) device() Device {
	d, _ := j.app.Browser.(Device)
	return d
}

// loaded takes what the device has. What cannot be read stays there as it is. A second copy brings back what is gone.
func (j *Journal) loaded(k Kept, problem string, then func()) {
	if problem != "" {
		j.loading = false
		j.unsaved(problem)
		j.app.Adopted(nil)
		then()
		return
	}
	if k.Tab != "" {
		j.tab = k.Tab
	}
	j.w, j.Lost = read(j.name, j.w, k)
	known, here := readLedger(j.app.Browser.Recall(state.LedgerKey(j.name))), j.w.Count()
	if gone := known.Last.Compare(here.Last) > 0; gone || j.Lost != "" {
		j.bringBack(gone, max(0, known.Grades-here.Grades), max(0, known.Queries-here.Queries), then)
		return
	}
	if j.w.ReadOnly == "" && len(k.Journal) >= foldFrom {
		if b, err := j.w.ExportWithClicks(); err == nil {
			j.device().FoldWorkspace(j.name, b, k.Folded, k.Last, func(string) {}) // if it fails, the journal stays
		}
	}
	j.begun(then)
}

// begun ends the loading.
func (j *Journal) begun(then func()) {
	j.loading = false
	if last := time.UnixMilli(j.w.Count().Last.Time); time.Until(last) > ahead {
		j.Ahead = last.UTC().Format(time.DateOnly)
	}
	j.push()
	then()
}

// bringBack merges the second copy of a workspace of which something is gone or damaged, and writes what it brought
// back beside the rest.
func (j *Journal) bringBack(gone bool, grades, queries int, then func()) {
	name := j.name
	j.device().WorkspaceCopies(name, func(folds [][]byte, _ string) {
		if name != j.name || !j.loading {
			return
		}
		before := j.w.Count()
		back := 0
		for _, b := range folds {
			if w, err := workspace.Import("the second copy", b, workspace.Limits{}); err == nil {
				back += j.absorb(w)
			}
		}
		now := j.w.Count()
		if gone {
			were := "were saved here and are gone."
			if grades+queries == 1 {
				were = "was saved here and is gone."
			}
			j.Gone = counted(grades, queries) + " " + were
		}
		if back > 0 {
			j.Gone = strings.TrimSpace(j.Gone + " A second copy on this device brought back " +
				lower(counted(now.Grades-before.Grades, now.Queries-before.Queries)) + ".")
			j.settle()
		} else if gone {
			j.Gone += " The disk was full, or the browser deleted them. Open a saved workspace to bring them back."
		}
		j.begun(then)
	})
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// absorb applies the edits of another workspace of the same documents, and returns how many changed something.
func (j *Journal) absorb(w *workspace.Workspace) (changed int) {
	for _, e := range j.w.Lacks(w) {
		if was, err := j.apply(e); err == nil && was {
			changed++
		}
	}
	if changed > 0 {
		j.dirty = true
	}
	return changed
}

// heard takes what another tab has written, or that it has erased the workspace.
func (j *Journal) heard(name string, records []byte) {
	if len(records) == 0 {
		if name == j.name {
			j.begin(name)
			j.app.Adopted(nil)
			j.app.View.Draw()
		}
		return
	}
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
		if _, err := j.apply(e); err == nil && e.Kind != workspace.SetClick && e.Kind != workspace.RemoveClick {
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

// apply applies an edit, and remembers it for the worker.
func (j *Journal) apply(e workspace.Edit) (changed bool, err error) {
	changed, err = j.w.Apply(e)
	if err == nil && j.given && e.Kind != workspace.SetClick && e.Kind != workspace.RemoveClick {
		j.records = workspace.AppendRecord(j.records, &e)
	}
	return changed, err
}

// mostRecords is how many bytes of edits the worker is given at most before it is given the whole workspace again.
const mostRecords = 1 << 20

// push gives the worker the edits that it lacks, or the whole workspace if it has none.
func (j *Journal) push() {
	if !j.CanMeasure() && len(j.w.Queries()) == 0 && j.w.Collection().State == workspace.Counts && !j.dirty {
		j.app.Adopted(nil)
		return
	}
	ask := &message.AskAdopt{Collection: j.name}
	if j.given && len(j.records) < mostRecords {
		ask.From, ask.Records = j.sent, slices.Clone(j.records)
	} else {
		b, err := j.w.Export()
		if err != nil {
			j.Lost = say.Sentence(err)
			j.app.Adopted(nil)
			return
		}
		ask.Zip, j.given, j.sent, j.records = b, true, 0, nil
		j.stream++
	}
	ask.Stream, j.dirty = j.stream, false
	j.app.Engine.Request(message.Adopt, ask)
}

// pushWhole gives the worker everything, since it may have been started again.
func (j *Journal) pushWhole() {
	j.given = false
	j.push()
}

// taken forgets the edits that the worker has taken.
func (j *Journal) taken(x *message.Adopted) {
	if n := x.Taken - j.sent; x.Stream == j.stream && n > 0 && n <= len(j.records) {
		j.records, j.sent = j.records[n:], x.Taken
	}
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
			if _, err := j.apply(e); err != nil {
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
// While something is not saved, the edits are applied at once and all that the device lacks is written together.
func (j *Journal) put(records []byte, then func()) {
	d := j.device()
	if d == nil {
		then()
		return
	}
	name := j.name
	j.app.Browser.Remember(state.OwnKey(name), "1")
	if j.Unsaved != "" {
		then()
		j.settle()
		return
	}
	over := false
	done := func() {
		if !over {
			over = true
			then()
		}
	}
	stop := j.app.Browser.After(patience, func() {
		if !over && name == j.name {
			done()
			j.unsaved("the device has not answered for " + strconv.Itoa(patience/1000) + " seconds")
		}
	})
	d.AppendEdits(name, records, func(problem string) {
		stop()
		if name != j.name {
			return
		}
		late := over
		done()
		switch {
		case problem != "":
			j.unsaved(problem)
		case late || j.Unsaved != "": // one before it failed
			j.settle()
		default:
			j.saved()
		}
		j.app.View.Draw()
	})
}

// saved is called once all edits are on the device: it remembers their count in another place, and has the second copy
// follow.
func (j *Journal) saved() {
	j.Unsaved = ""
	key, now := state.LedgerKey(j.name), j.w.Count()
	if readLedger(j.app.Browser.Recall(key)).Last.Compare(now.Last) <= 0 { // another tab may know more
		j.app.Browser.Remember(key, ledger(now))
	}
	switch {
	case j.stopCopy == nil:
		j.behind = time.Now()
	case time.Since(j.behind) > copyLatest:
		return
	default:
		j.stopCopy()
	}
	name := j.name
	j.stopCopy = j.app.Browser.After(copyPace, func() {
		if name != j.name {
			return
		}
		j.stopCopy = nil
		if b, err := j.w.ExportWithClicks(); err == nil {
			j.device().CopyWorkspace(name, b, func(string) {}) // if it fails, the copy before stays
		}
	})
}

// unsaved says why edits are not on the device, and tries again later.
func (j *Journal) unsaved(why string) {
	if j.Unsaved == "" && j.app.Settings.Screen != ID { // Judge has a warning of its own
		j.app.Notices.Problem = &message.Problem{What: "Your last grades were not saved: " + why + ".",
			Where: "the storage of this browser",
			Do: "They are safe while this tab is open. Free some space: Rankbox goes on trying. Judge says when it " +
				"is done."}
	}
	j.Unsaved = why
	name := j.name
	if j.stopRetry != nil {
		j.stopRetry()
	}
	j.stopRetry = j.app.Browser.After(again, func() {
		if name == j.name && j.Unsaved != "" {
			j.settle()
		}
	})
	j.app.View.Draw()
}

// settle brings the device to hold every edit that is known, whatever has become of what it had: it reads what is
// there, appends what that lacks, reads again, and makes a second copy. Only then the edits count as saved.
func (j *Journal) settle() {
	if j.settling || j.w.ReadOnly != "" {
		return
	}
	j.settling = true
	name := j.name
	j.stopWait = j.app.Browser.After(settlePatience, func() {
		if name == j.name && j.settling {
			j.settled("the device has not answered for " + strconv.Itoa(settlePatience/1000) + " seconds")
		}
	})
	if j.Unsaved == "" {
		j.Unsaved = "it is being written"
	}
	j.compare(func(lacks []workspace.Edit) {
		var records []byte
		for i := range lacks {
			records = workspace.AppendRecord(records, &lacks[i])
		}
		if len(records) == 0 {
			j.settled("")
			return
		}
		j.device().AppendEdits(name, records, func(problem string) {
			if name != j.name {
				return
			}
			if problem != "" {
				j.settled(problem)
				return
			}
			j.compare(func(lacks []workspace.Edit) {
				if len(lacks) > 0 {
					problem = say.Count(len(lacks), "edit was", "edits were") + " not there when it was read again"
				}
				j.settled(problem)
			})
		})
	})
}

// compare takes what the device has, and calls then with what it lacks.
func (j *Journal) compare(then func(lacks []workspace.Edit)) {
	name := j.name
	j.device().LoadWorkspace(name, func(k Kept, problem string) {
		switch {
		case name != j.name:
		case problem != "":
			j.settled(problem)
		default:
			if k.Tab != "" {
				j.tab = k.Tab
			}
			there, _ := read(name, workspace.New(j.w.Documents), k)
			j.absorb(there)
			then(there.Lacks(j.w))
		}
	})
}

// settled ends it. What a device answers later than it was waited for is compared again.
func (j *Journal) settled(problem string) {
	j.stopWait()
	b, err := j.w.ExportWithClicks()
	if err != nil {
		problem = say.Sentence(err)
	}
	if problem != "" {
		j.settling = false
		j.unsaved(problem)
		return
	}
	name := j.name
	j.device().CopyWorkspace(name, b, func(problem string) {
		switch {
		case name != j.name:
		case problem != "":
			j.settling = false
			j.unsaved(problem)
		default:
			j.settling = false
			j.saved()
			j.app.View.Draw()
		}
	})
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
		if _, err := j.apply(e); err != nil {
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
