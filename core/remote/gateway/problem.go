package gateway

import (
	"strconv"
	"time"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// problem is an error as RFC 9457 has it. Its words are the gateway's own: never those of a service, never a value of
// the request.
type problem struct {
	status        int
	code          string // the end of its type, and what programs go by
	title, detail string
	pointer       string // RFC 6901: where in the request
	retry         time.Duration

	// of a failure behind the edge:
	why      string // a clause about the service
	upstream int    // the status of its answer, 0 without one
	unsent   bool   // nothing was sent to it
}

// Problems are the codes that answers may have, with what each means.
var Problems = []struct{ Code, About string }{
	{"not-found", "no such address, backend, snapshot or room"},
	{"method", "the address has no such method"},
	{"origin", "the page's origin is not on the list of the edge"},
	{"type", "the body is not application/json, or is encoded"},
	{"too-large", "the body, a text, a list or a number is over its cap"},
	{"invalid", "the body is not JSON, has a field that is not known, twice, missing or of the wrong type"},
	{"unsupported", "the backend does not do that"},
	{"hash", "the body does not match its address"},
	{string(TooFast), "more requests in a minute than one client may make"},
	{string(OverBudget), "more work in a day than one client may ask for"},
	{"tokens", "more tokens in a day than one client, or all together, may have paid for"},
	{string(backend.Busy), "the service is busy, or did not answer in time"},
	{string(backend.TooLong), "a text is longer than the model's limit"},
	{string(backend.Refused), "the service rejected the request"},
	{string(backend.Unauthorised), "the service rejected the key of the edge"},
	{string(backend.Broken), "the service's answer is not usable"},
	{"key", "the edge is private, and the call has no key of it, or one that expired or was revoked"},
	{"closed", "the question of the room is closed, or another one is asked"},
	{"full", "as many phones have voted as a room may have"},
	{"secret", "the room has another secret"},
	{"internal", "the edge itself failed"},
}

func (p *problem) Error() string { return "gateway: " + p.code + ": " + p.detail }

func notFound(detail string) *problem {
	return &problem{status: 404, code: "not-found", title: "Not found", detail: detail}
}

func invalid(pointer, detail string) *problem {
	return &problem{status: 400, code: "invalid", title: "Invalid request", detail: detail, pointer: pointer}
}

func tooLarge(pointer, detail string) *problem {
	return &problem{status: 413, code: "too-large", title: "Too large", detail: detail, pointer: pointer}
}

func unsupported(pointer, detail string) *problem {
	return &problem{status: 422, code: "unsupported", title: "Not supported", detail: detail, pointer: pointer}
}

// ofFault says to the page what went wrong behind the edge.
func ofFault(f failure) *problem {
	p := &problem{code: string(f.fault), title: "Backend failed", upstream: f.status, why: f.why, unsent: f.unsent,
		detail: "the backend gave no answer: " + f.why}
	switch f.fault {
	case backend.Busy:
		p.status, p.retry = 503, max(f.retry, time.Second)
	case backend.TooLong, backend.Refused:
		p.status = 422
	default:
		p.status = 502
	}
	return p
}

// Internal is the answer of a host where the gateway itself failed.
func Internal() *Answer {
	return answerOf(&problem{status: 500, code: "internal", title: "Internal error",
		detail: "the edge failed; the request may be sent again"})
}

func (w *work) problem(p *problem) *Answer { return answerOf(p) }

func answerOf(p *problem) *Answer {
	b := []byte(`{"type":"urn:rankbox:problem:` + p.code + `","title":`)
	b = jsontext.AppendQuote(b, p.title)
	b = append(b, `,"status":`+strconv.Itoa(p.status)+`,"detail":`...)
	b = jsontext.AppendQuote(b, p.detail)
	b = append(b, `,"code":"`+p.code+`"`...)
	if p.pointer != "" {
		b = append(b, `,"pointer":`...)
		b = jsontext.AppendQuote(b, p.pointer)
	}
	if p.why != "" {
		b = jsontext.AppendQuote(append(b, `,"why":`...), p.why)
	}
	if p.unsent {
		b = append(b, `,"unsent":true`...)
	}
	if p.upstream != 0 {
		b = append(b, `,"upstream_status":`+strconv.Itoa(p.upstream)...)
	}
	a := &Answer{Status: p.status, Headers: [][2]string{{"Content-Type", "application/problem+json"}},
		Body: append(b, '}')}
	if p.retry > 0 {
		a.set("Retry-After", strconv.Itoa(int((p.retry+time.Second-1)/time.Second)))
	}
	return a
}
