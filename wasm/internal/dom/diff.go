package dom

// The operations of a Patch, with their operands. "s" is an index into Strings, "id" a node.
const (
	OpCreate  = 1  // id, s tag, 1 for SVG else 0: create an element
	OpText    = 2  // id, s text: create a text
	OpAttr    = 3  // id, s name, s value: set an attribute
	OpNoAttr  = 4  // id, s name: remove an attribute
	OpProp    = 5  // id, s name, s value: set a property
	OpListen  = 6  // id, s type: start listening for events of this type
	OpIgnore  = 7  // id, s type: stop listening
	OpInsert  = 8  // parent, id, before (0: at the end): insert a node
	OpRemove  = 9  // id: remove a node and forget it and its descendants
	OpSetText = 10 // id, s text
	OpAdopt   = 11 // id: the mount point itself becomes this element
	OpForget  = 12 // id: a node inside a removed one
)

// Patch is a list of changes to the page.
type Patch struct {
	Ops     []uint32
	Strings []string
}

// Differ remembers the tree on the page.
type Differ struct {
	root     *Node
	last     uint32
	patch    Patch
	strings  map[string]uint32
	handlers map[uint32][]Handler
}

// Diff returns the changes from the tree of the last call to n, which it keeps. The first call builds the whole
// tree: the receiver adopts existing elements in the same positions. The result is valid until the next call.
func (d *Differ) Diff(n *Node) *Patch {
	d.patch.Ops = d.patch.Ops[:0]
	d.patch.Strings = d.patch.Strings[:0]
	d.strings = make(map[string]uint32)
	if d.handlers == nil {
		d.handlers = make(map[uint32][]Handler)
	}
	if d.root == nil {
		d.root = n
		n.id = d.next()
		d.op(OpAdopt, n.id)
		d.attributes(n)
		for _, k := range n.Kids {
			d.create(k)
			d.op(OpInsert, n.id, k.id, 0)
		}
	} else {
		d.update(d.root, n)
		d.root = n
	}
	return &d.patch
}

// Find returns the handler of a node for an event type.
func (d *Differ) Find(id uint32, eventType string) (Handler, bool) {
	for _, h := range d.handlers[id] {
		if h.Type == eventType {
			return h, true
		}
	}
	return Handler{}, false
}

func (d *Differ) next() uint32 { d.last++; return d.last }

func (d *Differ) op(code uint32, operands ...uint32) {
	d.patch.Ops = append(append(d.patch.Ops, code), operands...)
}

func (d *Differ) str(s string) uint32 {
	if i, ok := d.strings[s]; ok {
		return i
	}
	i := uint32(len(d.patch.Strings))
	d.patch.Strings = append(d.patch.Strings, s)
	d.strings[s] = i
	return i
}

func (d *Differ) create(n *Node) {
	n.id = d.next()
	if n.Tag == "" {
		d.op(OpText, n.id, d.str(n.Text))
		return
	}
	svg := uint32(0)
	if n.SVG {
		svg = 1
	}
	d.op(OpCreate, n.id, d.str(n.Tag), svg)
	for _, k := range n.Kids {
		d.create(k)
		d.op(OpInsert, n.id, k.id, 0)
	}
	// Attributes follow children: a <select> accepts its value only when its options exist.
	d.attributes(n)
}

func (d *Differ) attributes(n *Node) {
	for _, a := range n.Attrs {
		d.op(OpAttr, n.id, d.str(a.Name), d.str(a.Value))
	}
	for _, p := range n.Props {
		d.op(OpProp, n.id, d.str(p.Name), d.str(p.Value))
	}
	for _, h := range n.Handlers {
		d.op(OpListen, n.id, d.str(h.Type))
	}
	if len(n.Handlers) > 0 {
		d.handlers[n.id] = n.Handlers
	}
}

