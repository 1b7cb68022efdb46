//go:build !first

package worker

import (
	"errors"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
)

// Fetching the encoder keeps no other request waiting; its answer comes when it is there, and a failure says what it
// means.
func TestEncoderArrivesBesideOtherRequests(t *testing.T) {
	file := wire.Marshal(&encoder.File{Name: "e", Teacher: "m", Dim: 2, Vocabulary: "[UNK]\n", Scales: []float64{0},
		Rows: "\x88"})
	there := make(chan bool)
	replies := make(chan message.Reply, 10)
	e := NewEngine(func(url string, progress func(int)) ([]byte, error) {
		<-there
		if url == "/gone.bin" {
			return nil, errors.New("status 404")
		}
		progress(len(file))
		return file, nil
	}, func() float64 { return 0 }, func(r message.Reply) { replies <- r })
	next := func() message.Reply {
		t.Helper()
		select {
		case r := <-replies:
			return r
		case <-time.After(time.Minute):
			t.Fatal("no reply")
			return message.Reply{}
		}
	}
	e.Handle(message.Request{ID: 1, Kind: message.Encode,
		Question: &message.EncoderFile{URL: "/e.bin", Bytes: len(file)}})
	if r := next(); r.ID != 1 || r.Answer != nil || r.Problem != nil {
		t.Fatalf("%+v", r)
	}
	e.Handle(message.Request{ID: 2, Kind: message.Ping})
	if r := next(); r.ID != 2 {
		t.Fatalf("%+v", r)
	}
	there <- true
	if r := next(); r.Progress == nil || r.Progress.Done != len(file) {
		t.Fatalf("%+v", r)
	}
	if r := next(); r.ID != 1 || r.Answer == nil || r.Answer.(*message.Encoder).Name != "e" {
		t.Fatalf("%+v", r)
	}
	e.Handle(message.Request{ID: 3, Kind: message.Ping})
	if next(); e.open.arrived == nil {
		t.Error("the encoder was not taken")
	}
	e.Handle(message.Request{ID: 4, Kind: message.Encode, Question: &message.EncoderFile{URL: "/gone.bin"}})
	next()
	there <- true
	if r := next(); r.Problem == nil ||
		r.Problem.What != "The encoder of typed queries could not be loaded: status 404." {
		t.Fatalf("%+v", r)
	}
}
