//go:build js

package app

import (
	"syscall/js"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/internal/browser"
	"github.com/rankbox/rankbox/wasm/internal/browser/page"
)

// effects carries out what the state asks for.
type effects struct {
	left bool // another program has taken the page over
	page *page.Page
	keeping
}

func (f *effects) Send(r message.Request) {
	if s, ok := r.Question.(interface{ Given() []message.File }); ok && len(s.Given()) == 0 && !r.Kind.OfRuns() {
		f.Enrich() // it is of no files, but for the program that reads them
	} else if ok {
		ids := js.Global().Get("Array").New()
		for _, file := range s.Given() {
			ids.Call("push", file.ID)
		}
		browser.Glue("sendFiles").Invoke(browser.Array(wire.Marshal(&r)), ids)
		return
	}
	send := "send"
	if r.Kind == message.Open {
		send = "sendOpen"
	}
	browser.Glue(send).Invoke(browser.Array(wire.Marshal(&r)))
}
func (f *effects) Enrich()  { browser.Glue("enrich").Invoke() }
func (f *effects) Restart() { browser.Glue("restart").Invoke() }
func (f *effects) Swap(to screens.Program) {
	browser.Glue("swap").Invoke(string(to))
}
func (f *effects) Address(path, fragment string, push bool) {
	browser.Glue("address").Invoke(path, fragment, push)
}
func (f *effects) Copy(text string, done func(bool)) {
	browser.Glue("copy").Invoke(text, f.once(done))
}

// once is a callback that is called once, with whether something went well.
func (f *effects) once(done func(bool)) js.Func {
	var cb js.Func
	cb = js.FuncOf(func(_ js.Value, args []js.Value) any {
		cb.Release()
		f.page.Do(func() { done(args[0].Bool()) })
		return nil
	})
	return cb
}
func (f *effects) Origin() string { return js.Global().Get("location").Get("origin").String() }
func (f *effects) After(ms int, run func()) func() {
	var cb js.Func
	over := false
	cb = js.FuncOf(func(js.Value, []js.Value) any {
		if !over {
			over = true
			cb.Release()
			f.page.Do(run)
		}
		return nil
	})
	id := js.Global().Call("setTimeout", cb, ms)
	return func() {
		if !over {
			over = true
			js.Global().Call("clearTimeout", id)
			cb.Release()
		}
	}
}
func (f *effects) Text(name, content string) message.File {
	return file(browser.Glue("textFile").Invoke(name, content))
}
func (f *effects) Save(name, kind string, content []byte) {
	browser.Glue("save").Invoke(name, kind, browser.Array(content))
}
func (f *effects) Picture(name, svg string, width, height int, done func(bool)) {
	browser.Glue("picture").Invoke(name, svg, width, height, f.once(done))
}

// Ask implements state.Worker.
func (f *effects) Ask() { browser.Glue("ask").Invoke() }

// Share implements state.Window.
func (f *effects) Share() float64 { return browser.Glue("share").Invoke().Float() }

func (f *effects) Remember(key, text string) { browser.Glue("remember").Invoke(key, text) }
func (f *effects) Day(ms int64) string {
	return js.Global().Get("Date").New(float64(ms)).Call("toLocaleDateString", "en-GB",
		map[string]any{"day": "numeric", "month": "long", "year": "numeric"}).String()
}
func (f *effects) Recall(key string) string { return browser.Glue("recall").Invoke(key).String() }
func (f *effects) Focus(id string)          { browser.Glue("focus").Invoke(id) }
func (f *effects) Render() {
	if !f.left {
		f.page.Draw()
	}
}

// Run is the page: it takes over what was rendered beforehand, or what another program has drawn, and never returns.
func Run() {
	fx := &effects{}
	fx.keeping.of(fx)
	location := js.Global().Get("location")
	config := browser.Glue("config")
	handed := browser.Glue("handed").Invoke().Bool()
	blob := browser.Bytes(browser.Glue("state").Invoke())
	path := location.Get("pathname").String()
	a, root := build(fx, func(id string) string { return config.Call("base", id).String() }, path)
	a.Version = config.Get("version").String()
	a.Settings.Default = config.Get("collection").String()
	a.Engine.Limit = browser.Glue("limit").Invoke().Int()
	if e := config.Get("encoder"); e.Truthy() {
		a.Encoder.File = message.EncoderFile{URL: e.Get("url").String(), Bytes: e.Get("bytes").Int(),
			Sum: e.Get("sha256").String()}
		a.Encoder.OnTheWay = e.Get("brotli").Int()
	}
	a.Engine.PageMemory = browser.Memory
	switch {
	case handed && state.HasWorker: // nobody hands a page over to a program without one
		if err := a.Resume(blob); err != nil {
			panic("app: take over: " + err.Error())
		}
	case len(blob) > 0:
		var before Snapshot
		if wire.Unmarshal(blob, &before) == nil {
			a.Engine.Opened, a.Figures.Report, a.Lessons = before.Opened, before.Report, before.Lessons
			a.Search.Differ = before.Differ
			a.Search.ShowExample(before.Example, before.Results, a.Settings.Screen != share.Search)
		}
	}
	fx.page = page.New(root)

	// the first drawing is the tree that is on the page; what the address asks for comes after it
	fx.page.Draw()
	if state.HasWorker {
		expose("onReply", fx.page, func(args []js.Value) {
			var r message.Reply
			if err := wire.Unmarshal(browser.Bytes(args[0]), &r); err == nil {
				a.Receive(r)
			}
		})
		browser.Expose("onAlive", func([]js.Value) { a.Engine.Alive() })
		expose("onSilent", fx.page, func(args []js.Value) { a.Notices.Silent(args[0].Int()) })
		expose("onDeath", fx.page, func(args []js.Value) { a.Died(args[0].String()) })
	}
	expose("onAddress", fx.page, func(args []js.Value) { a.Moved(args[0].String(), args[1].String(), args[2].Int()) })
	expose("onOnline", fx.page, func(args []js.Value) { a.Online(args[0].Bool()) })
	expose("onLoading", fx.page, func(args []js.Value) { a.Programs.Loading(args[0].Int(), args[1].Int()) })
	expose("onNotLoaded", fx.page, func(args []js.Value) { a.NotLoaded(args[0].String()) })
	browser.Answer("wanted", func() any { return a.Programs.Wanted() || a.Programs.Partial() })
	browser.Answer("handover", func() any {
		fx.left = true
		return browser.Array(a.Handover())
	})
	expose("onIdle", fx.page, func([]js.Value) { a.Encoder.Idle() })
	expose("onFiles", fx.page, func(args []js.Value) {
		var list []message.File
		for i := range args[0].Length() {
			list = append(list, file(args[0].Index(i)))
		}
		a.AddFiles(list)
	})
	fx.page.Do(func() {
		if handed && state.HasWorker {
			a.Arrive()
			return
		}
		a.View.Presenter = location.Get("search").String() == "?presenter"
		a.Begin(path, location.Get("hash").String())
	})
	browser.Glue("ready").Invoke()
	browser.Keep()
}

func file(v js.Value) message.File {
	f := message.File{ID: v.Get("id").Int(), Name: v.Get("name").String(), Size: v.Get("size").Int()}
	if at := v.Get("modified"); at.Type() == js.TypeNumber { // a page of an earlier version handed over files without
		f.Modified = at.Int()
	}
	return f
}

func expose(name string, p *page.Page, f func(args []js.Value)) {
	browser.Expose(name, func(args []js.Value) { p.Do(func() { f(args) }) })
}
