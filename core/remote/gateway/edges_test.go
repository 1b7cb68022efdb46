package gateway

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// The oracle is net/netip, of Go 1.26.
func TestClientsAreAddressesOrNetworks(t *testing.T) {
	want := func(s string) string {
		s, _, _ = strings.Cut(s, "%")
		a, err := netip.ParseAddr(s)
		if err != nil {
			return "unknown"
		}
		if a = a.Unmap(); a.Is4() {
			return a.String()
		}
		b, out := a.As16(), ""
		for i := 0; i < 8; i += 2 {
			out += fmt.Sprintf("%x:", int(b[i])<<8|int(b[i+1]))
		}
		return out + ":/64"
	}
	list := []string{"192.0.2.1", "0.0.0.0", "255.255.255.255", "256.0.0.1", "192.0.2", "192.0.2.1.5", "192.0.2.01",
		"192.0.2.", "", ".", "::", "::1",
		"2001:db8::1", "2001:db8:1:2:3:4:5:6", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7::8",
		"1:2:3:4:5:6::8", "1::2::3", "::ffff:192.0.2.1", "::ffff:192.0.2.300",
		"fe80::1%eth0", "12345::", "g::", "1::-1", "0001::", "00001::", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:",
		"example.org", "1:2:3:4:5:6:7:8%x", "::8:7:6:5:4:3:2", "8:7:6:5:4:3:2::",
		"1:0:0:4::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "FFFF::", "+1::", "1.2.3.-4", "1.2.3.+4"}
	rnd := rand.New(rand.NewPCG(30, 3))
	for range 20_000 {
		var groups []string
		for range rnd.IntN(9) {
			groups = append(groups, []string{"", "0", "1", "ab", "fff0", "12345"}[rnd.IntN(6)])
		}
		list = append(list, strings.Join(groups, ":"))
		var parts []string
		for range 3 + rnd.IntN(3) {
			parts = append(parts, fmt.Sprint(rnd.IntN(300)))
		}
		list = append(list, strings.Join(parts, "."))
	}
	known := 0
	for _, s := range list {
		got := ClientOf(s)
		if got != want(s) {
			t.Errorf("%q: %s, want %s", s, got, want(s))
		}
		if got != "unknown" {
			known++
		}
	}
	if known < 1000 || known > len(list)-1000 {
		t.Errorf("%d of %d are addresses", known, len(list))
	}
}

// By hand: 60 requests a minute are one a second, and a day has 100 units.
func TestALedgerRefillsEvenly(t *testing.T) {
	var l Ledger
	day := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	now := day.Add(10 * time.Hour)
	lim := &Limits{PerMinute: 60, PerDay: 1000}
	take := func(client string, first bool, units int, wait time.Duration, why Refusal) {
		t.Helper()
		got, refused := l.Spend(client, units, first, now, lim)
		if refused != why || (got-wait).Abs() > time.Microsecond {
			t.Errorf("%s at %v: wait %v, %q; want %v, %q", client, now.Sub(day), got, refused, wait, why)
		}
	}
	for range 60 {
		take("a", true, 1, 0, "")
	}
	take("a", true, 1, time.Second, TooFast)
	take("a", false, 1, 0, "") // a further step of a call
	take("b", true, 1, 0, "")  // another client has its own
	now = now.Add(250 * time.Millisecond)
	take("a", true, 1, 750*time.Millisecond, TooFast)
	now = now.Add(750 * time.Millisecond)
	take("a", true, 1, 0, "")
	take("a", true, 1, time.Second, TooFast)
	now = now.Add(-time.Hour) // a clock that goes back gives nothing and takes nothing
	take("a", true, 1, time.Second, TooFast)
	now = now.Add(time.Hour + 10*time.Minute) // no more than a minute's are saved
	for range 60 {
		take("a", true, 1, 0, "")
	}
	take("a", true, 1, time.Second, TooFast)
}

func TestALedgerHasABudgetADay(t *testing.T) {
	var l Ledger
	now := time.Date(2026, 11, 26, 23, 0, 0, 0, time.UTC)
	lim := &Limits{PerMinute: 60, PerDay: 100}
	for _, x := range []struct {
		units int
		at    time.Duration
		why   Refusal
	}{{60, 0, ""}, {41, 0, OverBudget}, {40, 0, ""}, {1, 0, OverBudget}, {0, 0, ""}, {1, 59 * time.Minute,
		OverBudget}, {100, time.Hour, ""}, {1, time.Hour, OverBudget}, {101, 30 * time.Hour, OverBudget}, {100,
		30 * time.Hour, ""}} {
		at := now.Add(x.at)
		wait, why := l.Spend("a", x.units, true, at, lim)
		if why != x.why {
			t.Errorf("%d units at %v: %q, want %q", x.units, at, why, x.why)
		}
		next := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, time.UTC)
		if why == OverBudget && wait != next.Sub(at) || why == "" && wait != 0 {
			t.Errorf("%d units at %v: wait %v, midnight is in %v", x.units, at, wait, next.Sub(at))
		}
	}
}

