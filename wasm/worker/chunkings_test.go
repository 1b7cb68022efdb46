package worker

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
)

func (s *shop) open(id string) {
	s.t.Helper()
	if r := s.ask(message.Open, message.Request{Question: &message.Place{Collection: id, Base: "/uploads/" + id +
		"/"}}); r.Problem != nil {
		s.t.Fatalf("%+v", r.Problem)
	}
}

// meansOf are the means of a measure of a report, by the names of systems.
func meansOf(t *testing.T, r message.Reply, column int) (measure string, out map[string]float64) {
	t.Helper()
	got, ok := r.Answer.(*message.Compared)
	if !ok || got.Report == nil {
		t.Fatalf("%+v %+v", r.Problem, got)
	}
	out = map[string]float64{}
	for i, s := range got.Report.Systems {
		out[s.Label] = got.Report.Columns[column].Means[i]
	}
	return got.Report.Measures[column], out
}

// By hand. Query 7, "port", has one relevant document, ferry.md, which both chunkings rank first and alone: AP is 1.
// By span, all of its 21 words are relevant. For q1-a, also "port", a person grades the section Port, 8 words.
// Headings retrieve that section alone, since only it has the word: recall 8/21 and 1, precision 1 and 1. Whole
// documents retrieve 21 words: recall 1 and 1, precision 1 and 8/21. IoU is the smaller of the two each time.
func TestChunkingsAreComparedByDocumentAndBySpan(t *testing.T) {
	s := notes(t)
	whole := s.split(message.AskUpload{})
	s.open(whole.ID)
	ask := func(spans bool) message.Reply {
		return s.ask(message.Runs, message.Request{Question: &message.Setting{Chunkings: []string{"bm25"}, Spans: spans,
			Chosen: !spans, Measures: []string{"AP"}}})
	}
	if r := ask(false); r.Problem == nil || !strings.Contains(r.Problem.What, "in one way") {
		t.Errorf("%+v", r)
	}
	sections := s.split(message.AskUpload{From: whole.ID, Chunking: "headings"})
	measure, got := meansOf(t, ask(false), 0)
	if measure != "AP" || fmt.Sprint(got) != "map[bm25, headings:1 bm25, whole:1]" {
		t.Errorf("%s %v", measure, got)
	}
	if r := ask(true); r.Problem == nil || !strings.Contains(r.Problem.What, "of whole documents") {
		t.Errorf("%+v", r)
	}

	s.open(sections.ID)
	w := workspace.New(workspace.Documents{Collection: sections.ID})
	for _, x := range []workspace.Edit{{Kind: workspace.SetQuery, Query: "q1-a", Text: "port"},
		{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "ferry.md#2", Grade: 2}} {
		x.Stamp = w.Next(1, "a")
		if _, err := w.Apply(x); err != nil {
			t.Fatal(err)
		}
	}
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	if r := s.ask(message.Adopt, message.Request{Question: &message.AskAdopt{Collection: sections.ID,
		Zip: zip}}); r.Problem != nil {
		t.Fatalf("%+v", r.Problem)
	}
	r := ask(true)
	for column, want := range []struct {
		measure         string
		headings, whole float64
	}{{"IoU@5", (1 + 8./21) / 2, (8./21 + 1) / 2}, {"token recall@5", (1 + 8./21) / 2, 1}, {"token precision@5", 1,
		(8./21 + 1) / 2}} {
		measure, got = meansOf(t, r, column)
		if measure != want.measure || math.Abs(got["bm25, headings"]-want.headings) > 1e-12 ||
			math.Abs(got["bm25, whole"]-want.whole) > 1e-12 {
			t.Errorf("%s %v, want %v", measure, got, want)
		}
	}
	if _, got := meansOf(t, ask(false), 0); got["bm25, headings"] != 1 || got["bm25, whole"] != 1 {
		t.Errorf("%v", got)
	}
}
