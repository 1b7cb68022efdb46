package chart

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// fonts are those of the page.
const fonts = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Helvetica, Arial, sans-serif"

var escapeXML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// SVG returns the drawing as a file of its own, on white or on dark ground: paths and texts, no style sheet, no script
// and no reference to anything.
func (d *Drawing) SVG(t Theme) string {
	s := d.Sheet(Wide)
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="` + s.Box() + `" width="` + say.Plain.Int(s.W) +
		`" height="` + say.Plain.Int(s.H) + `" font-family="` + fonts + `" font-variant-numeric="tabular-nums">`)
	b.WriteString("<title>" + escapeXML.Replace(say.Visible(d.Sentence)) +
		`</title><rect width="100%" height="100%" fill="` + palette["sheet"].In(t) + `"/>`)
	for _, x := range s.Shapes {
		if x.Text {
			b.WriteString("<text " + ink(x.Class, t) + ` x="` + x.X + `" y="` + x.Y + `">` + escapeXML.Replace(x.D) +
				"</text>")
		} else {
			b.WriteString("<path " + ink(x.Class, t) + ` d="` + x.D + `"/>`)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// ink returns the attributes of a class: what the page's style sheet says of it.
func ink(class string, t Theme) string {
	kind, role, _ := strings.Cut(class, " ")
	colour := func(r Role) string { return palette[r].In(t) }
	switch kind {
	case "grid":
		return `fill="none" stroke="` + colour("grid") + `"`
	case "axis":
		return `fill="none" stroke="` + colour(Muted) + `"`
	case "fill":
		return `fill="` + colour(Role(role)) + `"`
	case "rule":
		return `fill="none" stroke="` + colour(Role(role)) + `" stroke-width="2"`
	case "thick":
		return `fill="none" stroke="` + colour(Role(role)) + `" stroke-width="5"`
	case "dots":
		return `fill="none" stroke="` + colour(Role(role)) +
			`" stroke-width="7" stroke-linecap="round" stroke-opacity="0.6"`
	case "name":
		return `fill="` + colour(Role(role)) + `" font-size="13"`
	case "label":
		return `fill="` + colour(Ink) + `" font-size="15"`
	case "inside":
		return `fill="` + colour(Ink) + `" font-size="13" text-anchor="middle"`
	}
	anchor := ""
	if role == "middle" || role == "end" {
		anchor = ` text-anchor="` + role + `"`
	}
	return `fill="` + colour(Muted) + `" font-size="13"` + anchor
}
