package dom

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/vugu/vugu"
)

// model is the content of the test's components.
type model struct {
	outer, table, note int
	hidden             bool
	built              map[string]int
}

// outer holds a number, a table that is kept unless it is hidden, and a number after it.
type outer struct{ m *model }

// table is kept, and holds a note.
type table struct {
	m *model
	Kept
}

func (c *table) Shown() any { return c.m.table }

// note is inside the table: kept if steady, otherwise built each time.
type note struct {
	m *model
	Kept
}

func (c *note) Shown() any { return c.m.note }

type plainNote struct{ m *model }

// The builds imitate generated code.

func (c *outer) Build(in *vugu.BuildIn) *vugu.BuildOut {
	out, kept := Begin(in, c)
	if kept {
		return out
	}
	c.m.built["outer"]++
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
	out.Out = append(out.Out, n)
	Text(Element(n, "", "p", ""), strconv.Itoa(c.m.outer))
	if !c.m.hidden {
		key := vugu.MakeCompKey(1^in.CurrentPositionHash(), nil)
		x, _ := in.BuildEnv.CachedComponent(key).(*table)
		if x == nil {
			x = new(table)
		}
		Use(in, c, key, x)
		x.m = c.m
		out.Components = append(out.Components, x)
		n.AppendChild(&vugu.VGNode{Component: x})
	}
	Text(Element(n, "", "p", ""), "after "+strconv.Itoa(c.m.outer))
	return out
}

func (c *table) Build(in *vugu.BuildIn) *vugu.BuildOut {
	out, kept := Begin(in, c)
	if kept {
		return out
	}
	c.m.built["table"]++
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: "table"}
	out.Out = append(out.Out, n)
	On(n, "click", func(vugu.DOMEvent) {})
	for i := range c.m.table % 4 {
		Text(Element(n, "", "td", "data-key\x00"+strconv.Itoa(i*c.m.table)), strconv.Itoa(c.m.table))
	}
	for i, make := range []func() vugu.Builder{func() vugu.Builder { return &note{m: c.m} },
		func() vugu.Builder { return &plainNote{m: c.m} }} {
		if i == 1 && c.m.table%3 > 0 {
			break // everything in the table is kept too
		}
		key := vugu.MakeCompKey(uint64(2+i)^in.CurrentPositionHash(), nil)
		x := in.BuildEnv.CachedComponent(key)
		if x == nil {
			x = make()
		}
		Use(in, c, key, x)
		out.Components = append(out.Components, x)
		n.AppendChild(&vugu.VGNode{Component: x})
	}
	return out
}

func (c *note) Build(in *vugu.BuildIn) *vugu.BuildOut {
	out, kept := Begin(in, c)
	if kept {
		return out
	}
	c.m.built["note"]++
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: "i"}
	out.Out = append(out.Out, n)
	Text(n, strconv.Itoa(c.m.note))
	return out
}

func (c *plainNote) Build(in *vugu.BuildIn) *vugu.BuildOut {
	out, _ := Begin(in, c)
	c.m.built["plain"]++
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: "b"}
	out.Out = append(out.Out, n)
	Text(n, strconv.Itoa(c.m.outer))
	return out
}

// After any change the page equals a fresh build, and kept components are built only if their content changes.
func TestAKeptComponentIsBuiltWhereWhatItShowsChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := &model{built: map[string]int{}}
	root := &outer{m}
	env, _ := vugu.NewBuildEnv()
	p := &page{t: t, nodes: map[uint32]*element{}}
	var d Differ
	var before *Node
	for step := range 3000 {
		last := *m
		switch r.IntN(5) {
		case 0:
			m.table = r.IntN(12)
		case 1:
			m.note = r.IntN(3)
		case 2:
			m.hidden = r.IntN(3) == 0
		default:
			m.outer++
		}
		m.built = map[string]int{}
		n := Flatten(env.RunBuild(root))
		p.apply(d.Diff(n))
		built := m.built

		fresh, _ := vugu.NewBuildEnv()
		m.built = map[string]int{}
		if got, wanted := p.root.String(), want(Flatten(fresh.RunBuild(&outer{m}))).String(); got != wanted {
			t.Fatalf("step %d:\n%s\nwant\n%s", step, got, wanted)
		}
		same := step > 0 && !m.hidden && !last.hidden && m.table == last.table
		if same != (built["table"] == 0) && !m.hidden {
			t.Fatalf("step %d: the table was built %d times, from %+v to %+v", step, built["table"], last, *m)
		}
		if same && (m.note == last.note) != (built["note"] == 0) {
			t.Fatalf("step %d: the note was built %d times, from %+v to %+v", step, built["note"], last, *m)
		}
		if all := same && m.note == last.note && m.table%3 > 0; all != (before != nil && len(n.Kids) == 3 &&
			len(before.Kids) == 3 && n.Kids[1] == before.Kids[1]) {
			t.Fatalf("step %d: the same nodes: %v, from %+v to %+v", step, !all, last, *m)
		}
		if !m.hidden {
			if _, ok := d.Find(n.Kids[1].id, "click"); !ok {
				t.Fatalf("step %d: the table hears no click", step)
			}
		}
		before = n
	}
}
