//go:build js && !first

package worker

import (
	"encoding/binary"
	"errors"
	"math"
	"syscall/js"

	"github.com/rankbox/rankbox/core/retrieve/encoder/neural"
	"github.com/rankbox/rankbox/wasm/internal/browser"
)

func init() {
	startNetwork = start
	networkBytes = func() (sent, unpacked int) {
		config, err := browser.Await(browser.Glue("networkBytes").Invoke())
		if err != nil {
			return 0, 0
		}
		return config.Index(0).Int(), config.Index(1).Int()
	}
}

// inWorker is a network in a worker of its own (site/js/network.js).
type inWorker struct{ handle js.Value }

func start(g graph, tell func(what string, done, total int), stop <-chan struct{}) (network, error) {
	handle, err := browser.Await(browser.Glue("network").Invoke())
	if err != nil {
		return nil, plainly(err)
	}
	told := js.FuncOf(func(_ js.Value, args []js.Value) any {
		tell(args[0].String(), args[1].Int(), args[2].Int())
		return nil
	})
	defer told.Release()
	source := js.Global().Get("Object").New()
	if g.file != 0 {
		file := browser.Glue("file").Invoke(g.file)
		if !file.Truthy() {
			return nil, errors.New("the page no longer has the file: choose it again")
		}
		source.Set("file", file)
	} else {
		source.Set("url", g.url)
		source.Set("bytes", g.bytes)
		source.Set("sum", g.sum)
		source.Set("kept", g.onThisSide)
	}
	loaded, end := make(chan struct{}), make(chan struct{})
	go func() {
		select {
		case <-stop:
			handle.Call("stop")
		case <-loaded:
		}
		close(end)
	}()
	_, err = browser.Await(handle.Call("load", source, told))
	close(loaded)
	<-end
	if err != nil {
		handle.Call("stop")
		return nil, plainly(err)
	}
	return &inWorker{handle}, nil
}

// plainly is what an error of the browser says, without the name of its kind.
func plainly(err error) error {
	var e js.Error
	if errors.As(err, &e) {
		if m := e.Value.Get("message"); m.Type() == js.TypeString {
			return errors.New(m.String())
		}
	}
	return err
}

// Run implements network.
func (n *inWorker) Run(ids []int64) (o neural.Output, err error) {
	list := make([]any, len(ids))
	for i, id := range ids {
		list[i] = int(id)
	}
	answer, err := browser.Await(n.handle.Call("run", list))
	if err != nil {
		return o, plainly(err)
	}
	o.Name = answer.Get("name").String()
	shape := answer.Get("shape")
	for i := range shape.Length() {
		o.Shape = append(o.Shape, shape.Index(i).Int())
	}
	data := browser.Bytes(answer.Get("data"))
	for ; len(data) >= 4; data = data[4:] {
		o.Data = append(o.Data, math.Float32frombits(binary.LittleEndian.Uint32(data)))
	}
	return o, nil
}

// Stop implements network.
func (n *inWorker) Stop() { n.handle.Call("stop") }
