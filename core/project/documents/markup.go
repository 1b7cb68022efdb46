package documents

import (
	"bytes"
	"errors"
	"path"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/rankbox/rankbox/core/collection"
)

// markdown makes a document of a Markdown file: front matter (YAML's or TOML's plain values) is read, the first heading
// is the title, and the rest is text without the marks. headings are the byte offsets of the other headings in it.
func markdown(name, s string) (d collection.Doc, headings []int) {
	d = collection.Doc{ID: ID(name), URI: name}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, fence := range []string{"---\n", "+++\n"} {
		rest, ok := strings.CutPrefix(s, fence)
		if !ok {
			continue
		}
		if head, body, ok := strings.Cut(rest, "\n"+fence); ok {
			frontMatter(&d, head)
			s = body
		}
	}
	var out []string
	var at []int // the places of headings in out
	code, comment := false, false
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			code = !code
			continue
		}
		if code {
			out = append(out, line)
			continue
		}
		if line, comment = uncommented(line, comment); strings.TrimSpace(line) == "" && trimmed != "" {
			continue
		}
		trimmed = strings.TrimSpace(line)
		// under a heading, or a rule
		if strings.Trim(trimmed, "=") == "" && len(trimmed) > 1 || strings.Trim(trimmed, "-") == "" &&
			len(trimmed) > 2 {
			if d.Title == "" && i > 0 && len(out) > 0 && strings.TrimSpace(lines[i-1]) != "" {
				d.Title, out = out[len(out)-1], out[:len(out)-1]
			} else if i > 0 && len(out) > 0 && strings.TrimSpace(lines[i-1]) != "" {
				at = append(at, len(out)-1)
			}
			continue
		}
		if heading := strings.TrimLeft(trimmed, "#"); heading != trimmed && strings.HasPrefix(heading, " ") {
			heading = inline(strings.TrimSpace(strings.TrimRight(heading, "# ")))
			if d.Title == "" {
				d.Title = heading
				continue
			}
			at = append(at, len(out))
			out = append(out, heading)
			continue
		}
		if strings.HasPrefix(trimmed, "|") {
			if strings.Trim(trimmed, "|:- ") != "" {
				out = append(out, inline(cells(trimmed)))
			}
			continue
		}
		out = append(out, inline(strings.TrimLeft(trimmed, ">*+- ")))
	}
	text := strings.Join(out, "\n")
	from := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	d.Text = strings.TrimSpace(text)
	headings = []int{}
	for i, place := 0, -from; i < len(out); i++ {
		if len(at) > 0 && at[0] == i {
			headings, at = append(headings, max(place, 0)), at[1:]
		}
		place += len(out[i]) + 1
	}
	if d.Title == "" {
		d.Title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	return d, headings
}

// frontMatter takes what is known of "key: value" and "key = value".
func frontMatter(d *collection.Doc, head string) {
	for _, line := range strings.Split(head, "\n") {
		at := strings.IndexAny(line, ":=")
		if at <= 0 || line[0] == ' ' || line[0] == '#' {
			continue
		}
		value := strings.Trim(strings.TrimSpace(line[at+1:]), `"'`)
		switch plain(line[:at]) {
		case "title":
			d.Title = value
		case "date":
			if isDate(value) {
				d.Date = value[:10]
			}
		case "category", "section":
			d.Category = value
		case "url", "permalink":
			d.URI = value
		}
	}
}

// uncommented is a line without the comments of HTML in it. in says whether it begins inside one, and is returned for
// the next line.
func uncommented(line string, in bool) (string, bool) {
	var out strings.Builder
	for {
		end, mark := len(line), "<!--"
		if in {
			mark = "-->"
		}
		at := strings.Index(line, mark)
		if at >= 0 {
			end = at
		}
		if !in {
			out.WriteString(line[:end])
		}
		if at < 0 {
			return out.String(), in
		}
		line, in = line[at+len(mark):], !in
	}
}

// cells are the cells of a row of a table, with two spaces between them.
func cells(row string) string {
	const bar = "\x00" // one that is escaped
	parts := strings.Split(strings.Trim(strings.ReplaceAll(row, `\|`, bar), "|"), "|")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return strings.ReplaceAll(strings.Join(parts, "  "), bar, "|")
}

// tag returns the length of the HTML tag at the start of a text, 0 if there is none, and the text that replaces it: an
// address written in angle brackets, or a space for a tag that ends a line.
func tag(s string) (length int, text string) {
	end := strings.IndexByte(s, '>')
	if end < 2 {
		return 0, ""
	}
	inner := s[1:end]
	if !strings.ContainsAny(inner, " \t") && (strings.Contains(inner, "://") || strings.Contains(inner, "@")) {
		return end + 1, inner
	}
	name := strings.TrimPrefix(inner, "/")
	if i := strings.IndexAny(name, " /\t"); i >= 0 {
		name = name[:i]
	}
	a := atom.Lookup([]byte(strings.ToLower(name)))
	switch {
	case a == 0:
		return 0, ""
	case blocks[a]:
		return end + 1, " "
	}
	return end + 1, ""
}

