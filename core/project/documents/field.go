package documents

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fieldTags are the elements by which a field is known to hold HTML, and no comparison or code.
var fieldTags = map[atom.Atom]bool{atom.P: true, atom.Br: true, atom.Li: true, atom.Ul: true, atom.Ol: true,
	atom.Div: true, atom.Span: true, atom.B: true, atom.Strong: true, atom.Em: true, atom.I: true, atom.A: true,
	atom.H1: true, atom.H2: true, atom.H3: true, atom.Table: true, atom.Td: true, atom.Img: true, atom.Style: true}

// entities are those by which a field without elements is known to be of HTML.
var entities = []string{"&nbsp;", "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#x27;", "&rsquo;", "&ndash;", "&mdash;"}

// fieldText makes text of a field that holds HTML, as shops and help desks export it. marked says that it did.
func fieldText(s string) (text string, marked bool) {
	if tagged(s) {
		root, err := html.Parse(strings.NewReader(s))
		if err != nil {
			return s, false
		}
		return words(root), true
	}
	for _, e := range entities {
		if strings.Contains(s, e) {
			return strings.ReplaceAll(html.UnescapeString(s), "\u00a0", " "), true
		}
	}
	return s, false
}

// tagged says that a field has a tag of HTML.
func tagged(s string) bool {
	for {
		_, rest, some := strings.Cut(s, "<")
		if !some {
			return false
		}
		s = rest
		name := strings.TrimPrefix(rest, "/")
		end := strings.IndexAny(name, " />\n\t")
		if end <= 0 || end > 8 || !strings.Contains(name[:min(len(name), 4096)], ">") {
			continue
		}
		if fieldTags[atom.Lookup([]byte(strings.ToLower(name[:end])))] {
			return true
		}
	}
}

// marked says that a field of the first rows holds HTML.
func (r *rows) marked() bool {
	for i := range min(len(r.cells), 200) {
		for _, c := range r.cells[i] {
			if _, is := fieldText(c); is {
				return true
			}
		}
	}
	return false
}
