// Package gateway is the policy between the page and the services behind it: which requests there are, what of them is
// refused before anything is sent, what is remembered, counted, tried again and given up. It opens no connection, reads
// no clock and no environment: a Host does, of which there is one for net/http and one for Cloudflare's workers. The
// services' formats are in package backend.
//
// Order of the pipeline: route → origin → rate and daily budget → caps and strict decoding → cache → breaker → batches,
// each sent with what is left of the deadline and tried again where that may help → the answer checked → cache →
// answer.
package gateway

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Host is what the gateway needs of the machine that it runs on. Its methods are called by several goroutines at once.
type Host interface {
	// Now is the time; where clocks stand still during a request, durations are too short.
	Now() time.Time
	// Wait returns after d.
	Wait(d time.Duration)
	// Secret returns the secret of that name, "" where there is none.
	Secret(name string) string
	// Fetch sends a request and returns the whole answer, whatever its status. It follows no redirect. It gives up
	// after r.Timeout, and
	// refuses an answer of more than r.Limit bytes.
	Fetch(r *Upstream) (*Reply, error)
	// Spend takes units from what a client may use, and says for how long it must wait where too little is left; first
	// is set for the one time that a call counts against the rate. A Ledger does it where there is one machine.
	Spend(client string, units int, first bool, l *Limits) (wait time.Duration, why Refusal)
	// Store is where the gateway stores answers, snapshots and votes.
	Store() Store
	// Random fills b with bytes that no one can guess.
	Random(b []byte)
	// Log takes one line of JSON.
	Log(line []byte)
}

// Store stores answers for a while, snapshots for good, and the votes of classes. Lost answers are asked for again.
type Store interface {
	Recall(kind Kept, key string) ([]byte, bool)
	Remember(kind Kept, key string, value []byte) error
	// Rooms is where votes are stored, nil if no place is the same for all who call.
	Rooms() Rooms
}

// Kept is a kind of stored thing.
type Kept string

const (
	Answers   Kept = "answers"
	Snapshots Kept = "snapshots"
)

// Upstream is a request to a service.
type Upstream struct {
	URL     string
	Headers [][2]string // all that are sent, but for the length
	Body    []byte      // sent by POST; nil is a GET
	Timeout time.Duration
	Limit   int // bytes of the answer
}

// Reply is what came back.
type Reply struct {
	Status     int
	Body       []byte
	RetryAfter string // the header of that name
}

// FetchError is why there is no Reply.
type FetchError string

const (
	Unreachable FetchError = "unreachable" // nothing was sent: it may be tried again
	TimedOut    FetchError = "timed out"
	Dropped     FetchError = "dropped" // the connection broke before the answer was whole
	CutOff      FetchError = "cut off" // the answer is longer than allowed
	// Untrusted: the certificate is not accepted, or TLS is not spoken
	Untrusted FetchError = "untrusted"
)

func (e FetchError) Error() string { return "gateway: fetch: " + string(e) }

// Call is a request as the host received it. Its headers are these and no others.
type Call struct {
	Method, Path  string // the path without query
	Query         string
	Origin        string // "" where the browser sent none
	Self          string // the origin under which the host serves the site, "" where it is not known
	ContentType   string
	Encoding      string // Content-Encoding
	Authorization string
	Length        int64  // as the client says, −1 where it does not
	Client        string // who is counted, by an address that the client cannot choose
	Match         string // If-None-Match
	// Body reads at most limit bytes; ErrTooLarge where there are more.
	Body func(limit int) ([]byte, error)
	// Preflight: Access-Control-Request-Method
	Asked string
}

// Answer is what the host sends back: Headers are all of them but for the length.
type Answer struct {
	Status  int
	Headers [][2]string
	Body    []byte
}

// Header returns the value of a header, "" where there is none.
func (a *Answer) Header(name string) string {
	for _, h := range a.Headers {
		if strings.EqualFold(h[0], name) {
			return h[1]
		}
	}
	return ""
}

