package worker

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// A collection that came without queries gets some, and its systems are measured with the grades that were given.
func TestAWorkspaceGivesTheCollectionItsQueriesAndGrades(t *testing.T) {
	e, replies, ask := uploading(t, map[string]string{
		"news.csv":      "id,title,text\nd1,Port,the port was closed\nd2,Storm,a storm came\nd3,Both,port and storm\n",
		"queries.jsonl": `{"_id":"q1","text":"storm"}` + "\n", "qrels.txt": "q1 0 d2 1\nq1 0 d3 0\n"})
	do := asking(t, e, replies)
	made := do(message.Upload, message.Request{Question: ask}).Answer.(*message.Uploaded)
	before := do(message.Open, message.Request{Question: &message.Place{Base: "/uploads/" + made.ID + "/"}}).Answer.(*message.Opened)

	w := workspace.New(workspace.Documents{Collection: made.ID})
	edit := func(x workspace.Edit) {
		x.Stamp = w.Next(1, "a")
		if _, err := w.Apply(x); err != nil {
			t.Fatal(err)
		}
	}
	adopt := func() *message.Adopted {
		zip, err := w.Export()
		if err != nil {
			t.Fatal(err)
		}
		return do(message.Adopt, message.Request{Question: &message.AskAdopt{Collection: made.ID, Zip: zip}}).Answer.(*message.Adopted)
	}
	if x := adopt(); x.Opened.Ref.Hash != before.Ref.Hash {
		t.Error("an empty workspace makes another collection")
	}
	edit(workspace.Edit{Kind: workspace.SetQuery, Query: "q1-a", Text: "port"})
	edit(workspace.Edit{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "d1", Grade: 2})
	edit(workspace.Edit{Kind: workspace.SetGrade, Layer: "mine", Query: "q1", Document: "d3", Grade: 1})
	x := adopt()
	if len(x.Opened.Queries) != 2 || x.Opened.Queries[1].ID != "q1-a" || x.Opened.Queries[0].Relevant != 2 ||
		x.Opened.Queries[1].Relevant != 1 || x.Opened.Encoded[1] || x.Opened.Ref.Hash == before.Ref.Hash {
		t.Errorf("%+v", x.Opened)
	}
	if len(x.Theirs) != 1 || x.Theirs[0] != (message.JudgedBy{Query: "q1", Document: "d3", Grade: 0}) ||
		len(x.Own) != 1 {
		t.Errorf("theirs %+v, own %q", x.Theirs, x.Own)
	}
	// bm25 ranks both d2 and d3 for "storm" (P@2 2/2), and d1 and d3 for "port", of which d1 is relevant (1/2): by hand
	spec := &experiment.Spec{Systems: []string{"bm25"}, Measures: []string{"P@2"}}
	got := do(message.Evaluate, message.Request{Question: spec}).Answer.(*report.Report)
	if len(got.Queries) != 2 || got.Columns[0].Means[0] != 0.75 {
		t.Errorf("%+v", got.Columns)
	}
	// the static encoder made the documents' vectors, and answers queries that no model saw
	res := do(message.Search,
		message.Request{Question: &experiment.Spec{QueryID: "q1-a",
			Systems: []string{"dense", "rrf(bm25, dense)"}}}).Answer.(*experiment.Results)
	for _, l := range res.Lists {
		if l.Problem != "" || len(l.Hits) == 0 {
			t.Errorf("%s: %s", l.Notation, l.Problem)
		}
	}
	// A grade travels as an edit, which gives what the whole workspace gives. Edits that came before change nothing.
	adopt()
	var records []byte
	for _, grade := range []float64{0, 3} {
		e := workspace.Edit{Stamp: w.Next(1, "a"), Kind: workspace.SetGrade, Layer: "mine", Query: "q1", Document: "d3",
			Grade: grade}
		records = workspace.AppendRecord(records, &e)
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
		x := do(message.Adopt, message.Request{Question: &message.AskAdopt{Collection: made.ID,
			Records: records}}).Answer.(*message.Adopted)
		if x.Behind || x.Taken != len(records) || x.Opened.Queries[0].Relevant != 1+int(grade)/3 {
			t.Errorf("grade %g: %+v", grade, x)
		}
		if whole := adopt(); whole.Opened.Ref.Hash != x.Opened.Ref.Hash || whole.Taken != 0 {
			t.Errorf("grade %g: %s by the edit, %s by the workspace", grade, x.Opened.Ref.Hash, whole.Opened.Ref.Hash)
		}
	}
	for _, ask := range []*message.AskAdopt{
		{Collection: made.ID, From: 1, Records: records}, {Collection: made.ID, Stream: 2, Records: records},
		{Collection: made.ID, Records: records[:9]},
	} {
		if x := do(message.Adopt, message.Request{Question: ask}).Answer.(*message.Adopted); !x.Behind {
			t.Errorf("%+v was taken", ask)
		}
	}
	adopt()
	edit(workspace.Edit{Kind: workspace.RemoveQuery, Query: "q1-a"})
	if x := adopt(); len(x.Opened.Queries) != 1 || x.Opened.Queries[0].Relevant != 2 {
		t.Errorf("after the query was removed: %+v", x.Opened.Queries)
	}
}
