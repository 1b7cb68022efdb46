package state

import (
	"slices"
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

// A browser that crashed may have lost the note that there is a workspace: a link to a query that an uploaded
// collection does not have waits for it, and says that there is no such query once the device has none.
func TestALinkToAQueryOfAWorkspaceWaitsForIt(t *testing.T) {
	const upload = "upload-0123456789abcdef"
	for collection, waits := range map[string]bool{upload: true, DefaultCollection: false} {
		r := &statetest.Recorder{}
		a := New(r, func(string) string { return "/" }, "/search", every...)
		a.Begin("/search", "")
		a.Settings.Spec.QueryID = "q2-own"
		o := *opened
		o.Ref.ID = collection
		a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: &o})
		if a.Workspace.awaited != waits || (a.Notices.Problem == nil) != waits ||
			(a.Settings.Spec.QueryID == "q2-own") != waits {
			t.Errorf("%s: awaited %v, %+v, query %q", collection, a.Workspace.awaited, a.Notices.Problem,
				a.Settings.Spec.QueryID)
		}
		if slices.ContainsFunc(r.Sent, func(m message.Request) bool { return m.Kind == message.Search }) {
			t.Errorf("%s: it is searched for a query that is not there", collection)
		}
		if a.Adopted(nil); a.Notices.Problem == nil || a.Settings.Spec.QueryID != "" {
			t.Errorf("%s: %+v, query %q", collection, a.Notices.Problem, a.Settings.Spec.QueryID)
		}
	}
}
