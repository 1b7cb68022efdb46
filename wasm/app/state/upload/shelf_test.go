package upload

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func TestACollectionIsRenamedAndDuplicated(t *testing.T) {
	r := &statetest.Recorder{}
	j := &other{}
	u, a := page(t, r, state.Part{Name: "judge", Make: func(*state.App) state.Screen { return j }})
	list := func(names ...string) {
		s := &message.Shelf{}
		for _, n := range names {
			s.List = append(s.List, message.Uploaded{ID: "upload-" + strings.ToLower(n[:1]), Name: n})
		}
		a.Receive(message.Reply{ID: r.Last(t, message.Uploads).ID, Kind: message.Uploads, Answer: s})
	}
	list("Goods")
	a.Engine.Opened.Ref.ID, a.Engine.Opened.Ref.Name = "upload-g", "Goods"
	u.Shelf.Rename("upload-g")
	if r.Focused != "new-name" || u.Shelf.Renaming != "upload-g" {
		t.Errorf("%q has the focus", r.Focused)
	}
	u.Shelf.Call("  Good   shop ")
	if q := r.Last(t, message.Uploads).Question.(*message.AskUploads); q.Rename != "upload-g" || q.Name != "Good shop" {
		t.Fatalf("%+v", q)
	}
	list("Good shop")
	if a.Engine.Opened.Ref.Name != "Good shop" || !slices.Equal(j.said, []string{"rename upload-g Good shop"}) {
		t.Errorf("the header says %q, the workspace %q", a.Engine.Opened.Ref.Name, j.said)
	}
	list("Good shop")
	u.Shelf.Rename("upload-g")
	before := len(r.Sent)
	if u.Shelf.Call(""); len(r.Sent) != before || len(j.said) != 1 {
		t.Error("an empty name is asked for")
	}
	u.Shelf.Duplicate("upload-g")
	q := r.Last(t, message.Duplicate)
	if got := q.Question.(*message.AskDuplicate); got.ID != "upload-g" || got.Name != "Good shop (copy)" ||
		u.Making.Progress == nil {
		t.Fatalf("%+v", got)
	}
	a.Receive(message.Reply{ID: q.ID, Kind: message.Duplicate, Answer: &message.Uploaded{ID: "upload-g-1",
		Name: "Good shop (copy)"}})
	if !slices.Contains(j.said, "copy upload-g upload-g-1") || u.Making.Progress != nil {
		t.Errorf("%q", j.said)
	}
	list("Good shop", "Good shop (copy)")
	u.Shelf.Duplicate("upload-g")
	if got := r.Last(t, message.Duplicate).Question.(*message.AskDuplicate); got.Name != "Good shop (copy 2)" {
		t.Errorf("%+v", got)
	}
	u.Renamed("upload-g", "By another tab")
	if a.Engine.Opened.Ref.Name != "By another tab" || u.Shelf.called("upload-g") != "By another tab" {
		t.Error("another tab's name is not shown")
	}
}
