package upload

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func TestGradesOfAnEarlierStateAreOffered(t *testing.T) {
	r := &statetest.Recorder{}
	j := &other{}
	u, a := page(t, r, state.Part{Name: "judge", Make: func(*state.App) state.Screen { return j }})
	list := &message.Shelf{List: []message.Uploaded{{ID: "upload-1"}, {ID: "upload-2"}, {ID: "upload-3"}}}
	found := func() {
		u.Earlier.begin("upload-2")
		u.Earlier.listed(list)
		a.Receive(message.Reply{ID: r.Last(t, message.Earlier).ID, Kind: message.Earlier,
			Answer: &message.EarlierOne{ID: "upload-1", Name: "handbook", Same: 1240, Changed: []string{"b"}, Added: 2}})
	}
	sent := len(r.Sent)
	u.Earlier.begin("upload-2")
	if u.Earlier.listed(list); u.Earlier.Of != nil || len(r.Sent) > sent {
		t.Error("nothing was made in it, and it is offered")
	}
	a.Browser.Remember(state.LedgerKey("upload-1"), "191 10 5 1 tab")
	found()
	ask := r.Last(t, message.Earlier).Question.(*message.AskEarlier)
	if ask.ID != "upload-2" || !slices.Equal(ask.Among, []string{"upload-1"}) {
		t.Errorf("%+v", ask)
	}
	if want := "handbook on this device is an earlier state of these documents: 1,240 are the same, 1 changed, 2 new. " +
		"It has 191 grades and 10 queries of yours."; u.Earlier.Of == nil || u.Earlier.Says() != want {
		t.Fatalf("%q", u.Earlier.Says())
	}
	u.Earlier.Leave()
	if u.Earlier.Of != nil || len(j.said) > 0 {
		t.Errorf("%q", j.said)
	}
	found()
	u.Earlier.Bring()
	if u.Earlier.Of != nil || !slices.Equal(j.said, []string{"bring upload-1 upload-2"}) {
		t.Errorf("%q", j.said)
	}
}
