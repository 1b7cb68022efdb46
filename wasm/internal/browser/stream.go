//go:build js

package browser

import (
	"errors"
	"fmt"
	"io"
	"syscall/js"
)

// Blob reads a Blob or File sequentially as a stream (the fastest way: 284 MB in 0.5 s, against 1.5 s in slices of
// 1 MiB) or, for archives, at any offset. It never holds the whole in memory. Event handlers must not read it, nor
// two goroutines at once.
type Blob struct {
	blob   js.Value
	size   int64
	at     int64    // offset of the next Read
	reader js.Value // of the stream, positioned at offset at; undefined if there is none
	part   []byte
	err    error

	window []byte // the last data of ReadAt
	from   int64  // its offset
}

// NewBlob starts to read a Blob.
func NewBlob(blob js.Value) *Blob {
	return &Blob{blob: blob, size: int64(blob.Get("size").Float())}
}

func gone(err error) error {
	return fmt.Errorf("the browser can no longer read it (%v): was it moved or changed?", err)
}

// Read reads the next bytes. An error means that the file changed or vanished since it was opened on the page.
func (b *Blob) Read(p []byte) (int, error) {
	if b.reader.IsUndefined() && b.err == nil {
		rest := b.blob
		if b.at > 0 {
			rest = b.blob.Call("slice", b.at)
		}
		b.reader = rest.Call("stream").Call("getReader")
	}
	for len(b.part) == 0 && b.err == nil {
		part, err := Await(b.reader.Call("read"))
		switch {
		case err != nil:
			b.err = gone(err)
		case part.Get("done").Bool():
			b.err = io.EOF
		default:
			b.part = Bytes(part.Get("value"))
		}
	}
	if len(b.part) == 0 {
		return 0, b.err
	}
	n := copy(p, b.part)
	b.part = b.part[n:]
	b.at += int64(n)
	return n, nil
}

// windowBytes is the read-ahead of ReadAt: archives are mostly read sequentially.
const windowBytes = 1 << 20

// ReadAt implements io.ReaderAt. It does not affect Read.
func (b *Blob) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("browser: read blob: a place before its beginning")
	}
	for n < len(p) {
		at := off + int64(n)
		if at >= b.size {
			return n, io.EOF
		}
		if at < b.from || at >= b.from+int64(len(b.window)) {
			end := min(b.size, at+int64(max(windowBytes, len(p)-n)))
			v, err := Await(b.blob.Call("slice", at, end).Call("arrayBuffer"))
			if err != nil {
				return n, gone(err)
			}
			b.window, b.from = Bytes(js.Global().Get("Uint8Array").New(v)), at
			if int64(len(b.window)) != end-at {
				return n, gone(errors.New("it is shorter"))
			}
		}
		n += copy(p[n:], b.window[at-b.from:])
	}
	return n, nil
}

// Seek implements io.Seeker.
func (b *Blob) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += b.at
	case io.SeekEnd:
		offset += b.size
	}
	if offset < 0 {
		return 0, errors.New("browser: seek blob: a place before its beginning")
	}
	if offset != b.at {
		b.cancel()
		b.part, b.err = nil, nil
	}
	b.at = offset
	return offset, nil
}

// Close releases the stream.
func (b *Blob) Close() error {
	b.cancel()
	b.part, b.window, b.err = nil, nil, errors.New("browser: read blob: it is closed")
	return nil
}

// cancel releases the stream. It handles the promise's rejection: an unhandled one would terminate the worker.
func (b *Blob) cancel() {
	if !b.reader.IsUndefined() {
		Await(b.reader.Call("cancel"))
	}
	b.reader = js.Undefined()
}