func (a *Answer) set(name, value string) { a.Headers = append(a.Headers, [2]string{name, value}) }

// Gateway answers calls. It may be used by several goroutines at once.
type Gateway struct {
	config  *Config
	host    Host
	metrics metrics

	mu        sync.Mutex
	breakers  map[string]*breaker
	inspected map[string]inspected // by the id of a backend
	requests  uint64
	second    int64  // of the log's last line
	clock     string // that second as it is written
}

// New returns a gateway of a configuration.
func New(c *Config, h Host) *Gateway {
	g := &Gateway{config: c, host: h, breakers: map[string]*breaker{}, inspected: map[string]inspected{}}
	for i := range c.Backends {
		g.breakers[c.Backends[i].ID] = &breaker{}
	}
	return g
}

// work is one call on its way.
type work struct {
	*Gateway
	call  *Call
	start time.Time
	until time.Time // the deadline

	client string // who is counted: an address, or the id of a key
	limits Limits // of that client

	// what is logged, counted and timed
	route    string
	key      string // the id of the client's key
	backend  string
	cache    string // hit, miss, or "" where nothing is kept
	upstream time.Duration
	sent     int // requests to the service
	items    int
	units    int
	tokens   int     // that were taken from budgets
	used     int     // that the service said so far
	identity string  // of the backend
	failed   failure // of the last request
	fallback bool
	scores   []float64
	first    []string // the texts of the first documents of a reranked answer
}

// Route is one address of the interface.
type Route struct {
	Method, Path string // {sha256} and {code} match one part
	run          func(w *work, arg string) *Answer
	counts       counting
}

// counting is how a call counts against its client.
type counting int

const (
	asCall counting = iota
	asRoom          // at the rate of rooms
	asNone          // not at all, and it is open to every origin
)

// Routes are all of them.
var Routes = []Route{
	{"GET", "/api/v1/backends", (*work).discover, asCall},
	{"POST", "/api/v1/embed", (*work).embed, asCall},
	{"POST", "/api/v1/rerank", (*work).rerank, asCall},
	{"POST", "/api/v1/search", (*work).search, asCall},
	{"POST", "/api/v1/documents", (*work).documents, asCall},
	{"GET", "/api/v1/snapshots/{sha256}", (*work).readSnapshot, asCall},
	{"PUT", "/api/v1/snapshots/{sha256}", (*work).writeSnapshot, asCall},
	{"POST", "/api/v1/rooms", (*work).openRoom, asRoom},
	{"GET", "/api/v1/rooms/{code}", (*work).readRoom, asRoom},
	{"DELETE", "/api/v1/rooms/{code}", (*work).endRoom, asRoom},
	{"POST", "/api/v1/rooms/{code}/votes", (*work).vote, asRoom},
	{"POST", "/api/v1/rooms/{code}/question", (*work).nextQuestion, asRoom},
	{"POST", "/api/v1/rooms/{code}/close", (*work).closeQuestion, asRoom},
	{"POST", "/api/v1/rooms/{code}/show", (*work).showCounts, asRoom},
	{"GET", "/healthz", (*work).health, asNone},
	{"GET", "/metrics", (*work).prometheus, asNone},
}

// Owns says whether a path is the gateway's, so that a host that serves the site too knows whom to ask.
func Owns(path string) bool {
	return strings.HasPrefix(path, "/api/") || path == "/healthz" || path == "/metrics"
}

// Serve answers one call. It does not panic where the Host does not.
func (g *Gateway) Serve(c *Call) *Answer {
	w := &work{Gateway: g, call: c, start: g.host.Now(), route: "none"}
	w.until = w.start.Add(g.config.Limits.Deadline)
	a := w.answer()
	w.finish(a)
	return a
}

