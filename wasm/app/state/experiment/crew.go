package experiment

// Workers that share an experiment's queries out.

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Crew starts workers beside the one that the page has; a browser that can has it (Effects).
type Crew interface {
	// Bears is how many workers in all this device has processors for: four at most.
	Bears() int
	// Hire starts n workers, each of which opens the collection that is open. What comes of worker i, from 0, is heard:
	// a reply, or nil where it is alive and says nothing more, or at its end the reason.
	Hire(n int, heard func(i int, r *message.Reply, ended string))
	// Tell asks one of them.
	Tell(i int, r message.Request)
	// Dismiss ends one of them.
	Dismiss(i int)
}

const (
	// microseconds that an experiment takes on one worker before others are started: they open the collection first,
	// for up to a second
	worth   = 3e6
	mute    = 12 // seconds after which a worker that says nothing is let go
	opening = 60 // and that before its first lists
)

// Helpers are the workers that rank parts of an experiment beside the page's own.
type Helpers struct {
	app    *state.App
	matrix func() message.Matrix // what they run
	goOn   func()                // has the first worker go on where it waited for them

	Alone    string    // why no others share the queries out, where the device is the reason
	of       int       // parts that the queries are dealt to
	crew     []*helper // who has part i+1
	lists    []byte    // what they have ranked and the first worker does not have yet
	idle     bool      // the first worker waits for them
	made     int       // of those that have left
	reused   int
	watching func() // stops the timer
}

// helper is one of the crew, nil in Helpers.crew where it has nothing left to do.
type helper struct {
	silent int  // seconds
	worked bool // it has sent lists
	made   int
	reused int
}

// hire starts others where the plan, nil for none, is worth it, and says why not where the device is the reason.
func (c *Helpers) hire(d *message.Experimented) {
	c.dismiss()
	c.lists, c.of, c.Alone, c.made, c.reused = nil, 1, "", 0, 0
	crew, ok := c.app.Browser.(Crew)
	if !ok || d == nil || d.Remote || d.Micros < worth {
		return
	}
	n := min(crew.Bears(), d.Queries)
	if room := c.room(); n > 1 && room < n {
		if n = max(room, 1); n == 1 {
			c.Alone = "One worker does it all: a second one would need about " + say.Bytes(int64(c.app.Engine.Memory)) +
				" more, which this device may not have."
		}
	}
	if n < 2 {
		return
	}
	c.of = n
	c.crew = make([]*helper, n-1)
	for i := range c.crew {
		c.crew[i] = &helper{}
	}
	crew.Hire(n-1, c.heard)
	for i := range c.crew {
		c.tell(i, d.Have)
	}
	c.watch()
}

// room is how many workers fit into the memory that a tab may take here, each as large as the page and its worker are
// together now.
func (c *Helpers) room() int {
	if c.app.Engine.Memory <= 0 || c.app.Engine.Limit <= 0 {
		return 1
	}
	return int(float64(c.app.Engine.Limit) / c.app.Engine.Memory)
}

func (c *Helpers) tell(i int, have []byte) {
	if crew, ok := c.app.Browser.(Crew); ok {
		crew.Tell(i, message.Request{ID: 1, Kind: message.Share,
			Question: &message.AskShare{Matrix: c.matrix(), At: i + 1, Of: c.of, Have: have}})
	}
}

// heard takes what comes of a helper. One that ends, or that has nothing left, leaves the rest of its part to the first
// worker.
func (c *Helpers) heard(i int, r *message.Reply, ended string) {
	if i >= len(c.crew) || c.crew[i] == nil {
		return
	}
	h := c.crew[i]
	h.silent = 0
	switch {
	case ended != "":
		c.leave(i)
	case r == nil || r.Progress != nil:
	case r.Problem != nil || r.Beyond:
		c.leave(i)
	case r.Kind == message.Share:
		s, ok := r.Answer.(*message.Shared)
		if !ok {
			c.leave(i)
			return
		}
		h.worked, h.made, h.reused = true, s.Made, s.Reused
		c.lists = append(c.lists, s.Lists...)
		if s.Over {
			c.leave(i)
			return
		}
		c.tell(i, nil)
		c.goOn()
	}
}

// leave ends a helper.
func (c *Helpers) leave(i int) {
	c.made += c.crew[i].made
	c.reused += c.crew[i].reused
	c.crew[i] = nil
	if crew, ok := c.app.Browser.(Crew); ok {
		crew.Dismiss(i)
	}
	c.goOn()
}

// dismiss ends all of them.
func (c *Helpers) dismiss() {
	for i, h := range c.crew {
		if h == nil {
			continue
		}
		if crew, ok := c.app.Browser.(Crew); ok {
			crew.Dismiss(i)
		}
	}
	c.crew, c.idle = nil, false
	if c.watching != nil {
		c.watching()
		c.watching = nil
	}
}

// away are the parts that others are at work on.
func (c *Helpers) away() (out []int) {
	for i, h := range c.crew {
		if h != nil {
			out = append(out, i+1)
		}
	}
	return out
}

// watch lets go, every second, of helpers that have said nothing for too long.
func (c *Helpers) watch() {
	c.watching = c.app.Browser.After(1000, func() {
		c.watching = nil
		for i, h := range c.crew {
			if h == nil {
				continue
			}
			if h.silent++; h.silent > mute && h.worked || h.silent > opening {
				c.leave(i)
			}
		}
		if len(c.away()) > 0 {
			c.watch()
		}
	})
}

// Workers says how many are at work, "" where it is the page's alone.
func (c *Helpers) Workers() string {
	if n := len(c.away()); n > 0 {
		return strconv.Itoa(n+1) + " workers share the queries"
	}
	return ""
}

// counted adds to an answer of the first worker what the others ranked and reused.
func (c *Helpers) counted(d *message.Experimented) {
	d.Made, d.Reused = d.Made+c.made, d.Reused+c.reused
	for _, h := range c.crew {
		if h != nil {
			d.Made, d.Reused = d.Made+h.made, d.Reused+h.reused
		}
	}
}
