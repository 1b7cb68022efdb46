package export

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// Format is a form in which a report is written.
type Format struct {
	Name   string // "latex"
	Title  string // "LaTeX, with booktabs"
	Ending string // of its files: ".tex"
	Type   string // media type
	write  func(b *builder, r *report.Report, d Detail)
}

// Detail says how much is written.
type Detail struct {
	Queries bool            // every query's values too; in CSV instead of the summary
	Tests   []*report.Tests // paired tests on further measures than the first; see Report.TestOn
}

// tests returns the tests that are written: those of the first measure, and the further ones.
func (d Detail) tests(r *report.Report) []*report.Tests {
	out := []*report.Tests{{Pairs: r.Pairs, Test: r.Test}}
	for _, t := range d.Tests {
		if t != nil && t.Column != 0 && !slices.ContainsFunc(out, func(o *report.Tests) bool { return o.Column == t.Column }) {
			out = append(out, t)
		}
	}
	return out
}

// Formats returns all forms: one line a form.
func Formats() []Format {
	return []Format{
		{"text", "Text", ".txt", "text/plain; charset=utf-8", writeText},
		{"json", "JSON", ".json", "application/json", writeJSON},
		{"md", "Markdown", ".md", "text/markdown; charset=utf-8", writeMarkdown},
		{"latex", "LaTeX, with booktabs", ".tex", "application/x-tex", writeLaTeX},
		{"csv", "CSV", ".csv", "text/csv; charset=utf-8", writeCSV},
		{"trec", "trec_eval's lines", ".txt", "text/plain; charset=utf-8", writeTREC},
	}
}

// Write writes the report in a format by its name.
func Write(w io.Writer, r *report.Report, format string, d Detail) error {
	for _, f := range Formats() {
		if f.Name == format {
			var b builder
			f.write(&b, r, d)
			_, err := io.WriteString(w, b.String())
			return err
		}
	}
	return errors.New("export: write report: there is no format " + strconv.Quote(format))
}

// builder collects text.
type builder struct{ strings.Builder }

func (b *builder) line(parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
	b.WriteByte('\n')
}

// maxName is how many characters of a name a table shows.
const maxName = 120

func brief(s string) string { return say.Brief(s, maxName) }
