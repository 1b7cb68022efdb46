//go:build js && !first

package worker

import (
	"errors"
	"fmt"
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/wasm/internal/browser"
)

// cached is a Shelf in the browser's Cache Storage: answers to addresses below shelfPath that no server is ever asked
// for: fetch reads them there.
type cached struct{}

// newShelf returns the shelf. A browser that keeps nothing says so at every Put.
func newShelf() Shelf { return cached{} }

// errKeepsNothing is that of a browser which keeps nothing for pages.
var errKeepsNothing = errors.New("this browser keeps nothing for pages here: a private window, or a page without https")

func openShelf() (js.Value, error) {
	if !js.Global().Get("caches").Truthy() {
		return js.Value{}, errKeepsNothing
	}
	return browser.Await(browser.Glue("shelf").Invoke())
}

func (cached) Put(id, name string, data []byte) error {
	c, err := openShelf()
	if err != nil {
		return err
	}
	return put(c, id, name, js.Global().Get("Response").New(browser.Array(data)))
}

// errFull stands for the many words in which browsers report a full disk, "Entry already exists" among them. The room
// that they grant says nothing of it.
var errFull = errors.New("the disk is full, or the room that the browser has for this site")

// put keeps an answer.
func put(c js.Value, id, name string, answer js.Value) error {
	_, err := browser.Await(c.Call("put", shelfPath+id+"/"+name, answer))
	var e js.Error
	if errors.As(err, &e) {
		switch e.Value.Get("name").String() {
		case "QuotaExceededError", "UnknownError", "InvalidAccessError", "InvalidStateError", "NotReadableError":
			return errFull
		}
	}
	return err
}

// Hold implements Shelf.
func (cached) Hold(id, name string, data []byte) {
	browser.Glue("hold").Invoke(shelfPath+id+"/"+name, browser.Array(data))
}

// PutFile implements keeper: the browser copies the file, and this program sees none of it.
func (cached) PutFile(id, name string, file int) error {
	c, err := openShelf()
	if err != nil {
		return err
	}
	f := browser.Glue("file").Invoke(file)
	if !f.Truthy() {
		return errors.New("the page no longer has the file: choose it again")
	}
	return put(c, id, name, js.Global().Get("Response").New(f))
}

// PutURL implements keeper.
func (cached) PutURL(id, name, url string) error {
	c, err := openShelf()
	if err != nil {
		return err
	}
	options := js.Global().Get("Object").New()
	options.Set("cache", "no-store")
	answer, err := browser.Await(js.Global().Call("fetch", url, options))
	if err != nil {
		return err
	}
	if !answer.Get("ok").Bool() {
		return fmt.Errorf("the server answered %d", answer.Get("status").Int())
	}
	return put(c, id, name, answer)
}

func (cached) List() (map[string][]string, error) {
	out := map[string][]string{}
	c, err := openShelf()
	if err != nil {
		return nil, err
	}
	keys, err := browser.Await(c.Call("keys"))
	if err != nil {
		return nil, err
	}
	for i := range keys.Length() {
		url := keys.Index(i).Get("url").String()
		if _, rest, ok := strings.Cut(url, shelfPath); ok {
			if id, name, ok := strings.Cut(rest, "/"); ok {
				out[id] = append(out[id], name)
			}
		}
	}
	return out, nil
}

func (cached) Get(id, name string) ([]byte, error) {
	return fetch(shelfPath+id+"/"+name, func(int) {})
}

func (s cached) Delete(id string) error {
	ids, err := s.List()
	if err != nil {
		return err
	}
	c, err := openShelf()
	if err != nil {
		return err
	}
	// the manifest first: without it there is no collection
	for _, name := range append([]string{"manifest.json"}, ids[id]...) {
		if _, err := browser.Await(c.Call("delete", shelfPath+id+"/"+name)); err != nil {
			return fmt.Errorf("%s of %s: %w", name, id, err)
		}
	}
	return nil
}

func (cached) Room() (used, quota float64, stays bool) {
	storage := js.Global().Get("navigator").Get("storage")
	if !storage.Truthy() {
		return 0, 0, false
	}
	if !storage.Get("estimate").Truthy() || !storage.Get("persisted").Truthy() { // Safari before 17
		return 0, 0, false
	}
	if e, err := browser.Await(storage.Call("estimate")); err == nil {
		used, quota = e.Get("usage").Float(), e.Get("quota").Float()
	}
	if p, err := browser.Await(storage.Call("persisted")); err == nil {
		stays = p.Truthy()
	}
	return used, quota, stays
}
