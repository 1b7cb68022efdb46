package dom

import "github.com/vugu/vugu"

// Kept is embedded in a component that need not be built again while what it shows is the same: its last build and the
// nodes that were made of it are used once more, and Differ passes over them. The component says what it shows by a
// method Shown() any, whose results are compared with ==.
//
// It is for components that hold much and stand still while the rest of the page is drawn often.
type Kept struct {
	shown any
	out   *vugu.BuildOut
	used  []use
	again bool    // the last build was the one before
	nodes []*Node // of out; nil where they are to be made
}

// use is a component that a kept one holds.
type use struct {
	key  vugu.CompKey
	comp vugu.Builder
}

type keeper interface {
	Shown() any
	kept() *Kept
}

func (k *Kept) kept() *Kept { return k }

// Begin begins the build of a component: what it built last and true if that is kept and what it shows is the same,
// else an empty build to fill. It is what the generated code of components calls first.
func Begin(in *vugu.BuildIn, c vugu.Builder) (out *vugu.BuildOut, done bool) {
	x, ok := c.(keeper)
	if !ok {
		return &vugu.BuildOut{}, false
	}
	k, shown := x.kept(), x.Shown()
	if k.again = k.out != nil && k.shown == shown; k.again {
		for _, u := range k.used { // or they would be forgotten
			in.BuildEnv.UseComponent(u.key, u.comp)
		}
		return k.out, true
	}
	*k = Kept{shown: shown, out: &vugu.BuildOut{}}
	return k.out, false
}

// Use says that component c holds another one in this build. It is what the generated code of components calls.
func Use(in *vugu.BuildIn, c vugu.Builder, key vugu.CompKey, comp vugu.Builder) {
	in.BuildEnv.UseComponent(key, comp)
	if x, ok := c.(keeper); ok {
		k := x.kept()
		k.used = append(k.used, use{key, comp})
	}
}

// same reports whether a component and all those in it are what they were in the build before.
func same(c any) bool {
	x, ok := c.(keeper)
	if !ok || !x.kept().again {
		return false
	}
	for _, inner := range x.kept().out.Components {
		if !same(inner) {
			return false
		}
	}
	return true
}

// component appends the nodes of a component.
func component(br *vugu.BuildResults, c any, dst []*Node) []*Node {
	x, ok := c.(keeper)
	if !ok {
		return flatten(br, br.ResultFor(c), dst)
	}
	k := x.kept()
	if k.nodes == nil || !same(c) {
		k.nodes = flatten(br, br.ResultFor(c), nil)
	}
	return append(dst, k.nodes...)
}
