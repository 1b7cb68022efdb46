package learn

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/lesson/class"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

const link = "lesson=class1&t=IR&l=one&e=ap.1~recall.2~order.1&s=7"

func room(t *testing.T, fragment string, device map[string]string) (*Learn, *statetest.Recorder) {
	t.Helper()
	l, r := start(t, "/learn/class", "one", device)
	if fragment != "" {
		l.App.Moved("/learn/class", "#"+fragment, 1)
	}
	l.Class.Now = func() class.Minute { return class.MinuteOf(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)) }
	return l, r
}

// A student answers: three tries, after which the exercise is over; the device keeps them; the file and the code are read back as they were.
func TestAStudentAnswersAndHandsIn(t *testing.T) {
	l, r := room(t, link, nil)
	c := l.Class
	if c.Of == nil || c.Teaching || c.Ready() || l.Name != Classroom {
		t.Fatalf("%+v", c)
	}
	c.Who("  Zoë ")
	c.Answer(0, lesson.Entry(c.Exercise(0).Answer))
	if !strings.HasPrefix(c.Said[0], "Right: ") || !c.Over(0) {
		t.Errorf("%q", c.Said[0])
	}
	c.Answer(0, 1)   // it is over
	c.Who("another") // too late
	for _, typed := range []string{"x", "17", "18", "19", "20"} {
		c.Typed[1] = typed
		c.Submit(1)
	}
	if !c.Over(1) || !strings.Contains(c.Said[1], " It is ") || len(c.Answers[1]) != class.Tries {
		t.Errorf("%v, %q", c.Answers, c.Said[1])
	}
	c.Move(2, 0, 1)
	if o := c.Order(2); o[0] != 1 || o[1] != 0 {
		t.Errorf("order %v", o)
	}
	c.Submit(2)
	l2, _ := room(t, link, r.Kept)
	if l2.Class.Student != "Zoë" || !slices.EqualFunc(l2.Class.Answers, c.Answers, slices.Equal) || l2.Class.Said[1] != c.Said[1] {
		t.Errorf("the device kept %q, %v", l2.Class.Student, l2.Class.Answers)
	}
	c.Save()
	if !slices.Equal(r.Saved, []string{"rankbox-" + c.Of.ID() + "-Zo-.txt"}) {
		t.Errorf("saved %q", r.Saved)
	}
	for _, text := range []string{c.File, "Zoë " + c.Code} {
		b := c.Of.Collect(class.Papers("a", text))
		if b.Counted != 1 || !b.Rows[0].End[0] || b.Rows[0].End[1] || b.Rows[0].Result.Student != "Zoë" {
			t.Errorf("%+v", b.Rows[0])
		}
	}
	l2.Forget()
	if l2.Remembers() {
		t.Error("still there")
	}
	if l3, _ := room(t, link, r.Kept); l3.Class.Student != "" {
		t.Error("what was deleted is back")
	}
}

// A teacher puts a class together; files and codes come into the book; the page that was opened without a class takes that of the files.
func TestATeacherReadsWhatIsHandedIn(t *testing.T) {
	l, r := room(t, "", nil)
	r.Library[0](wire.Marshal(lessons()), "")
	c := l.Class
	c.Lesson("one", true)
	c.Change(func(of *class.Class) { of.Title, of.Seed = " IR ", "9" })
	c.Until("2026-11-30T18:00")
	c.Level(0, 3)
	c.Drop(1)
	if got := c.Link(); !strings.HasPrefix(got, "https://example.org/learn/class#lesson=class1&t=IR&l=one&e=ap.3&s=9&u=") || c.Deadline() != "2026-11-30T18:00" {
		t.Errorf("%s, %s", got, c.Deadline())
	}
	if at := r.Addresses[len(r.Addresses)-1]; !strings.HasPrefix(at, "/learn/class#lesson=teach1&t=IR") {
		t.Errorf("address %s", at)
	}
	c.Until("soon")
	if c.Fault == "" {
		t.Error("soon is no time")
	}
	c.Lesson("one", false)
	c.Lesson("two", true)
	if len(c.Of.Items) != 2 || !slices.Equal(c.Of.Lessons, []string{"two"}) {
		t.Errorf("%+v", c.Of)
	}

	of, err := class.Decode(link)
	if err != nil {
		t.Fatal(err)
	}
	result := func(name string) *class.Result {
		return &class.Result{Student: name, Answers: [][]int{{lesson.Entry(of.Exercise(name, 0).Answer)}, nil, nil}}
	}
	l, r = room(t, "", nil)
	if !l.TakesFiles() {
		t.Error("files are not for the teacher")
	}
	l.App.AddFiles([]message.File{{ID: 1, Name: "a.txt"}})
	l.App.Receive(message.Reply{ID: r.Last(t, message.Papers).ID, Kind: message.Papers, Answer: &message.PapersRead{List: []message.Paper{{Name: "a.txt", Text: of.File(result("a"))}, {Name: "b.txt", Text: "nothing"}}}})
	l.Class.Paste(of.Code(result("c")))
	l.Class.Paste(of.Code(result("c"))) // the same once more
	if b := l.Class.Book; b == nil || b.Counted != 2 || len(b.Rows) != 3 || b.Spread[1] != 2 {
		t.Fatalf("%+v", b)
	}
	l.Class.SaveBook()
	if len(r.Saved) != 1 || !strings.HasSuffix(r.Saved[0], ".csv") {
		t.Errorf("%q", r.Saved)
	}
	l.Class.Empty()
	if l.Class.Book != nil {
		t.Error("still there")
	}
}

func TestALinkOfAClassThatWasCutIsSaidSo(t *testing.T) {
	l, _ := room(t, "lesson=class1&t=IR&l=on", nil)
	if l.App.Notices.Problem == nil || !strings.Contains(l.App.Notices.Problem.What, "class") || l.Class.Of != nil {
		t.Errorf("%+v", l.App.Notices.Problem)
	}
}

// Files that are dropped beside a lesson: a remix opens, runs go on to Compare.
func TestFilesBesideALesson(t *testing.T) {
	r := &statetest.Recorder{}
	var l *Learn
	other := &taker{}
	a := state.New(r, func(string) string { return "/" }, "/learn/one", state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "learn", Make: func(a *state.App) state.Screen {
			l = New(a)
			return l
		}}, state.Part{Name: "compare", Make: func(*state.App) state.Screen { return other }})
	a.Lessons = heads("one")
	a.Begin("/learn/one", "")
	give := func(text string) {
		a.AddFiles([]message.File{{ID: 1, Name: "a"}})
		a.Receive(message.Reply{ID: r.Last(t, message.Papers).ID, Kind: message.Papers, Answer: &message.PapersRead{List: []message.Paper{{Name: "a", Text: text}}}})
	}
	give("q Q0 d 1 1 run")
	if len(other.got) != 1 || l.Remixed != nil {
		t.Errorf("%v", other.got)
	}
	give("Rankbox lesson\n" + lesson.Remixed + "of=one&in=en&steps=24\n")
	if l.Remixed == nil || len(other.got) != 1 || len(l.Lesson().Steps[0]) != 0 || len(l.Lesson().Steps[1]) == 0 {
		t.Errorf("%+v", l.Remixed)
	}
}

// taker is a screen that takes every file.
type taker struct {
	got []message.File
}

func (*taker) ID() share.Screen                { return "compare" }
func (*taker) TakesFiles() bool                { return true }
func (x *taker) AddFiles(files []message.File) { x.got = append(x.got, files...) }
