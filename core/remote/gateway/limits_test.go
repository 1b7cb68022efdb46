package gateway

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Without a lifetime, a value stays until its room is needed. A value of exactly a quarter of the limit is kept.
func TestMemoryWithoutALife(t *testing.T) {
	m, now := Memory{Limit: 104}, time.Unix(0, 0)
	m.Put("a", make([]byte, 26), now)
	if v, ok := m.Get("a", now.Add(1000*time.Hour)); !ok || len(v) != 26 {
		t.Errorf("%d bytes, %v", len(v), ok)
	}
}

func TestPricesAreAboveZeroAndAtMostAMillion(t *testing.T) {
	for price, ok := range map[string]bool{"0": false, "1e-9": true, "1e6": true, "1000000.5": false, "-1": false} {
		_, err := ParseConfig([]byte(`{"backends":[{"id":"a","kind":"tei","url":"http://h","does":["rerank"],` +
			`"price":{"million_tokens":` + price + `,"currency":"USD"}}]}`))
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "a price has a million_tokens above 0") {
			t.Errorf("%s: %v", price, err)
		}
	}
}

// counted is a host that knows documents and sums what is spent.
type counted struct {
	shelf
	spent int
	reply string
	lines []string
}

func (c *counted) Log(b []byte) { c.lines = append(c.lines, string(b)) }
func (c *counted) Spend(_ string, units int, _ bool, _ *Limits) (time.Duration, Refusal) {
	c.spent += units
	return 0, ""
}
func (c *counted) Fetch(u *Upstream) (*Reply, error) {
	if c.reply != "" && u.Body != nil {
		return &Reply{Status: 200, Body: []byte(c.reply)}, nil
	}
	return c.shelf.Fetch(u)
}

const shop = `{"backends":[{"id":"shop","kind":"typesense","url":"http://h","does":["search"],` +
	`"index":"wire","id_field":"id","title_field":"title"}]}`

// n documents cost n units; the call itself is the first of them. What a service sends that nobody asked for, or sends
// twice, is no answer.
func TestDocumentsCostAUnitEachAndAreThoseThatWereAskedFor(t *testing.T) {
	hit := func(id string) string { return `{"document":{"id":"` + id + `","title":"t"}}` }
	for _, c := range []struct {
		ids, hits string
		status    int
		spent     int
	}{
		{`"1"`, "", 200, 1},
		{`"1","2","3"`, "", 200, 3},
		{`"1","2"`, hit("2"), 200, 2},
		{`"1","2"`, hit("3"), 502, 2},
		{`"1","2"`, hit("2") + "," + hit("2"), 502, 2},
	} {
		h := &counted{shelf: shelf{clock: clock{now: time.Unix(0, 0)}}}
		if c.hits != "" {
			h.reply = `{"results":[{"hits":[` + c.hits + `]}]}`
		}
		a := post(New(parsed(t, shop), h), "documents", `{"backend":"shop","ids":[`+c.ids+`]}`)
		if a.Status != c.status || h.spent != c.spent {
			t.Errorf("%s, sent %s: %d %s, %d units", c.ids, c.hits, a.Status, a.Body, h.spent)
		}
	}
}

// A line of the log says when a call came, in 1970 too.
func TestALogLineHasItsTime(t *testing.T) {
	h := &counted{shelf: shelf{clock: clock{now: time.Unix(0, 0)}}}
	g := New(parsed(t, `{}`), h)
	for _, second := range []int64{0, 0, 61} {
		h.now = time.Unix(second, 0)
		g.Serve(&Call{Method: "GET", Path: "/healthz"})
	}
	for i, want := range []string{"1970-01-01T00:00:00", "1970-01-01T00:00:00", "1970-01-01T00:01:01"} {
		if !strings.Contains(h.lines[i], want) {
			t.Errorf("%s, want %s", h.lines[i], want)
		}
	}
}

