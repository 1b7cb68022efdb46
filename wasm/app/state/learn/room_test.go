package learn

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// edge answers what the screen asks of a room, as an edge would that counts what a test says.
type edge struct {
	*testing.T
	l        *Learn
	r        *statetest.Recorder
	answered int
	question int
	state    string
	counts   []int
	gone     bool
}

// present opens the slides of a lesson, at its question.
func present(t *testing.T, device map[string]string) *edge {
	t.Helper()
	l, r := start(t, "/learn/one", "one", device)
	l.App.TogglePresenter()
	return &edge{T: t, l: l, r: r}
}

const code, secret = "BCDFGH", "0123456789abcdef0123456789abcdef"

// answer answers every request that has not been, and returns what was done.
func (e *edge) answer() (done []string) {
	e.Helper()
	for ; e.answered < len(e.r.Sent); e.answered++ {
		q, ok := e.r.Sent[e.answered].Question.(*message.AskRoom)
		if !ok {
			continue
		}
		a := &message.RoomSeen{Code: code, Secret: secret}
		switch q.Do {
		case "find":
			a = &message.RoomSeen{}
		case "open", "question":
			e.question++
			e.state, e.counts = "open", make([]int, len(q.Labels))
		case "close":
			e.state = "closed"
		case "show":
			e.state = "shown"
		}
		if q.Do != "find" && q.Do != "open" && (q.Code != code || q.Secret != secret) {
			e.Errorf("%s of room %q, secret %q", q.Do, q.Code, q.Secret)
		}
		if e.gone {
			a = &message.RoomSeen{Why: "The room has ended.", Gone: true}
		} else if q.Do != "find" {
			a.Question, a.State, a.Counts = e.question, e.state, e.counts
		}
		done = append(done, q.Do)
		e.l.App.Receive(message.Reply{ID: e.r.Sent[e.answered].ID, Kind: message.Room, Answer: a})
	}
	return done
}

func (e *edge) did(want ...string) {
	e.Helper()
	if got := e.answer(); !reflect.DeepEqual(got, want) {
		e.Errorf("%v, want %v", got, want)
	}
}

func (e *edge) collect() {
	key, b := e.l.Deck.question()
	e.l.Room.Collect(key, b)
}

// Phones' counts are drawn as hands are, and only once they are shown; the second round waits for the teacher.
func TestAClassVotesFromPhones(t *testing.T) {
	e := present(t, nil)
	e.did("find")
	room := e.l.Room
	if !room.There || room.Code != "" {
		t.Fatalf("%+v", room)
	}
	e.collect()
	e.did("open")
	ask := e.r.Last(t, message.Room).Question.(*message.AskRoom)
	if !reflect.DeepEqual(ask.Labels, []string{"no", "yes"}) || room.Link() != "https://example.org/vote#BCDFGH" ||
		room.Site() != "example.org/vote" {
		t.Errorf("%+v, %s, %s", ask, room.Link(), room.Site())
	}
	key := e.l.Deck.Question()
	e.counts = []int{3, 5}
	e.r.Pass()
	e.did("read")
	if room.Votes() != 8 || !room.Hidden(key) || e.l.Votes.Of[key] != nil {
		t.Errorf("%d votes, hidden %v, drawn %v", room.Votes(), room.Hidden(key), e.l.Votes.Of[key])
	}
	e.l.Turn(1) // the answer is revealed first, and with it the counts
	e.did("show")
	if v := e.l.Votes.Of[key]; v == nil || !reflect.DeepEqual(v[0], []int{3, 5}) || room.Hidden(key) || room.For(key) {
		t.Errorf("%v", v)
	}
	e.r.Pass()
	e.did() // nothing more is asked for by itself
	e.collect()
	e.did("question")
	e.counts = []int{1, 7}
	room.Close()
	e.did("close")
	if !room.Hidden(key) {
		t.Error("closing shows the counts")
	}
	room.Show()
	e.did("show")
	if v := e.l.Votes.Of[key]; !reflect.DeepEqual(v, &[2][]int{{3, 5}, {1, 7}}) {
		t.Errorf("%v", v)
	}
	room.End()
	e.did("end")
	if room.Code != "" || e.r.Kept[keptRoom] != "" || e.l.Votes.Of[key] == nil {
		t.Errorf("%+v, kept %q", room, e.r.Kept[keptRoom])
	}
}

