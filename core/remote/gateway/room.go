package gateway

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// A room collects the votes of a class, one question at a time, under a code that phones join by. The teacher's page
// holds its secret. A host stores the question, a count an option and, only while the question is open, a hash a voter,
// so that a second vote of a phone replaces its first. After RoomLife all of it is gone.

// RoomLife is how long a room exists.
const RoomLife = 24 * time.Hour

// The sizes of a question.
const (
	MaxOptions  = 10
	minOptions  = 2
	labelBytes  = 400
	askBytes    = 1000
	roomBody    = 8 << 10 // bytes of a request
	roomChanges = 8       // attempts while others change the same room
)

// Letters are those of codes: consonants, so that no code is a word and none is mistaken for another when read aloud.
const Letters = "BCDFGHJKLMNPQRSTVWXZ"

// CodeLength is how many letters a code has.
const CodeLength = 6

// Rooms is where a host stores rooms. Each method is atomic: of two changes of one version, one is made.
type Rooms interface {
	// Read returns the room of a code. Its version is 0 if there is none.
	Read(code string, now time.Time) (Room, error)
	// Change makes a change if the room has the version c.Was, and says whether it did.
	Change(code string, c *Change, now time.Time) (bool, error)
	// Vote counts a vote in place of an earlier one of the same voter.
	Vote(code string, b *Ballot, now time.Time) (Voted, error)
}

// Room is a stored room.
type Room struct {
	Version int    // grows by one with every change; 0 if there is none
	Head    string // what the gateway knows of it
	Counts  []int  // votes an option
	Ballots int    // votes that changed the counts of this question
}

// Change replaces a room.
type Change struct {
	Was     int    // its version, 0 for a room that does not exist yet
	Head    string // "" deletes the room
	Options int    // of a new question, which drops all votes; 0 keeps the counts and forgets the voters
	Until   time.Time
}

// Ballot is a vote on its way into a room.
type Ballot struct {
	Version int    // of the room whose question it answers
	Voter   string // 16 hexadecimal digits
	Option  int
	Most    int // voters
}

// Voted is what became of a ballot.
type Voted string

// The outcomes of a vote.
const (
	Counted Voted = ""
	Stale   Voted = "stale" // the room has another version, or there is none
	Full    Voted = "full"  // as many voters as may be have voted, or the host has no room left
)

// state is how far a question is.
type state string

const (
	isOpen   state = "open"
	isClosed state = "closed"
	isShown  state = "shown"
)

// question is a question of a room.
type question struct {
	ask     string // "" if the phones only show options
	options int
	labels  []string // none, or one an option
}

// head is Room.Head: the question, and who may go on to the next.
type head struct {
	question
	secret string // SHA-256 of the teacher's secret
	until  int64  // Unix seconds
	number int    // of the question, from 1
	state  state
}

// member reads a member of a question.
func (q *question) member(d *decoder, key string) bool {
	switch key {
	case "ask":
		q.ask = d.string(askBytes)
	case "options":
		q.options = d.int(minOptions, MaxOptions)
	case "labels":
		q.labels = nil
		d.array(MaxOptions, func() { q.labels = append(q.labels, d.string(labelBytes)) })
	default:
		return false
	}
	return true
}

// check says what a question lacks.
func (q *question) check() *problem {
	switch {
	case q.options == 0:
		return invalid("/options", "the number of options is missing")
	case len(q.labels) != 0 && len(q.labels) != q.options:
		return invalid("/labels", "not one label an option")
	}
	return nil
}

// append writes the members of a question.
func (q *question) append(b []byte) []byte {
	b = append(b, `"options":`+strconv.Itoa(q.options)...)
	if q.ask != "" {
		b = jsontext.AppendQuote(append(b, `,"ask":`...), q.ask)
	}
	if len(q.labels) > 0 {
		b = quoteAll(append(b, `,"labels":`...), q.labels)
	}
	return b
}

