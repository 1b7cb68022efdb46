package workspace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
)

// Export returns the workspace as one zip, without the click log. Equal workspaces give equal bytes: files are stored
// in the order of their names, without times and without compression, whose output changes with the compiler.
func (w *Workspace) Export() ([]byte, error) { return zipped(w, false) }

// ExportWithClicks is Export with the click log: for the device, and for a person who asks for it.
func (w *Workspace) ExportWithClicks() ([]byte, error) { return zipped(w, true) }

func zipped(w *Workspace, clicks bool) ([]byte, error) {
	if w.ReadOnly != "" {
		return nil, fmt.Errorf("%w: %s", ErrReadOnly, w.ReadOnly)
	}
	files := w.files(clicks)
	total := int64(0)
	for _, b := range files {
		total += int64(len(b))
	}
	if total > 1<<32-1<<20 || len(files) >= 1<<16-1 {
		return nil, fault("the workspace has %d bytes in %d files: a zip without extensions holds 4 GiB in 65,534",
			total, len(files))
	}
	var out, directory []byte
	le := binary.LittleEndian
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b := files[name]
		// version 2.0, names in UTF-8, stored, 1 January 1980
		common := []byte{20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0}
		common = le.AppendUint32(common, crc32.ChecksumIEEE(b))
		common = le.AppendUint32(common, uint32(len(b)))
		common = le.AppendUint32(common, uint32(len(b)))
		common = le.AppendUint16(common, uint16(len(name)))
		directory = append(append(directory, "PK\x01\x02\x14\x00"...), common...)
		directory = append(directory, make([]byte, 12)...) // no extra field, comment, disk or attributes
		directory = append(le.AppendUint32(directory, uint32(len(out))), name...)
		out = append(append(append(out, "PK\x03\x04"...), common...), 0, 0)
		out = append(append(out, name...), b...)
	}
	end := append([]byte("PK\x05\x06"), 0, 0, 0, 0)
	end = le.AppendUint16(end, uint16(len(files)))
	end = le.AppendUint16(end, uint16(len(files)))
	end = le.AppendUint32(end, uint32(len(directory)))
	end = le.AppendUint32(end, uint32(len(out)))
	return append(append(append(out, directory...), end...), 0, 0), nil
}

// Import reads a workspace from a zip: of Export, or of its folder as other programs pack it. name is that of the file,
// for errors.
func Import(name string, zip []byte, lim Limits) (*Workspace, error) {
	lim = lim.withDefaults()
	archive, err := collection.OpenZip(name, bytes.NewReader(zip), int64(len(zip)),
		collection.Limits{Bytes: lim.Bytes, Files: lim.Files})
	if err != nil {
		return nil, err
	}
	list := archive.Files()
	root, found := "", false
	for _, file := range list {
		if file == manifestName || strings.HasSuffix(file, "/"+manifestName) && strings.Count(file, "/") == 1 &&
			!found {
			root, found = strings.TrimSuffix(file, manifestName), true
		}
		if file == manifestName {
			break
		}
	}
	if !found {
		return nil, fault("%s has no %s: it is not a workspace", name, manifestName)
	}
	files := map[string][]byte{}
	left := lim.Bytes
	for _, file := range list {
		inside, ok := strings.CutPrefix(file, root)
		if !ok || strings.HasPrefix(file, "__MACOSX/") || strings.HasSuffix(file, ".DS_Store") {
			continue
		}
		b, err := within.FS(archive, file, left)
		if err != nil {
			return nil, fault("%s: %s: %w", name, file, err)
		}
		left -= int64(len(b))
		files[inside] = b
	}
	w, err := Read(files, lim)
	if err != nil {
		return nil, fault("%s: %w", name, err)
	}
	return w, nil
}

// Is says whether the zip of that many bytes that r holds is a workspace, by the names in its directory alone.
func Is(r io.ReaderAt, size int64) bool {
	archive, err := collection.OpenZip("", r, size, collection.Limits{})
	if err != nil {
		return false
	}
	return slices.ContainsFunc(archive.Files(), func(file string) bool {
		return file == manifestName || strings.HasSuffix(file, "/"+manifestName) && strings.Count(file, "/") == 1
	})
}

// Records is the whole workspace as a journal: replayed on another one about the same documents, it merges the two.
func (w *Workspace) Records() (b []byte) {
	for _, e := range w.All() {
		b = AppendRecord(b, &e)
	}
	return b
}
