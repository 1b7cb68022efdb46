// Package lesson reads lessons, works their figures out and owns their exercises. A lesson is a text in a small checked
// format (lesson.md): a head of fields, data that it names, and five steps: predict, do, see, check, real. Every number
// in its prose is computed from the data beside it. It draws nothing, and it retrieves nothing: where a lesson wants a
// ranking it asks [Data].
//
// Order of the pipeline: bytes → [Parse] → [Source] → [Source.Resolve] with Data → [Lesson] → wire → the page; [Make]
// makes an exercise of a seed, and [Exercise.Check] says whether an answer is right, or which mistake it is.
package lesson

import (
	"fmt"

	"github.com/rankbox/rankbox/core/wire"
)

// Error says what is wrong with a lesson, and where.
type Error struct {
	File string
	Line int // from 1
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Steps are the steps of every lesson, in their order.
var Steps = []string{"predict", "do", "see", "check", "real"}

// Titles are what they are called on the page.
var Titles = []string{"Predict", "Do", "See the arithmetic", "Check", "The same on real data"}

// Head is what is known of a lesson without reading it.
type Head struct {
	Name                    string // "ndcg"
	Number, Minutes         int
	Title, Teaches          string
	Misconception, Remember string
	After, Sources, Asks    []string // Asks: what a teacher asks and what students answer, for the sheet
}

// Lesson is a lesson with its figures worked out.
type Lesson struct {
	Head
	Steps [][]Block // one a step
}

// Kind is what a block is.
type Kind int

// The kinds of blocks.
const (
	Text     Kind = iota // Spans
	Question             // Spans, Options; Because in Note
	Play                 // Link: a ranking to play with, as package play writes it
	Table                // Rows, the first its head; Note is its caption
	Bars                 // Rows of a label and a number
	Drill                // an exercise: Name and Level
	Link                 // Link leads to a screen, Note says what to do there
	// a precision-recall curve of each of Rows: its name, its points, its stairs; Note is the caption
	Curve
	// Articles to be judged: Note is the query, Spans what counts, Rows the title, the text and both recorded grades
	Judging
	// Differences whose signs are tossed for: Rows of a query and its difference, Name the measure, Note what they are
	Coin
	// A figure that is moved, see package figure: Name, its rankings in Link with spaces between them, Rows, Values
	// and Targets. At level 1 a remix has given it another ranking, and it has no goal.
	Figure
)

// Block is a part of a step.
type Block struct {
	Kind    Kind
	Spans   []Span
	Options []Option
	Rows    [][]string
	Values  []float64 // of bars: the number of each row behind the head
	Targets []float64 // of a figure's goal
	Link    string
	Note    string
	Name    string
	Level   int
}

// Span is a piece of text.
type Span struct {
	Text  string
	Style string // "", "em", "code", "a"
	To    string // of a link
}

// Option is an answer to a question.
type Option struct {
	Text  string
	Right bool
	Slip  string // the misconception behind a wrong one
}

// Set is all lessons, and what the capstone draws from, nil where it is not there.
type Set struct {
	Lessons []Lesson
	Field   *Field
}

// Find returns the lesson of a name, nil where there is no such lesson.
func (s *Set) Find(name string) *Lesson {
	for i := range s.Lessons {
		if l := &s.Lessons[i]; l.Name == name {
			return l
		}
	}
	return nil
}

// Wire walks the lessons.
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
