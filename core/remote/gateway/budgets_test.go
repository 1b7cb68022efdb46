package gateway

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	paidNode = `{"limits":{%s},"backends":[{"id":"cross","kind":"cohere","url":"http://a","secret":"KEY",` +
		`"does":["rerank"]}]}`
	unbilled = `{"results":[{"index":0,"relevance_score":0.5},{"index":1,"relevance_score":0.75}]}`
)

func billed(n int) string {
	return strings.Replace(unbilled, "]}", fmt.Sprintf(`],"meta":{"billed_units":{"input_tokens":%d}}}`, n), 1)
}

// The call has two documents of a token, each sent with a query of a token: an estimate of 4. What the service says it
// billed takes its place, and a request that fails costs nothing.
func TestTokensAreTakenFromBudgets(t *testing.T) {
	const ask = two
	for _, c := range []struct {
		name   string
		limits string
		next   next
		calls  int // before one is refused
		tokens int // that a call costs
		detail string
	}{
		{"estimated", `"tokens_per_day":8`, next{status: 200, body: unbilled}, 2, 4, "of this client"},
		{"a token too few", `"tokens_per_day":7`, next{status: 200, body: unbilled}, 1, 4, "of this client"},
		{"of all together", `"tokens_per_day":100,"all_tokens_per_day":8`, next{status: 200, body: unbilled}, 2, 4,
			"of this edge"},
		{"of all, whatever one client may", `"tokens_per_day":0,"all_tokens_per_day":4`, next{status: 200,
			body: unbilled}, 1, 4, "of this edge"},
		{"of one, whatever all may", `"tokens_per_day":4,"all_tokens_per_day":0`, next{status: 200,
			body: unbilled}, 1, 4, "of this client"},
		{"billed less", `"tokens_per_day":8`, next{status: 200, body: billed(1)}, 5, 1, "of this client"},
		{"billed more", `"tokens_per_day":24`, next{status: 200, body: billed(10)}, 3, 10, "of this client"},
		{"billed more, of all", `"tokens_per_day":0,"all_tokens_per_day":24`, next{status: 200, body: billed(10)}, 3,
			10, "of this edge"},
		{"as many as they like", `"tokens_per_day":0,"all_tokens_per_day":0`, next{status: 200, body: billed(10)}, 20,
			0, ""},
	} {
		h := &line{next: []next{c.next}, secrets: map[string]string{"KEY": "k"}}
		g := New(parsed(t, fmt.Sprintf(paidNode, c.limits)), h)
		for i := range 20 {
			h.kept = nil
			a := post(g, "rerank", ask)
			if want := i < c.calls; (a.Status == 200) != want {
				t.Errorf("%s, call %d: %d %s", c.name, i+1, a.Status, a.Body)
				break
			}
			counted := fmt.Sprintf(`,"tokens":%d,`, c.tokens)
			if a.Status == 200 && strings.Contains(h.logged[i], counted) != (c.tokens > 0) {
				t.Errorf("%s: %s, want%s", c.name, h.logged[i], counted)
			}
			if a.Status == 200 {
				continue
			}
			if a.Status != 429 || !strings.Contains(string(a.Body), c.detail) ||
				!strings.Contains(string(a.Body), `"code":"tokens"`) || a.Header("Retry-After") != "86400" {
				t.Errorf("%s: %d %s %s", c.name, a.Status, a.Header("Retry-After"), a.Body)
			}
			break
		}
	}
}

// What fails costs no tokens, and what came from memory none either; the budgets are full afterwards.
func TestFailuresCostNoTokens(t *testing.T) {
	h := &line{next: []next{{status: 500}, {status: 200, body: unbilled}}, secrets: map[string]string{"KEY": "k"}}
	g := New(parsed(t, fmt.Sprintf(paidNode, `"tokens_per_day":4,"all_tokens_per_day":4`)), h)
	fallback := strings.Replace(two, `"fallback":false,`, "", 1)
	if a := post(g, "rerank", fallback); a.Status != 200 || strings.Contains(h.logged[0], `"tokens"`) {
		t.Errorf("%d, %s", a.Status, h.logged[0])
	}
	for i := range 3 { // the second and third are remembered
		if a := post(g, "rerank", two); a.Status != 200 {
			t.Fatalf("call %d: %d %s", i, a.Status, a.Body)
		}
	}
	if !strings.Contains(h.logged[1], `"tokens":4`) || strings.Contains(h.logged[2], `"tokens"`) {
		t.Errorf("%s\n%s", h.logged[1], h.logged[2])
	}
	h.clock.now = h.clock.now.Add(24 * time.Hour)
	h.kept = nil
	if a := post(g, "rerank", two); a.Status != 200 {
		t.Errorf("the next day: %d %s", a.Status, a.Body)
	}
}

