package gateway

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// line is a host whose service answers what is next in line, and again the last of it; each answer takes as long as is
// said.
type line struct {
	clock
	Ledger
	next    []next
	sent    []Upstream
	waits   []time.Duration
	logged  []string
	kept    map[string][]byte
	secrets map[string]string
	about   func(*Upstream) (*Reply, error) // what it says of itself; nil: nothing
}

// next is an answer of a service.
type next struct {
	status int
	body   string
	retry  string
	err    error
	takes  time.Duration
}

func (l *line) Now() time.Time          { return l.clock.now }
func (l *line) Wait(d time.Duration)    { l.waits = append(l.waits, d); l.clock.now = l.clock.now.Add(d) }
func (l *line) Secret(id string) string { return l.secrets[id] }
func (l *line) Store() Store            { return l }
func (l *line) Log(b []byte)            { l.logged = append(l.logged, string(b)) }
func (l *line) Recall(kind Kept, key string) ([]byte, bool) {
	b, ok := l.kept[string(kind)+key]
	return b, ok
}
func (l *line) Remember(kind Kept, key string, b []byte) error {
	if l.kept == nil {
		l.kept = map[string][]byte{}
	}
	l.kept[string(kind)+key] = b
	return nil
}
func (l *line) Spend(client string, units int, first bool, lim *Limits) (time.Duration, Refusal) {
	return l.Ledger.Spend(client, units, first, l.clock.now, lim)
}
func (l *line) Fetch(u *Upstream) (*Reply, error) {
	if u.Body == nil || strings.HasSuffix(u.URL, "/info") {
		if l.about != nil {
			return l.about(u)
		}
		return &Reply{Status: 404}, nil
	}
	at := *u
	at.Headers = slices.Clone(u.Headers)
	l.sent = append(l.sent, at)
	x := l.next[0]
	if len(l.next) > 1 {
		l.next = l.next[1:]
	}
	l.clock.now = l.clock.now.Add(x.takes)
	if x.err != nil {
		return nil, x.err
	}
	return &Reply{Status: x.status, Body: []byte(x.body), RetryAfter: x.retry}, nil
}

