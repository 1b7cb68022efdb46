package learn

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/class"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Classroom is where a class is given and taken: no lesson has this name.
const Classroom = "class"

// teaches begins the link of a class as the teacher's page has it.
const teaches = "lesson=teach1&"

// keptClass begins the keys under which the device remembers what was answered in a class.
const keptClass = "rankbox-class-"

// Class is the class mode: a student's answers, or the teacher's book.
type Class struct {
	app     *state.App
	lessons *Lessons
	answers *Answers
	Now     func() class.Minute

	Of       *class.Class // nil where there is none yet
	Teaching bool
	Fault    string // what is wrong with what was typed

	Student string
	Answers [][]int
	Typed   map[int]string
	Orders  map[int][]int // of exercises that ask for one, as it stands
	Said    map[int]string
	Code    string // once it was finished, with the file
	File    string
	done    *class.Result

	Levels      int // of the exercises that are added, 0 for those of the lesson
	Submissions Submissions
}

func newClass(app *state.App, lessons *Lessons, answers *Answers) *Class {
	c := &Class{app: app, lessons: lessons, answers: answers, Now: func() class.Minute {
		return class.MinuteOf(time.Now())
	}}
	c.Submissions = Submissions{app: app, of: func() *class.Class { return c.Of },
		adopt: func(of *class.Class) { c.Of = of }}
	c.leave()
	return c
}

// leave forgets what is on the screen.
func (c *Class) leave() {
	c.Of, c.Teaching, c.Fault, c.Student, c.Answers, c.Code, c.File, c.done = nil, true, "", "", nil, "", "", nil
	c.Typed, c.Orders, c.Said = map[int]string{}, map[int][]int{}, map[int]string{}
}

// open opens a class for a student, or for the teacher.
func (c *Class) open(link string) error {
	rest, teaching := strings.CutPrefix(link, teaches)
	if teaching {
		link = class.Prefix + rest
	}
	of, err := class.Decode(link)
	if err != nil {
		return err
	}
	if c.Of != nil && c.Teaching == teaching && c.Of.Link() == of.Link() {
		return nil
	}
	c.leave()
	c.Of, c.Teaching = of, teaching
	if teaching {
		c.Submissions.collect()
	} else {
		c.recall()
	}
	return nil
}

// fragment is the class in the address.
func (c *Class) fragment() string {
	switch {
	case c.Of == nil || len(c.Of.Items) == 0:
		return ""
	case c.Teaching:
		return teaches + strings.TrimPrefix(c.Of.Link(), class.Prefix)
	}
	return c.Of.Link()
}

// Link is what the teacher gives to students, "" while there is no exercise in it.
func (c *Class) Link() string {
	if c.Of == nil || len(c.Of.Items) == 0 {
		return ""
	}
	return c.app.Browser.Origin() + PathOf(Classroom) + "#" + c.Of.Link()
}

// Change changes the class that the teacher puts together; it is then another one.
func (c *Class) Change(f func(*class.Class)) {
	of := class.Class{Seed: "1"}
	if c.Of != nil {
		of = *c.Of
		of.Items, of.Lessons = slices.Clone(of.Items), slices.Clone(of.Lessons)
	}
	f(&of)
	if of.Title, of.Seed = class.Clean(of.Title), class.Clean(of.Seed); len(of.Items) > class.MaxItems {
		c.Fault = "A class has at most " + strconv.Itoa(class.MaxItems) + " exercises."
		c.app.View.Draw()
		return
	}
	c.Of, c.Teaching, c.Fault = &of, true, ""
	c.Submissions.collect()
	c.app.Location.Write(false)
	c.app.View.Draw()
}

