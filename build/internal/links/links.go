// Package links checks the links of a built site and of the documents: that everything a page or a Markdown file names
// within the site or the repository is there. Addresses of other sites are not asked for.
package links

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// Problem is a link that leads nowhere, or a piece of a page that the site's policy would refuse.
type Problem struct {
	File string
	Line int
	What string
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What) }

// Site checks the pages of a site. files maps the address of every file ("/", "/search", "/assets/x.js") to its
// content; pages are those whose content begins with a doctype. Checked are href, src, srcset, action and poster,
// fragments against the ids of the page they lead to, and that a page has no inline script, style or event handler,
// which the policy forbids. A fragment that contains "=" is state, not a place. It returns the number of links as well.
func Site(files map[string][]byte) (problems []Problem, n int) {
	ids := map[string]map[string]bool{}
	pages := map[string][]element{}
	for addr, data := range files {
		if isPage(data) {
			pages[addr] = elements(data)
			ids[addr] = map[string]bool{}
			for _, e := range pages[addr] {
				if id, ok := e.attrs["id"]; ok {
					ids[addr][id] = true
				}
			}
		}
	}
	for addr, list := range pages {
		report := func(line int, format string, args ...any) {
			problems = append(problems, Problem{addr, line, fmt.Sprintf(format, args...)})
		}
		for _, e := range list {
			if e.inline {
				report(e.line, "an inline <%s>, which the policy forbids", e.tag)
			}
			for name := range e.attrs {
				if name == "style" || strings.HasPrefix(name, "on") {
					report(e.line, "the attribute %s of <%s>, which the policy forbids", name, e.tag)
				}
			}
			for _, target := range e.targets() {
				n++
				if why := follow(addr, target, files, ids); why != "" {
					report(e.line, "%q: %s", target, why)
				}
			}
		}
	}
	order(problems)
	return problems, n
}

func isPage(data []byte) bool {
	start := string(data[:min(len(data), 64)])
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(start)), "<!doctype html")
}

func follow(addr, target string, files map[string][]byte, ids map[string]map[string]bool) string {
	u, err := url.Parse(target)
	if err != nil {
		return "not an address"
	}
	switch u.Scheme {
	case "http", "https":
		return ""
	case "mailto", "data", "blob":
		return ""
	case "":
	default:
		return "the scheme " + u.Scheme
	}
	if u.Host != "" {
		return "an address without a scheme that leads away"
	}
	to := addr
	if u.Path != "" {
		if to = u.Path; !strings.HasPrefix(to, "/") {
			to = path.Join(path.Dir(addr), to)
		}
		if _, ok := files[to]; !ok {
			return "nothing is there"
		}
	}
	if f := u.Fragment; f != "" && !strings.Contains(f, "=") && ids[to] != nil && !ids[to][f] {
		return "no element has the id " + f
	}
	return ""
}

type element struct {
	tag    string
	attrs  map[string]string // names in lower case
	line   int
	inline bool // a script or style with content that would run or apply
}

func (e element) targets() []string {
	var out []string
	for _, name := range []string{"href", "src", "action", "poster"} {
		if v, ok := e.attrs[name]; ok && (v != "" || name != "action") {
			out = append(out, v)
		}
	}
	if set := e.attrs["srcset"]; set != "" {
		for part := range strings.SplitSeq(set, ",") {
			if f := strings.Fields(part); len(f) > 0 {
				out = append(out, f[0])
			}
		}
	}
	return out
}

// elements returns the start tags of a page.
func elements(page []byte) []element {
	var out []element
	line := 1
	inside := false // a script or a style, whose content is one text
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		breaks := bytes.Count(z.Raw(), []byte("\n"))
		was := inside
		inside = false
		switch kind {
		case html.ErrorToken:
			return out
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			e := element{tag: t.Data, attrs: map[string]string{}, line: line}
			for _, a := range t.Attr {
				if _, again := e.attrs[a.Key]; !again { // the first one counts
					e.attrs[a.Key] = a.Val
				}
			}
			out = append(out, e)
			inside = e.tag == "script" || e.tag == "style"
		case html.TextToken:
			if was && len(bytes.TrimSpace(z.Text())) > 0 {
				last := &out[len(out)-1]
				last.inline = last.runs()
			}
		}
		line += breaks
	}
}

