package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// Read opens a collection of the cache and reads a split of it, "" for the first.
func (c *Cache) Read(r *recipe.Recipe, split string, opt collection.Options) (*collection.Collection, error) {
	fsys, closer, err := c.Open(r, opt.Limits)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	out, err := r.Read(fsys, split, opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	return out, nil
}

// Open checks the files of a collection in the cache and returns what they hold: the content of its archive, or the
// files themselves. It returns *Missing for a collection that is not there.
func (c *Cache) Open(r *recipe.Recipe, limits collection.Limits) (fs.FS, io.Closer, error) {
	if err := c.Has(r); err != nil {
		return nil, nil, err
	}
	dir := c.Folder(r)
	for _, f := range r.Files {
		if err := check(filepath.Join(dir, f.Name), f); err != nil {
			return nil, nil, fmt.Errorf("%w. It was changed after the download: replace it with rankbox fetch %s", err,
				r.Name)
		}
	}
	if len(r.Files) > 1 {
		return os.DirFS(dir), io.NopCloser(nil), nil
	}
	name := filepath.Join(dir, r.Files[0].Name)
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	head := make([]byte, 4)
	n, _ := io.ReadFull(f, head)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		f.Close()
		return nil, nil, err
	}
	switch head = head[:n]; {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		z, err := collection.OpenZip(name, f, r.Files[0].Bytes, limits)
		if err != nil {
			f.Close()
			return nil, nil, err
		}
		return z, f, nil
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		defer f.Close()
		files, err := untar(f, limits)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		return files, io.NopCloser(nil), nil
	}
	f.Close()
	return os.DirFS(dir), io.NopCloser(nil), nil
}

// memory is the content of a tar, by path. It opens files and lists no folders.
type memory map[string][]byte

// untar reads a gzipped tar within limits.
func untar(r io.Reader, limits collection.Limits) (memory, error) {
	p := collection.NewPacked(r, limits)
	z, err := gzip.NewReader(p)
	if err != nil {
		return nil, err
	}
	out := memory{}
	t := tar.NewReader(p.Bound(z))
	for content := p.Bound(t); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		name := path.Clean(h.Name)
		if h.Typeflag != tar.TypeReg || !fs.ValidPath(name) {
			continue
		}
		if err := p.File(); err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(content); err != nil {
			return nil, err
		}
		out[name] = b.Bytes()
	}
}

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	data, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{bytes.NewReader(data), path.Base(name), int64(len(data))}, nil
}

// memoryFile is one file of it, and what is known of it.
type memoryFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return memoryInfo{f.name, f.size}, nil }
func (f *memoryFile) Close() error               { return nil }

type memoryInfo struct {
	name string
	size int64
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) Mode() fs.FileMode  { return 0o444 }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return false }
func (i memoryInfo) Sys() any           { return nil }
