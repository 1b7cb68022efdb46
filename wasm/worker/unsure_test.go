package worker

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
)

// Lines of rankbox reanchor -unsure about documents and about chunks.
func TestUnsureLabelsAreReadForTheOpenCollection(t *testing.T) {
	s := notes(t)
	whole := s.split(message.AskUpload{})
	sections := s.split(message.AskUpload{From: whole.ID, Chunking: "headings"})
	at := strings.Index("The ferry was late.  Fog came.\n\n\n\nPort", "Fog")
	nowhere := chunk.Span{Start: -1, End: -1}
	begin := func(n int) chunk.Span { return chunk.Span{End: n} }
	var written bytes.Buffer
	if err := chunk.WriteUnsure(&written, []chunk.Unsure{
		{Query: "7", Document: "ferry.md", Layer: "Ada", Grade: 2, Quote: "Fog rose.",
			Span: chunk.Span{Start: 21, End: 30}, Candidate: "Fog came.", Kept: 0.5},
		{Query: "7", Document: "gone.md", Grade: 2, Quote: "x", Span: begin(1), Candidate: "T", Kept: 0.5},
		{Query: "7", Document: "ferry.md", Grade: 2, Quote: "x", Span: begin(3), Candidate: "Tha", Kept: 0.5},
		{Query: "8", Document: "ferry.md", Grade: 2, Quote: "x", Span: begin(3), Candidate: "The", Kept: 0.5},
		{Query: "7", Document: "crane.md", Grade: 1, Span: nowhere, Reason: "the document changed"},
	}); err != nil {
		t.Fatal(err)
	}
	lines := written.String()
	if at != 21 {
		t.Fatal(at)
	}
	read := func(text string) message.LayerRead {
		t.Helper()
		other := open(t, [2]string{"unsure.jsonl", text})
		files := s.e.Device.Files
		s.e.Device.Files = other.e.Device.Files
		r := s.ask(message.Layers, message.Request{Question: &message.AskLayers{Files: other.files}})
		s.e.Device.Files = files
		x, ok := r.Answer.(*message.LayersRead)
		if !ok || len(x.List) != 1 {
			t.Fatalf("%+v", r)
		}
		return x.List[0]
	}
	for _, c := range []struct{ id, first, second, before string }{
		{whole.ID, "ferry.md", "crane.md", "The ferry was late."},
		{sections.ID, "ferry.md#1", "crane.md#1", "The ferry was late."},
	} {
		s.open(c.id)
		got := read(lines)
		if len(got.Unsure) != 2 || got.Unknown != 3 || got.Problem != "" {
			t.Fatalf("%+v", got)
		}
		u := got.Unsure[0]
		if strings.Join(u.IDs, " ") != c.first || u.Before != c.before || !strings.Contains(u.Line, `"layer":"Ada"`) ||
			strings.Join(got.Unsure[1].IDs, " ") != c.second {
			t.Errorf("%+v", got.Unsure)
		}
	}
	if got := read(strings.Replace(lines, `"kept":0.5`, `"kept":7`, 1)); !strings.Contains(got.Problem,
		"ine 1: kept is a share") {
		t.Errorf("%+v", got)
	}
	if got := read(strings.ReplaceAll(lines, `"query":"7"`, `"query":"9"`)); !strings.Contains(got.Problem,
		"open the collection of the new documents") {
		t.Errorf("%+v", got)
	}
}
