package gateway

import "time"

const (
	tripAfter = 5 // failures in a row
	restFor   = 10 * time.Second
)

// breaker keeps requests from a service that fails: after tripAfter failures in a row it is left alone for restFor,
// then tried with one request. It knows which of a cluster's nodes answered last, too. The gateway's lock guards it.
type breaker struct {
	failures int
	until    time.Time // not before
	probing  bool
	node     int     // the address that answered last
	last     failure // the last one
}

// enter says whether a request may be sent now.
func (b *breaker) enter(now time.Time) bool {
	if b.failures < tripAfter {
		return true
	}
	if b.probing && now.Before(b.until.Add(restFor)) || now.Before(b.until) {
		return false
	}
	b.probing = true
	return true
}

// leave counts how it went.
func (b *breaker) leave(ok bool, now time.Time) {
	b.probing = false
	if ok {
		b.failures = 0
		return
	}
	b.failures++
	b.until = now.Add(restFor)
}

// state is closed (all goes), open (left alone) or half-open (to be tried).
func (b *breaker) state(now time.Time) string {
	switch {
	case b.failures < tripAfter:
		return "closed"
	case now.Before(b.until):
		return "open"
	}
	return "half-open"
}
