package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/remote"
)

// The site and the gateway are one server, for its own names only; a configuration that contradicts itself stops it
// with the place.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "dist")
	for name, text := range map[string]string{
		"dist/index.html": "<!doctype html><title>Lab</title>", "dist/_headers": "",
		"netlify.toml": "[build]\ncommand = \"x\"\npublish = \"dist\"\n[[headers]]\nfor = " +
			"\"/*\"\n[headers.values]\nX-Lab = \"yes\"\n",
		"edge.json": `{"backends":[{"id":"minilm","kind":"tei","url":"http://127.0.0.1:1","does":["embed"]}]}`,
		"bad.json": `{"backends":[{"id":"minilm","kind":"tei","url":"http://127.0.0.1:1","does":["embed"],` +
			`"keyy":"x"}]}`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := &context{out: &bytes.Buffer{}, err: &bytes.Buffer{}}
	h, err := (&serveFlags{addr: "127.0.0.1:0", site: site, config: filepath.Join(dir, "edge.json"),
		quiet: true}).handler(c)
	if err != nil {
		t.Fatal(err)
	}
	named, err := (&serveFlags{addr: "0.0.0.0:0", hosts: []string{"lab.example"}, quiet: true}).handler(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "netlify.toml"), filepath.Join(site, "netlify.toml")); err != nil {
		t.Fatal(err)
	}
	within, err := (&serveFlags{addr: "127.0.0.1:0", site: site, quiet: true}).handler(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		h          http.Handler
		host, path string
		status     int
		part       string
	}{
		{h, "127.0.0.1:8080", "/", 200, "<title>Lab"},
		{h, "localhost", "/", 200, "<title>Lab"},
		{h, "[::1]:8080", "/healthz", 200, `"minilm":"closed"`},
		{h, "127.0.0.1:8080", "/api/v1/backends", 200, `"id":"minilm"`},
		{h, "127.0.0.1:8080", "/api/v1/nothing", 404, "urn:rankbox:problem:not-found"},
		{h, "127.0.0.1:8080", "/nothing", 404, ""},
		{h, "evil.example", "/", 421, "its own name"},
		{h, "evil.example:8080", "/api/v1/backends", 421, "its own name"},
		{named, "lab.example", "/healthz", 200, "ok"},
		{named, "LAB.example:443", "/healthz", 200, "ok"},
		{named, "127.0.0.1", "/healthz", 421, ""},
		{named, "lab.example", "/", 404, ""},
		{within, "localhost", "/", 200, "<title>Lab"},
		{within, "localhost", "/netlify.toml", 404, ""},
	} {
		r := httptest.NewRequest("GET", x.path, nil)
		r.Host = x.host
		w := httptest.NewRecorder()
		x.h.ServeHTTP(w, r)
		if w.Code != x.status || !strings.Contains(w.Body.String(), x.part) {
			t.Errorf("%s%s: %d %s", x.host, x.path, w.Code, w.Body)
		}
	}
	for _, x := range []struct {
		args []string
		code int
		part string
	}{
		{[]string{"serve", "-addr", "0.0.0.0:0"}, 2, "-host"},
		{[]string{"serve", "-addr", "nowhere"}, 2, "-addr"},
		{[]string{"serve", "words"}, 2, "takes no arguments"},
		{[]string{"serve", "-addr", "127.0.0.1:0", "-config", filepath.Join(dir, "bad.json")}, 3, "/backends/0"},
		{[]string{"serve", "-addr", "127.0.0.1:0", "-config", filepath.Join(dir, "none.json")}, 3, "none.json"},
		{[]string{"serve", "-addr", "127.0.0.1:0", "-site", filepath.Join(dir, "none")}, 3, "none"},
	} {
		if code, _, errs := call("", x.args...); code != x.code || !strings.Contains(errs, x.part) {
			t.Errorf("%v: %d %s", x.args, code, errs)
		}
	}
}

// A folder for snapshots allows them where there is no configuration, and is a mistake where the configuration allows
// none.
func TestSnapshotsWithoutAConfiguration(t *testing.T) {
	folder := t.TempDir()
	s := serveFlags{addr: "127.0.0.1:0", snapshots: folder, quiet: true}
	handler, err := s.handler(&context{err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	body := "a snapshot"
	sum := sha256.Sum256([]byte(body))
	at := "http://127.0.0.1/api/v1/snapshots/" + hex.EncodeToString(sum[:])
	ask := func(method, body string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		r := httptest.NewRequest(method, at, strings.NewReader(body))
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/octet-stream")
		handler.ServeHTTP(answer, r)
		return answer
	}
	if a := ask("PUT", body); a.Code != http.StatusCreated {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := ask("GET", ""); a.Code != http.StatusOK || a.Body.String() != body {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	s.config = file(t, "edge.json", `{"origins":["https://lab.example"]}`)
	if _, err := s.handler(&context{err: io.Discard}); err == nil ||
		!strings.Contains(err.Error(), `set "snapshots": true in it`) {
		t.Errorf("%v", err)
	}
}

// A new key opens a private edge, and the command line sends it; without the secret, or with a bad day, none is made.
func TestANewKeyOpensAPrivateEdge(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "edge.json")
	text := `{"keys":{"secret":"CLIENT_KEYS"},"backends":[{"id":"wire","kind":"opensearch","url":"http://127.0.0.1:1",
		"index":"wire","does":["search"]}]}`
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CLIENT_KEYS", "")
	if code, _, errs := call("", "serve", "-config", config, "-new-key", "lea"); code != 2 ||
		!strings.Contains(errs, "set CLIENT_KEYS") {
		t.Errorf("%d %s", code, errs)
	}
	t.Setenv("CLIENT_KEYS", "short")
	if code, _, errs := call("", "serve", "-config", config, "-new-key", "lea"); code != 3 ||
		!strings.Contains(errs, "less than 32") {
		t.Errorf("%d %s", code, errs)
	}
	t.Setenv("CLIENT_KEYS", strings.Repeat("k", 32))
	if code, _, errs := call("", "serve", "-config", config, "-new-key", "lea", "-expires", "soon"); code != 2 ||
		!strings.Contains(errs, "2027-01-31") {
		t.Errorf("%d %s", code, errs)
	}
	code, key, errs := call("", "serve", "-config", config, "-new-key", "lea", "-expires", "2099-12-31")
	if code != 0 || !strings.HasPrefix(key, "rbk.lea.20991231.") {
		t.Fatalf("%d %s %s", code, key, errs)
	}
	c := &context{out: &bytes.Buffer{}, err: &bytes.Buffer{}}
	h, err := (&serveFlags{addr: "127.0.0.1:0", config: config, quiet: true}).handler(c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	offer := func(key string) error {
		t.Setenv(edgeKey, key)
		_, err := remote.New(sender(server.URL)).Offer()
		return err
	}
	if err := offer(strings.TrimSpace(key)); err != nil {
		t.Error(err)
	}
	if err := offer(""); err == nil || !strings.Contains(err.Error(), "the edge is private") {
		t.Errorf("%v", err)
	}
}