// runs says whether content of the element would be run or applied: a script of a type that no browser runs is data.
func (e element) runs() bool {
	kind := strings.ToLower(e.attrs["type"])
	return e.tag == "style" || kind == "" || kind == "module" || kind == "importmap" ||
		strings.Contains(kind, "javascript")
}

var (
	fence      = regexp.MustCompile("(?ms)^[ \t]*(```+|~~~+).*?^[ \t]*(```+|~~~+)[ \t]*$")
	codeSpan   = regexp.MustCompile("`[^`\n]*`")
	inlineLink = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)`)
	reference  = regexp.MustCompile(`(?m)^\s{0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)>?`)
	heading    = regexp.MustCompile(`(?m)^#{1,6}\s+(.*?)\s*#*$`)
)

// Documents checks the relative links of Markdown files, and their fragments against the headings of the file they lead
// to. skip says which folders are not looked into. It returns the number of links as well.
func Documents(root fs.FS, skip func(dir string) bool) (problems []Problem, n int, err error) {
	texts := map[string]string{}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && skip(name):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".md"):
			data, err := fs.ReadFile(root, name)
			texts[name] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	for name, text := range texts {
		lines := func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
		plain := codeSpan.ReplaceAllStringFunc(fence.ReplaceAllStringFunc(text, lines),
			func(s string) string { return strings.Repeat("x", len(s)) })
		for _, pattern := range []*regexp.Regexp{inlineLink, reference} {
			for _, m := range pattern.FindAllStringSubmatchIndex(plain, -1) {
				target := plain[m[2]:m[3]]
				n++
				if why := followDocument(root, texts, name, target); why != "" {
					problems = append(problems, Problem{name, 1 + strings.Count(plain[:m[2]], "\n"),
						fmt.Sprintf("%q: %s", target, why)})
				}
			}
		}
	}
	order(problems)
	return problems, n, nil
}

func followDocument(root fs.FS, texts map[string]string, name, target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return "not an address"
	}
	if u.Scheme != "" {
		return ""
	}
	if strings.HasPrefix(u.Path, "/") {
		return "a path from the root means another thing in every viewer: write it relative to this file"
	}
	to := name
	if u.Path != "" {
		to = path.Join(path.Dir(name), u.Path)
		if !fs.ValidPath(to) {
			return "outside of the repository"
		}
		if _, err := fs.Stat(root, to); err != nil {
			return "nothing is there"
		}
	}
	if text, ok := texts[to]; ok && u.Fragment != "" && !anchors(text)[u.Fragment] {
		return "no heading " + u.Fragment
	}
	return ""
}

// anchors returns the fragments that the headings of a Markdown file get: lower case, letters, digits, hyphens and
// underscores kept, spaces to hyphens, and a number after a repeated one; and those that its <a id> and <a name> set.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	text = fence.ReplaceAllString(text, "")
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		var b strings.Builder
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		for _, r := range strings.ToLower(title) {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				b.WriteRune(r)
			case r == ' ':
				b.WriteByte('-')
			}
		}
		slug := b.String()
		for i := 1; out[slug]; i++ {
			slug = fmt.Sprintf("%s-%d", b.String(), i)
		}
		out[slug] = true
	}
	for _, e := range elements([]byte(codeSpan.ReplaceAllString(text, ""))) {
		if e.tag == "a" {
			out[e.attrs["id"]], out[e.attrs["name"]] = true, true
		}
	}
	return out
}

func order(problems []Problem) {
	sort.Slice(problems, func(i, j int) bool {
		a, b := problems[i], problems[j]
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.What < b.What
	})
}
