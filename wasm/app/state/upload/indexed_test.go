package upload

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// A query that is typed while documents are indexed is asked again as they become more, and opens the collection.
func TestAQueryThatIsTypedWhileIndexingIsAskedAgainAndKept(t *testing.T) {
	r := &statetest.Recorder{}
	var u *Upload
	a := state.New(r, func(string) string { return "/" }, "/upload", state.Part{Name: "home"},
		state.Part{Name: "search"}, state.Part{Name: "upload", Make: func(a *state.App) state.Screen {
			u = New(a)
			return u
		}})
	a.Begin("/upload", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}}})
	a.AddFiles([]message.File{{ID: 1, Name: "a.md", Size: 9}})
	nothingToChoose(t, a, r)
	upload := r.Last(t, message.Upload)
	tell := func(what string, done int) {
		a.Receive(message.Reply{ID: upload.ID, Kind: message.Upload,
			Progress: &message.Progress{What: what, Done: done, Total: 1000, Unit: "documents"}})
	}
	if tell("Reading", 5); u.Indexed.Open {
		t.Error("nothing is indexed yet")
	}
	if tell(message.Indexing, 10); !u.Indexed.Open {
		t.Fatal("documents are being indexed")
	}
	asked := func() (n int) {
		for _, x := range r.Sent {
			if x.Kind == message.Indexed {
				n++
			}
		}
		return n
	}
	answer := func(query string, documents int) {
		a.Receive(message.Reply{ID: r.Last(t, message.Indexed).ID, Kind: message.Indexed,
			Answer: &experiment.Indexed{Query: query, Documents: documents, Of: 1000}})
	}
	u.Indexed.Search("por")
	u.Indexed.Search("port")
	answer("por", 10)
	if u.Indexed.List != nil {
		t.Error("a list of another query")
	}
	answer("port", 100)
	if u.Indexed.List == nil || asked() != 2 {
		t.Fatalf("%+v, asked %d times", u.Indexed, asked())
	}
	for _, c := range []struct{ done, want int }{{125, 2}, {126, 3}, {150, 3}, {999, 4}, {1000, 5}, {1000, 5}} {
		if tell(message.Indexing, c.done); asked() != c.want {
			t.Errorf("%d documents: asked %d times, want %d", c.done, asked(), c.want)
		}
	}
	a.Receive(message.Reply{ID: upload.ID, Kind: message.Upload,
		Answer: &message.Uploaded{ID: id, Name: "n", Documents: 1000}})
	if u.Indexed.Open || u.Indexed.List != nil {
		t.Error("it is indexed")
	}
	u.Open(id)
	if a.Settings.Screen != "search" || a.Settings.Spec.Query != "port" {
		t.Errorf("%s %q", a.Settings.Screen, a.Settings.Spec.Query)
	}
}
