package upload

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/documents"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// other stands for the Judge screen.
type other struct {
	said    []string
	damaged bool
}

func (o *other) ID() share.Screen       { return "judge" }
func (o *other) Take(string, []byte)    {}
func (o *other) Pack(string)            {}
func (o *other) Rename(id, name string) { o.said = append(o.said, "rename "+id+" "+name) }
func (o *other) CopyTo(from, to string) { o.said = append(o.said, "copy "+from+" "+to) }
func (o *other) Zip(of string, done func(zip []byte, problem string)) {
	if o.damaged {
		done(nil, "it is damaged")
		return
	}
	done([]byte("zip of "+of), "")
}

// page is the screen on an open page.
func page(t *testing.T, r *statetest.Recorder, more ...state.Part) (*Upload, *state.App) {
	t.Helper()
	var u *Upload
	a := state.New(r, func(string) string { return "/" }, "/upload", append(more, state.Part{Name: "upload",
		Make: func(a *state.App) state.Screen {
			u = New(a)
			return u
		}})...)
	a.Begin("/upload", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}}})
	return u, a
}

func table() message.Table {
	return message.Table{Files: []message.File{{ID: 1, Name: "shop/odd.csv"}},
		Columns: []message.Column{{Name: "ref"}, {Name: "name"}, {Name: "blurb"}, {Name: "care"}},
		Used:    []message.Used{{Column: "blurb", For: "text"}, {Column: "name", For: "title"}},
		Rows:    make([]message.PreviewRow, 2), Read: 2, About: 2}
}

func seen(t *testing.T, a *state.App, r *statetest.Recorder, x message.Table) {
	t.Helper()
	a.Receive(message.Reply{ID: r.Last(t, message.Preview).ID, Kind: message.Preview,
		Answer: &message.Previewed{Tables: []message.Table{x}, Documents: 2, Exact: true}})
}

func said(list []message.Used) (out string) {
	for _, u := range list {
		out += u.Column + "=" + u.For + " "
	}
	return out
}

func TestNothingIsIndexedBeforeTheColumnsWereSeen(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	asked := func(k message.Kind) (n int) {
		for _, m := range r.Sent {
			if m.Kind == k {
				n++
			}
		}
		return n
	}
	a.AddFiles([]message.File{{ID: 1, Name: "shop/odd.csv", Size: 9}})
	seen(t, a, r, table())
	if asked(message.Upload) != 0 || u.Draft == nil || u.Busy() || u.Progress != nil ||
		u.Draft.Use(&u.Draft.Seen.Tables[0], "name") != documents.ForTitle {
		t.Fatalf("%+v", u.Draft)
	}
	u.Choose(0, 3, documents.ForText)
	u.Choose(0, 0, documents.ForID)
	ask := r.Last(t, message.Preview).Question.(*message.AskPreview)
	if got := said(ask.Mappings[0].Used); got != "blurb=text care=text ref=id name=title " ||
		ask.Mappings[0].File != 1 {
		t.Errorf("%s", got)
	}
	x := table()
	x.Used = ask.Mappings[0].Used
	seen(t, a, r, x)
	u.Turn(5)
	if u.Draft.Row != 1 {
		t.Errorf("row %d", u.Draft.Row)
	}
	u.SaveMapping(0)
	if !slices.Equal(r.Saved, []string{"odd.map.json"}) {
		t.Errorf("%q", r.Saved)
	}
	// What does not fit is not indexed.
	x.Problem = "p"
	u.Choose(0, 0, documents.ForID)
	seen(t, a, r, x)
	if u.Index(); u.Busy() || u.Misfit() != "p" {
		t.Error("files are indexed by a mapping that does not fit")
	}
	x.Problem = ""
	u.Choose(0, 0, documents.ForID)
	seen(t, a, r, x)
	u.Index()
	if got := r.Last(t, message.Upload).Question.(*message.AskUpload); !u.Busy() ||
		said(got.Mappings[0].Used) != said(x.Used) {
		t.Errorf("%+v", got)
	}
	// Queries alone are no collection.
	none := &Upload{Draft: &Draft{Seen: &message.Previewed{Exact: true}}}
	if !strings.Contains(none.Misfit(), "no documents") {
		t.Errorf("%q", none.Misfit())
	}
	// A problem leads back to the columns, and a collection on.
	a.Receive(message.Reply{ID: r.Last(t, message.Upload).ID, Kind: message.Upload,
		Problem: &message.Problem{What: "line 9"}})
	if u.Busy() || u.Draft == nil {
		t.Fatal("the draft is lost")
	}
	u.Index()
	a.Receive(message.Reply{ID: r.Last(t, message.Upload).ID, Kind: message.Upload, Answer: &message.Uploaded{ID: id}})
	if u.Draft != nil || u.Made == nil {
		t.Error("the draft is still open")
	}
}

func TestColumnsThatWereChosenAreProposedAgain(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	seen(t, a, r, table())
	u.Choose(0, 1, documents.LeaveOut)

	again := &statetest.Recorder{Kept: r.Kept} // the page was loaded again
	u, a = page(t, again)
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	seen(t, a, again, table())
	ask := again.Last(t, message.Preview).Question.(*message.AskPreview)
	if got := said(ask.Mappings[0].Used); got != "blurb=text " {
		t.Errorf("%s", got)
	}
	u.AsRecognised(0)
	if got := again.Last(t, message.Preview).Question.(*message.AskPreview).Mappings; len(got) != 0 ||
		u.Draft.Chosen(&u.Draft.Seen.Tables[0]) {
		t.Errorf("%+v", got)
	}
	seen(t, a, again, table())
	if len(u.Draft.chosen) != 0 {
		t.Error("what was forgotten is proposed")
	}
}

