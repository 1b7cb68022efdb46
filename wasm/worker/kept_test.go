package worker

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
)

func (s *shop) list(ask message.AskUploads) []message.Uploaded {
	s.t.Helper()
	r := s.ask(message.Uploads, message.Request{Question: &ask})
	got, ok := r.Answer.(*message.Shelf)
	if !ok {
		s.t.Fatalf("%+v", r.Problem)
	}
	return got.List
}

const goods = "id,text\nd1,port\nd2,storm\n"

// A collection that is renamed stays the same one, also if its files are given again.
func TestARenamedCollectionIsTheSameOne(t *testing.T) {
	s := open(t, [2]string{"goods.csv", goods})
	made := s.upload()
	s.ask(message.Open, message.Request{Question: &message.Place{Base: "/uploads/" + made.ID + "/"}})
	before := maps.Clone(s.shelf.files)
	list := s.list(message.AskUploads{Rename: made.ID, Name: "  The \n shop\u202e "})
	if len(list) != 1 || list[0].ID != made.ID || list[0].Name == "goods" || !strings.HasPrefix(list[0].Name,
		"The shop") || strings.Contains(list[0].Name, "\u202e") {
		t.Fatalf("%+v", list)
	}
	for name, data := range before {
		if !strings.HasSuffix(name, "manifest.json") && string(s.shelf.files[name]) != string(data) {
			t.Errorf("%s has changed", name)
		}
	}
	if s.e.open.session.Ref().Name != list[0].Name {
		t.Errorf("the open collection is still called %q", s.e.open.session.Ref().Name)
	}
	if again := s.upload(); again.ID != made.ID || again.Name != list[0].Name {
		t.Errorf("given again: %+v", again)
	}
	for _, ask := range []message.AskUploads{{Rename: made.ID, Name: " \n"}, {Rename: "upload-gone", Name: "x"}} {
		if r := s.ask(message.Uploads, message.Request{Question: &ask}); r.Problem == nil {
			t.Errorf("%+v: %+v", ask, r.Answer)
		}
	}
	if names := slices.Collect(maps.Keys(s.shelf.files)); slices.ContainsFunc(names,
		func(n string) bool { return strings.HasPrefix(n, "upload-gone") }) {
		t.Errorf("a deleted collection came back: %q", names)
	}
}

// A duplicate has an id of its own, opens, travels under that id, and stays if the first one goes.
func TestADuplicateIsACollectionOfItsOwn(t *testing.T) {
	s := open(t, [2]string{"goods.csv", goods})
	made := s.upload()
	duplicate := func() *message.Uploaded {
		r := s.ask(message.Duplicate, message.Request{Question: &message.AskDuplicate{ID: made.ID,
			Name: "goods (copy)"}})
		got, ok := r.Answer.(*message.Uploaded)
		if !ok {
			t.Fatalf("%+v", r.Problem)
		}
		return got
	}
	one, two := duplicate(), duplicate()
	if one.ID == two.ID || !strings.HasPrefix(one.ID, made.ID+"-") || one.Name != "goods (copy)" ||
		one.Documents != 2 || len(s.list(message.AskUploads{})) != 3 {
		t.Fatalf("%+v, %+v", one, two)
	}
	w := workspace.New(workspace.Documents{Collection: one.ID})
	b, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	packed := s.ask(message.Pack, message.Request{Question: &message.AskPack{Collection: one.ID,
		Zip: b}}).Answer.(*message.Saved)
	s.list(message.AskUploads{Delete: made.ID})
	s.list(message.AskUploads{Delete: one.ID})
	if r := s.ask(message.Open, message.Request{Question: &message.Place{Base: "/uploads/" + two.ID +
		"/"}}); r.Problem != nil || s.e.open.session.Ref().ID != two.ID {
		t.Errorf("%+v", r.Problem)
	}
	there := open(t, [2]string{"goods.workspace.zip", string(packed.Bytes)})
	if got := there.upload(); got.ID != one.ID || got.Name != "goods (copy)" {
		t.Errorf("on another device it is %+v", got)
	}
	s.shelf.quota = float64(s.shelf.used() + 100)
	if r := s.ask(message.Duplicate, message.Request{Question: &message.AskDuplicate{ID: two.ID,
		Name: "x"}}); r.Problem == nil || len(s.list(message.AskUploads{})) != 1 {
		t.Errorf("without room: %+v", r.Answer)
	}
	if r := s.ask(message.Duplicate, message.Request{Question: &message.AskDuplicate{ID: made.ID,
		Name: "x"}}); r.Problem == nil || !strings.Contains(r.Problem.What, "no longer on this device") {
		t.Errorf("of a deleted one: %+v", r.Answer)
	}
}