func attrValue(list []Attr, name string) (string, bool) {
	for _, a := range list {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}

func hasHandler(list []Handler, eventType string) bool {
	for _, h := range list {
		if h.Type == eventType {
			return true
		}
	}
	return false
}

// update changes the page's node old to n, which takes over its id. A node of a kept component may be old itself.
func (d *Differ) update(old, n *Node) {
	if n == old {
		return
	}
	n.id = old.id
	if n.Tag == "" {
		if n.Text != old.Text {
			d.op(OpSetText, n.id, d.str(n.Text))
		}
		return
	}
	d.children(old, n)
	for _, a := range old.Attrs {
		if _, ok := attrValue(n.Attrs, a.Name); !ok {
			d.op(OpNoAttr, n.id, d.str(a.Name))
		}
	}
	for _, a := range n.Attrs {
		if v, ok := attrValue(old.Attrs, a.Name); !ok || v != a.Value {
			d.op(OpAttr, n.id, d.str(a.Name), d.str(a.Value))
		}
	}
	// Send properties every time, because the user may have changed them. The receiver compares before it sets
	// them.
	for _, p := range n.Props {
		d.op(OpProp, n.id, d.str(p.Name), d.str(p.Value))
	}
	for _, h := range old.Handlers {
		if !hasHandler(n.Handlers, h.Type) {
			d.op(OpIgnore, n.id, d.str(h.Type))
		}
	}
	for _, h := range n.Handlers {
		if !hasHandler(old.Handlers, h.Type) {
			d.op(OpListen, n.id, d.str(h.Type))
		}
	}
	if len(n.Handlers) > 0 {
		d.handlers[n.id] = n.Handlers
	} else if len(old.Handlers) > 0 {
		delete(d.handlers, n.id)
	}
}

func sameKind(a, b *Node) bool { return a.Tag == b.Tag && a.Key == b.Key && a.SVG == b.SVG }

func (d *Differ) children(old, n *Node) {
	// A long common prefix and suffix are typical.
	a, b := old.Kids, n.Kids
	for len(a) > 0 && len(b) > 0 && sameKind(a[0], b[0]) {
		d.update(a[0], b[0])
		a, b = a[1:], b[1:]
	}
	tail := uint32(0)
	for len(a) > 0 && len(b) > 0 && sameKind(a[len(a)-1], b[len(b)-1]) {
		x, y := a[len(a)-1], b[len(b)-1]
		d.update(x, y)
		tail = y.id
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 {
		for _, k := range b {
			d.create(k)
			d.op(OpInsert, n.id, k.id, tail)
		}
		return
	}
	// Match the rest: keyed nodes by key and tag, the others in order by tag.
	keyed := make(map[string]*Node)
	plain := make(map[string][]*Node)
	for _, x := range a {
		if x.Key != "" {
			if _, dup := keyed[x.Key]; !dup {
				keyed[x.Key] = x
				continue
			}
		}
		plain[x.Tag] = append(plain[x.Tag], x)
	}
	from := make([]*Node, len(b)) // the old node that each new one replaces
	used := make(map[*Node]bool, len(a))
	for i, y := range b {
		var x *Node
		if y.Key != "" {
			x = keyed[y.Key]
			if x != nil && (used[x] || !sameKind(x, y)) {
				x = nil
			}
		} else if l := plain[y.Tag]; len(l) > 0 && l[0].SVG == y.SVG && l[0].Key == "" {
			x = l[0]
			plain[y.Tag] = l[1:]
		}
		if x != nil {
			from[i] = x
			used[x] = true
		}
	}
	kept := a[:0:0]
	for _, x := range a {
		if used[x] {
			kept = append(kept, x)
		} else {
			d.remove(x)
		}
	}
	still := longestStill(kept, from)
	before := tail
	for i := len(b) - 1; i >= 0; i-- {
		y := b[i]
		if x := from[i]; x != nil {
			d.update(x, y)
			if !still[x] {
				d.op(OpInsert, n.id, y.id, before)
			}
		} else {
			d.create(y)
			d.op(OpInsert, n.id, y.id, before)
		}
		before = y.id
	}
}

// longestStill returns a largest set of nodes that keep their relative order and need not move: the longest
// increasing subsequence of old positions in the new order (patience sorting, O(n log n)).
func longestStill(kept, from []*Node) map[*Node]bool {
	pos := make(map[*Node]int, len(kept))
	for i, x := range kept {
		pos[x] = i
	}
	var tails []int                // tails[l]: index in from of the smallest end of a sequence of length l+1
	prev := make([]int, len(from)) // predecessor in the sequence
	for i, x := range from {
		if x == nil {
			continue
		}
		lo, hi := 0, len(tails)
		for lo < hi {
			m := (lo + hi) / 2
			if pos[from[tails[m]]] < pos[x] {
				lo = m + 1
			} else {
				hi = m
			}
		}
		prev[i] = -1
		if lo > 0 {
			prev[i] = tails[lo-1]
		}
		if lo == len(tails) {
			tails = append(tails, i)
		} else {
			tails[lo] = i
		}
	}
	still := make(map[*Node]bool, len(tails))
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = prev[i] {
			still[from[i]] = true
		}
	}
	return still
}

func (d *Differ) remove(n *Node) {
	for _, k := range n.Kids {
		d.forget(k)
	}
	delete(d.handlers, n.id)
	d.op(OpRemove, n.id)
}

func (d *Differ) forget(n *Node) {
	for _, k := range n.Kids {
		d.forget(k)
	}
	delete(d.handlers, n.id)
	d.op(OpForget, n.id)
}
