//go:build !first

package worker

import (
	"syscall/js"

	"github.com/rankbox/rankbox/core/collection/identity"
	docs "github.com/rankbox/rankbox/core/project/documents"
)

// The browser decodes charsets and composes letters: its tables are no part of the program.
func init() {
	docs.Charset = func(label string, b []byte) (text []byte, ok bool) {
		defer func() {
			if recover() != nil { // a label that the browser does not know
				text, ok = nil, false
			}
		}()
		bytes := js.Global().Get("Uint8Array").New(len(b))
		js.CopyBytesToJS(bytes, b)
		return []byte(js.Global().Get("TextDecoder").New(label).Call("decode", bytes).String()), true
	}
	normalize := js.Global().Get("String").Get("prototype").Get("normalize")
	identity.Normal = func(s string) string {
		for i := range len(s) {
			if s[i] >= 0x80 {
				return normalize.Call("call", s, "NFC").String()
			}
		}
		return s
	}
}
