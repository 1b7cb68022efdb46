package experiment

// Workers that share an experiment's queries out.

import (
	"strconv"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
)

// Crew starts workers beside the one that the page has; a browser that can has it (Effects).
type Crew interface {
	// Bears is how many workers in all this device has processors for: four at most.
	Bears() int
	// Hire starts n workers, each of which opens the collection that is open. What comes of worker i, from 0, is heard: a reply, or nil where it
	// is alive and says nothing more, or at its end the reason.
	Hire(n int, heard func(i int, r *message.Reply, ended string))
	// Tell asks one of them.
	Tell(i int, r message.Request)
	// Dismiss ends one of them.
	Dismiss(i int)
}

const (
	worth   = 3e6 // microseconds that an experiment takes on one worker before others are started: they open the collection first, for up to a second
	mute    = 12  // seconds after which a worker that says nothing is let go
	opening = 60  // and that before its first lists
)

// helper is one of the crew, nil in Experiment.crew where it has nothing left to do.
type helper struct {
	silent int  // seconds
	worked bool // it has sent lists
	made   int
	reused int
}

// hire starts others where they are worth it, and says why not where the device is the reason.
func (x *Experiment) hire() {
	x.dismiss()
	x.lists, x.of, x.Alone, x.made, x.reused = nil, 1, "", 0, 0
	d := x.Done
	crew, ok := x.App.Browser.(Crew)
	if !ok || d == nil || x.Waiting() || d.Remote || d.Micros < worth {
		return
	}
	n := min(crew.Bears(), d.Queries)
	if room := x.room(); n > 1 && room < n {
		if n = max(room, 1); n == 1 {
			x.Alone = "One worker does it all: a second one would need about " + say.Bytes(int64(x.App.Engine.Memory)) + " more, which this device may not have."
		}
	}
	if n < 2 {
		return
	}
	x.of = n
	x.crew = make([]*helper, n-1)
	for i := range x.crew {
		x.crew[i] = &helper{}
	}
	crew.Hire(n-1, x.heard)
	for i := range x.crew {
		x.tell(i, d.Have)
	}
	x.watch()
}

// room is how many workers fit into the memory that a tab may take here, each as large as the page and its worker are together now.
func (x *Experiment) room() int {
	if x.App.Engine.Memory <= 0 || x.App.Engine.Limit <= 0 {
		return 1
	}
	return int(float64(x.App.Engine.Limit) / x.App.Engine.Memory)
}

func (x *Experiment) tell(i int, have []byte) {
	if crew, ok := x.App.Browser.(Crew); ok {
		crew.Tell(i, message.Request{ID: 1, Kind: message.Share, Question: &message.AskShare{Matrix: x.Matrix(), At: i + 1, Of: x.of, Have: have}})
	}
}

// heard takes what comes of a helper. One that ends, or that has nothing left, leaves the rest of its part to the first worker.
func (x *Experiment) heard(i int, r *message.Reply, ended string) {
	if i >= len(x.crew) || x.crew[i] == nil {
		return
	}
	h := x.crew[i]
	h.silent = 0
	switch {
	case ended != "":
		x.leave(i)
	case r == nil || r.Progress != nil:
	case r.Problem != nil || r.Beyond:
		x.leave(i)
	case r.Kind == message.Share:
		s, ok := r.Answer.(*message.Shared)
		if !ok {
			x.leave(i)
			return
		}
		h.worked, h.made, h.reused = true, s.Made, s.Reused
		x.lists = append(x.lists, s.Lists...)
		if s.Over {
			x.leave(i)
			return
		}
		x.tell(i, nil)
		x.goOn()
	}
}

// leave ends a helper.
func (x *Experiment) leave(i int) {
	x.made += x.crew[i].made
	x.reused += x.crew[i].reused
	x.crew[i] = nil
	if crew, ok := x.App.Browser.(Crew); ok {
		crew.Dismiss(i)
	}
	x.goOn()
}

// goOn has the first worker go on where it waited for the others.
func (x *Experiment) goOn() {
	if x.idle && x.Running {
		x.send(true)
	}
}

// dismiss ends all of them.
func (x *Experiment) dismiss() {
	for i, h := range x.crew {
		if h == nil {
			continue
		}
		if crew, ok := x.App.Browser.(Crew); ok {
			crew.Dismiss(i)
		}
	}
	x.crew, x.idle = nil, false
	if x.watching != nil {
		x.watching()
		x.watching = nil
	}
}

// away are the parts that others are at work on.
func (x *Experiment) away() (out []int) {
	for i, h := range x.crew {
		if h != nil {
			out = append(out, i+1)
		}
	}
	return out
}

// watch lets go, every second, of helpers that have said nothing for too long.
func (x *Experiment) watch() {
	x.watching = x.App.Browser.After(1000, func() {
		x.watching = nil
		for i, h := range x.crew {
			if h == nil {
				continue
			}
			if h.silent++; h.silent > mute && h.worked || h.silent > opening {
				x.leave(i)
			}
		}
		if len(x.away()) > 0 {
			x.watch()
		}
	})
}

// Workers says how many are at work, "" where it is the page's alone.
func (x *Experiment) Workers() string {
	if n := len(x.away()); n > 0 && x.Running {
		return strconv.Itoa(n+1) + " workers share the queries"
	}
	return ""
}

// counted adds to an answer of the first worker what the others ranked and reused.
func (x *Experiment) counted(d *message.Experimented) {
	d.Made, d.Reused = d.Made+x.made, d.Reused+x.reused
	for _, h := range x.crew {
		if h != nil {
			d.Made, d.Reused = d.Made+h.made, d.Reused+h.reused
		}
	}
}
