package static

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Config is what netlify.toml says about building and serving the site.
type Config struct {
	Command string            // the build command
	Publish string            // the folder that is served, relative to the file
	Rules   []Rule            // in the order of the file
	Moved   map[string]string // paths of pages that moved, each to the path where its page is now: status 301
}

// Rule sets headers on the paths that its pattern matches.
type Rule struct {
	For    string // "/exact/path", or "/folder/*" for the folder and everything below it
	Values map[string]string
}

// ReadConfig reads netlify.toml. Keys that it does not know are left alone, since Netlify has many. Refused are
// patterns that Netlify refuses (anything after a star) or that this package does not serve (placeholders, stars inside
// a name), and two rules that match one path and set the same header to different values: Netlify would join the two.
func ReadConfig(r io.Reader) (*Config, error) {
	var file struct {
		Build struct {
			Command string `toml:"command"`
			Publish string `toml:"publish"`
		} `toml:"build"`
		Headers []struct {
			For    string            `toml:"for"`
			Values map[string]string `toml:"values"`
		} `toml:"headers"`
		Redirects []struct {
			From   string `toml:"from"`
			To     string `toml:"to"`
			Status int    `toml:"status"`
		} `toml:"redirects"`
	}
	if _, err := toml.NewDecoder(r).Decode(&file); err != nil {
		return nil, fmt.Errorf("static: read netlify.toml: %w", err)
	}
	c := &Config{Command: file.Build.Command, Publish: file.Build.Publish}
	if c.Publish == "" {
		return nil, fmt.Errorf("static: read netlify.toml: build.publish is missing")
	}
	for _, h := range file.Headers {
		if err := c.add(h.For, h.Values); err != nil {
			return nil, fmt.Errorf("static: read netlify.toml: headers for %q: %w", h.For, err)
		}
	}
	c.Moved = map[string]string{}
	for _, r := range file.Redirects {
		permanent := r.Status == 0 || r.Status == http.StatusMovedPermanently
		if !permanent || !isPage(r.From) || !isPage(r.To) || r.From == r.To {
			return nil, fmt.Errorf("static: read netlify.toml: redirect from %q: want one path of the site, another, "+
				"and status 301", r.From)
		}
		c.Moved[r.From] = r.To
	}
	return c, nil
}

// HeadersFile is the name of the file in the published folder that has rules of its own. Netlify reads it and does not
// publish it.
const HeadersFile = "_headers"

// ConfigFile is the name of the file that ReadConfig reads. It lies beside the published folder, or in it, and is not
// published.
const ConfigFile = "netlify.toml"

// With returns the configuration with the rules of a HeadersFile added: a line with a path, and below it lines " Name:
// value".
func (c *Config) With(r io.Reader) (*Config, error) {
	all := &Config{c.Command, c.Publish, slices.Clone(c.Rules), c.Moved}
	pattern, values := "", map[string]string{}
	end := func() error {
		if pattern == "" {
			return nil
		}
		return all.add(pattern, values)
	}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		name, value, both := strings.Cut(text, ":")
		var err error
		switch {
		case text == "" || text[0] == '#':
		case text[0] == '/' && lines.Text()[0] == '/':
			err = end()
			pattern, values = text, map[string]string{}
		case !both || pattern == "":
			err = fmt.Errorf("neither a path nor a header below one")
		default:
			values[name] = strings.TrimSpace(value)
		}
		if err != nil {
			return nil, fmt.Errorf("static: read %s: line %d: %w", HeadersFile, n, err)
		}
	}
	if err := end(); err != nil {
		return nil, fmt.Errorf("static: read %s: %w", HeadersFile, err)
	}
	return all, lines.Err()
}

// add adds a rule, unless it and one before both match some paths and set a header to different values.
func (c *Config) add(pattern string, values map[string]string) error {
	if err := checkPattern(pattern); err != nil {
		return err
	}
	rule := Rule{For: pattern, Values: make(map[string]string, len(values))}
	for name, value := range values {
		if strings.ContainsAny(value, "\r\n") {
			return fmt.Errorf("%s: the value has a line break", name)
		}
		rule.Values[textproto.CanonicalMIMEHeaderKey(name)] = value
	}
	for _, before := range c.Rules {
		if !overlap(before.For, rule.For) {
			continue
		}
		for name, value := range rule.Values {
			if other, ok := before.Values[name]; ok && other != value {
				return fmt.Errorf("%q matches some of these paths too and sets %s to a different value", before.For,
					name)
			}
		}
	}
	c.Rules = append(c.Rules, rule)
	return nil
}

// isPage reports whether p is the path of one page.
func isPage(p string) bool {
	return strings.HasPrefix(p, "/") && path.Clean(p) == p && !strings.ContainsAny(p, "*:?#")
}

func checkPattern(p string) error {
	switch body := strings.TrimSuffix(p, "/*"); {
	case !strings.HasPrefix(p, "/"):
		return fmt.Errorf("a pattern starts with a slash")
	case strings.ContainsAny(body, "*:"):
		return fmt.Errorf("a pattern is an exact path, or ends in /*")
	case p != "/" && p != "/*" && path.Clean(body) != body:
		return fmt.Errorf("the pattern is not in its shortest form")
	}
	return nil
}

// Header returns the headers of one path, which is the path of an address: "/", "/search", "/assets/wasm/x.wasm".
// Values is nil-safe to range over; a path without rules has none.
func (c *Config) Header(urlPath string) http.Header {
	h := http.Header{}
	for _, r := range c.Rules {
		if !matches(r.For, urlPath) {
			continue
		}
		for name, value := range r.Values {
			h.Set(name, value)
		}
	}
	return h
}

// matches says whether a pattern matches a path. "/learn/*" matches "/learn" too.
func matches(pattern, urlPath string) bool {
	folder, star := strings.CutSuffix(pattern, "/*")
	if !star {
		return pattern == urlPath
	}
	return urlPath == folder || strings.HasPrefix(urlPath, folder+"/")
}

// overlap says whether some path is matched by both patterns.
func overlap(a, b string) bool {
	return matches(a, strings.TrimSuffix(b, "/*")) || matches(b, strings.TrimSuffix(a, "/*")) || a == b
}