// readQuestion reads the body of a request that asks something.
func readQuestion(body []byte) (q question, p *problem) {
	d := newDecoder(body, 4)
	d.object(func(key string) bool { return q.member(d, key) })
	if p := d.end(); p != nil {
		return q, p
	}
	return q, q.check()
}

// voting is the body of a vote.
type voting struct {
	question, option int
	voter            string
}

// readVote reads the body of a vote. A voter is a word of 8 to 64 letters and digits that the phone draws.
func readVote(body []byte) (v voting, p *problem) {
	d := newDecoder(body, 2)
	seen := 0
	d.object(func(key string) bool {
		switch key {
		case "question":
			v.question = d.int(1, 1<<30)
		case "option":
			v.option = d.int(0, MaxOptions-1)
		case "voter":
			v.voter = d.string(64)
			if len(v.voter) < 8 || strings.Trim(v.voter, alphanumeric) != "" {
				d.fail("not 8 to 64 letters and digits")
			}
		default:
			return false
		}
		seen++
		return true
	})
	if p := d.end(); p != nil {
		return v, p
	}
	if seen != 3 {
		return v, invalid("", "question, option and voter are needed")
	}
	return v, nil
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// write is the head as text.
func (h *head) write() string {
	b := []byte(`{"secret":"` + h.secret + `","until":` + strconv.FormatInt(h.until, 10) +
		`,"number":` + strconv.Itoa(h.number) + `,"state":"` + string(h.state) + `",`)
	return string(append(h.append(b), '}'))
}

// readHead reads a stored head; a damaged one is none.
func readHead(text string) (h head, ok bool) {
	d := newDecoder([]byte(text), 4)
	d.object(func(key string) bool {
		switch key {
		case "secret":
			h.secret = d.string(64)
		case "until":
			h.until = d.r.Int()
		case "number":
			h.number = d.int(1, 1<<30)
		case "state":
			h.state = state(d.string(10))
		default:
			return h.member(d, key)
		}
		return true
	})
	ok = d.end() == nil && h.check() == nil && isHash(h.secret) && h.number > 0 &&
		slices.Contains([]state{isOpen, isClosed, isShown}, h.state)
	return h, ok
}

// isCode says whether a text may be the code of a room.
func isCode(s string) bool { return len(s) == CodeLength && strings.Trim(s, Letters) == "" }

// drawCode draws a code. A byte below 240 chooses one of 20 letters evenly; others are drawn again.
func (w *work) drawCode() string {
	var code, drawn []byte
	for len(code) < CodeLength {
		if len(drawn) == 0 {
			drawn = make([]byte, 2*CodeLength)
			w.host.Random(drawn)
		}
		if drawn[0] < 240 {
			code = append(code, Letters[int(drawn[0])%len(Letters)])
		}
		drawn = drawn[1:]
	}
	return string(code)
}

// drawSecret draws 128 bits.
func (w *work) drawSecret() string {
	const digits = "0123456789abcdef"
	drawn := make([]byte, 16)
	w.host.Random(drawn)
	var out []byte
	for _, b := range drawn {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out)
}

// rooms is where rooms are, nil if this edge has none.
func (g *Gateway) rooms() Rooms {
	if !g.config.Rooms {
		return nil
	}
	return g.host.Store().Rooms()
}

// enter counts a call for a room. A whole class may share one address, so rooms have a rate of their own.
func (w *work) enter() *problem {
	if w.rooms() == nil {
		return &problem{status: 404, code: "unsupported", title: "Not supported", detail: "this edge has no rooms"}
	}
	limits := Limits{PerMinute: w.config.Limits.RoomPerMinute, PerDay: noLimit}
	wait, why := w.host.Spend("votes "+w.call.Client, 1, true, &limits)
	if why == "" {
		return nil
	}
	return &problem{status: 429, code: string(why), title: "Too many requests", detail: "wait, then ask again",
		retry: max(wait, 1)}
}

const noLimit = 1 << 40

// posted reads the body of a call for a room.
func posted[T any](w *work, read func(body []byte) (T, *problem)) (T, *problem) {
	body, p := w.jsonBody(roomBody)
	if p != nil {
		var none T
		return none, p
	}
	return read(body)
}

// openRoom answers POST /api/v1/rooms.
func (w *work) openRoom(string) *Answer {
	q, p := posted(w, readQuestion)
	if p != nil {
		return w.problem(p)
	}
	w.items = q.options
	limits := Limits{PerMinute: 1, PerDay: w.config.Limits.RoomsPerDay}
	if wait, why := w.host.Spend("rooms "+w.call.Client, 1, false, &limits); why != "" {
		return w.problem(&problem{status: 429, code: string(OverBudget), title: "Too many rooms",
			detail: "this client may open more rooms after 00:00 UTC", retry: max(wait, 1)})
	}
	now := w.host.Now()
	until, secret := now.Add(RoomLife), w.drawSecret()
	h := head{question: q, secret: sha256.Hex([]byte(secret)), until: until.Unix(), number: 1, state: isOpen}
	for range roomChanges {
		code := w.drawCode()
		made, err := w.rooms().Change(code, &Change{Head: h.write(), Options: q.options, Until: until}, now)
		if err != nil {
			return w.problem(noRoom())
		}
		if made {
			a := json([]byte(`{"code":"` + code + `","secret":"` + secret + `","question":1,"until":"` +
				until.UTC().Format(time.RFC3339) + `"}`))
			a.Status = 201
			return a
		}
	}
	return w.problem(noRoom())
}

func noRoom() *problem {
	return &problem{status: 507, code: "too-large", title: "No room", detail: "the edge cannot store more rooms"}
}

// findRoom returns a room and its head.
func (w *work) findRoom(code string) (Room, head, *problem) {
	r, err := w.rooms().Read(code, w.host.Now())
	if err != nil {
		return r, head{}, &problem{status: 503, code: "busy", title: "Try again", detail: "the room does not answer",
			retry: time.Second}
	}
	h, ok := readHead(r.Head)
	if r.Version == 0 || !ok || h.until <= w.host.Now().Unix() || len(r.Counts) != h.options {
		return r, h, notFound("no such room: its code is wrong, or it has ended")
	}
	return r, h, nil
}

// teaches says whether a call brings a room's secret.
func (w *work) teaches(h *head) bool {
	secret, ok := strings.CutPrefix(w.call.Authorization, "Bearer ")
	return ok && same(sha256.Hex([]byte(secret)), h.secret)
}

// readRoom answers GET /api/v1/rooms/{code}: the counts only to the teacher, or to all once they are shown.
func (w *work) readRoom(code string) *Answer {
	r, h, p := w.findRoom(code)
	if p != nil {
		return w.problem(p)
	}
	teacher := w.teaches(&h)
	if w.call.Authorization != "" && !teacher {
		return w.problem(forged())
	}
	return w.view(code, &r, &h, teacher)
}

func forged() *problem {
	return &problem{status: 403, code: "secret", title: "Not your room", detail: "the room has another secret"}
}

// view is a room as its teacher or its voters see it. Its tag changes with what they see.
func (w *work) view(code string, r *Room, h *head, teacher bool) *Answer {
	tag := `"` + strconv.Itoa(r.Version)
	b := []byte(`{"code":"` + code + `","question":` + strconv.Itoa(h.number) + `,"state":"` + string(h.state) + `",`)
	b = h.append(b)
	if teacher || h.state == isShown {
		tag += "." + strconv.Itoa(r.Ballots)
		b = append(b, `,"counts":[`...)
		for i, n := range r.Counts {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(n), 10)
		}
		b = append(b, ']')
	}
	a := json(append(b, '}'))
	if tag += `"`; strings.Contains(w.call.Match, tag) {
		a = &Answer{Status: 304}
	}
	a.set("ETag", tag)
	a.set("Cache-Control", "private, no-cache")
	a.set("Vary", "Origin, Authorization")
	return a
}

