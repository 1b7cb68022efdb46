package learn

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/class"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// open is a page of the lessons with an address, on a device that remembers something.
func open(path, fragment string, device map[string]string) (*Learn, *statetest.Recorder) {
	r := &statetest.Recorder{Kept: device}
	var l *Learn
	a := state.New(r, func(string) string { return "/" }, path, state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "learn", Make: func(a *state.App) state.Screen { l = New(a); return l }})
	a.Lessons = heads("one")
	a.Begin(path, fragment)
	return l, r
}

// FuzzReadLink: the link of a class, a teacher's class, a capstone, a remixed lesson or a step is opened, or what is
// wrong with it is said; the address that is written then opens the same.
func FuzzReadLink(f *testing.F) {
	c := &class.Class{Title: "Search", Seed: "7", Lessons: []string{"one"},
		Items: []class.Item{{Generator: "ap", Level: 1}}}
	f.Add(c.Link())
	f.Add(teaches + strings.TrimPrefix(c.Link(), class.Prefix))
	f.Add("lesson=class1&t=IR&l=ap&e=ap.1&s=1")
	f.Add(capstones + "amber")
	f.Add(capstones + "%20")
	f.Add(steps + "3")
	f.Add(lesson.Remixed + "of=one&l=en&t=Mine")
	for _, of := range []lesson.Remix{{Of: "one", Title: "Mine"}, {Of: "two"}} {
		f.Add(of.Link())
	}
	f.Fuzz(func(t *testing.T, fragment string) {
		var l *Learn
		statetest.Costs(t, len(fragment), func() {
			l, _ = open("/learn/one", fragment, nil)
			l.Lessons.Current()
		})
		if p := l.App.Notices.Problem; p != nil && (p.What == "" || p.Do == "") {
			t.Fatalf("%q: %+v", fragment, p)
		}
		wrote, _ := l.Fragment()
		m, _ := open(l.Path(), wrote, nil)
		if again, _ := m.Fragment(); m.App.Notices.Problem != nil || m.Lessons.Name != l.Lessons.Name ||
			again != wrote {
			t.Fatalf("%q is %s, written as %q, which is %s, written as %q (%v)",
				fragment, l.Lessons.Name, wrote, m.Lessons.Name, again, m.App.Notices.Problem)
		}
		if of, again := l.Class.Of, m.Class.Of; wrote != "" && l.Lessons.Name == Classroom &&
			(of.Link() != again.Link() || l.Class.Teaching != m.Class.Teaching) {
			t.Fatalf("%q: %q became %q", fragment, of.Link(), again.Link())
		}
	})
}

// FuzzRecall: whatever the device remembers (storage that a visitor, another tab or an earlier version wrote) is taken
// or passed over; what is taken is within what can be answered, and is remembered as the same.
func FuzzRecall(f *testing.F) {
	of := &class.Class{Title: "Search", Seed: "7",
		Items: []class.Item{{Generator: "ap", Level: 1}, {Generator: "recall", Level: 2}}}
	link := of.Link()
	f.Add("who\tAda\npick\tone.0\t1\ndrill\tap\t3\t2\t1\ndone\tone.2\njudged\tone\t3\t0\t-1\nclass\tx\n",
		"Ada\n1 2\n0\n")
	f.Add("drill\tap\t-1\t2\npick\tx\t9223372036854775807\ncapstone\tamber\t0\t1\t2\t0\t1\t\"\\n\"\t\"\"\t\"\"\ttrue",
		"Ada\n-5 999999999\n")
	f.Add("capstone\n\t\n", "\n\n\n1")
	f.Fuzz(func(t *testing.T, lessons, answers string) {
		device := map[string]string{kept: lessons, keptClass + of.ID(): answers}
		var l *Learn
		statetest.Costs(t, len(lessons)+len(answers), func() {
			l, _ = open("/learn", link, device)
			l.Lessons.Current()
		})
		if l.Class.Of == nil {
			t.Fatal("the class is not open")
		}
		for i, a := range l.Class.Answers {
			if len(a) > class.Tries {
				t.Fatalf("%d answers to exercise %d", len(a), i)
			}
			l.Class.Order(i)
			l.Class.Over(i)
		}
		for k, d := range l.Answers.Drills {
			if d.Number < 0 || d.Correct < 0 || d.Level < 0 || d.Level > lesson.Levels {
				t.Fatalf("%s: %+v", k, d)
			}
		}
		for k, j := range l.Answers.Judgments {
			if slices.ContainsFunc(j, func(g int) bool { return g < -1 || g > 3 }) {
				t.Fatalf("%s: %v", k, j)
			}
		}
		l.Answers.store()
		stored := device[kept]
		m, _ := open("/learn", "", map[string]string{kept: stored})
		m.Answers.store()
		if again := m.App.Browser.Recall(kept); again != stored && strings.TrimSpace(stored) != "" {
			t.Fatalf("%q is remembered as %q, then as %q", lessons, stored, again)
		}
		if l.Class.Student == "" {
			return
		}
		l.Class.store()
		n, _ := open("/learn", link, device)
		if n.Class.Student != l.Class.Student ||
			!slices.EqualFunc(n.Class.Answers, l.Class.Answers, slices.Equal[[]int]) {
			t.Fatalf("%q: %v became %v", answers, l.Class.Answers, n.Class.Answers)
		}
	})
}
