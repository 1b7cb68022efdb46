package judge

import (
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// disk is what tabs share.
type disk struct {
	folds    map[string][]byte
	folded   map[string]int
	journals map[string][]byte
	copies   map[string][]byte
	kept     map[string]string // short texts
	tabs     []*browser
}

// browser is a tab on a disk. Writes wait until they are let through.
type browser struct {
	statetest.Recorder
	*disk
	tab     string
	problem string // of every write
	slow    bool
	deaf    bool // it takes writes, and does not have them when it is read
	waiting []func()
	heard   func(string, []byte)
}

func (b *browser) LoadWorkspace(name string, done func(Kept, string)) {
	if b.slow {
		b.slow = false
		b.waiting = append(b.waiting, func() { b.LoadWorkspace(name, done) })
		return
	}
	done(Kept{Tab: b.tab, Fold: b.folds[name], Folded: b.folded[name], Journal: b.journals[name]}, "")
}

func (b *browser) CopyWorkspace(name string, fold []byte, done func(string)) {
	if b.problem == "" {
		b.copies[name] = fold
	}
	done(b.problem)
}

func (b *browser) WorkspaceCopies(name string, done func([][]byte, string)) {
	if c := b.copies[name]; c != nil {
		done([][]byte{c}, "")
		return
	}
	done(nil, "")
}

func (b *browser) EraseWorkspace(name string, done func(string)) {
	delete(b.folds, name)
	delete(b.folded, name)
	delete(b.journals, name)
	delete(b.copies, name)
	done(b.problem)
	for _, o := range b.tabs {
		if o != b && o.heard != nil {
			o.heard(name, nil)
		}
	}
}

func (b *browser) AppendEdits(name string, records []byte, done func(string)) {
	records = append([]byte(nil), records...)
	write := func() {
		if b.problem != "" {
			done(b.problem)
			return
		}
		if !b.deaf {
			b.journals[name] = append(b.journals[name], records...)
		}
		done("")
		for _, o := range b.tabs {
			if o != b && o.heard != nil {
				o.heard(name, records)
			}
		}
	}
	if b.slow {
		b.waiting = append(b.waiting, write)
		return
	}
	write()
}

func (b *browser) FoldWorkspace(name string, fold []byte, folded, _ int, done func(string)) {
	if b.folded[name] == folded {
		b.folds[name], b.journals[name] = fold, nil
		b.folded[name]++
	}
	done("")
}

func (b *browser) FollowWorkspaces(heard func(string, []byte)) { b.heard = heard }

func newDisk() *disk {
	return &disk{folds: map[string][]byte{}, folded: map[string]int{}, journals: map[string][]byte{},
		copies: map[string][]byte{}, kept: map[string]string{}}
}

func (d *disk) open(t *testing.T, tab string) (*Judge, *browser) {
	t.Helper()
	j, b := d.opening(t, tab)
	j.App.Receive(message.Reply{ID: b.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	return j, b
}

// opening is a tab that waits for its collection.
func (d *disk) opening(t *testing.T, tab string) (*Judge, *browser) {
	t.Helper()
	b := &browser{disk: d, tab: tab}
	b.Kept = d.kept
	d.tabs = append(d.tabs, b)
	var j *Judge
	a := state.New(b, func(string) string {
		return "/"
	}, "/judge", state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "judge", Make: func(a *state.App) state.Screen {
			j = New(a)
			return j
		}})
	a.Begin("/judge", "")
	return j, b
}

func grades(j *Judge) string {
	b, _ := j.Layers.Qrels(mine)
	return strings.ReplaceAll(strings.TrimSpace(string(b)), "\n", "; ")
}

func TestTheNextDocumentShowsOnceTheGradeIsOnTheDevice(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	b.slow = true
	j.Grading.Give(2)
	if j.App.Settings.Focus.Document != "a" || len(d.journals[j.Journal.name]) > 0 {
		t.Fatalf("open is %q before the grade was written", j.App.Settings.Focus.Document)
	}
	j.Grading.Give(3) // pressed too early: b was not seen
	b.waiting[0]()
	if j.App.Settings.Focus.Document != "b" || len(b.waiting) != 1 || grades(j) != "q1 0 a 2" {
		t.Fatalf("open is %q, %d writes, %s", j.App.Settings.Focus.Document, len(b.waiting), grades(j))
	}
	again, _ := d.open(t, "c") // the tab was killed
	if grades(again) != "q1 0 a 2" {
		t.Errorf("after a reload: %q", grades(again))
	}
}

func TestUndoIsWrittenTooAndGoingBackInTheHistoryTakesNothingBack(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	j.Grading.Give(2)
	j.Grading.Give(1)
	j.App.Undo()
	again, _ := d.open(t, "b")
	if grades(j) != "q1 0 a 2" || grades(again) != "q1 0 a 2" {
		t.Errorf("here %q, after a reload %q", grades(j), grades(again))
	}
	j.App.Redo()
	j.App.Moved("/judge", "", 0)
	again, _ = d.open(t, "c")
	if want := "q1 0 a 2; q1 0 b 1"; grades(j) != want || grades(again) != want {
		t.Errorf("after going back: here %q, after a reload %q", grades(j), grades(again))
	}
}

func TestTwoTabsSeeEachOthersGrades(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	k, c := d.open(t, "b")
	for _, x := range []struct {
		j *Judge
		b *browser
	}{{j, b}, {k, c}} {
		x.j.Queries.Step(1)
		found(t, x.j, &x.b.Recorder)
	}
	j.Grading.Give(2)
	k.Grading.Turn(1)
	k.Grading.Give(3)
	if want := "q1 0 a 2; q1 0 b 3"; grades(j) != want || grades(k) != want {
		t.Errorf("%q and %q", grades(j), grades(k))
	}
}

func TestAFullDeviceIsSaidAndNothingIsLostOnceThereIsRoom(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	b.problem = "the browser has no room left for this site"
	j.Grading.Give(2)
	j.Grading.Give(1)
	if j.Journal.Unsaved != b.problem || grades(j) != "q1 0 a 2; q1 0 b 1" {
		t.Fatalf("said %q, grades %q", j.Journal.Unsaved, grades(j))
	}
	b.problem = ""
	j.Grading.Give(0)
	again, _ := d.open(t, "b")
	if j.Journal.Unsaved != "" || grades(again) != "q1 0 a 2; q1 0 b 1; q1 0 c 0" {
		t.Errorf("said %q, after a reload %q", j.Journal.Unsaved, grades(again))
	}
}

func TestADeviceThatNeverAnswersDoesNotStopTheGrading(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	b.slow = true
	j.Grading.Give(2)
	b.Pass()
	if j.App.Settings.Focus.Document != "b" || !strings.Contains(j.Journal.Unsaved, "not answered for 3 seconds") {
		t.Errorf("open is %q, said %q", j.App.Settings.Focus.Document, j.Journal.Unsaved)
	}
	b.waiting[0]() // late
	b.waiting[1]() // read back
	if j.Journal.Unsaved != "" || grades(j) != "q1 0 a 2" || j.App.Settings.Focus.Document != "b" {
		t.Errorf("afterwards: %q, %q", j.Journal.Unsaved, grades(j))
	}
}

// Once the worker has the workspace, a grade reaches it as an edit of some 200 bytes. Edits that it has not confirmed
// are sent again. A worker that was restarted gets the whole workspace.
func TestAGradeTravelsAsAnEdit(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "k3f9")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	send := func(grade int) *message.AskAdopt {
		j.Grading.Give(grade)
		j.Journal.push()
		return b.Last(t, message.Adopt).Question.(*message.AskAdopt)
	}
	answer := func(x message.Adopted) {
		x.Opened = *opened
		j.App.Receive(message.Reply{ID: b.Last(t, message.Adopt).ID, Kind: message.Adopt, Answer: &x})
	}
	whole := send(1)
	first := send(2)
	if len(whole.Zip) == 0 || len(first.Zip) > 0 || first.From != 0 || len(first.Records) > 250 {
		t.Fatalf("%d bytes of workspace, then %d of edits from %d", len(whole.Zip), len(first.Records), first.From)
	}
	second := send(3)
	if second.From != 0 || len(second.Records) <= len(first.Records) {
		t.Error("the edit that is not confirmed was not sent again")
	}
	answer(message.Adopted{Stream: second.Stream, Taken: len(second.Records)})
	if third := send(1); third.From != len(second.Records) || len(third.Records) > 250 {
		t.Errorf("%d bytes from %d", len(third.Records), third.From)
	}
	answer(message.Adopted{Behind: true, Stream: second.Stream})
	if again := b.Last(t, message.Adopt).Question.(*message.AskAdopt); len(again.Zip) == 0 ||
		again.Stream == second.Stream {
		t.Error("a worker that lacks edits did not get the workspace")
	}
}

func TestAddedQueriesGoToTheWorkerAndTheFirstIsOpened(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "k3f9")
	if n := j.Queries.Add(" dock   strike \n\nPort strike\nfog\nFOG\n"); n != 2 { // the collection has "port strike"
		t.Errorf("%d added", n)
	}
	ask := b.Last(t, message.Adopt)
	w, err := workspace.Import("x", ask.Question.(*message.AskAdopt).Zip, workspace.Limits{})
	if err != nil || len(w.Queries()) != 2 || w.Queries()[0] != (workspace.Query{ID: "q1-k3f9", Text: "dock strike"}) {
		t.Fatalf("%+v, %v", w.Queries(), err)
	}
	now := *opened
	now.Queries = append(append([]report.Query(nil), opened.Queries...),
		report.Query{ID: "q1-k3f9", Text: "dock strike"}, report.Query{ID: "q2-k3f9", Text: "fog"})
	j.App.Receive(message.Reply{ID: ask.ID, Kind: message.Adopt,
		Answer: &message.Adopted{Opened: now, Own: []string{"q1-k3f9", "q2-k3f9"}}})
	if j.App.Settings.Spec.QueryID != "q1-k3f9" || j.App.Settings.Query() == nil ||
		b.Kept[state.OwnKey(j.Journal.name)] == "" {
		t.Errorf("open is %q", j.App.Settings.Spec.QueryID)
	}
	j.Queries.Remove()
	again, _ := d.open(t, "b")
	if q := again.Journal.w.Queries(); len(q) != 1 || q[0].Text != "fog" {
		t.Errorf("after a reload: %+v", q)
	}
}

