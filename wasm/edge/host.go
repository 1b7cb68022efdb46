//go:build js

package main

import (
	"errors"
	"net/http"
	"net/url"
	"syscall/js"
	"time"

	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/fetch"

	"github.com/rankbox/rankbox/core/gateway"
)

// host is the worker's runtime. What several instances must know of each other is in its bindings: LIMITER (a Durable Object for each
// client), ANSWERS and SNAPSHOTS (KV). Without them every instance counts and remembers for itself.
type host struct {
	limiter, answers, snapshots js.Value
	rooms                       js.Value
	ledger                      gateway.Ledger
	memory                      gateway.Memory
	kept                        gateway.Memory
	direct                      *direct           // nil in the library's own form
	secrets                     map[string]string // they do not change while an instance lives
}

func newHost() *host {
	return &host{
		limiter: cloudflare.GetBinding("LIMITER"), answers: cloudflare.GetBinding("ANSWERS"), snapshots: cloudflare.GetBinding("SNAPSHOTS"),
		rooms:   cloudflare.GetBinding("ROOMS"),
		memory:  gateway.Memory{Limit: 16 << 20, Life: time.Hour},
		kept:    gateway.Memory{Limit: 32 << 20},
		secrets: map[string]string{},
	}
}

// Shares implements gateway.Sharing: what a binding holds is the same for all instances.
func (h *host) Shares(p gateway.Part) bool {
	switch p {
	case gateway.Budgets:
		return !h.limiter.IsUndefined()
	case gateway.StoredAnswers:
		return !h.answers.IsUndefined()
	case gateway.KeptSnapshots:
		return !h.snapshots.IsUndefined()
	case gateway.OpenRooms:
		return !h.rooms.IsUndefined()
	}
	return false
}

func (h *host) Wait(d time.Duration) { h.await(after(d)) }

func (h *host) Now() time.Time {
	if h.direct != nil {
		return h.direct.now
	}
	return time.Now()
}

func (h *host) Log(line []byte) {
	if h.direct != nil {
		h.direct.log(line)
		return
	}
	console.Call("log", string(line))
}

// await waits for a promise, and looks at the clock again.
func (h *host) await(promise js.Value) (js.Value, error) {
	v, err := await(promise)
	if h.direct != nil {
		h.direct.now = time.Now()
	}
	return v, err
}

var (
	console    = js.Global().Get("console")
	uint8Array = js.Global().Get("Uint8Array")
)

// Secret returns a secret.
func (h *host) Secret(name string) string {
	s, known := h.secrets[name]
	if !known {
		s = variable(name)
		h.secrets[name] = s
	}
	return s
}

// Spend asks the client's own Durable Object, which all instances of the worker share.
func (h *host) Spend(client string, units int, first bool, l *gateway.Limits) (time.Duration, gateway.Refusal) {
	if h.limiter.IsUndefined() {
		return h.ledger.Spend(client, units, first, h.Now(), l)
	}
	stub := h.limiter.Call("get", h.limiter.Call("idFromName", client))
	v, err := h.await(stub.Call("take", units, first, l.PerMinute, l.PerDay))
	if err != nil { // better open for a while, on this instance's own count, than closed to everybody
		return h.ledger.Spend(client, units, first, h.Now(), l)
	}
	return time.Duration(v.Get("wait").Float() * float64(time.Millisecond)), gateway.Refusal(v.Get("why").String())
}

func (h *host) Recall(kind gateway.Kept, key string) ([]byte, bool) {
	memory, kv := &h.memory, h.answers
	if kind == gateway.Snapshots {
		memory, kv = &h.kept, h.snapshots
	}
	if b, ok := memory.Get(key, h.Now()); ok {
		return b, true
	}
	if kv.IsUndefined() {
		return nil, false
	}
	v, err := h.await(kv.Call("get", key, "arrayBuffer"))
	if err != nil || v.IsNull() {
		return nil, false
	}
	b := goBytes(v)
	memory.Put(key, b, h.Now())
	return b, true
}

func (h *host) Remember(kind gateway.Kept, key string, value []byte) error {
	if kind == gateway.Answers {
		h.memory.Put(key, value, h.Now())
		if h.answers.IsUndefined() {
			return nil
		}
		_, err := h.await(h.answers.Call("put", key, bytes(value), map[string]any{"expirationTtl": 86400}))
		return err
	}
	if h.snapshots.IsUndefined() {
		h.kept.Put(key, value, h.Now())
		return nil
	}
	_, err := h.await(h.snapshots.Call("put", key, bytes(value)))
	return err
}

