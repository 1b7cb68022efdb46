package dom

import "strings"

// void are the elements without an end tag.
var void = map[string]bool{"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true,
	"input": true,
	"link":  true, "meta": true, "source": true, "track": true, "wbr": true}

var (
	textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	attrEscaper = strings.NewReplacer("&", "&amp;", `"`, "&#34;", "<", "&lt;", ">", "&gt;", "\n", "&#10;")
)

// HTML appends the tree as HTML to b. Parsing the result gives the same tree (see Flatten). Properties become
// initial attributes (value, checked, selected, open).
func HTML(b *strings.Builder, n *Node) {
	if n.Tag == "" {
		textEscaper.WriteString(b, n.Text)
		return
	}
	b.WriteByte('<')
	b.WriteString(n.Tag)
	for _, a := range n.Attrs {
		writeAttr(b, a.Name, a.Value)
	}
	for _, p := range n.Props {
		switch {
		case p.Value == "false":
		case p.Value == "true" && p.Name != "value":
			writeAttr(b, p.Name, "")
		case p.Name == "value" && n.Tag != "select":
			writeAttr(b, p.Name, p.Value)
		}
	}
	b.WriteByte('>')
	if void[n.Tag] {
		return
	}
	for _, k := range n.Kids {
		HTML(b, k)
	}
	b.WriteString("</")
	b.WriteString(n.Tag)
	b.WriteByte('>')
}

func writeAttr(b *strings.Builder, name, value string) {
	b.WriteByte(' ')
	b.WriteString(name)
	if value != "" {
		b.WriteString(`="`)
		attrEscaper.WriteString(b, value)
		b.WriteByte('"')
	}
}
