package learn

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func TestAClassVotesTwice(t *testing.T) {
	l, _ := start(t, "/learn/one", "one", nil)
	key := l.Lessons.Key(0, 0)
	l.Votes.Count(key, 2, 0, 1)
	l.Votes.Count(key, 2, 0, 1)
	l.Votes.Count(key, 2, 1, 1)
	l.Votes.Count(key, 2, 0, -1)
	l.Votes.Count(key, 2, 7, 1)
	l.Reveal(key)
	l.Votes.Count(key, 2, 1, 1)
	l.Votes.Count(key, 2, 1, 1)
	if v := l.Votes.Of[key]; v[0][0] != 1 || v[0][1] != 1 || v[1][0] != 0 || v[1][1] != 2 || !l.Predicted() {
		t.Errorf("%v", v)
	}
}

// Without an edge nothing is offered, and hands are counted as ever.
func TestHandsAreCountedWithoutAnEdge(t *testing.T) {
	e := present(t, nil)
	e.l.App.Receive(message.Reply{ID: e.r.Last(t, message.Room).ID, Kind: message.Room,
		Answer: &message.RoomSeen{Why: "The edge cannot be reached."}})
	room, key, before := e.l.Room, e.l.Deck.Question(), len(e.r.Sent)
	e.collect()
	e.l.Votes.Count(key, 2, 1, 1)
	if room.There || room.Fault != "" || room.For(key) || e.l.Votes.Of[key][0][1] != 1 {
		t.Errorf("%+v", room)
	}
	if n := len(e.r.Sent) - before; n != 0 {
		t.Errorf("%d requests", n)
	}
}