func TestDamagedStorageIsSaidAndStays(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	j.Grading.Give(2)
	whole := d.journals[j.Journal.name]
	d.journals[j.Journal.name] = append(append([]byte(nil), whole...), "0123"...)
	d.folds[j.Journal.name] = []byte("PK not a zip")
	again, _ := d.open(t, "b")
	if lost := again.Journal.Lost; grades(again) != "q1 0 a 2" ||
		!strings.Contains(lost, "was not written to its end") ||
		!strings.Contains(lost, "what is saved of") {
		t.Errorf("%q, said %q", grades(again), again.Journal.Lost)
	}
	if string(d.folds[j.Journal.name]) != "PK not a zip" {
		t.Error("the damaged fold was replaced")
	}
}

func TestALongJournalIsFoldedWhenItIsRead(t *testing.T) {
	d := newDisk()
	j, _ := d.open(t, "a")
	for range foldFrom/100 + 1 {
		e := workspace.Edit{Stamp: j.Journal.w.Next(1, "z"), Kind: workspace.SetGrade, Layer: mine,
			Query: "q1", Document: "a", Grade: 1}
		d.journals[j.Journal.name] = workspace.AppendRecord(d.journals[j.Journal.name], &e)
	}
	again, _ := d.open(t, "b")
	if len(d.journals[j.Journal.name]) != 0 || len(d.folds[j.Journal.name]) == 0 || grades(again) != "q1 0 a 1" {
		t.Errorf("journal %d bytes, fold %d, %q", len(d.journals[j.Journal.name]), len(d.folds[j.Journal.name]),
			grades(again))
	}
	third, _ := d.open(t, "c")
	if grades(third) != "q1 0 a 1" {
		t.Errorf("of the fold: %q", grades(third))
	}
}

