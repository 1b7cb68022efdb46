package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rankbox/rankbox/cmd/rankbox/edge"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// faultQueries are the judged queries of the fault suite. Query i has one relevant document, r<i>.
const faultQueries = 33

// lucene is a service in OpenSearch's format behind a faulty proxy: two indices, of which an alias means one. Index A
// has the relevant document of query i at rank 1 + i mod 4, index B at rank 1 + i mod 5.
type lucene struct {
	mu      sync.Mutex
	index   int // that the alias means: 0 for A, 1 for B
	writes  int
	away    bool // it answers nothing but 503
	titled  bool // the field that is searched is there
	points  map[string]int
	asked   int            // searches
	byQuery map[string]int // searches by query
	// fault answers a search in the place of the service, as the proxy does; false passes it on. n counts searches from 1.
	fault func(l *lucene, n int, query string, w http.ResponseWriter) bool
}

func (l *lucene) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away {
		w.WriteHeader(503)
		return
	}
	uuid := func(index int) string { return []string{"aaaa", "bbbb"}[index] }
	switch {
	case strings.Contains(r.URL.Path, "/_stats/"):
		fmt.Fprintf(w, `{"indices":{"%[1]s":{"uuid":"%[1]s","primaries":{"docs":{"count":330}},"shards":{"0":[{"routing":`+
			`{"primary":true},"seq_no":{"max_seq_no":%[2]d}}]}}}}`, uuid(l.index), l.writes)
		return
	case r.Method == "GET":
		fmt.Fprintf(w, `{"%[1]s":{"aliases":{},"mappings":{"properties":{"all":{"type":"text"}}},"settings":{"index":`+
			`{"uuid":"%[1]s"}}}}`, uuid(l.index))
		return
	case strings.HasSuffix(r.URL.Path, "/_search/point_in_time"):
		id := fmt.Sprintf("point-%d", len(l.points))
		l.points[id] = l.index
		fmt.Fprintf(w, `{"pit_id":%q}`, id)
		return
	}
	var q struct {
		Size  int
		Query struct {
			Match struct {
				Query  string
				Fields []string
			} `json:"multi_match"`
		}
		Pit struct{ ID string }
	}
	json.Unmarshal(body, &q)
	index := l.index
	if q.Pit.ID != "" {
		index = l.points[q.Pit.ID]
	}
	if q.Query.Match.Query == "" {
		fmt.Fprint(w, `{"hits":{"total":{"value":330},"hits":[]}}`)
		return
	}
	l.asked++
	l.byQuery[q.Query.Match.Query]++
	if l.fault != nil && l.fault(l, l.asked, q.Query.Match.Query, w) {
		return
	}
	fmt.Fprint(w, l.answer(index, q.Query.Match.Query, q.Size))
}

// answer is that of an index.
func (l *lucene) answer(index int, query string, size int) string {
	var i int
	fmt.Sscanf(query, "question %d", &i)
	var hits []string
	for rank := range min(10, size) {
		id := fmt.Sprintf("x%d-%d", i, rank)
		if rank == i%(4+index) {
			id = fmt.Sprintf("r%d", i)
		}
		if l.titled {
			hits = append(hits, fmt.Sprintf(`{"_id":%q,"_score":%d}`, id, 100-rank))
		}
	}
	return fmt.Sprintf(`{"timed_out":false,"_shards":{"failed":0},"hits":{"hits":[%s]}}`, strings.Join(hits, ","))
}

