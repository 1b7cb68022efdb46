package learn

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/lesson"
)

// In presenter view a lesson is a deck of slides. Windows of the same lesson on one machine follow each other, so that
// one of them can show the notes.

// Large says whether the slide on show is set large.
func (l *Learn) Large() bool {
	slides := l.Slides()
	return len(slides) > 0 && l.Lesson().Large(slides[l.At()])
}

// Slides are those of the open lesson.
func (l *Learn) Slides() []lesson.Slide {
	if x := l.Lesson(); x != nil {
		return x.Slides()
	}
	return nil
}

// At is the place of the slide on show.
func (l *Learn) At() int {
	slides := l.Slides()
	for i, s := range slides {
		if s.Step >= l.Step {
			return max(0, min(i+l.Part, len(slides)-1))
		}
	}
	return 0
}

// Deck says that the open lesson is shown slide by slide.
func (l *Learn) Deck() bool { return l.App.View.Presenter && l.Name != "" && !l.Apart() && !l.Notes }

// Question is the key of the open question on the slide on show, "" for none.
func (l *Learn) Question() string { key, _ := l.question(); return key }

// question is the key and the block of the open question on the slide on show, "" for none.
func (l *Learn) question() (key string, b *lesson.Block) {
	slides := l.Slides()
	if len(slides) == 0 {
		return "", nil
	}
	s := slides[l.At()]
	for _, j := range s.Blocks {
		if b := &l.Lesson().Steps[s.Step][j]; b.Kind == lesson.Question {
			return l.Key(s.Step, j), b
		}
	}
	return "", nil
}

// Turn goes some slides on or back. A question is revealed before it is left behind.
func (l *Learn) Turn(by int) {
	if k := l.Question(); by > 0 && k != "" && !l.Revealed[k] {
		if _, picked := l.Picked[k]; !picked {
			l.Reveal(k)
			return
		}
	}
	l.Show(l.At()+by, true)
}

// Show shows a slide; other windows are told where the visitor asked for it.
func (l *Learn) Show(at int, tell bool) {
	slides := l.Slides()
	if at < 0 || at >= len(slides) {
		return
	}
	first := at
	for first > 0 && slides[first-1].Step == slides[at].Step {
		first--
	}
	l.Step, l.Part = slides[at].Step, at-first
	l.App.Location.Write(false)
	if l.Deck() {
		l.App.View.FocusOn(StepID(l.Step))
		l.Room.follow()
	}
	l.App.View.Draw()
	if d, ok := l.App.Browser.(Windows); ok && tell {
		d.TellWindows(l.Name + " " + strconv.Itoa(at))
	}
}

// Windows is a browser whose windows of this site hear each other.
type Windows interface {
	TellWindows(text string)
	HearWindows(heard func(text string))
}

// listen follows the other windows, once.
func (l *Learn) listen() {
	d, ok := l.App.Browser.(Windows)
	if !ok || l.listening {
		return
	}
	l.listening = true
	d.HearWindows(l.heard)
	if l.Notes {
		d.TellWindows(l.Name + " ?")
	}
}

// heard takes what another window says: a slide of a lesson, or the question which one is shown.
func (l *Learn) heard(text string) {
	name, at, ok := strings.Cut(text, " ")
	if !ok || name != l.Name || !l.Notes && !l.Deck() {
		return
	}
	if at == "?" {
		if d, ok := l.App.Browser.(Windows); ok && l.Deck() {
			d.TellWindows(l.Name + " " + strconv.Itoa(l.At()))
		}
		return
	}
	if n, err := strconv.Atoi(at); err == nil && n != l.At() {
		l.Show(n, false)
	}
}