// A full ledger refuses new clients for a minute; then those that have been idle are forgotten, but neither recent ones
// nor the accounts of all together.
func TestAFullLedgerForgetsTheIdle(t *testing.T) {
	var l Ledger
	now := time.Date(2026, 11, 26, 1, 0, 0, 0, time.UTC)
	lim := &Limits{PerMinute: 1, PerDay: 10}
	spend := func(client string) Refusal {
		_, why := l.Spend(client, 1, true, now, lim)
		return why
	}
	spend(everyone)
	spend(together)
	for i := range maxClients - 2 {
		if i == maxClients/2 {
			now = now.Add(30 * time.Second)
		}
		if why := spend(fmt.Sprint(i)); why != "" {
			t.Fatalf("client %d: %s", i, why)
		}
	}
	now = now.Add(30 * time.Second) // the first half came a minute ago, no longer
	if why := spend("new"); why != TooFast || len(l.clients) != maxClients {
		t.Errorf("%q with %d clients", why, len(l.clients))
	}
	now = now.Add(time.Second)
	if why := spend("new"); why != "" || len(l.clients) != maxClients/2+1 {
		t.Errorf("%q with %d clients", why, len(l.clients))
	}
	for client, there := range map[string]bool{everyone: true, together: true, "0": false,
		fmt.Sprint(maxClients/2 - 1): false, fmt.Sprint(maxClients / 2): true} {
		if (l.clients[client] != nil) != there {
			t.Errorf("%s is there: %v", client, !there)
		}
	}
}

// Who used the ledger least recently is forgotten first: a day, an hour, a minute, until a tenth is free.
func TestALedgerForgetsTheOldestFirst(t *testing.T) {
	now := time.Date(2026, 11, 26, 1, 0, 0, 0, time.UTC)
	for _, x := range []struct{ days, hours, minutes, left int }{
		{10_001, 20_000, 30_000, maxClients - 10_001}, {10_000, 20_000, 30_000, maxClients - 30_000}, {100, 20_000,
			30_000, maxClients - 20_100}, {0, 9_000, 30_000, maxClients - 39_000}, {0, 0, 0, maxClients},
	} {
		l := Ledger{clients: map[string]*account{}}
		for i := range maxClients {
			at := now
			switch {
			case i < x.days:
				at = now.Add(-25 * time.Hour)
			case i < x.days+x.hours:
				at = now.Add(-2 * time.Hour)
			case i < x.days+x.hours+x.minutes:
				at = now.Add(-2 * time.Minute)
			}
			l.clients[fmt.Sprint(i)] = &account{at: at}
		}
		if l.forget(now); len(l.clients) != x.left {
			t.Errorf("%+v: %d are left", x, len(l.clients))
		}
	}
}

func TestAnswersOfBackendsAreChecked(t *testing.T) {
	hits := func(ids ...string) (out []backend.Hit) {
		for _, id := range ids {
			out = append(out, backend.Hit{ID: id, Score: 1})
		}
		return out
	}
	for _, x := range []struct {
		hits []backend.Hit
		k    int
		ok   bool
	}{
		{nil, 1, true}, {hits("a"), 1, true}, {hits("a", "b"), 1, false}, {hits("a", "a"), 2, false},
		{hits(strings.Repeat("a", 512)), 1, true}, {hits(strings.Repeat("a", 513)), 1, false},
		{[]backend.Hit{{ID: "a", Score: math.NaN()}}, 1, false}, {[]backend.Hit{{ID: "a", Score: math.Inf(-1)}}, 1,
			false}, {[]backend.Hit{{ID: "a", Score: math.Inf(1)}}, 1, false},
	} {
		if err := checkHits(x.hits, x.k); (err == nil) != x.ok {
			t.Errorf("%+v of %d: %v", x.hits, x.k, err)
		}
	}
	for _, x := range []struct {
		found, asked string
		ok           bool
	}{{"", "a", true}, {"a", "a b", true}, {"b a", "a b", true}, {"c", "a b", false}, {"a a", "a b", false}, {"a a",
		"a a", false}} {
		var found []backend.Stored
		for _, id := range strings.Fields(x.found) {
			found = append(found, backend.Stored{ID: id})
		}
		if err := checkDocuments(found, strings.Fields(x.asked)); (err == nil) != x.ok {
			t.Errorf("%+v: %v", x, err)
		}
	}
	for text, want := range map[string]int{"": 0, strings.Repeat("a", 10_000): 10_000, strings.Repeat("a",
		10_001): 10_000, strings.Repeat("ü", 10_000): 20_000, strings.Repeat("ü", 10_001): 20_000, strings.Repeat("a",
		9_999) + "üü": 10_001} {
		if got := shown(text); len(got) != want || !strings.HasPrefix(text, got) {
			t.Errorf("%.5s…, %d bytes: %d are shown, want %d", text, len(text), len(got), want)
		}
	}
	for _, x := range [][3]int{{0, 32, 32}, {8, 32, 8}, {64, 32, 32}, {1, 32, 1}, {-1, 32, 32}} {
		if got := batch(x[0], x[1]); got != x[2] {
			t.Errorf("batches of %d where the kind takes %d: %d", x[0], x[1], got)
		}
	}
}

