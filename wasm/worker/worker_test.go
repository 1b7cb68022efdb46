package worker

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

const base = "https://example.org/c/"

// site is the files of a small collection by their address.
func site(t *testing.T) map[string][]byte {
	t.Helper()
	c := &collection.Collection{Docs: []collection.Doc{
		{ID: "a", Title: "Ferry strike", Text: "No ferry sailed.", Date: "2024-11-30", Category: "business", Entities: []collection.Entity{{Name: "Union", Kind: "organisation"}}},
		{ID: "b", Title: "Storm", Text: "A ferry turned back.", Date: "2025-02-01", Category: "weather", Entities: []collection.Entity{{Name: "Union", Kind: "organisation"}, {Name: "Ada", Kind: "person"}}},
	}, Queries: []collection.Query{{ID: "q1", Text: "ferry strike"}}, Qrels: collection.NewQrels()}
	c.Qrels.Add("q1", "a", 2)
	files := map[string][]byte{}
	if _, err := bundle.Build(bundle.Source{ID: "c", Name: "C", Collection: c}, func(name string, data []byte) error {
		files[base+name] = data
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// engine returns an engine over the files, and what it has answered so far.
func engine(files map[string][]byte) (*Engine, *[]message.Reply) {
	var replies []message.Reply
	e := NewEngine(func(url string, progress func(int)) ([]byte, error) {
		b, ok := files[url]
		if !ok {
			return nil, errors.New(url + ": the server answered 404")
		}
		progress(len(b) / 2)
		progress(len(b))
		return b, nil
	}, nil, func(r message.Reply) { replies = append(replies, r) })
	return e, &replies
}

func TestOpeningTellsProgressByBytesAndDescribesTheCollection(t *testing.T) {
	e, replies := engine(site(t))
	e.Handle(message.Request{ID: 1, Kind: message.Open, Base: base, Spec: experiment.Spec{Collection: "c"}})
	got := *replies
	last := got[len(got)-1]
	if last.Opened == nil {
		t.Fatalf("%+v", last.Problem)
	}
	done := 0
	for _, r := range got[:len(got)-1] {
		if r.Progress == nil || r.Progress.Done < done || r.Progress.Done > r.Progress.Total {
			t.Fatalf("progress %+v after %d", r.Progress, done)
		}
		done = r.Progress.Done
	}
	if p := got[len(got)-2].Progress; p.Done != p.Total {
		t.Errorf("progress ends at %d of %d", p.Done, p.Total)
	}
	o := last.Opened
	var months []string
	for _, m := range o.Months {
		months = append(months, m.Value)
	}
	if want := []string{"2024-11", "2024-12", "2025-01", "2025-02"}; !slices.Equal(months, want) {
		t.Errorf("months %v, want %v", months, want)
	}
	if o.Entities[0] != (message.Count{Value: "Union", Kind: "organisation", N: 2}) || len(o.Categories) != 2 || o.Queries[0].Relevant != 1 {
		t.Errorf("%+v", o)
	}
}

func TestRequestsAreAnsweredByTheirKind(t *testing.T) {
	e, replies := engine(site(t))
	spec := experiment.Spec{Systems: []string{"bm25"}, QueryID: "q1"}
	e.Handle(message.Request{ID: 1, Kind: message.Search, Spec: spec})
	if p := (*replies)[0].Problem; p == nil || !strings.Contains(p.What, "no collection is open") {
		t.Fatalf("%+v", (*replies)[0])
	}
	e.Handle(message.Request{ID: 2, Kind: message.Open, Base: base})
	*replies = nil
	for i, k := range []message.Kind{message.Search, message.Explain, message.Evaluate, message.Ping} {
		e.Handle(message.Request{ID: uint64(10 + i), Kind: k, Spec: spec, Focus: experiment.Focus{Document: "b"}})
	}
	r := *replies
	if len(r) != 4 || r[0].Results == nil || r[1].Why == nil || r[2].Report == nil || r[3].Problem != nil {
		t.Fatalf("%+v", r)
	}
	if r[2].ID != 12 || r[2].Kind != message.Evaluate {
		t.Errorf("a reply carries %d, %d", r[2].ID, r[2].Kind)
	}
}

func TestWhatGoesWrongIsSaidWithPlaceAndRemedy(t *testing.T) {
	files := site(t)
	damaged := map[string][]byte{}
	for name, b := range files {
		if strings.Contains(name, "/index.") {
			b = slices.Clone(b)
			b[len(b)/2] ^= 1
		}
		damaged[name] = b
	}
	cases := []struct {
		name  string
		files map[string][]byte
		base  string
		want  string
	}{
		{"no such collection", files, "", "no collection"},
		{"nothing on the server", map[string][]byte{}, base, "404"},
		{"damaged", damaged, base, "index."},
		{"no manifest", map[string][]byte{base + "manifest.json": []byte("<!doctype html>")}, base, "manifest.json"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e, replies := engine(c.files)
			e.Handle(message.Request{ID: 1, Kind: message.Open, Base: c.base, Spec: experiment.Spec{Collection: "c"}})
			p := (*replies)[len(*replies)-1].Problem
			if p == nil || !strings.Contains(p.What, c.want) || p.Do == "" {
				t.Errorf("%+v", p)
			}
		})
	}
}

func TestNextMonth(t *testing.T) {
	for in, want := range map[string]string{"2024-01": "2024-02", "2024-09": "2024-10", "2024-12": "2025-01", "1999-12": "2000-01", "": "", "x": "", "2024/01": ""} {
		if got := next(in); got != want {
			t.Errorf("next(%q) = %q, want %q", in, got, want)
		}
	}
}

// The demo collection that the repository holds opens and answers all four default systems.
func TestTheDemoCollectionAnswers(t *testing.T) {
	dir := filepath.Join("..", "..", "site", "collections", "harbour-wire")
	c, err := collection.ReadBEIR(os.DirFS(dir), "test", collection.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := bundle.ReadVectors(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	if _, err := bundle.Build(bundle.Source{ID: "c", Name: "C", Collection: c, Vectors: vectors}, func(name string, data []byte) error {
		files[base+name] = data
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	e, replies := engine(files)
	e.Handle(message.Request{ID: 1, Kind: message.Open, Base: base})
	o := (*replies)[len(*replies)-1].Opened
	if o == nil || len(o.Queries) != 40 || o.Ref.Documents < 240 {
		t.Fatalf("%+v", (*replies)[len(*replies)-1])
	}
	types := map[string]int{}
	for i, q := range o.Queries {
		types[q.Type]++
		if q.Relevant < 4 || q.Relevant > 12 || !o.Encoded[i] {
			t.Errorf("%s has %d relevant documents, encoded %v", q.ID, q.Relevant, o.Encoded[i])
		}
	}
	if types["factual"] != 12 || types["analytical"] != 11 || types["breaking"] != 10 || types["historical"] != 7 {
		t.Errorf("types %v", types)
	}
	e.Handle(message.Request{ID: 2, Kind: message.Evaluate, Spec: experiment.Spec{Systems: []string{"bm25", "bm25(title=3)", "dense", "rrf(bm25, dense)"}}})
	r := (*replies)[len(*replies)-1].Report
	if r == nil {
		t.Fatalf("%+v", (*replies)[len(*replies)-1].Problem)
	}
	for _, s := range r.Systems {
		if s.Missing > 0 {
			t.Errorf("%s misses %d queries: %s", s.Notation, s.Missing, s.Why)
		}
	}
	t.Log(r.Finding, r.Note)
}
