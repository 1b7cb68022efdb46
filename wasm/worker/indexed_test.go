//go:build !first

package worker

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// While documents are indexed, a query ranks those that are indexed so far; the list at the end is that of the
// collection when it is opened.
func TestAQueryIsAnsweredWhileItsDocumentsAreBeingIndexed(t *testing.T) {
	p := newPort(t)
	var b strings.Builder
	b.WriteString("id,title,text\n")
	for i := range 300 {
		fmt.Fprintf(&b, "d%03d,Note %d,%s %s\n", i, i, []string{"the storm came", "the port closed"}[i%2],
			strings.Repeat("again ", i%17))
	}
	p.Device.Files = func(int) (io.Reader, error) { return strings.NewReader(b.String()), nil }
	p.uploads.atOnce = 1
	now := 0.0
	p.page.clock = func() float64 { now += 30_000; return now }
	var asked uint64 = 1000
	p.page.turn = func() (message.Request, bool) {
		if asked%2 == 1 {
			asked++
			return message.Request{}, false
		}
		asked++
		return message.Request{ID: asked, Kind: message.Indexed, Question: &message.AskIndexed{Query: "storms"}}, true
	}
	r := p.ask(message.Request{Kind: message.Upload, Question: &message.AskUpload{
		Files: []message.File{{Name: "news.csv", Size: b.Len()}}}})
	made, ok := r.Answer.(*message.Uploaded)
	if !ok {
		t.Fatalf("%+v", r.Problem)
	}
	var lists []*experiment.Indexed
	before := 0
	for _, r := range p.replies {
		if r.Problem != nil {
			t.Fatalf("%+v", r.Problem)
		}
		x, ok := r.Answer.(*experiment.Indexed)
		if !ok {
			continue
		}
		if x.Query != "storms" || x.Of != 300 || x.Documents < before || len(x.Hits) != min(10, x.Documents/2) {
			t.Fatalf("%d of %d documents, %d hits for %q", x.Documents, x.Of, len(x.Hits), x.Query)
		}
		before = x.Documents
		lists = append(lists, x)
	}
	if len(lists) < 3 || lists[0].Documents == 300 || before != 300 {
		t.Fatalf("%d lists, the first of %d documents, the last of %d", len(lists), lists[0].Documents, before)
	}
	if s := lists[0].Hits[0]; fmt.Sprint(s.Title) != fmt.Sprintf("[{Note %s false}]",
		strings.TrimLeft(strings.TrimPrefix(s.ID, "d"), "0")) || !s.Snippet[1].Mark || s.Snippet[1].Text != "storm" {
		t.Errorf("%+v", s)
	}

	p.page.turn = nil
	p.opens(made.ID)
	r = p.ask(message.Request{Kind: message.Search, Question: &experiment.Spec{Query: "storms",
		Systems: []string{"bm25"}}})
	got, want := lists[len(lists)-1].Hits, r.Answer.(*experiment.Results).Lists[0].Hits
	for i, h := range got {
		if h.ID != want[i].ID || h.Score != want[i].Score {
			t.Errorf("rank %d: %s %v while indexing, %s %v in the collection", i+1, h.ID, h.Score, want[i].ID,
				want[i].Score)
		}
	}
	late := message.Request{Kind: message.Indexed, Question: &message.AskIndexed{Query: "storm"}}
	if r := p.ask(late); r.Answer != nil || r.Problem != nil {
		t.Errorf("nothing is being indexed: %+v", r)
	}
}
