package edge

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// A paid service in OpenAI's format: a call costs what it says, and the budgets of a client and of all are of
// tokens. What a call is going to cost is estimated (four characters are a token), and what it did cost takes
// the place of that.
func TestBudgetsAreOfTokens(t *testing.T) {
	costs, asked := 0, 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&q); r.Method == "GET" {
			w.WriteHeader(404)
			return
		}
		asked++
		if costs < 0 {
			w.WriteHeader(500)
			return
		}
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,2]}]`)
		if costs > 0 {
			fmt.Fprintf(w, `,"model":"m","usage":{"prompt_tokens":%d,"total_tokens":%[1]d}`, costs)
		}
		fmt.Fprint(w, "}")
	}))
	defer service.Close()
	c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"limits":{"tokens_per_day":10,"all_tokens_per_day":15},
		"backends":[
		{"id":"paid","kind":"openai","url":%q,"secret":"KEY","model":"m","does":["embed"]},
		{"id":"free","kind":"openai","url":%[1]q,"model":"m","does":["embed"]}]}`, service.URL)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(c, Options{Proxied: true, Secret: func(string) string { return "sk" }})
	if err != nil {
		t.Fatal(err)
	}
	edge := httptest.NewServer(h)
	defer edge.Close()
	n := 0
	ask := func(client, backend string, characters, cost int) string {
		t.Helper()
		costs, n = cost, n+1
		text := fmt.Sprintf("%0*d", characters, n) // no two are the same, so that none is stored
		r, _ := http.NewRequest("POST", edge.URL+"/api/v1/embed",
			strings.NewReader(`{"backend":"`+backend+`","input":["`+text+`"]}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", client)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		body, _ := io.ReadAll(a.Body)
		var p struct{ Code string }
		json.Unmarshal(body, &p)
		return strings.TrimSpace(fmt.Sprint(a.StatusCode, " ", p.Code))
	}
	for i, c := range []struct {
		client, backend  string
		characters, cost int
		want             string
	}{
		{"192.0.2.1", "paid", 16, 0, "200"},         // 4 tokens as estimated; of the client 4, of all 4
		{"192.0.2.1", "paid", 28, 0, "429 tokens"},  // 7 more than the 6 that are left
		{"192.0.2.1", "paid", 24, 2, "200"},         // 6 estimated, 2 told; 6 and 6
		{"192.0.2.1", "paid", 16, -1, "502 broken"}, // a failure costs nothing
		{"192.0.2.1", "paid", 16, 9, "200"},         // 4 estimated, 9 told: over its budget, and counted; 15 and 15
		{"192.0.2.1", "paid", 4, 1, "429 tokens"},   // nothing is left
		{"192.0.2.2", "paid", 4, 1, "429 tokens"},   // of all neither
		{"192.0.2.1", "free", 400, 0, "200"},        // a backend without a secret is not paid for
	} {
		before := asked
		if got := ask(c.client, c.backend, c.characters, c.cost); got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
		if refused := strings.HasPrefix(c.want, "429"); refused == (asked > before) {
			t.Errorf("%d: the service was asked %d times", i, asked-before)
		}
	}
}
