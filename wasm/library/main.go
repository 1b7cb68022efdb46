//go:build js

// Command library is the core as the npm package rankbox has it, for Node and browsers. It is two programs, each
// fetched when it is first needed: with the build tag "search" it indexes, searches and explains; without, it
// measures and compares. index.js (scripts/npm) turns objects into the files that are read here and starts each with
// a global object of its own. Figures are those of the command line: the same readers, the same measures.
//
// Order of a call: bytes of files → intake or collection → compare or experiment → an object, or the report's JSON.
package main

import (
	"fmt"
	"syscall/js"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
)

func told(warnings []collection.Warning) []any {
	out := make([]any, len(warnings))
	for i, w := range collection.WorstFirst(warnings) {
		out[i] = w.String()
	}
	return out
}

func object() js.Value { return js.Global().Get("Object").New() }

// record returns an object of names and values, in their order.
func record(members ...any) js.Value {
	out := object()
	for i := 0; i < len(members); i += 2 {
		out.Set(members[i].(string), members[i+1])
	}
	return out
}

func nameOf(file js.Value) string { return file.Index(0).String() }

func bytesOf(file js.Value) []byte {
	b := make([]byte, file.Index(1).Length())
	js.CopyBytesToGo(b, file.Index(1))
	return b
}

func main() {
	prepare()
	library := js.Global().Get("rankbox")
	for name, f := range functions {
		library.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
			defer func() {
				if p := recover(); p != nil { // a panic would end the program, and every open index with it
					answer = js.Global().Get("Error").New(fmt.Sprintf("%s: internal error: %v", name, p))
				}
			}()
			v, err := f(args)
			if err != nil {
				// an exception that leaves Go would end the program: index.js throws it
				return js.Global().Get("Error").New(say.Told(err))
			}
			return v
		}))
	}
	library.Call("ready")
	select {}
}
