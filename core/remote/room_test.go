package remote_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// asTeacher sends to a gateway.
func asTeacher(g *gateway.Gateway) remote.SendAs {
	return func(method, path, token string, body []byte) (remote.Reply, error) {
		c := &gateway.Call{Method: method, Path: path, ContentType: "application/json", Client: "192.0.2.1",
			Length: int64(len(body)), Body: func(int) ([]byte, error) { return body, nil }}
		if token != "" {
			c.Authorization = "Bearer " + token
		}
		a := g.Serve(c)
		return remote.Reply{Status: a.Status, Body: a.Body}, nil
	}
}

// A teacher's page opens a room of a real gateway, asks two questions, and ends it.
func TestATeacherLeadsARoom(t *testing.T) {
	c, err := gateway.ParseConfig([]byte(`{"limits":{"rooms_per_day":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	h := &host{}
	h.rooms.Limit = 1 << 20
	send := asTeacher(gateway.New(c, h))
	long := strings.Repeat("ü", 800)
	r, err := remote.OpenRoom(send, &remote.Poll{Ask: long, Labels: []string{"a", long, "<\"\n"}})
	if err != nil || r.Question != 1 || r.State != "open" || len(r.Counts) != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	vote := func(question, option int) {
		t.Helper()
		body := fmt.Sprintf(`{"question":%d,"option":%d,"voter":"aaaaaaaa"}`, question, option)
		if a, _ := send("POST", "/api/v1/rooms/"+r.Code+"/votes", "", []byte(body)); a.Status != 200 {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	}
	do := func(what string, question int, state string, counts ...int) {
		t.Helper()
		err := r.Do(send, what, &remote.Poll{Labels: []string{"x", "y"}})
		if err != nil || r.Question != question || r.State != state || !slices.Equal(r.Counts, counts) {
			t.Errorf("%s: %+v, %v", what, r, err)
		}
	}
	vote(1, 2)
	do(remote.ReadRoom, 1, "open", 0, 0, 1)
	do(remote.ClosePoll, 1, "closed", 0, 0, 1)
	do(remote.ShowPoll, 1, "shown", 0, 0, 1)
	do(remote.NextPoll, 2, "open", 0, 0)
	vote(2, 1)
	do(remote.ReadRoom, 2, "open", 0, 1)
	if _, err := remote.OpenRoom(send, &remote.Poll{Labels: []string{"x", "y"}}); err == nil ||
		err.Error() != "no more rooms can be opened from here today" {
		t.Errorf("%v", err)
	}
	forged := *r
	forged.Secret = strings.Repeat("0", 32)
	if err := forged.Do(send, remote.ShowPoll, nil); err == nil || err.Error() != "the room has another secret" {
		t.Errorf("%v", err)
	}
	if err := r.Do(send, remote.EndRoom, nil); err != nil {
		t.Error(err)
	}
	if err := r.Do(send, remote.ReadRoom, nil); !errors.Is(err, remote.ErrNoRoom) {
		t.Errorf("%v", err)
	}
	if _, err := remote.OpenRoom(nil, &remote.Poll{}); err == nil {
		t.Error("a room without an edge")
	}
}

func TestAnEdgeOffersRooms(t *testing.T) {
	for config, want := range map[string]bool{`{}`: true, `{"rooms":false}`: false} {
		c, err := gateway.ParseConfig([]byte(config))
		if err != nil {
			t.Fatal(err)
		}
		as := asTeacher(gateway.New(c, &host{}))
		o, err := remote.New(func(method, path string, body []byte) (remote.Reply, error) {
			return as(method, path, "", body)
		}).Offer()
		if err != nil || o.Rooms != want {
			t.Errorf("%s: %+v, %v", config, o, err)
		}
	}
}

// FuzzRoom: whatever an edge answers, it is refused or a room with bounded members.
func FuzzRoom(f *testing.F) {
	f.Add([]byte(`{"code":"BCDFGH","question":1,"state":"shown","options":2,"counts":[1,0]}`))
	f.Add([]byte(`{"code":"BCDFGH","secret":"00","question":1,"until":"2027-01-16T08:00:00Z"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		send := func(string, string, string, []byte) (remote.Reply, error) {
			return remote.Reply{Status: 200, Body: b}, nil
		}
		r, err := remote.OpenRoom(send, &remote.Poll{Labels: []string{"a", "b"}})
		if err == nil && (len(r.Code) != 6 || r.Secret == "" || r.Question < 1) {
			t.Errorf("%q: %+v", b, r)
		}
		r = &remote.Room{Code: "BCDFGH", Secret: "00"}
		if err := r.Do(send, remote.ReadRoom, nil); err == nil && (len(r.Counts) < 2 || len(r.Counts) > 10 ||
			slices.Min(r.Counts) < 0 || r.Secret != "00" && len(r.Secret) > 64) {
			t.Errorf("%q: %+v", b, r)
		}
	})
}
