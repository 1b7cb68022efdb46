package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rankbox/rankbox/cmd/rankbox/edge"
	"github.com/rankbox/rankbox/core/gateway"
)

// crossEncoder is a service in TEI's format: the score of a text is the share of the query's words in it. It counts what it is asked.
type crossEncoder struct {
	mu          sync.Mutex
	asked       int
	now, most   int
	broken      func(query string) bool
	pause       time.Duration
	searchFinds []string
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
	}
	json.NewDecoder(r.Body).Decode(&q)
	s.mu.Lock()
	s.asked++
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.now--; s.mu.Unlock() }()
	time.Sleep(s.pause)
	if strings.HasSuffix(r.URL.Path, "/_search") {
		out := ""
		for i, id := range s.searchFinds {
			out += fmt.Sprintf(`,{"_id":%q,"_score":%d}`, id, 100-i)
		}
		fmt.Fprintf(w, `{"hits":{"hits":[%s]}}`, strings.TrimPrefix(out, ","))
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
	service := httptest.NewServer(s)
	t.Cleanup(service.Close)
	c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"snapshots":true,"limits":{"per_minute":100000},"backends":[
		{"id":"ce","kind":"tei","url":%q,"model":"cross-toy","revision":"1","does":["rerank"]},
		{"id":"wire","kind":"opensearch","url":%[1]q,"index":"wire","does":["search"]}]}`, service.URL)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := edge.New(c, edge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := httptest.NewServer(h)
	t.Cleanup(at.Close)
	return at.URL
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
	for name, s := range map[string]string{"corpus.jsonl": corpus.String(), "queries.jsonl": queries.String(), "qrels/test.tsv": qrels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An experiment of 300 queries with a reranker behind the edge: at most eight requests at once, killed in the midst and gone on with, what was done is not asked
// again; and whoever has its answers gets the same figures and hash without the edge.
func TestAnExperimentBehindTheEdge(t *testing.T) {
	service := &crossEncoder{pause: 3 * time.Millisecond}
	at, data := behindEdge(t, service), beir(t)
	spec := writeSpec(t, `{"systems": ["bm25", "bm25 >> rerank(backend=ce,depth=30)"], "measures": ["nDCG@10"]}`)
	whole, parts, alone := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "parts"), filepath.Join(t.TempDir(), "alone")
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
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RANKBOX_TEST_ARGS="+strings.Join([]string{"run", spec, "-collection", data, "-edge", at, "-o", parts, "-quiet"}, "\n"))
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
	if code, _, errs := call("", "run", spec, "-collection", data, "-edge", at, "-o", parts, "-resume", "-quiet"); code != 0 {
		t.Fatal(errs)
	}
	if after, most := service.count(); after > 308 || most > 8 { // those on their way when it was killed may be asked again
		t.Errorf("%d requests before it was killed, %d in the end, %d at once", before, after, most)
	}
	if a, b := outcomeHash(t, whole), outcomeHash(t, parts); a != b {
		t.Errorf("killed and gone on with: %s, in one: %s", b, a)
	}

	// without an edge
	code, _, errs = call("", "run", spec, "-collection", data, "-answers", filepath.Join(whole, answersFile), "-o", alone, "-quiet")
	if code != 0 || outcomeHash(t, whole) != outcomeHash(t, alone) {
		t.Errorf("%d %s: with the answers alone the hash is %s, want %s", code, errs, outcomeHash(t, alone), outcomeHash(t, whole))
	}
}

// Where the service fails for some queries, their order is the one before, which is said and counted, and part of the hash; the next time they are asked again.
func TestARerankerThatFailsForSomeQueries(t *testing.T) {
	service := &crossEncoder{broken: func(q string) bool { return strings.HasPrefix(q, "w1 ") || strings.HasPrefix(q, "w2 ") }}
	at, data := behindEdge(t, service), beir(t)
	spec := writeSpec(t, `{"systems": ["bm25", "bm25 >> rerank(backend=ce,depth=10)"], "measures": ["nDCG@10"]}`)
	dir := filepath.Join(t.TempDir(), "out")
	code, text, errs := call("", "run", spec, "-collection", data, "-edge", at, "-o", dir, "-quiet")
	if code != 0 || !strings.Contains(text, "the backend gave nothing, and the order before it stands") {
		t.Fatalf("%d %s %s", code, text, errs)
	}
	failing := outcomeHash(t, dir)
	service.broken = nil
	other := behindEdge(t, service)
	code, text, errs = call("", "run", spec, "-collection", data, "-edge", other, "-o", dir, "-resume", "-quiet")
	if code != 0 || strings.Contains(text, "gave nothing") || outcomeHash(t, dir) == failing {
		t.Errorf("%d %s %s", code, text, errs)
	}
	// nobody is there: the figures are those of bm25, and no run hides that
	code, text, errs = call("", "run", spec, "-collection", data, "-edge", "http://127.0.0.1:9", "-quiet")
	if code != 0 || !strings.Contains(text, "for 300 queries the backend gave nothing") {
		t.Errorf("%d %s %s", code, text, errs)
	}
}

func TestSearchBehindTheEdge(t *testing.T) {
	service := &crossEncoder{searchFinds: []string{"d7", "d3", "of another collection"}}
	at, data := behindEdge(t, service), beir(t)
	code, run, errs := call("", "search", data, "-edge", at, "-s", "search(backend=wire)", "-t", "tag")
	if lines := strings.Split(strings.TrimSpace(run), "\n"); code != 0 || len(lines) != 600 || lines[0] != "q0 Q0 d7 1 100 tag" || lines[1] != "q0 Q0 d3 2 99 tag" {
		t.Fatalf("%d %s %s", code, errs, run[:min(len(run), 200)])
	}
	for _, x := range []struct {
		name string
		args []string
		code int
		said string
	}{
		{"no edge", []string{"-s", "search(backend=wire)"}, 3, "-edge URL"},
		{"no such backend", []string{"-s", "search(backend=other)", "-edge", at}, 3, "no backend of that name"},
		{"an address that is none", []string{"-s", "search(backend=wire)", "-edge", "ftp://x"}, 2, "want http"},
		{"a reranker without an edge", []string{"-s", "bm25 >> rerank(backend=ce)"}, 0, "for 300 queries the backend gave nothing"},
		{"answers that are none", []string{"-s", "bm25 >> rerank(backend=ce)", "-answers", filepath.Join(data, "corpus.jsonl")}, 3, "no answers of an edge"},
	} {
		code, _, errs := call("", append([]string{"search", data, "-quiet"}, x.args...)...)
		if code != x.code || !strings.Contains(errs, x.said) {
			t.Errorf("%s: %d %s", x.name, code, errs)
		}
	}
}
