package dom

import "github.com/vugu/vugu"

// Kept is embedded in large components that change less often than the page is drawn. While the component shows the
// same, its last build and nodes are reused, and Differ skips them. Its method Shown() any describes the content;
// results are compared with ==.
type Kept struct {
	shown any
	out   *vugu.BuildOut
	used  []use
	again bool    // the last build reused the one before
	nodes []*Node // of out; nil if not yet made
}

// use is a component inside a kept one.
type use struct {
	key  vugu.CompKey
	comp vugu.Builder
}

type keeper interface {
	Shown() any
	kept() *Kept
}

func (k *Kept) kept() *Kept { return k }

// Begin starts the build of a component. It returns the last build and true if that is kept and its content is
// unchanged, else an empty build. Generated code of components calls it first.
func Begin(in *vugu.BuildIn, c vugu.Builder) (out *vugu.BuildOut, done bool) {
	x, ok := c.(keeper)
	if !ok {
		return &vugu.BuildOut{}, false
	}
	k, shown := x.kept(), x.Shown()
	if k.again = k.out != nil && k.shown == shown; k.again {
		for _, u := range k.used { // otherwise Vugu would forget them
			in.BuildEnv.UseComponent(u.key, u.comp)
		}
		return k.out, true
	}
	*k = Kept{shown: shown, out: &vugu.BuildOut{}}
	return k.out, false
}

// Use records that component c contains another one in this build. Generated code calls it.
func Use(in *vugu.BuildIn, c vugu.Builder, key vugu.CompKey, comp vugu.Builder) {
	in.BuildEnv.UseComponent(key, comp)
	if x, ok := c.(keeper); ok {
		k := x.kept()
		k.used = append(k.used, use{key, comp})
	}
}

// unchanged reports whether a component and all inside it reused their last build.
func unchanged(c any) bool {
	x, ok := c.(keeper)
	if !ok || !x.kept().again {
		return false
	}
	for _, inner := range x.kept().out.Components {
		if !unchanged(inner) {
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
	if k.nodes == nil || !unchanged(c) {
		k.nodes = flatten(br, br.ResultFor(c), nil)
	}
	return append(dst, k.nodes...)
}
