package gateway

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// identityOf is the identity in an answer.
func identityOf(t *testing.T, a *Answer) string {
	t.Helper()
	_, rest, _ := strings.Cut(string(a.Body), `"identity":"`)
	id, _, ok := strings.Cut(rest, `"`)
	if !ok || !isHash(id) {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return id
}

// A service is asked about itself every fifteen seconds while it is used. Another model is another identity, and its
// answers are not those that are remembered.
func TestAServiceIsAskedAboutItselfEveryFifteenSeconds(t *testing.T) {
	model, asked := "a", 0
	h := &line{next: []next{{status: 200, body: scored2}}}
	h.about = func(*Upstream) (*Reply, error) {
		asked++
		return &Reply{Status: 200, Body: fmt.Appendf(nil, `{"model_id":%q,"model_sha":"s"}`, model)}, nil
	}
	h.clock.now = time.Unix(1000, 0)
	g := New(parsed(t, oneNode), h)
	first := identityOf(t, post(g, "rerank", two))
	for _, x := range []struct {
		after time.Duration // of the first
		model string
		asked int
		same  bool
		sent  int
	}{
		{15*time.Second - 1, "b", 1, true, 1}, {15 * time.Second, "a", 2, true, 1},
		{30*time.Second - 1, "b", 2, true, 1},
		{30 * time.Second, "b", 3, false, 2}, {45 * time.Second, "a", 4, true, 2},
	} {
		h.clock.now, model = time.Unix(1000, 0).Add(x.after), x.model
		id := identityOf(t, post(g, "rerank", two))
		if asked != x.asked || (id == first) != x.same || len(h.sent) != x.sent {
			t.Errorf("after %v: asked %d times, the same %v, %d sent", x.after, asked, id == first, len(h.sent))
		}
	}
}

// Who asks for the declarations hears what services said within the last 200 ms, and how long ago they said it. One
// that does not answer is left alone for a second.
func TestDeclarationsAreOfTheLastMoment(t *testing.T) {
	asked, fails := 0, false
	h := &line{}
	h.about = func(*Upstream) (*Reply, error) {
		if asked++; fails {
			return nil, Unreachable
		}
		return &Reply{Status: 200, Body: []byte(`{"model_id":"a"}`)}, nil
	}
	h.clock.now = time.Unix(1000, 0)
	g := New(parsed(t, oneNode), h)
	age := ""
	list := func() (text string) {
		text, age, _ = strings.Cut(string(g.Serve(&Call{Method: "GET", Path: "/api/v1/backends",
			Client: "192.0.2.1"}).Body), `"age_ms":`)
		return text
	}
	want := list()
	if !strings.Contains(want, `"kind":"tei","served":"a"`) || asked != 1 {
		t.Fatalf("asked %d times: %s", asked, want)
	}
	for _, x := range []struct {
		after time.Duration
		asked int
		age   string // by hand: since it was asked, and 1 ms
	}{{200*time.Millisecond - 1, 1, "200"}, {200 * time.Millisecond, 2, "1"}, {400*time.Millisecond - 1, 2, "200"},
		{400 * time.Millisecond, 3, "1"}} {
		h.clock.now = time.Unix(1000, 0).Add(x.after)
		if got := list(); got != want || asked != x.asked || age != `{"cross":`+x.age+`}}` {
			t.Errorf("after %v: asked %d times, want %d; %s", x.after, asked, x.asked, age)
		}
	}
	fails = true
	for _, x := range []struct {
		after time.Duration
		asked int
		age   string // by hand: since 400 ms, when it answered last, and 1 ms
	}{{3 * time.Second, 4, "2601"}, {4*time.Second - 1, 4, "3600"}, {4 * time.Second, 5, "3601"}} {
		h.clock.now = time.Unix(1000, 0).Add(x.after)
		if got := list(); got != want || asked != x.asked || age != `{"cross":`+x.age+`}}` { // what it said last
			t.Errorf("unreachable, after %v: asked %d times, want %d: %s %s", x.after, asked, x.asked, got, age)
		}
	}
}

// A service whose breaker is open is not asked about itself either.
func TestABreakerThatOpensAsksNothing(t *testing.T) {
	for failures := range tripAfter + 1 {
		h, asked := &line{next: []next{{status: 500}}}, 0
		h.about = func(*Upstream) (*Reply, error) {
			asked++
			return &Reply{Status: 200, Body: []byte(`{"model_id":"a"}`)}, nil
		}
		h.clock.now = time.Unix(1000, 0)
		g := New(parsed(t, oneNode), h)
		for range failures {
			post(g, "rerank", two)
		}
		h.clock.now = h.clock.now.Add(toldFor + time.Second)
		before := asked
		g.Serve(&Call{Method: "GET", Path: "/api/v1/backends", Client: "192.0.2.1"})
		if (asked > before) != (failures < tripAfter) {
			t.Errorf("after %d failures: asked %d times, then %d", failures, before, asked)
		}
	}
}

// What a service says of itself counts if it is an answer, and is short; one that says nothing has no such facts.
func TestWhatServicesSayOfThemselves(t *testing.T) {
	long := func(n int) string { return `{"model_id":"` + strings.Repeat("m", n) + `"}` }
	for _, c := range []struct {
		name    string
		answers []next // of the nodes
		served  string
	}{
		{"one node", []next{{status: 200, body: `{"model_id":"a"}`}}, "a"},
		{"the second node", []next{{err: Unreachable}, {status: 200, body: `{"model_id":"b"}`}}, "b"},
		{"the first is failing", []next{{status: 500}, {status: 200, body: `{"model_id":"b"}`}}, "b"},
		{"the first is busy", []next{{status: 429}, {status: 200, body: `{"model_id":"b"}`}}, "b"},
		{"the first is slow", []next{{status: 408}, {status: 200, body: `{"model_id":"b"}`}}, "b"},
		{"the first does not know", []next{{status: 404}, {status: 200, body: `{"model_id":"b"}`}}, ""},
		{"the first says something else", []next{{status: 200, body: `[]`}, {status: 200,
			body: `{"model_id":"b"}`}}, "b"},
		{"the longest", []next{{status: 200, body: long(400)}}, strings.Repeat("m", 400)},
		{"a longer one", []next{{status: 200, body: long(401)}, {status: 200, body: `{"model_id":"b"}`}}, "b"},
		{"none", []next{{err: Unreachable}, {err: Unreachable}}, ""},
	} {
		h, n := &line{}, 0
		h.about = func(u *Upstream) (*Reply, error) {
			x := c.answers[min(n, len(c.answers)-1)]
			if n++; u.Timeout != time.Second || u.Limit != 1<<20 {
				t.Errorf("%s: %v, %d bytes", c.name, u.Timeout, u.Limit)
			}
			return &Reply{Status: x.status, Body: []byte(x.body)}, x.err
		}
		g := New(parsed(t, twoNodes), h)
		list := string(g.Serve(&Call{Method: "GET", Path: "/api/v1/backends", Client: "192.0.2.1"}).Body)
		want := `"kind":"tei","identity"`
		if c.served != "" {
			want = `"kind":"tei","served":"` + c.served + `","identity"`
		}
		if !strings.Contains(list, want) {
			t.Errorf("%s: %.200s", c.name, list)
		}
	}
}

// The identity is another if anything is that an answer depends on, and the same if only the address or the price is.
func TestTheIdentityFollowsWhatAnswersDependOn(t *testing.T) {
	const plain = `"kind":"opensearch","url":"http://h","does":["search"],"index":"i"`
	of := func(members string, more ...string) string {
		text := `{"backends":[{"id":"a",` + members + `}` + strings.Join(append([]string{""}, more...), ",") + `]}`
		c := parsed(t, text)
		return New(c, &line{}).identity(&c.Backends[0])
	}
	seen := map[string]string{of(plain): "plain"}
	const embedder = `{"id":"e","kind":"tei","url":"http://h","does":["embed"]%s}`
	for name, id := range map[string]string{
		"model":        of(plain + `,"model":"m"`),
		"revision":     of(plain + `,"revision":"m"`),
		"dimensions":   of(plain + `,"dimensions":1`),
		"more":         of(plain + `,"dimensions":2`),
		"id_field":     of(plain + `,"id_field":"m"`),
		"text_fields":  of(plain + `,"text_fields":["m"]`),
		"vector_field": of(plain + `,"vector_field":"m"`),
		"title_field":  of(plain + `,"title_field":"m"`),
		"text_field":   of(plain + `,"text_field":"m"`),
		"modes":        of(plain + `,"modes":["bm25","knn"]`),
		"template":     of(plain + `,"templates":{"bm25":{"q":"$query"}}`),
		"embedder":     of(plain+`,"embedder":"e"`, fmt.Sprintf(embedder, "")),
		"another":      of(plain+`,"embedder":"e"`, fmt.Sprintf(embedder, `,"model":"m"`)),
		"index":        of(strings.Replace(plain, `"i"`, `"j"`, 1)),
		"kind":         of(strings.Replace(plain, "opensearch", "elasticsearch", 1)),
	} {
		if other, ok := seen[id]; ok {
			t.Errorf("%s and %s have one identity", name, other)
		}
		seen[id] = name
	}
	for _, same := range []string{plain + `,"price":{"million_tokens":2,"currency":"EUR"}`, plain + `,"secret":"K"`,
		strings.Replace(plain, "http://h", "https://g", 1), plain + `,"batch":3`, plain + `,"embedder":""`} {
		if seen[of(same)] != "plain" {
			t.Errorf("%s has another identity", same)
		}
	}
}

// A list of the backends says what each is for, what its answers depend on and what it costs, and names no address.
func TestBackendsAreListed(t *testing.T) {
	c := parsed(t, `{"snapshots":true,"rooms":false,"limits":{"items":7},"backends":[`+
		`{"id":"a","kind":"cohere","url":"http://secret.example","does":["embed","rerank"],"model":"m",`+
		`"dimensions":256,"query_prefix":"query: ","price":{"million_tokens":0.02,"currency":"USD"}},`+
		`{"id":"b","kind":"tei","url":"http://h","does":["rerank"]}]}`)
	a := New(c, &line{}).Serve(&Call{Method: "GET", Path: "/api/v1/backends", Client: "192.0.2.1"})
	got := string(a.Body)
	for _, want := range []string{
		`{"backends":[{"id":"a","does":["embed","rerank"],"outputs":["dense"],"kind":"cohere",`,
		`"model":"m","dimensions":256,"query_prefix":"query: ",`,
		`"price":{"million_tokens":0.02,"currency":"USD"},"identity":"`,
		`"},{"id":"b","does":["rerank"],"kind":"tei","identity":"`,
		`"}],"snapshots":true,"rooms":false,"limits":{"body":1048576,"snapshot":4194304,"items":7,"characters":20000,`,
		`"voters":1000},"age_ms":{"b":-1}}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	if strings.Contains(got, "http") || strings.Contains(got, "secret.example") {
		t.Errorf("%s names an address", got)
	}
}
