package gateway

import (
	"bytes"
	"errors"
	"strconv"
	"time"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

const (
	tries    = 3 // of one request
	pause    = 100 * time.Millisecond
	leastFor = 20 * time.Millisecond // no request is sent with less time than this
)

// failure is why a service gave no usable answer; the zero failure is a success.
type failure struct {
	fault  backend.Fault
	status int           // of the service's answer, 0 without one
	why    string        // a clause in the gateway's words: "it answers with status 404: …"
	retry  time.Duration // for how long the service asks to be left alone
	unsent bool          // nothing was sent
}

// send sends one request to a backend, again where that may help and there is time: after 429, 503, and where nothing
// was sent. An answer that read does not understand is a failure like any other, so that the breaker counts it.
func (w *work) send(b *Backend, r backend.Request, read func(body []byte) error) failure {
	now := w.host.Now()
	w.mu.Lock()
	open, last, until := !w.breakers[b.ID].enter(now), w.breakers[b.ID].last, w.breakers[b.ID].until
	w.mu.Unlock()
	if open {
		w.metrics.upstream(b.ID, "open")
		left := max(until.Sub(now), time.Second)
		return failure{fault: backend.Busy, unsent: true, retry: left, status: last.status, why: "the edge sends nothing to the service for " +
			strconv.Itoa(int(restFor.Seconds())) + " s after " + strconv.Itoa(tripAfter) +
			" failures in a row, the last because " + last.why}
	}
	body, f := w.tryAll(b, r)
	if f.fault == "" {
		switch err := read(body); {
		case err != nil:
			f = failure{fault: backend.Broken, status: f.status, why: unreadable(b.Kind.Name, body, err)}
			errors.As(err, &f.fault)
		case b.SecretName != "":
			w.used += usage(body)
		}
	}
	// a service that asks to come later is there
	ok := f.fault == "" || f.fault == backend.TooLong || f.fault == backend.Refused || f.status == 429
	w.mu.Lock()
	w.breakers[b.ID].leave(ok, w.host.Now())
	if !ok {
		w.breakers[b.ID].last = f
	}
	w.mu.Unlock()
	if f.fault != "" {
		w.metrics.upstream(b.ID, string(f.fault))
	}
	return f
}

// unreadable says what is wrong with an answer of status 200. Nothing of the answer is repeated.
func unreadable(kind string, body []byte, err error) string {
	text := bytes.TrimLeft(body, " \t\r\n\ufeff")
	switch {
	case errors.Is(err, errTwice):
		return "its answer names a document twice"
	case errors.Is(err, errTooMany):
		return "its answer has more documents than were asked for"
	case len(text) == 0:
		return "its answer is empty"
	case text[0] == '<':
		return "it answers with HTML or XML, not JSON. Check the address: a proxy or a login page may stand before it"
	case text[0] != '{' && text[0] != '[':
		return "its answer is not JSON"
	}
	r := jsontext.New(nil, jsontext.Limits{Depth: 64})
	r.Reset(text)
	r.Skip()
	r.End()
	if r.Err() != nil {
		return "its answer is JSON that is cut off or damaged"
	}
	return "its answer is JSON, but not an answer of the kind " + kind + ". Check the kind in the edge's configuration"
}

// ofStatus says what a status means that is no success.
func ofStatus(b *Backend, status int) string {
	text := "it answers with status " + strconv.Itoa(status)
	switch {
	case status == 401 || status == 403:
		text += ": it rejects the key of the edge"
	case status == 402:
		text += ": its account is empty"
	case status == 404 && b.By == backend.ByPoint:
		text += ": the point in time has ended"
	case status == 404 && b.Settings.Index != "":
		text += ": it has no index of the configured name, or another address"
	case status == 404:
		text += ": it has no such model or address"
	case status == 408 || status == 504:
		text += ": it, or a proxy before it, ran out of time"
	case status == 413:
		text += ": the request is too large for it"
	case status == 429:
		text += ": too many requests"
	case status == 502 || status == 503:
		text += ": it is overloaded, or a proxy does not reach it"
	case status == 400 || status == 422:
		text += ": it does not take the request"
	case status >= 500:
		text += ": an error within the service"
	case status >= 300 && status < 400:
		text += ": a redirect, which the edge does not follow"
	}
	return text
}

// withoutAnswer says why there is no answer.
func withoutAnswer(err error, after time.Duration) string {
	var f FetchError
	errors.As(err, &f)
	switch f {
	case Unreachable:
		return "nothing answers at its address"
	case TimedOut:
		return "it did not answer within " + strconv.FormatFloat(after.Seconds(), 'f', 1, 64) + " s"
	case CutOff:
		return "its answer is longer than the edge reads"
	case Untrusted:
		return "its certificate is not accepted, or it does not speak TLS"
	}
	return "the connection broke before the answer was whole"
}

func (w *work) tryAll(b *Backend, r backend.Request) (body []byte, f failure) {
	nodes := append([]string{b.URL}, b.Also...)
	w.mu.Lock()
	node := w.breakers[b.ID].node
	w.mu.Unlock()
	up := &Upstream{Body: r.Body, Limit: w.config.Limits.Reply, Headers: w.headers(b)}
	for try := 1; ; try++ {
		before := w.host.Now()
		if up.Timeout = w.until.Sub(before); up.Timeout < leastFor {
			return nil, failure{fault: backend.Busy, why: withoutAnswer(TimedOut, w.config.Limits.Deadline)}
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
		var why FetchError
		switch {
		case errors.As(err, &why) && (why == Unreachable || why == Dropped && len(nodes) > 1):
			// all that is asked only reads
			f, again = failure{fault: backend.Busy}, true
		case errors.As(err, &why) && why == TimedOut:
			f = failure{fault: backend.Busy}
		case err != nil:
			f = failure{fault: backend.Broken}
		case reply.Status == 200 || reply.Status == 201:
			w.mu.Lock()
			w.breakers[b.ID].node = node % len(nodes)
			w.mu.Unlock()
			return reply.Body, failure{status: reply.Status}
		default:
			f = failure{fault: b.Kind.FaultOf(reply.Status, reply.Body), status: reply.Status,
				why: ofStatus(b, reply.Status), retry: seconds(reply.RetryAfter)}
			again = f.fault == backend.Busy && (reply.Status == 429 || reply.Status == 503)
			if f.fault == backend.TooLong {
				f.why = "a text is longer than its model reads"
			}
		}
		if err != nil {
			f.why = withoutAnswer(err, up.Timeout)
		}
		wait := max(pause<<(try-1), f.retry)
		if again && try < len(nodes) { // another node need not be waited for
			wait = 0
		}
		node++
		if !again || try == max(tries, len(nodes)+1) || w.host.Now().Add(wait+leastFor).After(w.until) {
			return nil, f
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
	w.failed = w.send(b, r, read)
	if w.failed.fault == "" {
		return nil
	}
	return ofFault(w.failed)
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
