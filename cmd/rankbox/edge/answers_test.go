package edge

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

const (
	embedGood  = `{"backend":"good","input":["a quay","a hill","a boat","a rope","a sail"],"role":"query"}`
	rerankGood = `{"backend":"good","query":"harbour","documents":[{"id":"a","text":"1"},{"id":"b","text":"333"},` +
		`{"id":"c","text":"22"},{"id":"d","text":"1"},{"id":"e","text":"55555"}]}`
)

// What each host answers, to the byte: one policy. Vectors are checked by hand: SHA-256("a quay") begins c0 7b…, see
// service.good.
func TestEveryHostGivesTheSameAnswers(t *testing.T) {
	t.Parallel()
	var first map[string]string
	everywhere(t, patient, func(t *testing.T, s *service, h *subject) {
		got := map[string]string{}
		h.declares(t, "good", "nodes", "cluster")
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/api/v1/backends", ""},
			{"GET", "/healthz", ""},
			{"POST", "/api/v1/embed", embedGood},
			{"POST", "/api/v1/embed", `{"backend":"good","input":["a"],"output":"tokens"}`},
			{"POST", "/api/v1/embed", `{"backend":"good","input":["a"],"output":"sparse"}`},
			{"POST", "/api/v1/rerank", rerankGood},
			{"POST", "/api/v1/rerank", strings.Replace(rerankGood, `"query"`, `"top_k":2,"query"`, 1)},
			{"POST", "/api/v1/rerank", strings.Replace(rerankGood, "good", "gone", 1)},
			{"POST", "/api/v1/search", `{"backend":"cluster","query":"harbour","top_k":3}`},
			{"POST", "/api/v1/search", `{"backend":"cluster","query":"harbour","mode":"knn","top_k":2}`},
			{"POST", "/api/v1/documents", `{"backend":"cluster","ids":["doc-1","doc-0"]}`},
		} {
			if c.method == "POST" && !theContract(t).request(c.method, c.path, []byte(c.body)) {
				t.Errorf("the contract does not take %s", c.body)
			}
			r := h.ask(t, c.method, c.path, c.body)
			if r.status != 200 {
				t.Errorf("%s %s: %d %s", c.path, c.body, r.status, r.body)
			}
			// a worker without stores has no rooms
			got[c.path+c.body] = strings.NewReplacer(s.URL, "", `"rooms":false`, `"rooms":true`).Replace(string(r.body))
		}
		_, identity, _ := strings.Cut(got["/api/v1/rerank"+rerankGood], `"identity":"`)
		want := `{"backend":"good","identity":"` + identity[:min(64, len(identity))] +
			`","model":"m","revision":"1","results":[{"index":4,"id":"e","score":0.005},{"index":1,"id":"b",` +
			`"score":0.003},{"index":2,"id":"c","score":0.002},{"index":0,"id":"a","score":0.001},{"index":3,` +
			`"id":"d","score":0.001}]}`
		if got["/api/v1/rerank"+rerankGood] != want {
			t.Errorf("%s\nwant %s", got["/api/v1/rerank"+rerankGood], want)
		}
		shown := `{"id":"doc-1","title":"a quay","text":"` + strings.Repeat("é", 10_000) + `"}`
		if a := got[`/api/v1/documents{"backend":"cluster","ids":["doc-1","doc-0"]}`]; !strings.Contains(a, shown) {
			t.Errorf("%.300s", a)
		}
		if n := s.count("good"); n != 2+1+1+2+2+1+2+1 { // five texts are two batches of at most four
			t.Errorf("the service was asked %d times", n)
		}
		if first == nil {
			first = got
		}
		ages := regexp.MustCompile(`"age_ms":\{[^}]*\}`)
		for k, v := range got {
			if ages.ReplaceAllString(first[k], "") != ages.ReplaceAllString(v, "") {
				t.Errorf("%s: %s\nnative: %s", k, v, first[k])
			}
		}
	})
}

