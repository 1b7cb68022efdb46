package worker

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

const (
	ferry = "---\ntitle: Ferry\ndate: 2024-03-01\ncategory: boats\n---\nThe ferry was late.  Fog came.\n\n## Port\n\n" +
		"The port was closed. It opened <b>later</b>.\n\n## Storm\n\nA storm came. Cranes stood still.\n"
	crane = "# Crane\n\nIt lifts. It is oiled.\n"
)

func notes(t *testing.T) *shop {
	t.Helper()
	return open(t, [2]string{"n/ferry.md", ferry}, [2]string{"n/crane.md", crane},
		[2]string{"n/queries.csv", "id,query\n7,port\n"}, [2]string{"n/qrels.txt", "7 0 ferry.md 1\n"})
}

func (s *shop) sample(ask message.AskPreview) *message.Previewed {
	s.t.Helper()
	ask.Files = s.files
	r := s.ask(message.Preview, message.Request{Question: &ask})
	got, ok := r.Answer.(*message.Previewed)
	if !ok {
		s.t.Fatalf("%+v", r.Problem)
	}
	return got
}

func (s *shop) split(ask message.AskUpload) *message.Uploaded {
	s.t.Helper()
	if ask.From == "" {
		ask.Files = s.files
	}
	r := s.ask(message.Upload, message.Request{Question: &ask})
	got, ok := r.Answer.(*message.Uploaded)
	if !ok || got.Unkept != "" {
		s.t.Fatalf("%+v, %+v", r.Problem, got)
	}
	return got
}

// By hand: ferry.md is the text before the first heading (6 words), Port (8 with its heading) and Storm (7); crane.md
// has 5 words.
func TestChunksAreShownBeforeTheyAreIndexed(t *testing.T) {
	s := notes(t)
	got := s.sample(message.AskPreview{Chunking: "headings"})
	x := got.Sample
	if got.Documents != 2 || len(got.Tables) > 0 || x.Of != 2 || x.ID != "ferry.md" || x.Title != "Ferry" ||
		!slices.Equal(x.Notes, []string{"date: 2024-03-01", "category: boats", "url: n/ferry.md"}) || x.Chunks != 3 ||
		x.All != 4 ||
		x.Median != 6 || x.Longest != 8 || x.Problem != "" {
		t.Fatalf("%+v", got)
	}
	var texts []string
	for _, p := range x.Pieces {
		texts = append(texts, fmt.Sprint(p.Words, " ", p.Text))
	}
	if want := []string{"6 The ferry was late.  Fog came.", "8 Port\n\nThe port was closed. It opened later.",
		"7 Storm\n\nA storm came. Cranes stood still."}; !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
	x = s.sample(message.AskPreview{Chunking: "sentences(n=2,overlap=1)", Document: 1}).Sample
	if x.ID != "crane.md" || x.At != 1 || x.Chunks != 1 {
		t.Errorf("%+v", x)
	}
	x = s.sample(message.AskPreview{Chunking: "words(n=4,overlap=2)"}).Sample
	if p := x.Pieces[1]; p.Again != "was late." || p.Text != "  Fog came." && p.Text != "Fog came." {
		t.Errorf("%+v", p)
	}
	if x := s.sample(message.AskPreview{Chunking: "words(n=4,overlap=4)"}).Sample; !strings.Contains(x.Problem,
		"overlap must be") {
		t.Errorf("%+v", x)
	}
	if x := s.sample(message.AskPreview{}).Sample; x.All != 2 || x.Chunks != 1 {
		t.Errorf("%+v", x)
	}
}

