package edge

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// keySecret is the secret CLIENT_KEYS of all hosts.
const keySecret = "0123456789abcdef0123456789abcdef-canary"

// private are limits of an edge that wants keys. A service that is too late is answered by the input's order, which
// costs no tokens: they are patient.
var private = patient + `},"keys":{"secret":"CLIENT_KEYS","revoked":["gone"],"budgets":{"small":{"per_day":3},` +
	`"thrifty":{"tokens_per_day":20}}`

func keyOf(t *testing.T, id string, last time.Time) string {
	t.Helper()
	k, err := gateway.NewKey(keySecret, id, last)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// rerankOf asks for one document of so many characters, and of no earlier question's text.
func rerankOf(n, characters int) string {
	return fmt.Sprintf(`{"backend":"good","query":"q","documents":[{"id":"a","text":"%0*d"}]}`, characters, n)
}

// Who has no key of a private edge, or one that expired, was revoked or changed, gets 401; health and metrics need
// none. The code is that of Go's crypto/hmac.
func TestAPrivateEdgeWantsAKey(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	good := keyOf(t, "lea", time.Now().Add(day))
	text := good[:strings.LastIndexByte(good, '.')]
	mac := hmac.New(sha256.New, []byte(keySecret))
	mac.Write([]byte(text))
	if want := text + "." + hex.EncodeToString(mac.Sum(nil)); good != want {
		t.Errorf("%s, want %s", good, want)
	}
	everywhere(t, private, func(t *testing.T, s *service, h *subject) {
		for name, c := range map[string]struct{ token, want string }{
			"none":             {"", "401 key"},
			"a key":            {"Bearer " + good, "200"},
			"today is its end": {"Bearer " + keyOf(t, "lea", time.Now()), "200"},
			"expired":          {"Bearer " + keyOf(t, "lea", time.Now().Add(-2*day)), "401 key"},
			"revoked":          {"Bearer " + keyOf(t, "gone", time.Now().Add(day)), "401 key"},
			"another id":       {"Bearer " + strings.Replace(good, ".lea.", ".mia.", 1), "401 key"},
			"a digit changed":  {"Bearer " + good[:len(good)-1] + flip(good[len(good)-1]), "401 key"},
			"not bearer":       {"Basic " + good, "401 key"},
			"twice":            {"Bearer " + good + ",Bearer " + good, "401 key"},
			"the metrics'":     {"Bearer token", "401 key"},
			"the secret":       {"Bearer " + keySecret, "401 key"},
		} {
			if got := h.ask(t, "GET", "/api/v1/backends", "", "Authorization", c.token).problem(); got != c.want {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
		}
		before := s.count("good")
		r := h.ask(t, "POST", "/api/v1/rerank", rerankGood)
		if r.problem() != "401 key" || r.head.Get("WWW-Authenticate") == "" || s.count("good") != before {
			t.Errorf("%s, %d requests to the service", r.problem(), s.count("good")-before)
		}
		page := h.ask(t, "GET", "/api/v1/backends", "", "Origin", "https://lab.example")
		if page.head.Get("Access-Control-Allow-Origin") != "https://lab.example" {
			t.Error("a page cannot read why it is refused")
		}
		if r := h.ask(t, "GET", "/healthz", ""); r.status != 200 {
			t.Errorf("health: %d", r.status)
		}
		if r := h.ask(t, "GET", "/metrics", "", "Authorization", "Bearer token"); r.status != 200 {
			t.Errorf("metrics: %d", r.status)
		}
		h.ask(t, "POST", "/api/v1/rerank", rerankGood, "Authorization", "Bearer "+good)
		named := h.log.has(`"key":"lea"`)
		if log := h.log.String(); !named || strings.Contains(log, good[len(good)-64:]) ||
			strings.Contains(log, keySecret) {
			t.Errorf("the log: %s", short(log))
		}
	})
}

func flip(c byte) string {
	if c == '0' {
		return "1"
	}
	return "0"
}

// A key has a budget of its own, wherever its holder is; other clients are not touched by it.
func TestAKeyHasABudget(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, h := range []*subject{native(t, s, private, Options{}), worker(t, s, private, true)} {
		t.Run(h.name, func(t *testing.T) {
			n := 0
			ask := func(id string, characters int) string {
				n++
				return h.ask(t, "POST", "/api/v1/rerank", rerankOf(n, characters), "Authorization",
					"Bearer "+keyOf(t, id, time.Now().Add(time.Hour))).problem()
			}
			// three units a day: a call with one document is one
			for i, want := range []string{"200", "200", "200", "429 budget"} {
				if got := ask("small", 4); got != want {
					t.Errorf("call %d: %s, want %s", i+1, got, want)
				}
			}
			// 20 tokens a day: a query of 1 and a text of 40 characters are 1 and 10
			for i, want := range []string{"200", "429 tokens"} {
				if got := ask("thrifty", 40); got != want {
					t.Errorf("thrifty, call %d: %s, want %s", i+1, got, want)
				}
			}
			for range 5 {
				if got := ask("lea", 40); got != "200" {
					t.Errorf("another key: %s", got)
				}
			}
		})
	}
}

// All clients together have a budget: what one of them used is missing for the other. In workerd two instances share
// it by the Durable Object, and a hundred calls at once on a budget of thirty give exactly thirty.
func TestAllClientsTogetherHaveABudget(t *testing.T) {
	t.Parallel()
	limits := wide + `,"all_per_day":30},"keys":{"secret":"CLIENT_KEYS"`
	s := newService(t)
	for _, hosts := range [][]*subject{{native(t, s, limits, Options{})}, workers(t, s, limits, true, true)} {
		t.Run(hosts[0].name, func(t *testing.T) {
			var wait sync.WaitGroup
			var mu sync.Mutex
			got := map[string]int{}
			for i := range 100 {
				key := keyOf(t, fmt.Sprintf("client-%d", i%4), time.Now().Add(time.Hour))
				wait.Go(func() {
					h := hosts[i%len(hosts)]
					r := h.ask(t, "POST", "/api/v1/rerank", rerankOf(i, 4), "Authorization", "Bearer "+key)
					mu.Lock()
					defer mu.Unlock()
					got[r.problem()]++
				})
			}
			wait.Wait()
			if got["200"] != 30 || got["429 budget"] != 70 {
				t.Errorf("%v", got)
			}
		})
	}
}
