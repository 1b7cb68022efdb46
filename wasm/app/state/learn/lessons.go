package learn

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Library is where the lessons come from: the page fetches them, or says what went wrong. It needs no worker for that,
// nor to ask what the site's edge offers; the answer is empty if there is none.
type Library interface {
	Lessons(done func(lessons []byte, problem string))
	Edge(done func(offer []byte, problem string))
}

// Lessons are the lessons as far as they are known, and which of them is open.
type Lessons struct {
	app     *state.App
	arrived func() // all of them did

	Name    string        // of the open lesson, "" for the list of all
	Remixed *lesson.Remix // the open lesson as a teacher has changed it, nil where it is as it was written

	set     *lesson.Set
	whole   bool // the set has the steps of every lesson
	asked   bool // for the whole set
	refused bool // it did not come

	mixed, from *lesson.Lesson // the remixed lesson, and of which it was made
}

// Apart says that no lesson is open but a class or the capstone.
func (l *Lessons) Apart() bool { return l.Name == Classroom || l.Name == Finale }

// Set is what is known of the lessons: what the page was rendered with, until all are fetched.
func (l *Lessons) Set() *lesson.Set {
	if l.set == nil && len(l.app.Lessons) > 0 {
		s := &lesson.Set{}
		if wire.Unmarshal(l.app.Lessons, s) == nil {
			l.set = s
		}
	}
	return l.set
}

// Current is the open one, nil where it is not there yet or there is none.
func (l *Lessons) Current() *lesson.Lesson {
	s := l.Set()
	if s == nil {
		l.fetch()
		return nil
	}
	if l.Name == "" || l.Apart() {
		return nil
	}
	if x := s.Find(l.Name); x != nil && len(x.Steps) > 0 {
		return l.mix(x)
	}
	l.fetch()
	return nil
}

// fetch asks for all lessons, once.
func (l *Lessons) fetch() {
	if l.asked || l.whole || l.app.Engine.Phase == state.Loading {
		return
	}
	library, ok := l.app.Browser.(Library)
	if !ok { // a page that is only rendered
		return
	}
	l.asked, l.refused = true, false
	library.Lessons(l.fetched)
}

// fetched takes all lessons, or what went wrong. They are asked for again when one is opened.
func (l *Lessons) fetched(lessons []byte, problem string) {
	s := &lesson.Set{}
	l.refused = true
	switch {
	case problem != "":
		l.app.Notices.Problem = &message.Problem{What: "The lessons could not be fetched: " + problem + ".",
			Where: "the lessons", Do: "Check your connection, then open the lesson again."}
	case wire.Unmarshal(lessons, s) != nil:
		l.app.Notices.Problem = &message.Problem{What: "The lessons are of another version of this site than the page.",
			Where: "the lessons", Do: "Reload the page."}
	default:
		l.set, l.whole, l.refused = s, true, false
		l.arrived()
	}
	l.app.View.Draw()
}

// Key names a block of the open lesson.
func (l *Lessons) Key(step, block int) string { return KeyOf(l.Name, step, block) }

// KeyOf names a block of a lesson.
func KeyOf(lesson string, step, block int) string {
	return lesson + "." + strconv.Itoa(step) + "." + strconv.Itoa(block)
}

// mix is the open lesson as it was remixed.
func (l *Lessons) mix(x *lesson.Lesson) *lesson.Lesson {
	if l.Remixed == nil || l.Remixed.Of != l.Name {
		return x
	}
	if l.mixed == nil || l.from != x {
		l.mixed, l.from = l.Remixed.Apply(x), x
	}
	return l.mixed
}
