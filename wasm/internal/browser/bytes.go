//go:build js

package browser

import "syscall/js"

// NewArray returns a Uint8Array of n zeros.
func NewArray(n int) js.Value { return bytes.New(n) }

// Bytes copies a Uint8Array.
func Bytes(v js.Value) []byte {
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// Array copies b into a new Uint8Array.
func Array(b []byte) js.Value {
	a := bytes.New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

// Await waits for a promise. An event handler must not call it: it would block the thread that settles the promise.
func Await(promise js.Value) (js.Value, error) {
	type result struct {
		v   js.Value
		err error
	}
	ch := make(chan result, 1)
	ok := js.FuncOf(func(_ js.Value, args []js.Value) any {
		v := js.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		ch <- result{v: v}
		return nil
	})
	bad := js.FuncOf(func(_ js.Value, args []js.Value) any {
		ch <- result{err: js.Error{Value: args[0]}}
		return nil
	})
	defer ok.Release()
	defer bad.Release()
	promise.Call("then", ok, bad)
	r := <-ch
	return r.v, r.err
}

// Memory returns the memory of this program in bytes.
func Memory() float64 { return Glue("memory").Invoke().Float() }

// Keep blocks for ever, because the program must live as long as the page.
func Keep() { select {} }
