//go:build !first

package worker

import "strings"

// A key of a private edge lies on the shelf, where every tab finds it.
const keyShelf, keyName = "edge", "key"

// edgeKey goes with every request to the edge, "" for none.
var edgeKey string

// loadKey reads the key that this device saved.
func (e *Engine) loadKey() {
	if e.Device.Shelf == nil || e.beside.keyRead {
		return
	}
	e.beside.keyRead = true
	if b, err := e.Device.Shelf.Get(keyShelf, keyName); err == nil && len(b) <= 200 {
		edgeKey = string(b)
	}
}

// saveKey saves a key in place of the one before, or deletes that.
func (e *Engine) saveKey(text string) error {
	edgeKey, e.beside.keyRead = strings.TrimSpace(text), true
	switch {
	case e.Device.Shelf == nil:
		return nil
	case edgeKey == "":
		return e.Device.Shelf.Delete(keyShelf)
	}
	return e.Device.Shelf.Put(keyShelf, keyName, []byte(edgeKey))
}
