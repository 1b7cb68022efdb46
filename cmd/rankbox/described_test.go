package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/cmd/rankbox/edge"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// A backend that the configuration describes ranks as one that is built in, and another description is another backend.
func TestADescribedBackend(t *testing.T) {
	var version string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Ask struct {
				Words string
				Docs  []string
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/rank/m" ||
			r.Header.Get("X-Key") != "key hush" {
			w.WriteHeader(400)
			return
		}
		version = r.Header.Get("X-Version")
		var out []string
		for i, d := range q.Ask.Docs {
			out = append(out, fmt.Sprintf(`[%d,"%d.5"]`, i, strings.Count(d, q.Ask.Words[:2])))
		}
		fmt.Fprintf(w, `{"answer":[{"scores":[%s]}]}`, strings.Join(out, ","))
	}))
	t.Cleanup(service.Close)
	at := func(format string) string {
		c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"limits":{"per_minute":100000},"backends":[
			{"id":"own","kind":"http","url":%q,"model":"m","secret":"OWN_KEY","does":["rerank"],"http":{
				"auth":{"header":"X-Key","prefix":"key "},"headers":{"X-Version":%q},
				"rerank":{"path":"/rank/${model}","body":{"ask":{"words":"$query","docs":"$documents"}},
					"list":"/answer/0/scores","index":"/0","score":"/1"}}}]}`, service.URL, format)))
		if err != nil {
			t.Fatal(err)
		}
		h, err := edge.New(c, edge.Options{Secret: func(string) string { return "hush" }})
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	data := beir(t)
	code, run, errs := call("", "search", data, "-s", "bm25 >> rerank(backend=own,depth=5)", "-edge", at("1"),
		"-quiet", "-k", "5")
	if code != 0 || !strings.Contains(run, ".5 ") || version != "1" {
		t.Fatalf("%d %s %.200s", code, errs, run)
	}
	spec := writeSpec(t, `{"systems": ["bm25 >> rerank(backend=own,depth=5)"], "measures": ["RR"]}`)
	identity := func(edge string) string {
		code, text, errs := call("", "run", spec, "-collection", data, "-edge", edge, "-quiet")
		if code != 0 {
			t.Fatal(errs)
		}
		return identityIn(text)
	}
	if a, b := identity(at("1")), identity(at("2")); a == b {
		t.Errorf("another description has the same identity, %s", a)
	}
}
