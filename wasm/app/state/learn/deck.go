package learn

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/lesson"
)

// In presenter view a lesson is a deck: its steps are cut into slides that fit a screen of 1280 × 720 pixels with text
// of 24 pixels. Windows of the same lesson on one machine follow each other, so that one of them can show the notes.

// Slide is what is shown at once: blocks of a step.
type Slide struct {
	Step     int
	Blocks   []int // places in the step
	From, To int   // articles of a block of judgments; From = To = all of them is the result
	End      bool  // what to remember
}

// What fits on a slide, in lines of text, and what a line holds.
const (
	slideLines    = 15.5 // of 36 pixels
	textLetters   = 76   // of a text
	tableLetters  = 88   // of a caption
	cellLetters   = 62   // of the title and the term in a sum
	optionLetters = 62   // of an option on one line
	optionLines   = 1.6  // of an option of a question
	largeLines    = 5.5  // of texts that stay on the slide when they are set half as large again
	judgedAtOnce  = 2
)

// lines is about how many lines a block takes. What needs a slide to itself takes all of them.
func lines(b *lesson.Block) float64 {
	letters := 0
	for _, s := range b.Spans {
		letters += len(s.Text)
	}
	switch b.Kind {
	case lesson.Text, lesson.Link:
		return textLines(letters + len(b.Note))
	case lesson.Question:
		n := textLines(letters) + max(optionLines, textLines(len(b.Note)))
		for _, o := range b.Options {
			n += optionLines + float64(len(o.Text)/optionLetters)
		}
		return n
	case lesson.Table, lesson.Bars:
		n := 1.02*float64(len(b.Rows)) + 0.8 + float64((len(b.Note)+tableLetters-1)/tableLetters)
		for _, r := range b.Rows {
			if len(r) == 5 && len(r[1])+len(r[3]) > cellLetters { // of an unfolded sum
				n += 0.8
			}
		}
		return n
	}
	return slideLines
}

// textLines is about how many lines so many letters of running text take, with the space under them.
func textLines(letters int) float64 {
	return 1.17*float64((letters+textLetters-1)/textLetters) + 0.45
}

// Large says whether the slide on show holds a little text and nothing else: it is set large then.
func (l *Learn) Large() bool {
	slides := l.Slides()
	if len(slides) == 0 {
		return false
	}
	s, n := slides[l.At()], 0.0
	for _, j := range s.Blocks {
		b := &l.Lesson().Steps[s.Step][j]
		if b.Kind != lesson.Text && b.Kind != lesson.Link {
			return false
		}
		n += lines(b)
	}
	return n <= largeLines
}

// Slides are those of the open lesson.
func (l *Learn) Slides() (out []Slide) {
	x := l.Lesson()
	if x == nil {
		return nil
	}
	for i, step := range x.Steps {
		room := 0.0
		for j := range step {
			b := &step[j]
			if b.Kind == lesson.Judging {
				for at := 0; at < len(b.Rows); at += judgedAtOnce {
					out = append(out, Slide{Step: i, Blocks: []int{j}, From: at, To: min(len(b.Rows), at+judgedAtOnce)})
				}
				out = append(out, Slide{Step: i, Blocks: []int{j}, From: len(b.Rows), To: len(b.Rows)})
				room = 0
				continue
			}
			need := lines(b)
			if need > room {
				out = append(out, Slide{Step: i})
				room = slideLines
			}
			last := &out[len(out)-1]
			last.Blocks = append(last.Blocks, j)
			room -= need
		}
	}
	if n := len(x.Steps); n > 0 && len(out) > 0 {
		out = append(out, Slide{Step: out[len(out)-1].Step, End: true})
	}
	return out
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
func (l *Learn) Deck() bool { return l.App.Presenter && l.Name != "" && !l.Apart() && !l.Notes }

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
	l.App.WriteAddress(false)
	if l.Deck() {
		l.App.FocusOn(StepID(l.Step))
		l.Room.follow()
	}
	l.App.Draw()
	if d, ok := l.App.Browser().(Windows); ok && tell {
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
	d, ok := l.App.Browser().(Windows)
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
		if d, ok := l.App.Browser().(Windows); ok && l.Deck() {
			d.TellWindows(l.Name + " " + strconv.Itoa(l.At()))
		}
		return
	}
	if n, err := strconv.Atoi(at); err == nil && n != l.At() {
		l.Show(n, false)
	}
}