// vote answers POST /api/v1/rooms/{code}/votes.
func (w *work) vote(code string) *Answer {
	v, p := posted(w, readVote)
	if p != nil {
		return w.problem(p)
	}
	w.items = 1
	for range roomChanges {
		r, h, p := w.findRoom(code)
		switch {
		case p != nil:
			return w.problem(p)
		case h.number != v.question || h.state != isOpen:
			return w.problem(&problem{status: 409, code: "closed", title: "Not open",
				detail: "the question is closed, or another one is asked"})
		case v.option >= h.options:
			return w.problem(invalid("/option", "no such option"))
		}
		// the hash of one question says nothing of another
		voter := sha256.Hex([]byte(code + "\n" + strconv.Itoa(h.number) + "\n" + v.voter))[:16]
		ballot := Ballot{Version: r.Version, Voter: voter, Option: v.option, Most: w.config.Limits.Voters}
		switch voted, err := w.rooms().Vote(code, &ballot, w.host.Now()); {
		case err != nil:
			return w.problem(&problem{status: 503, code: "busy", title: "Try again",
				detail: "the vote was not counted; it may be sent again", retry: time.Second})
		case voted == Full:
			return w.problem(&problem{status: 409, code: "full", title: "Room full",
				detail: "as many phones as may be have voted"})
		case voted == Counted:
			return json([]byte(`{"question":` + strconv.Itoa(h.number) + `,"option":` + strconv.Itoa(v.option) + `}`))
		}
	}
	return w.problem(restless())
}

