// Package handout makes one file of a report to hand over: a page that reads without a program and without a network,
// with the tables of export, the figures of chart, and the data inside, so that any Rankbox opens it again. It measures
// nothing and reads no other page.
package handout

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/present/chart"
)

// Room is how many bytes a page should have: the runs are inside where they fit beside the rest, otherwise the report
// alone is.
const Room = 1_000_000

var style = `:root{color-scheme:light}body{margin:0;background:` + light("paper") + `;color:` + light(chart.Ink) +
	`;font:16px/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:68rem;margin:0 auto;padding:2rem 1.25rem}h1{font:600 1.6rem/1.3 Georgia,"Noto Serif",serif}h2{font:600 1.2rem Georgia,"Noto Serif",serif;margin-top:2.5rem}
.scroll{overflow-x:auto;margin:1.5rem 0}table{border-collapse:collapse;font-size:.92rem}caption{text-align:left;color:` +
	light(chart.Muted) + `;padding:.3rem 0}
th,td{padding:.3rem .6rem;border-bottom:1px solid ` + light("grid") +
	`;text-align:left;vertical-align:top;overflow-wrap:anywhere}th{font-weight:600}.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
sup{font-size:.7em}figure{margin:2rem 0}svg{max-width:100%;height:auto}figcaption,.small{color:` + light(chart.Muted) +
	`;font-size:.92rem}code{overflow-wrap:anywhere}
@media print{main{max-width:none}figure,tr{break-inside:avoid}}
`

func light(r chart.Role) string { return chart.Palette()[r].Light }

// The data stands between dataOpen and dataClose, the tables behind tablesHead.
const (
	tablesHead = "<h2>Figures in tables</h2>\n"
	besideOpen = `<script type="application/x-rankbox-beside">`
	dataOpen   = `<script type="application/x-rankbox">`
	dataClose  = `</script>`
)

// Pages begin with one of these. Former pages, of earlier versions, carry no Beside.
const (
	begins = "<!doctype html>\n<!-- rankbox page 2 -->\n"
	former = "<!doctype html>\n<!-- rankbox page 1 -->\n"
)

// Is reports whether a file is a page that Write wrote, Former whether an earlier version wrote it.
func Is(file []byte) bool     { return bytes.HasPrefix(file, []byte(begins)) || Former(file) }
func Former(file []byte) bool { return bytes.HasPrefix(file, []byte(former)) }

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// text is what others wrote, as text.
func text(s string) string { return escapes.Replace(say.Visible(s)) }

// Write writes the page of a report. in is what was compared, nil where there is only the report; known is what figures
// are drawn from beside it. Further paragraphs (the methods of an experiment) stand behind the finding.
func Write(w io.Writer, r *report.Report, in *compare.Input, known chart.Facts, paragraphs ...string) error {
	var b strings.Builder
	sum, _ := hex.DecodeString(sha256.Hex([]byte(style)))
	b.WriteString(begins + `<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" ` +
		`content="default-src 'none'; style-src 'sha256-` + base64.StdEncoding.EncodeToString(sum) +
		`'; base-uri 'none'; form-action 'none'"><meta name="viewport" content="width=device-width, ` +
		`initial-scale=1"><meta name="generator" content="Rankbox">`)
	finding := r.Sentence(say.Page)
	b.WriteString("<title>" + text(finding) + "</title><style>" + style + "</style></head>\n<body><main>\n<h1>" +
		text(finding) + "</h1>\n")
	for _, p := range append([]string{r.Note(say.Page)}, paragraphs...) {
		if p != "" {
			b.WriteString("<p>" + text(p) + "</p>\n")
		}
	}
	b.WriteString(tablesHead + export.HTML(r, export.Detail{}))
	b.WriteString("<h2>Figures</h2>\n")
	for _, d := range chart.Draw(input(r, known)) {
		b.WriteString("<figure><h3>" + text(d.Title) + "</h3>" + d.SVG(chart.Light) + "<figcaption>" +
			text(d.Sentence) + "</figcaption></figure>\n")
	}
	beside := (&Beside{Facts: known, Paragraphs: paragraphs}).text()
	data := packed.PackReport(r)
	holds := "This file contains the report: drop it on any Rankbox page, or name it with -against to compare a " +
		"later report."
	if in != nil {
		all, err := packed.Pack(packed.File{Input: *in, Hash: r.Hash}, packed.Saving{})
		if err == nil && b.Len()+len(beside)+base64.StdEncoding.EncodedLen(len(all))+600 <= Room {
			data = all
			holds = "This file contains the runs and judgments: drop it on the Evaluate page of any Rankbox, or open " +
				"it with rankbox compare."
		}
	}
	b.WriteString(`<p class="small">Made with Rankbox. Report <code>` + text(r.Hash) + "</code>. " + holds +
		"</p>\n</main>\n")
	b.WriteString(besideOpen + beside + dataClose + "\n" + dataOpen +
		base64.StdEncoding.EncodeToString(data) + dataClose + "\n</body></html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// input chooses the pair that is looked at: the baseline and the best other run.
func input(r *report.Report, known chart.Facts) *chart.Input {
	in := &chart.Input{Report: r, A: r.Baseline, B: r.Baseline, Facts: known}
	for _, s := range r.Ranking() {
		if s != r.Baseline {
			in.B = s
			break
		}
	}
	return in
}

// Figures returns the figures in the tables of a page of an earlier version, as they are shown. They had no data beside
// the runs, so their words cannot be made again.
func Figures(page []byte) []string {
	var out []string
	_, s, _ := strings.Cut(string(page), tablesHead)
	for {
		_, after, ok := strings.Cut(s, `<td class="n">`)
		if !ok {
			return out
		}
		cell, rest, _ := strings.Cut(after, "</td>")
		cell, _, _ = strings.Cut(cell, "<sup>") // the letters of runs, which are no figure
		out, s = append(out, strings.TrimSuffix(strings.TrimPrefix(cell, "<b>"), "</b>")), rest
	}
}

// ErrNoData is returned for a page without data that can be read.
var ErrNoData = say.Faultf("handout: read page", "it holds no Rankbox comparison, or is incomplete")

// Data returns the packed comparison or report of a page.
func Data(page []byte) ([]byte, error) {
	s, err := script(page, dataOpen)
	if err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, ErrNoData
	}
	return b, nil
}

// ReadBeside returns what a page is made of beside its Data.
func ReadBeside(page []byte) (*Beside, error) {
	s, err := script(page, besideOpen)
	if err != nil {
		return nil, err
	}
	return readBeside(s)
}

// script returns the text between the last open of a page and its end.
func script(page []byte, open string) (string, error) {
	s := string(page)
	i := strings.LastIndex(s, open)
	if i < 0 {
		return "", ErrNoData
	}
	s, _, ok := strings.Cut(s[i+len(open):], dataClose)
	if !ok {
		return "", ErrNoData
	}
	return strings.TrimSpace(s), nil
}
