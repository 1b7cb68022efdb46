//go:build js && (!first || lessons)

package app

import (
	"syscall/js"

	"github.com/rankbox/rankbox/wasm/app/state/learn"
	"github.com/rankbox/rankbox/wasm/internal/browser"
)

var (
	_ learn.Windows = (*effects)(nil)
	_ learn.Library = (*effects)(nil)
)

// Lessons implements learn.Library.
func (f *effects) Lessons(done func(lessons []byte, problem string)) {
	f.fetch("/learn/lessons.bin", done)
}

// Edge implements learn.Library.
func (f *effects) Edge(done func(offer []byte, problem string)) { f.fetch("/api/v1/backends", done) }

// fetch fetches a file of the site, or asks its edge.
func (f *effects) fetch(path string, done func(data []byte, problem string)) {
	var cb js.Func
	cb = js.FuncOf(func(_ js.Value, args []js.Value) any {
		cb.Release()
		var data []byte
		if args[0].Truthy() {
			data = browser.Bytes(args[0])
		}
		problem := args[1].String()
		f.page.Do(func() { done(data, problem) })
		return nil
	})
	browser.Glue("fetch").Invoke(path, cb)
}

// windows is the channel on which the windows of a lesson hear each other, made when it is first asked for.
var windows js.Value

func channel() js.Value {
	if make := js.Global().Get("BroadcastChannel"); windows.IsUndefined() && make.Truthy() {
		windows = make.New("rankbox lesson")
	}
	return windows
}

// TellWindows implements learn.Windows.
func (f *effects) TellWindows(text string) {
	if c := channel(); c.Truthy() {
		c.Call("postMessage", text)
	}
}

// HearWindows implements learn.Windows.
func (f *effects) HearWindows(heard func(text string)) {
	if c := channel(); c.Truthy() {
		c.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any { // as long as the page lives
			if data := args[0].Get("data"); data.Type() == js.TypeString {
				f.page.Do(func() { heard(data.String()) })
			}
			return nil
		}))
	}
}
