package gateway

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// Each configuration has one thing wrong, and the error names it.
func TestParseConfigSaysWhatIsWrong(t *testing.T) {
	with := func(more string) string {
		return `{"backends":[{"id":"a","kind":"tei","url":"http://h","does":["embed"]` + more + `}]}`
	}
	for _, c := range []struct{ name, text, part string }{
		{"not JSON", `{`, "line 1"},
		{"an unknown member", `{"backend":[]}`, "is unknown"},
		{"an unknown member within", with(`,"key":"sk"`), "/backends/0: a member is unknown"},
		{"a limit that is none", `{"limits":{"perMinute":1}}`, "/limits"},
		{"a limit of 0", `{"limits":{"items":0}}`, "/limits/items: less than 1"},
		{"a kind that is none", strings.Replace(with(""), "tei", "oracle", 1), "unknown kind"},
		{"an id that is an address", strings.Replace(with(""), `"a"`, `"a.b"`, 1), "an id is"},
		{"a user in the url", strings.Replace(with(""), "http://h", "http://u@h", 1), "url is not"},
		{"another scheme", strings.Replace(with(""), "http://h", "file:///etc", 1), "url is not"},
		{"no purpose", strings.Replace(with(""), `["embed"]`, `[]`, 1), "does is empty"},
		{"another purpose", strings.Replace(with(""), `["embed"]`, `["search"]`, 1), "does not"},
		{"twice", `{"backends":[{"id":"a","kind":"tei","url":"http://h","does":["embed"]},{"id":"a","kind":"tei",` +
			`"url":"http://h","does":["embed"]}]}`, "twice"},
		{"an output that it has not",
			`{"backends":[{"id":"a","kind":"openai","url":"http://h","does":["embed"],"outputs":["tokens"]}]}`,
			"no output"},
		{"an index that leads elsewhere",
			`{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"],"index":"../_all"}]}`,
			"not a plain name"},
		{"no index", `{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"]}]}`,
			"needs an index"},
		{"a template that is none",
			`{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"],"index":"i",` +
				`"templates":{"bm25":"{\"q\":\"$body\"}"}}]}`, "there is no $body"},
		{"an embedder that is none",
			`{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"],"index":"i",` +
				`"embedder":"b"}]}`, "does not embed"},
		{"texts of what does not search", with(`,"text_field":"t"`), "are for backends that search"},
		{"texts without a field of the id", `{"backends":[{"id":"a","kind":"qdrant","url":"http://h",` +
			`"does":["search"],"index":"i","text_field":"t"}]}`, "need an id_field"},
		{"a field that is a query", `{"backends":[{"id":"a","kind":"weaviate","url":"http://h","does":["search"],` +
			`"index":"I","id_field":"d","text_field":"t } } x"}]}`, "plain names"},
		{"no id_field for Meilisearch", `{"backends":[{"id":"a","kind":"meilisearch","url":"http://h",` +
			`"does":["search"],"index":"i"}]}`, "an id_field"},
		{"nothing describes it", strings.Replace(with(""), "tei", "http", 1), "needs a member http"},
		{"a description of another kind", with(`,"http":{}`), "no other kind has one"},
		{"a description that is none", strings.Replace(with(`,"http":{"embed":{"path":"/e","list":""}}`), "tei",
			"http", 1), "embed has no body"},
		{"every origin", `{"origins":["*"]}`, "origin"},
		{"no origin", `{"origins":["null"]}`, "origin"},
		{"an origin with a path", `{"origins":["https://a.example/x"]}`, "origin"},
	} {
		if _, err := ParseConfig([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, want %s", c.name, err, c.part)
		}
	}
	c, err := ParseConfig([]byte(with("")))
	if err != nil || c.Limits != Defaults || len(c.Backends[0].Outputs) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

// logging is a host that counts the lines of its log.
type logging struct {
	clock
	lines int
}

func (l *logging) Log([]byte) { l.lines++ }

// A template is JSON, or a string of JSON, as earlier versions took it: the same backend.
func TestATemplateIsJSON(t *testing.T) {
	config := func(template string) *Config {
		t.Helper()
		c, err := ParseConfig([]byte(`{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"],` +
			`"index":"i","templates":{"bm25":` + template + `}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	as := func(template string) string { return string(config(template).Backends[0].Settings.Templates["bm25"]) }
	text := `{"size":"$k","query":{"match":{"${index}":"$query"}}}`
	if got := as(text); got != text || as(strconv.Quote(text)) != text {
		t.Errorf("%s, want %s", got, text)
	}
	if _, err := ParseConfig([]byte(`{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"],` +
		`"index":"i","templates":{"bm25":{"q":"$body"}}}]}`)); err == nil ||
		!strings.Contains(err.Error(), "there is no $body") {
		t.Error(err)
	}
}

// Where a configuration says quiet, no call has a line in the log, and all are counted all the same.
func TestQuiet(t *testing.T) {
	for text, lines := range map[string]int{`{}`: 2, `{"quiet":false}`: 2, `{"quiet":true}`: 0} {
		c, err := ParseConfig([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		h := &logging{}
		g := New(c, h)
		for _, path := range []string{"/healthz", "/nothing"} {
			g.Serve(&Call{Method: "GET", Path: path})
		}
		if h.lines != lines || !strings.Contains(string(g.metrics.text(g.host)),
			`rankbox_requests_total{route="GET /healthz",status="200",isolate="00000000"} 1`) {
			t.Errorf("%s: %d lines, want %d; %s", text, h.lines, lines, g.metrics.text(g.host))
		}
	}
}

// reading is a host that keeps the last line of its log.
type reading struct {
	clock
	line string
}

func (r *reading) Log(b []byte) { r.line = string(b) }

// A line of the log has the time at which its call began, to the millisecond, in UTC, whatever the lines before it
// have.
func TestTimeOfALine(t *testing.T) {
	c, err := ParseConfig([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	h := &reading{}
	g := New(c, h)
	start := time.Date(2026, 2, 28, 23, 59, 59, 0, time.FixedZone("", 3600))
	for _, x := range []struct {
		ms   int
		want string
	}{
		{7, "2026-02-28T22:59:59.007Z"}, {999, "2026-02-28T22:59:59.999Z"}, {1250, "2026-02-28T23:00:00.250Z"},
		{7, "2026-02-28T22:59:59.007Z"},
		{3_601_000, "2026-03-01T00:00:00.000Z"},
	} {
		h.now = start.Add(time.Duration(x.ms) * time.Millisecond)
		g.Serve(&Call{Method: "GET", Path: "/healthz"})
		if !strings.HasPrefix(h.line, `{"time":"`+x.want+`","n":`) {
			t.Errorf("%d ms: %s, want %s", x.ms, h.line, x.want)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`{"origins":["https://a.example"],"limits":{"items":1},"backends":[{"id":"a","kind":"opensearch",` +
		`"url":"http://h","does":["search"],"index":"i","templates":{"bm25":"{}"}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseConfig(b)
		if err != nil {
			return
		}
		for _, x := range c.Backends {
			if !isID(x.ID) || x.Kind == nil || !strings.HasPrefix(x.URL, "http") {
				t.Errorf("%q: %+v", b, x)
			}
		}
	})
}

func TestClientOf(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8::1": "2001:db8:0:0::/64",
		"2001:DB8:0:0:1:2:3:4": "2001:db8:0:0::/64", "::1": "0:0:0:0::/64", "fe80::1%eth0": "fe80:0:0:0::/64",
		"1:2:3:4:5:6:7::": "1:2:3:4::/64",
		"":                "unknown", "unix": "unknown", "1.2.3": "unknown", "1.2.3.256": "unknown",
		"01.2.3.4": "unknown", "1:2:3": "unknown", "::g": "unknown", "1:2:3:4:5:6:7:8:9": "unknown",
		"1::2::3": "unknown", ":1.2.3.4": "unknown", "::12345": "unknown",
	} {
		if got := ClientOf(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// 120 a minute are two a second.
func TestALedgerFillsByItsRate(t *testing.T) {
	var l Ledger
	lim := &Limits{PerMinute: 120, PerDay: 1000}
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for range 120 {
		l.Spend("a", 1, true, now, lim)
	}
	now = now.Add(time.Second)
	for i, want := range []Refusal{"", "", TooFast} {
		if _, why := l.Spend("a", 1, true, now, lim); why != want {
			t.Errorf("request %d after a second: %q, want %q", i+1, why, want)
		}
	}
}

// 60 a minute is one a second: computed by hand.
func TestLedger(t *testing.T) {
	var l Ledger
	lim := &Limits{PerMinute: 60, PerDay: 100}
	now := time.Date(2026, 1, 1, 23, 59, 0, 0, time.UTC)
	for i := range 60 {
		if _, why := l.Spend("a", 1, true, now, lim); why != "" {
			t.Fatalf("%d: %s", i, why)
		}
	}
	if wait, why := l.Spend("a", 1, true, now, lim); why != TooFast || wait != time.Second {
		t.Errorf("the 61st: %v %s", wait, why)
	}
	if _, why := l.Spend("b", 1, true, now, lim); why != "" {
		t.Errorf("another client: %s", why)
	}
	now = now.Add(1500 * time.Millisecond)
	if _, why := l.Spend("a", 1, true, now, lim); why != "" {
		t.Errorf("after a second and a half: %s", why)
	}
	if wait, why := l.Spend("a", 40, false, now, lim); why != OverBudget || wait != 58500*time.Millisecond {
		t.Errorf("101 of 100: %v %s", wait, why)
	}
	if _, why := l.Spend("a", 39, false, now, lim); why != "" {
		t.Errorf("100 of 100: %s", why)
	}
	if _, why := l.Spend("a", 100, false, now.Add(time.Minute), lim); why != "" {
		t.Errorf("the next day: %s", why)
	}
}

func TestMemory(t *testing.T) {
	m := Memory{Limit: 100, Life: time.Minute}
	now := time.Unix(0, 0)
	for _, k := range []string{"a", "b", "c", "d"} {
		m.Put(k, make([]byte, 24), now)
	}
	m.Get("a", now)
	m.Put("e", make([]byte, 24), now) // 125 bytes: b, the least recently used, goes
	for k, want := range map[string]bool{"a": true, "b": false, "c": true, "e": true} {
		if _, ok := m.Get(k, now); ok != want {
			t.Errorf("%s: %v", k, ok)
		}
	}
	m.Put("f", make([]byte, 26), now) // over a quarter
	if _, ok := m.Get("f", now); ok {
		t.Error("f is kept")
	}
	if _, ok := m.Get("a", now.Add(2*time.Minute)); ok {
		t.Error("a outlives its time")
	}
}

// hasty refuses a client whose request comes back within less time than a time.Duration can hold: 0.9999999999999998 of
// one is there.
type hasty struct{ clock }

func (*hasty) Spend(string, int, bool, *Limits) (time.Duration, Refusal) { return 0, TooFast }

func TestWhoIsRefusedHearsWhen(t *testing.T) {
	w := &work{Gateway: &Gateway{host: &hasty{}, config: &Config{}}, call: &Call{}}
	if got := answerOf(w.spend(1, true)).Headers; !slices.Contains(got, [2]string{"Retry-After", "1"}) {
		t.Errorf("%v", got)
	}
}

// Within a bucket latencies are taken to be spread evenly; of 10 below .1 s the median is .05 s. Of 4 between .1 and
// .3 s behind them, the 12th of 14 is half way: 12/14 of all is .2 s.
func TestQuantilesOfLatencies(t *testing.T) {
	for _, c := range []struct {
		calls [7]int
		q     float64
		want  float64
	}{{[7]int{10}, .5, .05}, {[7]int{10, 4}, 12. / 14, .2}, {[7]int{6: 3}, .5, 5}, {[7]int{0, 0, 0, 0, 0, 2}, 1, 5}} {
		if got, n := (&counts{calls: c.calls}).quantile(c.q); math.Abs(got-c.want) > 1e-12 || n == 0 {
			t.Errorf("%v at %v: %v of %d, want %v", c.calls, c.q, got, n, c.want)
		}
	}
	if got, n := (&counts{}).quantile(.5); !math.IsNaN(got) || n != 0 {
		t.Errorf("of none: %v of %d", got, n)
	}
}

// The digest of a backend's requests is of its own templates, or of those of its kind where it has none.
func TestTheDigestOfTemplates(t *testing.T) {
	const config = `{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"],"index":"i"}]}`
	of := func(template string) string {
		b := parsed(t, config).Backends[0]
		if template != "" {
			b.Settings.Templates = map[backend.Mode][]byte{b.Modes[0]: []byte(template)}
		} else {
			b.Settings.Templates = nil
		}
		return b.templates()
	}
	usual := parsed(t, config).Backends[0]
	own := usual.Kind.Search.Templates[usual.Modes[0]]
	if own == "" || of("") != of(own) || of("") == of(own+" ") || of("a") == of("b") {
		t.Errorf("%s: %s, %s, %s", own, of(""), of("a"), of("b"))
	}
}
