//go:build !first

package worker

import "strings"

// A key of a private edge lies on the shelf, where every tab finds it.
const keyShelf, keyName = "edge", "key"

// edgeKey goes with every request to the edge, "" for none.
var edgeKey string

// savedKey is the key that this device saved.
type savedKey struct {
	looked bool // for it
	device *Device
}

// load reads the key, once.
func (k *savedKey) load() {
	if k.device.Shelf == nil || k.looked {
		return
	}
	k.looked = true
	if data, err := k.device.Shelf.Get(keyShelf, keyName); err == nil && len(data) <= 200 {
		edgeKey = string(data)
	}
}

// save saves a key in place of the one before, or deletes that.
func (k *savedKey) save(text string) error {
	edgeKey, k.looked = strings.TrimSpace(text), true
	switch {
	case k.device.Shelf == nil:
		return nil
	case edgeKey == "":
		return k.device.Shelf.Delete(keyShelf)
	}
	return k.device.Shelf.Put(keyShelf, keyName, []byte(edgeKey))
}
