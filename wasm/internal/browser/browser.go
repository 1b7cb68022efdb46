//go:build js

// Package browser is the only place that touches the browser, besides the mains and package page below it: bytes,
// promises, files, and the object globalThis.rankbox, in which Go meets the JavaScript of site/js.
package browser

import "syscall/js"

var (
	glue  = js.Global().Get("rankbox")
	bytes = js.Global().Get("Uint8Array")
)

// Glue returns a member of the object that JavaScript and Go share.
func Glue(name string) js.Value { return glue.Get(name) }

// Expose makes f a member of that object, for JavaScript to call.
func Expose(name string, f func(args []js.Value)) {
	glue.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args)
		return nil
	}))
}

// Answer makes f a member of that object, whose result JavaScript gets.
func Answer(name string, f func() any) {
	glue.Set(name, js.FuncOf(func(js.Value, []js.Value) any { return f() }))
}
