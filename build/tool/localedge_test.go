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
	if !reranks(t.Context(), at.URL+"/with") || reranks(t.Context(), at.URL) ||
		reranks(t.Context(), strings.Replace(at.URL, "127.0.0.1", "127.0.0.1:1", 1)) {
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

// A Go that does not know an experiment refuses every command while it is asked for: the worker is then built without.
func TestAnExperimentThatTheToolchainLacksIsLeftOut(t *testing.T) {
	var log strings.Builder
	p := &project{root: t.TempDir(), log: &log}
	if env := p.collector(t.Context(), "nocollectorofthatname"); env != nil ||
		!strings.Contains(log.String(), "has no GOEXPERIMENT=nocollectorofthatname") {
		t.Errorf("%q, said %q", env, log.String())
	}
	log.Reset()
	if env := p.collector(t.Context(), "nofieldtrack"); len(env) != 1 || env[0] != "GOEXPERIMENT=nofieldtrack" ||
		log.Len() > 0 {
		t.Errorf("%q, said %q", env, log.String())
	}
}
