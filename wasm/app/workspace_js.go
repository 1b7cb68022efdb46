//go:build js && !first

package app

import (
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/wasm/app/state/judge"
	"github.com/rankbox/rankbox/wasm/app/state/upload"
	"github.com/rankbox/rankbox/wasm/internal/browser"
)

var (
	_ judge.Device         = (*effects)(nil)
	_ upload.SiteMaker     = (*effects)(nil)
	_ upload.OfflineKeeper = (*effects)(nil)
)

// kept asks the script that keeps workspaces, and calls done with its answer or what went wrong.
func kept(f *effects, done func(answer js.Value, problem string), act string, args ...any) {
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
	kept(f, func(v js.Value, problem string) {
		if problem != "" {
			done(judge.Kept{}, problem)
			return
		}
		done(judge.Kept{Tab: v.Get("tab").String(), Fold: browser.Bytes(v.Get("fold")), Folded: v.Get("folded").Int(),
			Journal: browser.Bytes(v.Get("journal")),
			Last:    v.Get("last").Int()}, "")
	}, "load", name)
}

// AppendEdits implements judge.Device.
func (f *effects) AppendEdits(name string, records []byte, done func(string)) {
	kept(f, func(_ js.Value, problem string) { done(problem) }, "append", name, browser.Array(records))
}

// FoldWorkspace implements judge.Device.
func (f *effects) FoldWorkspace(name string, fold []byte, folded, last int, done func(string)) {
	kept(f, func(_ js.Value, problem string) { done(problem) }, "fold", name, browser.Array(fold), folded, last)
}

// FollowWorkspaces implements judge.Device.
func (f *effects) FollowWorkspaces(heard func(name string, records []byte)) {
	cb := js.FuncOf(func(_ js.Value, args []js.Value) any { // as long as the page lives
		name, records := args[0].String(), browser.Bytes(args[1])
		f.page.Do(func() { heard(name, records) })
		return nil
	})
	kept(f, func(js.Value, string) {}, "follow", cb)
}

// CopyWorkspace implements judge.Device.
func (f *effects) CopyWorkspace(name string, fold []byte, done func(string)) {
	kept(f, func(_ js.Value, problem string) { done(problem) }, "copy", name, browser.Array(fold))
}

// WorkspaceCopies implements judge.Device.
func (f *effects) WorkspaceCopies(name string, done func([][]byte, string)) {
	kept(f, func(v js.Value, problem string) {
		var folds [][]byte
		if problem == "" {
			for i := range v.Length() {
				folds = append(folds, browser.Bytes(v.Index(i)))
			}
		}
		done(folds, problem)
	}, "copied", name)
}

// EraseWorkspace implements judge.Device.
func (f *effects) EraseWorkspace(name string, done func(string)) {
	kept(f, func(_ js.Value, problem string) { done(problem) }, "erase", name)
}

// Site implements upload.SiteMaker by site/js/publish.js.
func (f *effects) Site(act upload.SiteAct, done func(bytes int, problem string)) {
	told := js.FuncOf(func(_ js.Value, args []js.Value) any {
		n := args[0].Int()
		f.page.Do(func() { act.Tell(n) })
		return nil
	})
	kept(f, func(v js.Value, problem string) {
		told.Release()
		n := 0
		if problem == "" && v.Type() == js.TypeNumber {
			n = v.Int()
		}
		done(n, problem)
	}, act.Do, act.Collection, act.Name, act.File, browser.Array(act.Workspace), browser.Array(act.Gallery), told)
}

// keeping keeps collections of the site for use offline.
type keeping struct{ f *effects }

func (k *keeping) of(f *effects) { k.f = f }

// Offline implements upload.OfflineKeeper by site/js/offline.js.
func (k *keeping) Offline(act upload.OfflineAct, done func(kept []string, problem string)) {
	told := js.FuncOf(func(_ js.Value, args []js.Value) any {
		n, total := args[0].Int(), args[1].Int()
		k.f.page.Do(func() { act.Tell(n, total) })
		return nil
	})
	kept(k.f, func(v js.Value, problem string) {
		told.Release()
		if problem != "" {
			done(nil, problem)
			return
		}
		done(strings.Fields(v.String()), "")
	}, "offline", act.Do, act.Collection, told)
}