// A workspace that was saved on one device is merged into what another has, whichever came first; it stays there over
// a reload.
func TestAWorkspaceFromAFileIsMerged(t *testing.T) {
	here, b := newDisk().open(t, "a")
	here.Queries.Add("harbour pilot")
	here.ExportWorkspace()
	ask := b.Last(t, message.Pack).Question.(*message.AskPack)
	w, err := workspace.Import("", ask.Zip, workspace.Limits{})
	if err != nil || len(w.Queries()) != 1 || ask.Collection != here.App.Settings.Collection() {
		t.Fatalf("%v, %+v", err, ask)
	}
	there := newDisk()
	j, c := there.open(t, "b")
	j.Queries.Add("night ferry")
	j.Take(ask.Collection, w.Records())
	texts := func(j *Judge) (out []string) {
		for _, q := range j.Journal.w.Queries() {
			out = append(out, q.Text)
		}
		return out
	}
	if got := texts(j); len(got) != 2 {
		t.Errorf("%q", got)
	}
	again, _ := there.open(t, "c")
	if got := texts(again); len(got) != 2 {
		t.Errorf("after a reload: %q", got)
	}
	// of another collection than the open one it is read from the device
	j.Pack("upload-other")
	if got := c.Last(t, message.Pack).Question.(*message.AskPack); got.Collection != "upload-other" {
		t.Errorf("%+v", got)
	}
	c.problem = "the disk is full"
	j.Take(ask.Collection, w.Records())
	if j.App.Notices.Problem == nil || !strings.Contains(j.App.Notices.Problem.What, "the disk is full") {
		t.Errorf("%+v", j.App.Notices.Problem)
	}
}

