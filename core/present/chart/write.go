package chart

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/export/sheet"
)

// Format is a way to write a drawing.
type Format struct {
	Name  string // "svg"
	Label string // on the page, "" where it is not offered there
	End   string // of its files: "svg"
	Type  string // media type
	Doc   string
	Style say.Style // of what it says: Input.Style of what is drawn for it
	Write func(d *Drawing, t Theme) string
}

// Formats returns them all. The theme matters to svg alone.
func Formats() []Format {
	return []Format{
		{"text", "", "txt", "text/plain; charset=utf-8", "for a terminal, with its table", say.Plain,
			func(d *Drawing, _ Theme) string { return d.Text(DefaultColumns) }},
		{"svg", "SVG", "svg", "image/svg+xml", "a drawing of its own", say.Page, (*Drawing).SVG},
		{"csv", "CSV", "csv", "text/csv; charset=utf-8", "every number that it is drawn from", say.Plain,
			func(d *Drawing, _ Theme) string { return d.CSV() }},
		{"tsv", "", "tsv", "text/tab-separated-values; charset=utf-8", "the same between tabs", say.Plain,
			func(d *Drawing, _ Theme) string { return d.TSV() }},
		{"vega", "Vega-Lite", "vl.json", "application/json",
			"a Vega-Lite 6 specification with its data, for a notebook", say.Page, func(d *Drawing,
				_ Theme) string {
				return d.Vega()
			}},
		{"latex", "LaTeX", "tex", "application/x-tex", "for pgfplots", say.Plain,
			func(d *Drawing, _ Theme) string { return d.LaTeX() }},
	}
}

// LookupFormat returns the format of a name.
func LookupFormat(name string) (Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, say.Faultf("chart", "unknown format %q; the formats are %s", name, strings.Join(names, ", "))
}

// CSV returns every number of the drawing.
func (d *Drawing) CSV() string { return sheet.CSV(d.Data) }

// TSV returns the same with tabs, which no cell has.
func (d *Drawing) TSV() string {
	var b strings.Builder
	for _, row := range d.Data {
		for i, s := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(sheet.Cell(s))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