// Lesson puts a lesson and its exercises into the class, or takes it out.
func (c *Class) Lesson(name string, in bool) {
	c.Change(func(of *class.Class) {
		was := slices.Contains(of.Lessons, name)
		if was == in {
			return
		}
		if !in {
			of.Lessons = slices.DeleteFunc(of.Lessons, func(l string) bool { return l == name })
			for _, i := range c.drills(name) {
				// of whichever level
				if at := slices.IndexFunc(of.Items, func(x class.Item) bool {
					return x.Generator == i.Generator
				}); at >= 0 {
					of.Items = slices.Delete(of.Items, at, at+1)
				}
			}
			return
		}
		of.Lessons = append(of.Lessons, name)
		of.Items = append(of.Items, c.drills(name)...)
	})
}

// drills are the exercises of a lesson.
func (c *Class) drills(name string) []class.Item {
	var out []class.Item
	s := c.lessons.Set()
	if s == nil {
		return nil
	}
	l := s.Find(name)
	if l == nil {
		return nil
	}
	for _, step := range l.Steps {
		for _, b := range step {
			if b.Kind == lesson.Drill {
				out = append(out, class.Item{Generator: b.Name, Level: b.Level})
			}
		}
	}
	return out
}

// Drop takes an exercise out of the class.
func (c *Class) Drop(i int) {
	c.Change(func(of *class.Class) {
		if i < len(of.Items) {
			of.Items = slices.Delete(of.Items, i, i+1)
		}
	})
}

// Level makes an exercise harder or easier.
func (c *Class) Level(i, level int) {
	c.Change(func(of *class.Class) {
		if i < len(of.Items) && level >= 1 && level <= lesson.Levels {
			of.Items[i].Level = level
		}
	})
}

// Until sets the deadline, by the teacher's clock; "" for none.
func (c *Class) Until(text string) {
	until := class.Minute(0)
	if text != "" {
		var ok bool
		if until, ok = class.ReadMinute(text); !ok {
			c.Fault = "That isn't a time. Write it like 2026-11-30T18:00."
			c.app.View.Draw()
			return
		}
	}
	c.Change(func(of *class.Class) { of.Until = until })
}

// Deadline is it as the form writes it.
func (c *Class) Deadline() string {
	if c.Of == nil || c.Of.Until == 0 {
		return ""
	}
	return c.Of.Until.Local()
}

// Late says whether the deadline is over.
func (c *Class) Late() bool { return c.Of != nil && c.Of.Until > 0 && c.Now() > c.Of.Until }

// Who sets the name of the student, before the first answer.
func (c *Class) Who(name string) {
	if name = class.Clean(name); name == c.Student || c.Begun() {
		return
	}
	c.Student = name
	c.Answers = make([][]int, len(c.Of.Items))
	c.Orders = map[int][]int{}
	c.store()
	c.app.View.Draw()
}

// Begun says whether anything was answered.
func (c *Class) Begun() bool {
	return slices.ContainsFunc(c.Answers, func(a []int) bool { return len(a) > 0 })
}

// Ready says whether the exercises are there: they are made of the name.
func (c *Class) Ready() bool { return c.Of != nil && !c.Teaching && c.Student != "" }

// Exercise is the one of an item.
func (c *Class) Exercise(i int) *lesson.Exercise { return c.Of.Exercise(c.Student, i) }

// Order is how the documents of an item stand.
func (c *Class) Order(i int) []int {
	if c.Orders[i] == nil {
		for j := range c.Exercise(i).Order {
			c.Orders[i] = append(c.Orders[i], j)
		}
	}
	return c.Orders[i]
}

// Move moves a document of an item.
func (c *Class) Move(i, from, to int) {
	if c.Over(i) {
		return
	}
	moved(c.Order(i), from, to)
	c.app.View.Draw()
}

// moved takes what stands at from to the place to.
func moved(list []int, from, to int) {
	if from < 0 || from >= len(list) || to < 0 || to >= len(list) {
		return
	}
	x := list[from]
	copy(list[from:], list[from+1:])
	copy(list[to+1:], list[to:len(list)-1])
	list[to] = x
}