// Files that come while columns are open belong to them: queries, judgments, a mapping.
func TestFilesAreAddedToTheDraft(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}, {ID: 2, Name: "queries.csv"}})
	seen(t, a, r, table())
	a.AddFiles([]message.File{{ID: 3, Name: "queries.csv"}, {ID: 4, Name: "m.json"}})
	var ids []int
	for _, f := range r.Last(t, message.Preview).Question.(*message.AskPreview).Files {
		ids = append(ids, f.ID)
	}
	if !slices.Equal(ids, []int{1, 3, 4}) {
		t.Errorf("%v", ids)
	}
	x := table()
	x.From = "m.json"
	seen(t, a, r, x)
	if u.Index(); said(r.Last(t, message.Upload).Question.(*message.AskUpload).Mappings[0].Used) != said(x.Used) {
		t.Error("the mapping that was dropped is not the one that is indexed by")
	}
}

func TestRecognisedColumnsOfATestCollectionAreItsOwn(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	a.AddFiles([]message.File{{ID: 1, Name: "corpus.jsonl"}})
	x := table()
	x.Native = true
	seen(t, a, r, x)
	if u.Index(); len(r.Last(t, message.Upload).Question.(*message.AskUpload).Mappings) != 0 {
		t.Error("a format of test collections is read as a table")
	}
	x.Native = false
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	seen(t, a, r, x)
	if u.Index(); len(r.Last(t, message.Upload).Question.(*message.AskUpload).Mappings[0].Used) != 0 {
		t.Error("recognised columns are held to be chosen")
	}
}

func TestADraftSurvivesAWorker(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	a.Died("killed")
	if a.Died("killed"); u.Draft != nil || a.Notices.Problem == nil || a.Notices.Problem.Where != "odd.csv" {
		t.Errorf("files that end two workers: %+v, %+v", u.Draft, a.Notices.Problem)
	}
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	seen(t, a, r, table())
	u.Choose(0, 0, documents.ForID)
	a.Died("killed")
	if got := r.Last(t, message.Preview).Question.(*message.AskPreview); len(got.Mappings) != 1 || u.Draft == nil {
		t.Errorf("%+v", got)
	}
}

func TestACollectionIsRenamedAndDuplicated(t *testing.T) {
	r := &statetest.Recorder{}
	j := &other{}
	u, a := page(t, r, state.Part{Name: "judge", Make: func(*state.App) state.Screen { return j }})
	list := func(names ...string) {
		s := &message.Shelf{}
		for _, n := range names {
			s.List = append(s.List, message.Uploaded{ID: "upload-" + strings.ToLower(n[:1]), Name: n})
		}
		a.Receive(message.Reply{ID: r.Last(t, message.Uploads).ID, Kind: message.Uploads, Answer: s})
	}
	list("Goods")
	a.Engine.Opened.Ref.ID, a.Engine.Opened.Ref.Name = "upload-g", "Goods"
	u.Rename("upload-g")
	if r.Focused != "new-name" || u.Renaming != "upload-g" {
		t.Errorf("%q has the focus", r.Focused)
	}
	u.Call("  Good   shop ")
	if q := r.Last(t, message.Uploads).Question.(*message.AskUploads); q.Rename != "upload-g" || q.Name != "Good shop" {
		t.Fatalf("%+v", q)
	}
	list("Good shop")
	if a.Engine.Opened.Ref.Name != "Good shop" || !slices.Equal(j.said, []string{"rename upload-g Good shop"}) {
		t.Errorf("the header says %q, the workspace %q", a.Engine.Opened.Ref.Name, j.said)
	}
	list("Good shop")
	u.Rename("upload-g")
	before := len(r.Sent)
	if u.Call(""); len(r.Sent) != before || len(j.said) != 1 {
		t.Error("an empty name is asked for")
	}
	u.Duplicate("upload-g")
	q := r.Last(t, message.Duplicate)
	if got := q.Question.(*message.AskDuplicate); got.ID != "upload-g" || got.Name != "Good shop (copy)" ||
		u.Progress == nil {
		t.Fatalf("%+v", got)
	}
	a.Receive(message.Reply{ID: q.ID, Kind: message.Duplicate, Answer: &message.Uploaded{ID: "upload-g-1",
		Name: "Good shop (copy)"}})
	if !slices.Contains(j.said, "copy upload-g upload-g-1") || u.Progress != nil {
		t.Errorf("%q", j.said)
	}
	list("Good shop", "Good shop (copy)")
	u.Duplicate("upload-g")
	if got := r.Last(t, message.Duplicate).Question.(*message.AskDuplicate); got.Name != "Good shop (copy 2)" {
		t.Errorf("%+v", got)
	}
	u.Renamed("upload-g", "By another tab")
	if a.Engine.Opened.Ref.Name != "By another tab" || u.called("upload-g") != "By another tab" {
		t.Error("another tab's name is not shown")
	}
}
