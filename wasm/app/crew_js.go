//go:build js && !first

package app

import (
	"syscall/js"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/experiment"
	"github.com/rankbox/rankbox/wasm/internal/browser"
)

var _ experiment.Crew = (*effects)(nil)

// Bears implements experiment.Crew.
func (f *effects) Bears() int { return browser.Glue("bears").Invoke().Int() }

// hearing is what hears the crew that was hired last.
var hearing js.Func

// Hire implements experiment.Crew.
func (f *effects) Hire(n int, heard func(i int, r *message.Reply, ended string)) {
	hearing.Release()
	hearing = js.FuncOf(func(_ js.Value, args []js.Value) any {
		i, ended := args[0].Int(), args[2].String()
		var r *message.Reply
		if args[1].Truthy() {
			r = &message.Reply{}
			if wire.Unmarshal(browser.Bytes(args[1]), r) != nil {
				r, ended = nil, "it sent what is no answer"
			}
		}
		f.page.Do(func() { heard(i, r, ended) })
		return nil
	})
	browser.Glue("hire").Invoke(n, hearing)
}

// Tell implements experiment.Crew.
func (f *effects) Tell(i int, r message.Request) {
	browser.Glue("tell").Invoke(i, browser.Array(wire.Marshal(&r)))
}

// Dismiss implements experiment.Crew.
func (f *effects) Dismiss(i int) { browser.Glue("dismiss").Invoke(i) }