// faulty starts the service and an edge before it.
func faulty(t *testing.T, members string, fault func(l *lucene, n int, query string, w http.ResponseWriter) bool) (
	at string, l *lucene, searches func() int) {
	t.Helper()
	l = &lucene{titled: true, fault: fault, byQuery: map[string]int{}, points: map[string]int{}}
	service := httptest.NewServer(l)
	t.Cleanup(service.Close)
	config, err := gateway.ParseConfig(fmt.Appendf(nil, `{"limits":{"per_minute":100000,"deadline_ms":4000},"backends":[
		{"id":"os","kind":"opensearch","url":%q,"index":"alias","does":["search"],"text_fields":["all"]%s}]}`, service.URL,
		members))
	if err != nil {
		t.Fatal(err)
	}
	h, err := edge.New(config, edge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/search") {
			mu.Lock()
			n++
			mu.Unlock()
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, l, func() int { mu.Lock(); defer mu.Unlock(); return n }
}

// faultCollection writes queries and judgments, and the documents if they are to be here.
func faultCollection(t *testing.T, here bool) string {
	t.Helper()
	var corpus, queries strings.Builder
	qrels := "query-id\tcorpus-id\tscore\n"
	for i := range faultQueries {
		fmt.Fprintf(&queries, `{"_id":"q%d","text":"question %d"}`+"\n", i, i)
		qrels += fmt.Sprintf("q%d\tr%d\t1\n", i, i)
		fmt.Fprintf(&corpus, `{"_id":"r%d","title":"","text":"relevant"}`+"\n", i)
		for j := range 10 {
			fmt.Fprintf(&corpus, `{"_id":"x%d-%d","title":"","text":"other"}`+"\n", i, j)
		}
	}
	files := map[string]string{"queries.jsonl": queries.String(), "qrels/test.tsv": qrels}
	if here {
		files["corpus.jsonl"] = corpus.String()
	}
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "qrels"), 0o777)
	for name, s := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// reciprocal is the mean reciprocal rank of index A (4) or B (5), by hand: query i has its document at rank 1 + i mod n.
func reciprocal(n int) float64 {
	sum := 0.0
	for i := range faultQueries {
		sum += 1 / float64(1+i%n)
	}
	return sum / faultQueries
}

// Whatever a proxy before a search engine does, an experiment has the right figure or none, the exit code says which,
// the reason is the reason, and no more is sent than was announced.
func TestAFigureFromAnEngineIsRightOrNotThere(t *testing.T) {
	status := func(code int, header ...string) func(w http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			fmt.Fprint(w, `{"error":"canary-7a1"}`)
		}
	}
	text := func(body string) func(w http.ResponseWriter) {
		return func(w http.ResponseWriter) { fmt.Fprint(w, body) }
	}
	// once fails for the given searches alone, for ever for the given queries
	once := func(f func(w http.ResponseWriter), at ...int) func(*lucene, int, string, http.ResponseWriter) bool {
		return func(_ *lucene, n int, _ string, w http.ResponseWriter) bool {
			for _, x := range at {
				if x == n {
					f(w)
					return true
				}
			}
			return false
		}
	}
	always := func(f func(w http.ResponseWriter), queries ...int) func(*lucene, int, string, http.ResponseWriter) bool {
		return func(_ *lucene, _ int, query string, w http.ResponseWriter) bool {
			hit := len(queries) == 0
			for _, q := range queries {
				hit = hit || query == fmt.Sprintf("question %d", q)
			}
			if hit {
				f(w)
			}
			return hit
		}
	}
	first := func(f func(w http.ResponseWriter), many int) func(*lucene, int, string, http.ResponseWriter) bool {
		return func(_ *lucene, n int, _ string, w http.ResponseWriter) bool {
			if n > many {
				return false
			}
			f(w)
			return true
		}
	}
	slow := func(l *lucene, n int, _ string, w http.ResponseWriter) bool {
		if n != 5 && n != 9 {
			return false
		}
		l.mu.Unlock()
		time.Sleep(4200 * time.Millisecond)
		l.mu.Lock()
		return true
	}
	whole := (&lucene{titled: true}).answer(0, "question 3", 100)
	var all sync.WaitGroup
	for _, x := range []faultCase{
		{name: "nothing", right: true},
		{name: "three 500", fault: once(status(500), 3, 11, 20), right: true},
		{name: "500 for four queries", fault: always(status(500), 3, 11, 20, 32),
			said: "4 of 33 queries have no answer: the backend os did not answer: the service answers with status 500"},
		{name: "a storm of 429", fault: first(status(429), 25), right: true},
		{name: "a storm of 429 with Retry-After", fault: first(status(429, "Retry-After", "1"), 25), right: true},
		{name: "429 for ever", fault: always(status(429)), said: "status 429: too many requests"},
		{name: "503", fault: first(status(503), 12), right: true},
		{name: "slow twice", fault: slow, right: true},
		{name: "truncated", fault: once(text(whole[:60]), 1, 2, 30), right: true},
		{name: "truncated for ever", fault: always(text(whole[:60])), said: "JSON that is cut off or damaged"},
		{name: "HTML", fault: always(text("<html>canary-7a1")), said: "HTML or XML, not JSON"},
		{name: "404", fault: always(status(404)), said: "status 404: it has no index of the configured name"},
		{name: "401", fault: always(status(401)), said: "status 401: it rejects the key of the edge"},
		{name: "duplicates", fault: always(text(
			`{"hits":{"hits":[{"_id":"r1","_score":2},{"_id":"r1","_score":1}]}}`), 3),
			said: "1 of 33 queries has no answer: the backend os did not answer: the service's answer names a document twice"},
		{name: "an alias that moves", fault: func(l *lucene, n int, _ string, _ http.ResponseWriter) bool {
			if n == 17 {
				l.index = 1
			}
			return false
		}, said: "the backend os is not the one whose answers are kept: version was", other: true},
		{name: "an index that is written to", fault: func(l *lucene, _ int, _ string, _ http.ResponseWriter) bool {
			l.writes++
			return false
		}, said: "version was"},
		{name: "written to, by settings", members: `,"identity":"settings"`,
			fault: func(l *lucene, _ int, _ string, _ http.ResponseWriter) bool {
				l.writes++
				return false
			}, right: true},
		{name: "an alias that moves, by settings", members: `,"identity":"settings"`,
			fault: func(l *lucene, n int, _ string, _ http.ResponseWriter) bool {
				if n == 17 {
					l.index = 1
				}
				return false
			}, said: "version was", other: true},
		{name: "an alias that moves, at a point in time", members: `,"identity":"point-in-time"`,
			fault: func(l *lucene, n int, _ string, _ http.ResponseWriter) bool {
				if l.writes++; n == 17 {
					l.index = 1
				}
				return false
			}, right: true},
		{name: "a mapping that is wrong", set: func(l *lucene) { l.titled = false },
			said: "found no document for any of 33 queries, though its index alias has 330 documents. Check that " +
				"text_fields (all) are fields of that index"},
	} {
		for _, here := range []bool{true, false} {
			all.Go(func() { x.check(t, fmt.Sprintf("%s, here %v", x.name, here), here) })
		}
	}
	all.Wait() // most of them wait for services to recover
}

