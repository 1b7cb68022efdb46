package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// mostLine is how many bytes a message may have.
const mostLine = 16 << 20

// Codes of JSON-RPC for messages that are none.
const (
	notJSON     = -32700
	notAMessage = -32600
	refusal     = `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}` + "\n"
)

// lines stands between standard input and the protocol's server. It answers a line that is no message itself, so that
// the server goes on, and hides the end of the input until every request has its answer: `rankbox mcp < file` is
// answered too.
type lines struct {
	in  *bufio.Reader
	out io.Writer

	lock    sync.Mutex // of everything below, and of out
	settled *sync.Cond
	open    map[string]bool // requests without an answer, by id
	broken  bool            // out takes nothing any more
	rest    []byte          // of a line that is read in pieces
	written []byte          // of a line that is written in pieces
}

func newLines(in io.Reader, out io.Writer) *lines {
	l := &lines{in: bufio.NewReaderSize(in, 64<<10), out: out, open: map[string]bool{}}
	l.settled = sync.NewCond(&l.lock)
	return l
}

// Close implements io.Closer.
func (l *lines) Close() error {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.broken = true
	l.settled.Broadcast()
	return nil
}

// Read implements io.Reader: lines that are messages.
func (l *lines) Read(b []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if len(bytes.TrimSpace(line)) > 0 {
			l.take(line)
		}
		if err != nil && len(l.rest) == 0 {
			l.wait()
			return 0, err
		}
	}
	n := copy(b, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line reads the next line. Of one that is too long nothing is kept, and its sender is told.
func (l *lines) line() (line []byte, err error) {
	long := false
	for {
		piece, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(piece) > mostLine; long {
			line = nil
		} else {
			line = append(line, piece...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if long {
			l.refuse(notJSON, fmt.Sprintf("a line of more than %d MiB", mostLine>>20))
		}
		return line, err
	}
}

// take hands a line on that is a message, or several in a list, and refuses any other.
func (l *lines) take(line []byte) {
	line = bytes.TrimSpace(line)
	if !json.Valid(line) {
		l.refuse(notJSON, "a line that is not JSON: write each message on one line")
		return
	}
	all := []json.RawMessage{line}
	if line[0] == '[' {
		if json.Unmarshal(line, &all) != nil || len(all) == 0 {
			l.refuse(notAMessage, "a list without messages")
			return
		}
	}
	var asked []string
	for _, one := range all {
		m, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			l.refuse(notAMessage, "JSON that is not a JSON-RPC 2.0 message: "+err.Error())
			return
		}
		r, ok := m.(*jsonrpc.Request)
		switch {
		case ok && r.IsCall():
			asked = append(asked, fmt.Sprint(r.ID.Raw()))
		case ok && r.Method == "notifications/cancelled":
			var of struct{ RequestID any }
			if json.Unmarshal(r.Params, &of) == nil {
				l.answered(fmt.Sprint(of.RequestID))
			}
		}
	}
	l.lock.Lock()
	for _, id := range asked {
		l.open[id] = true
	}
	l.lock.Unlock()
	l.rest = append(line, '\n')
}

// refuse answers a line that is no message.
func (l *lines) refuse(code int, why string) {
	text, err := json.Marshal(why)
	if err != nil {
		text = []byte(`"refused"`)
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if _, err := fmt.Fprintf(l.out, refusal, code, text); err != nil {
		l.broken = true
	}
}

// answered notes that a request needs no answer any more.
func (l *lines) answered(id string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	delete(l.open, id)
	l.settled.Broadcast()
}

// wait waits until every request has its answer.
func (l *lines) wait() {
	l.lock.Lock()
	defer l.lock.Unlock()
	for len(l.open) > 0 && !l.broken {
		l.settled.Wait()
	}
}

// writing is the side of lines that the server writes to.
type writing struct{ *lines }

// Write implements io.Writer. It writes whole lines, and notes which requests they answer.
func (w writing) Write(b []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.written = append(w.written, b...)
	for {
		end := bytes.IndexByte(w.written, '\n')
		if end < 0 {
			return len(b), nil
		}
		line := w.written[:end+1]
		if _, err := w.out.Write(line); err != nil {
			w.broken = true
			w.settled.Broadcast()
			return 0, errors.Join(io.ErrClosedPipe, err)
		}
		if m, err := jsonrpc.DecodeMessage(line[:end]); err == nil {
			if r, ok := m.(*jsonrpc.Response); ok {
				delete(w.open, fmt.Sprint(r.ID.Raw()))
				w.settled.Broadcast()
			}
		}
		w.written = append(w.written[:0], w.written[end+1:]...)
	}
}