// A client whose call the budget of all refuses has its own tokens back.
func TestWhatAllHaveSpentCostsAClientNothing(t *testing.T) {
	h := &line{next: []next{{status: 200, body: unbilled}}, secrets: map[string]string{"KEY": "k"}}
	g := New(parsed(t, fmt.Sprintf(paidNode, `"tokens_per_day":8,"all_tokens_per_day":6`)), h)
	for i, want := range []int{200, 429, 429, 429} {
		h.kept = nil
		if a := post(g, "rerank", two); a.Status != want {
			t.Errorf("call %d: %d %s", i, a.Status, a.Body)
		}
	}
	own := h.Ledger.clients[everyone+" 192.0.2.1"]
	if own.used != 4 || h.Ledger.clients[everyone].used != 4 {
		t.Errorf("%d of its own are used, %d of all", own.used, h.Ledger.clients[everyone].used)
	}
}

// A backend without a secret costs nothing, unless the model that makes its vectors has one.
func TestTokensAreThoseOfBackendsWithASecret(t *testing.T) {
	const config = `{"backends":[{"id":"model","kind":"cohere","url":"http://m",%s"does":["embed"]},` +
		`{"id":"found","kind":"opensearch","url":"http://o","does":["search"],"index":"i","modes":["bm25","knn"],` +
		`"text_fields":["t"],"vector_field":"v","embedder":"model"}]}`
	for secret, want := range map[string]bool{"": false, `"secret":"KEY",`: true} {
		h := &line{next: []next{{status: 200, body: `{"embeddings":{"float":[[0.5,1]]}}`}, {status: 200,
			body: `{"hits":{"hits":[{"_id":"d","_score":2.5}]}}`}}, secrets: map[string]string{"KEY": "k"}}
		a := post(New(parsed(t, fmt.Sprintf(config, secret)), h), "search",
			`{"backend":"found","query":"fives","mode":"knn","top_k":3}`)
		if a.Status != 200 || !strings.Contains(string(a.Body), `"results":[{"id":"d","score":2.5}]`) {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		if strings.Contains(h.logged[0], `,"tokens":2,`) != want {
			t.Errorf("secret %q: %s", secret, h.logged[0])
		}
		if len(h.sent) != 2 || !strings.Contains(string(h.sent[1].Body), "[0.5,1]") {
			t.Errorf("%d sent, the last %s", len(h.sent), h.sent[len(h.sent)-1].Body)
		}
	}
}

// A call is a unit, and each document beyond the first is one more. The units of all are limited too; who is refused
// for that has its own back.
func TestUnitsOfAClientAndOfAll(t *testing.T) {
	for _, c := range []struct {
		limits string
		status []int // of calls of two units
		detail string
	}{
		{`"per_day":4`, []int{200, 200, 429}, "the budget of this client"},
		{`"per_day":5`, []int{200, 200, 429}, "the budget of this client"},
		{`"per_day":6`, []int{200, 200, 200, 429}, "the budget of this client"},
		{`"per_day":100,"all_per_day":4`, []int{200, 200, 429, 429}, "the budget of this edge"},
		{`"per_day":100,"all_per_day":3`, []int{200, 429, 429}, "the budget of this edge"},
		{`"per_minute":2`, []int{200, 200, 429}, "wait, then ask again"},
	} {
		h := &line{next: []next{{status: 200, body: scored2}}}
		h.clock.now = time.Unix(86400*100, 0)
		g := New(parsed(t, strings.Replace(oneNode, "{", `{"limits":{`+c.limits+`},`, 1)), h)
		for i, want := range c.status {
			a := post(g, "rerank", two)
			if a.Status != want {
				t.Errorf("%s, call %d: %d %s", c.limits, i+1, a.Status, a.Body)
			}
			retry := "86400"
			if strings.Contains(c.limits, "minute") {
				retry = "30"
			}
			if want == 429 && (!strings.Contains(string(a.Body), c.detail) || a.Header("Retry-After") != retry) {
				t.Errorf("%s: %s, Retry-After %s", c.limits, a.Body, a.Header("Retry-After"))
			}
		}
	}
	h := &line{next: []next{{status: 200, body: scored2}}}
	g := New(parsed(t, strings.Replace(oneNode, "{", `{"limits":{"per_day":100,"all_per_day":4},`, 1)), h)
	for range 5 {
		post(g, "rerank", two)
	}
	// two calls of two; of each further one its first unit is refused, and comes back
	if own, all := h.Ledger.clients["192.0.2.1"].used, h.Ledger.clients[together].used; own != 4 || all != 4 {
		t.Errorf("%d units of the client, %d of all", own, all)
	}
}

// A wait is told in whole seconds, never too few of them.
func TestWaitsAreRoundedUp(t *testing.T) {
	for wait, want := range map[time.Duration]string{1: "1", time.Second: "1", time.Second + 1: "2",
		90 * time.Second: "90", 0: ""} {
		if got := answerOf(&problem{status: 429, retry: wait}).Header("Retry-After"); got != want {
			t.Errorf("%v: %q, want %q", wait, got, want)
		}
	}
	for given, want := range map[time.Duration]string{0: "1", time.Second: "1", 3 * time.Second: "3"} {
		if got := answerOf(ofFault(failure{fault: "busy", retry: given})).Header("Retry-After"); got != want {
			t.Errorf("busy for %v: %q, want %q", given, got, want)
		}
	}
}
