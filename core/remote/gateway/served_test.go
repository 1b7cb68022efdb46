package gateway

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Which addresses there are, by which methods, for pages of which origin.
func TestAddressesMethodsAndOrigins(t *testing.T) {
	c := parsed(t, `{"origins":["https://a.example"],"snapshots":true}`)
	const hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for _, x := range []struct {
		method, path, origin string
		status               int
		allow, cors          string // Allow, Access-Control-Allow-Origin
	}{
		{"GET", "/healthz", "", 200, "", ""},
		{"HEAD", "/healthz", "", 200, "", ""},
		{"POST", "/healthz", "", 405, "GET, OPTIONS", ""},
		{"GET", "/healthz", "https://b.example", 200, "", ""}, // it is open to every page, which cannot read it
		{"GET", "/api/v1/backends", "https://a.example", 200, "", "https://a.example"},
		{"GET", "/api/v1/backends", "https://self.example", 200, "", ""},
		{"GET", "/api/v1/backends", "https://b.example", 403, "", ""},
		{"GET", "/api/v1/backends", "", 200, "", ""},
		{"DELETE", "/api/v1/backends", "", 405, "GET, OPTIONS", ""},
		{"GET", "/api/v1/embed", "", 405, "POST, OPTIONS", ""},
		{"DELETE", "/api/v1/snapshots/" + hash, "", 405, "GET, PUT, OPTIONS", ""},
		{"GET", "/api/v1/snapshots/" + hash, "", 404, "", ""},
		{"GET", "/api/v1/snapshots/" + hash[1:], "", 404, "", ""},
		{"POST", "/api/v1/snapshots/" + hash[1:], "", 404, "", ""}, // no such address, whatever the method
		{"POST", "/api/v1/snapshots/" + strings.ToUpper(hash), "", 404, "", ""},
		{"GET", "/api/v1/nothing", "", 404, "", ""},
		{"GET", "/api/v1/backends/", "", 404, "", ""},
		{"OPTIONS", "/api/v1/nothing", "", 404, "", ""},
		{"OPTIONS", "/api/v1/embed", "https://a.example", 204, "", "https://a.example"},
		{"OPTIONS", "/api/v1/embed", "https://b.example", 403, "", ""},
		{"OPTIONS", "/api/v1/embed", "", 204, "", ""},
		{"GET", "/metrics", "", 404, "", ""}, // it has no token
	} {
		a := New(c, &line{}).Serve(&Call{Method: x.method, Path: x.path, Origin: x.origin,
			Self: "https://self.example", Client: "192.0.2.1"})
		if a.Status != x.status || a.Header("Allow") != x.allow || a.Header("Access-Control-Allow-Origin") != x.cors {
			t.Errorf("%s %s from %q: %d, Allow %q, origin %q", x.method, x.path, x.origin, a.Status, a.Header("Allow"),
				a.Header("Access-Control-Allow-Origin"))
		}
		if x.method == "HEAD" && len(a.Body) > 0 || a.Header("X-Content-Type-Options") != "nosniff" ||
			a.Header("Content-Security-Policy") != "default-src 'none'; frame-ancestors 'none'" ||
			a.Header("Cache-Control") != "no-store" || !strings.HasPrefix(a.Header("Vary"), "Origin") {
			t.Errorf("%s %s: %v %s", x.method, x.path, a.Headers, a.Body)
		}
	}
	a := New(c, &line{}).Serve(&Call{Method: "OPTIONS", Path: "/api/v1/snapshots/" + hash, Origin: "https://a.example"})
	if a.Header("Access-Control-Allow-Methods") != "GET, PUT" || a.Header("Access-Control-Max-Age") != "600" {
		t.Errorf("%v", a.Headers)
	}
	for path, want := range map[string]bool{"/api/x": true, "/healthz": true, "/metrics": true, "/": false,
		"/healthz/": false, "/apix": false} {
		if Owns(path) != want {
			t.Errorf("%s is the gateway's: %v", path, !want)
		}
	}
	for s, want := range map[string]bool{hash: true, hash[1:]: false, hash + "0": false, "`" + hash[1:]: false,
		"g" + hash[1:]: false, "/" + hash[1:]: false, ":" + hash[1:]: false, "a9f0" + hash[4:]: true} {
		if isHash(s) != want {
			t.Errorf("%s is a hash: %v", s, !want)
		}
	}
}

