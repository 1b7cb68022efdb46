package learn

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/lesson/figure"
	"github.com/rankbox/rankbox/core/wire"
)

// AP of 1 0 1 is (1 + 2/3)/2; one step up makes it 1.
func TestAGoalIsReachedRememberedAndUndone(t *testing.T) {
	device := map[string]string{}
	b := &lesson.Block{Kind: lesson.Figure, Name: "area", Link: "play=1&d=1,0,1&a=0.1.2", Targets: []float64{1, 1}}
	l, _ := start(t, "/learn/one", "one", device)
	key := l.Key(1, 0)
	l.Move(key, b, figure.Move{Name: "up", To: 1}) // rank 1 has nothing above it
	f := l.Figure(key, b)
	if f.Moves != 0 || l.Reached[key] {
		t.Fatalf("moved: %+v", f)
	}
	l.Move(key, b, figure.Move{Name: "up", To: 3})
	if want := (figure.State{1, 0, 2, 1}); !slices.Equal(f.State, want) || !l.Reached[key] {
		t.Errorf("%v, reached %v", f.State, l.Reached)
	}
	if got := device["rankbox-learn"]; !strings.Contains(got, "reached\t"+key+"\n") {
		t.Errorf("the device remembers %q", got)
	}
	l.App.Undo()
	if f := l.Figure(key, b); !slices.Equal(f.State, f.Start()) {
		t.Errorf("undone: %v", f.State)
	}
	again, _ := start(t, "/learn/one", "one", device)
	if !again.Reached[key] {
		t.Error("forgotten")
	}
	again.Forget()
	if len(again.Reached) > 0 || device["rankbox-learn"] != "" {
		t.Errorf("not deleted: %v, %q", again.Reached, device["rankbox-learn"])
	}
	if l.Figure("x", &lesson.Block{Kind: lesson.Figure, Name: "area", Link: "play=1&d=1&a=0"}) != nil {
		t.Error("nonsense is a figure")
	}
}

// The slides of a lesson: a question, what needs a slide, articles two by two and their result, and what to remember.
func TestALessonIsCutIntoSlides(t *testing.T) {
	set := lessons()
	long := lesson.Block{Spans: []lesson.Span{{Text: strings.Repeat("word ", 150)}}}
	set.Lessons[0].Steps = [][]lesson.Block{
		{long, set.Lessons[0].Steps[0][0]},
		{{Kind: lesson.Judging, Rows: make([][]string, 3)}, {Kind: lesson.Figure}},
		{{}, {Kind: lesson.Table, Rows: make([][]string, 3)}, long},
		{{Kind: lesson.Drill, Name: "ap", Level: 1}},
		{{Kind: lesson.Link}},
	}
	l, _ := start(t, "/learn/one", "one", nil)
	l.fetched(wire.Marshal(set), "")
	l.App.View.Presenter = true
	var got []string
	for _, s := range l.Slides() {
		x := string(rune('1'+s.Step)) + ":"
		for _, j := range s.Blocks {
			x += string(rune('a' + j))
		}
		if s.To > 0 {
			x += string(rune('0'+s.From)) + string(rune('0'+s.To))
		}
		if s.End {
			x += "end"
		}
		got = append(got, x)
	}
	if want := []string{"1:a", "1:b", "2:a02", "2:a23", "2:a33", "2:b", "3:ab", "3:c", "4:a", "5:a",
		"5:end"}; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	// the question is revealed before it is left
	l.Turn(1)
	k := l.Question()
	if k == "" || l.At() != 1 {
		t.Fatalf("at %d, question %q", l.At(), k)
	}
	l.Turn(1)
	if l.At() != 1 || !l.Revealed[k] {
		t.Errorf("at %d, revealed %v", l.At(), l.Revealed)
	}
	for range 20 {
		l.Turn(1)
	}
	if l.At() != 10 {
		t.Errorf("the last slide is %d", l.At())
	}
	if f, _ := l.Fragment(); f != "#step-5.2" {
		t.Errorf("at %s", f)
	}
	l.heard("one 5")
	l.heard("two 1")
	l.heard("one x")
	if l.At() != 5 {
		t.Errorf("follows to %d", l.At())
	}
}

// The list resumes what was begun, then goes on to the first lesson that is not done; a lesson goes on to the one
// behind.
func TestTheNextLesson(t *testing.T) {
	l, _ := start(t, "/learn/two", "two", nil)
	name := func(behind string) string {
		if h := l.Next(behind); h != nil {
			return h.Name
		}
		return ""
	}
	if got := name("") + name("one") + name("two"); got != "onetwoone" {
		t.Errorf("at the start %s", got)
	}
	l.Pick(l.Key(0, 0), 0)
	if !l.Begun("two") || l.Begun("one") || name("") != "two" {
		t.Errorf("resumes %s", name(""))
	}
	l.Done["two"] = true
	if name("") != "one" || name("one") != "" {
		t.Errorf("after two: %s, %s", name(""), name("one"))
	}
	l.Done["one"] = true
	if name("") != "" {
		t.Errorf("after all %s", name(""))
	}
}
