package export

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// HTML returns the tables and the sentences of a report as a part of a page: elements and text, no attribute but class,
// scope and tabindex. What others named is text.
func HTML(r *report.Report, d Detail) string {
	var b builder
	for _, t := range tables(r, d, say.Plain) {
		b.line(`<div class="scroll" tabindex="0"><table>`)
		b.line(`<caption>`, htmlText(t.caption), `</caption>`)
		b.WriteString(`<thead><tr>`)
		for _, c := range t.head {
			b.WriteString(`<th scope="col"` + class(c) + `>` + htmlText(c.shown(upTo)) + `</th>`)
		}
		b.line(`</tr></thead><tbody>`)
		for _, row := range t.rows {
			b.WriteString(`<tr>`)
			for _, c := range row {
				s := htmlText(c.shown(upTo))
				if c.bold {
					s = `<b>` + s + `</b>`
				}
				if c.letter != "" {
					s += `<sup>` + htmlText(c.letter) + `</sup>`
				}
				b.WriteString(`<td` + class(c) + `>` + s + `</td>`)
			}
			b.line(`</tr>`)
		}
		b.line(`</tbody></table></div>`)
	}
	b.line(`<ul>`)
	for _, s := range sentences(r, d) {
		b.line(`<li>`, htmlText(s), `</li>`)
	}
	for _, s := range doubts(r, d) {
		b.line(`<li class="doubt">`, htmlText(s), `</li>`)
	}
	b.line(`</ul>`)
	return b.String()
}

func class(c cell) string {
	if c.number {
		return ` class="n"`
	}
	return ""
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// htmlText is a text as it stands in an element, with what cannot be seen spelled out.
func htmlText(s string) string { return htmlEscapes.Replace(say.Visible(s)) }
