package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/build/static"
)

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"serv"}, {"serve", "-addr", "0.0.0.0:80"}, {"serve", "-addr", "nonsense"},
		{"serve", "x"}, {"serve", "-nope"},
		{"serve", "-from", "x"}, {"test", "-run", "("}, {"size", "x"}} {
		var usage usageError
		if err := run(context.Background(), args); !errors.As(err, &usage) {
			t.Errorf("%q: error %v, want a usage error", args, err)
		}
	}
	if err := run(context.Background(), []string{"serve", "-h"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: error %v", err)
	}
}

func TestLoopback(t *testing.T) {
	for addr, fine := range map[string]bool{"127.0.0.1:0": true, "localhost:8080": true, "[::1]:0": true,
		"127.9.9.9:1": true,
		":8080":       false, "0.0.0.0:0": false, "192.168.1.2:80": false, "example.org:80": false,
		"127.0.0.1": false} {
		if err := loopback(addr); (err == nil) != fine {
			t.Errorf("%s: error %v", addr, err)
		}
	}
}

func TestChoose(t *testing.T) {
	list := []check{{name: "a"}, {name: "b", needs: []string{"a"}}, {name: "c", needs: []string{"b"}}, {name: "d"}}
	cases := []struct{ pattern, want, left string }{
		{"", "a b c d", ""},
		{"^c$", "a b c", "d"},
		{"b|d", "a b d", "c"},
		{"none", "", "a b c d"},
	}
	for _, c := range cases {
		chosen, left := choose(list, regexp.MustCompile(c.pattern))
		if got := strings.ReplaceAll(names(chosen), ",", ""); got != c.want || strings.Join(left, " ") != c.left {
			t.Errorf("%q: %q and left %q", c.pattern, got, left)
		}
	}
}

