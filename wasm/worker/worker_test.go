package worker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

const base = "https://example.org/c/"

// site is the files of a small collection by their address.
func site(t *testing.T) map[string][]byte {
	t.Helper()
	c := &collection.Collection{Docs: []collection.Doc{
		{ID: "a", Title: "Ferry strike", Text: "No ferry sailed.", Date: "2024-11-30", Category: "business",
			Entities: []collection.Entity{{Name: "Union", Kind: "organisation"}}},
		{ID: "b", Title: "Storm", Text: "A ferry turned back.", Date: "2025-02-01", Category: "weather",
			Entities: []collection.Entity{{Name: "Union", Kind: "organisation"}, {Name: "Ada", Kind: "person"}}},
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
	e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Collection: "c", Base: base}})
	got := *replies
	last := got[len(got)-1]
	o, ok := last.Answer.(*message.Opened)
	if !ok {
		t.Fatalf("%+v", last.Problem)
	}
	done := 0
	for _, r := range got[:len(got)-1] {
		if r.Progress == nil || r.Progress.Done < done || r.Progress.Done > r.Progress.Total {
			t.Fatalf("progress %+v after %d", r.Progress, done)
		}
		done = r.Progress.Done
	}
	if p := got[len(got)-2].Progress; p.Done != p.Total || !p.Rest || got[len(got)-3].Progress.Rest {
		t.Errorf("progress ends at %d of %d", p.Done, p.Total)
	}
	var months []string
	for _, m := range o.Months {
		months = append(months, m.Value)
	}
	if want := []string{"2024-11", "2024-12", "2025-01", "2025-02"}; !slices.Equal(months, want) {
		t.Errorf("months %v, want %v", months, want)
	}
	if o.Entities[0] != (message.Count{Value: "Union", Kind: "organisation", N: 2}) || len(o.Categories) != 2 ||
		o.Queries[0].Relevant != 1 {
		t.Errorf("%+v", o)
	}
}

