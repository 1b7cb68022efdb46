// Package dom converts Vugu's output to a plain tree, writes it as HTML, and computes the minimal changes between
// trees. It knows no browser: package browser applies the changes and the build tool writes the HTML, so the
// prerendered page and the running page are the same tree.
//
// Order of the pipeline: vugu.BuildResults → Flatten → Node → HTML (at build time) or Differ → Patch (in the
// browser).
package dom

import (
	"strings"

	"github.com/vugu/vugu"
)

// Node is an element, or a text if Tag is "".
type Node struct {
	Tag   string
	SVG   bool // an element of the SVG namespace
	Text  string
	Key   string // identifies the node among its siblings: its data-key, or # and its id, or ""
	Attrs []Attr // in source order, without duplicates
	// What the user can also change: "value" (a string), "checked" ("true" or "false"). <details> are left to the
	// user.
	Props    []Attr
	Handlers []Handler
	Kids     []*Node

	id uint32 // set by Differ
}

// Attr is a name and its value.
type Attr struct{ Name, Value string }

// Handler handles events of a type that reach the node.
type Handler struct {
	Type string
	Func func(vugu.DOMEvent)
}

// Flatten returns the tree of one build. The root component must contain exactly one element. It replaces
// components and templates by their content, drops comments and white space that contains a line feed, and joins
// neighbouring texts. Text only ever becomes text: markup cannot pass.
//
// Differ matches element children by data-key or id, if present, else by order and tag name. So a row that moves
// keeps its element, focus and scroll position, and a button removed during a click does not become the next one
// and take its action.
func Flatten(br *vugu.BuildResults) *Node {
	kids := flatten(br, br.Out, nil)
	if len(kids) != 1 || kids[0].Tag == "" {
		panic("dom: the root component must hold one element")
	}
	return kids[0]
}

func flatten(br *vugu.BuildResults, out *vugu.BuildOut, dst []*Node) []*Node {
	for _, v := range out.Out {
		dst = appendNode(br, v, dst)
	}
	return dst
}

func appendNode(br *vugu.BuildResults, v *vugu.VGNode, dst []*Node) []*Node {
	switch {
	case v.Component != nil:
		return component(br, v.Component, dst)
	case v.IsTemplate():
		if v.InnerHTML != nil {
			return appendText(dst, unescape(*v.InnerHTML))
		}
		for c := v.FirstChild; c != nil; c = c.NextSibling {
			dst = appendNode(br, c, dst)
		}
		return dst
	case v.Type == vugu.TextNode:
		if strings.TrimSpace(v.Data) == "" && strings.Contains(v.Data, "\n") {
			return dst
		}
		return appendText(dst, collapse(v.Data))
	case v.Type != vugu.ElementNode:
		return dst
	}
	n := &Node{Tag: v.Data, SVG: v.Namespace == "svg"}
	n.Attrs = make([]Attr, 0, len(v.Attr))
	box := false
	for _, a := range v.Attr {
		switch {
		case a.Key == "data-key":
			n.Key = a.Val
		case a.Key == "id" && n.Key == "":
			n.Key = "#" + a.Val
		case a.Key == "type" && (a.Val == "checkbox" || a.Val == "radio"):
			box = true
		case a.Key == "value" && field[v.Data]:
			n.Props = append(n.Props, Attr{a.Key, a.Val})
			continue
		case a.Key == "checked":
			continue
		}
		n.Attrs = append(n.Attrs, Attr{a.Key, a.Val})
	}
	if box {
		n.Props = append(n.Props, Attr{"checked", set(v, "checked")})
	}
	if len(v.Prop) > 0 {
		panic("dom: write :" + v.Prop[0].Key + " instead of ." + v.Prop[0].Key + " on <" + v.Data + ">")
	}
	for _, h := range v.DOMEventHandlerSpecList {
		n.Handlers = append(n.Handlers, Handler{h.EventType, h.Func})
	}
	if v.InnerHTML != nil {
		n.Kids = appendText(nil, unescape(*v.InnerHTML))
	} else if v.FirstChild != nil {
		count := 0
		for c := v.FirstChild; c != nil; c = c.NextSibling {
			count++
		}
		n.Kids = make([]*Node, 0, count)
		for c := v.FirstChild; c != nil; c = c.NextSibling {
			n.Kids = appendNode(br, c, n.Kids)
		}
	}
	return append(dst, n)
}

// field are the elements with a value that the user can change. It is kept in step as a property.
var field = map[string]bool{"input": true, "select": true, "textarea": true}

func set(v *vugu.VGNode, name string) string {
	for _, a := range v.Attr {
		if a.Key == name {
			return "true"
		}
	}
	return "false"
}

func appendText(dst []*Node, s string) []*Node {
	if s == "" {
		return dst
	}
	s = cleanText(s)
	if n := len(dst); n > 0 && dst[n-1].Tag == "" {
		dst[n-1].Text += s
		return dst
	}
	return append(dst, &Node{Text: s})
}

// cleanText replaces characters that an HTML parser would change: NUL and carriage return.
func cleanText(s string) string {
	if strings.IndexByte(s, 0) < 0 && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.NewReplacer("\x00", "\ufffd", "\r\n", "\n", "\r", "\n").Replace(s)
}

// collapse turns each run of white space with a line feed into one space, because templates span lines. It keeps
// other white space.
func collapse(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && (s[j] == ' ' || s[j] == '\n' || s[j] == '\t') {
			j++
		}
		if j > i {
			if strings.IndexByte(s[i:j], '\n') >= 0 {
				b.WriteByte(' ')
			} else {
				b.WriteString(s[i:j])
			}
			i = j
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// unescape reverses html.EscapeString, which Vugu applies to every vg-content. It refuses markup (vg-html), which
// Rankbox never passes, so a remaining "<" is a programming error.
func unescape(s string) string {
	if strings.IndexByte(s, '<') >= 0 {
		panic("dom: vg-html is not allowed: " + s)
	}
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return unescaper.Replace(s)
}

var unescaper = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&amp;", "&")
