package lesson

import (
	"fmt"
	"math"
	"strings"
)

// What a student takes, in minutes. The pace is that of somebody who reads to understand; the rest are estimates,
// made while reading the lessons and not measured with a class.
const (
	wordsAMinute = 200
	toCommit     = 1.0
	toPlay       = 2.5
	toRow        = 4.0 / 60 // of a table or a sum
	toBar        = 2.0 / 60
	toCurve      = 0.5
	toGrade      = 8.0 / 60 // an article, once it is read
	toLook       = 1.5      // at the same on real data
)

// Takes is how many minutes each step of the lesson takes.
func (l *Lesson) Takes() []float64 {
	out := make([]float64, len(l.Steps))
	for i, step := range l.Steps {
		for _, b := range step {
			out[i] += b.takes()
		}
	}
	return out
}

// takes is how many minutes a block takes.
func (b *Block) takes() float64 {
	words := len(strings.Fields(b.Note))
	for _, s := range b.Spans {
		words += len(strings.Fields(s.Text))
	}
	for _, o := range b.Options {
		words += len(strings.Fields(o.Text))
	}
	t := float64(words) / wordsAMinute
	switch b.Kind {
	case Question:
		t += toCommit
	case Play:
		t += toPlay
	case Table:
		t += toRow * float64(len(b.Rows))
	case Bars:
		t += toBar * float64(len(b.Rows))
	case Curve:
		t += toCurve
	case Link:
		t += toLook
	case Judging:
		for _, r := range b.Rows {
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

// Keeps sees to it that a lesson takes the minutes that its head says, or one more or less. The error is an *Error.
func (s *Source) Keeps(l *Lesson) error {
	all := 0.0
	takes := l.Takes()
	for _, t := range takes {
		all += t
	}
	if math.Abs(all-float64(l.Minutes)) > 1 {
		return &Error{s.File, s.lines["minutes"], fmt.Errorf("it says %d minutes, and takes about %.1f, step by step %.1f", l.Minutes, all, takes)}
	}
	return nil
}
