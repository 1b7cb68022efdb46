package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// A document is compared piece by piece with the one that its data give: every text, tag, line or member of one with
// that of the other. Each piece says where it is.
type piece struct{ where, text string }

// differsPieces lists what is in one list and not in the other. Where one has more, the next piece that both have is
// looked for close by.
func differsPieces(stored, computed []piece) (out []report.Difference) {
	const nothing = "nothing"
	add := func(where, a, b string) {
		out = append(out, report.Difference{What: where, Stored: a, Computed: b})
	}
	i, j := 0, 0
	for i < len(stored) && j < len(computed) {
		if stored[i].text == computed[j].text {
			i, j = i+1, j+1
			continue
		}
		x, y := resume(stored[i:], computed[j:])
		for k := range max(x, y) {
			switch {
			case k >= x:
				add(computed[j+k].where, nothing, computed[j+k].text)
			case k >= y:
				add(stored[i+k].where, stored[i+k].text, nothing)
			default:
				add(computed[j+k].where, stored[i+k].text, computed[j+k].text)
			}
		}
		i, j = i+x, j+y
	}
	for ; i < len(stored); i++ {
		add(stored[i].where, stored[i].text, nothing)
	}
	for ; j < len(computed); j++ {
		add(computed[j].where, nothing, computed[j].text)
	}
	return out
}

// resume says how many pieces of each list to pass over until both go on alike: as few as possible, equally many if
// that is possible.
func resume(a, b []piece) (x, y int) {
	const near = 60
	same := func(x, y int) bool {
		if x >= len(a) || y >= len(b) {
			return x >= len(a) && y >= len(b)
		}
		return a[x].text == b[y].text && (x+1 >= len(a) || y+1 >= len(b) || a[x+1].text == b[y+1].text)
	}
	for n := 1; n < near; n++ {
		for shift := range n {
			if same(n, n-shift) {
				return n, n - shift
			}
			if same(n-shift, n) {
				return n - shift, n
			}
		}
		if same(n, 0) {
			return n, 0
		}
		if same(0, n) {
			return 0, n
		}
	}
	return min(near, len(a)), min(near, len(b))
}

// differsMarkup compares two pages, or two drawings. Data that they carry are not compared: both are made of them.
func differsMarkup(stored, computed string) []report.Difference {
	return differsPieces(markup(stored), markup(computed))
}

// markup takes a page of package handout, or a drawing of package chart, into its tags and texts.
func markup(page string) (out []piece) {
	var at place
	for page != "" {
		text, rest, tagged := strings.Cut(page, "<")
		if text = strings.TrimSpace(text); text != "" && !at.carried {
			out = append(out, piece{at.text(), html.UnescapeString(text)})
		}
		if !tagged {
			break
		}
		tag, after, closed := strings.Cut(rest, ">")
		at.enter(tag)
		out = append(out, piece{at.mark(tag), "<" + tag})
		if !closed {
			break
		}
		page = after
	}
	return out
}

// place is where a page is read.
type place struct {
	within              []string // elements that are open
	tables, row, column int
	paragraphs, notes   int
	figures             int
	carried             bool // the data of the page
}

// enter takes in a tag.
func (p *place) enter(tag string) {
	name, _, _ := strings.Cut(tag, " ")
	if name, closing := strings.CutPrefix(name, "/"); closing {
		p.carried = false
		if n := slices.Index(p.within, name); n >= 0 {
			p.within = p.within[:n]
		}
		return
	}
	p.carried = strings.Contains(tag, "x-rankbox") || name == "metadata"
	switch name {
	case "table":
		p.tables, p.row = p.tables+1, 0
	case "tr":
		p.row, p.column = p.row+1, -1
	case "th", "td":
		p.column++
	case "p":
		p.paragraphs++
	case "li":
		p.notes++
	case "figure":
		p.figures++
	}
	if !strings.HasSuffix(tag, "/") && !strings.HasPrefix(name, "!") && name != "meta" {
		p.within = append(p.within, name)
	}
}

// in says whether an element is open.
func (p *place) in(name string) bool { return slices.Contains(p.within, name) }

// text names the text that follows.
func (p *place) text() string { return p.named("text") }

// mark names a tag.
func (p *place) mark(tag string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(tag, "/"), " ")
	return "element <" + name + "> in " + p.named("mark")
}

