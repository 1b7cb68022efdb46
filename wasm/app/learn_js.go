//go:build js && !first

package app

import (
	"syscall/js"

	"github.com/rankbox/rankbox/wasm/app/state/learn"
)

var _ learn.Windows = (*effects)(nil)

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
