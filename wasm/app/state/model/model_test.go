package model

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// screen is the screen, opened at its own address, with the collection there.
func screen(t *testing.T) (*state.App, *Model, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	var m *Model
	a := state.New(r, func(string) string {
		return "/"
	}, "/model", state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "model", Make: func(a *state.App) state.Screen {
			m = New(a)
			return m
		}})
	a.Begin("/model", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}}})
	return a, m, r
}

func answer(t *testing.T, a *state.App, r *statetest.Recorder, models ...message.Networked) {
	t.Helper()
	a.Receive(message.Reply{ID: r.Last(t, message.Network).ID, Kind: message.Network,
		Answer: &message.Networks{Collection: "C", Models: models}})
}

func last(t *testing.T, r *statetest.Recorder) *message.AskNetwork {
	t.Helper()
	return r.Last(t, message.Network).Question.(*message.AskNetwork)
}

func TestFromFilesToTypedQueriesThatTheModelItselfEncodes(t *testing.T) {
	a, m, r := screen(t)
	static, whole := message.Networked{Model: "minilm", Static: true}, message.Networked{Model: "own"}
	answer(t, a, r, static, whole)
	if len(m.Have.Models) != 2 || last(t, r).Do != "" {
		t.Fatalf("%+v", m.Have)
	}
	a.AddFiles([]message.File{{ID: 1, Name: "model.onnx"}, {ID: 2, Name: "vocab.txt"}})
	// dropped: for the first that has a network
	if q := last(t, r); q.Do != message.LookAtNetwork || q.Model != "own" || len(q.Files) != 2 ||
		q.From != message.GivenNetwork {
		t.Fatalf("%+v", q)
	}
	looked := whole
	looked.Looked = &message.Look{From: message.GivenNetwork, Bytes: 9}
	answer(t, a, r, static, looked)
	m.SetKeep(true)
	m.Load("own")
	if q := last(t, r); q.Do != message.LoadNetwork || !q.Keep || len(q.Files) != 2 || m.Doing != "own" {
		t.Fatalf("%+v", q)
	}
	a.Receive(message.Reply{ID: r.Last(t, message.Network).ID, Kind: message.Network,
		Progress: &message.Progress{What: "network", Done: 4, Total: 9}})
	if m.Progress.Done != 4 {
		t.Errorf("%+v", m.Progress)
	}
	a.Search.Type("a storm")
	searches := r.Last(t, message.Search).ID
	loaded := whole
	loaded.Loaded = &message.Loaded{Tried: 3, Lowest: 1}
	answer(t, a, r, static, loaded)
	if m.Doing != "" || m.Progress != nil || r.Last(t, message.Search).ID == searches {
		t.Error("the query that is typed was not asked again")
	}
	m.Again() // another worker has taken the place of the first
	if q := last(t, r); q.Do != message.LoadNetwork || q.Keep || len(q.Files) != 2 {
		t.Errorf("%+v", q)
	}
	m.Stop("own")
	if q := last(t, r); q.Do != message.StopNetwork || m.Doing != "" {
		t.Errorf("%+v", q)
	}
	answer(t, a, r, static, whole)
	m.Again()
	if q := last(t, r); q.Do != "" {
		t.Errorf("what was unloaded is loaded again: %+v", q)
	}
}

func TestWhatIsKeptIsDeletedAtTheSecondPress(t *testing.T) {
	a, m, r := screen(t)
	kept := message.Networked{Model: "own", Kept: 9}
	answer(t, a, r, kept)
	m.Delete("own")
	if q := last(t, r); q.Do != "" || m.Deleting != "own" {
		t.Errorf("%+v", q)
	}
	m.Delete("own")
	if q := last(t, r); q.Do != message.ForgetNetwork || m.Deleting != "" {
		t.Errorf("%+v", q)
	}
	m.Look("own", message.KeptNetwork)
	if q := last(t, r); q.Do != message.LookAtNetwork || q.From != message.KeptNetwork || q.Files != nil {
		t.Errorf("%+v", q)
	}
	m.Load("nothing that was looked at")
	if q := last(t, r); q.Do != message.LookAtNetwork || m.Doing != "" {
		t.Errorf("%+v", q)
	}
	a.Receive(message.Reply{ID: r.Last(t, message.Network).ID, Kind: message.Network,
		Problem: &message.Problem{What: "It is gone."}})
	if a.Notices.Problem == nil || m.Progress != nil {
		t.Error("the problem is not said")
	}
}

// Files for the documents of an upload are looked at without a model's name, and encode them with the prefixes that the
// files say or a person changed.
func TestAModelEncodesTheDocumentsOfAnUpload(t *testing.T) {
	a, m, r := screen(t)
	d := &encodes{}
	a.Encoder.Documents = d
	row := message.Networked{Documents: 300}
	answer(t, a, r, message.Networked{Model: "minilm", Static: true}, row)
	a.AddFiles([]message.File{{ID: 1, Name: "model.onnx"}, {ID: 2, Name: "vocab.txt"}})
	if q := last(t, r); q.Do != message.LookAtNetwork || q.Model != "" || len(q.Files) != 2 {
		t.Fatalf("%+v", q)
	}
	row.Looked = &message.Look{From: message.GivenNetwork, Query: "query: ", Document: "passage: "}
	answer(t, a, r, row)
	if m.Query != "query: " || m.Document != "passage: " {
		t.Errorf("%q, %q", m.Query, m.Document)
	}
	m.Document = ""
	answer(t, a, r, row) // the same files: what was changed stays
	m.Encode()
	if q := d.asked; q == nil || q.ID != state.DefaultCollection || q.Query != "query: " || q.Document != "" ||
		len(q.Network.Files) != 2 {
		t.Errorf("%+v", q)
	}
}

// encodes is what encodes documents.
type encodes struct {
	state.DocumentEncoder
	asked *message.AskEmbed
}

func (e *encodes) With(ask *message.AskEmbed) { e.asked = ask }
func (e *encodes) Of(string) bool             { return false }
func (e *encodes) Progress(string) string     { return "" }
func (e *encodes) Cancel(string)              {}