// Who has no key is told to send one, as HTTP says it (RFC 9110, 11.6.1); who is refused for another reason is not.
func TestWhoHasNoKeyIsAskedForOne(t *testing.T) {
	const bearer = `Bearer realm="edge"`
	asks := func(a *Answer) bool { return slices.Contains(a.Headers, [2]string{"WWW-Authenticate", bearer}) }
	config := `{"keys":{"secret":"K"},` + oneNode[1:]
	a := post(New(parsed(t, config), &line{secrets: map[string]string{"K": strings.Repeat("s", 32)}}), "rerank", two)
	if a.Status != 401 || !asks(a) {
		t.Errorf("without a key: %d %v", a.Status, a.Headers)
	}
	g := New(parsed(t, `{"limits":{"per_minute":1},`+oneNode[1:]), &line{next: []next{{status: 200, body: scored2}}})
	post(g, "rerank", two)
	if a := post(g, "rerank", two); a.Status != 429 || asks(a) {
		t.Errorf("too soon: %d %v", a.Status, a.Headers)
	}
}

// What a service says of itself is short, all of it together.
func TestWhatSearchEnginesSayOfThemselvesIsShort(t *testing.T) {
	stats := func(uuid int) string {
		return fmt.Sprintf(`{"indices":{"wire":{"uuid":"%s","primaries":{"docs":{"count":7}},`+
			`"shards":{"0":[{"routing":{"primary":true},"seq_no":{"max_seq_no":1}}]}}}}`, strings.Repeat("u", uuid))
	}
	for _, c := range []struct {
		uuid int
		told bool
	}{{1, true}, {397, true}, {398, false}} { // with " 2" and "7" 400 are the most
		h := &line{next: []next{{status: 200}}}
		h.about = func(*Upstream) (*Reply, error) { return &Reply{Status: 200, Body: []byte(stats(c.uuid))}, nil }
		g := New(parsed(t, `{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"],`+
			`"index":"wire"}]}`), h)
		list := string(g.Serve(&Call{Method: "GET", Path: "/api/v1/backends", Client: "192.0.2.1"}).Body)
		if strings.Contains(list, `"documents":7`) != c.told {
			t.Errorf("%d: %s", c.uuid, list)
		}
	}
}

// An option is one of the ten that a question may have, and of those that this one has.
func TestVotesAreForAnOptionThatIsThere(t *testing.T) {
	c := newClassroom(t, "{}")
	room, _ := c.opened()
	for option, want := range map[int]string{3: "200", 4: "400 invalid", MaxOptions - 1: "400 invalid",
		MaxOptions: "413 too-large", -1: "400 invalid"} {
		if s := c.ask("POST", room+"/votes", ballot(1, option, "cccc")); s.outcome() != want {
			t.Errorf("option %d: %s, want %s", option, s.outcome(), want)
		}
	}
	m, now := &RoomMemory{Limit: 1 << 20}, time.Unix(1_800_000_000, 0)
	if ok, err := m.Change("code", &Change{Head: "h", Options: 2, Until: now.Add(time.Hour)}, now); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for option, want := range map[int]Voted{1: Counted, 2: Stale} {
		if v, err := m.Vote("code", &Ballot{Version: 1, Voter: "v", Option: option, Most: 9}, now); v != want {
			t.Errorf("option %d of 2: %v, %v", option, v, err)
		}
	}
}

// One score has no spread.
func TestTheSpreadIsOfTwoScoresAtLeast(t *testing.T) {
	one := `{"backend":"cross","query":"q","fallback":false,"documents":[{"id":"a","text":"b"}]}`
	h := &line{next: []next{{status: 200, body: `[{"index":0,"score":0.5}]`}},
		secrets: map[string]string{MetricsSecret: "token"}}
	g := New(parsed(t, oneNode), h)
	if a := post(g, "rerank", one); a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	text := string(g.metrics.text(h))
	if !strings.Contains(text, `rankbox_rerank_score_count{backend="cross",isolate="00000000"} 1`) ||
		strings.Contains(text, `rankbox_rerank_spread_count{backend="cross",isolate="00000000"} 1`) {
		t.Errorf("%s", text)
	}
}
