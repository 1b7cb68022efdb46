package worker

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/remote/gateway"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

const harbour = "../../site/collections/harbour-wire"

// searchEngine is what stands behind the gateway: it ranks the demo collection by BM25, in OpenSearch's format.
type searchEngine struct {
	*machine
	mu       sync.Mutex
	s        *experiment.Session
	texts    map[string]collection.Doc
	searched int
	looked   int
}

func (x *searchEngine) Fetch(u *gateway.Upstream) (*gateway.Reply, error) {
	if u.Body == nil {
		return &gateway.Reply{Status: 404}, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	var q struct {
		Size  int
		Query struct {
			IDs   struct{ Values []string }
			Multi struct{ Query string } `json:"multi_match"`
		}
	}
	if err := json.Unmarshal(u.Body, &q); err != nil {
		return nil, err
	}
	hits := []map[string]any{}
	if ids := q.Query.IDs.Values; ids != nil {
		x.looked++
		for _, id := range ids {
			if d, ok := x.texts[id]; ok {
				hits = append(hits, map[string]any{"_id": id, "_score": 1,
					"_source": map[string]any{"title": d.Title, "text": d.Text}})
			}
		}
	} else {
		x.searched++
		n, err := stage.Parse("bm25")
		if err != nil {
			return nil, err
		}
		r, err := x.s.Rankers.Of(n)
		if err != nil {
			return nil, err
		}
		list, err := r.Rank(rank.Query{Text: q.Query.Multi.Query}, q.Size, nil, nil)
		if err != nil {
			return nil, err
		}
		for _, h := range list {
			hits = append(hits, map[string]any{"_id": x.s.Bundle().Cards[h.Doc].ID, "_score": h.Score})
		}
	}
	b, err := json.Marshal(map[string]any{"hits": map[string]any{"hits": hits}})
	return &gateway.Reply{Status: 200, Body: b}, err
}

// behindEngine lets the worker ask a real gateway with the search engine behind it, whose documents have a prefix.
func behindEngine(t *testing.T, prefix string) *searchEngine {
	t.Helper()
	c, err := collection.ReadBEIRWith(os.DirFS(harbour), "test", collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := &searchEngine{machine: behindGateway(t), texts: map[string]collection.Doc{}}
	for i := range c.Docs {
		c.Docs[i].ID = prefix + c.Docs[i].ID
		x.texts[c.Docs[i].ID] = c.Docs[i]
	}
	files := map[string][]byte{}
	src := bundle.Source{ID: "harbour", Name: "H", Collection: c}
	m, err := bundle.Build(src, func(name string, data []byte) error { files[name] = data; return nil })
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	x.s = experiment.NewSession(b, fetch)
	config, err := gateway.ParseConfig([]byte(`{"limits":{"per_minute":100000},"backends":[{"id":"wire",
		"kind":"opensearch","url":"http://service.example","index":"harbour","text_fields":["title","text"],
		"title_field":"title","text_field":"text","does":["search"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	x.g = gateway.New(config, x)
	return x
}

// queriesAndQrels are the demo's, without its documents, and a judgment of a document that nobody has.
func queriesAndQrels(t *testing.T, ghost bool) (out [][2]string) {
	t.Helper()
	for _, name := range []string{"queries.jsonl", "qrels/test.tsv"} {
		b, err := os.ReadFile(filepath.Join(harbour, name))
		if err != nil {
			t.Fatal(err)
		}
		if ghost && name != "queries.jsonl" {
			b = append(b, "q01\tghost\t1\n"...)
		}
		out = append(out, [2]string{"harbour/" + name, string(b)})
	}
	return out
}

// remoteShop makes a collection of queries and judgments whose documents are in wire, and opens it.
func remoteShop(t *testing.T, ghost bool) (s *shop, made *message.Uploaded) {
	t.Helper()
	s = open(t, queriesAndQrels(t, ghost)...)
	r := s.ask(message.Upload, message.Request{Question: &message.AskUpload{Files: s.files, Backend: "wire"}})
	made, ok := r.Answer.(*message.Uploaded)
	if !ok {
		t.Fatalf("%+v", r.Problem)
	}
	s.openIt(made.ID)
	return s, made
}

func (s *shop) openIt(id string) *message.Opened {
	s.t.Helper()
	r := s.ask(message.Open, message.Request{Question: &message.Place{Collection: id, Base: "/uploads/" + id + "/"}})
	o, ok := r.Answer.(*message.Opened)
	if !ok {
		s.t.Fatalf("%+v", r.Problem)
	}
	return o
}

func (s *shop) search(spec experiment.Spec) *experiment.Results {
	s.t.Helper()
	r := s.ask(message.Search, message.Request{Question: &spec})
	x, ok := r.Answer.(*experiment.Results)
	if !ok {
		s.t.Fatalf("%+v", r.Problem)
	}
	return x
}

func (s *shop) evaluate(spec experiment.Spec) *report.Report {
	s.t.Helper()
	r := s.ask(message.Evaluate, message.Request{Question: &spec})
	x, ok := r.Answer.(*report.Report)
	if !ok {
		s.t.Fatalf("%+v", r.Problem)
	}
	return x
}

// lines are the hits of a list as people see them.
func lines(l *experiment.List) (out []string) {
	for _, h := range l.Hits {
		text := h.ID
		for _, part := range [][]experiment.Segment{h.Title, h.Snippet} {
			for _, s := range part {
				text += fmt.Sprint("|", s.Text, s.Mark)
			}
		}
		out = append(out, text)
	}
	return out
}

// A collection of queries and judgments alone gives what it gives with the documents here: lists with titles and
// excerpts, figures, grades. Nothing is asked before somebody allows it, and a reload asks nothing again.
func TestDocumentsAreElsewhere(t *testing.T) {
	x := behindEngine(t, "")
	store := map[string]*matrix.Memory{}
	before := keepIn
	t.Cleanup(func() { keepIn = before })
	keepIn = func(name string) (matrix.Store, error) {
		if store[name] == nil {
			store[name] = &matrix.Memory{}
		}
		return store[name], nil
	}
	s, made := remoteShop(t, false)
	if made.Queries != 44 || made.Backend != "wire" || made.System != "search(backend=wire)" || made.Name != "harbour" {
		t.Fatalf("%+v", made)
	}
	if p := s.preview(); p.Queries != 44 || p.Judgments != made.Judgments ||
		len(p.Tables) != 0 {
		t.Errorf("%d queries, %d judgments of %d", p.Queries, p.Judgments, made.Judgments)
	}
	for name, data := range s.shelf.files {
		if strings.Contains(string(data), "houseboat owners") { // words of a document
			t.Errorf("%s holds a text", name)
		}
	}
	spec := experiment.Spec{Systems: []string{made.System}, QueryID: "q01", Measures: []string{"nDCG@10", "R@100"}}
	if l := s.search(spec).Lists[0]; l.Unasked != "Not asked yet: 1 call with 1 text, about 8 tokens." ||
		len(l.Hits) != 0 || x.searched+x.looked != 0 {
		t.Fatalf("%+v, %d searches", l, x.searched)
	}
	if r := s.evaluate(spec); !strings.HasPrefix(r.Systems[0].Why, "Not asked yet: 44 calls with 44 texts") ||
		x.searched != 0 {
		t.Fatalf("%+v, %d searches", r.Systems[0], x.searched)
	}
	spec.Spend = 100
	found := s.search(spec)
	if x.searched != 1 || x.looked != 1 || found.Spent != 8 {
		t.Errorf("%d searches, %d lookups, %d tokens", x.searched, x.looked, found.Spent)
	}
	// the same query over the documents themselves
	near := spec
	near.Systems, near.Spend = []string{"bm25"}, 0
	want, err := x.s.Search(near)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := lines(&found.Lists[0]), lines(&want.Lists[0]); len(a) != 10 || strings.Join(a, "\n") != strings.Join(b,
		"\n") {
		t.Errorf("%q\nwant %q", a, b)
	}
	spec.Spend = -1
	far := s.evaluate(spec)
	here, err := x.s.Evaluate(near, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range far.Columns {
		if a, b := far.Columns[i].Means[0], here.Columns[i].Means[0]; a != b || a == 0 {
			t.Errorf("%s is %v, with the documents here %v", far.Columns[i].Measure, a, b)
		}
	}
	if x.searched != 44 {
		t.Errorf("%d searches for 44 queries", x.searched)
	}
	// a typed query finds documents that no judged one did; grades and lists stay what they are
	spec.QueryID, spec.Query, spec.Spend = "", "fog", 100
	if l := s.search(spec).Lists[0]; len(l.Hits) == 0 || l.Problem != "" {
		t.Errorf("%+v", l)
	}
	s.readAndGrade(x, made.ID, spec)

	// the same device, another visit: the answers are there, the texts are asked for when shown
	again := open(t)
	again.shelf.files = s.shelf.files
	if o := again.openIt(made.ID); len(o.Queries) != 44 {
		t.Errorf("%d queries", len(o.Queries))
	}
	searched, looked := x.searched, x.looked
	spec.QueryID, spec.Query, spec.Spend = "q01", "", 0
	if a, b := lines(&again.search(spec).Lists[0]), lines(&want.Lists[0]); strings.Join(a, "\n") != strings.Join(b,
		"\n") {
		t.Errorf("after a reload %q", a)
	}
	if r := again.evaluate(spec); r.Columns[0].Means[0] != here.Columns[0].Means[0] || r.Systems[0].Why != "" {
		t.Errorf("after a reload %+v", r.Systems[0])
	}
	if x.searched != searched || x.looked != looked+1 {
		t.Errorf("%d searches and %d lookups after a reload", x.searched-searched, x.looked-looked)
	}
}

// readAndGrade opens a document, grades it in the workspace, and measures with that.
func (s *shop) readAndGrade(x *searchEngine, id string, spec experiment.Spec) {
	s.t.Helper()
	spec.QueryID, spec.Query, spec.Spend = "q01", "", 0
	first := s.search(spec).Lists[0].Hits[0].ID
	searched := x.searched
	r := s.ask(message.Explain, message.Request{Question: &message.AskWhy{Spec: spec,
		Focus: experiment.Focus{Document: first}}})
	why, ok := r.Answer.(*experiment.Why)
	if !ok || why.Document.Text != x.texts[first].Text || why.Document.Title != x.texts[first].Title || why.Rank != 1 {
		s.t.Fatalf("%+v %+v", why, r.Problem)
	}
	w := workspace.New(workspace.Documents{Collection: id})
	e := workspace.Edit{Kind: workspace.SetGrade, Layer: "mine", Query: "q01", Document: first, Grade: 0}
	e.Stamp = w.Next(1, "a")
	if _, err := w.Apply(e); err != nil {
		s.t.Fatal(err)
	}
	zip, err := w.Export()
	if err != nil {
		s.t.Fatal(err)
	}
	before := s.evaluate(spec).Columns[0].Means[0]
	if r := s.ask(message.Adopt, message.Request{Question: &message.AskAdopt{Collection: id,
		Zip: zip}}); r.Problem != nil {
		s.t.Fatal(r.Problem)
	}
	if g := s.search(spec).Lists[0].Hits[0]; g.ID != first || g.Grade != 0 {
		s.t.Errorf("%s has grade %v", g.ID, g.Grade)
	}
	if after := s.evaluate(spec).Columns[0].Means[0]; after == before {
		s.t.Errorf("%v before and after a grade of the first document", after)
	}
	if x.searched != searched {
		s.t.Errorf("%d searches for a grade", x.searched-searched)
	}
}

// Judged documents that no backend found are counted and named once all queries were asked; what needs documents says
// so; an experiment measures as the board does.
func TestUnknownIDsAreNamed(t *testing.T) {
	x := behindEngine(t, "")
	s, made := remoteShop(t, true)
	spec := experiment.Spec{Systems: []string{made.System, "bm25"}, QueryID: "q01", Measures: []string{"nDCG@10"},
		Spend: -1}
	board := s.evaluate(spec)
	spec.Spend = 0
	lists := s.search(spec).Lists
	if n := lists[0].Note; !strings.Contains(n, "judged documents were found by no backend, such as ghost") {
		t.Errorf("%q", n)
	}
	if p := lists[1].Problem; !strings.Contains(p, "needs the words of the documents") {
		t.Errorf("%q", p)
	}
	r := s.ask(message.Explain, message.Request{Question: &message.AskWhy{Spec: spec,
		Focus: experiment.Focus{Document: "ghost"}}})
	if why, ok := r.Answer.(*experiment.Why); !ok ||
		why.Document.Text != "The backend wire has no document of this id." {
		t.Errorf("%+v %+v", r.Answer, r.Problem)
	}
	m := message.Matrix{Systems: []string{made.System}, Measures: []string{"nDCG@10"}}
	var done *message.Experimented
	for range 20 {
		r := s.ask(message.Experiment, message.Request{Question: &message.AskExperiment{Matrix: m, Go: true}})
		if done = r.Answer.(*message.Experimented); done.Over {
			break
		}
	}
	if !done.Over || done.Runs[0].Mean != board.Columns[0].Means[0] || x.searched != 44 ||
		!strings.Contains(done.Note, "found by no backend, such as ghost") {
		t.Errorf("%+v, %d searches, want %v", done, x.searched, board.Columns[0].Means[0])
	}
}

// An index with other ids has no figures.
func TestAnIndexOfOtherIDsHasNoFigures(t *testing.T) {
	behindEngine(t, "other-")
	s, made := remoteShop(t, false)
	spec := experiment.Spec{Systems: []string{made.System}, Measures: []string{"nDCG@10"}, Spend: -1}
	if r := s.evaluate(spec); !strings.Contains(r.Systems[0].Why, "that the backend wire found is among the") ||
		!r.Unanswered(0) {
		t.Errorf("%+v", r.Systems[0])
	}
}

// Without an edge no such collection is made, and files without documents are refused as before.
func TestNoCollectionWithoutABackend(t *testing.T) {
	behindEngine(t, "")
	s := open(t, queriesAndQrels(t, false)...)
	for _, backend := range []string{"", "gone"} {
		r := s.ask(message.Upload, message.Request{Question: &message.AskUpload{Files: s.files, Backend: backend}})
		if r.Problem == nil {
			t.Errorf("%q: %+v", backend, r.Answer)
		}
	}
	before := askEdge
	askEdge = func(string, string, []byte) (remote.Reply, error) { return remote.Reply{}, fmt.Errorf("away") }
	defer func() { askEdge = before }()
	r := s.ask(message.Upload, message.Request{Question: &message.AskUpload{Files: s.files, Backend: "wire"}})
	if r.Problem == nil || !strings.Contains(r.Problem.What, "no search backend wire") {
		t.Errorf("%+v", r.Problem)
	}
}

// A private edge wants a key, which goes with every request and is found again on this device.
func TestAPrivateEdgeIsOpenedByASavedKey(t *testing.T) {
	x := behindEngine(t, "")
	config, err := gateway.ParseConfig([]byte(`{"keys":{"secret":"CLIENT_KEYS"},"backends":[{"id":"wire",
		"kind":"opensearch","url":"http://service.example","index":"harbour","does":["search"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	x.g = gateway.New(config, x)
	key, err := gateway.NewKey(keySecret, "lea", time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	before, was := askEdge, edgeKey
	t.Cleanup(func() { askEdge, edgeKey = before, was })
	askEdge = func(method, path string, body []byte) (remote.Reply, error) {
		a := x.g.Serve(&gateway.Call{Method: method, Path: path, ContentType: "application/json", Client: "test",
			Authorization: "Bearer " + edgeKey, Body: func(int) ([]byte, error) { return body, nil }})
		return remote.Reply{Status: a.Status, Body: a.Body}, nil
	}
	s := open(t)
	offered := func(s *shop, ask message.AskBehind) *message.Offered {
		return s.ask(message.Behind, message.Request{Question: &ask}).Answer.(*message.Offered)
	}
	if o := offered(s, message.AskBehind{}); !o.Private || o.Keyed {
		t.Errorf("%+v", o)
	}
	if o := offered(s, message.AskBehind{Save: true, Key: "rbk.lea.20990101.0"}); !o.Private || !o.Keyed {
		t.Errorf("%+v", o)
	}
	if o := offered(s, message.AskBehind{Save: true, Key: " " + key + "\n"}); o.Private || o.Why != "" ||
		len(o.Named("search")) != 1 {
		t.Errorf("%+v", o)
	}
	edgeKey = "" // another tab
	again := open(t)
	again.shelf.files = s.shelf.files
	if o := offered(again, message.AskBehind{}); o.Private || !o.Keyed {
		t.Errorf("%+v", o)
	}
	if o := offered(again, message.AskBehind{Save: true}); !o.Private || o.Keyed || len(again.shelf.files) != 0 {
		t.Errorf("%+v", o)
	}
}

// keySecret is the secret of keys that the gateway of these tests has.
var keySecret = strings.Repeat("k", 32)
