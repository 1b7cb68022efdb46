//go:build js

package worker

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/internal/browser"
	"github.com/rankbox/rankbox/wasm/kernel"
)

// Run is the worker: it answers messages and never returns. Requests wait in line; one that a newer request of the same
// kind has made superfluous is left out.
func Run() {
	kernel.Install()
	e := NewEngine(fetch, func() float64 {
		return 1000 * js.Global().Get("performance").Call("now").Float()
	}, func(r message.Reply) {
		r.Memory = browser.Memory()
		browser.Glue("reply").Invoke(browser.Array(wire.Marshal(&r)))
	})
	var waiting line
	came := make(chan struct{}, 1) // a callback must not wait: it would stop everything
	wake := func() {
		select {
		case came <- struct{}{}:
		default:
		}
	}
	e.page.wake = wake
	js.Global().Get("rankbox").Set("onMessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var r message.Request
		if err := wire.Unmarshal(browser.Bytes(args[0]), &r); err != nil {
			if r.Kind.Answer() == nil { // a question of the richer program, which is asked again there
				e.page.reply(message.Reply{ID: r.ID, Kind: r.Kind, Beyond: true})
				return nil
			}
			panic("worker: " + err.Error())
		}
		waiting.put(r)
		wake()
		return nil
	}))
	e.Device.Files = func(id int) (io.Reader, error) {
		file := browser.Glue("file").Invoke(id)
		if !file.Truthy() {
			return nil, errors.New("the page no longer has this file: drop it again")
		}
		return browser.NewBlob(file), nil
	}
	e.Device.Shelf = newShelf()
	e.page.alive = func() { browser.Glue("alive").Invoke() }
	e.page.pause = func() { browser.Await(browser.Glue("pause").Invoke()) }
	e.page.outdated = func(r message.Request) bool { return superfluous(r, waiting.newest) }
	e.page.turn = func() (message.Request, bool) { return waiting.takeOf(quick) }
	browser.Glue("ready").Invoke()
	for {
		for r, ok := waiting.take(); ok; r, ok = waiting.take() {
			browser.Glue("working").Invoke(true)
			e.Handle(r)
			browser.Glue("working").Invoke(false)
		}
		if e.Step() {
			e.page.pause()
		} else {
			<-came
		}
	}
}

// fetch reads a file as a stream. A server that sends nothing for half a minute, or nothing of a manifest for eight
// seconds, has failed (fetch in site/js/worker.js); how slow it is otherwise is no matter.
func fetch(url string, progress func(done int)) ([]byte, error) {
	response, err := browser.Await(browser.Glue("fetch").Invoke(url))
	if err != nil && strings.HasPrefix(url, shelfPath) {
		return nil, errors.New("the collection is not on this device, or no longer: upload its files again")
	}
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
