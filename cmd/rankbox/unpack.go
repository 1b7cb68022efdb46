package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/rankbox/rankbox/core/collection"
)

// unpacked is what is read of a file, and the file.
type unpacked struct {
	io.Reader
	io.Closer
}

// archive is a zip in memory, and the file that it is of.
type archive struct {
	*bytes.Reader
	io.Closer
}

// anywhere is a file where it can be read here and there, as a zip is.
func anywhere(f io.Reader) (at io.ReaderAt, size int64, ok bool) {
	at, ok = f.(io.ReaderAt)
	if s, seeks := f.(io.Seeker); ok && seeks {
		size, err := s.Seek(0, io.SeekEnd)
		return at, size, err == nil
	}
	return nil, 0, false
}

// peeked is how much of a file is looked at to tell what it is.
const peeked = 64 << 10

// unpack makes of a file what core reads: bzip2 is taken off, and a tar, compressed or not, becomes a zip of the same
// files in memory.
func unpack(f io.ReadCloser, limits collection.Limits) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(f, peeked)
	head, err := b.Peek(peeked)
	if err != nil && err != io.EOF {
		return nil, err
	}
	var r io.Reader
	p := collection.NewPacked(b, limits)
	switch {
	case bytes.HasPrefix(head, []byte("BZh")):
		inner := bufio.NewReaderSize(p.Bound(bzip2.NewReader(p)), peeked)
		if first, _ := inner.Peek(512); !isTar(first) {
			return unpacked{inner, f}, nil
		}
		r = inner
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		first := make([]byte, 512)
		if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
			n, _ := io.ReadFull(z, first)
			first = first[:n]
		}
		if isTar(first) {
			z, err := gzip.NewReader(p)
			if err != nil {
				return nil, err
			}
			r = p.Bound(z)
		}
	case isTar(head):
		r = p.Bound(p)
	}
	if r != nil {
		z, err := zipped(r, p)
		if err != nil {
			return nil, err
		}
		return archive{bytes.NewReader(z), f}, nil
	}
	if file, ok := f.(*os.File); ok {
		if _, err := file.Seek(0, io.SeekStart); err == nil {
			return file, nil
		}
	}
	return unpacked{b, f}, nil
}

func isTar(head []byte) bool { return len(head) > 262 && string(head[257:262]) == "ustar" }

// zipped makes a zip of the files of a tar, which comes out of p. Holes of sparse files are in no byte of it: what its
// files hold is bounded too.
func zipped(r io.Reader, p *collection.Packed) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	t, buffer := tar.NewReader(r), make([]byte, 32<<10)
	for content := p.Bound(t); ; {
		h, err := t.Next()
		if err == io.EOF {
			break
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
		f, err := w.CreateHeader(&zip.FileHeader{Name: name})
		if err != nil {
			return nil, err
		}
		if _, err := io.CopyBuffer(f, content, buffer); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
