package gateway

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// By RFC 3986 letters, digits and -._~ are unreserved; Amazon's signature leaves the slashes of a path too.
func TestAPathIsSignedAsItIsEncodedOnceMore(t *testing.T) {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	for c := range 256 {
		s := string([]byte{byte(c)})
		want := fmt.Sprintf("%%%02X", c)
		if strings.Contains(unreserved+"/", s) {
			want = s
		}
		if got := encodedAgain(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if got := encodedAgain("model/a%3Ab/invoke"); got != "model/a%253Ab/invoke" {
		t.Errorf("%s", got)
	}
}

// Scores and weights come back with every digit that the service gave.
func TestScoresAndWeightsAreWrittenInFull(t *testing.T) {
	h := &line{next: []next{{status: 200, body: `[{"index":0,"score":0.12345678901234566},` +
		`{"index":1,"score":1e-9}]`}}}
	a := post(New(parsed(t, oneNode), h), "rerank", two)
	want := `"results":[{"index":0,"id":"a","score":0.12345678901234566},{"index":1,"id":"c","score":1e-09}]}`
	if !strings.HasSuffix(string(a.Body), want) {
		t.Errorf("%s, want %s", a.Body, want)
	}
	h = &line{next: []next{{status: 200, body: `[[{"index":70000,"value":0.1234567}]]`}}}
	a = post(New(parsed(t, `{"backends":[{"id":"m","kind":"tei","url":"http://m","does":["embed"],`+
		`"outputs":["sparse"]}]}`), h), "embed", `{"backend":"m","input":["a"],"output":"sparse"}`)
	want = `"vectors":[[{"index":70000,"value":0.1234567}]]}`
	if !strings.HasSuffix(string(a.Body), want) {
		t.Errorf("%s, want %s", a.Body, want)
	}
}

// lasting is a host that never forgets a room.
type lasting struct {
	line
	room Room
}

func (l *lasting) Store() Store                                    { return l }
func (l *lasting) Rooms() Rooms                                    { return l }
func (l *lasting) Read(string, time.Time) (Room, error)            { return l.room, nil }
func (l *lasting) Change(string, *Change, time.Time) (bool, error) { return false, nil }
func (l *lasting) Vote(string, *Ballot, time.Time) (Voted, error)  { return Stale, nil }

// A room ends after its time, also if its host still has it.
func TestARoomEndsWhateverItsHostKeeps(t *testing.T) {
	h := head{question: question{options: 2}, secret: strings.Repeat("a", 64), until: 1000, number: 1, state: isOpen}
	for now, want := range map[int64]int{999: 200, 1000: 404, 1001: 404} {
		host := &lasting{room: Room{Version: 1, Head: h.write(), Counts: []int{0, 0}}}
		host.clock.now = time.Unix(now, 0)
		a := New(parsed(t, "{}"), host).Serve(&Call{Method: "GET", Path: "/api/v1/rooms/BCDFGH", Client: "192.0.2.1"})
		if a.Status != want {
			t.Errorf("at %d: %d %s", now, a.Status, a.Body)
		}
	}
}