// Bodies are JSON, whole, and within their limit.
func TestBodiesAreJSONWithinTheirLimit(t *testing.T) {
	for _, x := range []struct {
		name, kind, encoding string
		length               int64
		body                 string
		err                  error
		status               int
	}{
		{"JSON", "application/json", "", 2, "{}", nil, 400},
		{"JSON in capitals", " Application/JSON ; charset=utf-8", "", 2, "{}", nil, 400},
		{"unencoded", "application/json", "identity", 2, "{}", nil, 400},
		{"an encoding", "application/json", "gzip", 2, "{}", nil, 415},
		{"a form", "application/x-www-form-urlencoded", "", 2, "{}", nil, 415},
		{"as long as may be", "application/json", "", 10, "{}        ", nil, 400},
		{"said to be longer", "application/json", "", 11, "{}", nil, 413},
		{"longer than was said", "application/json", "", -1, "{}         ", nil, 413},
		{"too long for the host", "application/json", "", -1, "", ErrTooLarge, 413},
		{"cut off", "application/json", "", -1, "", errors.New("cut off"), 408},
	} {
		c := parsed(t, strings.Replace(oneNode, "{", `{"limits":{"body":10},`, 1))
		a := New(c, &line{}).Serve(&Call{Method: "POST", Path: "/api/v1/rerank", ContentType: x.kind,
			Encoding: x.encoding, Client: "192.0.2.1", Length: x.length,
			Body: func(int) ([]byte, error) { return []byte(x.body), x.err }})
		if a.Status != x.status || a.Header("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", x.name, a.Status, a.Body)
		}
	}
}

// What a search may ask for, and what of an answer is refused.
func TestSearchesAreChecked(t *testing.T) {
	const config = `{"limits":{"top_k":5,"characters":3},"backends":[` +
		`{"id":"words","kind":"opensearch","url":"http://o","does":["search"],"index":"i","text_fields":["t"]},` +
		`{"id":"both","kind":"opensearch","url":"http://o","does":["search"],"index":"i","modes":["bm25","knn"],` +
		`"text_fields":["t"],"vector_field":"v","dimensions":2},` +
		`{"id":"any","kind":"opensearch","url":"http://o","does":["search"],"index":"i","modes":["knn"],` +
		`"vector_field":"v"}]}`
	hits := func(ids ...string) string {
		var out []string
		for i, id := range ids {
			out = append(out, fmt.Sprintf(`{"_id":%q,"_score":%d}`, id, 9-i))
		}
		return `{"hits":{"hits":[` + strings.Join(out, ",") + `]}}`
	}
	for _, x := range []struct {
		body, answer string
		status       int
		want         string // a part of the answer
	}{
		{`{"backend":"words","query":"q"}`, hits("a", "b"), 200, `"index":"i","mode":"bm25","results":[{"id":"a",` +
			`"score":9},{"id":"b","score":8}]}`},
		{`{"backend":"words","query":"q"}`, hits(), 200, `"results":[]}`},
		{`{"backend":"words","query":""}`, hits("a"), 200, `"a"`},
		{`{"backend":"words"}`, "", 400, "/query"},
		{`{"backend":"words","query":"four"}`, "", 413, "/query"},
		{`{"backend":"words","query":"q","top_k":0}`, "", 400, "/top_k"},
		{`{"backend":"words","query":"q","top_k":6}`, "", 413, "/top_k"},
		{`{"backend":"words","query":"q","top_k":1}`, hits("a"), 200, `"a"`},
		{`{"backend":"words","query":"q","top_k":1}`, hits("a", "b"), 502, "broken"},
		{`{"backend":"words","query":"q"}`, hits("a", "a"), 502, "broken"},
		{`{"backend":"words","query":"q","mode":"knn"}`, "", 422, "/mode"},
		{`{"backend":"words","query":"q","mode":"other"}`, "", 400, "/mode"},
		{`{"backend":"both","query":"q","vector":[1,2]}`, "", 400, "/vector"},
		{`{"backend":"both","query":"q","mode":"knn","vector":[1,2]}`, hits("a"), 200, `"mode":"knn"`},
		{`{"backend":"both","query":"q","mode":"knn","vector":[1]}`, "", 400, "/vector"},
		{`{"backend":"any","query":"q","mode":"knn","vector":[1]}`, hits("a"), 200, `"mode":"knn"`},
		{`{"backend":"both","query":"q","mode":"knn"}`, "", 400, "/vector"},
		{`{"backend":"both","query":"q","mode":"bm25"}`, hits("a"), 200, `"a"`},
		{`{"backend":"A","query":"q"}`, "", 400, "/backend"},
		{`{"backend":"none","query":"q"}`, "", 404, "/backend"},
	} {
		h := &line{next: []next{{status: 200, body: x.answer}}}
		g := New(parsed(t, config), h)
		a := post(g, "search", x.body)
		if a.Status != x.status || !strings.Contains(string(a.Body), x.want) {
			t.Errorf("%s: %d %s, want %s", x.body, a.Status, a.Body, x.want)
		}
		if sent := 0; x.answer != "" {
			if sent = 1; a.Status == 200 { // the same again is remembered
				if again := post(g, "search", x.body); string(again.Body) != string(a.Body) {
					t.Errorf("%s: %s, then %s", x.body, a.Body, again.Body)
				}
			}
			if len(h.sent) != sent {
				t.Errorf("%s: %d sent", x.body, len(h.sent))
			}
		}
	}
}