// A file that can't hold everything says so.
func TestAFileOfADamagedWorkspaceSaysWhatItLacks(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	e := workspace.Edit{Stamp: j.Journal.w.Next(1, "z"), Kind: workspace.SetGrade, Layer: mine,
		Query: "q1", Document: "a", Grade: 1}
	d.journals["upload-half"] = append(workspace.AppendRecord(nil, &e), "0123"...)
	j.Pack("upload-half")
	if j.App.Notices.Problem == nil || !strings.Contains(j.App.Notices.Problem.What, "does not hold everything") {
		t.Errorf("%+v", j.App.Notices.Problem)
	}
	if got := b.Last(t, message.Pack).Question.(*message.AskPack); got.Collection != "upload-half" {
		t.Errorf("%+v", got)
	}
	j.App.Notices.Problem = nil
	d.journals["upload-none"] = []byte("0123")
	j.Pack("upload-none")
	if j.App.Notices.Problem == nil || !strings.Contains(j.App.Notices.Problem.What, "could not be saved") {
		t.Errorf("%+v", j.App.Notices.Problem)
	}
}

// A duplicate begins with the grades of the first collection and goes its own way; a name reaches the other tabs.
func TestADuplicateHasTheGradesAndANameReachesOtherTabs(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	j.Grading.Give(2)
	j.CopyTo(j.Journal.name, "upload-2")
	j.Grading.Give(3)
	read := func(name string) *workspace.Workspace {
		w := workspace.New(workspace.Documents{Collection: name})
		if lost := w.Replay(d.journals[name]); len(lost) > 0 {
			t.Fatal(lost[0])
		}
		return w
	}
	if n, of := read("upload-2").Layer(mine).Graded(), read(j.Journal.name).Layer(mine).Graded(); n != 1 || of != 2 {
		t.Errorf("%d grades in the duplicate, %d in the first", n, of)
	}
	j.CopyTo("upload-2", "upload-3") // one that is not open
	if read("upload-3").Layer(mine).Graded() != 1 {
		t.Error("the duplicate of a duplicate lacks the grade")
	}
	// The folder has changed: document a was renamed, another one changed, and one is gone.
	j.Grading.Give(1)
	j.BringOver(&message.EarlierOne{ID: j.Journal.name, From: []string{"a"}, To: []string{"new/a"},
		Changed: []string{"b"}, Gone: []string{"c"}}, "upload-5")
	l := read("upload-5").Layer(mine)
	if g, ok := l.Grade("q1", "new/a"); !ok || g != 2 || l.Graded() != 3 {
		t.Errorf("%+v", l.Judgments())
	}
	if want := "3 grades and 0 queries were brought over. 1 grade is of a document that has changed since. " +
		"1 grade is of a document that is gone: it counts again if the document is back."; j.App.Notices.Text != want {
		t.Errorf("%q", j.App.Notices.Text)
	}
	j.App.Undo()
	var heard []string
	d.tabs = append(d.tabs, &browser{disk: d, heard: func(name string, records []byte) {
		edits, _ := workspace.ReadJournal(records)
		for _, e := range edits {
			heard = append(heard, name+" "+string(e.Kind)+" "+e.Text)
		}
	}})
	j.Rename("upload-3", "Shop")
	j.Rename(j.Journal.name, "Wire 2")
	if strings.Join(heard, ", ") != "upload-3 name Shop, "+j.Journal.name+" name Wire 2" ||
		read(j.Journal.name).Name() != "Wire 2" || read(j.Journal.name).Layer(mine).Graded() != 2 {
		t.Errorf("%q, %q", heard, read(j.Journal.name).Name())
	}
	if b.problem = "full"; true {
		j.CopyTo(j.Journal.name, "upload-4")
	}
	if j.App.Notices.Problem == nil || !strings.Contains(j.App.Notices.Problem.What, "full") {
		t.Errorf("a duplicate that cannot be written: %+v", j.App.Notices.Problem)
	}
}

