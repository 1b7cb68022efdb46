package learn

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// keptRoom is the key under which the device remembers the room of a class, so that a reload finds it again.
const keptRoom = "rankbox-room"

// The time between two looks at the counts of an open question, in milliseconds, and after a failure.
const (
	roomLook  = 1500
	roomRetry = 4000
)

// votePath is the page that phones open.
const votePath = "/vote"

// Room is the room of an edge in which the class votes from phones, under one code from question to question. Its
// secret stays on this device. Counts of a question become votes of the lesson, as counted hands do, once they are
// shown.
type Room struct {
	app   *state.App
	votes *Votes
	deck  *Deck

	There  bool   // the site has an edge with rooms
	Code   string // "" while there is no room
	State  string // of the question: open, closed, shown
	Counts []int  // of the question
	Fault  string // of the last request; "" for none
	Busy   bool   // a request of the teacher's is on its way

	secret   string
	of, next asked          // the question of the room, and the one that is on its way to it
	before   map[asked]bool // what was asked in this room
	doing    string         // the last request
	recalled bool           // the room is of an earlier visit, and nothing was heard of it yet
	sought   bool
	stop     func() // of the next look
}

// asked is a question as a class is asked it: the key of its block, and the round, 1 after its answer was revealed.
type asked struct {
	key   string
	round int
}

func newRoom(app *state.App, votes *Votes, deck *Deck) *Room {
	return &Room{app: app, votes: votes, deck: deck, before: map[asked]bool{}, stop: func() {}}
}

// seek asks once whether the site has an edge with rooms, and finds the room that the device remembers.
func (r *Room) seek() {
	switch {
	case !r.sought:
		r.sought = true
		if !state.HasWorker {
			r.ask()
			return
		}
		r.recall()
		r.app.Browser.Enrich()
		r.send(&message.AskRoom{Do: message.FindRooms})
	case r.Code != "" && !r.Busy:
		r.look()
	}
}

// ask finds out whether there are rooms before it loads the program that leads them.
func (r *Room) ask() {
	if library, ok := r.app.Browser.(Library); ok {
		library.Edge(func(offer []byte, problem string) {
			if problem == "" && bytes.Contains(offer, []byte(`"rooms":true`)) {
				r.app.Programs.Grow()
			}
		})
	}
}

func (r *Room) send(a *message.AskRoom) {
	r.stop()
	r.doing = a.Do
	a.Code, a.Secret = r.Code, r.secret
	r.app.Engine.Request(message.Room, a)
}

// For says whether the room asks the question of a block, in the round that it is in.
func (r *Room) For(key string) bool { return r.Code != "" && r.of == asked{key, r.votes.round(key)} }

// Hidden says whether the room has counts of a block's question that are not shown yet.
func (r *Room) Hidden(key string) bool { return r.For(key) && r.State != "shown" }

// Votes is how many phones have voted on the question.
func (r *Room) Votes() (n int) {
	for _, c := range r.Counts {
		n += c
	}
	return n
}

// Link is the address that phones open.
func (r *Room) Link() string { return r.app.Browser.Origin() + votePath + "#" + r.Code }

// Site is what to type on a phone.
func (r *Room) Site() string {
	_, host, _ := strings.Cut(r.app.Browser.Origin(), "://")
	return host + votePath
}

// Unreachable says that the address of this page leads phones to themselves.
func (r *Room) Unreachable() bool {
	s := r.Site()
	return strings.HasPrefix(s, "127.") || strings.HasPrefix(s, "localhost") || strings.HasPrefix(s, "[::1]")
}

// Collect asks the class the question of a block: in a new room, or in the one that is open.
func (r *Room) Collect(key string, b *lesson.Block) {
	if !r.There || r.Busy || b == nil || len(b.Options) < 2 || len(b.Options) > 10 {
		return
	}
	r.Busy, r.Fault = true, ""
	r.next = asked{key, r.votes.round(key)}
	a := &message.AskRoom{Do: remote.NextPoll}
	if r.Code == "" {
		a.Do = message.OpenRoom
	}
	for _, s := range b.Spans {
		a.Ask += s.Text
	}
	for _, o := range b.Options {
		a.Labels = append(a.Labels, o.Text)
	}
	r.send(a)
	r.app.View.Draw()
}

