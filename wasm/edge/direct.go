//go:build js

package main

import (
	"errors"
	"math"
	"runtime"
	"strconv"
	"strings"
	"syscall/js"
	"time"
	"unsafe"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// direct is the way between the program and worker.mjs. Requests, and what waits for an answer of the runtime, are
// known by numbers; texts and bytes lie in the program's memory, and the calls tell where: a js.Value costs more than
// what it holds, as the collector has to free each. What is told of is read before the call returns.
type direct struct {
	in, out []byte // what worker.mjs writes; the texts that it reads
	next    int
	waiting map[int]chan came
	idle    []chan func()
	busy    int       // goroutines that have a request and do not wait for worker.mjs
	now     time.Time // clocks stand still while the program runs: the time at which it was entered
}

// came is what came back: a status or why there is none, the header Retry-After, and bytes.
type came struct {
	status int
	retry  string
	body   []byte
}

// small is how large a piece is kept for what worker.mjs writes.
const small = 64 << 10

// largeFrom is how large a piece is collected for: LARGE_FROM of worker.mjs, whose answers come one at a time.
const largeFrom = 1 << 20

// Why there is no status: LATE, LARGE, BROKEN and UNSENT of worker.mjs.
const (
	late   = -1
	large  = -2
	unsent = -4
)

// What worker.mjs does for the program. Numbers alone go either way, past syscall/js, which makes and frees a value of
// each.

//go:wasmimport edge place
func jsPlace(address, size int32)

//go:wasmimport edge fetch
func jsFetch(id, words, n, body, size, ms, limit int32)

//go:wasmimport edge read
func jsRead(call, id, limit int32)

//go:wasmimport edge answer
func jsAnswer(call, status, heads, n, body, size int32)

//go:wasmimport edge log
func jsLog(line, n int32)

// served is what worker.mjs calls: a program has one.
var served struct {
	*direct
	serve func(*gateway.Call) *gateway.Answer
}

var _ = []any{room, resume, handle} // staticcheck does not know who calls them

// room makes the piece that worker.mjs writes as large as it needs.
//
//go:wasmexport edge_room
func room(n int32) { served.room(int(n)) }

// resume hands on what came back under a number: a status, the lengths of Retry-After and of the body, and the time.
//
//go:wasmexport edge_resume
func resume(id, status, retry, size int32, now float64) {
	d := served.direct
	d.enter(now)
	c := came{status: int(status), retry: string(d.in[:retry])}
	c.body = d.taken(int(retry), int(size))
	d.waiting[int(id)] <- c
	delete(d.waiting, int(id))
	d.busy++
	d.run()
}

// handle takes a request: the length of meta, the status and the length of a body that is there already, and the time.
//
//go:wasmexport edge_handle
func handle(id, n, status, size int32, now float64) {
	d := served.direct
	d.enter(now)
	meta := string(d.in[:n])
	call := d.call(id, meta, came{status: int(status), body: d.taken(int(n), int(size))})
	d.work(func() {
		failing(call.Path)
		a := served.serve(call)
		d.out = lines(d.out[:0], a.Headers)
		jsAnswer(id, int32(a.Status), address(d.out), int32(len(d.out)), address(a.Body), int32(len(a.Body)))
		runtime.KeepAlive(a)
	})
	d.run()
}

// run lets goroutines run until each waits for worker.mjs or is done. What an exported function leaves runnable would
// otherwise stand still until the next call.
func (d *direct) run() {
	for range 1000 { // it takes one or two: a goroutine that waits for another's lock does not hold up the rest
		if d.busy == 0 {
			return
		}
		runtime.Gosched()
	}
}

// serve takes requests from worker.mjs.
func (h *host) serve(serve func(*gateway.Call) *gateway.Answer) {
	d := &direct{waiting: map[int]chan came{}, out: make([]byte, 0, 4096)}
	h.direct = d
	served.direct, served.serve = d, serve
	d.room(small)
	js.Global().Get("context").Get("own").Set("bodyTime", bodyTime.Milliseconds())
}

// work runs f on a goroutine: one that has nothing to do, with a stack that has grown, or a new one. It is woken in f's
// own request.
func (d *direct) work(f func()) {
	d.busy++
	if n := len(d.idle); n > 0 {
		d.idle[n-1] <- f
		d.idle = d.idle[:n-1]
		return
	}
	more := make(chan func(), 1)
	go func() {
		for {
			f()
			d.busy--
			d.idle = append(d.idle, more)
			f = <-more
		}
	}()
}

func (d *direct) enter(now float64) { d.now = time.UnixMilli(int64(now)) }

// room makes the piece that worker.mjs writes as large as it needs.
func (d *direct) room(n int) {
	if n > largeFrom {
		runtime.GC() // what an earlier one left is used again: the memory of a program only grows
	}
	d.in = make([]byte, n)
	jsPlace(address(d.in), int32(n))
}

// address is where bytes lie in the memory of the program. The collector moves nothing that is on its heap.
func address(b []byte) int32 { return int32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

// taken returns what worker.mjs wrote; what is large without a copy.
func (d *direct) taken(at, n int) []byte {
	b := d.in[at : at+n]
	if len(d.in) > small {
		d.room(small)
		return b
	}
	return append([]byte(nil), b...)
}

// wait returns a number, and what comes back under it.
func (d *direct) wait() (int, chan came) {
	d.next++
	c := make(chan came, 1)
	d.waiting[d.next] = c
	return d.next, c
}

// lines appends names and values, a line each.
func lines(b []byte, list [][2]string) []byte {
	for i, x := range list {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(append(append(b, x[0]...), '\n'), x[1]...)
	}
	return b
}

var errBody = errors.New("edge: the body broke off, or took too long")

// call is a request as meta of worker.mjs writes it. A small body is there already.
func (d *direct) call(id int32, meta string, early came) *gateway.Call {
	var m [12]string
	copy(m[:], strings.SplitN(meta, "\n", len(m)))
	length, err := strconv.ParseInt(m[9], 10, 64)
	if err != nil {
		length = -1
	}
	return &gateway.Call{
		Method: m[0], Path: m[1], Query: m[2], Origin: m[3], Self: m[4], ContentType: m[5], Encoding: m[6],
		Authorization: m[7], Asked: m[8],
		Length: length, Client: gateway.ClientOf(m[10]), Match: m[11],
		Body: func(limit int) ([]byte, error) {
			c := early
			if c.status == 0 {
				number, back := d.wait()
				jsRead(id, int32(number), int32(min(limit, math.MaxInt32)))
				d.busy--
				c = <-back
			}
			switch {
			case c.status == large, len(c.body) > limit:
				return nil, gateway.ErrTooLarge
			case c.status > 0:
				return c.body, nil
			}
			return nil, errBody
		},
	}
}

// fetch sends to a service.
func (d *direct) fetch(u *gateway.Upstream) (*gateway.Reply, error) {
	id, back := d.wait()
	d.out = lines(append(append(d.out[:0], u.URL...), '\n'), u.Headers)
	jsFetch(int32(id), address(d.out), int32(len(d.out)), address(u.Body), int32(len(u.Body)),
		int32(u.Timeout.Milliseconds()), int32(min(u.Limit, math.MaxInt32)))
	runtime.KeepAlive(u)
	d.busy--
	switch c := <-back; {
	case c.status > 0:
		return &gateway.Reply{Status: c.status, Body: c.body, RetryAfter: c.retry}, nil
	case c.status == late:
		return nil, gateway.TimedOut
	case c.status == unsent:
		return nil, gateway.Unreachable
	case c.status == large:
		return nil, gateway.CutOff
	}
	return nil, gateway.Dropped
}

func (d *direct) log(line []byte) {
	jsLog(address(line), int32(len(line)))
	runtime.KeepAlive(line)
}
