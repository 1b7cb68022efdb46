//go:build !first

package worker

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// bringModels adds what models made of the documents: vectors/MODEL/ and runs/NAME.run beside them, in a folder of
// BEIR's layout or in a zip of one, read by the readers of the command line.
func (d *Device) bringModels(ask *message.AskUpload, src *bundle.Source) error {
	fsys, err := d.beside(ask)
	if fsys == nil || err != nil {
		return err
	}
	m, err := bundle.ReadVectors(fsys, "vectors", nil)
	if err != nil {
		return err
	}
	src.Vectors, src.Tokens, src.Weights = append(src.Vectors, m.Vectors...), m.Tokens, m.Weights
	src.Runs, err = bundle.ReadRuns(fsys, "runs")
	return err
}

// beside is the folder of a collection in BEIR's layout, nil if the files are none.
func (d *Device) beside(ask *message.AskUpload) (fs.FS, error) {
	if f := ask.Files[0]; len(ask.Files) == 1 && strings.HasSuffix(strings.ToLower(f.Name), ".zip") {
		source, err := d.Files(f.ID)
		if err != nil {
			return nil, err
		}
		at, ok := source.(io.ReaderAt)
		if !ok {
			all, err := within.All(source, int64(f.Size), int64(max(f.Size, 1)))
			if err != nil {
				return nil, err
			}
			at = bytes.NewReader(all)
		}
		zip, err := collection.OpenZip(f.Name, at, int64(f.Size), collection.Limits{Bytes: int64(ask.Limit)})
		if err != nil {
			return nil, nil // what reads the documents says so
		}
		for _, name := range zip.Files() { // it may hold the folder, or what is in the folder
			if dir, base := path.Split(name); strings.HasPrefix(base, "corpus.jsonl") && strings.Count(dir, "/") <= 1 {
				return fs.Sub(zip, path.Clean(dir))
			}
		}
		return nil, nil
	}
	root, ok := beirRoot(ask.Files)
	if !ok {
		return nil, nil
	}
	folder := dropped{device: d, files: map[string]message.File{}}
	for _, f := range ask.Files {
		if name, below := strings.CutPrefix(f.Name, root+"/"); below && fs.ValidPath(name) {
			folder.files[name] = f
		}
	}
	return folder, nil
}

// dropped is a folder of files that the page holds, as a file system. Only what is opened is read.
type dropped struct {
	device *Device
	files  map[string]message.File // by path
}

// Open opens a file, or a folder by ReadDir alone.
func (d dropped) Open(name string) (fs.File, error) {
	if f, ok := d.files[name]; ok {
		r, err := d.device.Files(f.ID)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &droppedFile{r, droppedInfo{name: path.Base(name), size: int64(f.Size)}}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir lists a folder by name (fs.ReadDirFS).
func (d dropped) ReadDir(name string) (list []fs.DirEntry, err error) {
	for at, f := range d.files {
		below, ok := strings.CutPrefix(at, name+"/")
		if !ok {
			continue
		}
		first, _, folder := strings.Cut(below, "/")
		entry := droppedInfo{name: first, folder: folder}
		if !folder {
			entry.size = int64(f.Size)
		}
		if !slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == first }) {
			list = append(list, fs.FileInfoToDirEntry(entry))
		}
	}
	if list == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

type droppedFile struct {
	io.Reader
	info droppedInfo
}

func (f *droppedFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close closes what the browser lent.
func (f *droppedFile) Close() error {
	if c, ok := f.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

type droppedInfo struct {
	name   string
	size   int64
	folder bool
}

func (i droppedInfo) Name() string       { return i.name }
func (i droppedInfo) Size() int64        { return i.size }
func (i droppedInfo) ModTime() time.Time { return time.Time{} }
func (i droppedInfo) IsDir() bool        { return i.folder }
func (i droppedInfo) Sys() any           { return nil }

func (i droppedInfo) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