func (w *work) answer() *Answer {
	route, arg, methods := match(w.call)
	allowed, cors := w.origin()
	switch {
	case len(methods) == 0:
		return w.problem(notFound("no such address"))
	case w.call.Method == "OPTIONS":
		return w.preflight(allowed, methods)
	case route == nil:
		a := w.problem(&problem{status: 405, code: "method", title: "Method not allowed",
			detail: "use " + strings.Join(methods, " or ")})
		a.set("Allow", strings.Join(append(methods, "OPTIONS"), ", "))
		return a
	case !allowed && route.counts != asNone:
		return w.problem(&problem{status: 403, code: "origin", title: "Origin not allowed",
			detail: "this page may not use this edge"})
	}
	w.route = route.Method + " " + route.Path
	var p *problem
	switch route.counts {
	case asCall:
		if p = w.admit(); p == nil {
			p = w.spend(1, true)
		}
	case asRoom:
		p = w.enter()
	}
	if p != nil {
		a := w.problem(p)
		if p.code == "key" {
			a.set("WWW-Authenticate", `Bearer realm="edge"`)
		}
		return w.withCORS(a, cors)
	}
	a := route.run(w, arg)
	if w.call.Method == "HEAD" {
		a.Body = nil
	}
	return w.withCORS(a, cors)
}

// match finds the route, and the methods of the routes that have the path.
func match(c *Call) (route *Route, arg string, methods []string) {
	method := c.Method
	if method == "HEAD" {
		method = "GET"
	}
	for i := range Routes {
		r := &Routes[i]
		part, ok := r.part(c.Path)
		if !ok {
			continue
		}
		methods = append(methods, r.Method)
		if r.Method == method {
			route, arg = r, part
		}
	}
	return route, arg, methods
}

// part says whether a path is that of the route, and returns its part in braces.
func (r *Route) part(path string) (part string, ok bool) {
	stem, rest, has := strings.Cut(r.Path, "{")
	if !has {
		return "", r.Path == path
	}
	name, end, _ := strings.Cut(rest, "}")
	if part, ok = strings.CutPrefix(path, stem); ok {
		part, ok = strings.CutSuffix(part, end)
	}
	return part, ok && (name == "code" && isCode(part) || name == "sha256" && isHash(part))
}

// spend takes units from the client's account.
func (w *work) spend(units int, first bool) *problem {
	if units == 0 {
		return nil
	}
	w.units += units
	wait, why := w.host.Spend(w.client, units, first, &w.limits)
	if why == "" {
		return w.spendOfAll(units)
	}
	// less than a nanosecond is one: who is refused hears when
	p := &problem{status: 429, code: string(why), title: "Too many requests", detail: "wait, then ask again",
		retry: max(wait, 1)}
	if why == OverBudget {
		p.title, p.detail = "Daily budget used up", "the budget of this client is restored at 00:00 UTC"
	}
	return p
}

// spendOfAll takes units from the account of all clients together. A call that it refuses costs its client nothing but
// its place in the minute.
func (w *work) spendOfAll(units int) *problem {
	if w.limits.AllPerDay == 0 {
		return nil
	}
	wait, why := w.host.Spend(together, units, false, &Limits{PerMinute: 1, PerDay: w.limits.AllPerDay})
	if why == "" {
		return nil
	}
	w.host.Spend(w.client, -units, false, &Limits{PerMinute: w.limits.PerMinute, PerDay: math.MaxInt})
	return &problem{status: 429, code: string(OverBudget), title: "Daily budget used up",
		detail: "the budget of this edge is restored at 00:00 UTC", retry: max(wait, 1)}
}

// finish adds the headers that every answer has, counts the call and logs it.
func (w *work) finish(a *Answer) {
	total := w.host.Now().Sub(w.start)
	edge := max(total-w.upstream, 0)
	timing := ""
	if w.cache != "" {
		timing = "cache;desc=" + w.cache + ", "
	}
	a.set("Server-Timing", timing+"upstream;dur="+milliseconds(w.upstream)+", edge;dur="+milliseconds(edge))
	a.set("X-Content-Type-Options", "nosniff")
	if a.Header("Content-Security-Policy") == "" {
		a.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	}
	if a.Header("Cache-Control") == "" {
		a.set("Cache-Control", "no-store")
	}
	if a.Header("Vary") == "" {
		a.set("Vary", "Origin")
	}
	w.metrics.count(w, a, total)
	w.mu.Lock()
	w.requests++
	n := w.requests
	// writing a time costs more than the rest of the line
	if at := w.start.Unix(); !w.config.Quiet && (at != w.second || w.clock == "") {
		w.second, w.clock = at, w.start.UTC().Format("2006-01-02T15:04:05")
	}
	clock := w.clock
	w.mu.Unlock()
	if !w.config.Quiet {
		w.host.Log(w.line(n, clock, a, edge))
	}
}

