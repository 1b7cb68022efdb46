package lesson

import (
	"fmt"
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

// Times that a student takes, in minutes: estimates from reading the lessons, not measured with a class.
//
// The reading pace is below the 238 words a minute at which adults silently read English prose (Brysbaert, How many
// words do we read per minute?, Journal of Memory and Language 109, 2019), because students read to understand.
// Grading an article that is already read takes two thoughts, a movement and a click, 4.0 seconds by the
// keystroke-level model (Card, Moran and Newell, CACM 23(7), 1980: 1.35, 1.1 and 0.2 seconds each).
const (
	wordsAMinute = 200
	aloudAMinute = 150 // a lecturer who reads everything aloud
	toCommit     = 1.0
	toPlay       = 2.5
	// To play with the list or move the figure that was just judged: the student knows its titles and the task.
	toRegrade = 1.0
	toRow     = 4.0 / 60 // of a table or a sum
	toBar     = 2.0 / 60
	toCurve   = 0.5
	toGrade   = 5.0 / 60 // an article that is already read
	toToss    = 0.8      // to press, and to watch where the means fall, besides the rows
	toLook    = 1.5      // at the same on real data
)

// Takes returns the minutes of each step.
func (l *Lesson) Takes() []float64 { return l.minutes(wordsAMinute) }

// Aloud returns the minutes of each step if a lecturer reads it aloud and waits for votes and exercises.
func (l *Lesson) Aloud() []float64 { return l.minutes(aloudAMinute) }

func (l *Lesson) minutes(pace float64) []float64 {
	out := make([]float64, len(l.Steps))
	for i, step := range l.Steps {
		judged := false
		for _, b := range step {
			out[i] += b.minutes(pace)
			if b.Kind == Play && judged {
				out[i] += toRegrade - toPlay
			}
			if k := figure.Named(b.Name); b.Kind == Figure && judged && k != nil {
				out[i] += toRegrade - k.Minutes
			}
			judged = judged || b.Kind == Judging
		}
	}
	return out
}

// minutes returns the minutes of a block at a reading pace in words per minute.
func (b *Block) minutes(pace float64) float64 {
	words := 0
	if b.Kind != Figure { // its note is for the teacher
		words = len(strings.Fields(b.Note))
	}
	for _, s := range b.Spans {
		words += len(strings.Fields(s.Text))
	}
	for _, o := range b.Options {
		words += len(strings.Fields(o.Text))
	}
	t := float64(words) / pace
	switch b.Kind {
	case Question:
		t += toCommit
	case Play:
		t += toPlay
	case Table:
		t += float64(toRow * float64(len(b.Rows)))
	case Bars:
		t += float64(toBar * float64(len(b.Rows)))
	case Curve:
		t += toCurve
	case Figure:
		if k := figure.Named(b.Name); k != nil {
			t += k.Minutes
		}
	case Coin:
		t += toToss + float64(toRow*float64(len(b.Rows)))
	case Link:
		t += toLook
	case Judging:
		for _, r := range b.Rows { // everybody reads the articles in silence
			t += toGrade + float64(len(strings.Fields(r[0]+" "+r[1])))/wordsAMinute
		}
	case Drill:
		for _, g := range Generators {
			if g.Name == b.Name {
				t += g.Minutes[b.Level-1]
			}
		}
	}
	return t
}

// A lesson takes from Least to Most minutes, which leaves a class time to talk.
const Least, Most = 8, 12

// Keeps checks that a lesson takes from Least to Most minutes, and within one minute of the time in its head, both
// in silence and aloud. The error is an *Error.
func (s *Source) Keeps(l *Lesson) error {
	all := 0.0
	takes := l.Takes()
	for _, t := range takes {
		all += t
	}
	if all < Least || all > Most || l.Minutes < Least || l.Minutes > Most {
		return &Error{s.File, s.lines["minutes"],
			fmt.Errorf("a lesson takes %d to %d minutes; it says %d, and takes about %.1f, step by step %.1f", Least,
				Most, l.Minutes, all, takes)}
	}
	for i, takes := range [][]float64{takes, l.Aloud()} {
		all, how := 0.0, []string{"", ", read aloud"}[i]
		for _, t := range takes {
			all += t
		}
		if math.Abs(all-float64(l.Minutes)) > 1 {
			return &Error{s.File, s.lines["minutes"],
				fmt.Errorf("it says %d minutes, and takes about %.1f%s, step by step %.1f", l.Minutes, all, how, takes)}
		}
	}
	return nil
}