// Two documents of 4,096 numbers are 8 kB of int8 on a device that takes 6,000 bytes a file.
func TestWhatIsMoreThanTheDeviceHoldsIsSaidBeforeItIsFetched(t *testing.T) {
	const dim = 4096
	rows := make([]float32, 2*dim)
	for i := range rows {
		rows[i] = float32(i%7) - 3
	}
	c := &collection.Collection{Docs: []collection.Doc{{ID: "a", Title: "Ferry strike"}, {ID: "b", Title: "Storm"}},
		Queries: []collection.Query{{ID: "q1", Text: "ferry"}}, Qrels: collection.NewQrels()}
	files := map[string][]byte{}
	if _, err := bundle.Build(bundle.Source{ID: "c", Name: "C", Collection: c, Vectors: []bundle.SourceVectors{{
		Model: bundle.Model{Name: "m", Label: "m", Dim: dim}, Docs: dense.Quantise(rows, dim),
		DocIDs: []string{"a", "b"}, Queries: dense.Quantise(rows[:dim], dim), QueryIDs: []string{"q1"},
	}}}, func(name string, data []byte) error {
		files[base+name] = data
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name         string
		limit        int
		opens, finds bool
	}{{"a large device", 1 << 30, true, true}, {"one that says nothing", 0, true, true},
		{"a small one", 6000, true, false}, {"a tiny one", 10, false, false}} {
		t.Run(tt.name, func(t *testing.T) {
			e, replies := engine(files)
			fetch, most := e.open.fetch, 0
			var mu sync.Mutex // several files are fetched at a time
			e.open.fetch = func(url string, progress func(int)) ([]byte, error) {
				b, err := fetch(url, progress)
				mu.Lock()
				defer mu.Unlock()
				if !strings.HasSuffix(url, "manifest.json") {
					most = max(most, len(b))
				}
				return b, err
			}
			e.Handle(message.Request{ID: 1, Kind: message.Open,
				Question: &message.Place{Collection: "c", Base: base, Limit: tt.limit}})
			if p := (*replies)[len(*replies)-1].Problem; (p == nil) != tt.opens || p != nil &&
				!strings.Contains(p.What, "it was not fetched") {
				t.Fatalf("%+v", p)
			}
			if !tt.opens {
				return
			}
			e.Handle(message.Request{ID: 2, Kind: message.Search,
				Question: &experiment.Spec{QueryID: "q1", Systems: []string{"dense(model=m)", "bm25"}}})
			last := (*replies)[len(*replies)-1]
			found, ok := last.Answer.(*experiment.Results)
			if !ok {
				t.Fatalf("%+v", last.Problem)
			}
			l := found.Lists
			if (l[0].Problem == "") != tt.finds || !tt.finds &&
				!strings.Contains(l[0].Problem,
					"is 8 kB, more than fits into the memory of this device, which takes 6 kB a file") ||
				l[1].Problem != "" {
				t.Errorf("%q, %q", l[0].Problem, l[1].Problem)
			}
			if tt.limit > 0 && most > tt.limit {
				t.Errorf("%d bytes of a file were fetched", most)
			}
			var told []message.Progress
			for _, r := range *replies {
				if r.ID == 2 && r.Progress != nil {
					told = append(told, *r.Progress)
				}
			}
			if tt.finds { // the file that documents' vectors are in, and what is read of it
				if len(told) < 2 || told[1].What != "vectors of m" || told[1].Total < 2*dim ||
					told[0].Done != told[0].Total/2 || told[1].Done != told[1].Total {
					t.Errorf("it was told %+v while they arrived", told)
				}
			} else if len(told) > 0 {
				t.Errorf("%+v of what was not fetched", told)
			}
		})
	}
}

func TestRequestsAreAnsweredByTheirKind(t *testing.T) {
	e, replies := engine(site(t))
	spec := experiment.Spec{Systems: []string{"bm25"}, QueryID: "q1"}
	e.Handle(message.Request{ID: 1, Kind: message.Search, Question: &spec})
	if p := (*replies)[0].Problem; p == nil || !strings.Contains(p.What, "no collection is open") {
		t.Fatalf("%+v", (*replies)[0])
	}
	e.Handle(message.Request{ID: 2, Kind: message.Open, Question: &message.Place{Base: base}})
	*replies = nil
	for i, r := range []message.Request{{Kind: message.Search, Question: &spec},
		{Kind: message.Explain, Question: &message.AskWhy{Spec: spec, Focus: experiment.Focus{Document: "b"}}},
		{Kind: message.Evaluate, Question: &spec}, {Kind: message.Ping}} {
		r.ID = uint64(10 + i)
		e.Handle(r)
	}
	r := *replies
	if len(r) != 4 {
		t.Fatalf("%+v", r)
	}
	for i := range r {
		if r[i].Problem != nil || reflect.TypeOf(r[i].Answer) != reflect.TypeOf(r[i].Kind.Answer()) {
			t.Errorf("%+v", r[i])
		}
	}
	if r[2].ID != 12 || r[2].Kind != message.Evaluate {
		t.Errorf("a reply carries %d, %d", r[2].ID, r[2].Kind)
	}
}

// A kind that has no handler, or one of other types, would be answered by nothing that the page reads; without its
// question it is refused. Every request has an id of its own: an encoder is answered while others are.
func TestEveryKindHasAHandler(t *testing.T) {
	e, replies := engine(site(t))
	var mu sync.Mutex
	e.page.reply = func(r message.Reply) {
		mu.Lock()
		defer mu.Unlock()
		*replies = append(*replies, r)
	}
	id := uint64(0)
	last := func(r message.Request) (got message.Reply) { // what r was answered at once
		id++
		r.ID = id
		e.Handle(r)
		mu.Lock()
		defer mu.Unlock()
		for _, x := range *replies {
			if x.ID == id {
				got = x
			}
		}
		return got
	}
	for k := range message.Kind(1000) {
		if k != message.Ping && k.Answer() == nil { // there is no such kind
			continue
		}
		if _, ok := handlers[k]; !ok {
			t.Errorf("kind %d has no handler", k)
			continue
		}
		if k.Question() == nil {
			continue
		}
		if p := last(message.Request{Kind: k}).Problem; p == nil || !strings.Contains(p.What, "the request is empty") {
			t.Errorf("kind %d without a question: %+v", k, p)
		}
		got := last(message.Request{Kind: k, Question: k.Question()})
		if p := got.Problem; p != nil && strings.Contains(p.What, "the request is empty") {
			t.Errorf("kind %d: the handler wants another question than the message carries", k)
		}
		if got.Answer != nil && reflect.TypeOf(got.Answer) != reflect.TypeOf(k.Answer()) {
			t.Errorf("kind %d: the answer is a %T", k, got.Answer)
		}
	}
	if p := last(message.Request{Kind: 99}).Problem; p == nil || !strings.Contains(p.What, "request 99 is not known") {
		t.Errorf("%+v", p)
	}
}

// Registering happens before main, so a mistake in it ends every test and every program.
func TestAHandlerOfOtherTypesOrASecondOneIsRefused(t *testing.T) {
	saying := func(f func()) (said any) {
		defer func() { said = recover() }()
		f()
		return nil
	}
	if said := saying(func() {
		register(message.Encode, handler{}, toEngine,
			func(*Engine, message.Request, *message.EncoderFile) (*message.Encoder, error) { return nil, nil })
	}); said != "worker: a kind has two handlers" {
		t.Errorf("a second handler: %v", said)
	}
	was := handlers[message.Open]
	defer func() { handlers[message.Open] = was }()
	delete(handlers, message.Open)
	if said := saying(func() {
		register(message.Open, handler{}, toEngine,
			func(*Engine, message.Request, *message.Place) (*message.Encoder, error) { return nil, nil })
	}); said != "worker: a handler has the types of another kind" {
		t.Errorf("a handler of other types: %v", said)
	}
}

func TestANewerRequestTakesThePlaceOfAnOlderOne(t *testing.T) {
	newest := map[message.Kind]uint64{message.Search: 5, message.Statistics: 3, message.Runs: 4, message.Tests: 2}
	for _, c := range []struct {
		kind message.Kind
		id   uint64
		want bool
	}{{message.Search, 4, true}, {message.Search, 5, false}, {message.Runs, 4, false}, {message.Tests, 2, false},
		{message.Statistics, 3, true}} {
		if got := superfluous(message.Request{ID: c.id, Kind: c.kind}, newest); got != c.want {
			t.Errorf("kind %d, request %d: %t", c.kind, c.id, got)
		}
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
			e.Handle(message.Request{ID: 1, Kind: message.Open,
				Question: &message.Place{Collection: "c", Base: c.base}})
			p := (*replies)[len(*replies)-1].Problem
			if p == nil || !strings.Contains(p.What, c.want) || p.Do == "" {
				t.Errorf("%+v", p)
			}
		})
	}
}

