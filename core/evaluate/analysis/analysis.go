// Package analysis is what is said of a comparison beyond its tests: what matters (components, slices of the queries),
// whether it is luck (places, belief, what judging would settle), whether a stored run is reproduced and under which
// conventions a printed figure comes out. It measures and ranks nothing itself: runs are measured by package compare,
// and the statistics are those of package significance.
//
// Everything is a Section: a finding in one sentence, tables, notes. The terminal, JSON and the page show the same
// ones: sentences are written in the style of the place that asks, cells are numbers until they are shown.
package analysis

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Section is one analysis of a comparison.
type Section struct {
	Name     string // "slices"
	Part     string // of the page where it stands: Matters, Slice or Luck
	Title    string
	Sentence string // the finding; where there is nothing to find, why
	Tables   []Table
	Notes    []string // how it was found, what is doubtful
}

// Wrong is the name of the section that counts on how many queries each named pattern holds: its first table has a row
// for each, and a column for each system, headed by its letter, before that of the sum.
const Wrong = "errors"

// The parts of the page.
const (
	Matters = "What matters"
	Slice   = "Slices"
	Luck    = "Chance"
)

// Table is a table of a section.
type Table struct {
	Caption string
	Columns []string
	Rows    [][]Cell
}

// Cell is a text, or a number with how it is shown.
type Cell struct {
	Text     string // where it is no number, or stands for one that there is not
	Value    float64
	Number   bool
	form     form
	decimals int
}

// form is how a number is shown.
type form int

const (
	plain form = iota
	signed
	chance
	share
)

// Words is a cell of text.
func Words(s string) Cell { return Cell{Text: s} }

// Number is a cell of a number with so many decimals.
func Number(v float64, decimals int) Cell { return Cell{"", v, true, plain, decimals} }

// Signed is one with its sign.
func Signed(v float64, decimals int) Cell { return Cell{"", v, true, signed, decimals} }

// Whole is one without decimals.
func Whole(n int) Cell { return Number(float64(n), 0) }

// Grade is a grade with all its decimals.
func Grade(g float64) Cell {
	_, decimals, _ := strings.Cut(say.Plain.Grade(g), ".")
	return Number(g, len(decimals))
}

// Chance is a p value.
func Chance(p float64) Cell { return Cell{"", p, true, chance, 0} }

// Share is of 1, shown in percent.
func Share(v float64) Cell { return Cell{"", v, true, share, 1} }

// Said is what a cell shows.
func (c *Cell) Said(s say.Style) string {
	switch {
	case !c.Number || c.Text != "":
		return say.Visible(c.Text)
	case c.form == signed:
		return s.Signed(c.Value, c.decimals)
	case c.form == chance:
		return s.P(c.Value)
	case c.form == share:
		return s.Percent(c.Value, c.decimals)
	}
	return s.Number(c.Value, c.decimals)
}

// Subject is what is analysed.
type Subject struct {
	Report *report.Report
	Opened *compare.Comparison // of the same runs; nil where they are not at hand
	Facets []Facet             // of the queries beside what the report knows
	Style  say.Style           // of what is said
	Cancel func() bool         // may be nil
}

// analysis is one of them: its file has all of it.
type analysis struct {
	name, part, title string
	make              func(s *Subject, out *Section) error
}

var analyses = []analysis{components, slicing, places, belief, hierarchy, judging}

// Names are the names of all analyses that a comparison by itself has, in order.
func Names() (out []string) {
	for _, a := range analyses {
		out = append(out, a.name)
	}
	return out
}

// InPart are the names of those that stand in a part of the page.
func InPart(part string) (out []string) {
	for _, a := range analyses {
		if a.part == part {
			out = append(out, a.name)
		}
	}
	return out
}

