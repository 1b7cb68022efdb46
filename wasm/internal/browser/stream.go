//go:build js

package browser

import (
	"fmt"
	"io"
	"syscall/js"
)

// Stream reads a Blob, which a File is, as the browser streams it: at no time is the whole of it in memory. It must not be read
// from an event handler.
type Stream struct {
	reader js.Value
	part   []byte
	err    error
}

// NewStream begins to read a Blob.
func NewStream(blob js.Value) *Stream {
	return &Stream{reader: blob.Call("stream").Call("getReader")}
}

// Read reads the next bytes. An error says that the file changed or vanished since it was given to the page.
func (s *Stream) Read(b []byte) (int, error) {
	for len(s.part) == 0 && s.err == nil {
		part, err := Await(s.reader.Call("read"))
		switch {
		case err != nil:
			s.err = fmt.Errorf("the browser can no longer read it (%v): was it moved or changed?", err)
		case part.Get("done").Bool():
			s.err = io.EOF
		default:
			s.part = Bytes(part.Get("value"))
		}
	}
	if len(s.part) == 0 {
		return 0, s.err
	}
	n := copy(b, s.part)
	s.part = s.part[n:]
	return n, nil
}
