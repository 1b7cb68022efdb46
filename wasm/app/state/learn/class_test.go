package learn

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/class"
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

// A student answers: three tries, after which the exercise is over; the device keeps them; the file and the code are
// read back as they were.
func TestAStudentAnswersAndHandsIn(t *testing.T) {
	l, r := room(t, link, nil)
	c := l.Class
	if c.Of == nil || c.Teaching || c.Ready() || l.Lessons.Name != Classroom {
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
	if l2.Class.Student != "Zoë" || !slices.EqualFunc(l2.Class.Answers, c.Answers, slices.Equal) ||
		l2.Class.Said[1] != c.Said[1] {
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
	l2.Answers.Forget()
	if l2.Answers.Remembers() {
		t.Error("still there")
	}
	if l3, _ := room(t, link, r.Kept); l3.Class.Student != "" {
		t.Error("what was deleted is back")
	}
}

func TestALinkOfAClassThatWasCutIsSaidSo(t *testing.T) {
	l, _ := room(t, "lesson=class1&t=IR&l=on", nil)
	if l.App.Notices.Problem == nil || !strings.Contains(l.App.Notices.Problem.What, "class") || l.Class.Of != nil {
		t.Errorf("%+v", l.App.Notices.Problem)
	}
}
