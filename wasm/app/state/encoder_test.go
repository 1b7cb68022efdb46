package state

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// A typed query waits for the encoder and is asked again when it is there; another worker fetches it again; a failure
// is asked for again by a person only.
func TestEncoder(t *testing.T) {
	a, fx := start(t, "/search", "")
	sent := func(kind message.Kind) (n int) {
		for _, r := range fx.Sent {
			if r.Kind == kind {
				n++
			}
		}
		return n
	}
	if a.Encoder.Load(); sent(message.Encode) != 0 || a.Encoder.Wanted {
		t.Fatal("a site without an encoder asked for it")
	}
	a.Encoder.File = message.EncoderFile{URL: "/e.bin", Bytes: 100}
	a.Search.Type("harbour")
	fx.Pass()
	a.Encoder.Idle()
	if sent(message.Encode) != 0 {
		t.Error("it was fetched while an answer was waited for")
	}
	a.Encoder.Load()
	a.Encoder.Load()
	if n := sent(message.Encode); n != 1 {
		t.Fatalf("asked for %d times", n)
	}
	ask := fx.Last(t, message.Encode)
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind}) // it is on its way
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Progress: &message.Progress{Done: 40, Total: 100}})
	if a.Encoder.Ready || a.Encoder.Progress.Done != 40 {
		t.Errorf("%+v", a.Encoder)
	}
	searches := sent(message.Search)
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Answer: &message.Encoder{Name: "e"}})
	if !a.Encoder.Ready || sent(message.Search) != searches+1 {
		t.Errorf("%+v, %d searches after %d", a.Encoder, sent(message.Search), searches)
	}
	open := fx.Last(t, message.Open)
	a.Receive(message.Reply{ID: open.ID, Kind: open.Kind, Answer: a.Engine.Opened})
	if sent(message.Encode) != 2 || a.Encoder.Ready {
		t.Error("another worker has not been asked to fetch it")
	}
	ask = fx.Last(t, message.Encode)
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Problem: &message.Problem{What: "gone"}})
	a.Encoder.Idle()
	if a.Encoder.Wanted || a.Notices.Problem == nil || sent(message.Encode) != 2 {
		t.Errorf("%+v, problem %v, asked for %d times", a.Encoder, a.Notices.Problem, sent(message.Encode))
	}
	if a.Encoder.Load(); sent(message.Encode) != 3 || a.Notices.Problem != nil {
		t.Errorf("a person could not ask again: %v", a.Notices.Problem)
	}
}
