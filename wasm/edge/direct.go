//go:build js

package main

import (
	"errors"
	"strconv"
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/core/gateway"
)

// direct is the way between the program and worker.mjs: what waits is known by a number, and one function takes all that comes back.
type direct struct {
	own     js.Value
	next    int
	waiting map[int]chan came
}

// came is what came back: a status or why there is none, the header Retry-After, and bytes.
type came struct {
	status int
	retry  string
	body   []byte
}

// Why there is no status: LATE, LARGE and BROKEN of worker.mjs. Of a fetch that was not sent it is large too.
const (
	late  = -1
	large = -2
)

// serveDirect takes requests from worker.mjs; in the library's own form it does nothing.
func serveDirect(h *host, serve func(*gateway.Call) *gateway.Answer) {
	own := js.Global().Get("context").Get("own")
	if own.IsUndefined() {
		return
	}
	d := &direct{own: own, waiting: map[int]chan came{}}
	h.direct = d
	own.Set("resume", js.FuncOf(func(_ js.Value, args []js.Value) any {
		c := came{status: args[1].Int()}
		if c.status > 0 {
			c.retry, c.body = args[2].String(), make([]byte, args[3].Get("byteLength").Int())
			js.CopyBytesToGo(c.body, args[3])
		}
		id := args[0].Int()
		d.waiting[id] <- c
		delete(d.waiting, id)
		return nil
	}))
	own.Set("handle", js.FuncOf(func(_ js.Value, args []js.Value) any {
		call := d.call(args[0].String(), args[1])
		at := args[1]
		go func() {
			failing(call.Path)
			a := serve(call)
			body := js.Null()
			if len(a.Body) > 0 {
				body = bytes(a.Body)
			}
			at.Call("answer", a.Status, lines(a.Headers), body)
		}()
		return nil
	}))
}

// wait returns a number, and what comes back under it.
func (d *direct) wait() (int, chan came) {
	d.next++
	c := make(chan came, 1)
	d.waiting[d.next] = c
	return d.next, c
}

// lines writes names and values, a line each.
func lines(list [][2]string) string {
	var b strings.Builder
	for i, x := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(x[0])
		b.WriteByte('\n')
		b.WriteString(x[1])
	}
	return b.String()
}

var errBody = errors.New("edge: the body broke off, or took too long")

// call is a request as meta of worker.mjs writes it.
func (d *direct) call(meta string, at js.Value) *gateway.Call {
	var m [11]string
	copy(m[:], strings.SplitN(meta, "\n", len(m)))
	length, err := strconv.ParseInt(m[9], 10, 64)
	if err != nil {
		length = -1
	}
	return &gateway.Call{
		Method: m[0], Path: m[1], Query: m[2], Origin: m[3], Self: m[4], ContentType: m[5], Encoding: m[6], Authorization: m[7], Asked: m[8],
		Length: length, Client: gateway.ClientOf(m[10]),
		Body: func(limit int) ([]byte, error) {
			id, back := d.wait()
			at.Call("read", id, limit, bodyTime.Milliseconds())
			switch c := <-back; {
			case c.status > 0:
				return c.body, nil
			case c.status == large:
				return nil, gateway.ErrTooLarge
			}
			return nil, errBody
		},
	}
}

// fetch sends to a service.
func (d *direct) fetch(u *gateway.Upstream) (*gateway.Reply, error) {
	id, back := d.wait()
	d.own.Call("fetch", id, u.URL, lines(u.Headers), bytes(u.Body), u.Timeout.Milliseconds(), u.Limit)
	switch c := <-back; {
	case c.status > 0:
		return &gateway.Reply{Status: c.status, Body: c.body, RetryAfter: c.retry}, nil
	case c.status == late:
		return nil, gateway.TimedOut
	case c.status == large:
		return nil, gateway.Unreachable
	}
	return nil, gateway.CutOff
}
