package dom

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vugu/vugu"
)

// page stands in for the document: it applies patches as the browser's glue does, and fails on anything the glue
// could not do (an unknown node, a node inserted before one that is not a child).
type page struct {
	t     *testing.T
	nodes map[uint32]*element
	root  *element
}

type element struct {
	tag, text string
	attrs     map[string]string
	props     map[string]string
	listens   map[string]bool
	kids      []*element
	parent    *element
}

func (p *page) get(id uint32) *element {
	e := p.nodes[id]
	if e == nil {
		p.t.Fatalf("patch names node %d, which does not exist", id)
	}
	return e
}

func (p *page) detach(e *element) {
	if e.parent == nil {
		return
	}
	for i, k := range e.parent.kids {
		if k == e {
			e.parent.kids = append(e.parent.kids[:i:i], e.parent.kids[i+1:]...)
			break
		}
	}
	e.parent = nil
}

func (p *page) apply(patch *Patch) (moves int) {
	o, s := patch.Ops, patch.Strings
	blank := func(tag string) *element {
		return &element{tag: tag, attrs: map[string]string{}, props: map[string]string{}, listens: map[string]bool{}}
	}
	for i := 0; i < len(o); {
		switch o[i] {
		case OpCreate:
			p.nodes[o[i+1]] = blank(s[o[i+2]])
			i += 4
		case OpAdopt:
			p.root = blank("div")
			p.nodes[o[i+1]] = p.root
			i += 2
		case OpText:
			e := blank("")
			e.text = s[o[i+2]]
			p.nodes[o[i+1]] = e
			i += 3
		case OpSetText:
			p.get(o[i+1]).text = s[o[i+2]]
			i += 3
		case OpAttr:
			p.get(o[i+1]).attrs[s[o[i+2]]] = s[o[i+3]]
			i += 4
		case OpNoAttr:
			delete(p.get(o[i+1]).attrs, s[o[i+2]])
			i += 3
		case OpProp:
			p.get(o[i+1]).props[s[o[i+2]]] = s[o[i+3]]
			i += 4
		case OpListen:
			p.get(o[i+1]).listens[s[o[i+2]]] = true
			i += 3
		case OpIgnore:
			delete(p.get(o[i+1]).listens, s[o[i+2]])
			i += 3
		case OpInsert:
			moves++
			parent, e := p.get(o[i+1]), p.get(o[i+2])
			p.detach(e)
			at := len(parent.kids)
			if o[i+3] != 0 {
				before := p.get(o[i+3])
				at = -1
				for j, k := range parent.kids {
					if k == before {
						at = j
					}
				}
				if at < 0 {
					p.t.Fatalf("insert before a node that is not a child")
				}
			}
			parent.kids = append(parent.kids[:at:at], append([]*element{e}, parent.kids[at:]...)...)
			e.parent = parent
			i += 4
		case OpRemove:
			p.detach(p.get(o[i+1]))
			delete(p.nodes, o[i+1])
			i += 2
		case OpForget:
			p.get(o[i+1])
			delete(p.nodes, o[i+1])
			i += 2
		default:
			p.t.Fatalf("unknown operation %d", o[i])
		}
	}
	return moves
}

func (e *element) String() string {
	if e.tag == "" {
		return fmt.Sprintf("%q", e.text)
	}
	return fmt.Sprintf("<%s %v %v %v>%v", e.tag, e.attrs, e.props, e.listens, e.kids)
}

func want(n *Node) *element {
	e := &element{tag: n.Tag, text: n.Text, attrs: map[string]string{}, props: map[string]string{},
		listens: map[string]bool{}}
	for _, a := range n.Attrs {
		e.attrs[a.Name] = a.Value
	}
	for _, a := range n.Props {
		e.props[a.Name] = a.Value
	}
	for _, h := range n.Handlers {
		e.listens[h.Type] = true
	}
	for _, k := range n.Kids {
		e.kids = append(e.kids, want(k))
	}
	return e
}

func randomTree(r *rand.Rand, depth int) *Node {
	tags := []string{"div", "p", "li"}
	n := &Node{Tag: tags[r.IntN(3)]}
	for _, name := range []string{"class", "title", "id"} {
		if r.IntN(2) == 0 {
			n.Attrs = append(n.Attrs, Attr{name, fmt.Sprint(r.IntN(3))})
		}
	}
	if r.IntN(4) == 0 {
		n.Handlers = append(n.Handlers, Handler{"click", func(vugu.DOMEvent) {}})
	}
	if depth == 0 {
		return n
	}
	keys := r.Perm(12)
	text := false
	for i := range r.IntN(8) {
		if !text && r.IntN(3) == 0 {
			n.Kids = append(n.Kids, &Node{Text: fmt.Sprint("t", r.IntN(3))})
			text = true
			continue
		}
		text = false
		k := randomTree(r, depth-1)
		if r.IntN(3) > 0 {
			k.Key = fmt.Sprint("k", keys[i])
			k.Attrs = append(k.Attrs, Attr{"data-key", k.Key})
		}
		n.Kids = append(n.Kids, k)
	}
	return n
}

