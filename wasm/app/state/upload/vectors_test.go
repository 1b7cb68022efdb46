package upload

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// encoding is a page on which a large collection was made and opened, with a lexical and a dense system.
func encoding(t *testing.T) (*state.App, *Upload, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	var u *Upload
	a := state.New(r, func(string) string { return "/" }, "/upload", state.Part{Name: "home"},
		state.Part{Name: "search"}, state.Part{Name: "upload", Make: func(a *state.App) state.Screen {
			u = New(a)
			return u
		}})
	a.Encoder.File = message.EncoderFile{URL: "/e.bin", Bytes: 100}
	a.Begin("/upload", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}}})
	a.AddFiles([]message.File{{ID: 1, Name: "a.md", Size: 9}})
	nothingToChoose(t, a, r)
	a.Receive(message.Reply{ID: r.Last(t, message.Upload).ID, Kind: message.Upload,
		Answer: &message.Uploaded{ID: id, Name: "a", Documents: 9000, Plain: true}})
	if q := r.Last(t, message.Embed).Question.(*message.AskEmbed); q.ID != id || !u.Vectors.Of(id) {
		t.Fatalf("%+v", q)
	}
	a.Receive(message.Reply{ID: r.Last(t, message.Embed).ID, Kind: message.Embed}) // it has begun
	u.Open(id)
	if s := a.Settings.Systems(); !slices.Contains(s, "dense") {
		t.Fatalf("systems %v", s)
	}
	opens(t, a, r)
	return a, u, r
}

// opens answers that the collection without vectors is open, and a search that its dense system cannot answer it.
func opens(t *testing.T, a *state.App, r *statetest.Recorder) {
	t.Helper()
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: id, Hash: strings.Repeat("a", 64)}}})
	a.Search.Type("storm")
	a.Settings.Spec.Systems = []string{"bm25", "dense"}
	a.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search, Answer: &experiment.Results{
		Lists: []experiment.List{{Notation: "bm25"}, {Notation: "dense", Problem: "It has no vectors."}}}})
}

// count is how often a kind was asked for.
func count(r *statetest.Recorder, k message.Kind) (n int) {
	for _, s := range r.Sent {
		if s.Kind == k {
			n++
		}
	}
	return n
}

// A dense system says what it waits for. Once the vectors are there, the collection is opened again by itself.
func TestADenseSystemSaysWhatItWaitsFor(t *testing.T) {
	a, u, r := encoding(t)
	ask := r.Last(t, message.Embed)
	if s := a.Encoder.Says(1); !strings.HasPrefix(s, "Loading the encoder") || a.Encoder.Says(0) != "" {
		t.Errorf("%q, %q", s, a.Encoder.Says(0))
	}
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind,
		Progress: &message.Progress{What: message.Embedding, Done: 4000, Total: 9000}})
	if s := a.Encoder.Says(1); s != "Encoding your documents, 4,000 of 9,000." || a.Encoder.Offer(1) != "" {
		t.Errorf("%q, offered %q", s, a.Encoder.Offer(1))
	}
	opened := count(r, message.Open)
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Answer: &message.Uploaded{ID: id, Models: []string{"toy"}}})
	if s := a.Encoder.Says(1); s != "Opening the vectors of your documents …" {
		t.Errorf("%q", s)
	}
	if count(r, message.Open) != opened+1 || u.Vectors.Of(id) || u.Making.Made.Plain {
		t.Errorf("opened %d times after %d, %+v", count(r, message.Open), opened, u.Making.Made)
	}
}

// A worker that ends is asked again, twice at most. A collection without vectors offers to encode them.
func TestEncodingBeginsAgain(t *testing.T) {
	a, u, r := encoding(t)
	a.Died("killed")
	if n := count(r, message.Embed); n != 2 || !u.Vectors.Of(id) {
		t.Fatalf("asked for %d times", n)
	}
	a.Died("out of memory")
	if n := count(r, message.Embed); n != 2 || u.Vectors.Of(id) || a.Notices.Problem == nil {
		t.Fatalf("asked for %d times, %+v", n, a.Notices.Problem)
	}
	opens(t, a, r)
	if a.Encoder.Says(1) != "" || a.Encoder.Offer(1) == "" || a.Encoder.Offer(0) != "" {
		t.Errorf("%q, %q, %q", a.Encoder.Says(1), a.Encoder.Offer(1), a.Encoder.Offer(0))
	}
	a.Encoder.Accept(1)
	if n := count(r, message.Embed); n != 3 || !u.Vectors.Of(id) {
		t.Errorf("asked for %d times", n)
	}
}

// Another collection waits for its turn. What is cancelled or deleted is not encoded.
func TestEncodingIsCancelled(t *testing.T) {
	const second = "upload-2"
	a, u, r := encoding(t)
	u.Vectors.Begin(second)
	if q := r.Last(t, message.Embed).Question.(*message.AskEmbed); q.ID != id || !u.Vectors.Of(second) {
		t.Fatalf("%+v", q)
	}
	u.Vectors.Cancel(id)
	if q := r.Last(t, message.Embed).Question.(*message.AskEmbed); q.ID != second || u.Vectors.Of(id) ||
		!strings.HasPrefix(u.Vectors.Note(), "Encoding was cancelled.") {
		t.Fatalf("%+v", q)
	}
	if a.Encoder.Says(1) != "" || a.Encoder.Offer(1) == "" {
		t.Errorf("%q, %q", a.Encoder.Says(1), a.Encoder.Offer(1))
	}
	ask := r.Last(t, message.Embed)
	u.Shelf.Delete(second)
	u.Shelf.Delete(second)
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Answer: &message.Uploaded{ID: second}})
	if u.Vectors.Of(second) {
		t.Error("a collection that was deleted is being encoded")
	}
}
