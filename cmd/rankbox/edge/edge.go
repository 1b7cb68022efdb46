// Package edge is core/remote/gateway as a net/http handler: the clock, the connections, the memory and the folder that the
// gateway asks its host for. It decides nothing of its own about what may be asked.
//
// Order of the pipeline: http.Request → gateway.Call → Gateway.Serve → gateway.Answer → http.ResponseWriter.
package edge

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// Options are what the machine decides.
type Options struct {
	Secret    func(name string) string // of the environment
	Log       io.Writer                // nil: nothing is logged
	Snapshots string                   // folder; "" keeps them in memory
	Room      int64                    // bytes of all snapshots; 0 means 1 GiB in a folder, 64 MiB in memory
	Proxied   bool                     // X-Forwarded-For and X-Forwarded-Proto end with what a proxy of ours adds
	BodyTime  time.Duration            // in which a body must arrive; 0 means 10 s
}

// Handler answers the gateway's addresses.
type Handler struct {
	gateway *gateway.Gateway
	host    *host
}

// New returns a handler.
func New(c *gateway.Config, o Options) (*Handler, error) {
	if o.BodyTime == 0 {
		o.BodyTime = 10 * time.Second
	}
	if o.Room == 0 {
		o.Room = 64 << 20
		if o.Snapshots != "" {
			o.Room = 1 << 30
		}
	}
	h := &host{Options: o, answers: gateway.Memory{Limit: 64 << 20, Life: 24 * time.Hour}, client: client()}
	h.rooms.Limit = 64 << 20
	if o.Snapshots == "" {
		h.kept = map[string][]byte{}
	} else if err := h.openFolder(); err != nil {
		return nil, err
	}
	return &Handler{gateway.New(c, h), h}, nil
}

// client sends to backends: no proxy of the environment, no redirect, no decompression.
func client() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            (&net.Dialer{Timeout: 3 * time.Second}).DialContext,
			TLSHandshakeTimeout:    5 * time.Second,
			MaxIdleConnsPerHost:    64,
			IdleConnTimeout:        time.Minute,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &gateway.Call{
		Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery,
		Origin: one(r.Header, "Origin"), Self: h.host.self(r), ContentType: one(r.Header, "Content-Type"),
		Encoding:      one(r.Header, "Content-Encoding"),
		Authorization: one(r.Header, "Authorization"), Asked: one(r.Header, "Access-Control-Request-Method"),
		Length: r.ContentLength, Client: h.host.who(r), Match: one(r.Header, "If-None-Match"),
		Body: func(limit int) ([]byte, error) {
			// not supported by a recorder in a test
			http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.host.BodyTime))
			b, err := within.All(http.MaxBytesReader(w, r.Body, int64(limit)), granted(r.ContentLength), int64(limit))
			var large *http.MaxBytesError
			if errors.As(err, &large) || errors.Is(err, within.ErrLong) {
				return nil, gateway.ErrTooLarge
			}
			return b, err
		},
	}
	a := h.serve(c)
	// no page sends chunks, and what came with a length too may end elsewhere for a proxy: nothing behind it is read
	if len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close")
	}
	for _, x := range a.Headers {
		w.Header().Set(x[0], x[1])
	}
	w.WriteHeader(a.Status)
	w.Write(a.Body)
}

// granted is what is taken for granted of the length that is announced, -1 where it is not.
func granted(announced int64) int64 { return min(max(announced, 0), 64<<10) }

// serve answers a call even where the gateway panics.
func (h *Handler) serve(c *gateway.Call) (a *gateway.Answer) {
	defer func() {
		if r := recover(); r != nil {
			h.host.Log([]byte(`{"level":"error","panic":true}`))
			a = gateway.Internal()
		}
	}()
	return h.gateway.Serve(c)
}

// one returns a header that stands in a request once; of one that appears twice, all, which no list has.
func one(h http.Header, name string) string { return strings.Join(h.Values(name), ",") }