// line is the log's: ids, sizes and times; no text, no key, no address. clock is the second in which the call began.
func (w *work) line(n uint64, clock string, a *Answer, edge time.Duration) []byte {
	ms := w.start.Nanosecond() / 1e6
	b := append(append(make([]byte, 0, 384), `{"time":"`...), clock...)
	b = append(b, '.', '0'+byte(ms/100), '0'+byte(ms/10%10), '0'+byte(ms%10), 'Z', '"')
	text := func(name, value string) {
		if value != "" {
			b = append(append(append(append(append(b, `,"`...), name...), `":"`...), value...), '"')
		}
	}
	number := func(name string, value int) {
		b = strconv.AppendInt(append(append(append(b, `,"`...), name...), `":`...), int64(value), 10)
	}
	number("n", int(n))
	text("route", w.route)
	text("key", w.key)
	number("status", a.Status)
	text("backend", w.backend)
	text("cache", w.cache)
	text("fault", string(w.failed.fault))
	if w.failed.fault != "" {
		text("why", w.failed.why)
		number("upstream_status", w.failed.status)
	}
	number("items", w.items)
	number("units", w.units)
	if w.tokens > 0 {
		number("tokens", w.tokens)
	}
	number("sent", w.sent)
	number("bytes", len(a.Body))
	if w.fallback {
		b = append(b, `,"fallback":true`...)
	}
	b = append(append(append(b, `,"upstream_ms":`...), milliseconds(w.upstream)...), `,"edge_ms":`...)
	return append(append(b, milliseconds(edge)...), '}')
}

// milliseconds to a tenth: more would tell a caller more about the machine than it needs.
func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds()/100)/10, 'f', 1, 64)
}

// json is an answer of status 200.
func json(body []byte) *Answer {
	return &Answer{Status: 200, Headers: [][2]string{{"Content-Type", "application/json"}}, Body: body}
}

func (w *work) health(string) *Answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := []byte(`{"status":"ok","backends":{`)
	for i := range w.config.Backends {
		id := w.config.Backends[i].ID
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `"`+id+`":"`+w.breakers[id].state(w.host.Now())+`"`...)
	}
	return json(append(b, "}}"...))
}

// discover lists what there is, and what the answers of each backend depend on. It names no address.
func (w *work) discover(string) *Answer {
	done := make(chan bool)
	for i := range w.config.Backends {
		go func() { w.told(&w.config.Backends[i], true); done <- true }()
	}
	for range w.config.Backends {
		<-done
	}
	b := []byte(`{"backends":[`)
	for i := range w.config.Backends {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.describe(b, &w.config.Backends[i])
	}
	b = append(b, `],"snapshots":`+strconv.FormatBool(w.config.Snapshots)+`,"rooms":`+
		strconv.FormatBool(w.rooms() != nil)+`,"limits":`...)
	b = append(w.limits.describe(b), `,"age_ms":{`...)
	now, comma := w.host.Now(), ""
	for i := range w.config.Backends {
		age, inspected, known := w.age(&w.config.Backends[i], now)
		if !inspected {
			continue
		}
		ms := "-1"
		if known {
			ms = strconv.FormatInt(age.Milliseconds()+1, 10) // rounded up: nobody may take it for younger
		}
		b = append(b, comma+`"`+w.config.Backends[i].ID+`":`+ms...)
		comma = ","
	}
	return json(append(b, "}}"...))
}
