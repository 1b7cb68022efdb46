//go:build js

package main

import (
	"errors"
	"syscall/js"
	"time"

	"github.com/syumai/workers/cloudflare"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// host is the worker's runtime. What several instances must know of each other is in its bindings: LIMITER (a Durable
// Object for each client), ANSWERS and SNAPSHOTS (KV). Without them every instance counts and remembers for itself.
type host struct {
	limiter, answers, snapshots js.Value
	rooms                       js.Value
	ledger                      gateway.Ledger
	memory                      gateway.Memory
	kept                        gateway.Memory
	direct                      *direct
	secrets                     map[string]string // they do not change while an instance lives
}

func newHost() *host {
	return &host{
		limiter: cloudflare.GetBinding("LIMITER"), answers: cloudflare.GetBinding("ANSWERS"),
		snapshots: cloudflare.GetBinding("SNAPSHOTS"),
		rooms:     cloudflare.GetBinding("ROOMS"),
		memory:    gateway.Memory{Limit: 16 << 20, Life: time.Hour},
		kept:      gateway.Memory{Limit: 32 << 20},
		secrets:   map[string]string{},
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

func (h *host) Now() time.Time { return h.direct.now }

func (h *host) Log(line []byte) { h.direct.log(line) }

// await waits for a promise, and looks at the clock again.
func (h *host) await(promise js.Value) (js.Value, error) {
	h.direct.busy--
	v, err := await(promise)
	h.direct.busy++
	h.direct.now = time.Now()
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

// Fetch implements gateway.Host.
func (h *host) Fetch(u *gateway.Upstream) (*gateway.Reply, error) { return h.direct.fetch(u) }

// bodyTime is how long a body may take to arrive.
var bodyTime = 10 * time.Second

// after is a promise that is kept, with undefined, after d. worker.mjs makes it: Go's runtime does not survive a
// callback within a call of an exported function.
func after(d time.Duration) js.Value {
	return js.Global().Get("context").Get("own").Call("after", d.Milliseconds())
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
