//go:build js

package worker

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/internal/browser"
	"github.com/rankbox/rankbox/wasm/kernel"
)

// Run is the worker: it answers messages and never returns. Requests wait in line; one that a newer request of the same kind
// has made superfluous is left out.
func Run() {
	kernel.Install()
	e := NewEngine(fetch, func() float64 { return 1000 * js.Global().Get("performance").Call("now").Float() }, func(r message.Reply) {
		r.Memory = browser.Memory()
		browser.Glue("reply").Invoke(browser.Array(wire.Marshal(&r)))
	})
	var waiting line
	came := make(chan struct{}, 1) // a callback must not wait: it would stop everything
	js.Global().Get("rankbox").Set("onMessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var r message.Request
		if err := wire.Unmarshal(browser.Bytes(args[0]), &r); err != nil {
			panic("worker: " + err.Error())
		}
		waiting.put(r)
		select {
		case came <- struct{}{}:
		default:
		}
		return nil
	}))
	e.Files = func(id int) (io.Reader, error) {
		file := browser.Glue("file").Invoke(id)
		if !file.Truthy() {
			return nil, errors.New("the page no longer has this file: drop it again")
		}
		return browser.NewBlob(file), nil
	}
	e.Shelf = newShelf()
	e.Pause = func() { browser.Await(browser.Glue("pause").Invoke()) }
	e.Outdated = func(r message.Request) bool { return superfluous(r, waiting.newest) }
	e.Turn = func() (message.Request, bool) { return waiting.takeOf(quick) }
	browser.Glue("ready").Invoke()
	for range came {
		for r, ok := waiting.take(); ok; r, ok = waiting.take() {
			browser.Glue("working").Invoke(true)
			e.Handle(r)
			browser.Glue("working").Invoke(false)
		}
	}
}

// Collections that were made of somebody's files are answers in the browser's Cache Storage, to addresses that no server is asked for.
const (
	shelfName = "uploads of Rankbox"
	shelfPath = "/uploads/"
)

// fetch reads a file as a stream, or what is kept on this device. A server that sends nothing for half a minute has failed (fetch in
// site/js/worker.js); how slow it is otherwise is no matter.
func fetch(url string, progress func(done int)) ([]byte, error) {
	if strings.HasPrefix(url, shelfPath) {
		data, err := kept(url)
		progress(len(data))
		return data, err
	}
	response, err := browser.Await(browser.Glue("fetch").Invoke(url))
	if err != nil {
		return nil, fmt.Errorf("%s could not be fetched (%v): is the network there?", url, err)
	}
	if !response.Get("ok").Bool() {
		return nil, fmt.Errorf("%s: the server answered %d", url, response.Get("status").Int())
	}
	var out []byte
	for {
		part, err := browser.Await(response.Call("read"))
		if err != nil {
			return nil, fmt.Errorf("%s broke off after %d bytes: %v", url, len(out), err)
		}
		if part.Get("done").Bool() {
			return out, nil
		}
		out = append(out, browser.Bytes(part.Get("value"))...)
		progress(len(out))
	}
}

// kept reads a file that is kept on this device.
func kept(url string) ([]byte, error) {
	caches := js.Global().Get("caches")
	if !caches.Truthy() {
		return nil, errors.New("this browser keeps nothing for pages here (a private window, or a page without https)")
	}
	c, err := browser.Await(caches.Call("open", shelfName))
	if err != nil {
		return nil, fmt.Errorf("what is kept on this device cannot be read: %w", err)
	}
	answer, err := browser.Await(c.Call("match", url))
	if err == nil && !answer.Truthy() {
		return nil, errors.New("the collection is not on this device, or no longer: upload its files again")
	}
	var data js.Value
	if err == nil {
		data, err = browser.Await(answer.Call("arrayBuffer"))
	}
	if err != nil {
		return nil, fmt.Errorf("the collection on this device cannot be read (%w): upload its files again", err)
	}
	return browser.Bytes(js.Global().Get("Uint8Array").New(data)), nil
}
