// Package static serves a folder of finished files over HTTP the way Netlify does: clean addresses, the headers of
// netlify.toml and of the folder's own _headers, compressed siblings, entity tags. Headers go by the path that was
// asked for, whatever the answer is: what is not there gets those of its path too, so a rule that means files must name
// them. It is not a general file server: it reads the whole site into memory, so that one swap replaces a site as a
// whole, it lists no folders and serves no ranges.
//
// Order of the pipeline: netlify.toml, _headers → Config; folder → Site; Config and Site → Handler.
package static

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
)

// Site is a folder of files, read once. It is not changed afterwards and may be shared.
type Site struct {
	files    map[string]*file // by address: "/", "/search", "/assets/x.js"
	redirect map[string]string
}

type file struct {
	name     string // in the folder
	mime     string
	variants [3]variant // plain, gzip, br; body nil where absent
}

type variant struct {
	body []byte
	etag string
}

const (
	plain = iota
	gzip
	brotli
)

var encodings = [...]string{"", "gzip", "br"}

// types holds the types of the files that a site has; the system's table is not asked, since it differs from machine to
// machine.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".jsonl":       "application/jsonl",
	".md":          "text/markdown; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".pdf":         "application/pdf",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".tsv":         "text/tab-separated-values; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp",
	".woff2":       "font/woff2",
	".xml":         "application/xml",
}

// Type returns the content type of a file by its name, application/octet-stream where the extension is not known.
func Type(name string) string {
	if t, ok := types[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	return "application/octet-stream"
}

// Address returns the path under which a file of the folder is found: index.html → "/", search.html → "/search",
// learn/index.html → "/learn", everything else under its own name.
func Address(name string) string {
	if stem, ok := strings.CutSuffix(name, ".html"); ok {
		if stem == "index" {
			return "/"
		}
		return "/" + strings.TrimSuffix(stem, "/index")
	}
	return "/" + name
}

// Load reads a folder. A file x.br or x.gz beside x is x compressed. It is an error when two files have one address.
func Load(dir fs.FS) (*Site, error) {
	s := &Site{files: map[string]*file{}, redirect: map[string]string{}}
	bodies := map[string][]byte{}
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		bodies[name], err = fs.ReadFile(dir, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("static: load site: %w", err)
	}
	delete(bodies, HeadersFile)
	delete(bodies, ConfigFile)
	for name, body := range bodies {
		if stem, ok := strings.CutSuffix(name, path.Ext(name)); ok &&
			(strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz")) {
			if _, ok := bodies[stem]; ok {
				continue
			}
		}
		f := &file{name: name, mime: Type(name)}
		f.variants[plain] = newVariant(body, "")
		if b, ok := bodies[name+".gz"]; ok {
			f.variants[gzip] = newVariant(b, "gzip")
		}
		if b, ok := bodies[name+".br"]; ok {
			f.variants[brotli] = newVariant(b, "br")
		}
		addr := Address(name)
		if other, ok := s.files[addr]; ok {
			return nil, fmt.Errorf("static: load site: %s and %s have the address %s", other.name, name, addr)
		}
		s.files[addr] = f
		if strings.HasSuffix(name, ".html") {
			s.redirect["/"+name] = addr
			if addr != "/" {
				s.redirect[addr+"/"] = addr
			}
		}
	}
	return s, nil
}

func newVariant(body []byte, encoding string) variant {
	sum := sha256.Sum256(body)
	tag := base64.RawURLEncoding.EncodeToString(sum[:12])
	if encoding != "" {
		tag += "-" + encoding
	}
	return variant{body, `"` + tag + `"`}
}

// Handler serves a Site with the headers of a Config. The site and the configuration may be replaced while it serves: a
// request sees the old ones or the new ones, never a mixture.
type Handler struct {
	now atomic.Pointer[state]
}

// unless is what Netlify lets caches do where no rule says anything: keep a copy, and ask before it is used.
const unless = "public, max-age=0, must-revalidate"

type state struct {
	site   *Site
	config *Config
}

// Replace sets what is served from now on. A handler that was never given a site answers 503.
func (h *Handler) Replace(s *Site, c *Config) { h.now.Store(&state{s, c}) }

// ServeHTTP answers GET and HEAD, with the new address if a page moved. An unknown path gets the page /404 with status
// 404.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := h.now.Load()
	if now == nil {
		http.Error(w, "the site is not built yet", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Cache-Control", unless) // a rule may say otherwise
	for name, values := range now.config.Header(r.URL.Path) {
		w.Header()[name] = values
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	to, ok := now.config.Moved[r.URL.Path]
	if !ok {
		to, ok = now.site.redirect[r.URL.Path]
	}
	if ok && to != r.URL.Path {
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	status := http.StatusOK
	f := now.site.files[r.URL.Path]
	if f == nil {
		status = http.StatusNotFound
		if f = now.site.files["/404"]; f == nil {
			http.Error(w, "not found", status)
			return
		}
	}
	f.serve(w, r, status)
}

func (f *file) serve(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", f.mime)
	}
	v := plain
	if f.variants[gzip].body != nil || f.variants[brotli].body != nil {
		h.Add("Vary", "Accept-Encoding")
		v = f.choose(r.Header.Values("Accept-Encoding"))
	}
	if v != plain {
		h.Set("Content-Encoding", encodings[v])
	}
	h.Set("ETag", f.variants[v].etag)
	if status == http.StatusOK && noneMatch(r.Header.Values("If-None-Match"), f.variants[v].etag) {
		h.Del("Content-Type")
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(f.variants[v].body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(f.variants[v].body) // a client that went away is not an error of ours
	}
}

// choose returns the smallest variant that the request accepts; identity is always acceptable here (RFC 9110, 12.5.3: a
// server that would otherwise have nothing to send may ignore the header).
func (f *file) choose(accept []string) int {
	best := plain
	for v := brotli; v > plain; v-- {
		b := f.variants[v].body
		if b != nil && accepts(accept, encodings[v]) && (best == plain || len(b) < len(f.variants[best].body)) {
			best = v
		}
	}
	return best
}

// accepts says whether Accept-Encoding lists an encoding, or a star and not the encoding, with a weight above zero.
func accepts(header []string, encoding string) bool {
	star := false
	for _, line := range header {
		for item := range strings.SplitSeq(line, ",") {
			name, params, err := mime.ParseMediaType(strings.TrimSpace(item))
			if err != nil {
				continue
			}
			positive := true
			if q, ok := params["q"]; ok {
				weight, err := strconv.ParseFloat(q, 64)
				positive = err == nil && weight > 0
			}
			switch name {
			case encoding:
				return positive
			case "*":
				star = positive
			}
		}
	}
	return star
}

// noneMatch says whether If-None-Match names the tag; the comparison is weak (RFC 9110, 13.1.2).
func noneMatch(header []string, etag string) bool {
	for _, line := range header {
		for item := range strings.SplitSeq(line, ",") {
			item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
			if item == "*" || item == etag {
				return true
			}
		}
	}
	return false
}