func restless() *problem {
	return &problem{status: 503, code: "busy", title: "Try again", detail: "the room is being changed",
		retry: time.Second}
}

// nextQuestion answers POST /api/v1/rooms/{code}/question: another question under the same code.
func (w *work) nextQuestion(code string) *Answer {
	q, p := posted(w, readQuestion)
	if p != nil {
		return w.problem(p)
	}
	return w.change(code, func(h *head) int {
		h.question, h.state = q, isOpen
		h.number++
		return q.options
	})
}

// closeQuestion answers POST /api/v1/rooms/{code}/close: no more votes.
func (w *work) closeQuestion(code string) *Answer {
	return w.change(code, func(h *head) int {
		if h.state == isOpen {
			h.state = isClosed
		}
		return 0
	})
}

// showCounts answers POST /api/v1/rooms/{code}/show: no more votes, and everyone sees the counts.
func (w *work) showCounts(code string) *Answer {
	return w.change(code, func(h *head) int { h.state = isShown; return 0 })
}

// endRoom answers DELETE /api/v1/rooms/{code}.
func (w *work) endRoom(code string) *Answer { return w.change(code, nil) }

// change has the teacher change the head of a room; f returns how many options a new question has, otherwise 0. A nil f
// deletes the room.
func (w *work) change(code string, f func(h *head) int) *Answer {
	for range roomChanges {
		r, h, p := w.findRoom(code)
		if p == nil && !w.teaches(&h) {
			p = forged()
		}
		if p != nil {
			return w.problem(p)
		}
		c := Change{Was: r.Version, Until: time.Unix(h.until, 0)}
		if f != nil {
			c.Options = f(&h)
			c.Head = h.write()
		}
		made, err := w.rooms().Change(code, &c, w.host.Now())
		switch {
		case err != nil:
			return w.problem(restless())
		case !made:
			continue
		case f == nil:
			return &Answer{Status: 204}
		}
		if r, h, p = w.findRoom(code); p != nil {
			return w.problem(p)
		}
		w.call.Match = ""
		return w.view(code, &r, &h, true)
	}
	return w.problem(restless())
}