func TestGroupedSkips(t *testing.T) {
	got := grouped([]string{"a/b TestX: reference data absent: 1.json", "a/b TestY/z: reference data absent: 2.json",
		"a/b TestZ: with -short", "c TestX: reference data absent: 1.json"})
	want := []string{"a/b TestX: reference data absent: 1.json (and 1 more there for such a reason)",
		"a/b TestZ: with -short", "c TestX: reference data absent: 1.json"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestCheckFormat(t *testing.T) {
	p := newProject(t.TempDir(), &bytes.Buffer{})
	write(t, p.root, map[string]string{"a/a.go": "package a\n", "node_modules/b.go": "package  b",
		"a/testdata/c.go": "not Go"})
	if err := p.checkFormat(context.Background()); err != nil {
		t.Error(err)
	}
	write(t, p.root, map[string]string{"a/b.go": "package a\nvar  x int\n", "a/c.go": "pack"})
	if err := p.checkFormat(context.Background()); err == nil || !strings.Contains(err.Error(), "a/b.go") ||
		!strings.Contains(err.Error(), "a/c.go") {
		t.Errorf("error %v", err)
	}
}

func TestCheckImports(t *testing.T) {
	files := func(boot string) map[string][]byte {
		return map[string][]byte{"js/boot.js": []byte(boot), "js/a.js": nil, "css/b.css": nil}
	}
	cases := []struct {
		name, boot string
		fine       bool
	}{
		{"from", "import { x } from './a.js';", true},
		{"for its effect", "import './a.js';", true},
		{"when needed", "const m = await import('./a.js');", true},
		{"an address", "new URL('./a.js', import.meta.url)", true},
		{"one folder up", `fetch(new URL("../css/b.css", import.meta.url))`, true},
		{"from, missing", "import { x } from './b.js';", false},
		{"for its effect, missing", "import './b.js';", false},
		{"when needed, missing", "const m = await import('./b.js');", false},
		{"an address, missing", "new URL('./b.js', import.meta.url)", false},
	}
	for _, c := range cases {
		if err := checkImports(files(c.boot)); (err == nil) != c.fine {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

func TestServiceWorkerKnowsEveryFile(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(root, &bytes.Buffer{})
	build := func(home string) (string, [][2]string) {
		files := map[string][]byte{"index.html": []byte(home), "search.html": []byte("s"), "robots.txt": nil,
			"assets/1/js/a.js": []byte("a"), "assets/encoders/e.1.bin": nil}
		if err := p.serviceWorker(files,
			&siteConfig{Collections: []collectionConfig{{ID: "x", Base: "/collections/x/1/"}},
				Encoders: []encoderConfig{{asset: asset{URL: "/assets/encoders/e.1.bin"}}},
				Network: networkConfig{asset{URL: "/assets/vendor/n.1.js"},
					asset{URL: "/assets/vendor/n.1.wasm"}}}); err != nil {
			t.Fatal(err)
		}
		text := string(files["sw.js"])
		value := func(name string, v any) {
			m := regexp.MustCompile(`(?m)^const ` + name + ` = (.*);$`).FindStringSubmatch(text)
			if m == nil {
				t.Fatalf("no constant %s", name)
			}
			if err := json.Unmarshal([]byte(m[1]), v); err != nil {
				t.Fatal(err)
			}
		}
		var id string
		var list [][2]string
		var bases []string
		value("BUILD", &id)
		value("FILES", &list)
		value("KEEP", &bases)
		if !slices.Equal(bases, []string{"/collections/x/1/", "/assets/encoders/e.1.bin", "/assets/vendor/n.1.js",
			"/assets/vendor/n.1.wasm"}) {
			t.Errorf("kept %q", bases)
		}
		return id, list
	}
	id, list := build("a")
	// Oracle: printf s | openssl dgst -sha256 -binary | base64
	want := [][2]string{{"/assets/1/js/a.js", "sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs="},
		{"/", "sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs="},
		{"/search", "sha256-BDpxh3TFcr2KJa2+sb/NXAJWrhHOz5+cP5JdDlK+r4k="}}
	if !slices.Equal(list, want) {
		t.Errorf("files %q\nwant  %q", list, want)
	}
	if again, _ := build("a"); again != id {
		t.Error("the same site has another name")
	}
	if other, _ := build("b"); other == id {
		t.Error("another page, and the same name of the build")
	}
}

func TestHeaders(t *testing.T) {
	f, err := os.Open("../../netlify.toml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	config, err := static.ReadConfig(f)
	if err != nil {
		t.Fatal(err)
	}
	const forever = "public, max-age=31536000, immutable"
	want := map[string]string{
		"index.html": "no-cache", "embed.html": "no-cache", "embed/more.html": "no-cache", "embedded.html": "no-cache",
		"search.html": "no-cache", "learn/ndcg.html": "no-cache", "404.html": "no-cache", "sw.js": "no-cache",
		"assets/0123456789abcdef/js/boot.js": forever, "assets/wasm/rankbox.0123456789abcdef.wasm": forever,
		"collections/x/0123456789abcdef/manifest.json": forever,
	}
	files := map[string][]byte{}
	for name := range want {
		files[name] = nil
	}
	text, err := headers(config, files)
	if err != nil {
		t.Fatal(err)
	}
	all, err := config.With(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, cache := range want {
		h := all.Header(static.Address(name))
		if h.Get("Cache-Control") != cache || h.Get("Content-Security-Policy") == "" ||
			strings.HasSuffix(name, ".wasm") != (h.Get("Content-Type") == "application/wasm") {
			t.Errorf("%s: %v", name, h)
		}
		frames := map[bool]string{true: "", false: "DENY"}[name == "embed.html"] // exactly that path
		if got := h.Get("X-Frame-Options"); got != frames ||
			strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors") {
			t.Errorf("%s: X-Frame-Options %q, want %q", name, got, frames)
		}
	}
	for _, address := range []string{"/index.html", "/search.html", "/learn/ndcg.html"} {
		if got := all.Header(address).Get("X-Frame-Options"); got != "DENY" {
			t.Errorf("%s: X-Frame-Options %q, want DENY", address, got)
		}
	}
	// What is not there is an answer that nobody may keep, and no program.
	for _, address := range []string{"/nowhere", "/assets/0123456789abcdef/js/gone.js",
		"/assets/wasm/rankbox.fedcba9876543210.wasm", "/collections/x/fedcba9876543210/manifest.json", "/learn/gone"} {
		if h := all.Header(address); h.Get("Cache-Control") != "" || h.Get("Content-Type") != "" ||
			h.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %v", address, h)
		}
	}
	for _, name := range []string{"assets/boot.js", "assets/wasm/kernel.wasm", "collections/x/manifest.json"} {
		if _, err := headers(config, map[string][]byte{name: nil}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	folder, err := config.With(strings.NewReader("/assets/*\n  Cache-Control: " + forever + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := headers(folder, files); err == nil {
		t.Error("a rule for a folder: no error")
	}
	all.Rules = nil
	for _, rule := range []string{"Content-Security-Policy: default-src 'none'; frame-ancestors 'self'",
		"Content-Security-Policy: default-src 'none'\n  X-Frame-Options: SAMEORIGIN"} {
		own, err := all.With(strings.NewReader("/*\n  " + rule + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := headers(own, map[string][]byte{"index.html": nil}); err == nil {
			t.Errorf("%s: no error", rule)
		}
	}
}

func TestOwnHost(t *testing.T) {
	h := ownHost(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8000},
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for host, want := range map[string]int{
		"127.0.0.1:8000": 200, "localhost:8000": 200, "[::1]:8000": 200, "127.0.0.1:8001": 421, "127.0.0.1": 421,
		"rebound.example:8000": 421, "localhost.example:8000": 421, "192.0.2.1:8000": 421, "": 421,
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: status %d, want %d", host, w.Code, want)
		}
	}
}

func TestWeigh(t *testing.T) {
	big := make([]byte, 900_000)
	fine := map[string][]byte{"assets/wasm/first.a.wasm": big, "assets/wasm/first.a.wasm.br": big[:700_000],
		"assets/wasm/first.a.wasm.gz": big, "index.html": big[:39_000],
		"search.html": big[:39_000]}
	if lines, over := weigh(fine); len(over) > 0 ||
		!strings.Contains(lines[0], fmt.Sprintf("700000 of %9d bytes", budgets[0].limit)) {
		t.Errorf("over %q, %q", over, lines)
	}
	fine["assets/wasm/first.b.wasm"] = big
	fine["learn.html"] = big[:41_500]
	_, over := weigh(fine)
	if len(over) != 2 || !strings.Contains(over[0], "first search") || !strings.Contains(over[1], "41500") {
		t.Errorf("over %q", over)
	}
}

func TestDifferences(t *testing.T) {
	a := map[string][]byte{"same": []byte("1"), "changed": []byte("1"), "gone": nil}
	b := map[string][]byte{"same": []byte("1"), "changed": []byte("2"), "new": nil}
	if got := differences(a, b); !slices.Equal(got, []string{"changed", "gone", "new"}) {
		t.Errorf("%q", got)
	}
}

// TestWatch changes files under a watcher and counts its builds: one a change, none for what a build writes itself.
func TestWatch(t *testing.T) {
	p := newProject(t.TempDir(), &bytes.Buffer{})
	write(t, p.root, map[string]string{"core/a.go": "1", "wasm/app/ui/x.vugu": "1", "site/e2e/a.test.mjs": "1"})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	builds := make(chan int, 10)
	n := 0
	w := newWatcher(p, p.path("dist"), false)
	go w.run(ctx, func(context.Context) error {
		n++
		// what a build writes: none of it may cause the next
		write(t, p.root, map[string]string{"wasm/app/ui/x_gen.go": strings.Repeat("x", n),
			"dist/index.html":      strings.Repeat("x", n),
			"wasm/kernel/dot.wasm": strings.Repeat("x", n), ".cache/x": strings.Repeat("x", n),
			"docs/measure.md": strings.Repeat("x", n)})
		builds <- n
		if n == 1 {
			return errors.New("a build that fails does not end the watch")
		}
		return nil
	})
	expect := func(what string, want bool) {
		t.Helper()
		wait := 2 * time.Second
		if want {
			wait = time.Minute // on a machine that is busy
		}
		select {
		case <-builds:
			if !want {
				t.Errorf("%s: a build", what)
			}
		case <-time.After(wait):
			if want {
				t.Errorf("%s: no build", what)
			}
		}
	}
	write(t, p.root, map[string]string{"core/a.go": "1, changed"})
	expect("a change", true)
	expect("rest", false)
	write(t, p.root, map[string]string{"core/new.go": "", "wasm/app/ui/x.vugu": "1, changed"})
	expect("a new file and a change", true)
	if err := os.Remove(filepath.Join(p.root, "core/new.go")); err != nil {
		t.Fatal(err)
	}
	expect("a file is gone", true)
	write(t, p.root, map[string]string{"site/e2e/a.test.mjs": "1, changed", "core/a_test.go": "1",
		"core/testdata/x": "1"})
	expect("tests", false)
}

// TestLockNamesNoRegistry holds that package-lock.json pins versions and hashes, and leaves it to the machine where
// they come from.
func TestLockNamesNoRegistry(t *testing.T) {
	data, err := os.ReadFile("../../package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Resolved, Integrity string }
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		t.Fatal(err)
	}
	for name, p := range lock.Packages {
		if p.Resolved != "" || name != "" && p.Integrity == "" {
			t.Errorf("%s: resolved %q, integrity %q: make it anew with the repository's .npmrc", name, p.Resolved,
				p.Integrity)
		}
	}
	if len(lock.Packages) < 4 {
		t.Errorf("%d packages", len(lock.Packages))
	}
}

func TestChromiumThatIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	p := newProject(t.TempDir(), &bytes.Buffer{})
	t.Setenv("CHROMIUM", "/nowhere/chromium")
	if _, err := p.chromium(context.Background()); err == nil || !strings.Contains(err.Error(), "/nowhere/chromium") {
		t.Errorf("error %v", err)
	}
	t.Setenv("CHROMIUM", "")
	if path, err := p.chromium(context.Background()); err == nil && !strings.HasPrefix(path, "/Applications/") ||
		err != nil && !strings.Contains(err.Error(), "Chromium is missing") {
		t.Errorf("%q, error %v", path, err)
	}
}

// TestChromiumThatIsThere holds that end-to-end tests take the shell where it is installed, what measures and takes
// pictures does not, and each takes the other where it has to.
func TestChromiumThatIsThere(t *testing.T) {
	for _, c := range []struct {
		name                   string
		installed              []string
		set                    string
		wantTests, wantPicture string
	}{
		{"both", []string{shell, "chromium"}, "", shell, "chromium"},
		{"the shell", []string{shell}, "", shell, shell},
		{"the whole", []string{"google-chrome", "chromium"}, "", "chromium", "chromium"},
		{"one that is named", []string{shell, "chromium", "own"}, "own", "own", "own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range c.installed {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", dir)
			t.Setenv("CHROMIUM", c.set)
			p := newProject(t.TempDir(), &bytes.Buffer{})
			for want, find := range map[string]func(context.Context) (string,
				error){"tests: " + c.wantTests: p.headless, "pictures: " + c.wantPicture: p.chromium} {
				kind, _, _ := strings.Cut(want, ": ")
				got, err := find(context.Background())
				if err != nil || kind+": "+filepath.Base(got) != want {
					t.Errorf("%s, not %s, error %v", got, want, err)
				}
			}
		})
	}
}

// What -collections names may be anywhere, hold several collections or be one, and need neither the demo nor
// collection.json.
func TestSourcesOfCollections(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  string // folders in order and their ids, or a part of the error
	}{
		{"several, with other folders", []string{"SciFact_v2/corpus.jsonl", "cranfield/corpus.jsonl.gz",
			"cranfield/corpus.jsonl", "notes/readme.txt"}, "SciFact_v2=scifact-v2 cranfield=cranfield"},
		{"the demo first", []string{"a/corpus.jsonl", "harbour-wire/corpus.jsonl", "b/corpus.jsonl"},
			"harbour-wire=harbour-wire a=a b=b"},
		{"one that is named itself", []string{"corpus.jsonl", "queries.jsonl"}, ".=own"},
		{"two of one name", []string{"a_b/corpus.jsonl", "a-b/corpus.jsonl"}, "both called a-b"},
		{"none", []string{"queries.jsonl"}, "no collection"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "Own")
			for _, name := range c.files {
				write(t, dir, map[string]string{name: "{}"})
			}
			p := newProject(t.TempDir(), io.Discard)
			p.collections = dir
			found, err := p.sources()
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Error(err)
				}
				return
			}
			var got []string
			for _, f := range found {
				rel, err := filepath.Rel(dir, f)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, rel+"="+collectionID(f))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s, want %s", s, c.want)
			}
		})
	}
}
