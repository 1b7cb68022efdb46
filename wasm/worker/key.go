//go:build !first

package worker

import "strings"

// A key of a private edge lies on the shelf, where every tab finds it.
const keyShelf, keyName = "edge", "key"

// edgeKey goes with every request to the edge, "" for none.
var edgeKey string

// loadKey reads the key that this device saved.
func (b *backends) loadKey() {
	if b.device.Shelf == nil || b.keyRead {
		return
	}
	b.keyRead = true
	if data, err := b.device.Shelf.Get(keyShelf, keyName); err == nil && len(data) <= 200 {
		edgeKey = string(data)
	}
}

// saveKey saves a key in place of the one before, or deletes that.
func (b *backends) saveKey(text string) error {
	edgeKey, b.keyRead = strings.TrimSpace(text), true
	switch {
	case b.device.Shelf == nil:
		return nil
	case edgeKey == "":
		return b.device.Shelf.Delete(keyShelf)
	}
	return b.device.Shelf.Put(keyShelf, keyName, []byte(edgeKey))
}
