//go:build !first

package worker

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	docs "github.com/rankbox/rankbox/core/project/documents"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

func toDevice(e *Engine) *Device { return &e.Device }

// whole reads a file that was given to the page.
func (d *Device) whole(f message.File, limit int64) ([]byte, error) {
	source, err := d.source(f.ID)
	if err != nil {
		return nil, err
	}
	if c, ok := source.(io.Closer); ok {
		defer c.Close()
	}
	return within.All(source, int64(f.Size), limit)
}

// head returns the beginning of a file, without its compression.
func (d *Device) head(f message.File) ([]byte, error) {
	source, err := d.source(f.ID)
	if err != nil {
		return nil, err
	}
	plain, err := collection.Unpack(f.Name, source, collection.Options{})
	if err != nil {
		return nil, err
	}
	return within.All(io.LimitReader(plain, docs.HeadBytes), int64(min(f.Size, docs.HeadBytes)), docs.HeadBytes)
}

// isMapping says whether a file is one of a mapping, which makes no document.
func (d *Device) isMapping(f message.File) bool {
	if f.Size > docs.MaxMapping || !strings.EqualFold(path.Ext(f.Name), ".json") {
		return false
	}
	head, err := d.head(f)
	return err == nil && docs.IsMapping(head)
}

// ordinary reads a file that is no format of a test collection. mapped, if it is not nil, says how its columns are used.
func (d *Device) ordinary(f message.File, mapped *message.FileMapping, limit int64, stopped func() bool) (*docs.Read,
	error) {
	source, err := d.source(f.ID)
	if err != nil {
		return nil, err
	}
	plain, err := collection.Unpack(f.Name, watch(source, func(int) error {
		if stopped() {
			return errStopped
		}
		return nil
	}), collection.Options{Limits: collection.Limits{Bytes: limit}})
	if err != nil {
		return nil, err
	}
	b, err := within.All(plain, int64(f.Size), limit)
	if err != nil {
		return nil, err
	}
	if mapped != nil {
		if m := mappingOf(mapped.Used); m != nil {
			return docs.Mapped(f.Name, b, m, docs.Limits{Bytes: limit})
		}
	}
	return docs.File(f.Name, b, docs.RoleOf(f.Name), false, docs.Limits{Bytes: limit})
}

// keptManifest returns the manifest of a collection that is kept.
func (d *Device) keptManifest(id string) (*bundle.Manifest, error) {
	if d.Shelf == nil {
		return nil, errors.New("nothing is kept here")
	}
	ids, err := d.Shelf.List()
	if err != nil {
		return nil, err
	}
	return d.manifestIn(ids, id)
}

// manifestIn is keptManifest for several collections of one list.
func (d *Device) manifestIn(ids map[string][]string, id string) (*bundle.Manifest, error) {
	if !slices.Contains(ids[id], "manifest.json") {
		return nil, errGone
	}
	data, err := d.Shelf.Get(id, "manifest.json")
	if err != nil {
		return nil, err
	}
	return bundle.ReadManifest(data)
}

// fetchOf reads the files of a collection that is kept.
func (d *Device) fetchOf(id string) bundle.Fetch {
	return func(f bundle.File) ([]byte, error) { return d.Shelf.Get(id, f.Name) }
}

// shelved returns the files of a collection that is kept on this device.
func (d *Device) shelved(id string) (map[string][]byte, *bundle.Manifest, error) {
	ids, err := d.Shelf.List()
	if err != nil {
		return nil, nil, err
	}
	data, err := d.Shelf.Get(id, "manifest.json")
	if err != nil {
		return nil, nil, fmt.Errorf("its documents are no longer on this device: %w", err)
	}
	m, err := bundle.ReadManifest(data)
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{"manifest.json": data}
	for _, name := range ids[id] {
		if name == begun || name == "manifest.json" {
			continue
		}
		if files[name], err = d.Shelf.Get(id, name); err != nil {
			return nil, nil, fmt.Errorf("its documents are no longer on this device: %w", err)
		}
	}
	return files, m, nil
}

// unsplit reads a kept collection.
func (d *Device) unsplit(id string) (*unsplit, error) {
	data, err := d.Shelf.Get(id, "manifest.json")
	if err != nil {
		return nil, errGone
	}
	m, err := bundle.ReadManifest(data)
	if err != nil {
		return nil, err
	}
	fetch := d.fetchOf(id)
	b, err := bundle.Open(m, fetch)
	if err != nil {
		return nil, err
	}
	return unsplitBundle(b, fetch)
}