// inline takes the marks off a line: emphasis, code, links, images, tags and entities of HTML.
func inline(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '!' && i+1 < len(s) && s[i+1] == '[':
		case c == '[':
			end := strings.Index(s[i:], "](")
			stop := -1
			if end > 0 {
				stop = strings.IndexByte(s[i+end:], ')')
			}
			if stop < 0 {
				out.WriteByte(c)
				continue
			}
			out.WriteString(strings.Map(unmarked, s[i+1:i+end]))
			i += end + stop
		case c == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_{}[]()#+-.!", s[i+1]) >= 0:
			i++
			out.WriteByte(s[i])
		case c == '<':
			n, text := tag(s[i:])
			if n == 0 {
				out.WriteByte(c)
				continue
			}
			out.WriteString(text)
			i += n - 1
		case c == '&':
			end := strings.IndexByte(s[i:min(len(s), i+12)], ';')
			if end < 0 {
				out.WriteByte(c)
				continue
			}
			out.WriteString(html.UnescapeString(s[i : i+end+1]))
			i += end
		case c == '`':
			mark := s[i : i+len(s[i:])-len(strings.TrimLeft(s[i:], "`"))]
			rest := s[i+len(mark):]
			if end := strings.Index(rest, mark); end >= 0 { // code stays as it is
				out.WriteString(strings.TrimSpace(rest[:end]))
				i += end + len(mark)
			}
			i += len(mark) - 1
		case c == '*' || c == '~' && i+1 < len(s) && s[i+1] == '~':
		case c == '_' && (i == 0 || s[i-1] == ' ' || i+1 == len(s) || s[i+1] == ' '):
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func unmarked(r rune) rune {
	if r == '*' || r == '`' {
		return -1
	}
	return r
}

// boilerplate are elements whose text is not the page's.
var boilerplate = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Nav: true, atom.Header: true,
	atom.Footer: true, atom.Aside: true, atom.Form: true, atom.Noscript: true,
	atom.Template: true, atom.Iframe: true, atom.Svg: true, atom.Button: true, atom.Select: true, atom.Head: true,
	atom.Dialog: true}

// blocks are elements that end a line.
var blocks = map[atom.Atom]bool{atom.P: true, atom.Div: true, atom.Li: true, atom.Br: true, atom.H1: true,
	atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Tr: true,
	atom.Section: true, atom.Article: true, atom.Blockquote: true, atom.Pre: true, atom.Dt: true, atom.Dd: true}

// page makes a document of an HTML file: the title is that of <title> or else the first <h1>, the text that of <main>,
// <article> or <body> without menus, scripts and the like. headings are the byte offsets of the headings in it.
func page(name string, b []byte) (d collection.Doc, headings []int, err error) {
	d = collection.Doc{ID: ID(name), URI: name}
	root, err := html.Parse(bytes.NewReader(b))
	if err != nil {
		return d, nil, err
	}
	var body *html.Node
	rank := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Title:
			if d.Title == "" && n.Parent != nil && n.Parent.DataAtom == atom.Head {
				d.Title = words(n)
			}
		case atom.Body:
			if rank < 1 {
				body, rank = n, 1
			}
		case atom.Article:
			if rank < 2 {
				body, rank = n, 2
			}
		case atom.Main:
			if rank < 3 {
				body, rank = n, 3
			}
		}
	}
	if body == nil {
		return d, nil, errors.New("the page has no body")
	}
	if d.Title == "" {
		for n := range root.Descendants() {
			if n.DataAtom == atom.H1 {
				d.Title = words(n)
				break
			}
		}
	}
	d.Text, headings = wordsAndHeadings(body)
	if d.Title == "" {
		d.Title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	return d, headings, nil
}

// words is the text within an element, a line a block.
func words(of *html.Node) string {
	text, _ := wordsAndHeadings(of)
	return text
}

// headingMark begins a heading while text is gathered: a parsed page holds no zero byte.
const headingMark = "\x00"

// wordsAndHeadings is the text within an element, a line a block, and the byte offsets of the headings in it.
func wordsAndHeadings(of *html.Node) (text string, headings []int) {
	var out strings.Builder
	for n := of.FirstChild; n != nil; {
		skip := n.Type == html.ElementNode && boilerplate[n.DataAtom]
		if n.Type == html.TextNode {
			out.WriteString(strings.ReplaceAll(n.Data, headingMark, ""))
		} else if n.Type == html.ElementNode && blocks[n.DataAtom] { // the text before it is a line of its own
			out.WriteByte('\n')
		}
		if n.Type == html.ElementNode && !skip && isHeading(n.DataAtom) {
			out.WriteString(headingMark)
		}
		if n.FirstChild != nil && !skip {
			n = n.FirstChild
			continue
		}
		for n != of {
			if n.Type == html.ElementNode && blocks[n.DataAtom] {
				out.WriteByte('\n')
			} else if n.Type == html.ElementNode && (n.DataAtom == atom.Td || n.DataAtom == atom.Th) {
				out.WriteByte(' ')
			}
			if n.NextSibling != nil {
				n = n.NextSibling
				break
			}
			n = n.Parent
		}
		if n == of {
			break
		}
	}
	headings = []int{}
	clean := func(line string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(line, headingMark, "")), " ")
	}
	var b strings.Builder
	for _, line := range strings.Split(out.String(), "\n") {
		all := clean(line)
		if all == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(all)
		for _, behind, some := strings.Cut(line, headingMark); some; {
			if rest := clean(behind); rest != "" {
				headings = append(headings, b.Len()-len(rest))
			}
			_, behind, some = strings.Cut(behind, headingMark)
		}
	}
	return b.String(), headings
}

func isHeading(a atom.Atom) bool {
	return a == atom.H1 || a == atom.H2 || a == atom.H3 || a == atom.H4 || a == atom.H5 || a == atom.H6
}
