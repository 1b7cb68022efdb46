// Package lesson reads lessons, computes their figures and generates their exercises. A lesson is a text in a
// checked format (lesson.md): a head, data, and five steps: predict, do, see, check, real. Every number in its
// prose is computed from its data. The package draws nothing and gets rankings from [Data].
//
// Order of the pipeline: bytes → [Parse] → [Source] → [Source.Resolve] with Data → [Lesson] → wire → the page;
// [Make] makes an exercise of a seed, and [Exercise.Check] assesses an answer.
package lesson

import (
	"fmt"

	"github.com/rankbox/rankbox/core/base/wire"
)

// Error reports an error in a lesson, with its line.
type Error struct {
	File string
	Line int // from 1
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Steps are the steps of every lesson, in order.
var Steps = []string{"predict", "do", "see", "check", "real"}

// Titles are the titles of the steps on the page.
var Titles = []string{"Predict", "Do", "See the arithmetic", "Check", "The same on real data"}

// Head is the metadata of a lesson.
type Head struct {
	Name                    string // "ndcg"
	Number, Minutes         int
	Title, Teaches          string
	Misconception, Remember string
	After, Sources, Asks    []string // Asks: questions and expected answers, for the teacher's sheet
}

// Lesson is a lesson with its figures computed.
type Lesson struct {
	Head
	Steps [][]Block // one slice per step
}

// Kind is the kind of a block.
type Kind int

// The kinds.
const (
	Text     Kind = iota // Spans
	Question             // Spans, Options; Because in Note
	Play                 // Link: a ranking to play with, in the notation of package play
	Table                // Rows, the first is the header; Note is the caption
	Bars                 // Rows of a label and a number
	Drill                // an exercise: Name and Level
	Link                 // Link leads to a screen, Note says what to do there
	// A precision-recall curve of each of Rows: its name, its points, its staircase; Note is the caption.
	Curve
	// Articles to judge: Note is the query, Spans the relevance criteria, Rows the title, the text and both
	// recorded grades.
	Judging
	// Differences whose signs are tossed: Rows of a query and its difference, Name the measure, Note the caption.
	Coin
	// An interactive figure, see package figure: Name, its rankings in Link separated by spaces, Rows, Values and
	// Targets. At level 1 a remix has replaced the ranking, and it has no goal.
	Figure
)

// Block is a part of a step.
type Block struct {
	Kind    Kind
	Spans   []Span
	Options []Option
	Rows    [][]string
	Values  []float64 // of bars: the number of each row after the header
	Targets []float64 // of a figure's goal
	Link    string
	Note    string
	Name    string
	Level   int
}

// Span is a piece of formatted text.
type Span struct {
	Text  string
	Style string // "", "em", "code", "a"
	To    string // target of a link
}

// Option is an answer to a question.
type Option struct {
	Text  string
	Right bool
	Slip  string // the misconception behind a wrong option
}

// Set holds all lessons, and the field of the capstone or nil.
type Set struct {
	Lessons []Lesson
	Field   *Field
}

// Find returns the lesson with a name, or nil.
func (s *Set) Find(name string) *Lesson {
	for i := range s.Lessons {
		if l := &s.Lessons[i]; l.Name == name {
			return l
		}
	}
	return nil
}

// Wire codes the lessons.
func (s *Set) Wire(c *wire.Codec) {
	wire.List(c, &s.Lessons, func(l *Lesson) {
		for _, v := range []*string{&l.Name, &l.Title, &l.Teaches, &l.Misconception, &l.Remember} {
			c.String(v)
		}
		c.Fields(&l.Number, &l.Minutes)
		for _, v := range []*[]string{&l.After, &l.Sources, &l.Asks} {
			c.Strings(v)
		}
		wire.List(c, &l.Steps, func(b *[]Block) { wire.List(c, b, func(b *Block) { b.wire(c) }) })
	})
	there := s.Field != nil
	if c.Bool(&there); !there {
		return
	}
	if c.Reading() {
		s.Field = &Field{}
	}
	s.Field.wire(c)
}

func (b *Block) wire(c *wire.Codec) {
	c.Int((*int)(&b.Kind))
	wire.List(c, &b.Spans, func(s *Span) { c.Fields(&s.Text, &s.Style, &s.To) })
	wire.List(c, &b.Options, func(o *Option) { c.Fields(&o.Text, &o.Right, &o.Slip) })
	wire.List(c, &b.Rows, func(r *[]string) { c.Strings(r) })
	c.Fields(&b.Values, &b.Targets, &b.Link, &b.Note, &b.Name, &b.Level)
}
