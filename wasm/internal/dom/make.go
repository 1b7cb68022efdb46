package dom

import (
	"strings"

	"github.com/vugu/vugu"
)

// Text appends a text to parent and returns it. Generated code calls it.
//
//go:noinline
func Text(parent *vugu.VGNode, s string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.TextNode, Data: s}
	parent.AppendChild(n)
	return n
}

// Element appends an element to parent and returns it. attrs alternates names and values, joined by NUL. Generated
// code calls it.
//
//go:noinline
func Element(parent *vugu.VGNode, namespace, tag, attrs string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.ElementNode, Namespace: namespace, Data: tag}
	if attrs != "" {
		n.Attr = make([]vugu.VGAttribute, 0, (strings.Count(attrs, "\x00")+1)/2)
		for more := true; more; {
			var a vugu.VGAttribute
			a.Key, attrs, _ = strings.Cut(attrs, "\x00")
			a.Val, attrs, more = strings.Cut(attrs, "\x00")
			n.Attr = append(n.Attr, a)
		}
	}
	parent.AppendChild(n)
	return n
}

// On adds an event handler. Generated code calls it.
//
//go:noinline
func On(n *vugu.VGNode, eventType string, f func(vugu.DOMEvent)) {
	n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList,
		vugu.DOMEventHandlerSpec{EventType: eventType, Func: f})
}
