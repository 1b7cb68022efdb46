//go:build js

// Package page draws the trees of package dom and passes events to Vugu's handlers. Its JavaScript side is
// site/js/dom.js.
package page

import (
	"runtime"
	"strings"
	"syscall/js"

	"github.com/vugu/vugu"
	vjs "github.com/vugu/vugu/js"

	"github.com/rankbox/rankbox/wasm/internal/browser"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// Page draws a component into the element #page and redraws it on demand. The browser has a single thread: an event
// handler runs to its end, then the page is drawn at once.
type Page struct {
	root   vugu.Builder
	env    *vugu.BuildEnv
	differ dom.Differ
	ops    js.Value // Uint8Array for copying patches
	text   js.Value
	raw    []byte
	busy   bool // a handler or a build is running: drawing waits for its end
	dirty  bool
	tidy   js.Func // collects garbage
	drawn  int     // drawings since the last garbage collection
}

// many is the number of drawings after which garbage is collected while the page is idle: about 10 MB in Search.
const many = 20

// New returns a page that shows root after the first Draw.
func New(root vugu.Builder) *Page {
	p := &Page{root: root, ops: browser.NewArray(0), text: browser.NewArray(0)}
	p.env, _ = vugu.NewBuildEnv(p)
	p.tidy = js.FuncOf(func(js.Value, []js.Value) any { runtime.GC(); return nil })
	browser.Expose("onEvent", func(args []js.Value) { p.event(uint32(args[0].Int()), args[1].String(), args[2]) })
	return p
}

// Lock, UnlockOnly, UnlockRender, RLock and RUnlock implement vugu.EventEnv. With a single thread nothing needs a
// lock.
func (p *Page) Lock()         {}
func (p *Page) UnlockOnly()   {}
func (p *Page) UnlockRender() { p.Draw() }
func (p *Page) RLock()        {}
func (p *Page) RUnlock()      {}

func (p *Page) event(id uint32, kind string, e js.Value) {
	h, ok := p.differ.Find(id, kind)
	if !ok {
		return
	}
	p.Do(func() { h.Func(&event{e: e, env: p}) })
}

// Do runs f, which may request any number of drawings, and draws once at its end.
func (p *Page) Do(f func()) {
	if p.busy {
		f()
		return
	}
	p.busy = true
	f()
	p.busy = false
	if p.dirty {
		p.Draw()
	}
}

// Draw updates the page.
func (p *Page) Draw() {
	if p.busy {
		p.dirty = true
		return
	}
	p.busy, p.dirty = true, false
	patch := p.differ.Diff(dom.Flatten(p.env.RunBuild(p.root)))
	if len(patch.Ops) > 0 {
		p.apply(patch)
	}
	p.busy = false
	if p.drawn++; p.drawn == many { // between two keys, before the runtime does it during one
		p.drawn = 0
		browser.Glue("idle").Invoke(p.tidy)
	}
}

func (p *Page) apply(patch *dom.Patch) {
	p.raw = p.raw[:0]
	for _, o := range patch.Ops {
		p.raw = append(p.raw, byte(o), byte(o>>8), byte(o>>16), byte(o>>24))
	}
	p.ops = room(p.ops, len(p.raw))
	js.CopyBytesToJS(p.ops, p.raw)
	text := []byte(strings.Join(patch.Strings, "\x00"))
	p.text = room(p.text, len(text))
	js.CopyBytesToJS(p.text, text)
	browser.Glue("apply").Invoke(p.ops, len(p.raw), p.text, len(text))
}

func room(a js.Value, n int) js.Value {
	if a.Length() >= n {
		return a
	}
	return browser.NewArray(2*n + 4096 - (2*n)%8)
}

// event adapts a DOM event for Vugu's handlers and looks up properties on demand.
type event struct {
	e   js.Value
	env vugu.EventEnv
}

// Prop returns a property by its path: ("target", "value"). "typing" reports whether the event comes from a text
// field.
func (v *event) Prop(keys ...string) any {
	x := v.e
	for _, k := range keys {
		if k == "typing" {
			return browser.Glue("typing").Invoke(v.e).Bool()
		}
		if x.Type() != js.TypeObject {
			return nil
		}
		x = x.Get(k)
	}
	switch x.Type() {
	case js.TypeString:
		return x.String()
	case js.TypeNumber:
		return x.Float()
	case js.TypeBoolean:
		return x.Bool()
	}
	return nil
}

func (v *event) PropString(keys ...string) string {
	s, _ := v.Prop(keys...).(string)
	return s
}

func (v *event) PropFloat64(keys ...string) float64 {
	f, _ := v.Prop(keys...).(float64)
	return f
}

func (v *event) PropBool(keys ...string) bool {
	b, _ := v.Prop(keys...).(bool)
	return b
}

func (v *event) EventSummary() map[string]any    { return nil }
func (v *event) JSEvent() vjs.Value              { return vjs.Value(v.e) }
func (v *event) JSEventTarget() vjs.Value        { return vjs.Value(v.e.Get("target")) }
func (v *event) JSEventCurrentTarget() vjs.Value { return vjs.Value(v.e.Get("currentTarget")) }
func (v *event) EventEnv() vugu.EventEnv         { return v.env }
func (v *event) PreventDefault()                 { v.e.Call("preventDefault") }
func (v *event) StopPropagation()                { v.e.Call("stopPropagation") }
