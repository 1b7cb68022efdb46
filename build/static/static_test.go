package static

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func site(t *testing.T) *Site {
	t.Helper()
	big := strings.Repeat("rank ", 100)
	s, err := Load(fstest.MapFS{
		"index.html":               {Data: []byte("home")},
		"search.html":              {Data: []byte(big)},
		"search.html.br":           {Data: []byte("BR")},
		"search.html.gz":           {Data: []byte("GZIP")},
		"learn/index.html":         {Data: []byte("lessons")},
		"learn/ndcg.html":          {Data: []byte("nDCG")},
		"404.html":                 {Data: []byte("no such page")},
		"_headers":                 {Data: []byte(own)},
		"sw.js":                    {Data: []byte("")},
		"assets/wasm/a.1234.wasm":  {Data: []byte("\x00asm")},
		"assets/1234/js/boot.js":   {Data: []byte("boot")},
		"collections/x/1/runs.gz":  {Data: []byte("a gzip file of its own")},
		"collections/x/1/meta.xyz": {Data: []byte("?")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func config(t *testing.T, text string) *Config {
	t.Helper()
	c, err := ReadConfig(strings.NewReader("[build]\npublish = \"dist\"\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.With(strings.NewReader(own)); err != nil {
		t.Fatal(err)
	}
	return c
}

const rules = `
[[headers]]
for = "/*"
[headers.values]
x-everywhere = "1"
[[headers]]
for = "/assets/*"
[headers.values]
X-Assets = "1"
[[redirects]]
from = "/learn/ap/de"
to = "/learn/ap"
status = 301
`

const own = `# of the folder
/search
  Cache-Control: no-cache

/assets/1234/js/boot.js
  cache-control: immutable
  X-Colons: a: b
`

func TestServeHTTP(t *testing.T) {
	h := &Handler{}
	do := func(method, path string, header ...string) *http.Response {
		r := httptest.NewRequest(method, path, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	if got := do("GET", "/").StatusCode; got != http.StatusServiceUnavailable {
		t.Errorf("before the first site: status %d", got)
	}
	h.Replace(site(t), config(t, rules))
	cases := []struct {
		name, method, path string
		header             []string
		status             int
		body               string // "" is not compared
		want               []string
	}{
		{"the home page", "GET", "/", nil, 200, "home",
			[]string{"Content-Type", "text/html; charset=utf-8", "X-Everywhere", "1", "Vary", ""}},
		{"a clean address", "GET", "/search", nil, 200, "rank", []string{"Vary", "Accept-Encoding", "Content-Encoding",
			"", "Cache-Control", "no-cache"}},
		{"a query is not part of the path", "GET", "/search?q=a", nil, 200, "rank", nil},
		{"brotli where it is accepted", "GET", "/search", []string{"Accept-Encoding", "gzip, deflate, br"}, 200, "BR",
			[]string{"Content-Encoding", "br", "Content-Type", "text/html; charset=utf-8", "Content-Length", "2"}},
		{"gzip where brotli is refused", "GET", "/search", []string{"Accept-Encoding", "br;q=0, gzip;q=0.5"}, 200,
			"GZIP", []string{"Content-Encoding", "gzip"}},
		{"a star accepts", "GET", "/search", []string{"Accept-Encoding", "*"}, 200, "BR", nil},
		{"a star without brotli", "GET", "/search", []string{"Accept-Encoding", "*, br;q=0"}, 200, "GZIP", nil},
		{"identity only", "GET", "/search", []string{"Accept-Encoding", "identity"}, 200, "rank",
			[]string{"Content-Encoding", ""}},
		{"a page in a folder", "GET", "/learn/ndcg", nil, 200, "nDCG", nil},
		{"the page of a folder", "GET", "/learn", nil, 200, "lessons", nil},
		{"a slash too many", "GET", "/learn/?a=b", nil, 301, "",
			[]string{"Location", "/learn?a=b", "X-Everywhere", "1"}},
		{"a page that moved", "GET", "/learn/ap/de?a=b", nil, 301, "", []string{"Location", "/learn/ap?a=b"}},
		{"the name of the file", "GET", "/index.html", nil, 301, "", []string{"Location", "/"}},
		{"an unknown page", "GET", "/nowhere", nil, 404, "no such page",
			[]string{"X-Everywhere", "1", "Content-Type", "text/html; charset=utf-8"}},
		{"an unknown asset has the headers of its path", "GET", "/assets/gone.js", nil, 404, "no such page",
			[]string{"X-Assets", "1", "Cache-Control", unless}},
		{"a rule for one file", "GET", "/assets/1234/js/boot.js", nil, 200, "boot",
			[]string{"X-Assets", "1", "X-Everywhere", "1", "Cache-Control", "immutable", "X-Colons", "a: b"}},
		{"the rules are not published", "GET", "/_headers", nil, 404, "no such page", nil},
		{"a way out of the folder", "GET", "/../static.go", nil, 404, "no such page", nil},
		{"wasm", "GET", "/assets/wasm/a.1234.wasm", nil, 200, "\x00asm",
			[]string{"Content-Type", "application/wasm", "Cache-Control", unless}},
		{"an empty file", "GET", "/sw.js", nil, 200, "",
			[]string{"Content-Length", "0", "Content-Type", "text/javascript; charset=utf-8"}},
		{"a compressed file of its own", "GET", "/collections/x/1/runs.gz", nil, 200, "a gzip file of its own",
			[]string{"Content-Encoding", "", "Content-Type", "application/octet-stream"}},
		{"no variant under its own name", "GET", "/search.html.br", nil, 404, "", nil},
		{"writing", "POST", "/search", nil, 405, "", []string{"Allow", "GET, HEAD", "X-Everywhere", "1"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := do(c.method, c.path, c.header...)
			var body strings.Builder
			r.Write(&body)
			if r.StatusCode != c.status {
				t.Errorf("status %d, want %d", r.StatusCode, c.status)
			}
			if _, b, _ := strings.Cut(body.String(), "\r\n\r\n"); !strings.HasPrefix(b, c.body) {
				t.Errorf("body %.20q, want %q", b, c.body)
			}
			for i := 0; i < len(c.want); i += 2 {
				if got := r.Header.Get(c.want[i]); got != c.want[i+1] {
					t.Errorf("%s: %q, want %q", c.want[i], got, c.want[i+1])
				}
			}
		})
	}
	t.Run("a tag belongs to one encoding", func(t *testing.T) {
		tag := do("GET", "/search", "Accept-Encoding", "br").Header.Get("ETag")
		if got := do("GET", "/search", "Accept-Encoding", "br", "If-None-Match",
			`"x", W/`+tag); got.StatusCode != 304 || got.Header.Get("ETag") != tag {
			t.Errorf("status %d with the tag", got.StatusCode)
		}
		if got := do("GET", "/search", "Accept-Encoding", "gzip", "If-None-Match", tag).StatusCode; got != 200 {
			t.Errorf("status %d with the tag of another encoding", got)
		}
	})
	t.Run("HEAD has the headers and no body", func(t *testing.T) {
		r := do("HEAD", "/search")
		if r.ContentLength != 500 || r.StatusCode != 200 {
			t.Errorf("length %d, status %d", r.ContentLength, r.StatusCode)
		}
	})
}

func TestLoadRefusesTwoFilesWithOneAddress(t *testing.T) {
	_, err := Load(fstest.MapFS{"learn.html": {}, "learn/index.html": {}})
	if err == nil || !strings.Contains(err.Error(), "/learn") {
		t.Errorf("error %v", err)
	}
}

func TestReadConfig(t *testing.T) {
	rule := func(pattern, value string) string {
		return fmt.Sprintf("[[headers]]\nfor = %q\n[headers.values]\nX-A = %q\n", pattern, value)
	}
	cases := []struct{ name, text, want string }{ // want "" is no error
		{"two rules that meet nowhere", rule("/a/*", "1") + rule("/b/*", "2"), ""},
		{"the same value twice", rule("/a/*", "1") + rule("/a", "1"), ""},
		{"different value", rule("/a/*", "1") + rule("/a/b", "2"), "different value"},
		{"different values, the wider rule last", rule("/a/b", "1") + rule("/*", "2"), "different value"},
		{"a star that also means the folder", rule("/a", "1") + rule("/a/*", "2"), "different value"},
		{"a star within a name", rule("/*.js", "1"), "exact path"},
		{"a star in the middle", rule("/a/*/b", "1"), "exact path"},
		{"a named part", rule("/a/:b", "1"), "exact path"},
		{"no slash at the start", rule("a", "1"), "slash"},
		{"a slash at the end", rule("/a/", "1"), "shortest"},
		{"a value of two lines", rule("/a", "1\n2"), "line break"},
		{"no TOML", "[[", "netlify.toml"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadConfig(strings.NewReader("[build]\npublish = \"dist\"\n" + c.text))
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
	if _, err := ReadConfig(strings.NewReader("")); err == nil {
		t.Error("no error where nothing is published")
	}
}

func TestWith(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"two paths", "/a\n  X-A: 1\n/b\n  X-A: 2\n", ""},
		{"no path", "  X-A: 1\n", "line 1"},
		{"no header", "/a\n\n  X-A\n", "line 3"},
		{"another value than in netlify.toml", "/a\n  X-B: 2\n", "different value"},
		{"a star in the middle", "/a*b\n  X-A: 1\n/b\n", "exact path"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := config(t, "[[headers]]\nfor = \"/*\"\n[headers.values]\nX-B = \"1\"\n")
			n := len(before.Rules)
			_, err := before.With(strings.NewReader(c.text))
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want %q in it", err, c.want)
			}
			if len(before.Rules) != n {
				t.Error("the configuration itself has changed")
			}
		})
	}
}

// TestNetlifyFile holds the repository's own file to the policy of the design, section 5.
func TestNetlifyFile(t *testing.T) {
	f, err := os.Open("../../netlify.toml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := ReadConfig(f)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"default-src": "'none'", "script-src": "'self' 'wasm-unsafe-eval'", "style-src": "'self'",
		"connect-src": "'self'", "img-src": "'self' blob:",
		"worker-src": "'self'", "base-uri": "'none'", "object-src": "'none'", "require-trusted-types-for": "'script'",
	}
	for _, p := range []string{"/", "/search", "/assets/wasm/x.wasm", "/assets/1/js/worker.js", "/sw.js", "/nowhere"} {
		got := map[string]string{}
		for part := range strings.SplitSeq(c.Header(p).Get("Content-Security-Policy"), ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), " ")
			got[name] = value
		}
		for name, value := range want {
			if got[name] != value {
				t.Errorf("%s: %s is %q, want %q", p, name, got[name], value)
			}
		}
		for name, value := range got {
			if strings.Contains(value, "unsafe-") && value != want["script-src"] || strings.Contains(value, "http") ||
				strings.Contains(value, "*") {
				t.Errorf("%s: %s %s lets in too much", p, name, value)
			}
		}
	}
}

// A redirect leads from one path of the site to another, for good.
func TestReadConfigRefusesRedirects(t *testing.T) {
	for name, redirect := range map[string]string{
		"to another site":  `from = "/a"` + "\n" + `to = "https://example.org/"`,
		"of a folder":      `from = "/a/*"` + "\n" + `to = "/b"`,
		"to itself":        `from = "/a"` + "\n" + `to = "/a"`,
		"for now":          `from = "/a"` + "\n" + `to = "/b"` + "\nstatus = 302",
		"without a target": `from = "/a"`,
	} {
		text := "[build]\npublish = \"dist\"\n[[redirects]]\n" + redirect
		_, err := ReadConfig(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), "redirect from \"/a") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
