package reference

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"

	dom "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTML writes what stands between the frame's header and footer: the pages of the reference, the contents, and every
// entry under its fragment. Everything that comes from a registry is escaped; there is no script, no style and no form
// in it.
func (p *Page) HTML(all []Page) string {
	var b strings.Builder
	esc := html.EscapeString
	b.WriteString(`<nav class="shelf" aria-label="Reference"><ul>`)
	for _, o := range all {
		current := ""
		if o.Path == p.Path {
			current = ` aria-current="page"`
		}
		b.WriteString(`<li><a href="` + esc(o.Path) + `"` + current + `>` + esc(o.Title) + `</a></li>`)
	}
	b.WriteString("</ul></nav>\n<h1>" + esc(p.Title) + "</h1>\n")
	for _, t := range p.Intro {
		b.WriteString("<p>" + t.html() + "</p>\n")
	}
	if p.Sample != "" {
		b.WriteString("<pre>" + esc(p.Sample) + "</pre>\n")
	}
	alone := len(p.Chapters) == 1 // its title is that of the page
	b.WriteString(`<nav class="contents" aria-label="On this page"><dl>`)
	for _, c := range p.Chapters {
		title := `<a href="#` + esc(c.ID) + `">` + esc(c.Title) + "</a>"
		if alone {
			title = "On this page"
		}
		b.WriteString("<div><dt>" + title + "</dt><dd><ul>")
		for _, e := range c.Entries {
			b.WriteString(`<li><a href="#` + esc(e.ID) + `">` + e.label() + "</a></li>")
		}
		b.WriteString("</ul></dd></div>\n")
	}
	b.WriteString("</dl></nav>\n")
	hidden := ""
	if alone {
		hidden = ` class="sr"`
	}
	for _, c := range p.Chapters {
		b.WriteString(`<section class="chapter" aria-labelledby="` + esc(c.ID) + `"><h2 id="` + esc(c.ID) + `"` +
			hidden + `>` + esc(c.Title) + "</h2>\n")
		if c.Intro != nil {
			b.WriteString("<p>" + c.Intro.html() + "</p>\n")
		}
		for i := range c.Entries {
			c.Entries[i].html(&b)
		}
		b.WriteString("</section>\n")
	}
	return b.String()
}

// label is the name in a list.
func (e *Entry) label() string {
	if e.Name != "" && !e.ByTitle {
		return "<code>" + html.EscapeString(e.Name) + "</code>"
	}
	return html.EscapeString(e.Title)
}

func (e *Entry) html(b *strings.Builder) {
	esc := html.EscapeString
	b.WriteString(`<article class="entry" id="` + esc(e.ID) + `"><h3><a href="#` + esc(e.ID) + `">`)
	switch {
	case e.ByTitle:
		b.WriteString(esc(e.Title) + "</a> <code>" + esc(e.Name) + "</code>")
	case e.Name != "" && e.Title != "":
		b.WriteString("<code>" + esc(e.Name) + `</code></a> <span class="title">` + esc(e.Title) + "</span>")
	case e.Name != "":
		b.WriteString("<code>" + esc(e.Name) + "</code></a>")
	default:
		b.WriteString(esc(e.Title) + "</a>")
	}
	b.WriteString("</h3>\n")
	if e.Usage != "" {
		b.WriteString(`<p class="usage"><code>` + esc(e.Usage) + "</code></p>\n")
	}
	b.WriteString("<p>" + esc(e.Brief) + "</p>\n")
	if e.Formula != "" {
		b.WriteString(`<p class="formula" tabindex="0">`) // wider than a phone, it scrolls, by keys too
		for _, c := range clauses(e.Formula) {
			b.WriteString("<span>" + mathML(c) + "</span> ")
		}
		b.WriteString("</p>\n")
	}
	if len(e.Facts) > 0 {
		b.WriteString("<dl>")
		for _, f := range e.Facts {
			b.WriteString("<div><dt>" + esc(f.Label) + "</dt><dd>")
			if f.List {
				b.WriteString("<ul>")
			}
			for i, t := range f.Items {
				switch {
				case f.List:
					b.WriteString("<li>" + t.html() + "</li>")
					continue
				case i > 0:
					b.WriteString(", ")
				}
				b.WriteString(t.html())
			}
			if f.List {
				b.WriteString("</ul>")
			}
			b.WriteString("</dd></div>\n")
		}
		b.WriteString("</dl>")
	}
	b.WriteString("</article>\n")
}