// faultCase is a way in which a service fails.
type faultCase struct {
	name    string
	members string // of the backend's configuration
	fault   func(*lucene, int, string, http.ResponseWriter) bool
	set     func(l *lucene)
	right   bool
	said    string // on standard error, if there is no figure
	other   bool   // the figure may be that of index B
}

func (x *faultCase) check(t *testing.T, name string, here bool) {
	at, l, searches := faulty(t, x.members, x.fault)
	if x.set != nil {
		x.set(l)
	}
	data := faultCollection(t, here)
	spec := filepath.Join(t.TempDir(), "spec.json")
	os.WriteFile(spec, []byte(`{"systems": ["search(backend=os,depth=10)"], "measures": ["RR"]}`), 0o666)
	out := filepath.Join(t.TempDir(), "out")
	code, text, errs := call("", "run", spec, "-collection", data, "-edge", at, "-o", out, "-f", "csv")
	if !strings.Contains(errs, "at most 33 calls") || searches() > 3*faultQueries {
		t.Errorf("%s: %d searches: %s", name, searches(), errs)
	}
	if strings.Contains(text+errs, "canary") {
		t.Errorf("%s: what the service said is told: %s %s", name, text, errs)
	}
	l.mu.Lock()
	for q, n := range l.byQuery {
		if n > 9 { // three times, each sent by the edge at most three times
			t.Errorf("%s: %s was sent %d times", name, q, n)
		}
	}
	l.mu.Unlock()
	figure := figureOf(text)
	if x.other && code == 0 && math.Abs(figure-reciprocal(5)) < 1e-9 {
		return
	}
	if x.right != (code == 0) || x.right && math.Abs(figure-reciprocal(4)) > 1e-9 ||
		!x.right && (code != 4 || !math.IsNaN(figure)) {
		t.Errorf("%s: exit %d, figure %v, want %v: %s\n%s", name, code, figure, reciprocal(4), text, errs)
		return
	}
	if !strings.Contains(errs, x.said) {
		t.Errorf("%s: %s", name, errs)
	}
	if x.right {
		// what was kept is whole: without the edge it gives the same figure
		code, text, errs = call("", "run", spec, "-collection", data, "-answers", filepath.Join(out, answersFile), "-f",
			"csv", "-quiet")
		if again := figureOf(text); code != 0 || again != figure {
			t.Errorf("%s, from the answers alone: %d %v %s", name, code, again, errs)
		}
		if code, text, _ = call("", "verify", out, "-quiet"); code != 0 {
			t.Errorf("%s: verify: %d %s", name, code, text)
		}
	}
	// search gives the same, or nothing
	if at, l, searches = faulty(t, x.members, x.fault); x.set != nil {
		x.set(l)
	}
	code, text, errs = call("", "search", data, "-edge", at, "-s", "search(backend=os,depth=10)", "-t", "tag")
	if lines := strings.Count(text, "\n"); x.right && (code != 0 || lines != 10*faultQueries) ||
		!x.right && (code != 4 || lines != 0) && !(x.other && code == 0) || searches() > 3*faultQueries {
		t.Errorf("%s: search: %d, %d lines, %d searches: %s", name, code, lines, searches(), errs)
	}
}