func TestNextMonth(t *testing.T) {
	for in, want := range map[string]string{"2024-01": "2024-02", "2024-09": "2024-10", "2024-12": "2025-01",
		"1999-12": "2000-01", "": "", "x": "", "2024/01": ""} {
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
	models, err := bundle.ReadVectors(os.DirFS(dir), "vectors", nil)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	if _, err := bundle.Build(bundle.Source{ID: "c", Name: "C", Collection: c, Vectors: models.Vectors},
		func(name string, data []byte) error {
			files[base+name] = data
			return nil
		}); err != nil {
		t.Fatal(err)
	}
	e, replies := engine(files)
	e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Base: base}})
	o, ok := (*replies)[len(*replies)-1].Answer.(*message.Opened)
	if !ok || len(o.Queries) != 44 || o.Ref.Documents < 240 {
		t.Fatalf("%+v", (*replies)[len(*replies)-1])
	}
	types := map[string]int{}
	for i, q := range o.Queries {
		types[q.Type]++
		if q.Relevant < 3 || q.Relevant > 42 || !o.Encoded[i] {
			t.Errorf("%s has %d relevant documents, encoded %v", q.ID, q.Relevant, o.Encoded[i])
		}
	}
	if types["factual"] != 13 || types["analytical"] != 11 || types["breaking"] != 10 || types["historical"] != 7 ||
		types["ambiguous"] != 3 {
		t.Errorf("types %v", types)
	}
	e.Handle(message.Request{ID: 2, Kind: message.Evaluate,
		Question: &experiment.Spec{Systems: []string{"bm25", "bm25(title=3)", "dense", "rrf(bm25, dense)"}}})
	r, ok := (*replies)[len(*replies)-1].Answer.(*report.Report)
	if !ok {
		t.Fatalf("%+v", (*replies)[len(*replies)-1].Problem)
	}
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range r.Systems {
		if s.Missing > 0 {
			t.Errorf("%s misses %d queries: %s", s.Notation, s.Missing, s.Why)
		}
		quoted := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(s.Notation) + "`[^|]*\\| ([0-9.]+) ").FindSubmatch(
			readme)
		if mean := fmt.Sprintf("%.3f", r.Columns[0].Means[i]); r.Measures[0] != "nDCG@10" || quoted == nil ||
			string(quoted[1]) != mean {
			t.Errorf("%s of %s is %s, the README says %q", r.Measures[0], s.Notation, mean, quoted)
		}
	}
	t.Log(r.Sentence(say.Plain), r.Note(say.Plain))
}

