package worker

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// A corpus whose documents have no titles reads as queries; beside a benchmark that asks for documents it is the
// corpus.
func TestBenchmarkFindsDocumentsWithoutTitles(t *testing.T) {
	files := map[int][2]string{
		1: {"b.json",
			`{"schema_version":"1.0","metadata":{},"queries":[{"query_key":"q","query_text":"t","relevant_docs":[
{"doc_ref":{"document_id":"a"},"relevance_grade":1},{"doc_ref":{"document_id":"gone"},"relevance_grade":1}]}]}`},
		2: {"corpus.jsonl", "{\"_id\":\"a\",\"text\":\"x\"}\n{\"_id\":\"b\",\"text\":\"y\"}\n"},
		3: {"r.run", "q Q0 b 1 2 t\nq Q0 a 2 1 t\n"},
	}
	l := newLab(t, files)
	s := &message.Setting{Chosen: true, Measures: []string{"AP"}}
	for id := 1; id <= 3; id++ {
		s.Files = append(s.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
	}
	d := l.compare(s)
	if d.Report == nil {
		t.Fatalf("%+v", d)
	}
	if got := d.Report.Columns[0].Values[0][0]; got != 0.25 { // 1/2 at rank 2, of two relevant documents
		t.Errorf("AP %v, want 0.25", got)
	}
	notes := ""
	for _, f := range d.Files {
		for _, n := range f.Notes {
			notes += n.Message + "\n"
		}
	}
	if !strings.Contains(notes, "PARTIAL: 1 of 2 references") {
		t.Errorf("%q", notes)
	}
}
