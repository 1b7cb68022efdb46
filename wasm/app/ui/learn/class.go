package learn

import (
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/qr"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/class"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Class is a class without a server: a student's exercises, or what a teacher sees.
type Class struct {
	Learn *screen.Learn
}

// C is the class mode.
func (c *Class) C() *screen.Class { return c.Learn.Class }

// Live says that the page reacts.
func (c *Class) Live() bool { return c.Learn.App.Engine.Phase != state.Loading }

// Student says that a student's exercises are open.
func (c *Class) Student() bool { return c.C().Of != nil && !c.C().Teaching }

// Title is above the page.
func (c *Class) Title() string {
	of := c.C().Of
	switch {
	case of == nil || of.Title == "":
		return "A class"
	}
	return say.Visible(of.Title)
}

// About says what the class is.
func (c *Class) About() string {
	of := c.C().Of
	if of == nil {
		return ""
	}
	s := "Class " + of.ID() + " · " + say.Count(len(of.Items), "exercise", "exercises")
	if of.Until > 0 {
		s += " · until " + of.Until.Words()
		if c.C().Late() && !c.C().Teaching {
			s += ", which is over; what is handed in is marked as late"
		}
	}
	return s
}

// Items are the exercises.
func (c *Class) Items() []class.Item {
	if c.C().Of == nil {
		return nil
	}
	return c.C().Of.Items
}

// ItemTitle names one of them.
func ItemTitle(n int, i class.Item) string {
	return strconv.Itoa(n+1) + " · " + i.Title() + ", level " + strconv.Itoa(i.Level)
}

// Heads are the lessons in English: those of the class for a student, all for the teacher.
func (c *Class) Heads() []lesson.Head {
	s := c.Learn.Lessons.Set()
	if s == nil {
		return nil
	}
	var out []lesson.Head
	for _, l := range s.Lessons {
		if !c.Student() || slices.Contains(c.C().Of.Lessons, l.Name) {
			out = append(out, l.Head)
		}
	}
	return out
}

// Chosen says whether a lesson is in the class.
func (c *Class) Chosen(name string) bool {
	return c.C().Of != nil && slices.Contains(c.C().Of.Lessons, name)
}

// Whole says whether the exercises of the lessons are known.
func (c *Class) Whole() bool {
	s := c.Learn.Lessons.Set()
	return s != nil && len(s.Lessons) > 0 && !slices.ContainsFunc(s.Lessons, func(l lesson.Lesson) bool {
		return len(l.Steps) == 0
	})
}

// Choose puts a lesson into the class or takes it out.
func (c *Class) Choose(event vugu.DOMEvent, name string) {
	c.C().Lesson(name, event.PropBool("target", "checked"))
}

func target(event vugu.DOMEvent) string { return event.PropString("target", "value") }

// Name, Seed, Until, Level and Who take what is typed and chosen.
func (c *Class) Name(event vugu.DOMEvent) {
	c.C().Change(func(of *class.Class) { of.Title = target(event) })
}

// Seed takes what exercises are drawn from.
func (c *Class) Seed(event vugu.DOMEvent) {
	c.C().Change(func(of *class.Class) { of.Seed = target(event) })
}

// Until takes the deadline.
func (c *Class) Until(event vugu.DOMEvent) { c.C().Until(target(event)) }

// Level takes how hard an exercise is.
func (c *Class) Level(event vugu.DOMEvent, i int) {
	if n, err := strconv.Atoi(target(event)); err == nil {
		c.C().Level(i, n)
	}
}

// Who takes the student's name.
func (c *Class) Who(event vugu.DOMEvent) { c.C().Who(target(event)) }

// Typed is what is typed into fields of the teacher: the title, the seed.
func (c *Class) Typed(seed bool) string {
	switch of := c.C().Of; {
	case of == nil && seed:
		return "1"
	case of == nil:
		return ""
	case seed:
		return of.Seed
	default:
		return of.Title
	}
}

// drawn is a link as a QR code: the box of its drawing, and the path; "" where it is too long for one.
func drawn(link string) (box, path string) {
	q, err := qr.Encode(link)
	if err != nil {
		return "0 0 1 1", ""
	}
	n := strconv.Itoa(q.Size + 8)
	return "0 0 " + n + " " + n, q.Path()
}

// CodeBox is the box of a link's QR code, CodePath its dark modules.
func CodeBox(link string) string { box, _ := drawn(link); return box }

// CodePath draws the dark modules.
func CodePath(link string) string { _, path := drawn(link); return path }

// E is the exercise of an item.
func (c *Class) E(i int) *lesson.Exercise { return c.C().Exercise(i) }

// Typing takes an answer as it is typed.
func (c *Class) Typing(event vugu.DOMEvent, i int) { c.C().Typed[i] = target(event) }

// Submit takes it.
func (c *Class) Submit(event vugu.DOMEvent, i int) {
	event.PreventDefault()
	c.C().Submit(i)
}

// Choosing says that the answer of an item is chosen among options.
func (c *Class) Choosing(i int) bool { return c.E(i).Order == nil && c.Items()[i].Level == 1 }

// Writing says that it is typed.
func (c *Class) Writing(i int) bool { return c.E(i).Order == nil && c.Items()[i].Level > 1 }

// Left says how far the student is.
func (c *Class) Left() string {
	n := 0
	for i := range c.Items() {
		if c.C().Over(i) {
			n++
		}
	}
	return strconv.Itoa(n) + " of " + say.Count(len(c.Items()), "exercise", "exercises") +
		" done. You can hand in at any time; what is not answered counts as not right."
}

// Pasting takes what is typed into the field for codes.
func (c *Class) Pasting(event vugu.DOMEvent) { c.C().Submissions.Pasted = target(event) }

// Paste reads it.
func (c *Class) Paste(event vugu.DOMEvent) {
	event.PreventDefault()
	c.C().Submissions.Paste(c.C().Submissions.Pasted)
}

// B is what was handed in, nil for nothing.
func (c *Class) B() *class.Book { return c.C().Submissions.Book }

// Finding is the first thing said of it.
func (c *Class) Finding() string {
	b := c.B()
	s := say.Count(b.Counted, "result counts", "results count")
	if n := len(b.Rows) - b.Counted; n > 0 {
		s += ", " + strconv.Itoa(n) + " of " + say.Count(len(b.Rows), "paper", "papers") + " " + say.Verb(n, "does",
			"do") + " not"
	}
	times, where := 0, ""
	for i, x := range b.Items {
		for _, m := range x.Mistakes {
			if m.Times > times && m.Name != "another wrong answer" {
				times, where = m.Times, "exercise "+strconv.Itoa(i+1)+", by "+say.Count(m.Times, "student", "students")+
					": they have "+m.Name
			}
		}
	}
	if where != "" {
		s += ". The mistake made most is in " + where
	}
	return s + "."
}

// Wide is the length of a bar, of 300.
func Wide(n, most int) string {
	return strconv.FormatFloat(300*float64(n)/float64(max(1, most)), 'f', 1, 64)
}

// Mistakes are those of an exercise in words.
func Mistakes(s class.Summary) []string {
	var out []string
	for i, m := range s.Mistakes {
		if i == 3 {
			break
		}
		out = append(out, strconv.Itoa(m.Times)+" × "+m.Name)
	}
	return out
}

// Who names the row of a paper.
func Who(r class.Row) string {
	if r.Result != nil && r.Result.Student != "" {
		return say.Visible(r.Result.Student)
	}
	return say.Visible(r.File)
}

// Got is what it is worth.
func Got(r class.Row) string {
	if r.Status == class.Good {
		return strconv.Itoa(r.Points())
	}
	return "–"
}

// Says is what is said of it.
func Says(r class.Row) string {
	s := string(r.Status)
	if r.Late {
		s += ", late"
	}
	if r.Why != "" && r.Why != s {
		s = say.Visible(r.Why)
	}
	return s
}

// Mark is what became of an exercise: right at once, at a later try, wrong, not answered.
func Mark(r class.Row, i int) string {
	switch {
	case r.Status != class.Good:
		return ""
	case r.First[i]:
		return "✓"
	case r.End[i]:
		return strconv.Itoa(len(r.Result.Answers[i])) + "."
	case len(r.Result.Answers[i]) == 0:
		return "–"
	}
	return "✗"
}

// RowClass marks papers that do not count.
func RowClass(r class.Row) string {
	if r.Status != class.Good {
		return "muted"
	}
	return ""
}

// Order is a list that is put in order: handles and keys move its documents.
type Order struct {
	ID       string
	Exercise *lesson.Exercise
	Places   []int
	Move     func(from, to int)
	Off      bool
}

// Drag takes a document to another place.
func (c *Order) Drag(event vugu.DOMEvent) {
	c.Move(int(event.PropFloat64("detail", "from")), int(event.PropFloat64("detail", "to")))
}

// Press moves it by keys.
func (c *Order) Press(event vugu.DOMEvent, at int) {
	by := ui.Upwards(event)
	if by == 0 || !event.PropBool("altKey") {
		return
	}
	event.PreventDefault()
	c.Move(at, at+by)
}

// Grade is that of the document at a place.
func (c *Order) Grade(p int) string { return strconv.Itoa(int(c.Exercise.Order[p])) }

// Class is its colour.
func (c *Order) Class(p int) string { return "grade g" + c.Grade(p) }

// Doc names the document.
func (c *Order) Doc(p int) string { return "document " + say.Letter(p) }

// Label names the handle.
func (c *Order) Label(at, p int) string {
	return "Rank " + strconv.Itoa(at+1) + ", document " + say.Letter(p) + ", grade " + c.Grade(p) +
		". Alt and arrow keys move it."
}
