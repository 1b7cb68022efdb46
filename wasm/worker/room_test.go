package worker

import (
	"reflect"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// A real gateway is asked for rooms, with the secret as bearer token.
func TestTheWorkerLeadsARoom(t *testing.T) {
	m := behindGateway(t)
	m.rooms.Limit = 1 << 20
	before := askEdgeAs
	t.Cleanup(func() { askEdgeAs = before })
	askEdgeAs = func(method, path, token string, body []byte) (remote.Reply, error) {
		c := &gateway.Call{Method: method, Path: path, ContentType: "application/json", Client: "test",
			Length: int64(len(body)), Body: func(int) ([]byte, error) { return body, nil }}
		if token != "" {
			c.Authorization = "Bearer " + token
		}
		a := m.g.Serve(c)
		return remote.Reply{Status: a.Status, Body: a.Body}, nil
	}
	e := NewEngine(nil, func() float64 { return 0 }, func(message.Reply) {})
	do := func(ask message.AskRoom) *message.RoomSeen {
		t.Helper()
		r, err := e.backends.room(message.Request{}, &ask)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := do(message.AskRoom{Do: message.FindRooms}); r.Why != "" {
		t.Fatalf("%+v", r)
	}
	opened := do(message.AskRoom{Do: message.OpenRoom, Ask: "?", Labels: []string{"a", "b"}})
	if opened.Code == "" || opened.Secret == "" || opened.State != "open" || opened.Question != 1 {
		t.Fatalf("%+v", opened)
	}
	next := do(message.AskRoom{Do: remote.NextPoll, Code: opened.Code, Secret: opened.Secret,
		Labels: []string{"a", "b", "c"}})
	if next.Question != 2 || !reflect.DeepEqual(next.Counts, []int{0, 0, 0}) {
		t.Errorf("%+v", next)
	}
	forged := do(message.AskRoom{Do: remote.ShowPoll, Code: opened.Code, Secret: "00"})
	if forged.Why != "The room has another secret." || forged.Gone {
		t.Errorf("%+v", forged)
	}
	do(message.AskRoom{Do: remote.EndRoom, Code: opened.Code, Secret: opened.Secret})
	gone := do(message.AskRoom{Do: remote.ReadRoom, Code: opened.Code, Secret: opened.Secret})
	if !gone.Gone {
		t.Errorf("%+v", gone)
	}
}
