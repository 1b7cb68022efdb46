package gateway

import (
	"strings"
	"testing"
	"time"
)

// Each node of a cluster is asked once, and the first of them once more.
func TestEveryNodeIsAskedAndTheFirstAgain(t *testing.T) {
	for nodes, want := range map[string]string{"": "aaa", `"http://b"`: "aba", `"http://b","http://c"`: "abca",
		`"http://b","http://c","http://d"`: "abcda"} {
		h := &line{next: []next{{status: 503}}}
		config := strings.Replace(twoNodes, `"http://b"`, nodes, 1)
		a := post(New(parsed(t, config), h), "rerank", two)
		got := ""
		for _, u := range h.sent {
			got += strings.TrimSuffix(strings.TrimPrefix(u.URL, "http://"), "/rerank")
		}
		if got != want || a.Status != 503 {
			t.Errorf("%s: %s are asked, want %s", nodes, got, want)
		}
	}
}

// Pages of http and https may be origins, and nothing else.
func TestOriginsAreOfTheWeb(t *testing.T) {
	for origin, ok := range map[string]bool{"http://localhost:8080": true, "https://a.example": true,
		"ftp://a.example": false, "https://": false, "a.example": false, "https://u@a.example": false} {
		if _, err := ParseConfig([]byte(`{"origins":["` + origin + `"]}`)); (err == nil) != ok {
			t.Errorf("%s: %v", origin, err)
		}
	}
}

// The fields that a search looks at are declared if there are any.
func TestFieldsOfASearchAreDeclared(t *testing.T) {
	const fields = `"text_fields":["title^2","text"]`
	for members, want := range map[string]string{"": "", "," + fields: fields} {
		c := parsed(t, `{"backends":[{"id":"a","kind":"opensearch","url":"http://h","does":["search"],"index":"i"`+
			members+`}]}`)
		a := New(c, &line{}).Serve(&Call{Method: "GET", Path: "/api/v1/backends", Client: "192.0.2.1"})
		if got := string(a.Body); strings.Contains(got, "text_fields") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s", got)
		}
	}
}

// A room takes 400 bytes and its head, and each voter 64 more, up to the limit.
func TestRoomsTakeMemory(t *testing.T) {
	now := time.Unix(1000, 0)
	head := strings.Repeat("h", 100)
	for limit, ok := range map[int]bool{1000: true, 999: false} {
		m := RoomMemory{Limit: limit}
		for i, code := range []string{"BCDFGH", "BCDFGJ"} {
			made, err := m.Change(code, &Change{Head: head, Options: 2, Until: now.Add(time.Hour)}, now)
			if want := i == 0 || ok; made != want || (err == nil) != want {
				t.Errorf("limit %d, room %d: %v, %v", limit, i, made, err)
			}
		}
	}
	for limit, want := range map[int]Voted{564: Counted, 563: Full} {
		m := RoomMemory{Limit: limit}
		if _, err := m.Change("BCDFGH", &Change{Head: head, Options: 2, Until: now.Add(time.Hour)}, now); err != nil {
			t.Fatal(err)
		}
		if got, _ := m.Vote("BCDFGH", &Ballot{Version: 1, Voter: "a", Most: 9}, now); got != want {
			t.Errorf("limit %d: %q, want %q", limit, got, want)
		}
	}
}

// Items are counted of calls that have some.
func TestItemsAreCountedOfCallsThatHaveSome(t *testing.T) {
	h := &line{next: []next{{status: 200, body: scored2}}, secrets: map[string]string{MetricsSecret: "token"}}
	g := New(parsed(t, oneNode), h)
	post(g, "rerank", two)
	g.Serve(&Call{Method: "GET", Path: "/api/v1/backends", Client: "192.0.2.1"})
	text := string(g.Serve(&Call{Method: "GET", Path: "/metrics", Authorization: "Bearer token"}).Body)
	if strings.Contains(text, `rankbox_item_answers_total{route="GET`) ||
		strings.Contains(text, `rankbox_items_total{route="GET`) ||
		!strings.Contains(text, `rankbox_item_answers_total{route="POST /api/v1/rerank"`) {
		t.Errorf("%s", text)
	}
}