func parsed(t *testing.T, text string) *Config {
	t.Helper()
	c, err := ParseConfig([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func post(g *Gateway, path, body string) *Answer {
	return g.Serve(&Call{Method: "POST", Path: "/api/v1/" + path, ContentType: "application/json", Client: "192.0.2.1",
		Length: int64(len(body)), Body: func(int) ([]byte, error) { return []byte(body), nil }})
}

const (
	two = `{"backend":"cross","query":"q","fallback":false,"documents":[{"id":"a","text":"b"},` +
		`{"id":"c","text":"d"}]}`
	scored2  = `[{"index":0,"score":0.5},{"index":1,"score":0.75}]`
	oneNode  = `{"backends":[{"id":"cross","kind":"tei","url":"http://a","does":["rerank"]}]}`
	twoNodes = `{"backends":[{"id":"cross","kind":"tei","url":"http://a","also":["http://b"],"does":["rerank"]}]}`
)

// Requests are sent again where that may help and there is time, after a pause that doubles or that the service names;
// another node is asked at once.
func TestRequestsAreSentAgainWhereThatMayHelp(t *testing.T) {
	ms := time.Millisecond
	good := next{status: 200, body: scored2}
	for _, c := range []struct {
		name   string
		config string
		next   []next
		status int
		code   string
		urls   string // of the nodes asked
		waits  []time.Duration
		retry  string // Retry-After
	}{
		{"well at once", oneNode, []next{good}, 200, "", "a", nil, ""},
		{"created", oneNode, []next{{status: 201, body: scored2}}, 200, "", "a", nil, ""},
		{"busy once", oneNode, []next{{status: 503}, good}, 200, "", "aa", []time.Duration{100 * ms}, ""},
		{"busy twice", oneNode, []next{{status: 429}, {status: 503}, good}, 200, "", "aaa",
			[]time.Duration{100 * ms, 200 * ms}, ""},
		{"busy for good", oneNode, []next{{status: 503}}, 503, "busy", "aaa", []time.Duration{100 * ms, 200 * ms}, "1"},
		{"it names a pause", oneNode, []next{{status: 503, retry: "2"}, good}, 200, "", "aa",
			[]time.Duration{2 * time.Second}, ""},
		{"it names a day", oneNode, []next{{status: 503, retry: "86400"}}, 503, "busy", "a", nil, "86400"},
		{"it names more than a day", oneNode, []next{{status: 503, retry: "86401"}, good}, 200, "", "aa",
			[]time.Duration{100 * ms}, ""},
		{"it names less than nothing", oneNode, []next{{status: 503, retry: "-1"}, good}, 200, "", "aa",
			[]time.Duration{100 * ms}, ""},
		{"it names no time at all", oneNode, []next{{status: 503, retry: "0"}, good}, 200, "", "aa",
			[]time.Duration{100 * ms}, ""},
		{"the pause is longer than the deadline", oneNode, []next{{status: 503, retry: "15"}}, 503, "busy", "a", nil,
			"15"},
		{"unreachable once", oneNode, []next{{err: Unreachable}, good}, 200, "", "aa", []time.Duration{100 * ms}, ""},
		{"cut off while it answered", oneNode, []next{{err: Dropped}}, 502, "broken", "a", nil, ""},
		{"an answer that is too long", oneNode, []next{{err: CutOff}}, 502, "broken", "a", nil, ""},
		{"too slow", oneNode, []next{{err: TimedOut, takes: 15 * time.Second}}, 503, "busy", "a", nil, "1"},
		{"an error of the service", oneNode, []next{{status: 500}}, 502, "broken", "a", nil, ""},
		{"refused", oneNode, []next{{status: 422}}, 422, "refused", "a", nil, ""},
		{"another node", twoNodes, []next{{err: Unreachable}, good}, 200, "", "ab", []time.Duration{0}, ""},
		{"cut off, another node", twoNodes, []next{{err: Dropped}, good}, 200, "", "ab", []time.Duration{0}, ""},
		{"both busy, then the first again", twoNodes, []next{{status: 503}, {status: 503}, good}, 200, "", "aba",
			[]time.Duration{0, 200 * ms}, ""},
		{"both busy for good", twoNodes, []next{{status: 503}}, 503, "busy", "aba", []time.Duration{0, 200 * ms}, "1"},
		{"a request of the caller's is not sent to another node", twoNodes, []next{{status: 413}}, 422, "too-long", "a",
			nil, ""},
		{"no time for another", oneNode, []next{{status: 503, takes: 15*time.Second - 119*ms}}, 503, "busy", "a", nil,
			"1"},
		{"time for another", oneNode, []next{{status: 503, takes: 15*time.Second - 120*ms}, good}, 200, "", "aa",
			[]time.Duration{100 * ms}, ""},
	} {
		h := &line{next: slices.Clone(c.next)}
		a := post(New(parsed(t, c.config), h), "rerank", two)
		urls := ""
		for _, u := range h.sent {
			urls += strings.TrimSuffix(strings.TrimPrefix(u.URL, "http://"), "/rerank")
		}
		if a.Status != c.status || urls != c.urls || !slices.Equal(h.waits, c.waits) ||
			a.Header("Retry-After") != c.retry ||
			c.code != "" && !strings.Contains(string(a.Body), `"code":"`+c.code+`"`) {
			t.Errorf("%s: %d, nodes %s, waits %v, Retry-After %q, %s", c.name, a.Status, urls, h.waits,
				a.Header("Retry-After"), a.Body)
		}
		if n := fmt.Sprintf(`"sent":%d,`, len(c.urls)); !strings.Contains(h.logged[0], n) {
			t.Errorf("%s: %s, want %s", c.name, h.logged[0], n)
		}
	}
}

// A request has what is left of the deadline, and is not sent with less than a fiftieth of a second.
func TestRequestsHaveWhatIsLeftOfTheDeadline(t *testing.T) {
	h := &line{next: []next{{status: 503, takes: 5 * time.Second}, {status: 200, body: scored2}}}
	c := parsed(t, strings.Replace(oneNode, "{", `{"limits":{"deadline_ms":10000,"reply":4096},`, 1))
	if a := post(New(c, h), "rerank", two); a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	if h.sent[0].Timeout != 10*time.Second || h.sent[1].Timeout != 4900*time.Millisecond || h.sent[0].Limit != 4096 {
		t.Errorf("%v, then %v, %d bytes", h.sent[0].Timeout, h.sent[1].Timeout, h.sent[0].Limit)
	}
	for ms, want := range map[int]int{19: 503, 20: 200} {
		h := &line{next: []next{{status: 200, body: scored2}}}
		c := parsed(t, strings.Replace(oneNode, "{", fmt.Sprintf(`{"limits":{"deadline_ms":%d},`, ms), 1))
		if a := post(New(c, h), "rerank", two); a.Status != want || len(h.sent) != (want-503)/-303 {
			t.Errorf("%d ms: %d, %d sent", ms, a.Status, len(h.sent))
		}
	}
}

// The node that answered last is asked first.
func TestTheNodeThatAnsweredIsAskedFirst(t *testing.T) {
	h := &line{next: []next{{err: Unreachable}, {status: 200, body: scored2}}}
	g := New(parsed(t, twoNodes), h)
	post(g, "rerank", two)
	h.kept = nil
	post(g, "rerank", strings.Replace(two, `"q"`, `"r"`, 1))
	if len(h.sent) != 3 || h.sent[2].URL != "http://b/rerank" {
		t.Errorf("%d sent, the last to %s", len(h.sent), h.sent[len(h.sent)-1].URL)
	}
}

// A service that fails five times in a row is left alone for ten seconds, and what it answers that is not usable counts
// as a failure. A request that is the caller's own fault does not.
func TestAServiceThatFailsIsLeftAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		next next
		open bool
	}{
		{"an error", next{status: 500}, true},
		{"an answer that is none", next{status: 200, body: `[{"index":7,"score":1}]`}, true},
		{"too long a text", next{status: 413}, false},
		{"refused", next{status: 422}, false},
		{"well", next{status: 200, body: scored2}, false},
	} {
		h := &line{next: []next{c.next}}
		g := New(parsed(t, oneNode), h)
		for range 5 {
			h.kept = nil
			post(g, "rerank", two)
		}
		h.kept = nil
		before := len(h.sent)
		a := post(g, "rerank", two)
		if open := len(h.sent) == before; open != c.open ||
			open && (a.Status != 503 || a.Header("Retry-After") != "10") {
			t.Errorf("%s: open %v, %d, Retry-After %s", c.name, open, a.Status, a.Header("Retry-After"))
		}
		health := g.Serve(&Call{Method: "GET", Path: "/healthz"})
		want := `{"status":"ok","backends":{"cross":"closed"}}`
		if c.open {
			want = strings.Replace(want, "closed", "open", 1)
		}
		if string(health.Body) != want {
			t.Errorf("%s: %s", c.name, health.Body)
		}
	}
}

// The time that a service took is told apart from the edge's own, in the header and in the log.
func TestTimesAreToldApart(t *testing.T) {
	h := &line{next: []next{{status: 503, takes: 30 * time.Millisecond}, {status: 200, body: scored2, takes: 70 *
		time.Millisecond}}}
	a := post(New(parsed(t, oneNode), h), "rerank", two)
	if got := a.Header("Server-Timing"); got != "cache;desc=miss, upstream;dur=200.0, edge;dur=0.0" {
		t.Errorf("%s", got)
	}
	if !strings.HasSuffix(h.logged[0], `,"upstream_ms":200.0,"edge_ms":0.0}`) {
		t.Errorf("%s", h.logged[0])
	}
	for d, want := range map[time.Duration]string{0: "0.0", 99 * time.Microsecond: "0.0", 100 * time.Microsecond: "0.1",
		1550 * time.Microsecond: "1.5", 2 * time.Second: "2000.0"} {
		if got := milliseconds(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// A line of the log has every figure of its call, and only those that there are.
func TestALineOfTheLogHasTheFiguresOfItsCall(t *testing.T) {
	h := &line{next: []next{{status: 200, body: scored2}}}
	h.clock.now = time.Date(2026, 11, 26, 21, 0, 0, 45e6, time.UTC)
	g := New(parsed(t, oneNode), h)
	a := post(g, "rerank", two)
	want := fmt.Sprintf(`{"time":"2026-11-26T21:00:00.045Z","n":1,"route":"POST /api/v1/rerank","status":200,`+
		`"backend":"cross","cache":"miss","items":2,"units":2,"sent":1,"bytes":%d,"upstream_ms":0.0,"edge_ms":0.0}`,
		len(a.Body))
	if h.logged[0] != want {
		t.Errorf("%s\nwant %s", h.logged[0], want)
	}
	if post(g, "rerank", two); !strings.Contains(h.logged[1], `"n":2,`) ||
		!strings.Contains(h.logged[1], `"cache":"hit"`) || !strings.Contains(h.logged[1], `"sent":0,`) {
		t.Errorf("%s", h.logged[1])
	}
	h.next = []next{{status: 500}}
	post(g, "rerank", strings.Replace(strings.Replace(two, `"fallback":false,`, "", 1), `"q"`, `"r"`, 1))
	if l := h.logged[2]; !strings.Contains(l, `"fault":"broken"`) || !strings.Contains(l, `,"fallback":true,`) ||
		!strings.Contains(l, `"status":200`) {
		t.Errorf("%s", l)
	}
}

// Headers that a backend needs are sent; its secret as it wants it.
func TestSecretsAreSentAsTheKindWants(t *testing.T) {
	for kind, want := range map[string][2]string{"cohere": {"Authorization", "Bearer s3cret"}} {
		h := &line{next: []next{{status: 500}}, secrets: map[string]string{"KEY": "s3cret"}}
		config := strings.Replace(strings.Replace(oneNode, "tei", kind, 1), `"url"`, `"secret":"KEY","url"`, 1)
		post(New(parsed(t, config), h), "rerank", two)
		if !slices.Contains(h.sent[0].Headers, want) || !slices.Contains(h.sent[0].Headers, [2]string{"User-Agent",
			"rankbox-edge"}) {
			t.Errorf("%s: %v", kind, h.sent[0].Headers)
		}
		h = &line{next: []next{{status: 500}}}
		post(New(parsed(t, config), h), "rerank", two)
		for _, head := range h.sent[0].Headers {
			if head[0] == "Authorization" {
				t.Errorf("%s: %v without a secret", kind, head)
			}
		}
	}
}
