package upload

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

const id = "upload-0123456789abcdef"

// nothingToChoose answers that the files have no columns.
func nothingToChoose(t *testing.T, a *state.App, r *statetest.Recorder) {
	t.Helper()
	a.Receive(message.Reply{ID: r.Last(t, message.Preview).ID, Kind: message.Preview, Answer: &message.Previewed{}})
}

func TestFromFilesToACollectionThatIsSearchedAndDeleted(t *testing.T) {
	r := &statetest.Recorder{}
	var u *Upload
	a := state.New(r, func(string) string {
		return "/"
	}, "/upload", state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "upload", Make: func(a *state.App) state.Screen {
			u = New(a)
			return u
		}})
	a.Begin("/upload", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}}})
	list := r.Last(t, message.Uploads)
	a.Receive(message.Reply{ID: list.ID, Kind: message.Uploads, Answer: &message.Shelf{}})
	if u.Shelf.Kept == nil || u.Making.Busy() {
		t.Fatal("the list is not there")
	}
	a.AddFiles([]message.File{{ID: 1, Name: "a.md", Size: 9}})
	nothingToChoose(t, a, r)
	ask := r.Last(t, message.Upload)
	if q := ask.Question.(*message.AskUpload); len(q.Files) != 1 || !u.Making.Busy() || u.Making.Progress == nil {
		t.Fatalf("%+v", q)
	}
	a.Receive(message.Reply{ID: ask.ID, Kind: message.Upload, Progress: &message.Progress{What: "Encoding documents",
		Done: 1, Total: 3}})
	if u.Making.Progress.Done != 1 {
		t.Errorf("%+v", u.Making.Progress)
	}
	a.Receive(message.Reply{ID: ask.ID, Kind: message.Upload,
		Answer: &message.Uploaded{ID: id, Name: "a", Documents: 3}})
	if u.Making.Busy() || u.Making.Progress != nil || u.Making.Made.ID != id ||
		r.Last(t, message.Uploads).ID == list.ID {
		t.Errorf("made: %+v, busy %v", u.Making.Made, u.Making.Busy())
	}
	u.Shelf.Delete(id)
	if q := r.Last(t, message.Uploads).Question.(*message.AskUploads); q.Delete != "" || u.Shelf.Deleting != id {
		t.Errorf("deleted at the first press: %+v", q)
	}
	r.Remember(state.AskedKey(id), "a query")
	r.Remember(state.PlayKey, "its titles")
	u.Shelf.Delete(id)
	if r.Recall(state.AskedKey(id))+r.Recall(state.PlayKey) != "" {
		t.Error("its last query is still stored")
	}
	if q := r.Last(t, message.Uploads).Question.(*message.AskUploads); q.Delete != id || u.Shelf.Deleting != "" {
		t.Errorf("%+v", q)
	}
	if l := u.Link(id); !strings.HasPrefix(l, "/search#") || !strings.Contains(l, id) {
		t.Errorf("link %s", l)
	}
	u.Open(id)
	if a.Settings.Screen != "search" || r.Last(t, message.Open).Question.(*message.Place).Collection != id {
		t.Errorf("%+v", a.Settings.Address)
	}
}

// A million vectors of 384 numbers are 384 MB as int8 and 1.5 GB as float32: a device that takes 1 GiB a file takes the
// former, one that takes 300 MB neither, and says so before it asks the worker.
func TestMoreThanTheMemoryHoldsIsRefusedBeforeItIsRead(t *testing.T) {
	const million = 1_000_000 * 384
	tests := []struct {
		name  string
		limit int
		files []message.File
		said  string
	}{
		{"int8 on a desktop", 1 << 30, []message.File{{ID: 1, Name: "corpus.jsonl", Size: 600e6},
			{ID: 2, Name: "docs.i8.npy", Size: million}}, ""},
		{"float32 on a desktop", 1 << 30, []message.File{{ID: 1, Name: "docs.npy", Size: 4 * million}},
			"takes 1 GiB a file"},
		{"each fits, not both", 1 << 30, []message.File{{ID: 1, Name: "corpus.jsonl", Size: 1e9},
			{ID: 2, Name: "docs.i8.npy", Size: 900e6}}, "1.4 GB together"},
		{"int8 on a phone", 300e6, []message.File{{ID: 1, Name: "docs.i8.npy", Size: million}}, "takes 300 MB a file"},
		{"a device that says nothing", 0, []message.File{{ID: 1, Name: "docs.npy", Size: 4 * million}},
			"Nothing was read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &statetest.Recorder{}
			var u *Upload
			a := state.New(r, func(string) string {
				return "/"
			}, "/upload", state.Part{Name: "home"}, state.Part{Name: "upload", Make: func(a *state.App) state.Screen {
				u = New(a)
				return u
			}})
			a.Begin("/upload", "")
			a.Engine.Limit = tt.limit
			u.AddFiles(tt.files)
			said := ""
			if a.Notices.Problem != nil {
				said = a.Notices.Problem.What
			}
			if (u.Import.Draft != nil) == (tt.said != "") || !strings.Contains(said, tt.said) {
				t.Errorf("taken %v, said %q; want %q", u.Import.Draft != nil, said, tt.said)
			}
		})
	}
}