// A browser whose disk was full throws the torn database away and makes an empty one: the next write succeeds, and what
// was saved before is gone. Three grades, two that fail, the database is emptied, one more grade: all six are there.
func TestGradesSavedBeforeTheDiskWasFullAreWrittenAgain(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	j.Grading.Give(2)
	b.problem = "the disk is full"
	j.Grading.Give(1)
	clear(d.journals)
	b.problem = ""
	j.Grading.Give(0)
	again, _ := d.open(t, "b")
	if want := "q1 0 a 2; q1 0 b 1; q1 0 c 0"; j.Journal.Unsaved != "" || grades(again) != want {
		t.Errorf("said %q, after a reload %q, want %q", j.Journal.Unsaved, grades(again), want)
	}
	if again.Journal.Gone != "" {
		t.Errorf("said to be gone: %q", again.Journal.Gone)
	}
}

// Without another grade the page tries again by itself.
func TestWhatWasNotSavedIsTriedAgainByTheClock(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	b.problem = "the disk is full"
	j.Grading.Give(2)
	b.Pass()
	if j.Journal.Unsaved != b.problem {
		t.Errorf("said %q", j.Journal.Unsaved)
	}
	b.problem = ""
	b.Pass()
	again, _ := d.open(t, "b")
	if j.Journal.Unsaved != "" || grades(again) != "q1 0 a 2" {
		t.Errorf("said %q, after a reload %q", j.Journal.Unsaved, grades(again))
	}
}

func TestTheWarningStaysUntilTheEditsCanBeReadBack(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	b.problem = "the disk is full"
	j.Grading.Give(2)
	b.problem, b.deaf = "", true
	b.Pass()
	if want := "2 edits were not there when it was read again"; j.Journal.Unsaved != want {
		t.Errorf("said %q, want %q", j.Journal.Unsaved, want)
	}
}

func TestGradesThatAreGoneAreCountedAndTheSecondCopyBringsThemBack(t *testing.T) {
	for _, c := range []struct {
		copied bool
		said   string
		grades string
	}{
		{true, "2 grades were saved here and are gone. A second copy on this device brought back 2 grades.",
			"q1 0 a 2; q1 0 b 1"},
		{false, "2 grades were saved here and are gone. The disk was full, or the browser deleted them. " +
			"Open a saved workspace to bring them back.", ""},
	} {
		d := newDisk()
		j, b := d.open(t, "a")
		j.Queries.Step(1)
		found(t, j, &b.Recorder)
		j.Grading.Give(2)
		j.Grading.Give(1)
		if c.copied {
			b.Pass()
		}
		clear(d.journals)
		again, _ := d.open(t, "b")
		if again.Journal.Gone != c.said || grades(again) != c.grades {
			t.Errorf("said %q, grades %q", again.Journal.Gone, grades(again))
		}
		third, _ := d.open(t, "c")
		if c.copied && (third.Journal.Gone != "" || grades(third) != c.grades) {
			t.Errorf("after another reload: said %q, grades %q", third.Journal.Gone, grades(third))
		}
	}
}