// Close takes no more votes.
func (r *Room) Close() { r.act(remote.ClosePoll) }

// Show closes the question, and shows its counts here and on the phones.
func (r *Room) Show() { r.act(remote.ShowPoll) }

// End deletes the room. What was counted stays on the slides.
func (r *Room) End() {
	r.act(remote.EndRoom)
	r.forget()
}

func (r *Room) act(what string) {
	if r.Code == "" || r.Busy && what != remote.EndRoom {
		return
	}
	r.Busy, r.Fault = true, ""
	r.send(&message.AskRoom{Do: what})
	r.app.View.Draw()
}

// follow asks the question of the slide on show in the open room, unless it was asked there before. A second round
// waits for the teacher.
func (r *Room) follow() {
	if key, b := r.deck.question(); r.Code != "" && r.deck.Open() && key != "" && r.votes.round(key) == 0 &&
		!r.before[asked{key, 0}] {
		r.Collect(key, b)
	}
}

// received takes what the edge says; nil if the request failed.
func (r *Room) received(s *message.RoomSeen) {
	done := r.doing
	r.Busy, r.doing = false, ""
	if s == nil {
		s = &message.RoomSeen{Why: "The request failed."}
	}
	switch {
	case done == message.FindRooms:
		r.There = s.Why == ""
		if r.There && r.Code != "" {
			r.look()
		}
		return
	case done == remote.EndRoom:
		return
	case s.Gone:
		quiet := r.recalled
		if r.forget(); !quiet {
			r.Fault = "The room has ended. Collect votes in a new one."
		}
		return
	case s.Why != "":
		r.Fault = s.Why
		if r.Code != "" {
			r.again(roomRetry)
		}
		return
	}
	r.Fault, r.recalled = "", false
	if done == remote.NextPoll && r.State != "shown" && len(r.Counts) > 0 { // left behind as it was seen last
		r.votes.take(r.of, r.Counts)
	}
	r.Code, r.secret, r.State, r.Counts = s.Code, s.Secret, s.State, s.Counts
	if done == message.OpenRoom || done == remote.NextPoll {
		r.of = r.next
		r.before[r.of] = true
		r.store()
	}
	switch {
	case r.State == "shown":
		r.votes.take(r.of, r.Counts)
	case r.votes.round(r.of.key) != r.of.round: // its answer was revealed meanwhile
		r.Show()
		return
	case r.State == "open":
		r.again(roomLook)
	}
	r.follow()
}

func (r *Room) look() { r.send(&message.AskRoom{Do: remote.ReadRoom}) }

// again looks at the room in a while, unless the teacher does something before, or leaves the slides.
func (r *Room) again(ms int) {
	r.stop()
	r.stop = r.app.Browser.After(ms, func() {
		if r.Code != "" && !r.Busy && r.deck.Open() {
			r.look()
		}
	})
}

// forget leaves the room.
func (r *Room) forget() {
	r.stop()
	r.Code, r.secret, r.State, r.Counts, r.of, r.recalled = "", "", "", nil, asked{}, false
	clear(r.before)
	r.app.Browser.Remember(keptRoom, "")
}

func (r *Room) store() {
	r.app.Browser.Remember(keptRoom,
		strings.Join([]string{r.Code, r.secret, r.of.key, strconv.Itoa(r.of.round)}, "\t"))
}

// recall takes the room that the device remembers.
func (r *Room) recall() {
	f := strings.Split(r.app.Browser.Recall(keptRoom), "\t")
	if len(f) != 4 || len(f[0]) != 6 || strings.Trim(f[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" ||
		len(f[1]) != 32 || strings.Trim(f[1], "0123456789abcdef") != "" || f[3] != "0" && f[3] != "1" {
		return
	}
	r.Code, r.secret, r.recalled = f[0], f[1], true
	r.of = asked{f[2], int(f[3][0] - '0')}
	if r.of.round == 1 {
		r.votes.Revealed[r.of.key] = true
	}
	r.before[r.of] = true
}

// known ends the vote of phones on a question whose answer comes into view.
func (r *Room) known(key string) {
	if r.Hidden(key) {
		r.Show()
	}
}
