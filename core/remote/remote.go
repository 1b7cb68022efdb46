// Package remote asks native backends through an edge, as docs/schemas/edge.openapi.json says, and keeps every
// answer under the hash of its question and of the identity that its backend declares: what was answered once
// is not asked again, and whoever has the answers needs neither the edge nor its keys. It opens no connection
// (a Send does) and ranks nothing (the stages do).
//
// Order of the pipeline: question → identity → hash → an answer that is kept, or one of at most InFlight
// requests → checked → kept.
package remote

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// InFlight is how many requests are on their way at once.
const InFlight = 8

// Reply is what an edge answered.
type Reply struct {
	Status int
	Body   []byte
	Retry  int // seconds after which to ask again, 0 where it does not say

	sent time.Time
}

// Send sends a request to a path of the edge and returns the whole answer, whatever its status. It may be called by
// several goroutines at once.
type Send func(method, path string, body []byte) (Reply, error)

// Error is why a backend gave nothing.
type Error struct {
	Backend string
	Why     string // a clause: "the edge cannot be reached"
	Unknown bool   // the edge has no backend of that name: no other question will be answered either
	Unasked bool   // it would have cost more than was allowed
	Passing bool   // the same question may be answered later

	rest   time.Duration // for which the service asks to be left alone
	unsent bool          // the edge sent nothing to it
}

func (e *Error) Error() string { return "remote: " + e.Backend + ": " + e.Why }

// ErrStopped is returned where Patient ended the wait for an edge that asks to come later.
var ErrStopped = say.Faultf("remote", "stopped while the edge asked to wait")

// longestWait is how often an edge may ask to wait for a minute before it counts as one that does not answer.
const longestWait = 10 * time.Minute

// Edge is an edge and what it answered. It may be used by several goroutines at once.
type Edge struct {
	// Patient is polled while the edge asks to wait; the wait ends where it returns false. nil waits.
	Patient func() bool
	// Keep is given every new answer as a line that Take reads; nil keeps in memory alone. Calls come one at a time.
	Keep func(line []byte) error
	// Waits is told of every wait that a person may wonder about; nil tells nobody.
	Waits func(Wait)

	send  Send
	slots chan struct{}

	asking    sync.Mutex // what it offers
	refused   error      // why it does not say, and when that was
	refusedAt time.Time

	making sync.Mutex
	made   map[string]any // by the key of Once

	mu      sync.Mutex
	answers map[string]kept // by keyOf
	begun   map[string]chan struct{}
	offer   *Offer
	sides   map[string]*side // by backend
	purse   *purse           // nil lets everything be asked
	ledger  *Ledger          // of the run that is under way, nil outside of one
	parked  *Ledger          // of the run before, which may go on
	later   time.Time        // before which the edge does not want to be asked
	most    int              // of requests that were on their way at once
	now     int
}

// New returns an edge that is asked by send; nil for one that is not there, whose answers are kept ones.
func New(send Send) *Edge {
	return &Edge{send: send, slots: make(chan struct{}, InFlight), answers: map[string]kept{},
		begun: map[string]chan struct{}{}, sides: map[string]*side{}}
}

// There reports whether there is an edge, or kept answers alone.
func (e *Edge) There() bool { return e.send != nil }

// Most is how many requests were on their way at once, at most.
func (e *Edge) Most() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.most
}

// keyOf is what an answer is kept under: the SHA-256 of a version, the backend's identity, the route and the
// body, a line each. Of a backend that declares none it is that of the route and the body, as the first version
// had it for all.
func keyOf(identity, route string, body []byte) string {
	if identity == "" {
		return sha256.Hex([]byte(route + "\n" + string(body)))
	}
	return sha256.Hex([]byte("2\n" + identity + "\n" + route + "\n" + string(body)))
}

