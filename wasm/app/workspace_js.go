//go:build js && !first

package app

import (
	"syscall/js"

	"github.com/rankbox/rankbox/wasm/app/state/judge"
	"github.com/rankbox/rankbox/wasm/internal/browser"
)

var _ judge.Device = (*effects)(nil)

// kept asks the script that keeps workspaces, and calls done with its answer or what went wrong.
func (f *effects) kept(done func(answer js.Value, problem string), act string, args ...any) {
	var cb js.Func
	cb = js.FuncOf(func(_ js.Value, args []js.Value) any {
		cb.Release()
		f.page.Do(func() { done(args[0], args[1].String()) })
		return nil
	})
	browser.Glue("workspace").Invoke(append(append([]any{act}, args...), cb)...)
}

// LoadWorkspace implements judge.Device.
func (f *effects) LoadWorkspace(name string, done func(judge.Kept, string)) {
	f.kept(func(v js.Value, problem string) {
		if problem != "" {
			done(judge.Kept{}, problem)
			return
		}
		done(judge.Kept{Tab: v.Get("tab").String(), Fold: browser.Bytes(v.Get("fold")), Folded: v.Get("folded").Int(), Journal: browser.Bytes(v.Get("journal")),
			Last: v.Get("last").Int()}, "")
	}, "load", name)
}

// AppendEdits implements judge.Device.
func (f *effects) AppendEdits(name string, records []byte, done func(string)) {
	f.kept(func(_ js.Value, problem string) { done(problem) }, "append", name, browser.Array(records))
}

// FoldWorkspace implements judge.Device.
func (f *effects) FoldWorkspace(name string, fold []byte, folded, last int, done func(string)) {
	f.kept(func(_ js.Value, problem string) { done(problem) }, "fold", name, browser.Array(fold), folded, last)
}

// FollowWorkspaces implements judge.Device.
func (f *effects) FollowWorkspaces(heard func(name string, records []byte)) {
	cb := js.FuncOf(func(_ js.Value, args []js.Value) any { // as long as the page lives
		name, records := args[0].String(), browser.Bytes(args[1])
		f.page.Do(func() { heard(name, records) })
		return nil
	})
	f.kept(func(js.Value, string) {}, "follow", cb)
}
