package worker

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// A collection, with what was made in it, is saved as one file on one device and opened on another: the same documents
// under the same id, and
// every edit.
func TestAWorkspaceGoesFromOneDeviceToAnother(t *testing.T) {
	answer := func(e *Engine, replies *[]message.Reply, k message.Kind, r message.Request) message.Reply {
		r.ID, r.Kind = uint64(len(*replies)+1), k
		e.Handle(r)
		return (*replies)[len(*replies)-1]
	}
	e, replies, ask := uploading(t,
		map[string]string{"sea news.csv": "id,title,text\nd1,Port,the port was closed\nd2,Storm,a storm came\n"})
	made := answer(e, replies, message.Upload, message.Request{Question: ask}).Answer.(*message.Uploaded)
	w := workspace.New(workspace.Documents{Collection: made.ID})
	for _, x := range []workspace.Edit{
		{Kind: workspace.SetQuery, Query: "q1-a", Text: "port"},
		{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "d1", Grade: 2},
	} {
		x.Stamp = w.Next(1, "a")
		if _, err := w.Apply(x); err != nil {
			t.Fatal(err)
		}
	}
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	reply := answer(e, replies, message.Pack,
		message.Request{Question: &message.AskPack{Collection: made.ID, Zip: zip}})
	saved, ok := reply.Answer.(*message.Saved)
	if !ok || saved.Name != "sea-news.workspace.zip" {
		t.Fatalf("%+v %+v", reply.Problem, reply.Answer)
	}

	other, heard, given := uploading(t, map[string]string{saved.Name: string(saved.Bytes)})
	reply = answer(other, heard, message.Upload, message.Request{Question: given})
	got, ok := reply.Answer.(*message.Uploaded)
	if !ok || got.ID != made.ID || got.Documents != 2 || got.Queries != 1 || got.Judgments != 1 || got.Unkept != "" {
		t.Fatalf("%+v %+v", reply.Problem, got)
	}
	again := workspace.New(workspace.Documents{Collection: got.ID})
	if lost := again.Replay(got.Edits); len(lost) > 0 {
		t.Fatal(lost)
	}
	if g, ok := again.Layer("mine").Grade("q1-a", "d1"); !ok || g != 2 || len(again.Queries()) != 1 {
		t.Errorf("grade %v %v, queries %v", g, ok, again.Queries())
	}
	if o := answer(other, heard, message.Open,
		message.Request{Question: &message.Place{Base: "/uploads/" + got.ID + "/"}}); o.Problem != nil {
		t.Errorf("%+v", o.Problem)
	}

	// without its documents it is refused where those are not, and opened where they are
	bare := map[string]string{"bare.zip": string(zip)}
	none, said, given := uploading(t, bare)
	if r := answer(none, said, message.Upload, message.Request{Question: given}); r.Problem == nil ||
		!strings.Contains(r.Problem.What, "not on this device") {
		t.Errorf("%+v", r)
	}
	other.Device.Files = none.Device.Files
	if r := answer(other, heard, message.Upload, message.Request{Question: given}); r.Problem != nil ||
		len(r.Answer.(*message.Uploaded).Edits) == 0 {
		t.Errorf("%+v", r)
	}
	// a damaged one is refused whole
	broken := []byte(strings.Replace(string(saved.Bytes), "a storm came", "a storm game", 1))
	none, said, given = uploading(t, map[string]string{"x.zip": string(broken)})
	if r := answer(none, said, message.Upload, message.Request{Question: given}); string(broken) != string(
		saved.Bytes) && r.Problem == nil {
		t.Errorf("%+v", r)
	}
	cut := string(saved.Bytes[:len(saved.Bytes)/2])
	none, said, given = uploading(t, map[string]string{"x.zip": cut})
	if r := answer(none, said, message.Upload, message.Request{Question: given}); r.Problem == nil {
		t.Errorf("%+v", r)
	}
}