// ask returns the answer to a question, from what is kept where it is there. Two that ask the same send it once.
func (e *Edge) ask(backend, route string, body []byte, price Bill) ([]byte, error) {
	for again := false; ; {
		identity, only, err := e.identity(backend)
		if err != nil {
			return nil, err
		}
		key := keyOf(identity, route, body)
		e.mu.Lock()
		if a, ok := e.answers[key]; ok {
			e.side(backend).used = true
			e.mu.Unlock()
			return a.body, nil
		}
		if only != nil {
			e.mu.Unlock()
			return nil, only
		}
		if l := e.ledger; l != nil {
			if err := l.refused(key); err != nil {
				e.mu.Unlock()
				return nil, err
			}
		}
		var mine *probe
		if l := e.ledger; l != nil && e.begun[key] == nil {
			var failed *Error
			if mine, failed = l.probe(backend); failed != nil {
				l.failed[key], l.tried[key] = failed, l.round
				e.mu.Unlock()
				return nil, failed
			}
			if _, ok := e.answers[key]; ok && mine == nil { // it came meanwhile
				e.mu.Unlock()
				continue
			}
		}
		other := e.begun[key]
		if other == nil && !e.pay(price) {
			if mine != nil {
				close(mine.over)
				e.ledger.probes[backend] = nil
			}
			e.mu.Unlock()
			return nil, &Error{Backend: backend, Why: "it was not asked: " + price.String() +
				" would be sent, and nobody allowed that", Unasked: true}
		}
		if other == nil {
			e.begun[key] = make(chan struct{})
		}
		e.mu.Unlock()
		if other != nil {
			<-other
			continue
		}
		a, err := e.post(backend, route, body)
		e.mu.Lock()
		close(e.begun[key])
		delete(e.begun, key)
		if err == nil {
			err = e.keep(key, backend, identity, a)
		}
		e.note(key, err)
		if mine != nil {
			mine.err, _ = err.(*Error)
			if l := e.ledger; l != nil && l.fell[key] != nil {
				mine.err = l.fell[key]
			}
			if l := e.ledger; l != nil && mine.err != nil { // one at a time until it answers
				l.resting[backend] = true
			}
			close(mine.over)
		}
		e.mu.Unlock()
		if c, ok := err.(*Changed); ok && e.replaced(c) && !again { // since the edge was asked what it offers
			again = true
			continue
		}
		if err != nil {
			return nil, err
		}
	}
}

// note writes what became of a question into the ledger. The lock is held.
func (e *Edge) note(key string, err error) {
	l := e.ledger
	if l == nil {
		return
	}
	failed, ok := err.(*Error)
	switch {
	case ok && !failed.Unasked:
		l.failed[key], l.tried[key] = failed, l.round
		l.count(key, failed)
		l.rests = max(l.rests, failed.rest)
	case err == nil:
		delete(l.failed, key)
	}
}

// keep takes a new answer, which must be of the identity that was asked. What fell back is kept in memory
// alone: it is asked again the next time.
func (e *Edge) keep(key, backend, identity string, answer []byte) error {
	if strings.IndexByte(string(answer), '\n') >= 0 {
		return &Error{Backend: backend, Why: "the edge's answer is none"}
	}
	of, ok := about(answer)
	if !ok {
		return &Error{Backend: backend, Why: "the edge's answer is none"}
	}
	if of.identity != identity {
		return &Changed{Backend: backend, Was: identity, Is: of.identity}
	}
	e.answers[key] = kept{answer, backend, identity}
	l := e.ledger
	if of.fellBack {
		if l != nil {
			l.fell[key] = &Error{Backend: backend, Why: of.why, Passing: true, unsent: of.unsent}
			l.count(key, l.fell[key])
		}
		return nil
	}
	e.side(backend).used = true
	if l != nil {
		if len(l.pending) == 0 {
			l.since = time.Now()
		}
		l.pending[backend] = append(l.pending[backend], pending{key, identity, answer, time.Now()})
		e.remember(backend, identity)
		return nil
	}
	if err := e.declare(backend, identity); err != nil || e.Keep == nil {
		return err
	}
	return e.Keep(line(key, answer))
}

// post sends a question and waits as the edge wants.
func (e *Edge) post(backend, route string, body []byte) ([]byte, error) {
	if e.send == nil {
		return nil, &Error{Backend: backend, Why: "there is no edge here, and the answer is not kept"}
	}
	r, err := e.patiently("POST", "/api/v1/"+route, body)
	switch {
	case err == ErrStopped:
		return nil, err
	case err != nil:
		return nil, &Error{Backend: backend, Why: "the edge cannot be reached", Passing: true}
	case r.Status != 200:
		p := readProblem(r.Body)
		// not 401, 404 or a redirect, be they what a service failed with before the edge left it alone
		passing := (p.code == "busy" || p.code == "internal" || p.code == "broken") &&
			(p.status < 300 || p.status == 408 || p.status == 429 || p.status >= 500)
		return nil, &Error{Backend: backend, Why: refusal(r), Unknown: p.code == "not-found", Passing: passing,
			rest: time.Duration(r.Retry) * time.Second, unsent: p.unsent}
	}
	return r.Body, nil
}

