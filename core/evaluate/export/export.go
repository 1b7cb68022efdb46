// Package export writes a report, and what was asked of it, for somewhere else: text, Markdown, LaTeX, CSV, JSON,
// trec_eval's lines, JUnit, a comment on a change of code. A form is a file here and a line of its list. It decides no
// figure and no condition: those are of report and of report/gates.
package export

import (
	"io"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Format is a form in which a report is written.
type Format struct {
	Name   string // "latex"
	Title  string // "LaTeX, with booktabs"
	Ending string // of its files: ".tex"
	Type   string // media type
	offers offers
	write  func(b *builder, r *report.Report, d Detail)
}

// offers says whether a form is offered as a file without every query's values, with them, or as either.
type offers int

const (
	summary offers = 1 << iota
	byQuery
)

// withQueries is behind the name of a form whose file has every query's values.
const withQueries = "-queries"

// Files are what a form is offered as, the name of the form first: with "-queries" behind it the file has every query's
// values too.
func (f *Format) Files() [][2]string {
	var out [][2]string
	if f.offers&summary != 0 {
		out = append(out, [2]string{f.Name, f.Title})
	}
	switch {
	case f.offers&byQuery == 0:
	case f.offers&summary != 0:
		out = append(out, [2]string{f.Name + withQueries, f.Title + " by query"})
	default:
		out = append(out, [2]string{f.Name + withQueries, f.Title})
	}
	return out
}

// Form returns the form of a file that is named as Files does, and whether it has every query's values; nil where there
// is none.
func Form(file string) (f *Format, queries bool) {
	for i := range formats {
		switch f = &formats[i]; file {
		case f.Name:
			return f, false
		case f.Name + withQueries:
			return f, true
		}
	}
	return nil, false
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
		if t != nil && t.Column != 0 && !slices.ContainsFunc(out, func(o *report.Tests) bool {
			return o.Column == t.Column
		}) {
			out = append(out, t)
		}
	}
	return out
}

// formats are all forms, each with its writer in a file of its own: one line a form.
var formats = []Format{
	asText,
	asJSON,
	asJSONL,
	asMarkdown,
	asLaTeX,
	asCSV,
	asTREC,
}

// Formats returns all forms.
func Formats() []Format { return slices.Clone(formats) }

// Write writes the report in a format by its name.
func Write(w io.Writer, r *report.Report, format string, d Detail) error {
	for _, f := range formats {
		if f.Name == format {
			var b builder
			f.write(&b, r, d)
			_, err := io.WriteString(w, b.String())
			return err
		}
	}
	return say.Faultf("export", "write report: unknown format %q", format)
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
