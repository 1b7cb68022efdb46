package upload

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents"
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
func (o *other) BringOver(from *message.EarlierOne, to string) {
	o.said = append(o.said, "bring "+from.ID+" "+to)
}
func (o *other) Erase(of string) { o.said = append(o.said, "erase "+of) }
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
	if asked(message.Upload) != 0 || u.Import.Draft == nil || u.Making.Busy() || u.Making.Progress != nil ||
		u.Import.Draft.Use(&u.Import.Draft.Seen.Tables[0], "name") != documents.ForTitle {
		t.Fatalf("%+v", u.Import.Draft)
	}
	u.Import.Choose(0, 3, documents.ForText)
	u.Import.Choose(0, 0, documents.ForID)
	ask := r.Last(t, message.Preview).Question.(*message.AskPreview)
	if got := said(ask.Mappings[0].Used); got != "blurb=text care=text ref=id name=title " ||
		ask.Mappings[0].File != 1 {
		t.Errorf("%s", got)
	}
	x := table()
	x.Used = ask.Mappings[0].Used
	seen(t, a, r, x)
	u.Import.Turn(5)
	if u.Import.Draft.Row != 1 {
		t.Errorf("row %d", u.Import.Draft.Row)
	}
	u.Import.SaveMapping(0)
	if !slices.Equal(r.Saved, []string{"odd.map.json"}) {
		t.Errorf("%q", r.Saved)
	}
	// What does not fit is not indexed.
	x.Problem = "p"
	u.Import.Choose(0, 0, documents.ForID)
	seen(t, a, r, x)
	if u.Import.Index(); u.Making.Busy() || u.Import.Draft.Misfit() != "p" {
		t.Error("files are indexed by a mapping that does not fit")
	}
	x.Problem = ""
	u.Import.Choose(0, 0, documents.ForID)
	seen(t, a, r, x)
	u.Import.Index()
	if got := r.Last(t, message.Upload).Question.(*message.AskUpload); !u.Making.Busy() ||
		said(got.Mappings[0].Used) != said(x.Used) {
		t.Errorf("%+v", got)
	}
	// Queries alone are no collection.
	none := &Draft{Seen: &message.Previewed{Exact: true}}
	if !strings.Contains(none.Misfit(), "no documents") {
		t.Errorf("%q", none.Misfit())
	}
	// A problem leads back to the columns, and a collection on.
	a.Receive(message.Reply{ID: r.Last(t, message.Upload).ID, Kind: message.Upload,
		Problem: &message.Problem{What: "line 9"}})
	if u.Making.Busy() || u.Import.Draft == nil {
		t.Fatal("the draft is lost")
	}
	u.Import.Index()
	a.Receive(message.Reply{ID: r.Last(t, message.Upload).ID, Kind: message.Upload, Answer: &message.Uploaded{ID: id}})
	if u.Import.Draft != nil || u.Making.Made == nil {
		t.Error("the draft is still open")
	}
}

func TestColumnsThatWereChosenAreProposedAgain(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	seen(t, a, r, table())
	u.Import.Choose(0, 1, documents.LeaveOut)

	again := &statetest.Recorder{Kept: r.Kept} // the page was loaded again
	u, a = page(t, again)
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	seen(t, a, again, table())
	ask := again.Last(t, message.Preview).Question.(*message.AskPreview)
	if got := said(ask.Mappings[0].Used); got != "blurb=text " {
		t.Errorf("%s", got)
	}
	u.Import.AsRecognised(0)
	if got := again.Last(t, message.Preview).Question.(*message.AskPreview).Mappings; len(got) != 0 ||
		u.Import.Draft.Chosen(&u.Import.Draft.Seen.Tables[0]) {
		t.Errorf("%+v", got)
	}
	seen(t, a, again, table())
	if len(u.Import.Draft.chosen) != 0 {
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
	u.Import.Index()
	if got := r.Last(t, message.Upload).Question.(*message.AskUpload); said(got.Mappings[0].Used) != said(x.Used) {
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
	if u.Import.Index(); len(r.Last(t, message.Upload).Question.(*message.AskUpload).Mappings) != 0 {
		t.Error("a format of test collections is read as a table")
	}
	x.Native = false
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	seen(t, a, r, x)
	if u.Import.Index(); len(r.Last(t, message.Upload).Question.(*message.AskUpload).Mappings[0].Used) != 0 {
		t.Error("recognised columns are held to be chosen")
	}
}

func TestADraftSurvivesAWorker(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	a.Died("killed")
	if a.Died("killed"); u.Import.Draft != nil || a.Notices.Problem == nil || a.Notices.Problem.Where != "odd.csv" {
		t.Errorf("files that end two workers: %+v, %+v", u.Import.Draft, a.Notices.Problem)
	}
	a.AddFiles([]message.File{{ID: 1, Name: "odd.csv"}})
	seen(t, a, r, table())
	u.Import.Choose(0, 0, documents.ForID)
	a.Died("killed")
	if got := r.Last(t, message.Preview).Question.(*message.AskPreview); len(got.Mappings) != 1 ||
		u.Import.Draft == nil {
		t.Errorf("%+v", got)
	}
}