// patiently sends a request, one of at most InFlight, and again where the edge asks to come later.
func (e *Edge) patiently(method, path string, body []byte) (Reply, error) {
	e.slots <- struct{}{}
	defer func() { <-e.slots }()
	for began := time.Now(); ; {
		if err := e.wait(); err != nil {
			return Reply{}, err
		}
		e.count(1)
		sent := time.Now()
		r, err := e.send(method, path, body)
		r.sent = sent
		e.count(-1)
		if err != nil || r.Status != 429 || time.Since(began) >= longestWait || readProblem(r.Body).code != "rate" {
			return r, err
		}
		e.mu.Lock()
		rest := time.Duration(max(1, r.Retry)) * time.Second
		tell := time.Until(e.later) <= 0 // one of those that wait says so
		if t := time.Now().Add(rest); t.After(e.later) {
			e.later = t
		}
		told := e.Waits
		e.mu.Unlock()
		if tell && told != nil {
			told(Wait{For: rest, Why: "the edge's limit of requests a minute is used up"})
		}
	}
}

func (e *Edge) count(by int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now += by
	e.most = max(e.most, e.now)
}

// Wait is how long the edge wants not to be asked, 0 where it may be.
func (e *Edge) Wait() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return max(0, time.Until(e.later))
}

func (e *Edge) wait() error {
	for {
		left := e.Wait()
		if left == 0 {
			return nil
		}
		if err := e.sleep(time.Now().Add(left)); err != nil {
			return err
		}
	}
}

// refusal says why an edge answered with another status than 200.
func refusal(r Reply) string {
	p := readProblem(r.Body)
	if p.why != "" {
		return p.why
	}
	switch code := p.code; code {
	case "busy", "too-long", "unauthorised", "broken":
		return faultOf[code]
	case "refused", "invalid", "unsupported", "too-large":
		return "the request is refused (" + code + ")"
	case "not-found":
		return "the edge has no backend of that name for this"
	case "key":
		return ErrKey.Error()
	case "origin":
		return "the edge does not serve this page"
	case "tokens":
		return "the edge's daily budget of tokens is used up, for this client or for all"
	case "budget":
		return "the edge's daily budget for one client is used up"
	}
	return "the edge answered with status " + strconv.Itoa(r.Status)
}

// faultOf are the faults of services behind an edge that does not say more.
var faultOf = map[string]string{
	"busy":         "the service is busy, or did not answer in time",
	"too-long":     "a text is longer than its model reads",
	"unauthorised": "the service rejected the key of the edge",
	"broken":       "the service behind the edge failed",
	"refused":      "the service refused the request",
}

// problem is what a problem document says; the zero problem is none.
type problem struct {
	code   string
	why    string // of a failure behind the edge: a clause about the service
	status int    // of the service's answer, 0 without one
	unsent bool   // nothing was sent to it
}

// longestReason is how many bytes of a reason are passed on.
const longestReason = 400

func readProblem(body []byte) (p problem) {
	r := reader(body)
	object(r, map[string]func(){
		"code":            func() { p.code = r.String() },
		"why":             func() { p.why = reason(r.String()) },
		"unsent":          func() { p.unsent = r.Bool() },
		"upstream_status": func() { p.status = int(r.Int()) },
	})
	if r.End(); r.Err() != nil || len(p.code) > 20 {
		return problem{}
	}
	return p
}

// reason is the text of an edge about a service, as it may be shown: the clause follows "the service".
func reason(s string) string {
	if s == "" || len(s) > longestReason {
		return ""
	}
	s = say.Visible(s)
	if rest, ok := strings.CutPrefix(s, "it "); ok {
		return "the service " + rest
	}
	if rest, ok := strings.CutPrefix(s, "its "); ok {
		return "the service's " + rest
	}
	return s
}

func reader(b []byte) *jsontext.Reader {
	r := jsontext.New(nil, jsontext.Limits{Depth: 8})
	r.Reset(b)
	return r
}
