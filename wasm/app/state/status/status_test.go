package status

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// Nobody is asked before somebody wants to know, and then once, though the editor looks whenever it is drawn.
func TestTheEdgeIsAskedOnce(t *testing.T) {
	r := &statetest.Recorder{}
	var s *Status
	a := state.New(r, func(string) string {
		return "/c/"
	}, "/search", state.Part{Name: string(ID), Make: func(a *state.App) state.Screen { s = New(a); return s }})
	a.Engine.Phase = state.Ready
	if len(r.Sent) != 0 {
		t.Fatalf("%+v", r.Sent)
	}
	for range 3 {
		if s.Offers() != nil {
			t.Error("an offer that nobody made")
		}
	}
	if len(r.Sent) != 1 || r.Sent[0].Kind != message.Behind || r.Sent[0].Question.(*message.AskBehind).Watch {
		t.Fatalf("%+v", r.Sent)
	}
	a.Receive(message.Reply{ID: r.Sent[0].ID, Kind: message.Behind,
		Answer: &message.Offered{Backends: []remote.Backend{{ID: "ce", Does: []string{"rerank"}}}}})
	if got := s.Offers().Named("rerank"); len(got) != 1 || got[0] != "ce" || s.Waiting {
		t.Errorf("%v", got)
	}
	if s.Offered.Named("search") != nil || (*message.Offered)(nil).Named("rerank") != nil {
		t.Error("what is not offered is named")
	}
}
