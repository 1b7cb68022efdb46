package edge

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// room is a room of an edge, as its teacher has it.
type room struct{ path, bearer string }

func openRoom(t testing.TB, h *subject, body string) room {
	t.Helper()
	r := h.ask(t, "POST", "/api/v1/rooms", body)
	var o struct{ Code, Secret string }
	if json.Unmarshal(r.body, &o); r.status != 201 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	return room{"/api/v1/rooms/" + o.Code, "Bearer " + o.Secret}
}

func vote(question, option, voter int) string {
	return fmt.Sprintf(`{"question":%d,"option":%d,"voter":"voter%05d"}`, question, option, voter)
}

// withRooms are the hosts that have rooms: this process, and two instances of the worker that share a Durable Object.
func withRooms(t *testing.T, test func(t *testing.T, all []*subject)) {
	t.Run("native", func(t *testing.T) { test(t, []*subject{native(t, newService(t), wide, Options{})}) })
	t.Run("workerd", func(t *testing.T) { test(t, workers(t, newService(t), wide, true, true)) })
}

// The life of a room, phones and teacher reaching any instance.
func TestAClassVotesInARoom(t *testing.T) {
	t.Parallel()
	withRooms(t, func(t *testing.T, all []*subject) {
		n := 0
		any := func() *subject { n++; return all[n%len(all)] }
		if r := any().ask(t, "GET", "/api/v1/backends", ""); !strings.Contains(string(r.body), `"rooms":true`) {
			t.Errorf("%s", r.body)
		}
		room := openRoom(t, any(), `{"options":3,"ask":"Wieviel\nist ½?","labels":["a","<b>","\"ü\""]}`)
		teacher := []string{"Authorization", room.bearer}
		look := func(want string, heads ...string) *reply {
			t.Helper()
			r := any().ask(t, "GET", room.path, "", heads...)
			code := room.path[len("/api/v1/rooms/"):]
			if got := strings.TrimPrefix(string(r.body), `{"code":"`+code+`",`); got != want {
				t.Errorf("%d %s, want %s", r.status, got, want)
			}
			return r
		}
		cast := func(body, want string) {
			t.Helper()
			if r := any().ask(t, "POST", room.path+"/votes", body); r.problem() != want {
				t.Errorf("%s: %s, want %s", body, r.problem(), want)
			}
		}
		act := func(what, body string) {
			t.Helper()
			if r := any().ask(t, "POST", room.path+what, body, teacher...); r.status != 200 {
				t.Errorf("%s: %s", what, r.problem())
			}
		}
		asked := `"options":3,"ask":"Wieviel\nist ½?","labels":["a","\u003cb>","\"ü\""]`
		r := look(`"question":1,"state":"open",` + asked + `}`)
		phone := []string{"If-None-Match", r.head.Get("ETag")}
		cast(vote(1, 0, 1), "200")
		cast(vote(1, 2, 2), "200")
		cast(vote(1, 2, 1), "200")
		if r := any().ask(t, "GET", room.path, "", phone...); r.status != 304 || len(r.body) > 0 {
			t.Errorf("a phone that has the question: %d %s", r.status, r.body)
		}
		r = look(`"question":1,"state":"open",`+asked+`,"counts":[0,0,2]}`, teacher...)
		seen := append([]string{"If-None-Match", r.head.Get("ETag")}, teacher...)
		if r := any().ask(t, "GET", room.path, "", seen...); r.status != 304 {
			t.Errorf("a teacher who has the counts: %d", r.status)
		}
		forged := "Bearer " + strings.Repeat("0", 32)
		if r := any().ask(t, "POST", room.path+"/show", "", "Authorization", forged); r.problem() != "403 secret" {
			t.Errorf("a forged secret: %s", r.problem())
		}
		act("/close", "")
		cast(vote(1, 0, 3), "409 closed")
		look(`"question":1,"state":"closed",` + asked + `}`)
		act("/show", "")
		look(`"question":1,"state":"shown",` + asked + `,"counts":[0,0,2]}`)
		act("/question", `{"options":2}`)
		look(`"question":2,"state":"open","options":2}`)
		cast(vote(1, 0, 1), "409 closed")
		cast(vote(2, 1, 1), "200")
		look(`"question":2,"state":"open","options":2,"counts":[0,1]}`, teacher...)
		cast(vote(2, 2, 1), "400 invalid /option")
		if r := any().ask(t, "DELETE", room.path, "", teacher...); r.status != 204 {
			t.Errorf("%s", r.problem())
		}
		if r := any().ask(t, "GET", room.path, ""); r.problem() != "404 not-found" {
			t.Errorf("after the end: %s", r.problem())
		}
		cast(vote(2, 1, 1), "404 not-found")
	})
}

// Two hundred phones vote at once, half of them twice: each counts once, for its last option.
func TestEveryVoteOfTwoHundredPhonesCounts(t *testing.T) {
	t.Parallel()
	withRooms(t, func(t *testing.T, all []*subject) {
		room := openRoom(t, all[0], `{"options":4}`)
		ask := func(phone int, method, path, body string) int {
			var a *http.Response
			var err error
			for range 3 { // a phone whose connection breaks asks again: the same vote twice counts once
				r, _ := http.NewRequest(method, all[phone%len(all)].url+room.path+path, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				if a, err = send(r); err == nil {
					break
				}
			}
			if err != nil {
				t.Errorf("phone %d: %v", phone, err)
				return 0
			}
			io.Copy(io.Discard, a.Body)
			a.Body.Close()
			return a.StatusCode
		}
		start := time.Now()
		var wait sync.WaitGroup
		for phone := range 200 {
			wait.Go(func() {
				if s := ask(phone, "GET", "", ""); s != 200 {
					t.Errorf("phone %d joins: %d", phone, s)
				}
				for n := range 1 + phone%2 {
					if s := ask(phone, "POST", "/votes", vote(1, (phone+n)%4, phone)); s != 200 {
						t.Errorf("phone %d votes: %d", phone, s)
					}
				}
			})
		}
		wait.Wait()
		took := time.Since(start)
		// the even phones vote for 0 and 2, the odd ones first for 1 and 3 and then for the option behind: 2 and 0
		r := all[0].ask(t, "GET", room.path, "", "Authorization", room.bearer)
		if !strings.HasSuffix(string(r.body), `"counts":[100,0,100,0]}`) {
			t.Errorf("%s", r.body)
		}
		t.Logf("200 phones joined and cast 300 votes in %v", took.Round(time.Millisecond))
	})
}

// Without a store that all instances share, the worker says that it has no rooms.
func TestWorkersWithoutAStoreHaveNoRooms(t *testing.T) {
	t.Parallel()
	h := worker(t, newService(t), wide, false)
	if r := h.ask(t, "POST", "/api/v1/rooms", `{"options":2}`); r.problem() != "404 unsupported" {
		t.Error(r.problem())
	}
	if r := h.ask(t, "GET", "/api/v1/backends", ""); !strings.Contains(string(r.body), `"rooms":false`) {
		t.Errorf("%s", r.body)
	}
}