func (p *place) named(what string) string {
	figure := fmt.Sprintf("figure %d", max(p.figures, 1))
	switch {
	case p.in("svg") && p.in("title"):
		return "the title of the drawing of " + figure
	case p.in("svg") && what == "mark":
		return "the drawing of " + figure
	case p.in("svg"):
		return "a text of the drawing of " + figure
	case p.in("title"):
		return "the page's title"
	case p.in("style"):
		return "the page's style"
	case p.in("h1"):
		return "the headline"
	case p.in("figcaption"):
		return "the caption of " + figure
	case p.in("h3"):
		return "the title of " + figure
	case p.in("caption"):
		return fmt.Sprintf("the caption of table %d", p.tables)
	case p.in("table"):
		return fmt.Sprintf("table %d, row %d, column %d", p.tables, max(p.row-1, 0), p.column+1)
	case p.in("li"):
		return fmt.Sprintf("note %d below the tables", p.notes)
	case p.in("p"):
		return fmt.Sprintf("paragraph %d", p.paragraphs)
	case p.in("h2"):
		return "a heading"
	}
	return "the page"
}

// differsMarkdown compares two reports in Markdown, cell by cell and line by line.
func differsMarkdown(stored, computed string) []report.Difference {
	return differsPieces(markdownPieces(stored), markdownPieces(computed))
}

func markdownPieces(text string) (out []piece) {
	for n, line := range strings.Split(strings.TrimRight(text, "\r\n"), "\n") {
		line = strings.TrimRight(line, "\r")
		where := fmt.Sprintf("line %d", n+1)
		if n == 0 {
			where = "the headline"
		}
		switch {
		case strings.HasPrefix(line, export.CarriedOpen) && strings.Index(line, "-->") == len(line)-len("-->"):
		case strings.HasPrefix(line, "|"):
			for c, cell := range strings.Split(line, "|") {
				out = append(out, piece{fmt.Sprintf("%s, column %d", where, c), strings.TrimSpace(cell)})
			}
		default:
			out = append(out, piece{where, line})
		}
	}
	return out
}

// differsJSON compares two JSON texts member by member. Data that they carry are not compared.
func differsJSON(stored, computed []byte) ([]report.Difference, error) {
	var a, b any
	for _, x := range []struct {
		text []byte
		into *any
	}{{stored, &a}, {computed, &b}} {
		d := json.NewDecoder(bytes.NewReader(x.text))
		if err := d.Decode(x.into); err != nil {
			return nil, err
		}
	}
	var out []report.Difference
	var walk func(at string, a, b any)
	walk = func(at string, a, b any) {
		switch y := b.(type) {
		case map[string]any:
			x, ok := a.(map[string]any)
			if !ok {
				break
			}
			all := maps.Clone(x)
			maps.Copy(all, y)
			for _, k := range slices.Sorted(maps.Keys(all)) {
				_, inA := x[k]
				_, inB := y[k]
				switch {
				case k == "data" && inA && inB:
				case inA && inB:
					walk(at+member(at, k), x[k], y[k])
				case inA:
					out = append(out, report.Difference{What: at + member(at, k), Stored: valueText(x[k]), Computed: "nothing"})
				default:
					out = append(out, report.Difference{What: at + member(at, k), Stored: "nothing", Computed: valueText(y[k])})
				}
			}
			return
		case []any:
			x, ok := a.([]any)
			if !ok || len(x) != len(y) {
				break
			}
			for i := range y {
				walk(fmt.Sprintf("%s[%d%s]", at, i, itemName(y[i])), x[i], y[i])
			}
			return
		default:
			if a == b {
				return
			}
		}
		out = append(out, report.Difference{What: at, Stored: valueText(a), Computed: valueText(b)})
	}
	walk("", a, b)
	return out, nil
}

// itemName says what an item of a list is about, behind its place: ": bm25".
func itemName(v any) string {
	of, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	var names []string
	for _, k := range []string{"name", "query", "field", "value", "run", "measure", "a", "b"} {
		if s, ok := of[k].(string); ok {
			names = append(names, s)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}

// member writes a member of an object behind the path to it.
func member(at, name string) string {
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz_") != "" || name == "" {
		return fmt.Sprintf("[%q]", name)
	}
	if at == "" {
		return name
	}
	return "." + name
}

// valueText is a value of JSON as text.
func valueText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