// figureOf is the mean over all queries of a report as CSV, NaN if one has no value.
func figureOf(csv string) float64 {
	sum, n := 0.0, 0
	for _, line := range strings.Split(csv, "\n") {
		if cells := strings.Split(line, ","); strings.Contains(line, "search(") {
			var v float64
			if _, err := fmt.Sscan(cells[len(cells)-1], &v); err == nil {
				sum, n = sum+v, n+1
			}
		}
	}
	if n != faultQueries {
		return math.NaN()
	}
	return sum / faultQueries
}

// A system with a stage that has nothing to do is refused, or left out by name, and never compared. Presets have names in
// a Spec as in a search.
func TestStagesWithNothingToDo(t *testing.T) {
	data := faultCollection(t, true) // without dates, vectors or stored runs
	spec := writeSpec(t, `{"systems": ["bm25", "bm25 >> recency", "bm25 >> rerank", "enhanced"], "measures": ["RR"]}`)
	code, text, errs := call("", "run", spec, "-collection", data, "-quiet")
	for _, said := range []string{"bm25 >> recency: recency has nothing to do its work with: ", "no document has a date",
		"bm25 >> rerank: rerank has nothing to do", "entity has nothing to do", "-skip leaves these systems out"} {
		if code != 3 || text != "" || !strings.Contains(errs, said) {
			t.Errorf("%d %s %s, want %s", code, text, errs, said)
		}
	}
	code, text, errs = call("", "run", spec, "-collection", data, "-quiet", "-skip")
	if code != 0 || !strings.Contains(text, "not run: bm25 >> recency: recency has nothing to do") ||
		strings.Contains(text, "equal on every query") || strings.Contains(text, "\nB ") {
		t.Errorf("%d %s %s", code, text, errs)
	}
	// what is known only once it ran: spelling changed no query, and topics never move a document
	spec = writeSpec(t, `{"systems": ["bm25", "bm25 >> spell"], "measures": ["RR"]}`)
	for _, more := range [][]string{nil, {"-skip"}} {
		code, text, errs = call("", append([]string{"run", spec, "-collection", data, "-quiet"}, more...)...)
		if code != map[bool]int{true: 3}[more == nil] || strings.Contains(text, "equal on every query") ||
			!strings.Contains(text, "bm25 >> spell: nothing to do, spell ") ||
			(more == nil) != strings.Contains(errs, "bm25 >> spell: spell ") {
			t.Errorf("spell %v: %d %s %s", more, code, text, errs)
		}
	}
	_, text, _ = call("", "run", spec, "-collection", data, "-quiet", "-skip", "-f", "json")
	if !strings.Contains(text, `"state":"nothing to do"`) ||
		!strings.Contains(text, `{"stage":"spell","did":0,"nothing":`) {
		t.Errorf("JSON: %.2000s", text)
	}
	spec = writeSpec(t, `{"systems": ["bm25", "bm25 >> cluster"], "measures": ["RR"]}`)
	if code, _, errs = call("", "run", spec, "-collection", data, "-quiet"); code != 3 ||
		!strings.Contains(errs, "cluster groups documents and moves none, so this system ranks as bm25 does") {
		t.Errorf("cluster: %d %s", code, errs)
	}
	states := filepath.Join(t.TempDir(), "states.json")
	if code, _, errs = call("", "search", data, "-s", "bm25 >> spell", "-stages", states); code != 0 ||
		!strings.Contains(errs, "nothing to do it with for ") {
		t.Errorf("search: %d %s", code, errs)
	}
	if b, err := os.ReadFile(states); err != nil || !strings.Contains(string(b), `"state": "nothing to do it with"`) {
		t.Errorf("%v %s", err, b)
	}
	if code, _, errs = call("", "search", data, "-s", "bm25 >> recency"); code != 3 ||
		!strings.Contains(errs, "no document has a date") {
		t.Errorf("search: %d %s", code, errs)
	}
	spec = writeSpec(t, `{"systems": ["simple"], "baseline": "simple", "measures": ["RR"]}`)
	if code, text, errs = call("", "run", spec, "-collection", data, "-quiet"); code != 0 ||
		!strings.Contains(text, "bm25(variant=okapi") {
		t.Errorf("preset: %d %s %s", code, text, errs)
	}
}

