package learn

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// In presenter view a lesson is a deck of slides. Windows of the same lesson on one machine follow each other, so that
// one of them can show the notes.

// Deck is the presenter view: which slide is shown, and whether this window shows the notes.
type Deck struct {
	app     *state.App
	lessons *Lessons
	shown   func() // another slide is

	Step, Part int  // that presenter view is at: a step, and how many slides behind its first
	Notes      bool // this window shows the teacher's notes
	listening  bool // to the other windows
}

// Large says whether the slide on show is set large.
func (d *Deck) Large() bool {
	slides := d.Slides()
	return len(slides) > 0 && d.lessons.Current().Large(slides[d.At()])
}

// Slides are those of the open lesson.
func (d *Deck) Slides() []lesson.Slide {
	if x := d.lessons.Current(); x != nil {
		return x.Slides()
	}
	return nil
}

// At is the place of the slide on show.
func (d *Deck) At() int {
	slides := d.Slides()
	for i, s := range slides {
		if s.Step >= d.Step {
			return max(0, min(i+d.Part, len(slides)-1))
		}
	}
	return 0
}

// Open says that the open lesson is shown slide by slide.
func (d *Deck) Open() bool {
	return d.app.View.Presenter && d.lessons.Name != "" && !d.lessons.Apart() && !d.Notes
}

// Question is the key of the open question on the slide on show, "" for none.
func (d *Deck) Question() string { key, _ := d.question(); return key }

// question is the key and the block of the open question on the slide on show, "" for none.
func (d *Deck) question() (key string, b *lesson.Block) {
	slides := d.Slides()
	if len(slides) == 0 {
		return "", nil
	}
	s := slides[d.At()]
	for _, j := range s.Blocks {
		if b := &d.lessons.Current().Steps[s.Step][j]; b.Kind == lesson.Question {
			return d.lessons.Key(s.Step, j), b
		}
	}
	return "", nil
}

// Turn goes some slides on or back. A question is revealed before it is left behind.
func (l *Learn) Turn(by int) {
	if k := l.Deck.Question(); by > 0 && k != "" && !l.Votes.Revealed[k] {
		if _, picked := l.Answers.Picked[k]; !picked {
			l.Reveal(k)
			return
		}
	}
	l.Deck.Show(l.Deck.At()+by, true)
}

// Show shows a slide; other windows are told where the visitor asked for it.
func (d *Deck) Show(at int, tell bool) {
	slides := d.Slides()
	if at < 0 || at >= len(slides) {
		return
	}
	first := at
	for first > 0 && slides[first-1].Step == slides[at].Step {
		first--
	}
	d.Step, d.Part = slides[at].Step, at-first
	d.app.Location.Write(false)
	if d.Open() {
		d.app.View.FocusOn(StepID(d.Step))
		d.shown()
	}
	d.app.View.Draw()
	if w, ok := d.app.Browser.(Windows); ok && tell {
		w.TellWindows(d.lessons.Name + " " + strconv.Itoa(at))
	}
}

// Windows is a browser whose windows of this site hear each other.
type Windows interface {
	TellWindows(text string)
	HearWindows(heard func(text string))
}

// listen follows the other windows, once.
func (d *Deck) listen() {
	w, ok := d.app.Browser.(Windows)
	if !ok || d.listening {
		return
	}
	d.listening = true
	w.HearWindows(d.heard)
	if d.Notes {
		w.TellWindows(d.lessons.Name + " ?")
	}
}

// heard takes what another window says: a slide of a lesson, or the question which one is shown.
func (d *Deck) heard(text string) {
	name, at, ok := strings.Cut(text, " ")
	if !ok || name != d.lessons.Name || !d.Notes && !d.Open() {
		return
	}
	if at == "?" {
		if w, ok := d.app.Browser.(Windows); ok && d.Open() {
			w.TellWindows(d.lessons.Name + " " + strconv.Itoa(d.At()))
		}
		return
	}
	if n, err := strconv.Atoi(at); err == nil && n != d.At() {
		d.Show(n, false)
	}
}
