// Package within reads what may be anybody's no further than is said: a file without an end, or a longer one than makes
// sense, is an error and takes no memory.
package within

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/rankbox/rankbox/core/say"
)

// ErrLong is what the error of a text that is too long begins with.
var ErrLong = errors.New("more than")

// Unsized is how many bytes are read at most of what does not say how long it is.
const Unsized = 64 << 20

// All reads what is left of r, about size bytes, and no more than most.
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

// FS reads a file of a folder, of no more than most bytes. A longer one is refused unread, and so is what is no file: a
// folder may be anybody's, with a link to a device in it.
func FS(fsys fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name) // a pipe cannot be opened before somebody writes
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

// File reads a file that is open, of no more than most bytes. A longer one is refused unread; a pipe or a device, which
// does not say how long it is, as soon as it is too long, at Unsized at the latest.
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
