package gateway

import (
	"errors"
	"strconv"
	"time"

	"github.com/rankbox/rankbox/core/gateway/backend"
)

const (
	tries    = 3 // of one request
	pause    = 100 * time.Millisecond
	leastFor = 20 * time.Millisecond // no request is sent with less time than this
)

// send sends one request to a backend, again where that may help and there is time: after 429, 503, and where nothing
// was sent. It returns the fault and for how long the service asks to be left alone. An answer that read does not
// understand is a failure like any other, so that the breaker counts it.
func (w *work) send(b *Backend, r backend.Request, read func(body []byte) error) (fault backend.Fault,
	retry time.Duration) {
	w.mu.Lock()
	open := !w.breakers[b.ID].enter(w.host.Now())
	w.mu.Unlock()
	if open {
		w.metrics.upstream(b.ID, "open")
		return backend.Busy, restFor
	}
	body, fault, retry := w.tryAll(b, r)
	if fault == "" {
		switch err := read(body); {
		case err != nil && !errors.As(err, &fault):
			fault = backend.Broken
		case err == nil && b.SecretName != "":
			w.used += usage(body)
		}
	}
	ok := fault == "" || fault == backend.TooLong || fault == backend.Refused
	w.mu.Lock()
	w.breakers[b.ID].leave(ok, w.host.Now())
	w.mu.Unlock()
	if fault != "" {
		w.metrics.upstream(b.ID, string(fault))
	}
	return fault, retry
}

func (w *work) tryAll(b *Backend, r backend.Request) (body []byte, fault backend.Fault, retry time.Duration) {
	nodes := append([]string{b.URL}, b.Also...)
	w.mu.Lock()
	node := w.breakers[b.ID].node
	w.mu.Unlock()
	up := &Upstream{Body: r.Body, Limit: w.config.Limits.Reply, Headers: w.headers(b)}
	for try := 1; ; try++ {
		before := w.host.Now()
		if up.Timeout = w.until.Sub(before); up.Timeout < leastFor {
			return nil, backend.Busy, 0
		}
		up.URL = nodes[node%len(nodes)] + r.Path
		if b.Kind.Sign != "" {
			secret := w.host.Secret(b.SecretName)
			up.Headers = append(w.headers(b), signed(b.Kind.Sign, secret, up.URL, r.Body, before)...)
		}
		reply, err := w.host.Fetch(up)
		w.sent++
		w.upstream += w.host.Now().Sub(before)
		again := false
		retry = 0
		var failure FetchError
		switch {
		case errors.As(err, &failure) && (failure == Unreachable || failure == Dropped && len(nodes) > 1):
			// all that is asked only reads
			fault, again = backend.Busy, true
		case errors.As(err, &failure) && failure == TimedOut:
			return nil, backend.Busy, 0
		case err != nil:
			return nil, backend.Broken, 0
		case reply.Status == 200 || reply.Status == 201:
			w.mu.Lock()
			w.breakers[b.ID].node = node % len(nodes)
			w.mu.Unlock()
			return reply.Body, "", 0
		default:
			fault = b.Kind.FaultOf(reply.Status, reply.Body)
			again = fault == backend.Busy && (reply.Status == 429 || reply.Status == 503)
			retry = seconds(reply.RetryAfter)
		}
		wait := max(pause<<(try-1), retry)
		if again && try < len(nodes) { // another node need not be waited for
			wait = 0
		}
		node++
		if !again || try == max(tries, len(nodes)+1) || w.host.Now().Add(wait+leastFor).After(w.until) {
			return nil, fault, retry
		}
		w.metrics.upstream(b.ID, "retry")
		w.host.Wait(wait)
		w.upstream += wait
	}
}

// seconds reads a Retry-After in seconds; a date, or nonsense, is none.
func seconds(s string) time.Duration {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 86400 {
		return 0
	}
	return time.Duration(n) * time.Second
}

// ask sends a request whose answer read understands, and counts as broken what it does not.
func (w *work) ask(b *Backend, r backend.Request, read func(body []byte) error) *problem {
	fault, retry := w.send(b, r, read)
	if fault == "" {
		return nil
	}
	w.fault = fault
	return ofFault(fault, retry)
}

// remembered answers a call from what is kept, or produces the answer and keeps it where it may be kept.
// It costs n tokens.
func (w *work) remembered(b *Backend, canonical []byte, n func() int, produce func() (body []byte, keep bool,
	p *problem)) *Answer {
	w.identity = w.Gateway.identity(b)
	key := w.keyOf(b, w.identity, canonical)
	if body, ok := w.host.Store().Recall(Answers, key); ok {
		w.cache = "hit"
		return json(body)
	}
	w.cache = "miss"
	body, keep, p := w.paid(b, n(), produce)
	if p != nil {
		return w.problem(p)
	}
	if keep {
		w.host.Store().Remember(Answers, key, body) // what cannot be kept is asked for again
	}
	return json(body)
}