// Vectors are checked, written as the service wrote them, and asked for in batches that agree.
func TestVectorsAreChecked(t *testing.T) {
	config := func(more string) string {
		return `{"backends":[{"id":"m","kind":"tei","url":"http://m","does":["embed"],"batch":1,` +
			`"outputs":["dense","tokens","sparse"]` + more + `}]}`
	}
	one, both := `{"backend":"m","input":["a"]`, `{"backend":"m","input":["a","b"]`
	for _, x := range []struct {
		config, body string
		answers      []string
		status       int
		want         string
	}{
		{"", one + "}", []string{"[[0.5,-1e-3]]"}, 200, `"output":"dense","dimensions":2,"vectors":[[0.5,-1e-3]]}`},
		{"", both + "}", []string{"[[1,2]]", "[[3,4]]"}, 200, `"dimensions":2,"vectors":[[1,2],[3,4]]}`},
		{"", both + "}", []string{"[[1,2]]", "[[3]]"}, 502, "broken"},
		{`,"dimensions":2`, one + "}", []string{"[[1,2]]"}, 200, "[[1,2]]"},
		{`,"dimensions":3`, one + "}", []string{"[[1,2]]"}, 502, "broken"},
		{"", one + "}", []string{"[]"}, 502, "broken"},
		{"", one + `,"output":"tokens"}`, []string{"[[[1,2],[3,4]]]"}, 200,
			`"dimensions":2,"vectors":[[[1,2],[3,4]]]}`},
		{"", both + `,"output":"tokens"}`, []string{"[[[1,2],[3,4]]]", "[[[5,6]]]"}, 200,
			`"vectors":[[[1,2],[3,4]],[[5,6]]]}`},
		{"", both + `,"output":"tokens"}`, []string{"[[[1,2]]]", "[[]]"}, 200, `"vectors":[[[1,2]],[]]}`},
		{"", both + `,"output":"tokens"}`, []string{"[[[1,2]]]", "[[[3]]]"}, 502, "broken"},
		{"", one + `,"output":"sparse"}`, []string{`[[{"index":7,"value":0.5},{"index":9,"value":1}]]`}, 200,
			`"vectors":[[{"index":7,"value":0.5},{"index":9,"value":1}]]}`},
		{"", both + `,"output":"sparse"}`, []string{`[[{"index":7,"value":0.5}]]`, `[[]]`}, 200,
			`"vectors":[[{"index":7,"value":0.5}],[]]}`},
		{"", one + "}", []string{"not JSON"}, 502, "broken"},
	} {
		var list []next
		for _, text := range x.answers {
			list = append(list, next{status: 200, body: text})
		}
		h := &line{next: list}
		a := post(New(parsed(t, config(x.config)), h), "embed", x.body)
		if a.Status != x.status || !strings.Contains(string(a.Body), x.want) {
			t.Errorf("%s%s: %d %s, want %s", x.body, x.config, a.Status, a.Body, x.want)
		}
		if want := len(x.answers); len(h.sent) != want {
			t.Errorf("%s: %d sent, want %d", x.body, len(h.sent), want)
		}
		if x.status == 200 && !strings.Contains(h.logged[0], fmt.Sprintf(`"items":%d,"units":%d,`, len(h.sent),
			len(h.sent))) {
			t.Errorf("%s", h.logged[0])
		}
	}
}