// Counted by hand in the two documents of the site: "strike" is in a alone; a is of business and November, b of
// weather and February.
func TestFacetsCountDocumentsWithAWordOfTheQuery(t *testing.T) {
	e, replies := engine(site(t))
	e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Collection: "c", Base: base}})
	for i, tt := range []struct {
		spec experiment.Spec
		want string // business, weather; the four months; Union, Ada
	}{
		{experiment.Spec{Query: "ferry"}, "1 1; 1 0 0 1; 2 1"},
		{experiment.Spec{Query: "strike"}, "1 0; 1 0 0 0; 1 0"},
		{experiment.Spec{QueryID: "q1"}, "1 1; 1 0 0 1; 2 1"},
		{experiment.Spec{Query: "nothing"}, "0 0; 0 0 0 0; 0 0"},
		{experiment.Spec{Query: "ferry", Filter: experiment.Filter{Categories: []string{"weather"}}},
			"1 1; 0 0 0 1; 1 1"},
		{experiment.Spec{Query: "ferry", Filter: experiment.Filter{To: "2024-12-31"}}, "1 0; 1 0 0 1; 1 0"},
		{experiment.Spec{Query: "ferry", Filter: experiment.Filter{Entities: []string{"Ada"}}}, "0 1; 0 0 0 1; 2 1"},
	} {
		e.Handle(message.Request{ID: uint64(2 + i), Kind: message.Narrow, Question: &tt.spec})
		f, ok := (*replies)[len(*replies)-1].Answer.(*message.Facets)
		if !ok {
			t.Fatalf("%+v", (*replies)[len(*replies)-1].Problem)
		}
		counts := func(list []message.Count, names ...string) (out []string) {
			for _, name := range names {
				i := slices.IndexFunc(list, func(c message.Count) bool { return c.Value == name })
				out = append(out, strconv.Itoa(list[i].N))
			}
			return out
		}
		got := strings.Join([]string{strings.Join(counts(f.Categories, "business", "weather"), " "),
			strings.Join(counts(f.Months, "2024-11", "2024-12", "2025-01", "2025-02"), " "),
			strings.Join(counts(f.Entities, "Union", "Ada"), " ")}, "; ")
		if got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.spec, got, tt.want)
		}
	}
}
