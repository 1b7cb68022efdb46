package learn

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
)

// Poll is how a class votes on a question: with raised hands or from phones.
type Poll struct {
	On         bool // a class votes
	MayCollect bool // phones can be asked this question: the site has rooms, and none asks it yet
	Phones     bool // a room is open, whose code the class needs
	Raising    bool // hands are counted for this question, not phones
	Hidden     bool // the votes of phones are not shown yet
	Open       bool // phones may vote on this question
	Counted    bool // votes are drawn beside the options: not while phones vote

	votes *screen.Votes
	room  *screen.Room
	key   string
}

// Poll is that on the block's question.
func (c *Block) Poll() *Poll {
	r, key, on := c.Learn.Room, c.K(), c.Learn.App.View.Presenter
	asked := r.For(key)
	hidden := asked && r.State != "shown"
	return &Poll{On: on, MayCollect: on && r.There && !asked, Phones: on && r.Code != "", Raising: on && !asked,
		Hidden: hidden, Open: hidden && r.State == "open", Counted: on && !hidden,
		votes: &c.Learn.Votes, room: r, key: key}
}

// Says says how far the votes on this question are, or what went wrong.
func (p *Poll) Says() string {
	r := p.room
	s := say.Count(r.Votes(), "vote", "votes")
	switch {
	case r.Fault != "":
		return r.Fault
	case !r.For(p.key):
		return "Voting is closed."
	case r.State == "closed":
		return s + ". Voting is closed."
	case r.Votes() == 0 && r.Unreachable():
		return s + ". Phones cannot open this address."
	}
	return s
}

// Code is the code in two groups.
func (p *Poll) Code() string {
	code := p.room.Code
	return code[:len(code)/2] + " " + code[len(code)/2:]
}

// Hands are the votes for an option, before and after.
func (p *Poll) Hands(i int) string {
	v := p.votes.Of[p.key]
	if v == nil {
		return "0"
	}
	s := strconv.Itoa(v[0][i])
	if p.votes.Revealed[p.key] {
		s += " → " + strconv.Itoa(v[1][i])
	}
	return s
}

// Bar is how wide the bar of an option is, of 100: hands before the reveal and after it, 0 and 1, to the same scale.
func (p *Poll) Bar(after, i int) string {
	v := p.votes.Of[p.key]
	if v == nil {
		return "0"
	}
	return strconv.Itoa(100 * v[after][i] / max(1, slices.Max(v[0]), slices.Max(v[1])))
}
