// Package statetest is a browser for the tests of package state and of its screens.
package statetest

import (
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Recorder is a browser that remembers what it was asked for; its clock stands still until it is told.
type Recorder struct {
	Sent      []message.Request
	Addresses []string
	Pushes    int
	Restarts  int
	Asks      int     // how often the worker was asked whether it is alive
	Busy      float64 // the part of the processor that others have
	Enriched  int
	Swaps     int // how often another program was asked for
	Programs  []screens.Program
	Library   []func(lessons []byte, problem string) // who waits for the lessons
	Copied    string
	Refuse    bool
	Renders   int
	Focused   string
	timers    []*timer
	texts     int
	Saved     []string
	Kept      map[string]string // on the device
	Offer     []byte            // of the site's edge
}

type timer struct {
	f    func()
	over bool
}

func (r *Recorder) Send(m message.Request) { r.Sent = append(r.Sent, m) }
func (r *Recorder) Ask()                   { r.Asks++ }
func (r *Recorder) Enrich()                { r.Enriched++ }

// Share is a whole processor, unless the machine is Busy.
func (r *Recorder) Share() float64 { return 1 - r.Busy }
func (r *Recorder) Restart()       { r.Restarts++ }
func (r *Recorder) Swap(to screens.Program) {
	r.Swaps++
	r.Programs = append(r.Programs, to)
}

// Lessons are fetched when a test says so.
func (r *Recorder) Lessons(done func(lessons []byte, problem string)) {
	r.Library = append(r.Library, done)
}

// Edge is asked only by a program without a worker.
func (r *Recorder) Edge(done func(offer []byte, problem string)) { done(r.Offer, "") }

func (r *Recorder) Address(path, fragment string, push bool) {
	r.Addresses = append(r.Addresses, path+fragment)
	if push {
		r.Pushes++
	}
}
func (r *Recorder) Copy(text string, done func(bool)) { r.Copied = text; done(!r.Refuse) }
func (r *Recorder) Origin() string                    { return "https://example.org" }
func (r *Recorder) After(_ int, f func()) func() {
	t := &timer{f: f}
	r.timers = append(r.timers, t)
	return func() { t.over = true }
}
func (r *Recorder) Remember(key, text string) {
	if r.Kept == nil {
		r.Kept = map[string]string{}
	}
	r.Kept[key] = text
}
func (r *Recorder) Day(ms int64) string      { return time.UnixMilli(ms).UTC().Format("2 January 2006") }
func (r *Recorder) Recall(key string) string { return r.Kept[key] }
func (r *Recorder) Focus(id string)          { r.Focused = id }
func (r *Recorder) Render()                  { r.Renders++ }
func (r *Recorder) Text(name, content string) message.File {
	r.texts++
	return message.File{ID: 1000 + r.texts, Name: name, Size: len(content)}
}
func (r *Recorder) Save(name, _ string, _ []byte) { r.Saved = append(r.Saved, name) }
func (r *Recorder) Picture(name, svg string, _, _ int, done func(bool)) {
	r.Saved = append(r.Saved, name)
	done(svg != "")
}

// Pass lets every timer that is set now run once.
func (r *Recorder) Pass() {
	due := r.timers
	r.timers = nil
	for _, t := range due {
		if !t.over {
			t.f()
		}
	}
}

// MissedAfter fails where a worker that says nothing from now on is not asked after exactly so many seconds, and
// replaced after as many more.
func (r *Recorder) MissedAfter(t *testing.T, seconds int) {
	t.Helper()
	before, asks := r.Restarts, r.Asks
	r.Pass() // the replies so far count as a sign of life
	for s := 1; s <= 2*seconds; s++ {
		r.Pass()
		if died := r.Restarts - before; (died == 1) != (s == 2*seconds) {
			t.Fatalf("%d restarts after %d silent seconds, want one after %d", died, s, 2*seconds)
		}
		if asked := r.Asks > asks; asked != (s >= seconds) {
			t.Fatalf("asked %v after %d silent seconds, want it at %d", asked, s, seconds)
		}
	}
}

// Last is the last request of a kind.
func (r *Recorder) Last(t *testing.T, kind message.Kind) message.Request {
	t.Helper()
	for i := len(r.Sent) - 1; i >= 0; i-- {
		if r.Sent[i].Kind == kind {
			return r.Sent[i]
		}
	}
	t.Fatalf("no request of kind %d was sent", kind)
	return message.Request{}
}

// Crew is a Recorder of a browser that can start more workers.
type Crew struct {
	Recorder
	Processors int
	Told       map[int][]message.Request // what each was asked, by its place
	Ended      []int                     // who was let go, in order
	Heard      func(i int, r *message.Reply, ended string)
}

// Bears is how many there are processors for.
func (c *Crew) Bears() int { return c.Processors }

// Hire starts them.
func (c *Crew) Hire(_ int, heard func(i int, r *message.Reply, ended string)) {
	c.Heard, c.Told = heard, map[int][]message.Request{}
}

// Tell asks one.
func (c *Crew) Tell(i int, r message.Request) { c.Told[i] = append(c.Told[i], r) }

// Dismiss ends one.
func (c *Crew) Dismiss(i int) { c.Ended = append(c.Ended, i) }
