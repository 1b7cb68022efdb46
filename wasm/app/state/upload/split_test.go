package upload

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// Every chunking is offered once, with its own defaults.
func TestEveryChunkingIsOffered(t *testing.T) {
	var offered []string
	for _, w := range Ways {
		s := splitting{Way: w}
		name := s.Chunking()
		if name == "" {
			name = w.Name
		}
		offered = append(offered, name)
	}
	want := chunk.Usages()
	slices.Sort(offered)
	slices.Sort(want)
	if !slices.Equal(offered, want) {
		t.Errorf("%q, want %q", offered, want)
	}
}

// answered answers the last preview with a document.
func answered(t *testing.T, a *state.App, r *statetest.Recorder, x message.Sample) message.AskPreview {
	t.Helper()
	q := r.Last(t, message.Preview)
	a.Receive(message.Reply{ID: q.ID, Kind: message.Preview, Answer: &message.Previewed{Documents: 3, Exact: true,
		Sample: x}})
	return *q.Question.(*message.AskPreview)
}

func TestMarkdownIsShownAndSplitBeforeItIsIndexed(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	a.AddFiles([]message.File{{ID: 1, Name: "n/a.md", Size: 9}})
	if q := answered(t, a, r, message.Sample{Of: 3}); q.Chunking != "" || u.Making.Busy() || u.Import.Draft == nil {
		t.Fatalf("%+v, busy %v", q, u.Making.Busy())
	}
	u.Import.SplitBy("sentences")
	if q := answered(t, a, r, message.Sample{Of: 3, Problem: "no"}); q.Chunking != "sentences(n=3,overlap=1)" {
		t.Errorf("%+v", q)
	}
	if u.Import.Index(); u.Making.Busy() {
		t.Error("documents are split in a way that is refused")
	}
	u.Import.Window(5, 2)
	u.Import.Window(0, 2)
	u.Import.TakeFrom(message.Pages{FileTitle: true})
	u.Import.TurnDocument(1)
	if q := answered(t, a, r, message.Sample{At: 1, Of: 3}); q.Chunking != "sentences(n=5,overlap=2)" ||
		q.Document != 1 ||
		!q.Pages.FileTitle {
		t.Errorf("%+v", q)
	}
	u.Import.TurnDocument(5)
	if q := answered(t, a, r, message.Sample{At: 2, Of: 3}); q.Document != 2 {
		t.Errorf("%+v", q)
	}
	u.Import.Index()
	q := r.Last(t, message.Upload).Question.(*message.AskUpload)
	if q.Chunking != "sentences(n=5,overlap=2)" || len(q.Files) != 1 || !q.Pages.FileTitle || q.From != "" {
		t.Errorf("%+v", q)
	}
}

// A kept collection is split again with its workspace, and not without it.
func TestAKeptCollectionIsSplitAgain(t *testing.T) {
	r := &statetest.Recorder{}
	o := &other{}
	u, a := page(t, r, state.Part{Name: "judge", Make: func(*state.App) state.Screen { return o }})
	a.Receive(message.Reply{ID: r.Last(t, message.Uploads).ID, Kind: message.Uploads, Answer: &message.Shelf{
		List: []message.Uploaded{{ID: "upload-1", Name: "notes", Splits: true}}}})
	u.Import.SplitAgain("upload-1")
	if q := answered(t, a, r, message.Sample{Of: 3}); q.From != "upload-1" || len(q.Files) > 0 {
		t.Fatalf("%+v", q)
	}
	u.Import.SplitBy("headings")
	answered(t, a, r, message.Sample{Of: 3})
	o.damaged = true
	if u.Import.Index(); u.Making.Busy() || a.Notices.Problem == nil ||
		!strings.Contains(a.Notices.Problem.What, "it is damaged") {
		t.Errorf("busy %v, %+v", u.Making.Busy(), a.Notices.Problem)
	}
	o.damaged = false
	u.Import.Index()
	q := r.Last(t, message.Upload)
	if x := q.Question.(*message.AskUpload); x.From != "upload-1" || x.Chunking != "headings" ||
		string(x.Zip) != "zip of upload-1" || !u.Making.Busy() {
		t.Errorf("%+v", x)
	}
	a.Receive(message.Reply{ID: q.ID, Kind: message.Upload, Answer: &message.Uploaded{ID: "upload-2",
		Name: "notes by headings"}})
	if u.Import.Draft != nil || u.Making.Made.ID != "upload-2" {
		t.Errorf("%+v", u.Making.Made)
	}
	u.Import.SplitAgain("upload-1") // files that are dropped meanwhile are a draft of their own
	a.AddFiles([]message.File{{ID: 1, Name: "a.md", Size: 9}})
	if q := answered(t, a, r, message.Sample{Of: 1}); q.From != "" || len(q.Files) != 1 || u.Import.Draft.From != "" {
		t.Errorf("%+v", q)
	}
}
