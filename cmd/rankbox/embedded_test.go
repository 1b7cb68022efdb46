package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rankbox/rankbox/cmd/rankbox/edge"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// embedding is a service in TEI's format whose vectors count the words w0 to w9 of a text. It takes no text
// without the prefix of its role.
type embedding struct {
	mu                 sync.Mutex
	calls              int
	queries, documents int
	bare               string // a text that came without
}

func (s *embedding) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct{ Inputs []string }
	if json.NewDecoder(r.Body).Decode(&q); r.Method == "GET" {
		w.WriteHeader(404)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	out := [][]int{}
	for _, text := range q.Inputs {
		switch {
		case strings.HasPrefix(text, "query: "):
			s.queries++
		case strings.HasPrefix(text, "passage: "):
			s.documents++
		default:
			s.bare = text
		}
		out = append(out, countsOf(text))
	}
	json.NewEncoder(w).Encode(out)
}

func countsOf(text string) []int {
	v := make([]int, 10)
	for _, word := range strings.Fields(text) {
		for i := range v {
			if word == fmt.Sprintf("w%d", i) {
				v[i]++
			}
		}
	}
	return v
}

// With model=backend the backend makes the vectors of documents and queries, each with the prefix of its role;
// they are kept with its identity, and whoever has the answers has the same run without an edge.
func TestABackendEmbedsTheDocuments(t *testing.T) {
	service := &embedding{}
	at := httptest.NewServer(service)
	defer at.Close()
	c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"limits":{"per_minute":100000},"backends":[{
		"id":"mini","kind":"tei","url":%q,"model":"m","revision":"1","does":["embed"],"dimensions":10,
		"query_prefix":"query: ","document_prefix":"passage: "}]}`, at.URL)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := edge.New(c, edge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(h)
	defer front.Close()
	data := beir(t)
	kept := filepath.Join(t.TempDir(), "answers.jsonl")
	args := []string{"search", data, "-s", "dense(backend=mini,model=backend)", "-t", "t", "-k", "3", "-answers",
		kept,
		"-quiet"}
	code, run, errs := call("", append(args, "-edge", front.URL)...)
	if code != 0 || service.bare != "" || service.queries != 300 || service.documents != 400 ||
		service.calls != 300+13 {
		t.Fatalf("%d %s: %d calls, %d queries, %d documents, %q without a prefix", code, errs, service.calls,
			service.queries,
			service.documents, service.bare)
	}
	// the first document of the first query has the greatest product of counts
	line := strings.Fields(strings.SplitN(run, "\n", 2)[0])
	corpus, queries := linesOf(t, filepath.Join(data, "corpus.jsonl")), linesOf(t, filepath.Join(data,
		"queries.jsonl"))
	most, of := -1, map[string]int{}
	for id, text := range corpus {
		n, a, b := 0, countsOf(queries[line[0]]), countsOf(text)
		for i := range a {
			n += a[i] * b[i]
		}
		of[id], most = n, max(most, n)
	}
	if got := of[line[2]]; got != most || line[4] != fmt.Sprint(most) {
		t.Errorf("%v, whose product is %d; the greatest is %d", line, got, most)
	}
	calls := service.calls
	if code, again, errs := call("", args...); code != 0 || again != run || service.calls != calls {
		t.Errorf("%d %s: without the edge the run is another one, or %d were asked", code, errs, service.calls-calls)
	}
}

// linesOf reads the texts of a file in BEIR's form, with their titles, by id.
func linesOf(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := readFile(name, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var d struct {
			ID          string `json:"_id"`
			Title, Text string
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		out[d.ID] = d.Title + " " + d.Text
	}
	return out
}
