package worker

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// Nobody takes while thousands come: no one waits, and the newest of each kind is what is answered.
func TestTheNewestOfEachKindWaits(t *testing.T) {
	var l line
	kinds := []message.Kind{1, 2, 3}
	for i := range 3000 {
		l.put(message.Request{Kind: kinds[i%3], ID: uint64(i + 1)})
	}
	l.put(message.Request{Kind: 1, ID: 3001})
	for _, want := range []uint64{2999, 3000, 3001} {
		if r, ok := l.take(); !ok || r.ID != want || l.newest[r.Kind] != want {
			t.Errorf("%d, want %d", r.ID, want)
		}
	}
	if r, ok := l.take(); ok {
		t.Errorf("%+v still waits", r)
	}
	l.put(message.Request{Kind: 2, ID: 3002})
	if r, ok := l.take(); !ok || r.ID != 3002 {
		t.Errorf("%+v", r)
	}
}
