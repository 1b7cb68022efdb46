package experiment_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// Shards of texts that cannot be fetched leave rankings with ids, titles and scores, and are fetched again by the next
// search.
func TestRankingsNeedNoTexts(t *testing.T) {
	c := &collection.Collection{Qrels: collection.NewQrels(), Queries: []collection.Query{{ID: "q1", Text: "strike"}},
		Docs: []collection.Doc{
			{ID: "a", Title: "Strike ends", Text: "The strike ended."},
			{ID: "b", Title: "Strike begins", Text: "A strike of dockers began today."},
			{ID: "c", Title: "Lightning", Text: "A strike of lightning."},
			{ID: "d", Title: "Ships", Text: "Ships wait."}}}
	c.Qrels.Add("q1", "a", 1)
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "t", Name: "Test", Collection: c, Shard: 2},
		func(name string, data []byte) error {
			files[name] = data
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	down := false
	fetch := func(f bundle.File) ([]byte, error) {
		if down && f.Role == "texts/1" {
			return nil, errors.New("no network")
		}
		return files[f.Name], nil
	}
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	s := experiment.NewSession(b, fetch)
	lacking := func() (n int, ids string) {
		r, err := s.Search(experiment.Spec{Systems: []string{"bm25"}, QueryID: "q1"})
		if err != nil {
			t.Fatal(err)
		}
		if r.Lists[0].Again != down {
			t.Errorf("to be asked for again: %v, though the file is missing: %v", r.Lists[0].Again, down)
		}
		for _, h := range r.Lists[0].Hits {
			ids += h.ID
			if len(h.Snippet) == 1 && strings.Contains(h.Snippet[0].Text, "could not be loaded") {
				n++
			}
			if len(h.Title) == 0 || h.Score <= 0 {
				t.Errorf("%+v", h)
			}
		}
		return n, ids
	}
	down = true
	n, without := lacking()
	if n == 0 || n == 3 {
		t.Errorf("%d of %s lack their text", n, without)
	}
	down = false
	if n, with := lacking(); n != 0 || with != without {
		t.Errorf("%d of %s lack their text, %s before", n, with, without)
	}
}

// Lists whose texts take long are told early, with everything but the texts, and then answered as ever.
func TestListsGoAheadOfTextsThatTakeLong(t *testing.T) {
	c := &collection.Collection{Qrels: collection.NewQrels(), Queries: []collection.Query{{ID: "q1", Text: "strike"}},
		Docs: []collection.Doc{{ID: "a", Title: "Strike ends", Text: "The strike ended."},
			{ID: "b", Title: "Strike begins", Text: "A strike of dockers began today."},
			{ID: "c", Title: "Ships", Text: "Ships wait."}}}
	c.Qrels.Add("q1", "a", 1)
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "t", Name: "Test", Collection: c, Shard: 1},
		func(name string, data []byte) error { files[name] = data; return nil })
	if err != nil {
		t.Fatal(err)
	}
	held := make(chan bool)
	fetch := func(f bundle.File) ([]byte, error) {
		if strings.HasPrefix(f.Role, "texts/") {
			<-held
		}
		return files[f.Name], nil
	}
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	s := experiment.NewSession(b, fetch)
	var early []*experiment.Results
	s.Texts.Early = func(r *experiment.Results) {
		early = append(early, r)
		close(held) // the texts come
	}
	search := func() *experiment.Results {
		r, err := s.Search(experiment.Spec{Systems: []string{"bm25", "bm25(title=2)"}, QueryID: "q1"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := search()
	if len(early) != 1 {
		t.Fatalf("%d early answers, want 1", len(early))
	}
	for i, l := range r.Lists {
		before := early[0].Lists[i]
		if len(l.Hits) != 2 || len(before.Hits) != 2 || l.Again || before.Again {
			t.Fatalf("%+v, early %+v", l, before)
		}
		for j, h := range l.Hits {
			e := before.Hits[j]
			if e.ID != h.ID || e.Score != h.Score || e.Grade != h.Grade || len(e.Title) == 0 {
				t.Errorf("early %+v, then %+v", e, h)
			}
			if e.Snippet[0].Text != "Loading the text …" || strings.Contains(h.Snippet[0].Text, "Loading") {
				t.Errorf("the text of %s: early %v, then %v", h.ID, e.Snippet, h.Snippet)
			}
		}
	}
	if search(); len(early) != 1 {
		t.Error("an early answer though the texts are there")
	}
}