func TestWhatIsCancelledIsNoLongerWaitedFor(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	a.AddFiles([]message.File{{ID: 1, Name: "a.md"}})
	nothingToChoose(t, a, r)
	u.Cancel()
	if q := r.Last(t, message.Upload).Question.(*message.AskUpload); len(q.Files) != 0 || u.Making.Busy() {
		t.Errorf("%+v", q)
	}
	u.Hear(&message.Progress{Done: 5})
	if u.Making.Progress != nil {
		t.Error("what is given up still tells how far it is")
	}
}

// A collection that a worker was making when it ended is asked for again; one that ends two workers is named, and not
// tried a third time.
func TestACollectionIsMadeThoughAWorkerDies(t *testing.T) {
	r := &statetest.Recorder{}
	var u *Upload
	a := state.New(r, func(string) string {
		return "/"
	}, "/upload", state.Part{Name: "home"}, state.Part{Name: "upload", Make: func(a *state.App) state.Screen {
		u = New(a)
		return u
	}})
	a.Encoder.File = message.EncoderFile{URL: "/e.bin", Bytes: 100}
	a.Begin("/upload", "")
	a.AddFiles([]message.File{{ID: 1, Name: "a.csv", Size: 9}})
	nothingToChoose(t, a, r)
	before := len(r.Sent)
	a.Died("killed")
	var asked []message.Kind
	for _, m := range r.Sent[before:] {
		asked = append(asked, m.Kind)
	}
	want := []message.Kind{message.Open, message.Uploads, message.Gallery, message.Encode, message.Upload}
	if !slices.Equal(asked, want) || !u.Making.Busy() {
		t.Fatalf("asked %v, want %v; busy %v", asked, want, u.Making.Busy())
	}
	if q := r.Last(t, message.Upload).Question.(*message.AskUpload); len(q.Files) != 1 {
		t.Errorf("%+v", q)
	}
	a.Died("out of memory")
	if u.Making.Busy() || u.Making.Progress != nil || a.Notices.Problem == nil || a.Notices.Problem.Where != "a.csv" ||
		!strings.Contains(a.Notices.Problem.What, "out of memory") {
		t.Errorf("busy %v, %+v", u.Making.Busy(), a.Notices.Problem)
	}
	if r.Restarts != 2 || a.Engine.Phase == state.Failed {
		t.Errorf("%d restarts, phase %v", r.Restarts, a.Engine.Phase)
	}
}

// What ends in one step, over many documents, says nothing for long and is not dead.
func TestACollectionThatIsPutTogetherHasTime(t *testing.T) {
	r := &statetest.Recorder{}
	a := state.New(r, func(string) string {
		return "/"
	}, "/upload", state.Part{Name: "upload", Make: func(a *state.App) state.Screen { return New(a) }})
	a.Begin("/upload", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}}})
	a.AddFiles([]message.File{{ID: 1, Name: "a.csv", Size: 9}})
	nothingToChoose(t, a, r)
	a.Receive(message.Reply{ID: r.Last(t, message.Upload).ID, Kind: message.Upload,
		Progress: &message.Progress{What: "Indexing", Done: 5, Total: 5, Rest: true}})
	r.MissedAfter(t, 30)
}
