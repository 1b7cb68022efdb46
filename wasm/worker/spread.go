//go:build !first

package worker

import (
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	docs "github.com/rankbox/rankbox/core/project/documents"
)

// mostWithin is how many files of a zip have ids of their own: those of the zip with id n begin at (n+1)·mostWithin,
// beyond those of files that are given to the page.
const mostWithin = 1 << 20

// source opens a file that was given to the page, or a file of a zip among these.
func (d *Device) source(id int) (io.Reader, error) {
	if id < mostWithin {
		return d.Files(id)
	}
	zip, err := d.zip(id/mostWithin-1, "")
	if err != nil {
		return nil, err
	}
	return zip.Open(zip.Files()[id%mostWithin])
}

// zip opens a zip that was given to the page. The last one stays open: its files are read one after the other.
func (d *Device) zip(id int, name string) (*collection.Archive, error) {
	if d.opened != nil && d.openedID == id {
		return d.opened, nil
	}
	source, err := d.Files(id)
	if err != nil {
		return nil, err
	}
	at, ok := source.(anywhere)
	if !ok {
		return nil, io.ErrNoProgress
	}
	length, err := at.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	zip, err := collection.OpenZip(name, at, length, collection.Limits{Bytes: fileBytes})
	if err == nil {
		d.opened, d.openedID = zip, id
	}
	return zip, err
}

// spread puts the files of zips in the place of these, but for the zips of a collection in BEIR's layout. A zip that
// cannot be opened stays: reading it says why.
func (d *Device) spread(files []message.File) []message.File {
	var out []message.File
	d.opened = nil // files of another choice may have the same ids
	for _, f := range files {
		if !strings.EqualFold(path.Ext(f.Name), ".zip") || d.Files == nil {
			out = append(out, f)
			continue
		}
		zip, err := d.zip(f.ID, f.Name)
		if err != nil || len(zip.Files()) >= mostWithin || slices.ContainsFunc(zip.Files(), ofCollection) {
			out = append(out, f)
			continue
		}
		for i, name := range zip.Files() {
			if strings.HasSuffix(name, "/") {
				continue
			}
			inner := message.File{ID: (f.ID+1)*mostWithin + i, Name: name, Modified: f.Modified}
			if file, err := zip.Open(name); err == nil {
				if info, err := file.Stat(); err == nil {
					inner.Size = int(info.Size())
				}
				file.Close()
			}
			out = append(out, inner)
		}
	}
	return out
}

// ofCollection says that a file of a zip is one of a test collection or of vectors, which are read with the zip.
func ofCollection(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, "corpus.jsonl") || strings.HasPrefix(base, "queries.jsonl") ||
		strings.HasSuffix(base, ".npy")
}

// readable parts the files that may hold documents from those that are passed over, of which it says how many there
// are. A file alone is tried whatever it is called.
func readable(files []message.File) (out []message.File, passed string) {
	if len(files) == 1 {
		return files, ""
	}
	var names []string
	for _, f := range files {
		switch ext := strings.ToLower(path.Ext(f.Name)); {
		case docs.Readable(f.Name), !docs.Hidden(f.Name) && (ext == ".npy" || ext == ".zip"):
			out = append(out, f)
		default:
			names = append(names, f.Name)
		}
	}
	if len(out) == 0 {
		return files, ""
	}
	return out, docs.Passed(names)
}

// notRead says why a file is left out.
func notRead(f message.File, err error) string {
	if _, ok := errors.AsType[*collection.ParseError](err); ok {
		return "Not read: " + misfit(err)
	}
	return "Not read: " + f.Name + ": " + say.Sentence(err)
}