func TestARecordThatIsMissingCostsNoOtherAndIsNamed(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	j.Grading.Give(2)
	first := len(d.journals[j.Journal.name])
	j.Grading.Give(1)
	j.Grading.Give(3)
	// as site/js/workspace.js writes a record that has no bytes or is gone
	log := d.journals[j.Journal.name]
	second := first + strings.IndexByte(string(log[first:]), '\n') + 1
	d.journals[j.Journal.name] = append(append(append([]byte{}, log[:first]...), "missing\n"...), log[second:]...)
	d.copies = map[string][]byte{}
	again, _ := d.open(t, "b")
	want := "1 saved edit is missing or damaged: record 3 of 4." // the first write has the layer's head too
	if again.Journal.Lost != want || grades(again) != "q1 0 a 2; q1 0 c 3" {
		t.Errorf("said %q, want %q; grades %q", again.Journal.Lost, want, grades(again))
	}
	b.Pass() // the second copy of the first tab has all three
	third, _ := d.open(t, "c")
	if grades(third) != "q1 0 a 2; q1 0 b 1; q1 0 c 3" ||
		third.Journal.Gone != "A second copy on this device brought back 1 grade." {
		t.Errorf("said %q, grades %q", third.Journal.Gone, grades(third))
	}
}

func TestErasingLeavesNothingAndReachesOtherTabs(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	k, _ := d.open(t, "b")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	j.Grading.Give(2)
	b.Pass()
	name := j.Journal.name
	if grades(k) == "" || len(d.copies[name]) == 0 || d.kept[state.LedgerKey(name)] == "" {
		t.Fatal("there is nothing to erase")
	}
	j.Erase(name)
	if len(d.journals[name])+len(d.folds[name])+len(d.copies[name]) > 0 ||
		d.kept[state.LedgerKey(name)]+d.kept[state.OwnKey(name)] != "" || grades(j)+grades(k) != "" {
		t.Errorf("left: %q %q %v", d.journals[name], d.kept, grades(k))
	}
	again, _ := d.open(t, "c")
	if grades(again) != "" || again.Journal.Gone != "" {
		t.Errorf("after a reload: %q, said %q", grades(again), again.Journal.Gone)
	}
}

func TestAClockSetAheadIsSaid(t *testing.T) {
	d := newDisk()
	j, _ := d.open(t, "a")
	at := time.Date(2039, 5, 1, 12, 0, 0, 0, time.UTC).UnixMilli()
	e := workspace.Edit{Stamp: workspace.Stamp{Time: at, Tab: "z", N: 1}, Kind: workspace.SetGrade, Layer: mine,
		Query: "q1", Document: "a", Grade: 1}
	d.journals[j.Journal.name] = workspace.AppendRecord(nil, &e)
	again, _ := d.open(t, "b")
	if j.Journal.Ahead != "" || again.Journal.Ahead != "2039-05-01" {
		t.Errorf("%q, then %q", j.Journal.Ahead, again.Journal.Ahead)
	}
}

// A file comes from a device whose clock said 2039, where document a got 3. Here it has 1, given today without knowing
// of that.
func TestAMergeAsksWhereAWrongClockWouldDecide(t *testing.T) {
	at := time.Date(2039, 5, 1, 12, 0, 0, 0, time.UTC).UnixMilli()
	for _, c := range []struct {
		theirs bool
		want   string
	}{{false, "q1 0 a 1; q1 0 b 2"}, {true, "q1 0 a 3; q1 0 b 2"}} {
		d := newDisk()
		j, b := d.open(t, "a")
		j.Queries.Step(1)
		found(t, j, &b.Recorder)
		j.Grading.Give(1)
		file := workspace.New(workspace.Documents{})
		for doc, grade := range map[string]int{"a": 3, "b": 2} {
			e := workspace.Edit{Kind: workspace.SetGrade, Layer: mine, Query: "q1", Document: doc, Grade: float64(grade),
				Stamp: file.Next(at, "far")}
			if _, err := file.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		j.Take(j.Journal.name, file.Records())
		if j.Clashing() != 1 || grades(j) != "q1 0 a 1; q1 0 b 2" {
			t.Fatalf("%d clashes, grades %q", j.Clashing(), grades(j))
		}
		j.Decide(c.theirs)
		j.Take(j.Journal.name, file.Records()) // the decision stands
		again, _ := d.open(t, "b")
		if j.Clashing() != 0 || grades(j) != c.want || grades(again) != c.want {
			t.Errorf("%d clashes, %q, after a reload %q, want %q", j.Clashing(), grades(j), grades(again), c.want)
		}
	}
}
