package learn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/teach/lesson"
)

// Drill is an exercise that is being answered.
type Drill struct {
	Number  int // how many there were before
	Level   int // that was chosen, 0 for the lesson's
	Typed   string
	Said    string // of the answer, "" before
	Right   bool
	Tried   bool // Last is the number that was answered last
	Last    float64
	Missed  int  // answers that no known mistake gives, and orders that do not meet the conditions
	Solved  bool // the solution was shown
	Correct int  // how many were right
	Order   []int
}

// Over says that the exercise takes no answer any more.
func (d Drill) Over() bool { return d.Right || d.Solved }

// Seed is that of a student's exercise: who, which block, how many before.
func Seed(student, key string, number int) string {
	return strings.TrimSpace(student) + "|" + key + "|" + strconv.Itoa(number)
}

// Exercise is the one that a block asks now.
func (a *Answers) Exercise(key string, b *lesson.Block) *lesson.Exercise {
	return lesson.Make(b.Name, a.Level(key, b), Seed(a.Student, key, a.Drills[key].Number))
}

// Level is that of a block's exercises: what was chosen, or what the lesson says.
func (a *Answers) Level(key string, b *lesson.Block) int {
	if n := a.Drills[key].Level; n > 0 {
		return n
	}
	return b.Level
}

// SetLevel chooses it, and asks an exercise of that level. One that was answered rightly does not come back.
func (a *Answers) SetLevel(key string, b *lesson.Block, level int) {
	if level < 1 || level > lesson.Levels || level == a.Level(key, b) {
		return
	}
	d := a.Drills[key]
	next := Drill{Number: d.Number, Correct: d.Correct}
	if d.Over() {
		next.Number++
	}
	if level != b.Level {
		next.Level = level
	}
	a.renew(key, next)
}

// Type takes what is typed as an answer.
func (a *Answers) Type(key, text string) {
	d := a.Drills[key]
	d.Typed = text
	a.Drills[key] = d
}

// Check checks an answer.
func (a *Answers) Check(key string, b *lesson.Block, value float64) {
	e := a.Exercise(key, b)
	if e == nil || a.Drills[key].Over() {
		return
	}
	old := a.app.History.Present()
	d := a.Drills[key]
	d.Tried, d.Last = true, value
	a.Drills[key] = d
	a.judge(key, e, e.Check(value))
	a.app.History.Keep(old, "")
	a.app.View.Draw()
}

// judge notes what is said of an answer.
func (a *Answers) judge(key string, e *lesson.Exercise, v lesson.Verdict) {
	d := a.Drills[key]
	d.Said, d.Right = e.Says(v), v.Right
	switch {
	case v.Right:
		d.Correct++
	case e.Order != nil, v.Mistake == "":
		d.Missed++
	}
	if d.Missed > 1+min(1, len(e.Order)) { // an order gets one try more
		d.Solved = true
		if e.Order == nil { // instead of the hint
			d.Said = "Not yet."
		}
		d.Said += " " + e.Solution() + " Try another one."
	}
	a.Drills[key] = d
	if a.finished() {
		a.Done[a.lessons.Name] = true
	}
	a.store()
}

// Order is how the documents of an exercise stand that asks for an order.
func (a *Answers) Order(key string, b *lesson.Block) []int {
	d := a.Drills[key]
	if e := a.Exercise(key, b); len(d.Order) != len(e.Order) {
		d.Order = nil
		for i := range e.Order {
			d.Order = append(d.Order, i)
		}
		a.Drills[key] = d
	}
	return d.Order
}

// MoveOrder moves one of them, SubmitOrder checks them.
func (a *Answers) MoveOrder(key string, b *lesson.Block, from, to int) {
	old := a.app.History.Present()
	d := a.Drills[key]
	d.Order = slices.Clone(a.Order(key, b))
	moved(d.Order, from, to)
	a.Drills[key] = d
	a.app.History.Keep(old, "order "+key)
	a.app.View.Draw()
}

// SubmitOrder checks the order.
func (a *Answers) SubmitOrder(key string, b *lesson.Block) {
	if a.Drills[key].Over() {
		return
	}
	old := a.app.History.Present()
	e := a.Exercise(key, b)
	a.judge(key, e, e.CheckOrder(a.Order(key, b)))
	a.app.History.Keep(old, "")
	a.app.View.Draw()
}

// Submit checks what was typed.
func (a *Answers) Submit(key string, b *lesson.Block) {
	v, ok := lesson.ReadAnswer(a.Drills[key].Typed)
	if !ok {
		d := a.Drills[key]
		d.Said = "That isn't a number. Write 0.75 or 3/4."
		a.Drills[key] = d
		a.app.View.Draw()
		return
	}
	a.Check(key, b, v)
}

// finished says whether every exercise of the open lesson was answered rightly at least once.
func (a *Answers) finished() bool {
	x := a.lessons.Current()
	if x == nil {
		return false
	}
	for i, step := range x.Steps {
		for j, b := range step {
			if b.Kind == lesson.Drill && a.Drills[a.lessons.Key(i, j)].Correct == 0 {
				return false
			}
		}
	}
	return true
}

// Another makes another exercise of a block.
func (a *Answers) Another(key string) {
	d := a.Drills[key]
	a.renew(key, Drill{Number: d.Number + 1, Level: d.Level, Correct: d.Correct})
}

// renew puts a fresh exercise in the place of one.
func (a *Answers) renew(key string, d Drill) {
	old := a.app.History.Present()
	a.Drills[key] = d
	a.app.History.Keep(old, "")
	a.store()
	a.app.View.Draw()
}