// self is the origin under which the request came: a proxy of ours says in X-Forwarded-Proto whether it was asked by
// HTTPS. Hosts that are not ours are turned away before.
func (h *host) self(r *http.Request) string {
	if r.TLS != nil || h.Proxied && strings.EqualFold(last(r, "X-Forwarded-Proto"), "https") {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// host is the machine.
type host struct {
	Options
	ledger  gateway.Ledger
	answers gateway.Memory
	rooms   gateway.RoomMemory
	client  *http.Client

	mu   sync.Mutex
	kept map[string][]byte // snapshots in memory
	size int64             // of all snapshots
	log  sync.Mutex
}

// Shares implements gateway.Sharing: instances on one machine share the folder of snapshots, nothing else.
func (h *host) Shares(p gateway.Part) bool { return p == gateway.KeptSnapshots && h.Snapshots != "" }

func (h *host) Now() time.Time       { return time.Now() }
func (h *host) Wait(d time.Duration) { time.Sleep(d) }

// Store implements gateway.Host.
func (h *host) Store() gateway.Store { return h }

func (h *host) Rooms() gateway.Rooms { return &h.rooms }

// Random never fails: where the machine has no random bytes, the program ends.
func (h *host) Random(b []byte) { rand.Read(b) }

func (h *host) Secret(name string) string {
	if h.Options.Secret == nil {
		return ""
	}
	return h.Options.Secret(name)
}

func (h *host) Spend(client string, units int, first bool, l *gateway.Limits) (time.Duration, gateway.Refusal) {
	return h.ledger.Spend(client, units, first, time.Now(), l)
}

// who is the client.
func (h *host) who(r *http.Request) string {
	from, _, _ := net.SplitHostPort(r.RemoteAddr)
	if h.Proxied {
		from = last(r, "X-Forwarded-For")
	}
	return gateway.ClientOf(from)
}

// last is the last entry of a header that is a list, which our proxy wrote: those before it are the client's.
func last(r *http.Request, name string) string {
	list := strings.Split(one(r.Header, name), ",")
	return strings.TrimSpace(list[len(list)-1])
}

func (h *host) Fetch(u *gateway.Upstream) (*gateway.Reply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), u.Timeout)
	defer cancel()
	method, sent := "POST", io.Reader(bytes.NewReader(u.Body))
	if u.Body == nil {
		method, sent = "GET", nil
	}
	r, err := http.NewRequestWithContext(ctx, method, u.URL, sent)
	if err != nil {
		return nil, gateway.CutOff
	}
	for _, x := range u.Headers {
		r.Header.Set(x[0], x[1])
	}
	res, err := h.client.Do(r)
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case ctx.Err() != nil:
		return nil, gateway.TimedOut
	case errors.As(err, &op) && op.Op == "dial":
		return nil, gateway.Unreachable
	case errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.Is(err, http.ErrSchemeMismatch):
		return nil, gateway.Untrusted
	case err != nil:
		return nil, gateway.Dropped
	}
	defer res.Body.Close()
	body, err := within.All(res.Body, granted(res.ContentLength), int64(u.Limit))
	switch {
	case ctx.Err() != nil:
		return nil, gateway.TimedOut
	case errors.Is(err, within.ErrLong):
		return nil, gateway.CutOff
	case err != nil:
		return nil, gateway.Dropped
	}
	return &gateway.Reply{Status: res.StatusCode, Body: body, RetryAfter: res.Header.Get("Retry-After")}, nil
}

func (h *host) Recall(kind gateway.Kept, key string) ([]byte, bool) {
	switch {
	case kind == gateway.Answers:
		return h.answers.Get(key, time.Now())
	case h.kept == nil:
		b, err := within.FS(os.DirFS(h.Snapshots), key, h.Room) // what is longer than all of them may be is none
		return b, err == nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	b, ok := h.kept[key]
	return b, ok
}

var errRoom = errors.New("edge: no room for more snapshots")

func (h *host) Remember(kind gateway.Kept, key string, value []byte) error {
	if kind == gateway.Answers {
		h.answers.Put(key, value, time.Now())
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.size+int64(len(value)) > h.Room {
		return errRoom
	}
	if h.kept != nil {
		h.kept[key] = value
	} else if err := h.write(key, value); err != nil {
		return err
	}
	h.size += int64(len(value))
	return nil
}

// file is where a snapshot is kept. key is 64 hexadecimal digits: the gateway lets nothing else through.
func (h *host) file(key string) string { return filepath.Join(h.Snapshots, key) }

// write puts a whole file in place, or none.
func (h *host) write(key string, value []byte) error {
	f, err := os.CreateTemp(h.Snapshots, "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(value); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), h.file(key))
}

func (h *host) openFolder() error {
	if err := os.MkdirAll(h.Snapshots, 0o700); err != nil {
		return err
	}
	list, err := os.ReadDir(h.Snapshots)
	if err != nil {
		return err
	}
	for _, e := range list {
		if info, err := e.Info(); err == nil {
			h.size += info.Size()
		}
	}
	return nil
}

func (h *host) Log(line []byte) {
	if h.Options.Log == nil {
		return
	}
	h.log.Lock()
	defer h.log.Unlock()
	h.Options.Log.Write(append(line, '\n'))
}
