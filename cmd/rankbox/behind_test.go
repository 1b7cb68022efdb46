package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rankbox/rankbox/cmd/rankbox/edge"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// crossEncoder is a service in TEI's format: the score of a text is the share of the query's words in it. It counts
// what it is asked.
type crossEncoder struct {
	mu          sync.Mutex
	asked       int
	now, most   int
	broken      func(query string) bool
	pause       time.Duration
	searchFinds []string
	finds       func(query string, k int) []string // instead of searchFinds
	texts       map[string][2]string               // a document: title and text; nil for a search without them
	looked      int                                // requests for texts
}

// answerTexts answers an ids query as OpenSearch does.
func (s *crossEncoder) answerTexts(w http.ResponseWriter, text []byte) {
	var q struct {
		Query struct{ IDs struct{ Values []string } }
	}
	json.Unmarshal(text, &q)
	s.mu.Lock()
	s.looked++
	s.mu.Unlock()
	var out []string
	for _, id := range q.Query.IDs.Values {
		if d, ok := s.texts[id]; ok {
			out = append(out, fmt.Sprintf(`{"_id":%q,"_score":1,"_source":{"title":%q,"text":%q}}`, id, d[0], d[1]))
		}
	}
	fmt.Fprintf(w, `{"hits":{"hits":[%s]}}`, strings.Join(out, ","))
}

func (s *crossEncoder) count() (asked, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked, s.most
}

func (s *crossEncoder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Query string
		Texts []string
		Size  int
	}
	text, _ := io.ReadAll(r.Body)
	json.Unmarshal(text, &q)
	if s.texts != nil && bytes.Contains(text, []byte(`"ids"`)) {
		s.answerTexts(w, text)
		return
	}
	if r.Method == "GET" { // about itself
		w.WriteHeader(404)
		return
	}
	s.mu.Lock()
	s.asked++
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.now--; s.mu.Unlock() }()
	time.Sleep(s.pause)
	if strings.HasSuffix(r.URL.Path, "/_search") {
		found := s.searchFinds
		if s.finds != nil {
			found = s.finds(q.Query, q.Size)
		}
		var out []string
		for i, id := range found[:min(q.Size, len(found))] {
			out = append(out, fmt.Sprintf(`{"_id":%q,"_score":%d}`, id, 100-i))
		}
		fmt.Fprintf(w, `{"hits":{"hits":[%s]}}`, strings.Join(out, ","))
		return
	}
	if s.broken != nil && s.broken(q.Query) {
		w.WriteHeader(500)
		return
	}
	type score struct {
		Index int     `json:"index"`
		Score float64 `json:"score"`
	}
	var out []score
	for i, text := range q.Texts {
		n, words := 0, strings.Fields(q.Query)
		for _, x := range words {
			n += strings.Count(text, x)
		}
		out = append(out, score{i, float64(n) / float64(len(words)+len(text)/40)})
	}
	json.NewEncoder(w).Encode(out)
}

// behindEdge starts a service and the real gateway before it, and returns its address.
func behindEdge(t *testing.T, s *crossEncoder) string {
	t.Helper()
	at, _ := swapping(t, s)
	return at
}