// Fetch sends with the library's fetch. That takes neither the request's deadline nor a body with a length, so both are set where it calls
// the runtime's: it calls fetch of the namespace that it is given.
func (h *host) Fetch(u *gateway.Upstream) (*gateway.Reply, error) {
	if h.direct != nil {
		return h.direct.fetch(u)
	}
	at, err := url.Parse(u.URL)
	if err != nil {
		return nil, gateway.CutOff
	}
	req := &fetch.Request{Request: &http.Request{Method: "POST", URL: at, Header: http.Header{}}}
	if u.Body == nil {
		req.Method = "GET"
	}
	for _, x := range u.Headers {
		req.Header.Set(x[0], x[1])
	}
	timer := js.Global().Get("AbortSignal").Call("timeout", u.Timeout.Milliseconds())
	send := js.FuncOf(func(_ js.Value, args []js.Value) (promise any) {
		defer func() {
			if recover() != nil {
				promise = js.Global().Get("Promise").Call("reject", "fetch")
			}
		}()
		init := args[1]
		init.Set("signal", timer)
		if u.Body != nil {
			init.Set("body", bytes(u.Body))
		}
		return js.Global().Get("fetch").Invoke(args[0], init) // called with another this, it refuses
	})
	defer send.Release()
	res, err := fetch.NewClient(fetch.WithBinding(js.ValueOf(map[string]any{"fetch": send}))).Do(req, &fetch.RequestInit{Redirect: fetch.RedirectModeManual})
	if err != nil {
		if timer.Get("aborted").Bool() {
			return nil, gateway.TimedOut
		}
		return nil, gateway.Unreachable
	}
	length := res.ContentLength
	if res.Header.Get("Content-Length") == "" {
		length = -1
	}
	from := stream(res.Body)
	b, err := read(from, length, u.Limit, js.Undefined())
	if err != nil {
		cancel(from)
	}
	switch {
	case timer.Get("aborted").Bool():
		return nil, gateway.TimedOut
	case err == gateway.ErrTooLarge:
		return nil, gateway.CutOff
	case err != nil:
		return nil, gateway.Dropped
	}
	return &gateway.Reply{Status: res.StatusCode, Body: b, RetryAfter: res.Header.Get("Retry-After")}, nil
}

// bodyTime is how long a body may take to arrive.
var bodyTime = 10 * time.Second

// incoming is what a client sends.
type incoming struct {
	from   js.Value
	length int64
	done   bool // nothing of it is left
}

func (in *incoming) read(limit int) ([]byte, error) {
	b, err := read(in.from, in.length, limit, after(bodyTime))
	in.done = err == nil
	return b, err
}

// drain reads what is left, within bounds: where a body is not read the runtime closes the connection, and the client may miss the answer.
func (in *incoming) drain() {
	if in.done || in.from.IsNull() || in.from.Get("locked").Bool() {
		return
	}
	end := after(time.Second)
	reader := in.from.Call("getReader")
	for n := 0; n < 8<<20; {
		v, err := await(js.Global().Get("Promise").Call("race", []any{reader.Call("read"), end}))
		if err != nil || v.IsUndefined() || v.Get("done").Bool() {
			return
		}
		n += v.Get("value").Get("byteLength").Int()
	}
}

// stream returns the runtime's stream behind a body of the library, null where there is none.
func stream(body any) js.Value {
	if b, ok := body.(interface{ GetRawJSBody() js.Value }); ok {
		return b.GetRawJSBody()
	}
	return js.Null()
}

var errLate = errors.New("edge: the body took too long")

// read reads a stream of at most limit bytes; end is a promise that ends it, or undefined.
func read(from js.Value, length int64, limit int, end js.Value) ([]byte, error) {
	if from.IsNull() || from.IsUndefined() {
		return nil, nil
	}
	reader := from.Call("getReader")
	var out []byte
	if length > 0 && length <= int64(limit) {
		out = make([]byte, 0, length)
	}
	for {
		next := reader.Call("read")
		if !end.IsUndefined() {
			next = js.Global().Get("Promise").Call("race", []any{next, end})
		}
		v, err := await(next)
		switch {
		case err != nil:
			return nil, err
		case v.IsUndefined(): // a read is under way, so the stream stays locked
			return nil, errLate
		case v.Get("done").Bool():
			return out, nil
		}
		chunk := v.Get("value")
		n := chunk.Get("byteLength").Int()
		if len(out)+n > limit {
			reader.Call("releaseLock")
			return nil, gateway.ErrTooLarge // the caller reads on, or gives the rest up
		}
		at := len(out)
		out = append(out, make([]byte, n)...)
		js.CopyBytesToGo(out[at:], chunk)
	}
}

// cancel gives the rest of a stream up; what that fails with is nobody's.
func cancel(from js.Value) {
	if !from.IsNull() && !from.Get("locked").Bool() {
		from.Call("cancel").Call("catch", ignore)
	}
}

var ignore = js.FuncOf(func(js.Value, []js.Value) any { return nil })

// after is a promise that is kept, with undefined, after d.
func after(d time.Duration) js.Value {
	start := js.FuncOf(func(_ js.Value, args []js.Value) any {
		js.Global().Get("setTimeout").Invoke(args[0], d.Milliseconds())
		return nil
	})
	defer start.Release()
	return js.Global().Get("Promise").New(start)
}

var errPromise = errors.New("edge: a promise was broken")

// await waits for a promise in the request in which it was made.
func await(promise js.Value) (js.Value, error) {
	done := make(chan js.Value, 1)
	failed := make(chan struct{}, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		v := js.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		done <- v
		return nil
	})
	catch := js.FuncOf(func(js.Value, []js.Value) any {
		failed <- struct{}{}
		return nil
	})
	defer then.Release()
	defer catch.Release()
	promise.Call("then", then, catch)
	select {
	case v := <-done:
		return v, nil
	case <-failed:
		return js.Undefined(), errPromise
	}
}

// bytes is a Uint8Array of the runtime's own, with a copy.
func bytes(b []byte) js.Value {
	a := uint8Array.New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

func goBytes(buffer js.Value) []byte {
	a := uint8Array.New(buffer)
	b := make([]byte, a.Length())
	js.CopyBytesToGo(b, a)
	return b
}
