package gateway

import (
	"strings"
	"testing"
)

// Every way in which a service fails has a sentence of its own, with its status, and nothing of what it said. Its
// breaker says what opened it.
func TestEveryFailureHasItsReason(t *testing.T) {
	const secret = "canary-5f2"
	ask := func(n next) string {
		h := &line{next: []next{n}}
		g := New(parsed(t, `{"backends":[{"id":"wire","kind":"opensearch","url":"https://`+secret+
			`.example","does":["search"],"index":"`+secret+`"}]}`), h)
		var said string
		for range tripAfter + 1 {
			a := post(g, "search", `{"backend":"wire","query":"q","top_k":2}`)
			if strings.Contains(string(a.Body), secret) || a.Status == 200 {
				t.Errorf("%+v: %d %s", n, a.Status, a.Body)
			}
			if said == "" {
				_, said, _ = strings.Cut(string(a.Body), `"why":"`)
				said, _, _ = strings.Cut(said, `"`)
			} else if n.status != 400 && strings.Contains(string(a.Body), "sends nothing") &&
				!strings.Contains(string(a.Body), said) {
				t.Errorf("the breaker does not say what opened it: %s", a.Body)
			}
			h.next = []next{n}
		}
		return said
	}
	seen := map[string]string{}
	hit := `{"_id":"a","_score":1}`
	for name, x := range map[string]struct {
		next
		want string
	}{
		"401":         {next{status: 401, body: secret}, "status 401: it rejects the key of the edge"},
		"404":         {next{status: 404, body: secret}, "status 404: it has no index of the configured name"},
		"429":         {next{status: 429, body: secret}, "status 429: too many requests"},
		"500":         {next{status: 500, body: secret}, "status 500: an error within the service"},
		"503":         {next{status: 503, body: secret}, "status 503: it is overloaded"},
		"400":         {next{status: 400, body: secret}, "status 400: it does not take the request"},
		"redirect":    {next{status: 302, body: secret}, "status 302: a redirect"},
		"unreachable": {next{err: Unreachable}, "nothing answers at its address"},
		"slow":        {next{err: TimedOut}, "it did not answer within 15.0 s"},
		"dropped":     {next{err: Dropped}, "the connection broke"},
		"TLS":         {next{err: Untrusted}, "its certificate is not accepted"},
		"long":        {next{err: CutOff}, "longer than the edge reads"},
		"HTML":        {next{status: 200, body: "\n<html>" + secret}, "HTML or XML, not JSON"},
		"truncated":   {next{status: 200, body: `{"hits":{"hits":[` + hit[:9]}, "cut off or damaged"},
		"text":        {next{status: 200, body: secret}, "is not JSON"},
		"empty":       {next{status: 200, body: ""}, "is empty"},
		"other":       {next{status: 200, body: `{"` + secret + `":1,"hits":3}`}, "not an answer of the kind opensearch"},
		"twice":       {next{status: 200, body: `{"hits":{"hits":[` + hit + "," + hit + `]}}`}, "names a document twice"},
		"many": {next{status: 200, body: `{"hits":{"hits":[` + hit + `,{"_id":"b","_score":1},{"_id":"c","_score":1}]}}`},
			"more documents than were asked for"},
	} {
		got := ask(x.next)
		if !strings.Contains(got, x.want) {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s have one sentence: %s", name, other, got)
		}
		seen[got] = name
	}
}