func (t Text) html() string {
	var b strings.Builder
	for _, s := range t {
		text := html.EscapeString(s.Text)
		switch s.Kind {
		case Code:
			b.WriteString("<code>" + text + "</code>")
		case Grade:
			b.WriteString(grade(s.Text))
		case Link:
			b.WriteString(`<a href="` + text + `" rel="noopener">` + strings.TrimPrefix(text, "https://") + "</a>")
		case Work:
			b.WriteString(`<span class="work">`)
			for _, c := range clauses(s.Text) {
				b.WriteString("<span>" + set(c) + "</span> ")
			}
			b.WriteString("</span>")
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}

// grade is the square with the digit that stands before documents everywhere.
func grade(g string) string {
	switch {
	case g == "-":
		return `<span class="grade q" role="img" aria-label="unjudged">?</span>`
	case strings.HasPrefix(g, "-"):
		return `<span class="grade g0">−` + html.EscapeString(g[1:]) + "</span>"
	case len(g) > 1 || g > "3":
		return `<span class="grade g3">` + html.EscapeString(g) + "</span>"
	}
	return `<span class="grade g` + html.EscapeString(g) + `">` + html.EscapeString(g) + "</span>"
}

// set is a statement of a formula.
func set(s string) string {
	var b strings.Builder
	for _, p := range pieces(s) {
		text := html.EscapeString(p.Text)
		switch p.Up {
		case 1:
			text = "<sup>" + text + "</sup>"
		case -1:
			text = "<sub>" + text + "</sub>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// Term is what the page shows beside a word.
type Term struct {
	Name    string      `json:"name,omitempty"`
	Title   string      `json:"title,omitempty"`
	Brief   string      `json:"brief"`
	Formula [][]any     `json:"formula,omitempty"` // its statements, each a row of text and of elements
	Facts   [][2]string `json:"facts,omitempty"`
}

// shown are the facts that matter beside a word, in this order.
var shown = []string{"Range", "Assumes", "Use", "Options", "Version"}

// Terms returns the definitions of all entries by address ("/measures#nDCG") as JSON. Site/js/terms.js reads it.
func Terms(pages []Page) ([]byte, error) {
	all := map[string]Term{}
	for _, p := range pages {
		for i := range p.Chapters {
			for j := range p.Chapters[i].Entries {
				e := &p.Chapters[i].Entries[j]
				t := Term{Name: e.Name, Title: e.Title, Brief: e.Brief}
				if e.ByTitle {
					t.Name, t.Title = e.Title, ""
				}
				if e.Formula != "" {
					for _, c := range clauses(e.Formula) {
						line, err := tree(mathML(c))
						if err != nil {
							return nil, fmt.Errorf("the formula of %s: %w", e.ID, err)
						}
						t.Formula = append(t.Formula, line)
					}
				}
				for _, label := range shown {
					if s := e.fact(label); s != "" {
						t.Facts = append(t.Facts, [2]string{label, s})
					}
				}
				all[p.Path+"#"+e.ID] = t
			}
		}
	}
	return json.Marshal(all)
}

// tree is markup as a script builds it again without a parser: text, or an element as ["mo", {"form": "infix"}, "="],
// its attributes left out where it has none.
func tree(s string) ([]any, error) {
	nodes, err := dom.ParseFragment(strings.NewReader(s),
		&dom.Node{Type: dom.ElementNode, Data: "span", DataAtom: atom.Span})
	if err != nil {
		return nil, err
	}
	var element func(n *dom.Node) any
	element = func(n *dom.Node) any {
		if n.Type == dom.TextNode {
			return n.Data
		}
		out := []any{n.Data}
		if len(n.Attr) > 0 {
			attributes := map[string]string{}
			for _, a := range n.Attr {
				attributes[a.Key] = a.Val
			}
			out = append(out, attributes)
		}
		for c := range n.ChildNodes() {
			out = append(out, element(c))
		}
		return out
	}
	var row []any
	for _, n := range nodes {
		row = append(row, element(n))
	}
	return row, nil
}
