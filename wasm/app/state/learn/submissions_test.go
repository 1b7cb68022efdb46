package learn

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/class"
)

// A teacher puts a class together; files and codes come into the book; the page that was opened without a class takes
// that of the files.
func TestATeacherReadsWhatIsHandedIn(t *testing.T) {
	l, r := room(t, "", nil)
	r.Library[0](wire.Marshal(lessons()), "")
	c := l.Class
	c.Lesson("one", true)
	c.Change(func(of *class.Class) { of.Title, of.Seed = " IR ", "9" })
	c.Until("2026-11-30T18:00")
	c.Level(0, 3)
	c.Drop(1)
	if got := c.Link(); !strings.HasPrefix(got,
		"https://example.org/learn/class#lesson=class1&t=IR&l=one&e=ap.3&s=9&u=") ||
		c.Deadline() != "2026-11-30T18:00" {
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
	l.App.Receive(message.Reply{ID: r.Last(t, message.Papers).ID, Kind: message.Papers,
		Answer: &message.PapersRead{List: []message.Paper{
			{Name: "a.txt", Text: of.File(result("a"))}, {Name: "b.txt", Text: "nothing"}}}})
	l.Class.Submissions.Paste(of.Code(result("c")))
	l.Class.Submissions.Paste(of.Code(result("c"))) // the same once more
	if b := l.Class.Submissions.Book; b == nil || b.Counted != 2 || len(b.Rows) != 3 || b.Spread[1] != 2 {
		t.Fatalf("%+v", b)
	}
	l.Class.Submissions.Save()
	if len(r.Saved) != 1 || !strings.HasSuffix(r.Saved[0], ".csv") {
		t.Errorf("%q", r.Saved)
	}
	l.Class.Submissions.Empty()
	if l.Class.Submissions.Book != nil {
		t.Error("still there")
	}
}
