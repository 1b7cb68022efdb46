package remote

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// SendAs is a Send with a bearer token, "" for none.
type SendAs func(method, path, token string, body []byte) (Reply, error)

// Poll is a question that a class votes on.
type Poll struct {
	Ask    string
	Labels []string // one an option, 2 to 10
}

// Room is a room of an edge as its teacher's page has it.
type Room struct {
	Code, Secret string
	Question     int    // from 1
	State        string // open, closed, shown
	Counts       []int  // votes an option
}

// What a teacher does with a room.
const (
	ReadRoom  = "read"
	NextPoll  = "question"
	ClosePoll = "close"
	ShowPoll  = "show"
	EndRoom   = "end"
)

// ErrNoRoom is returned if a room has ended.
var ErrNoRoom = errors.New("the room has ended")

// OpenRoom opens a room that asks a question.
func OpenRoom(send SendAs, p *Poll) (*Room, error) {
	r := &Room{State: "open", Counts: make([]int, len(p.Labels))}
	body, err := r.send(send, "POST", "", p.json())
	if err != nil {
		return nil, err
	}
	if !r.take(body) || r.Code == "" || r.Secret == "" {
		return nil, errNotRoom
	}
	return r, nil
}

// Do does something with the room, and takes what it is then. p is the question of NextPoll.
func (r *Room) Do(send SendAs, what string, p *Poll) error {
	var body []byte
	var err error
	switch what {
	case ReadRoom:
		body, err = r.send(send, "GET", "/"+r.Code, nil)
	case NextPoll:
		body, err = r.send(send, "POST", "/"+r.Code+"/question", p.json())
	case ClosePoll, ShowPoll:
		body, err = r.send(send, "POST", "/"+r.Code+"/"+what, nil)
	case EndRoom:
		_, err = r.send(send, "DELETE", "/"+r.Code, nil)
		return err
	default:
		err = errors.New("a room does not " + strconv.Quote(what))
	}
	if err != nil {
		return err
	}
	next := Room{Code: r.Code, Secret: r.Secret}
	if !next.take(body) || next.Code != r.Code || len(next.Counts) < 2 {
		return errNotRoom
	}
	*r = next
	return nil
}

var errNotRoom = errors.New("the answer of the edge is not a room")

func (r *Room) send(send SendAs, method, path string, body []byte) ([]byte, error) {
	if send == nil {
		return nil, errors.New("there is no edge here")
	}
	a, err := send(method, "/api/v1/rooms"+path, r.Secret, body)
	if err != nil {
		return nil, errors.New("the edge cannot be reached")
	}
	switch code := readProblem(a.Body).code; {
	case a.Status < 300:
		return a.Body, nil
	case code == "not-found":
		return nil, ErrNoRoom
	case code == "unsupported":
		return nil, errors.New("the edge has no rooms")
	case code == "secret":
		return nil, errors.New("the room has another secret")
	case code == "budget":
		return nil, errors.New("no more rooms can be opened from here today")
	case code == "rate":
		return nil, errors.New("the edge asks to wait")
	case code == "origin":
		return nil, errors.New("the edge does not serve this page")
	}
	return nil, errors.New("the edge answered with status " + strconv.Itoa(a.Status))
}

// take reads what an edge says of a room, and says whether it is that.
func (r *Room) take(body []byte) bool {
	in := reader(body)
	fine := true
	object(in, map[string]func(){
		"code":     func() { r.Code = in.String() },
		"secret":   func() { r.Secret = in.String() },
		"question": func() { r.Question = int(in.Int()) },
		"state":    func() { r.State = in.String() },
		"counts": func() {
			r.Counts = nil
			array(in, func() {
				n := int(in.Int())
				fine = fine && n >= 0 && len(r.Counts) < 10
				r.Counts = append(r.Counts, n)
			})
		},
	})
	in.End()
	return in.Err() == nil && fine && r.Question > 0 && len(r.Code) == 6 &&
		strings.Trim(r.Code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && len(r.Secret) <= 64 &&
		strings.Trim(r.Secret, "0123456789abcdef") == "" &&
		(r.State == "open" || r.State == "closed" || r.State == "shown")
}

// json writes the question, its texts cut to what an edge takes.
func (p *Poll) json() []byte {
	b := []byte(`{"options":` + strconv.Itoa(len(p.Labels)))
	if p.Ask != "" {
		b = jsontext.AppendQuote(append(b, `,"ask":`...), bounded(p.Ask, 1000))
	}
	for i, l := range p.Labels {
		if i == 0 {
			b = append(b, `,"labels":[`...)
		} else {
			b = append(b, ',')
		}
		b = jsontext.AppendQuote(b, bounded(l, 400))
	}
	if len(p.Labels) > 0 {
		b = append(b, ']')
	}
	return append(b, '}')
}

// bounded cuts a text to at most n bytes, between characters.
func bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
