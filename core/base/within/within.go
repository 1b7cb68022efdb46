// Package within reads untrusted input up to a limit: an endless or overlong file is an error and takes no memory.
package within

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/rankbox/rankbox/core/base/say"
)

// ErrLong begins the error of an overlong text.
var ErrLong = errors.New("more than")

// Unsized is the maximum length of input that does not declare its size.
const Unsized = 64 << 20

// All reads the rest of r, about size bytes and at most most.
func All(r io.Reader, size, most int64) ([]byte, error) {
	var b bytes.Buffer
	if size <= most {
		b.Grow(int(size) + bytes.MinRead)
		if _, err := b.ReadFrom(io.LimitReader(r, most+1)); err != nil {
			return nil, err
		}
		size = int64(b.Len())
	}
	switch {
	case size <= most:
		return b.Bytes(), nil
	case most%(1<<30) == 0:
		return nil, fmt.Errorf("%w %d GiB", ErrLong, most>>30)
	case most%(1<<20) == 0:
		return nil, fmt.Errorf("%w %d MiB", ErrLong, most>>20)
	}
	return nil, fmt.Errorf("%w %s", ErrLong, say.Bytes(most))
}

// FS reads a file of a folder, at most most bytes. It refuses longer files without reading them, and anything that
// is no regular file: an untrusted folder may link to a device.
func FS(fsys fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name) // opening a pipe would block until another process writes
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return File(name, f, most)
}

// File reads an open file, at most most bytes. It refuses longer files without reading them. It stops reading pipes
// and devices, which have no size, beyond the limit or Unsized.
func File(name string, f fs.File, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if !info.Mode().IsRegular() {
		size, most = 0, min(most, Unsized)
	}
	b, err := All(f, size, most)
	if errors.Is(err, ErrLong) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return b, err
}