// swapping starts a service and the real gateway before it, and returns its address, and what starts another
// gateway there: one of another model of the reranker, index and template.
func swapping(t *testing.T, s *crossEncoder) (url string, swap func(model, index, template string)) {
	t.Helper()
	service := httptest.NewServer(s)
	t.Cleanup(service.Close)
	var now atomic.Pointer[edge.Handler]
	swap = func(model, index, template string) {
		t.Helper()
		c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"snapshots":true,"limits":{"per_minute":100000},"backends":[
			{"id":"ce","kind":"tei","url":%q,"model":%q,"revision":"1","does":["rerank"],
				"price":{"million_tokens":2.5,"currency":"USD"}},
			{"id":"wire","kind":"opensearch","url":%[1]q,"index":%[3]q,"does":["search"],
				"templates":{"bm25":%[4]q}},
			{"id":"told","kind":"opensearch","url":%[1]q,"index":%[3]q,"does":["search"],"title_field":"title",
				"text_field":"text","templates":{"bm25":%[4]q}}]}`, service.URL, model, index, template)))
		if err != nil {
			t.Fatal(err)
		}
		h, err := edge.New(c, edge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		now.Store(h)
	}
	swap("cross-toy", "wire", `{"size":"$k"}`)
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		now.Load().ServeHTTP(w, r)
	}))
	t.Cleanup(at.Close)
	return at.URL, swap
}

// beir writes a folder of 300 judged queries over 400 documents of made words.
func beir(t *testing.T) string {
	t.Helper()
	dir, r := t.TempDir(), rand.New(rand.NewSource(7))
	word := func() string { return fmt.Sprintf("w%d", int(300*r.Float64()*r.Float64())) }
	text := func(n int) (s string) {
		for range n {
			s += word() + " "
		}
		return s
	}
	var corpus, queries strings.Builder
	qrels := "query-id\tcorpus-id\tscore\n"
	for d := range 400 {
		fmt.Fprintf(&corpus, `{"_id":"d%d","title":%q,"text":%q}`+"\n", d, word(), text(10+r.Intn(40)))
	}
	for q := range 300 {
		fmt.Fprintf(&queries, `{"_id":"q%d","text":%q}`+"\n", q, text(3))
		for range 4 {
			qrels += fmt.Sprintf("q%d\td%d\t1\n", q, r.Intn(400))
		}
	}
	os.Mkdir(filepath.Join(dir, "qrels"), 0o777)
	for name, s := range map[string]string{"corpus.jsonl": corpus.String(), "queries.jsonl": queries.String(),
		"qrels/test.tsv": qrels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An experiment of 300 queries with a reranker behind the edge: at most eight requests at once, killed in the midst and
// gone on with, what was done is not asked again; and whoever has its answers gets the same figures and hash without
// the edge.
func TestAnExperimentBehindTheEdge(t *testing.T) {
	service := &crossEncoder{pause: 3 * time.Millisecond}
	at, data := behindEdge(t, service), beir(t)
	spec := writeSpec(t, `{"systems": ["bm25", "bm25 >> rerank(backend=ce,depth=30)"], "measures": ["nDCG@10"]}`)
	whole, parts, alone := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "parts"),
		filepath.Join(t.TempDir(), "alone")
	code, text, errs := call("", "run", spec, "-collection", data, "-edge", at, "-o", whole, "-quiet")
	if code != 0 || !strings.Contains(text, "Scored by the backend ce (cross-toy 1), behind the edge") {
		t.Fatalf("%d %s %s", code, text, errs)
	}
	asked, most := service.count()
	if asked != 300 || most > 8 || most < 2 {
		t.Errorf("%d requests, %d at once", asked, most)
	}

	// the gateway remembers answers too: another one is asked by the second experiment
	service = &crossEncoder{pause: 3 * time.Millisecond}
	at = behindEdge(t, service)
	cmd := itself("run", spec, "-collection", data, "-edge", at, "-o", parts, "-quiet")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if n, _ := service.count(); n >= 120 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the experiment does not begin")
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	before, _ := service.count()
	if before >= 300 {
		t.Skip("it was over before it was killed")
	}
	if code, _, errs := call("", "run", spec, "-collection", data, "-edge", at, "-o", parts, "-resume",
		"-quiet"); code != 0 {
		t.Fatal(errs)
	}
	// those on their way when it was killed may be asked again
	if after, most := service.count(); after > 308 || most > 8 {
		t.Errorf("%d requests before it was killed, %d in the end, %d at once", before, after, most)
	}
	if a, b := outcomeHash(t, whole), outcomeHash(t, parts); a != b {
		t.Errorf("killed and gone on with: %s, in one: %s", b, a)
	}

	// without an edge
	code, _, errs = call("", "run", spec, "-collection", data, "-answers", filepath.Join(whole, answersFile), "-o",
		alone, "-quiet")
	if code != 0 || outcomeHash(t, whole) != outcomeHash(t, alone) {
		t.Errorf("%d %s: with the answers alone the hash is %s, want %s", code, errs, outcomeHash(t, alone),
			outcomeHash(t, whole))
	}
}

// Where the service fails for some queries, their order is the one before, which is said and counted, and part of the
// hash; the next time they are asked again.
func TestARerankerThatFailsForSomeQueries(t *testing.T) {
	service := &crossEncoder{broken: func(q string) bool {
		return strings.HasPrefix(q, "w1 ") || strings.HasPrefix(q, "w2 ")
	}}
	at, data := behindEdge(t, service), beir(t)
	spec := writeSpec(t, `{"systems": ["bm25", "bm25 >> rerank(backend=ce,depth=10)"], "measures": ["nDCG@10"]}`)
	dir := filepath.Join(t.TempDir(), "out")
	code, text, errs := call("", "run", spec, "-collection", data, "-edge", at, "-o", dir, "-quiet")
	if code != 4 || !strings.HasPrefix(text, "bm25 >> rerank(backend=ce,depth=10): 12 of 300 queries have no answer, "+
		"so it has no figures.\n") || strings.Contains(text, "B  bm25") ||
		!strings.Contains(errs, "12 of 300 queries have no answer: the backend ce did not answer: ") ||
		!strings.Contains(errs, "status 500: an error within the service") {
		t.Fatalf("%d %s %s", code, text, errs)
	}
	failing := outcomeHash(t, dir)
	code, text, errs = call("", "run", spec, "-collection", data, "-edge", at, "-o", dir, "-resume", "-quiet", "-partial")
	if code != 4 || !strings.Contains(text, "12 of 300 queries have no answer: its figures are partial.\n") ||
		!strings.Contains(text, "the backend did not answer, so they keep the previous order") ||
		!strings.Contains(text, "B  bm25") || !strings.Contains(errs, "its figures are partial") {
		t.Fatalf("%d %s %s", code, text, errs)
	}
	if code, text, _ := call("", "verify", dir, "-quiet"); code != 1 || !strings.Contains(text, "12 of 300 queries") {
		t.Errorf("verify of partial figures: %d %s", code, text)
	}
	service.broken = nil
	other := behindEdge(t, service)
	code, text, errs = call("", "run", spec, "-collection", data, "-edge", other, "-o", dir, "-resume", "-quiet")
	if code != 0 || strings.Contains(text, "did not answer") || outcomeHash(t, dir) == failing {
		t.Errorf("%d %s %s", code, text, errs)
	}
	// nobody is there: the system has no figures
	code, text, errs = call("", "run", spec, "-collection", data, "-edge", "http://127.0.0.1:9", "-quiet", "-f",
		"csv")
	if code != 4 || strings.Count(text, "rerank") != 0 || !strings.Contains(text, "bm25") ||
		!strings.Contains(errs,
			"rerank(backend=ce,depth=10) failed: the backend answered no query") ||
		!strings.Contains(errs, "cannot be reached") {
		t.Errorf("%d %s %s", code, text, errs)
	}
}

func TestSearchBehindTheEdge(t *testing.T) {
	service := &crossEncoder{searchFinds: []string{"d7", "d3", "of another collection"}}
	at, data := behindEdge(t, service), beir(t)
	code, run, errs := call("", "search", data, "-edge", at, "-s", "search(backend=wire)", "-t", "tag")
	if !strings.Contains(errs, "in 300 queries 300 of 900 documents that it found are not in this collection") {
		t.Errorf("unknown documents are not told: %s", errs)
	}
	if lines := strings.Split(strings.TrimSpace(run), "\n"); code != 0 || len(lines) != 600 ||
		lines[0] != "q0 Q0 d7 1 100 tag" || lines[1] != "q0 Q0 d3 2 99 tag" {
		t.Fatalf("%d %s %s", code, errs, run[:min(len(run), 200)])
	}
	// most of what it finds is of another collection: what is known is written, and the system failed
	foreign, _ := swapping(t, &crossEncoder{searchFinds: []string{"d7", "x1", "x2"}})
	code, run, errs = call("", "search", data, "-edge", foreign, "-s", "search(backend=wire)", "-quiet")
	if code != 4 || !strings.Contains(errs, "in 300 queries 600 of 900 documents") || strings.Count(run, "\n") != 300 {
		t.Errorf("%d %s", code, errs)
	}
	for _, x := range []struct {
		name string
		args []string
		code int
		said string
	}{
		{"no edge", []string{"-s", "search(backend=wire)"}, 3, "-edge URL"},
		{"no such backend", []string{"-s", "search(backend=other)", "-edge", at}, 4,
			"no backend of that name; it has ce, wire, told"},
		{"no such reranker", []string{"-s", "bm25 >> rerank(backend=other)", "-edge", at}, 4,
			"no backend of that name; it has ce, wire, told"},
		{"an address that is none", []string{"-s", "search(backend=wire)", "-edge", "ftp://x"}, 2, "want http"},
		{"a reranker without an edge", []string{"-s", "bm25 >> rerank(backend=ce)"}, 4,
			"300 of 300 queries have no answer: no edge is connected"},
		{"answers that are none", []string{"-s", "bm25 >> rerank(backend=ce)", "-answers",
			filepath.Join(data, "corpus.jsonl")}, 3, "no answers of an edge"},
	} {
		code, _, errs := call("", append([]string{"search", data, "-quiet"}, x.args...)...)
		if code != x.code || !strings.Contains(errs, x.said) {
			t.Errorf("%s: %d %s", x.name, code, errs)
		}
	}
}

// Behind the same id another model, index or template is another backend. With answers that are kept (warm) the
// command says what changed and asks nothing until it is told to; without (cold) it asks the new one, and its
// report names it.
func TestASwappedBackendIsCaught(t *testing.T) {
	data := beir(t)
	for _, c := range []struct{ name, system, model, index, template, said string }{
		{"model", "bm25 >> rerank(backend=ce,depth=5)", "cross-other", "wire", `{"size":"$k"}`,
			"model was cross-toy, is now cross-other"},
		{"index", "search(backend=wire)", "cross-toy", "wire-2", `{"size":"$k"}`, "index was wire, is now wire-2"},
		{"template", "search(backend=wire)", "cross-toy", "wire", `{"size":"$k","min_score":1}`, "templates changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			service := &crossEncoder{searchFinds: []string{"d7", "d3"}}
			at, swap := swapping(t, service)
			spec := writeSpec(t, fmt.Sprintf(`{"systems": ["bm25", %q], "measures": ["nDCG@10"]}`, c.system))
			warm, cold := filepath.Join(t.TempDir(), "warm"), filepath.Join(t.TempDir(), "cold")
			run := func(args ...string) (int, string, string) {
				return call("", append([]string{"run", spec, "-collection", data, "-quiet"}, args...)...)
			}
			code, before, errs := run("-edge", at, "-o", warm)
			if code != 0 {
				t.Fatal(errs)
			}
			asked, _ := service.count()
			swap(c.model, c.index, c.template)

			code, text, errs := run("-edge", at, "-o", warm, "-resume")
			if n, _ := service.count(); code != 3 || !strings.Contains(errs, c.said) || !strings.Contains(errs,
				"-renew") ||
				n != asked || text != "" {
				t.Errorf("warm: %d %s %s, %d more requests", code, text, errs, n-asked)
			}
			// the kept answers stay what they are, and say whose they are
			code, text, errs = run("-answers", filepath.Join(warm, answersFile))
			if n, _ := service.count(); code != 0 || identityIn(text) != identityIn(before) || n != asked {
				t.Errorf("without an edge: %d %s %s", code, text, errs)
			}
			code, after, errs := run("-edge", at, "-o", cold)
			n, _ := service.count()
			if code != 0 || identityIn(after) == identityIn(before) || n != 2*asked {
				t.Errorf("cold: %d %s %s, %d requests", code, after, errs, n)
			}
			// run again: every query is asked of the new one, and its figures are those of the other folder
			swap(c.model, c.index, c.template) // another edge, which remembers nothing
			code, text, errs = run("-edge", at, "-o", warm, "-resume", "-renew")
			if n, _ := service.count(); code != 0 || identityIn(text) != identityIn(after) || n != 3*asked ||
				outcomeHash(t,
					warm) != outcomeHash(t, cold) {
				t.Errorf("renewed: %d %s %s, %d requests", code, text, errs, n)
			}
			if code, _, errs := run("-edge", at, "-o", warm, "-resume"); code != 0 {
				t.Errorf("and then it is the one that is kept: %s", errs)
			}
		})
	}
}

// What backends would be asked for is said before the first call, and bounded. By hand: 300 queries are a call
// each, with a query and 30 documents.
func TestAPlanSaysWhatItCosts(t *testing.T) {
	service := &crossEncoder{}
	at, data := behindEdge(t, service), beir(t)
	spec := writeSpec(t, `{"systems": ["bm25", "bm25 >> rerank(backend=ce,depth=30)"], "measures": ["nDCG@10"]}`)
	code, text, errs := call("", "run", spec, "-collection", data, "-edge", at, "-quiet", "-n")
	_, tokens, ok := strings.Cut(text, "backends\tat most 300 calls with 9,300 texts, about ")
	if !ok {
		_, tokens, ok = strings.Cut(text, "backends\tat most 300 calls with 9300 texts, about ")
	}
	if code != 0 || !ok || strings.HasPrefix(tokens, "0 ") {
		t.Errorf("%d %s %s", code, text, errs)
	}
	// by hand: 2.50 USD a million
	count, money, _ := strings.Cut(tokens, " tokens, ")
	n, err := strconv.Atoi(strings.ReplaceAll(count, ",", ""))
	if want := fmt.Sprintf("about %.2f USD\n", float64(n)*2.5/1e6); err != nil || !strings.HasPrefix(money, want) {
		t.Errorf("%q costs %q, want %q", count, money, want)
	}
	code, text, errs = call("", "run", spec, "-collection", data, "-edge", at, "-most-tokens", "100000")
	if n, _ := service.count(); code != 3 || text != "" || !strings.Contains(errs,
		"more than -most-tokens 100000") ||
		n != 0 {
		t.Errorf("%d %s %s, %d requests", code, text, errs, n)
	}
	code, _, errs = call("", "run", spec, "-collection", data, "-edge", at, "-most-tokens", "10000000")
	if n, _ := service.count(); code != 0 || !strings.Contains(errs, "at most 300 calls") || n != 300 {
		t.Errorf("%d %s, %d requests", code, errs, n)
	}
}

// identityIn is the identity that a report names.
func identityIn(text string) string {
	_, id, _ := strings.Cut(text, ", identity ")
	return id[:min(12, len(id))]
}

// An index of another collection is an error, and no system of empty lists.
func TestAnIndexOfAnotherCollection(t *testing.T) {
	at, data := behindEdge(t, &crossEncoder{searchFinds: []string{"x7", "x3"}}), beir(t)
	spec := writeSpec(t, `{"systems": ["bm25", "search(backend=wire)"], "measures": ["RR"]}`)
	code, text, errs := call("", "run", spec, "-collection", data, "-edge", at, "-quiet")
	want := "none of the 2 documents that the backend wire found is in this collection, " +
		"the first is x7, and the collection has ids like d"
	if code != 4 ||
		!strings.Contains(errs, want) || strings.Contains(text, "300 empty") {
		t.Errorf("%d %s %s", code, text, errs)
	}
	spec = writeSpec(t, `{"systems": ["search(backend=wire)"], "measures": ["RR"]}`)
	if code, text, errs := call("", "run", spec, "-collection", data, "-edge", at, "-quiet"); code != 4 ||
		text != "" ||
		!strings.Contains(errs, "no run was completed") {
		t.Errorf("%d %s %s", code, text, errs)
	}
	if code, text, errs := call("", "tune", data, "-edge", at, "-quiet", "-s",
		"rrf(bm25, bm25 >> rerank(backend=nobody))"); code != 4 || text != "" ||
		!strings.Contains(errs, "it has ce, wire, told") {
		t.Errorf("%d %s %s", code, text, errs)
	}
}