func TestPatchesLeadFromAnyTreeToAnyOther(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var d Differ
	p := &page{t: t, nodes: map[uint32]*element{}}
	for i := range 3000 {
		n := randomTree(r, 3)
		n.Tag = "div"
		p.apply(d.Diff(n))
		if got, want := p.root.String(), want(n).String(); got != want {
			t.Fatalf("tree %d:\n got %s\nwant %s", i, got, want)
		}
		count := 0
		var walk func(e *element)
		walk = func(e *element) {
			count++
			for _, k := range e.kids {
				walk(k)
			}
		}
		walk(p.root)
		if count != len(p.nodes) {
			t.Fatalf("tree %d: %d nodes are remembered, %d are on the page", i, len(p.nodes), count)
		}
	}
}

func list(keys ...string) *Node {
	n := &Node{Tag: "ul"}
	for _, k := range keys {
		n.Kids = append(n.Kids, &Node{Tag: "li", Key: k, Attrs: []Attr{{"data-key", k}}, Kids: []*Node{{Text: k}}})
	}
	return n
}

func TestARowThatMovesIsTheOnlyOneThatMoves(t *testing.T) {
	cases := []struct {
		name     string
		from, to []string
		inserts  int
	}{
		{"nothing", []string{"a", "b", "c"}, []string{"a", "b", "c"}, 0},
		{"last to first", []string{"a", "b", "c", "d"}, []string{"d", "a", "b", "c"}, 1},
		{"first to last", []string{"a", "b", "c", "d"}, []string{"b", "c", "d", "a"}, 1},
		{"swap ends", []string{"a", "b", "c", "d"}, []string{"d", "b", "c", "a"}, 2},
		{"one new in the middle (the row and the text in it)", []string{"a", "b"}, []string{"a", "x", "b"}, 2},
		{"one gone", []string{"a", "b", "c"}, []string{"a", "c"}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var d Differ
			p := &page{t: t, nodes: map[uint32]*element{}}
			p.apply(d.Diff(list(c.from...)))
			if got := p.apply(d.Diff(list(c.to...))); got != c.inserts {
				t.Errorf("%d nodes were put into place, want %d", got, c.inserts)
			}
		})
	}
}

func TestAnElementWithAnIDDoesNotBecomeTheNextOne(t *testing.T) {
	kids := func(ids ...string) *vugu.BuildOut {
		root := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
		for _, id := range ids {
			root.AppendChild(&vugu.VGNode{Type: vugu.ElementNode, Data: "button",
				Attr: []vugu.VGAttribute{{Key: "id", Val: id}}})
		}
		return &vugu.BuildOut{Out: []*vugu.VGNode{root}}
	}
	var d Differ
	p := &page{t: t, nodes: map[uint32]*element{}}
	p.apply(d.Diff(Flatten(&vugu.BuildResults{Out: kids("ask", "menu")})))
	menu := p.root.kids[1]
	p.apply(d.Diff(Flatten(&vugu.BuildResults{Out: kids("menu")})))
	if len(p.root.kids) != 1 || p.root.kids[0] != menu {
		t.Error("the button that was to go stands where the other was: a click that takes it away would go on to do " +
			"what the other does")
	}
}

func TestHTMLEscapesTextAndAttributes(t *testing.T) {
	n := &Node{Tag: "p", Attrs: []Attr{{"title", `"<script>&`}},
		Kids: []*Node{{Text: "a <b> & \"c\" é"}, {Tag: "br"},
			{Tag: "input", Props: []Attr{{"value", `x"y`}, {"checked", "true"}, {"disabled", "false"}}}}}
	var b strings.Builder
	HTML(&b, n)
	want := `<p title="&#34;&lt;script&gt;&amp;">a &lt;b&gt; &amp; "c" é<br><input value="x&#34;y" checked></p>`
	if b.String() != want {
		t.Errorf("got  %s\nwant %s", b.String(), want)
	}
}

func TestTextThatVuguEscapedComesBackAsItWas(t *testing.T) {
	for _, s := range []string{"", "plain", `<img src=x onerror="alert(1)">`, "a & b &amp; c",
		"it's “quoted” é 漢字 \U0001F600", "&#34;"} {
		n := &vugu.VGNode{Type: vugu.ElementNode, Data: "p"}
		n.SetInnerHTML(s)
		if got := unescape(*n.InnerHTML); got != s {
			t.Errorf("got %q, want %q", got, s)
		}
	}
}

func TestMarkupIsRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("vg-html passed")
		}
	}()
	unescape("<b>bold</b>")
}

func BenchmarkDiff(b *testing.B) {
	var many []string
	for i := range 80 {
		many = append(many, fmt.Sprint("doc", i))
	}
	var d Differ
	d.Diff(list(many...))
	b.Run("rows=80/unchanged", func(b *testing.B) {
		for b.Loop() {
			d.Diff(list(many...))
		}
	})
}

func TestElementReadsItsAttributes(t *testing.T) {
	cases := map[string][]vugu.VGAttribute{
		"":                          nil,
		"id\x00q":                   {{Key: "id", Val: "q"}},
		"data-flip\x00":             {{Key: "data-flip", Val: ""}},
		"class\x00a b\x00title\x00": {{Key: "class", Val: "a b"}, {Key: "title", Val: ""}},
	}
	for attrs, want := range cases {
		n := Element(&vugu.VGNode{}, "", "p", attrs)
		if fmt.Sprint(n.Attr) != fmt.Sprint(want) {
			t.Errorf("%q: %v, want %v", attrs, n.Attr, want)
		}
	}
}
