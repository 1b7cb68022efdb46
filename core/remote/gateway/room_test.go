package gateway

import (
	encoding "encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// school is a host with rooms, whose clock and dice are the test's.
type school struct {
	clock
	Ledger
	rooms RoomMemory
	dice  *rand.ChaCha8
}

func (s *school) Store() Store    { return s }
func (s *school) Rooms() Rooms    { return &s.rooms }
func (s *school) Random(b []byte) { s.dice.Read(b) }
func (s *school) Spend(client string, units int, first bool, l *Limits) (time.Duration, Refusal) {
	return s.Ledger.Spend(client, units, first, s.now, l)
}

// classroom is a gateway over a school, and what a test asks of it.
type classroom struct {
	*testing.T
	host *school
	g    *Gateway
}

func newClassroom(t *testing.T, config string) *classroom {
	t.Helper()
	c, err := ParseConfig([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	h := &school{clock: clock{now: time.Unix(1_800_000_000, 0)}, dice: rand.NewChaCha8([32]byte{1})}
	h.rooms.Limit = 1 << 20
	return &classroom{t, h, New(c, h)}
}

// said is an answer.
type said struct {
	status int
	tag    string
	Code   string
	Secret string
	Until  string

	Question, Options int
	State, Ask        string
	Labels            []string
	Counts            []int
	Pointer           string
}

// ask sends a call of one client; heads are Authorization and If-None-Match.
func (c *classroom) ask(method, path, body string, heads ...string) said {
	c.Helper()
	heads = append(heads, "", "")
	a := c.g.Serve(&Call{Method: method, Path: "/api/v1/rooms" + path, ContentType: "application/json",
		Authorization: heads[0], Match: heads[1], Client: "192.0.2.1", Length: int64(len(body)),
		Body: func(int) ([]byte, error) { return []byte(body), nil }})
	s := said{status: a.Status, tag: a.Header("ETag")}
	if len(a.Body) > 0 {
		if err := encoding.Unmarshal(a.Body, &s); err != nil {
			c.Fatalf("%s: %v", a.Body, err)
		}
	}
	return s
}

// outcome is a status and, of an error, its code.
func (s said) outcome() string { return strings.TrimSpace(fmt.Sprint(s.status, " ", s.Code)) }

// opened is a room with four options.
func (c *classroom) opened() (path, bearer string) {
	c.Helper()
	s := c.ask("POST", "", `{"options":4,"ask":"Which?","labels":["a","b","c","<b>d</b>"]}`)
	if s.status != 201 || !isCode(s.Code) || len(s.Secret) != 32 || s.Until != "2027-01-16T08:00:00Z" {
		c.Fatalf("%+v", s)
	}
	return "/" + s.Code, "Bearer " + s.Secret
}

func ballot(question, option int, voter string) string {
	return fmt.Sprintf(`{"question":%d,"option":%d,"voter":"voter%s"}`, question, option, voter)
}

func TestASecondVoteReplacesTheFirst(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	for _, v := range []struct {
		voter  string
		option int
		counts []int
	}{
		{"aaaa", 0, []int{1, 0, 0, 0}},
		{"bbbb", 0, []int{2, 0, 0, 0}},
		{"aaaa", 3, []int{1, 0, 0, 1}},
		{"aaaa", 3, []int{1, 0, 0, 1}},
		{"aaaa", 0, []int{2, 0, 0, 0}},
	} {
		if s := c.ask("POST", room+"/votes", ballot(1, v.option, v.voter)); s.outcome() != "200" {
			t.Fatalf("%+v", s)
		}
		if s := c.ask("GET", room, "", teacher); !reflect.DeepEqual(s.Counts, v.counts) {
			t.Errorf("after %s for %d: %v, want %v", v.voter, v.option, s.Counts, v.counts)
		}
	}
}

func TestCountsAreTheTeachersUntilTheyAreShown(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	c.ask("POST", room+"/votes", ballot(1, 2, "aaaa"))
	s := c.ask("GET", room, "")
	if s.Counts != nil || s.State != "open" || s.Ask != "Which?" || s.Options != 4 || s.Labels[3] != "<b>d</b>" {
		t.Errorf("%+v", s)
	}
	s = c.ask("POST", room+"/close", "", teacher)
	if s.State != "closed" || !reflect.DeepEqual(s.Counts, []int{0, 0, 1, 0}) {
		t.Errorf("%+v", s)
	}
	if s := c.ask("GET", room, ""); s.Counts != nil || s.State != "closed" {
		t.Errorf("%+v", s)
	}
	if s := c.ask("POST", room+"/show", "", teacher); s.State != "shown" {
		t.Errorf("%+v", s)
	}
	if s := c.ask("GET", room, ""); !reflect.DeepEqual(s.Counts, []int{0, 0, 1, 0}) || s.State != "shown" {
		t.Errorf("%+v", s)
	}
}

func TestClosedQuestionsTakeNoVote(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	vote := func(question, option int, want string) {
		t.Helper()
		if s := c.ask("POST", room+"/votes", ballot(question, option, "aaaa")); s.outcome() != want {
			t.Errorf("question %d, option %d: %s, want %s", question, option, s.outcome(), want)
		}
	}
	vote(1, 0, "200")
	vote(2, 0, "409 closed")
	vote(1, 4, "400 invalid")
	c.ask("POST", room+"/close", "", teacher)
	vote(1, 1, "409 closed")
	next := c.ask("POST", room+"/question", `{"options":2}`, teacher)
	if next.Question != 2 || next.State != "open" || next.Labels != nil ||
		!reflect.DeepEqual(next.Counts, []int{0, 0}) {
		t.Errorf("%+v", next)
	}
	vote(1, 1, "409 closed")
	vote(2, 1, "200")
	vote(2, 2, "400 invalid")
	c.ask("POST", room+"/show", "", teacher)
	vote(2, 0, "409 closed")
	if s := c.ask("GET", room, ""); !reflect.DeepEqual(s.Counts, []int{0, 1}) {
		t.Errorf("%v", s.Counts)
	}
	if s := c.ask("POST", room+"/close", "", teacher); s.State != "shown" {
		t.Errorf("closing hides the counts again: %s", s.State)
	}
}

// What is stored names no voter: not as the phone calls itself, and not the same in two questions or after the close.
func TestVotersAreForgotten(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	stored := func() (all []string) {
		for voter := range c.host.rooms.rooms[room[1:]].voters {
			all = append(all, voter)
		}
		return all
	}
	c.ask("POST", room+"/votes", ballot(1, 0, "aaaa"))
	first := stored()
	c.ask("POST", room+"/close", "", teacher)
	if got := stored(); len(first) != 1 || strings.Contains(first[0], "voter") || got != nil {
		t.Errorf("%v, after the close %v", first, got)
	}
	c.ask("POST", room+"/question", `{"options":2}`, teacher)
	c.ask("POST", room+"/votes", ballot(2, 0, "aaaa"))
	if got := stored(); len(got) != 1 || got[0] == first[0] {
		t.Errorf("%v, then %v", first, got)
	}
}

func TestForgedSecretsAreRefused(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	_, other := c.opened()
	for _, secret := range []string{"", "Bearer ", other, teacher[:len(teacher)-1], teacher + "0",
		"bearer " + teacher[7:], strings.ToUpper(teacher)} {
		for _, x := range [][2]string{{"POST", "/question"}, {"POST", "/close"}, {"POST", "/show"}, {"DELETE", ""}} {
			if s := c.ask(x[0], room+x[1], `{"options":2}`, secret); s.outcome() != "403 secret" {
				t.Errorf("%v with %q: %s", x, secret, s.outcome())
			}
		}
		if s := c.ask("GET", room, "", secret); secret != "" && s.outcome() != "403 secret" || s.Counts != nil {
			t.Errorf("read with %q: %+v", secret, s)
		}
	}
	if s := c.ask("GET", room, "", teacher); s.State != "open" || s.Question != 1 {
		t.Errorf("%+v", s)
	}
	if strings.Contains(c.host.rooms.rooms[room[1:]].Head, teacher[7:]) {
		t.Error("the secret itself is stored")
	}
}

func TestRoomsEndAfterADay(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	start := c.host.now
	c.host.now = start.Add(RoomLife - time.Second)
	if s := c.ask("POST", room+"/question", `{"options":2}`, teacher); s.outcome() != "200 "+room[1:] {
		t.Errorf("%+v", s)
	}
	c.host.now = start.Add(RoomLife) // another question gives it no more time
	for _, x := range [][2]string{{"GET", ""}, {"POST", "/votes"}, {"POST", "/close"}} {
		if s := c.ask(x[0], room+x[1], ballot(2, 0, "aaaa"), teacher); s.outcome() != "404 not-found" {
			t.Errorf("%v: %+v", x, s)
		}
	}
	c.host.now = start.Add(RoomLife + 2*time.Minute)
	c.ask("GET", room, "")
	if n := len(c.host.rooms.rooms); n != 0 || c.host.rooms.size != 0 {
		t.Errorf("%d rooms and %d bytes are left", n, c.host.rooms.size)
	}
}

func TestARoomIsDeletedByItsTeacher(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	c.ask("POST", room+"/votes", ballot(1, 0, "aaaa"))
	if s := c.ask("DELETE", room, "", teacher); s.status != 204 {
		t.Errorf("%+v", s)
	}
	if s := c.ask("GET", room, ""); s.outcome() != "404 not-found" || c.host.rooms.size != 0 {
		t.Errorf("%+v, %d bytes", s, c.host.rooms.size)
	}
}

// A phone that polls hears 304 while others vote; the teacher's page and, once counts are shown, everyone hear of them.
func TestTagsChangeWithTheView(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	phone, page := c.ask("GET", room, "").tag, c.ask("GET", room, "", teacher).tag
	if phone == "" || phone == page {
		t.Errorf("%s and %s", phone, page)
	}
	look := func(wantPhone, wantPage int) {
		t.Helper()
		a, b := c.ask("GET", room, "", "", "W/"+phone), c.ask("GET", room, "", teacher, page)
		if a.status != wantPhone || b.status != wantPage {
			t.Errorf("%d and %d, want %d and %d", a.status, b.status, wantPhone, wantPage)
		}
		phone, page = a.tag, b.tag
	}
	look(304, 304)
	c.ask("POST", room+"/votes", ballot(1, 0, "aaaa"))
	look(304, 200)
	c.ask("POST", room+"/votes", ballot(1, 0, "aaaa")) // the same again
	look(304, 304)
	c.ask("POST", room+"/show", "", teacher)
	look(200, 200)
}

func TestRoomsHaveLimits(t *testing.T) {
	c := newClassroom(t, `{"limits":{"rooms_per_day":2,"voters":3,"room_per_minute":1000}}`)
	c.opened()
	c.opened()
	if s := c.ask("POST", "", `{"options":2}`); s.outcome() != "429 budget" {
		t.Errorf("a third room: %s", s.outcome())
	}
	c.host.now = c.host.now.Add(24 * time.Hour)
	room := "/" + c.ask("POST", "", `{"options":4}`).Code
	for i, want := range []string{"200", "200", "200", "409 full"} {
		voter := strings.Repeat(string(rune('a'+i)), 4)
		if s := c.ask("POST", room+"/votes", ballot(1, i, voter)); s.outcome() != want {
			t.Errorf("voter %d: %s, want %s", i, s.outcome(), want)
		}
	}
	if s := c.ask("POST", room+"/votes", ballot(1, 3, "aaaa")); s.outcome() != "200" {
		t.Errorf("who has voted may change in a full room: %s", s.outcome())
	}
	n := 0
	for ; n < 2000; n++ {
		if s := c.ask("GET", room, ""); s.outcome() == "429 rate" {
			break
		}
	}
	if n > 1000 || n < 900 {
		t.Errorf("refused after %d calls", n)
	}
	if s := c.g.Serve(&Call{Method: "GET", Path: "/api/v1/backends", Client: "192.0.2.1"}); s.Status != 200 {
		t.Errorf("calls for rooms count as others: %d", s.Status)
	}
}

// Two hundred phones behind one address join, vote and look on within ten seconds, by the limits as they stand.
func TestASchoolSharesAnAddress(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	for second := range 10 {
		c.host.now = c.host.now.Add(time.Second)
		for phone := range 200 {
			if s := c.ask("GET", room, ""); s.status != 200 {
				t.Fatalf("second %d: %+v", second, s)
			}
			if phone%10 == second {
				if s := c.ask("POST", room+"/votes", ballot(1, phone%4, fmt.Sprintf("%04d", phone))); s.status != 200 {
					t.Fatalf("phone %d: %+v", phone, s)
				}
			}
		}
	}
	if s := c.ask("GET", room, "", teacher); !reflect.DeepEqual(s.Counts, []int{50, 50, 50, 50}) {
		t.Errorf("%v", s.Counts)
	}
}

func TestRoomsTakeNoMoreMemoryThanTheyMay(t *testing.T) {
	c := newClassroom(t, `{"limits":{"rooms_per_day":1000,"voters":1000}}`)
	c.host.rooms.Limit = 5000
	var last said
	room := ""
	for range 20 {
		if last = c.ask("POST", "", `{"options":2}`); last.status == 201 {
			room = "/" + last.Code
		}
	}
	if last.outcome() != "507 too-large" {
		t.Errorf("%+v", last)
	}
	for i := range 100 {
		last = c.ask("POST", room+"/votes", ballot(1, 0, fmt.Sprintf("%04d", i)))
	}
	if last.outcome() != "409 full" || c.host.rooms.size > 5000 {
		t.Errorf("%+v, %d bytes", last, c.host.rooms.size)
	}
}

func TestQuestionsAndVotesAreReadStrictly(t *testing.T) {
	c := newClassroom(t, "{}")
	room, _ := c.opened()
	long := strings.Repeat("a", 500)
	for _, x := range []struct{ path, body, want, pointer string }{
		{"", `{}`, "400 invalid", "/options"},
		{"", `{"options":1}`, "400 invalid", "/options"},
		{"", `{"options":11}`, "413 too-large", "/options"},
		{"", `{"options":2,"labels":["a"]}`, "400 invalid", "/labels"},
		{"", `{"options":2,"labels":["a","` + long + `"]}`, "413 too-large", "/labels/1"},
		{"", `{"options":2,"ask":"` + long + long + long + `"}`, "413 too-large", "/ask"},
		{"", `{"options":2,"secret":"a"}`, "400 invalid", ""},
		{"", `{"options":2}` + strings.Repeat(" ", roomBody), "413 too-large", ""},
		{"", `[]`, "400 invalid", ""},
		{room + "/votes", `{"question":1,"option":0}`, "400 invalid", ""},
		{room + "/votes", `{"question":1,"option":-1,"voter":"aaaaaaaa"}`, "400 invalid", "/option"},
		{room + "/votes", `{"question":1,"option":0,"voter":"aaaaaaa"}`, "400 invalid", "/voter"},
		{room + "/votes", `{"question":1,"option":0,"voter":"aaaa\naaaa"}`, "400 invalid", "/voter"},
		{room + "/votes", `{"question":1,"option":0,"voter":"aaaaaaaa","name":"x"}`, "400 invalid", ""},
		{"/ABCDEF/votes", ballot(1, 0, "aaaa"), "404 not-found", ""}, // A and E are in no code
		{"/BCDFGH/votes", ballot(1, 0, "aaaa"), "404 not-found", ""},
		{strings.ToLower(room) + "/votes", ballot(1, 0, "aaaa"), "404 not-found", ""},
	} {
		s := c.ask("POST", x.path, x.body)
		if s.outcome() != x.want || s.Pointer != x.pointer {
			t.Errorf("%s %.60s: %s at %q, want %s at %q", x.path, x.body, s.outcome(), s.Pointer, x.want, x.pointer)
		}
	}
}

func TestAnEdgeMayHaveNoRooms(t *testing.T) {
	c := newClassroom(t, `{"rooms":false}`)
	if s := c.ask("POST", "", `{"options":2}`); s.outcome() != "404 unsupported" {
		t.Errorf("%+v", s)
	}
	for config, want := range map[string]string{`{"rooms":false}`: `"rooms":false`, `{}`: `"rooms":true`} {
		c := newClassroom(t, config)
		a := c.g.Serve(&Call{Method: "GET", Path: "/api/v1/backends"})
		if !strings.Contains(string(a.Body), want) {
			t.Errorf("%s: %s", config, a.Body)
		}
	}
}

// A page of another origin, which the edge allows, may send the secret.
func TestAPageElsewhereLeadsARoom(t *testing.T) {
	c := newClassroom(t, `{"origins":["https://lab.example"]}`)
	room, teacher := c.opened()
	a := c.g.Serve(&Call{Method: "OPTIONS", Path: "/api/v1/rooms" + room, Origin: "https://lab.example",
		Asked: "DELETE"})
	if a.Status != 204 || a.Header("Access-Control-Allow-Methods") != "GET, DELETE" ||
		a.Header("Access-Control-Allow-Headers") != "Content-Type, Authorization" {
		t.Errorf("%d %v", a.Status, a.Headers)
	}
	for origin, want := range map[string]int{"https://lab.example": 200, "https://evil.example": 403} {
		a := c.g.Serve(&Call{Method: "GET", Path: "/api/v1/rooms" + room, Origin: origin, Authorization: teacher})
		if a.Status != want || (a.Header("Access-Control-Allow-Origin") == origin) != (want == 200) {
			t.Errorf("%s: %d %v", origin, a.Status, a.Headers)
		}
	}
}

// While a teacher goes on and on, every vote is either counted in its question or refused.
func TestVotesAndQuestionsAtOnce(t *testing.T) {
	c := newClassroom(t, "{}")
	room, teacher := c.opened()
	var wait sync.WaitGroup
	for phone := range 50 {
		wait.Go(func() {
			for n := 1; n <= 5; n++ {
				s := c.ask("POST", room+"/votes", ballot(n, phone%2, fmt.Sprintf("%04d", phone)))
				if o := s.outcome(); o != "200" && o != "409 closed" && o != "503 busy" {
					t.Errorf("%+v", s)
				}
			}
		})
	}
	for range 4 {
		if s := c.ask("POST", room+"/question", `{"options":2}`, teacher); s.status != 200 {
			t.Errorf("%+v", s)
		}
	}
	wait.Wait()
	before := c.ask("GET", room, "", teacher)
	if before.Question != 5 || before.Counts[0]+before.Counts[1] != len(c.host.rooms.rooms[room[1:]].voters) {
		t.Errorf("%+v", before)
	}
}

// FuzzRoom: whatever a body is, it is refused, or read as what writes the same.
func FuzzRoom(f *testing.F) {
	f.Add([]byte(`{"options":4,"ask":"Which?","labels":["a","b","c","d"]}`))
	f.Add([]byte(`{"question":1,"option":0,"voter":"aaaaaaaa"}`))
	f.Add([]byte((&head{question{"?", 2, []string{"a", "\u2028"}}, strings.Repeat("0", 64), 1, 2, isShown}).write()))
	f.Fuzz(func(t *testing.T, b []byte) {
		if q, p := readQuestion(b); p == nil {
			again, p := readQuestion(append(q.append([]byte("{")), '}'))
			if p != nil || !reflect.DeepEqual(again, q) {
				t.Errorf("%q: %+v, then %+v, %v", b, q, again, p)
			}
			if q.options < minOptions || q.options > MaxOptions {
				t.Errorf("%q: %d options", b, q.options)
			}
		}
		if v, p := readVote(b); p == nil && (v.question < 1 || v.option < 0 || v.option >= MaxOptions ||
			len(v.voter) < 8 || len(v.voter) > 64) {
			t.Errorf("%q: %+v", b, v)
		}
		if h, ok := readHead(string(b)); ok {
			if again, ok := readHead(h.write()); !ok || !reflect.DeepEqual(again, h) {
				t.Errorf("%q: %+v, then %+v", b, h, again)
			}
		}
	})
}

// loaded is a host whose first byte of chance decides nothing: 240 is as good as thrown away.
type loaded struct {
	school
	bytes []byte
}

func (l *loaded) Random(b []byte) {
	n := copy(b, l.bytes)
	l.bytes = l.bytes[n:]
	clear(b[n:])
}

// 256 is no multiple of 20: the bytes from 240 on would make some letters likelier than others.
func TestLettersOfACodeAreEquallyLikely(t *testing.T) {
	w := &work{Gateway: New(parsed(t, "{}"), &loaded{bytes: []byte{240, 255, 239, 1, 0}})}
	if got, want := w.drawCode()[:3], string([]byte{Letters[19], Letters[1], Letters[0]}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A vote that is cast again changes nothing; one that is changed counts once, and is one more ballot.
func TestBallotsCountTheVotesThatChangedTheCounts(t *testing.T) {
	m, now := &RoomMemory{Limit: 1 << 20}, time.Unix(1_800_000_000, 0)
	if ok, err := m.Change("code", &Change{Head: "h", Options: 2, Until: now.Add(time.Hour)}, now); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for i, option := range []int{0, 0, 1} {
		b := &Ballot{Version: 1, Voter: "v", Option: option, Most: 9}
		if v, err := m.Vote("code", b, now); v != Counted || err != nil {
			t.Errorf("vote %d: %v, %v", i, v, err)
		}
	}
	r, err := m.Read("code", now)
	if err != nil || r.Ballots != 2 || !slices.Equal(r.Counts, []int{0, 1}) {
		t.Errorf("%+v, %v", r, err)
	}
}