func TestAnswersAreKeptAndHitsCounted(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, h := range []*subject{native(t, s, `"per_minute":1000,"per_day":14`, Options{}),
		worker(t, s, `"per_minute":1000,"per_day":14`, true)} {
		t.Run(h.name, func(t *testing.T) {
			before := s.count("good")
			for i, want := range []string{"miss", "hit"} {
				r := h.ask(t, "POST", "/api/v1/embed", embedGood)
				if !strings.HasPrefix(r.head.Get("Server-Timing"), "cache;desc="+want+", upstream;dur=") {
					t.Errorf("%d: %s", i, r.head.Get("Server-Timing"))
				}
			}
			if n := s.count("good") - before; n != 2 {
				t.Errorf("the service was asked %d times for one answer of two batches", n)
			}
			// 5 units each; the third is over the budget of 14, though it would be a hit
			if r := h.ask(t, "POST", "/api/v1/embed", embedGood); r.problem() != "429 budget" ||
				r.head.Get("Retry-After") == "" {
				t.Errorf("%s", r.problem())
			}
		})
	}
}

// Another backend, role, output, order or text is another answer; a spelling of the same request is the same.
func TestCacheIsKeyedByEverythingThatMatters(t *testing.T) {
	t.Parallel()
	everywhere(t, patient, func(t *testing.T, s *service, h *subject) {
		seen := map[string]bool{}
		for _, c := range []struct{ path, body, cache string }{
			{"embed", `{"backend":"good","input":["a","b"]}`, "miss"},
			{"embed", `{ "input": ["\u0061", "b"], "role": "document", "backend": "good" }`, "hit"},
			{"embed", `{"backend":"other","input":["a","b"]}`, "miss"},
			{"embed", `{"backend":"good","input":["b","a"]}`, "miss"},
			{"embed", `{"backend":"good","input":["a\",\"b"]}`, "miss"},
			{"embed", `{"backend":"good","input":["a","b"],"role":"query"}`, "miss"},
			{"embed", `{"backend":"good","input":["a","b"],"output":"sparse"}`, "miss"},
			{"rerank", `{"backend":"good","query":"a","documents":[{"id":"b","text":"c"}]}`, "miss"},
			{"rerank", `{"backend":"good","query":"a","documents":[{"id":"bc","text":""}]}`, "miss"},
			{"rerank", `{"backend":"good","query":"ab","documents":[{"id":"","text":"c"}]}`, "miss"},
			{"rerank", `{"backend":"other","query":"a","documents":[{"id":"b","text":"c"}]}`, "miss"},
			{"rerank", `{"backend":"busy","query":"a","documents":[{"id":"b","text":"c"}]}`, "miss"},
			// a fallback is never kept
			{"rerank", `{"backend":"busy","query":"a","documents":[{"id":"b","text":"c"}]}`, "miss"},
			{"embed", `{"backend":"nonsense","input":["a"]}`, "miss"},
			{"embed", `{"backend":"nonsense","input":["a"]}`, "miss"}, // nor an answer that is none
		} {
			r := h.ask(t, "POST", "/api/v1/"+c.path, c.body)
			if !strings.HasPrefix(r.head.Get("Server-Timing"), "cache;desc="+c.cache) {
				t.Errorf("%s: %s, want %s", c.body, r.head.Get("Server-Timing"), c.cache)
			}
			// TEI has no roles
			if c.cache == "miss" && r.status == 200 && !strings.Contains(c.body, "busy") &&
				!strings.Contains(c.body, "role") {
				if seen[string(r.body)] {
					t.Errorf("%s: the answer of another request", c.body)
				}
				seen[string(r.body)] = true
			}
		}
	})
}

