package learn

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
)

// Poll is how a class votes on a question: with raised hands or from phones.
type Poll struct {
	On bool // a class votes

	votes   *screen.Votes
	room    *screen.Room
	key     string
	options int
}

// Poll is that on the block's question.
func (c *Block) Poll() Poll {
	return Poll{c.Learn.App.Presenter, &c.Learn.Votes, c.Learn.Room, c.K(), len(c.B.Options)}
}

// MayCollect says that phones can be asked this question: the site has rooms, and none asks it yet.
func (p Poll) MayCollect() bool {
	return p.On && p.room.There && !p.room.For(p.key)
}

// Phones says that a room is open, whose code the class needs.
func (p Poll) Phones() bool { return p.On && p.room.Code != "" }

// Raising says that hands are counted for this question, not phones.
func (p Poll) Raising() bool { return p.On && !p.room.For(p.key) }

// Counted says that votes are drawn beside the options: not while phones vote.
func (p Poll) Counted() bool { return p.On && !p.room.Hidden(p.key) }

// Open says that phones may vote on this question, Hidden that their votes are not shown yet.
func (p Poll) Open() bool { return p.Hidden() && p.room.State == "open" }

// Hidden says that their votes are not shown yet.
func (p Poll) Hidden() bool { return p.room.Hidden(p.key) }

// Says says how far the votes on this question are, or what went wrong.
func (p Poll) Says() string {
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
func (p Poll) Code() string {
	code := p.room.Code
	return code[:len(code)/2] + " " + code[len(code)/2:]
}

// Hands are the votes for an option, before and after.
func (p Poll) Hands(i int) string {
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
func (p Poll) Bar(after, i int) string {
	v := p.votes.Of[p.key]
	if v == nil {
		return "0"
	}
	return strconv.Itoa(100 * v[after][i] / max(1, slices.Max(v[0]), slices.Max(v[1])))
}

// Vote counts a hand.
func (p Poll) Vote(i, by int) { p.votes.Count(p.key, p.options, i, by) }
