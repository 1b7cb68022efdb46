package collection

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"
)

// Open opens a file or folder of the archive (fs.FS). A file checks its length and CRC when it is read to its end.
func (a *Archive) Open(name string) (fs.File, error) {
	fail := func(err error) (fs.File, error) { return nil, &fs.PathError{Op: "open", Path: name, Err: err} }
	if !fs.ValidPath(name) {
		return fail(fs.ErrInvalid)
	}
	f, err := a.file(name)
	if err == nil {
		return f, nil
	}
	if err != fs.ErrNotExist {
		return fail(err)
	}
	files, dirs, err := a.list(name)
	if err != nil && name != "." {
		return fail(err)
	}
	d := &zipDir{info: zipInfo{name: name[strings.LastIndexByte(name, '/')+1:], dir: true}}
	for _, dir := range dirs {
		d.list = append(d.list, zipInfo{name: dir, dir: true})
	}
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	for _, file := range files {
		d.list = append(d.list, zipInfo{name: file, size: a.files[a.search(prefix+file)].size})
	}
	return d, nil
}

// Stat returns name and size.
func (z *zipFile) Stat() (fs.FileInfo, error) {
	return zipInfo{name: z.entry.name[strings.LastIndexByte(z.entry.name, '/')+1:], size: z.entry.size}, nil
}

// zipDir is an open folder of an Archive.
type zipDir struct {
	info zipInfo
	list []fs.DirEntry
}

// Read fails: a folder has no bytes.
func (d *zipDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: errors.New("is a folder")}
}

// Close closes the folder.
func (d *zipDir) Close() error { return nil }

// Stat returns the name.
func (d *zipDir) Stat() (fs.FileInfo, error) { return d.info, nil }

// ReadDir returns the next n entries: folders, then files (fs.ReadDirFile).
func (d *zipDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		list := d.list
		d.list = nil
		return list, nil
	}
	if len(d.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.list))
	list := d.list[:n]
	d.list = d.list[n:]
	return list, nil
}

// zipInfo describes a file or folder of an Archive.
type zipInfo struct {
	name string
	size int64
	dir  bool
}

func (i zipInfo) Name() string               { return i.name }
func (i zipInfo) Size() int64                { return i.size }
func (i zipInfo) ModTime() time.Time         { return time.Time{} }
func (i zipInfo) IsDir() bool                { return i.dir }
func (i zipInfo) Sys() any                   { return nil }
func (i zipInfo) Info() (fs.FileInfo, error) { return i, nil }
func (i zipInfo) Type() fs.FileMode          { return i.Mode().Type() }
func (i zipInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