// OpenAI, Jina and Voyage say usage, Cohere billed_units; the last of each is read, and the larger of both.
func TestUsageIsWhatTheServiceSays(t *testing.T) {
	for body, want := range map[string]int{
		"": 0, "{}": 0, `{"usage":{"total_tokens":12}}`: 12, `{"usage":{"prompt_tokens":7}}`: 7,
		`"usage":{"total_tokens":3}`:                                     3,
		`{"meta":{"billed_units":{"input_tokens":9}}}`:                   9,
		`{"usage":{"total_tokens":1},"x":{"usage":{"total_tokens":5}}}`:  5,
		`{"usage":{"total_tokens":2},"billed_units":{"input_tokens":4}}`: 4,
		`{"usage":{"total_tokens":6},"billed_units":{"input_tokens":4}}`: 6, `{"usage":{"total_tokens":12}`: 12,
		`{"usage":{"total_tokens":12`: 0, `{"usage":`: 0, `"usage"`: 0,
	} {
		if got := usage([]byte(body)); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}

func TestDecodersHaveLimits(t *testing.T) {
	lim := &Limits{Characters: 3, Total: 5}
	for text, want := range map[string]string{
		`{"n":1}`: "", `{"n":5}`: "", `{"n":0}`: "/n less than 1", `{"n":6}`: "/n more than 5",
		`{"n":1.5}`: "/n not the JSON", `{"n":"1"}`: "/n not the JSON",
		`{"a":["x","y"]}`: "", `{"a":["x","y","z"]}`: "/a more than 2 items", `{"a":["xx"]}`: "",
		`{"a":["x","xxx"]}`: "/a/1 more than 2 bytes", `{"a":["ü"]}`: "", `{"a":["üx"]}`: "/a/0 more than 2 bytes",
		`{"t":["üüü"]}`: "", `{"t":["abcd"]}`: "/t/0 more than 3 characters", `{"t":["abc","de"]}`: "",
		`{"t":["abc","def"]}`:   "/t/1 more than 5 characters in all texts",
		`{"v":[1,-2.5,3.4e38]}`: "", `{"v":[1,3.5e38]}`: "/v/1 not a number of 32 bits",
		`{"v":[-3.5e38]}`: "/v/0 not a number of 32 bits",
		`{"n":1,"n":1}`:   " a member appears twice", `{"x":1}`: " a member is unknown", `{"n":1} x`: " not the JSON",
		`[`: " not the JSON", `{"n":1`: " not the JSON",
	} {
		d := newDecoder([]byte(text), 8)
		d.object(func(key string) bool {
			switch key {
			case "n":
				d.int(1, 5)
			case "a":
				d.strings(2, 2)
			case "t":
				d.array(9, func() { d.text(lim) })
			case "v":
				d.vector()
			default:
				return false
			}
			return true
		})
		got := ""
		if p := d.end(); p != nil {
			got = p.pointer + " " + p.detail
		}
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for n, ok := range map[int]bool{backend.MaxDimensions: true, backend.MaxDimensions + 1: false} {
		d := newDecoder([]byte(`{"v":[`+strings.TrimSuffix(strings.Repeat("1,", n), ",")+`]}`), 8)
		got := 0
		d.object(func(string) bool { got = len(d.vector()); return true })
		if p := d.end(); (p == nil) != ok || ok && got != n {
			t.Errorf("%d numbers: %d, %+v", n, got, p)
		}
	}
}

// slots is a host that keeps snapshots, as many as it has room for.
type slots struct {
	clock
	kept map[string][]byte
	room int
}

func (s *slots) Store() Store { return s }
func (s *slots) Recall(kind Kept, key string) ([]byte, bool) {
	b, ok := s.kept[key]
	return b, ok && kind == Snapshots
}
func (s *slots) Remember(_ Kept, key string, b []byte) error {
	if len(s.kept) == s.room {
		return errors.New("full")
	}
	s.kept[key] = b
	return nil
}

func TestSnapshotsAreKeptUnderTheirHash(t *testing.T) {
	config := func(text string) *Config {
		c, err := ParseConfig([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	on := config(`{"snapshots":true,"limits":{"snapshot":4096}}`)
	host := &slots{kept: map[string][]byte{}, room: 2}
	ask := func(c *Config, method, hash, body, kind, encoding string) *Answer {
		return New(c, host).Serve(&Call{Method: method, Path: "/api/v1/snapshots/" + hash, ContentType: kind,
			Encoding: encoding, Client: "192.0.2.1",
			Length: int64(len(body)), Body: func(int) ([]byte, error) { return []byte(body), nil }})
	}
	const octets = "application/octet-stream"
	long, longer := strings.Repeat("x", 4096), strings.Repeat("x", 4097)
	for _, x := range []struct {
		name, body, hash, kind, encoding string
		status                           int
	}{
		{"a new one", "abc", "", octets, "", 201}, {"the same again", "abc", "", octets, "identity", 200},
		{"the longest", long, "", octets, "", 201}, {"a longer one", longer, "", octets, "", 413},
		{"one more than there is room for", "d", "", octets, "", 507}, {"nothing", "", "", octets, "", 422},
		{"another hash", "abc", sha256.Hex([]byte("abd")), octets, "", 422},
		{"another type", "abc", "", "text/plain", "", 415}, {"an encoding", "abc", "", octets, "gzip", 415},
	} {
		hash := x.hash
		if hash == "" {
			hash = sha256.Hex([]byte(x.body))
		}
		a := ask(on, "PUT", hash, x.body, x.kind, x.encoding)
		if a.Status != x.status || a.Status < 300 && string(a.Body) != fmt.Sprintf(`{"sha256":"%s","bytes":%d}`, hash,
			len(x.body)) {
			t.Errorf("%s: %d %s", x.name, a.Status, a.Body)
		}
	}
	hash := sha256.Hex([]byte("abc"))
	a := ask(on, "GET", hash, "", "", "")
	if a.Status != 200 || string(a.Body) != "abc" ||
		a.Header("Content-Disposition") != `attachment; filename="`+hash[:12]+`.rankbox"` ||
		!strings.HasPrefix(a.Header("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %s %v", a.Status, a.Body, a.Headers)
	}
	host.kept[hash] = []byte("abd") // damaged
	if a := ask(on, "GET", hash, "", "", ""); a.Status != 404 {
		t.Errorf("a damaged one: %d", a.Status)
	}
	if a := ask(on, "GET", sha256.Hex([]byte("none")), "", "", ""); a.Status != 404 {
		t.Errorf("one that is not there: %d", a.Status)
	}
	off := config(`{}`)
	for _, method := range []string{"GET", "PUT"} {
		if a := ask(off, method, hash, "abc", octets, ""); a.Status != 404 {
			t.Errorf("%s where none are kept: %d", method, a.Status)
		}
	}
}

// service answers as text-embeddings-inference does: the score of a text is its length, its vector its first two bytes.
type service struct {
	clock
	sent   []int // texts of each request
	broken bool
}

func (s *service) Fetch(u *Upstream) (*Reply, error) {
	if u.Body == nil {
		return &Reply{Status: 404}, nil
	}
	if s.broken {
		return &Reply{Status: 500}, nil
	}
	var texts []string
	d := newDecoder(u.Body, 8)
	for d.r.BeginObject(); d.r.More(); {
		switch string(d.r.Key()) {
		case "texts", "inputs":
			for d.r.BeginArray(); d.r.More(); {
				texts = append(texts, d.r.String())
			}
		default:
			d.r.Skip()
		}
	}
	s.sent = append(s.sent, len(texts))
	var out []string
	for i, x := range texts {
		if strings.HasSuffix(u.URL, "/rerank") {
			out = append(out, fmt.Sprintf(`{"index":%d,"score":%d}`, i, len(x)))
		} else {
			out = append(out, fmt.Sprintf("[%d,%d]", x[0], len(x)))
		}
	}
	return &Reply{Status: 200, Body: []byte("[" + strings.Join(out, ",") + "]")}, nil
}

// Documents come by score, those of one score in their order; texts are sent in batches.
func TestRerankersAndModelsAreAskedInBatches(t *testing.T) {
	c,
		err := ParseConfig([]byte(`{"backends":[{"id":"cross","kind":"tei","url":"http://h","does":["rerank",` +
		`"embed"],"batch":2}],"limits":{"items":5,"top_k":5}}`))
	if err != nil {
		t.Fatal(err)
	}
	host := &service{}
	ask := func(path, body string) (int, string) {
		host.sent = nil
		a := New(c, host).Serve(&Call{Method: "POST", Path: "/api/v1/" + path,
			ContentType: "application/json; charset=utf-8", Client: "192.0.2.1", Length: int64(len(body)),
			Body: func(int) ([]byte, error) { return []byte(body), nil }})
		_, rest, _ := strings.Cut(string(a.Body), `"revision":"",`)
		return a.Status, rest
	}
	documents := func(texts ...string) string {
		var out []string
		for i, x := range texts {
			out = append(out, fmt.Sprintf(`{"id":"d%d","text":%q}`, i, x))
		}
		return `"documents":[` + strings.Join(out, ",") + `]`
	}
	five := documents("a", "bbb", "c", "dd", "eee")
	for _, x := range []struct {
		path, body string
		status     int
		want       string
		sent       []int
	}{
		{"rerank", `{"backend":"cross","query":"q",` + five + `}`, 200,
			`"results":[{"index":1,"id":"d1","score":3},{"index":4,"id":"d4","score":3},{"index":3,"id":"d3",` +
				`"score":2},{"index":0,"id":"d0","score":1},{"index":2,"id":"d2","score":1}]}`, []int{2, 2, 1}},
		{"rerank", `{"backend":"cross","query":"q","top_k":1,` + five + `}`, 200,
			`"results":[{"index":1,"id":"d1","score":3}]}`, []int{2, 2, 1}},
		{"rerank", `{"backend":"cross","query":"q","top_k":0,` + five + `}`, 400, "", nil},
		{"rerank", `{"backend":"cross","query":"q","top_k":6,` + five + `}`, 413, "", nil},
		{"rerank", `{"backend":"cross","query":"q",` + documents("a", "b", "c", "d", "e", "f") + `}`, 413, "", nil},
		{"rerank", `{"backend":"cross","query":"q","documents":[]}`, 400, "", nil},
		{"rerank", `{"backend":"cross",` + five + `}`, 400, "", nil},
		{"rerank", `{"backend":"cross","query":"q","documents":[{"id":"a"}]}`, 400, "", nil},
		{"rerank", `{"backend":"cross","query":"q","documents":[{"text":"a"}]}`, 400, "", nil},
		{"rerank", `{"backend":"none","query":"q",` + five + `}`, 404, "", nil},
		{"embed", `{"backend":"cross","input":["ab","c","def"]}`, 200,
			`"output":"dense","dimensions":2,"vectors":[[97,2],[99,1],[100,3]]}`, []int{2, 1}},
		{"embed", `{"backend":"cross","input":[]}`, 400, "", nil},
		{"embed", `{"backend":"cross","input":["a"],"role":"x"}`, 400, "", nil},
		{"embed", `{"backend":"cross","input":["a"],"role":"query"}`, 200,
			`"output":"dense","dimensions":2,"vectors":[[97,1]]}`, []int{1}},
		{"embed", `{"backend":"cross","input":["a"],"output":"x"}`, 400, "", nil},
		{"search", `{"backend":"cross","query":"q"}`, 422, "", nil},
	} {
		status, got := ask(x.path, x.body)
		if status != x.status || x.status == 200 && got != x.want || !slices.Equal(host.sent, x.sent) {
			t.Errorf("%s %s: %d %s, sent %v", x.path, x.body, status, got, host.sent)
		}
	}
	host.broken = true
	if status, got := ask("rerank", `{"backend":"cross","query":"q","top_k":2,`+five+`}`); status != 200 ||
		!strings.HasPrefix(got,
			`"results":[{"index":0,"id":"d0"},{"index":1,"id":"d1"}],"fallback":{"order":"input","reason":`) {
		t.Errorf("a broken service: %d %s", status, got)
	}
	if status, _ := ask("rerank", `{"backend":"cross","query":"q","fallback":false,`+five+`}`); status < 500 {
		t.Errorf("a broken service without fallback: %d", status)
	}
}
