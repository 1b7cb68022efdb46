package upload

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
	"github.com/rankbox/rankbox/wasm/app/state/status"
)

// Queries and judgments without documents wait until somebody says which backend has the documents; a collection of
// theirs is opened with the system that asks it.
func TestQueriesWithoutDocumentsWaitForABackend(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r, state.Part{Name: "status", Make: func(a *state.App) state.Screen { return status.New(a) }})
	a.AddFiles([]message.File{{ID: 1, Name: "queries.jsonl"}, {ID: 2, Name: "qrels.tsv"}})
	uploads := func() (n int) {
		for _, m := range r.Sent {
			if m.Kind == message.Upload {
				n++
			}
		}
		return n
	}
	a.Receive(message.Reply{ID: r.Last(t, message.Preview).ID, Kind: message.Preview,
		Answer: &message.Previewed{Queries: 44, Judgments: 300}})
	if !u.Import.Draft.Distant() || uploads() != 0 || u.Making.Busy() {
		t.Fatal("a collection is made before anybody chose a backend")
	}
	if list, why := u.Import.Engines(); list != nil || why != "" {
		t.Errorf("%v %q before the edge answered", list, why)
	}
	offer := &message.Offered{Backends: []remote.Backend{{ID: "ce", Does: []string{"rerank"}}}}
	a.Receive(message.Reply{ID: r.Last(t, message.Behind).ID, Kind: message.Behind, Answer: offer})
	if list, why := u.Import.Engines(); list != nil || why == "" {
		t.Errorf("%v: a reranker has no documents", list)
	}
	offer.Backends = append(offer.Backends, remote.Backend{ID: "wire", Does: []string{"search"}})
	if list, why := u.Import.Engines(); len(list) != 1 || list[0].ID != "wire" || why != "" {
		t.Errorf("%v %q", list, why)
	}
	u.Import.Connect("wire")
	ask := r.Last(t, message.Upload).Question.(*message.AskUpload)
	if !u.Making.Busy() || ask.Backend != "wire" || len(ask.Files) != 2 {
		t.Errorf("%+v", ask)
	}
	a.Receive(message.Reply{ID: r.Last(t, message.Upload).ID, Kind: message.Upload, Answer: &message.Uploaded{
		ID: "upload-1", Backend: "wire", System: "search(backend=wire)"}})
	u.Open("upload-1")
	if a.Settings.Spec.Collection != "upload-1" ||
		!slices.Equal(a.Settings.Spec.Systems, []string{"search(backend=wire)"}) {
		t.Errorf("%+v", a.Settings.Spec)
	}
	// Documents that are added end that: they are indexed here.
	a.Go("upload")
	a.AddFiles([]message.File{{ID: 1, Name: "queries.jsonl"}})
	a.Receive(message.Reply{ID: r.Last(t, message.Preview).ID, Kind: message.Preview,
		Answer: &message.Previewed{Queries: 44}})
	a.AddFiles([]message.File{{ID: 3, Name: "odd.csv"}})
	seen(t, a, r, table())
	if u.Import.Index(); u.Import.Draft.Distant() ||
		r.Last(t, message.Upload).Question.(*message.AskUpload).Backend != "" {
		t.Error("the documents are still elsewhere")
	}
}