// The room goes with the teacher to the questions of other lessons, under its code, and asks none of them twice.
func TestARoomFollowsItsTeacher(t *testing.T) {
	e := present(t, nil)
	e.did("find")
	e.collect()
	e.did("open")
	e.l.Turn(1)
	e.did("show")
	e.l.Turn(1)
	e.l.Turn(-1)
	e.did()
	e.l.Go("two")
	e.r.Library[len(e.r.Library)-1](wire.Marshal(lessons()), "")
	e.did("question")
	if k := e.l.Deck.Question(); !strings.HasPrefix(k, "two.") || !e.l.Room.For(k) {
		t.Errorf("%s", k)
	}
	e.l.Deck.Show(1, false)
	e.l.Deck.Show(0, false)
	e.did()
}

// A teacher who picks an answer shows what is right, so phones vote no more.
func TestAPickedAnswerEndsTheVote(t *testing.T) {
	e := present(t, nil)
	e.did("find")
	e.collect()
	e.did("open")
	e.counts = []int{2, 1}
	key := e.l.Deck.Question()
	e.l.Pick(key, 1)
	e.did("show")
	if v := e.l.Votes.Of[key]; v == nil || !reflect.DeepEqual(v[0], []int{2, 1}) {
		t.Errorf("%v", v)
	}
}

// An answer that is revealed before the room is open ends the vote once it is.
func TestARevealBeforeTheRoomIsOpen(t *testing.T) {
	e := present(t, nil)
	e.did("find")
	e.collect()
	e.l.Turn(1)
	e.did("open", "show")
	if key := e.l.Deck.Question(); e.l.Room.For(key) || e.l.Votes.Of[key] == nil {
		t.Errorf("%+v", e.l.Room)
	}
}

// Counts of a question that is left behind open are drawn as they were seen last.
func TestAQuestionIsLeftBehindOpen(t *testing.T) {
	e := present(t, nil)
	e.did("find")
	e.collect()
	e.did("open")
	e.counts = []int{4, 2}
	e.r.Pass()
	e.did("read")
	key := e.l.Deck.Question()
	e.l.Go("two")
	e.r.Library[len(e.r.Library)-1](wire.Marshal(lessons()), "")
	e.did("question")
	if v := e.l.Votes.Of[key]; v == nil || !reflect.DeepEqual(v[0], []int{4, 2}) {
		t.Errorf("%v", v)
	}
}

// A reload finds the room; one that has ended meanwhile is left without a word.
func TestARoomSurvivesAReload(t *testing.T) {
	e := present(t, nil)
	e.did("find")
	e.collect()
	e.did("open")
	again := present(t, e.r.Kept)
	again.state, again.counts, again.question = "open", []int{1, 1}, 1
	again.did("find", "read")
	if room := again.l.Room; room.Code != code || room.Votes() != 2 || !room.Hidden(again.l.Deck.Question()) {
		t.Errorf("%+v", room)
	}
	again.gone = true
	again.r.Pass()
	again.did("read")
	if room := again.l.Room; room.Code != "" || !strings.HasPrefix(room.Fault, "The room has ended.") {
		t.Errorf("%+v", room)
	}
	e.r.Kept[keptRoom] = strings.Join([]string{code, secret, "one.0.0", "0"}, "\t")
	late := present(t, e.r.Kept)
	late.answered = len(late.r.Sent)
	late.l.App.Receive(message.Reply{ID: late.r.Last(t, message.Room).ID, Kind: message.Room,
		Answer: &message.RoomSeen{}})
	late.gone = true
	late.did("read")
	if room := late.l.Room; room.Code != "" || room.Fault != "" {
		t.Errorf("%+v", room)
	}
	for _, damaged := range []string{"BCDFGH", "B/DFGH\t" + secret + "\tone.0.0\t0", code + "\t../\tone.0.0\t0"} {
		if e := present(t, map[string]string{keptRoom: damaged}); e.l.Room.Code != "" {
			t.Errorf("%q is a room", damaged)
		}
	}
}

// A request that fails is told, and the counts are looked for again.
func TestAFailedLookIsRepeated(t *testing.T) {
	e := present(t, nil)
	e.did("find")
	e.collect()
	e.did("open")
	e.r.Pass()
	e.answered = len(e.r.Sent)
	e.l.App.Receive(message.Reply{ID: e.r.Last(t, message.Room).ID, Kind: message.Room,
		Answer: &message.RoomSeen{Why: "The edge cannot be reached."}})
	if e.l.Room.Fault == "" || e.l.Room.Code != code {
		t.Errorf("%+v", e.l.Room)
	}
	e.r.Pass()
	e.did("read")
	if e.l.Room.Fault != "" {
		t.Errorf("%+v", e.l.Room)
	}
}
