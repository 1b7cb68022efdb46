package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAServerReranksOrNot(t *testing.T) {
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/with/rerank" {
			http.NotFound(w, r)
		}
	}))
	defer at.Close()
	if !reranks(t.Context(), at.URL+"/with") || reranks(t.Context(), at.URL) || reranks(t.Context(), strings.Replace(at.URL, "127.0.0.1", "127.0.0.1:1", 1)) {
		t.Error("a server is asked by its answer alone")
	}
}

func TestTheEdgeIsWhereThePolicyLetsThePageConnectTo(t *testing.T) {
	for policy, want := range map[string]string{
		"default-src 'none'; connect-src 'self'; img-src https://pictures.example":     "",
		"default-src 'none'; connect-src 'self' https://edge.example; base-uri 'none'": "https://edge.example",
		"connect-src https://edge.example/":                                            "https://edge.example",
		"":                                                                             "",
	} {
		if got := edgeOrigin(policy); got != want {
			t.Errorf("%q: %q, want %q", policy, got, want)
		}
	}
}
