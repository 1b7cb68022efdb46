//go:build js

// Package browser is the Go side of the browser: bytes, promises, files, and the object globalThis.rankbox that Go
// and the JavaScript of site/js share. Besides the mains and package page, only it touches the browser.
package browser

import "syscall/js"

var (
	glue  = js.Global().Get("rankbox")
	bytes = js.Global().Get("Uint8Array")
)

// Glue returns a member of the shared object.
func Glue(name string) js.Value { return glue.Get(name) }

// Expose adds f to the shared object, for JavaScript to call.
func Expose(name string, f func(args []js.Value)) {
	glue.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args)
		return nil
	}))
}

// Answer adds f to the shared object; JavaScript gets its result.
func Answer(name string, f func() any) {
	glue.Set(name, js.FuncOf(func(js.Value, []js.Value) any { return f() }))
}