// Over says that an item takes no answer any more: it was right, or was tried as often as it may be.
func (c *Class) Over(i int) bool {
	if i >= len(c.Answers) {
		return true
	}
	a := c.Answers[i]
	return len(a) >= class.Tries || len(a) > 0 && c.Exercise(i).CheckEntry(a[len(a)-1]).Right
}

// Submit takes what was typed, or the order, as the answer of an item.
func (c *Class) Submit(i int) {
	e := c.Exercise(i)
	if e.Order != nil {
		c.Answer(i, lesson.OrderNumber(c.Order(i)))
		return
	}
	v, ok := lesson.ReadAnswer(c.Typed[i])
	if !ok || v > 1e6 || v < -1e6 {
		c.Said[i] = "That isn't a number. Write 0.75 or 3/4."
		c.app.View.Draw()
		return
	}
	c.Answer(i, lesson.Entry(v))
}

// Answer takes an answer.
func (c *Class) Answer(i, entry int) {
	if !c.Ready() || c.Over(i) {
		return
	}
	c.Answers[i] = append(c.Answers[i], entry)
	c.Said[i] = c.says(i)
	c.Code, c.File, c.done = "", "", nil
	c.store()
	c.app.View.Draw()
}

// says is the answer to the last try of an item.
func (c *Class) says(i int) string {
	if i >= len(c.Answers) || len(c.Answers[i]) == 0 {
		return ""
	}
	e, a := c.Exercise(i), c.Answers[i]
	v := e.CheckEntry(a[len(a)-1])
	s := e.Says(v)
	if left := class.Tries - len(a); !v.Right && left > 0 {
		return s + " " + strconv.Itoa(left) + " more to go."
	}
	if v.Right {
		return s
	}
	if v.Mistake == "" { // a hint is of no use any more
		s = "Not right."
	}
	return s + " " + e.Solution()
}

// Finish makes the file and the code.
func (c *Class) Finish() {
	if !c.Ready() {
		return
	}
	if c.done == nil {
		c.done = &class.Result{Student: c.Student, Finished: c.Now(), Answers: c.Answers}
	}
	c.Code, c.File = c.Of.Code(c.done), c.Of.File(c.done)
	c.app.View.Draw()
}

// Save lets the student save the file.
func (c *Class) Save() {
	c.Finish()
	if c.done != nil {
		c.app.Browser.Save(c.Of.FileName(c.done), "text/plain; charset=utf-8", []byte(c.File))
	}
}

// store has the device remember the answers.
func (c *Class) store() {
	var b strings.Builder
	b.WriteString(c.Student + "\n")
	for _, a := range c.Answers {
		for j, n := range a {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(n))
		}
		b.WriteByte('\n')
	}
	c.app.Browser.Remember(keptClass+c.Of.ID(), b.String())
	if !slices.Contains(c.answers.classes, c.Of.ID()) {
		c.answers.classes = append(c.answers.classes, c.Of.ID())
		c.answers.store()
	}
}

// recall takes back what the device remembers; what it does not understand is as if it were not there.
func (c *Class) recall() {
	c.Answers = make([][]int, len(c.Of.Items))
	lines := strings.Split(c.app.Browser.Recall(keptClass+c.Of.ID()), "\n")
	c.Student = class.Clean(lines[0])
	for i, line := range lines[1:] {
		if i >= len(c.Answers) {
			break
		}
		for _, f := range strings.Fields(line) {
			if n, err := strconv.Atoi(f); err == nil && len(c.Answers[i]) < class.Tries {
				c.Answers[i] = append(c.Answers[i], n)
			}
		}
		if c.Student != "" {
			c.Said[i] = c.says(i)
		}
	}
}

// problem is a link that cannot be read.
func problem(app *state.App, err error) {
	what := say.Sentence(err)
	app.Notices.Problem = &message.Problem{What: strings.ToUpper(what[:1]) + what[1:],
		Where: "the part of the address after #", Do: "Ask for the link again: it may have been cut where it was sent."}
}