// Behind a threshold that nothing reaches a reranker has lists of no document, which is no outage: exit code 0.
func TestAThresholdThatNothingReachesIsNoOutage(t *testing.T) {
	at, data := behindEdge(t, &crossEncoder{}), beir(t)
	code, text, errs := call("", "search", data, "-edge", at, "-s", "bm25 >> rerank(backend=ce,depth=5,min=900)",
		"-quiet")
	if code != 0 || text != "" {
		t.Errorf("%d %d bytes %s", code, len(text), errs)
	}
	spec := writeSpec(t, `{"systems": ["bm25", "bm25 >> rerank(backend=ce,depth=5,min=900,keep=below)"],
		"measures": ["RR"]}`)
	if code, text, errs = call("", "run", spec, "-collection", data, "-edge", at, "-quiet"); code != 0 ||
		!strings.Contains(text, "rerank: below the threshold, ") || !strings.Contains(text, ", 0 documents moved") ||
		strings.Contains(text, "equal on every query") {
		t.Errorf("run: %d %s %s", code, text, errs)
	}
	code, text, errs = call("", "search", data, "-edge", at, "-s",
		"bm25 >> rerank(backend=ce,depth=5,min=900,keep=below)", "-quiet", "-k", "5")
	_, before, _ := call("", "search", data, "-s", "bm25", "-quiet", "-k", "5")
	if strip := func(s string) (out string) {
		for _, line := range strings.Split(strings.TrimSpace(s), "\n") {
			out += strings.Join(strings.Fields(line)[:4], " ") + "\n"
		}
		return out
	}; code != 0 || strip(text) != strip(before) {
		t.Errorf("%d %s: the order did not stay", code, errs)
	}
}

// If the service cannot say what it is, kept answers are given and said to be unconfirmed. Gates refuse them, unless they
// are told to take them.
func TestAnswersThatCannotBeConfirmed(t *testing.T) {
	at, l, _ := faulty(t, "", nil)
	data, out := faultCollection(t, true), filepath.Join(t.TempDir(), "out")
	spec := writeSpec(t, `{"systems": ["search(backend=os,depth=10)"], "measures": ["RR"]}`)
	if code, _, errs := call("", "run", spec, "-collection", data, "-edge", at, "-o", out, "-quiet"); code != 0 {
		t.Fatal(errs)
	}
	answers := filepath.Join(out, answersFile)
	gone, dead, _ := faulty(t, "", nil) // an edge that was started while its service is away
	dead.mu.Lock()
	dead.away = true
	dead.mu.Unlock()
	_ = l
	run := func(more ...string) (int, string, string) {
		return call("", append([]string{"run", spec, "-collection", data, "-answers", answers, "-quiet", "-gate",
			"RR >= 0.5"}, more...)...)
	}
	for _, edge := range []string{gone, "http://127.0.0.1:9"} {
		code, text, errs := run("-edge", edge)
		if code != 3 || !strings.Contains(text, "not confirmed: ") || !strings.Contains(errs, "-stale allows it") {
			t.Errorf("%s: %d %s %s", edge, code, text, errs)
		}
		if code, text, errs = run("-edge", edge, "-stale"); code != 0 || !strings.Contains(text, "not confirmed: ") {
			t.Errorf("%s, stale: %d %s %s", edge, code, text, errs)
		}
	}
	if code, text, errs := run(); code != 0 || strings.Contains(text, "not confirmed") { // nobody named an edge
		t.Errorf("without an edge: %d %s %s", code, text, errs)
	}
}
