//go:build js && !first

package worker

import (
	"fmt"
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/wasm/internal/browser"
)

// cached is a Shelf in the browser's Cache Storage: answers to addresses below shelfPath that no server is ever asked for: fetch reads them there.
type cached struct{}

// newShelf returns the shelf, nil where the browser has none.
func newShelf() Shelf {
	if !js.Global().Get("caches").Truthy() {
		return nil
	}
	return cached{}
}

func openShelf() (js.Value, error) {
	return browser.Await(browser.Glue("shelf").Invoke())
}

func (cached) Put(id, name string, data []byte) error {
	c, err := openShelf()
	if err != nil {
		return err
	}
	_, err = browser.Await(c.Call("put", shelfPath+id+"/"+name, js.Global().Get("Response").New(browser.Array(data).Call("slice"))))
	return err
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
	for _, name := range append([]string{"manifest.json"}, ids[id]...) { // the manifest first: without it there is no collection
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
	if e, err := browser.Await(storage.Call("estimate")); err == nil {
		used, quota = e.Get("usage").Float(), e.Get("quota").Float()
	}
	if p, err := browser.Await(storage.Call("persisted")); err == nil {
		stays = p.Truthy()
	}
	return used, quota, stays
}