// Analyse makes sections: of the given names, of all where none is given. What cannot be said of this comparison is a
// section that says why. The error is report.ErrCancelled, or what no comparison should lead to.
func Analyse(s *Subject, names ...string) ([]Section, error) {
	var out []Section
	for _, a := range analyses {
		if len(names) > 0 && !slices.Contains(names, a.name) {
			continue
		}
		x := Section{Name: a.name, Part: a.part, Title: a.title}
		if err := a.make(s, &x); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// JSON writes a section as an object: numbers as numbers in full, and null where there is none.
func (s *Section) JSON() string {
	var b strings.Builder
	s.json(&jsontext.Writer{To: &b})
	return b.String()
}

// JSONOf writes several as an array.
func JSONOf(sections []Section) string {
	var b strings.Builder
	j := &jsontext.Writer{To: &b}
	j.List("", len(sections), func(i int) { sections[i].json(j) })
	return b.String()
}

func (s *Section) json(j *jsontext.Writer) {
	j.Object("", func() {
		j.Str("name", s.Name)
		j.Str("title", s.Title)
		j.Str("finding", s.Sentence)
		j.List("tables", len(s.Tables), func(i int) {
			t := &s.Tables[i]
			j.Object("", func() {
				j.Str("caption", t.Caption)
				j.Strs("columns", t.Columns)
				j.List("rows", len(t.Rows), func(r int) {
					j.List("", len(t.Rows[r]), func(c int) {
						if x := t.Rows[r][c]; x.Number {
							j.Num("", x.Value)
						} else {
							j.Str("", x.Text)
						}
					})
				})
			})
		})
		j.Strs("notes", s.Notes)
	})
}

// WriteText writes sections for a terminal.
func WriteText(w io.Writer, sections []Section) error {
	var b strings.Builder
	for i := range sections {
		s := &sections[i]
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(s.Title + "\n" + say.Visible(s.Sentence) + "\n")
		for _, t := range s.Tables {
			t.text(&b)
		}
		for _, n := range s.Notes {
			b.WriteString("  " + say.Visible(n) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text writes a table in columns, numbers to the right.
func (t *Table) text(b *strings.Builder) {
	rows := make([][]string, 0, len(t.Rows)+1)
	rows = append(rows, t.Columns)
	for _, r := range t.Rows {
		line := make([]string, len(r))
		for i, c := range r {
			line[i] = c.Said(say.Plain)
		}
		rows = append(rows, line)
	}
	width := make([]int, len(t.Columns))
	for _, r := range rows {
		for i, text := range r {
			width[i] = max(width[i], utf8.RuneCountInString(text))
		}
	}
	b.WriteString("\n")
	if t.Caption != "" {
		b.WriteString("  " + say.Visible(t.Caption) + "\n")
	}
	for k, r := range rows {
		line := ""
		for i, text := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(text))
			if len(t.Rows) > 0 && t.Rows[max(k-1, 0)][i].Number {
				line += "  " + pad + text
			} else {
				line += "  " + text + pad
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// Wire walks the section.
func (s *Section) Wire(c *wire.Codec) {
	for _, v := range []*string{&s.Name, &s.Part, &s.Title, &s.Sentence} {
		c.String(v)
	}
	wire.List(c, &s.Tables, func(t *Table) {
		c.Fields(&t.Caption, &t.Columns)
		wire.List(c, &t.Rows, func(r *[]Cell) {
			wire.List(c, r, func(x *Cell) {
				c.Fields(&x.Text, &x.Value, &x.Number, (*int)(&x.form), &x.decimals)
			})
			if c.Reading() && len(*r) != len(t.Columns) {
				c.Fail()
			}
		})
	})
	c.Strings(&s.Notes)
}

// label is what a system is called in a sentence.
func label(r *report.Report, i int) string {
	return r.Letter(i) + " " + say.Brief(r.Systems[i].Label, 60)
}

// better turns a difference so that more is better.
func better(c *report.Column, d float64) float64 {
	if c.Lower {
		return -d
	}
	return d
}
