package state

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// A program without the Judge screen has the one with every screen fetched if the device remembers a workspace or a
// click log.
func TestAWorkspaceIsReadByTheProgramThatHoldsJudge(t *testing.T) {
	for key, want := range map[string]int{"": 0, OwnKey(DefaultCollection): 1, OwnKey("another"): 0, LogKey: 1} {
		r := &statetest.Recorder{}
		r.Remember(key, "1")
		a := New(r, func(string) string { return "/" }, "/search", first...)
		a.Begin("/search", "")
		a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
		if r.Swaps != want || a.Programs.Partial() != (want > 0) ||
			a.Workspace.awaited != (key == OwnKey(DefaultCollection)) {
			t.Errorf("%q: %d programs are fetched, want %d; awaited %v", key, r.Swaps, want, a.Workspace.awaited)
		}
	}
}