// The metrics of a few calls, by hand: two rerankings, of which one came from memory, and one that fell back.
func TestMetricsOfAFewCalls(t *testing.T) {
	h := &line{next: []next{{status: 200, body: scored2, takes: 300 * time.Millisecond}, {status: 500, takes: 6 *
		time.Second}}, secrets: map[string]string{MetricsSecret: "token"}}
	g := New(parsed(t, oneNode), h)
	post(g, "rerank", two)
	post(g, "rerank", two)
	post(g, "rerank", strings.Replace(strings.Replace(two, `"fallback":false,`, "", 1), `"q"`, `"r"`, 1))
	read := func(authorization string) *Answer {
		return g.Serve(&Call{Method: "GET", Path: "/metrics", Authorization: authorization})
	}
	for _, wrong := range []string{"", "token", "Bearer tokem", "Bearer token ", "Bearer toke"} {
		if a := read(wrong); a.Status != 401 || a.Header("WWW-Authenticate") != `Bearer realm="metrics"` {
			t.Errorf("%q: %d", wrong, a.Status)
		}
	}
	a := read("Bearer token")
	const of = `,isolate="00000000"} `
	for _, want := range []string{
		`rankbox_requests_total{route="POST /api/v1/rerank",status="200"` + of + "3",
		`rankbox_requests_total{route="GET /metrics",status="401"` + of + "5",
		`rankbox_upstream_events_total{backend="cross",event="broken"` + of + "1",
		`rankbox_cache_total{route="POST /api/v1/rerank",result="hit"` + of + "1",
		`rankbox_cache_total{route="POST /api/v1/rerank",result="miss"` + of + "2",
		`rankbox_request_seconds_bucket{route="POST /api/v1/rerank",le="0.1"` + of + "1",
		`rankbox_request_seconds_bucket{route="POST /api/v1/rerank",le="0.3"` + of + "2",
		`rankbox_request_seconds_bucket{route="POST /api/v1/rerank",le="5"` + of + "2",
		`rankbox_request_seconds_bucket{route="POST /api/v1/rerank",le="+Inf"` + of + "3",
		`rankbox_request_seconds_sum{route="POST /api/v1/rerank"` + of + "6.3",
		`rankbox_request_seconds_count{route="POST /api/v1/rerank"` + of + "3",
		`rankbox_rerank_answers_total{backend="cross"` + of + "3",
		`rankbox_rerank_fallback_total{backend="cross"` + of + "1",
		`rankbox_items_total{route="POST /api/v1/rerank"` + of + "6",
		`rankbox_item_answers_total{route="POST /api/v1/rerank"` + of + "3",
		`rankbox_rerank_score_sum{backend="cross"` + of + "1.25",
		`rankbox_rerank_score_count{backend="cross"` + of + "2",
		`rankbox_rerank_spread_sum{backend="cross"` + of + "0.25",
		`rankbox_rerank_spread_count{backend="cross"` + of + "1",
		`rankbox_rerank_score_min{backend="cross"` + of + "0.5",
		`rankbox_rerank_score_max{backend="cross"` + of + "0.75",
		`rankbox_shared{part="budgets"` + of + "0",
	} {
		if !slices.Contains(strings.Split(string(a.Body), "\n"), want) {
			t.Errorf("there is no line %s", want)
		}
	}
	if t.Failed() {
		t.Logf("%s", a.Body)
	}
	if strings.Contains(string(a.Body), "rankbox_tokens_total{") {
		t.Error("tokens of a backend that costs none are counted")
	}
}
