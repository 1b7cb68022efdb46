package edge

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// identities are those that a host declares, by backend.
func identities(t *testing.T, h *subject) map[string]string {
	t.Helper()
	var o struct {
		Backends []struct{ ID, Identity string }
	}
	r := h.ask(t, "GET", "/api/v1/backends", "")
	if err := json.Unmarshal(r.body, &o); err != nil || r.status != 200 {
		t.Fatalf("%d %s %v", r.status, r.body, err)
	}
	out := map[string]string{}
	for _, b := range o.Backends {
		out[b.ID] = b.Identity
	}
	return out
}

// An index with another number of documents is another index: its backend has another identity, and no stored
// answer is given for it.
func TestAnIndexThatChangesIsAnotherOne(t *testing.T) {
	t.Parallel()
	everywhere(t, patient, func(t *testing.T, s *service, h *subject) {
		before := identities(t, h)
		question := `{"backend":"cluster","query":"harbour","top_k":3}`
		ask := func() (identity string) {
			t.Helper()
			r := h.ask(t, "POST", "/api/v1/search", question)
			var a struct{ Identity string }
			if err := json.Unmarshal(r.body, &a); err != nil || r.status != 200 {
				t.Fatalf("%d %s", r.status, r.body)
			}
			return a.Identity
		}
		asked := s.count("good")
		for range 2 {
			if got := ask(); got != before["cluster"] {
				t.Errorf("an answer of %s, declared %s", got, before["cluster"])
			}
		}
		if n := s.count("good"); n != asked+1 {
			t.Errorf("a stored answer was asked for again: %d requests", n-asked)
		}
		s.mu.Lock()
		s.docs++
		s.mu.Unlock()
		time.Sleep(1100 * time.Millisecond) // a service is asked about itself once a second at most
		after := identities(t, h)
		if after["cluster"] == before["cluster"] || after["good"] != before["good"] {
			t.Errorf("before %v, with another document %v", before, after)
		}
		if got := ask(); got != after["cluster"] || s.count("good") != asked+2 {
			t.Errorf("an answer of %s, declared %s", got, after["cluster"])
		}
	})
}

// A price is told, and is no part of what answers depend on.
func TestAPriceIsNoPartOfTheIdentity(t *testing.T) {
	declared := func(price string) string {
		c, err := gateway.ParseConfig([]byte(`{"backends":[{"id":"a","kind":"cohere","url":"http://127.0.0.1:1",` +
			`"model":"m","does":["rerank"]` + price + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		h, err := New(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		s := &subject{name: "native", url: server.URL}
		text := string(s.ask(t, "GET", "/api/v1/backends", "").body)
		if told := strings.Contains(text, `"price":{"million_tokens":0.05,"currency":"EUR"}`); told != (price != "") {
			t.Error(text)
		}
		return identities(t, s)["a"]
	}
	if free, paid := declared(""), declared(`,"price":{"million_tokens":0.05,"currency":"EUR"}`); free != paid {
		t.Errorf("%s with a price, %s without", paid, free)
	}
	for _, bad := range []string{`{}`, `{"million_tokens":1}`, `{"million_tokens":0,"currency":"EUR"}`,
		`{"million_tokens":-1,"currency":"EUR"}`, `{"million_tokens":1,"currency":"eur"}`, `1`,
		`{"million_tokens":1,"currency":"EUR","per":2}`} {
		if _, err := gateway.ParseConfig([]byte(`{"backends":[{"id":"a","kind":"cohere","url":"http://h","model":"m",` +
			`"does":["rerank"],"price":` + bad + `}]}`)); err == nil {
			t.Errorf("%s is a price", bad)
		}
	}
}