// The same documents split in the same way are the same collection, whether they were split at once or again, from
// whole documents or from other chunks.
func TestSplittingAgainNeedsNoFiles(t *testing.T) {
	s := notes(t)
	whole := s.split(message.AskUpload{})
	if whole.Name != "n" || whole.Documents != 2 || whole.Chunked || !whole.Splits {
		t.Fatalf("%+v", whole)
	}
	at := s.split(message.AskUpload{Chunking: "headings"})
	if at.Name != "n by headings" || at.Documents != 4 || at.Judgments != 3 || !at.Chunked || !at.Splits {
		t.Fatalf("%+v", at)
	}
	s.e.Device.Files = func(int) (io.Reader, error) { return nil, fmt.Errorf("a file was read") }
	again := s.split(message.AskUpload{From: whole.ID, Chunking: "headings"})
	words := s.split(message.AskUpload{From: again.ID, Chunking: "words(n=4,overlap=2)"})
	if words.Name != "n by words(n=4,overlap=2)" {
		t.Errorf("%+v", words)
	}
	third := s.split(message.AskUpload{From: words.ID, Chunking: "headings"})
	back := s.split(message.AskUpload{From: words.ID})
	if again.ID != at.ID || third.ID != at.ID || back.ID != whole.ID || back.Name != "n" {
		t.Errorf("%s %s %s, want %s; whole again %s (%s), want %s", again.ID, third.ID, at.ID, at.ID, back.ID,
			back.Name,
			whole.ID)
	}
	list := s.ask(message.Uploads, message.Request{Question: &message.AskUploads{}}).Answer.(*message.Shelf).List
	if len(list) != 3 {
		t.Errorf("%d collections, want 3: whole, headings and words", len(list))
	}
	x := s.ask(message.Preview, message.Request{Question: &message.AskPreview{From: words.ID,
		Chunking: "headings"}}).Answer.(*message.Previewed)
	if x.Documents != 2 || !x.Exact || x.Sample.ID != "crane.md" || x.Sample.All != 4 {
		t.Errorf("%+v", x)
	}
	f, err := chunk.ReadFile(bundle.ChunksName, s.shelf.files[at.ID+"/"+bundle.ChunksName])
	if err != nil || f.Chunking != "headings" || f.Chunks[1].ID != "ferry.md#1" || f.Chunks[2].Span.Start != 32 {
		t.Errorf("%+v, %v", f, err)
	}
	if o := s.ask(message.Open, message.Request{Question: &message.Place{Base: "/uploads/" + at.ID +
		"/"}}); o.Problem != nil {
		t.Errorf("%+v", o.Problem)
	} else if ref := o.Answer.(*message.Opened).Ref; ref.Size() != "4 chunks" {
		t.Errorf("it says that it has %s", ref.Size())
	}
	found := s.ask(message.Search, message.Request{Question: &experiment.Spec{Query: "cranes",
		Systems: []string{"bm25"}}})
	if r, ok := found.Answer.(*experiment.Results); !ok || len(r.Lists[0].Hits) == 0 ||
		r.Lists[0].Hits[0].Part != "chunk 1 of 1 of crane.md" && r.Lists[0].Hits[0].Part != "chunk 3 of 3 of ferry.md" {
		t.Errorf("%+v", found)
	}
}

// By hand: "mine" grades crane.md 3, which all of its chunks have then; of ferry.md one chunk of four words is graded
// 2. Half of it, "port was", is of the section Port, and of no other: that one has it. The note stands at the chunk
// that shares most.
func TestGradesComeAlong(t *testing.T) {
	s := notes(t)
	whole := s.split(message.AskUpload{})
	w := workspace.New(workspace.Documents{Collection: whole.ID})
	apply := func(w *workspace.Workspace, list ...workspace.Edit) []byte {
		for _, x := range list {
			x.Stamp = w.Next(5, "a")
			if _, err := w.Apply(x); err != nil {
				t.Fatal(err)
			}
		}
		zip, err := w.Export()
		if err != nil {
			t.Fatal(err)
		}
		return zip
	}
	zip := apply(w, workspace.Edit{Kind: workspace.SetQuery, Query: "q1-a", Text: "oil"},
		workspace.Edit{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "crane.md", Grade: 3},
		workspace.Edit{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "gone.md", Grade: 1},
		workspace.Edit{Kind: workspace.SetNote, Layer: "mine", Query: "q1-a", Document: "crane.md",
			Text: "it is oiled"},
		workspace.Edit{Kind: workspace.SetSpec, Spec: "share", Form: workspace.Pool, Text: "7 crane.md"})
	words := s.split(message.AskUpload{From: whole.ID, Chunking: "words(n=4,overlap=0)", Zip: zip})
	if !slices.ContainsFunc(words.Warnings, func(w string) bool {
		return strings.HasPrefix(w,
			"1 judgment has no place")
	}) {
		t.Errorf("%q", words.Warnings)
	}
	second := workspace.New(workspace.Documents{Collection: words.ID})
	if lost := second.Replay(words.Edits); len(lost) > 0 {
		t.Fatal(lost)
	}
	holds := func(w *workspace.Workspace, want ...string) {
		t.Helper()
		var got []string
		for _, x := range w.Layer("mine").Judgments() {
			got = append(got, fmt.Sprint(x.Document, " ", x.Grade, " ", x.Graded, " ", x.Note))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	holds(second, "crane.md#1 3 true it is oiled", "crane.md#2 3 true ")
	if len(second.Queries()) != 1 || len(second.Specs()) != 0 {
		t.Errorf("%v %v", second.Queries(), second.Specs())
	}
	zip = apply(second, workspace.Edit{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "ferry.md#3",
		Grade: 2},
		workspace.Edit{Kind: workspace.SetNote, Layer: "mine", Query: "q1-a", Document: "ferry.md#3",
			Text: "names the port"})
	sections := s.split(message.AskUpload{From: words.ID, Chunking: "headings", Zip: zip})
	third := workspace.New(workspace.Documents{Collection: sections.ID})
	third.Replay(sections.Edits)
	holds(third, "crane.md#1 3 true it is oiled", "ferry.md#2 2 true names the port")
	zip, _ = third.Export()
	back := s.split(message.AskUpload{From: sections.ID, Zip: zip})
	fourth := workspace.New(workspace.Documents{Collection: back.ID})
	fourth.Replay(back.Edits)
	holds(fourth, "crane.md 3 true it is oiled", "ferry.md 2 true names the port")
}