func TestWhatAServiceDoesWrongIsSaidInOneVocabulary(t *testing.T) {
	t.Parallel()
	everywhere(t, wide, func(t *testing.T, s *service, h *subject) {
		// On a busy machine a large answer may not be read in time: whoever wants it broken asks again.
		ask := func(want, path, body string) (r *reply) {
			for range 5 {
				r = h.ask(t, "POST", path, body)
				late := r.problem() == "503 busy" || strings.Contains(string(r.body), `"reason":"busy"`)
				if !late || !strings.HasPrefix(want, "502") {
					break
				}
			}
			return r
		}
		for name, want := range map[string]string{
			"busy": "503 busy", "gone": "503 busy", "slow": "503 busy", "drip": "503 busy",
			"leaky": "502 broken", "redirect": "502 broken", "huge": "502 broken", "bomb": "502 broken",
			"nonsense": "502 broken", "short": "502 broken", "cut": "502 broken", "empty": "502 broken",
			"denied": "502 unauthorised", "long": "422 too-long",
		} {
			r := ask(want, "/api/v1/embed", `{"backend":"`+name+`","input":["a quay"]}`)
			if r.problem() != want {
				t.Errorf("%s: %s, want %s", name, r.problem(), want)
			}
			if name == "slow" || name == "drip" { // a second and a half each
				continue
			}
			r = ask(want, "/api/v1/rerank",
				`{"backend":"`+name+`","query":"q","documents":[{"id":"z","text":"1"},{"id":"y","text":"22"}]}`)
			if name == "long" {
				if r.problem() != want {
					t.Errorf("%s: %s", name, r.problem())
				}
				continue
			}
			if reason := want[4:]; r.status != 200 ||
				!strings.Contains(string(r.body),
					`"results":[{"index":0,"id":"z"},{"index":1,"id":"y"}],"fallback":{"order":"input","reason":"`+
						reason+`","why":"`) {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
			r = ask(want, "/api/v1/rerank",
				`{"backend":"`+name+`","query":"q","fallback":false,"documents":[{"id":"z","text":"1"}]}`)
			if r.problem() != want {
				t.Errorf("%s without fallback: %s, want %s", name, r.problem(), want)
			}
		}
		if n := s.count("private"); n != 0 {
			t.Errorf("a redirect was followed %d times", n)
		}
		if r := h.ask(t, "POST", "/api/v1/embed", `{"backend":"twice","input":["a quay"]}`); r.status != 200 ||
			s.count("twice") != 3 {
			t.Errorf("a service that is busy twice: %d after %d", r.status, s.count("twice"))
		}
		if n := s.count("denied"); n > 5 {
			t.Errorf("a refusal was tried again: %d", n)
		}
	})
}

// Of a cluster the next node is asked where one is not there, busy, or drops the connection, in the middle of its
// answer too; the one that answered is asked first from then on.
func TestNodesOfACluster(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, h := range []*subject{native(t, s, wide, Options{}), worker(t, s, wide, false)} {
		t.Run(h.name, func(t *testing.T) {
			busy, reset, cut := s.count("busy"), s.count("reset"), s.count("cut")
			for i := range 3 {
				if r := h.ask(t, "POST", "/api/v1/embed",
					fmt.Sprintf(`{"backend":"nodes","input":["%d"]}`, i)); r.status != 200 {
					t.Errorf("%d: %d %s", i, r.status, r.body)
				}
			}
			// Go's client sends once more of itself
			if s.count("busy")-busy != 1 || s.count("cut")-cut != 1 || s.count("reset")-reset < 1 ||
				s.count("reset")-reset > 2 {
				t.Errorf("nodes that do not answer were asked %d, %d and %d times", s.count("busy")-busy,
					s.count("reset")-reset, s.count("cut")-cut)
			}
		})
	}
}

// After five failures in a row a backend is left alone, and says so without being asked.
func TestBreaker(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, h := range []*subject{native(t, s, wide, Options{}), worker(t, s, wide, false)} {
		t.Run(h.name, func(t *testing.T) {
			before := s.count("leaky")
			for range 8 {
				if r := h.ask(t, "POST", "/api/v1/embed", `{"backend":"leaky","input":["a quay"]}`); r.status < 500 {
					t.Errorf("%d", r.status)
				}
			}
			if n := s.count("leaky") - before; n != 5 {
				t.Errorf("asked %d times", n)
			}
			if r := h.ask(t, "GET", "/healthz", ""); !strings.Contains(string(r.body), `"leaky":"open"`) ||
				!strings.Contains(string(r.body), `"good":"closed"`) {
				t.Errorf("%s", r.body)
			}
			if r := h.ask(t, "POST", "/api/v1/embed", `{"backend":"good","input":["a quay"]}`); r.status != 200 {
				t.Errorf("another backend: %d", r.status)
			}
		})
	}
}

// plain are metrics without the name of the instance.
func plain(metrics []byte) string {
	return regexp.MustCompile(`,isolate="[0-9a-f]{8}"`).ReplaceAllString(string(metrics), "")
}

// /metrics says which parts of the edge all instances share. Breakers and counts never are.
func TestMetricsSayWhatIsShared(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for name, c := range map[string]struct {
		h    func() *subject
		want string
	}{
		"native": {func() *subject { return native(t, s, wide, Options{}) }, "0 0 0 0 0 0"},
		"native with a folder": {func() *subject { return native(t, s, wide, Options{Snapshots: t.TempDir()}) },
			"0 0 1 0 0 0"},
		"workerd without bindings": {func() *subject { return worker(t, s, wide, false) }, "0 0 0 0 0 0"},
		"workerd":                  {func() *subject { return worker(t, s, wide, true) }, "1 1 1 1 0 0"},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.h().ask(t, "GET", "/metrics", "", "Authorization", "Bearer token")
			var got []string
			for _, p := range gateway.Parts {
				_, rest, _ := strings.Cut(plain(r.body), `rankbox_shared{part="`+string(p)+`"} `)
				got = append(got, rest[:min(1, len(rest))])
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if !strings.Contains(string(r.body), "Calls by route and status, of this instance.") {
				t.Errorf("a figure does not say of what it is:\n%s", r.body)
			}
		})
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, h := range []*subject{native(t, s, wide, Options{}), worker(t, s, wide, false)} {
		t.Run(h.name, func(t *testing.T) {
			h.ask(t, "POST", "/api/v1/rerank", rerankGood)
			h.ask(t, "POST", "/api/v1/rerank", rerankGood)
			h.ask(t, "POST", "/api/v1/rerank", strings.Replace(rerankGood, "good", "denied", 1))
			for _, token := range []string{"", "Bearer", "Bearer wrong", "Bearer tokeN", "token",
				"Bearer token,Bearer token"} {
				if r := h.ask(t, "GET", "/metrics", "", "Authorization", token); r.status != 401 {
					t.Errorf("%q: %d", token, r.status)
				}
			}
			r := h.ask(t, "GET", "/metrics", "", "Authorization", "Bearer token")
			for _, want := range []string{
				`rankbox_requests_total{route="POST /api/v1/rerank",status="200"} 3`,
				`rankbox_cache_total{route="POST /api/v1/rerank",result="hit"} 1`,
				`rankbox_rerank_answers_total{backend="good"} 2`,
				`rankbox_rerank_fallback_total{backend="denied"} 1`,
				`rankbox_upstream_events_total{backend="denied",event="unauthorised"} 1`,
				`rankbox_rerank_score_count{backend="good"} 5`,
				`rankbox_rerank_score_sum{backend="good"} 0.012`, // 0.001 + 0.003 + 0.002 + 0.001 + 0.005
				`rankbox_rerank_score_min{backend="good"} 0.001`,
				`rankbox_rerank_score_max{backend="good"} 0.005`,
				`rankbox_request_seconds_bucket{route="POST /api/v1/rerank",le="+Inf"} 3`,
				`rankbox_request_seconds_count{route="POST /api/v1/rerank"} 3`,
				`rankbox_items_total{route="POST /api/v1/rerank"} 15`,
			} {
				if !strings.Contains(plain(r.body), want+"\n") {
					t.Errorf("no %s in\n%s", want, r.body)
				}
			}
		})
	}
}
