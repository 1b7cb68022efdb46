package learn

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/teach/lesson"
)

// A number that no known mistake gives gets a hint, the second one the worked solution, and the exercise is over
// without counting as right. A named mistake is no such number.
func TestAnUnknownWrongNumberGetsAHintAndThenTheSolution(t *testing.T) {
	l, _ := start(t, "/learn/one", "one", nil)
	key, b := l.Lessons.Key(3, 1), &l.Lessons.Current().Steps[3][1]
	e := l.Answers.Exercise(key, b)
	l.Answers.Check(key, b, 17)
	if d := l.Answers.Drills[key]; d.Said != "Not yet. Hint: "+e.Hint+"." || d.Over() {
		t.Errorf("%+v", d)
	}
	l.Answers.Check(key, b, e.Wrong[0].Value)
	if d := l.Answers.Drills[key]; !strings.Contains(d.Said, e.Wrong[0].Name) || d.Over() {
		t.Errorf("%+v", d)
	}
	l.Answers.Check(key, b, 18)
	want := "Not yet. It is " + e.Written(e.Answer) + ": " + e.Working + ". Try another one."
	if d := l.Answers.Drills[key]; d.Said != want || !d.Over() || d.Right {
		t.Errorf("%+v, want %q", d, want)
	}
	l.Answers.Check(key, b, e.Answer)
	if d := l.Answers.Drills[key]; d.Right || d.Correct != 0 || l.Answers.Done["one"] {
		t.Errorf("a solution that was read counts: %+v", d)
	}
	l.Answers.SetLevel(key, b, 3) // and does not come back
	if l.Answers.SetLevel(key, b, 2); l.Answers.Exercise(key, b).Seed == e.Seed {
		t.Error("the solved exercise is asked again")
	}
	if d := l.Answers.Drills[key]; d.Over() || d.Missed != 0 || d.Said != "" {
		t.Errorf("%+v", d)
	}
}

// An order that does not meet the conditions is told so twice; then one that does is shown.
func TestTheThirdWrongOrderGetsARightOne(t *testing.T) {
	l, _ := start(t, "/learn/one", "one", nil)
	key, b := l.Lessons.Key(3, 1), &lesson.Block{Kind: lesson.Drill, Name: "order", Level: 1}
	e := l.Answers.Exercise(key, b)
	for range 2 {
		l.Answers.SubmitOrder(key, b)
		if d := l.Answers.Drills[key]; d.Over() || strings.Contains(d.Said, e.Solution()) {
			t.Errorf("%+v", d)
		}
	}
	l.Answers.SubmitOrder(key, b)
	want := ". One right order is " + e.Working[len("one right order is "):] + ". Try another one."
	if d := l.Answers.Drills[key]; !d.Over() || !strings.HasSuffix(d.Said, want) {
		t.Errorf("%+v", d)
	}
}

func TestExercisesAreCheckedAndCounted(t *testing.T) {
	l, r := start(t, "/learn/one", "one", nil)
	key, b := l.Lessons.Key(3, 0), &l.Lessons.Current().Steps[3][0]
	e := l.Answers.Exercise(key, b)
	l.Answers.Check(key, b, e.Wrong[0].Value)
	if d := l.Answers.Drills[key]; d.Right || !strings.Contains(d.Said, e.Wrong[0].Name) {
		t.Errorf("%+v", d)
	}
	l.Answers.Check(key, b, e.Answer)
	l.Answers.Check(key, b, e.Answer) // once is enough
	if d := l.Answers.Drills[key]; !d.Right || d.Correct != 1 || l.Answers.Done["one"] {
		t.Errorf("%+v", d)
	}
	l.Answers.Another(key)
	next := l.Answers.Exercise(key, b)
	if next.Given[0] == e.Given[0] && next.Answer == e.Answer || l.Answers.Drills[key].Said != "" {
		t.Error("it is the same one again")
	}
	other, ob := l.Lessons.Key(3, 1), &l.Lessons.Current().Steps[3][1]
	l.Answers.Type(other, "x")
	if l.Answers.Submit(other, ob); !strings.Contains(l.Answers.Drills[other].Said, "isn't a number") {
		t.Errorf("%+v", l.Answers.Drills[other])
	}
	l.Answers.Type(other, lesson.Written(l.Answers.Exercise(other, ob).Answer))
	if l.Answers.Submit(other, ob); !l.Answers.Drills[other].Right || !l.Answers.Done["one"] {
		t.Errorf("%+v, done %v", l.Answers.Drills[other], l.Answers.Done)
	}
	before := l.Answers.Exercise(key, b)
	l.Who("4711")
	if after := l.Answers.Exercise(key, b); after.Seed == before.Seed || l.Answers.Drills[key].Correct != 1 {
		t.Errorf("%q, %+v", after.Seed, l.Answers.Drills[key])
	}
	again, _ := start(t, "/learn/one", "one", r.Kept)
	if again.Answers.Student != "4711" || !again.Answers.Done["one"] || again.Answers.Drills[key].Correct != 1 {
		t.Errorf("%+v", again.Answers.Drills)
	}
	broken, _ := start(t, "/learn/one", "one", map[string]string{kept: "who\npick\tx\tten\ndrill\ta\nwhat\n\x00"})
	if broken.Answers.Remembers() {
		t.Error("nonsense is remembered")
	}
}

func TestALevelIsChosenAndStaysOnTheDevice(t *testing.T) {
	l, r := start(t, "/learn/one", "one", nil)
	key, b := l.Lessons.Key(3, 0), &l.Lessons.Current().Steps[3][0]
	first := l.Answers.Exercise(key, b)
	l.Answers.Type(key, "17")
	l.Answers.SetLevel(key, b, 3)
	if e := l.Answers.Exercise(key, b); e.Level != 3 || l.Answers.Drills[key].Typed != "" {
		t.Errorf("level %d, %+v", e.Level, l.Answers.Drills[key])
	}
	l.Answers.Another(key)
	l.Who("4711")
	if e := l.Answers.Exercise(key, b); e.Level != 3 || e.Seed != Seed("4711", key, 0) {
		t.Errorf("another one has level %d, seed %q", e.Level, e.Seed)
	}
	again, _ := start(t, "/learn/one", "one", r.Kept)
	if n := again.Answers.Level(key, b); n != 3 {
		t.Errorf("after a reload the level is %d", n)
	}
	l.Answers.SetLevel(key, b, 4)
	l.Answers.SetLevel(key, b, 0)
	if n := l.Answers.Level(key, b); n != 3 {
		t.Errorf("there is no level %d", n)
	}
	l.Answers.Check(key, b, l.Answers.Exercise(key, b).Answer)
	l.Answers.SetLevel(key, b, 1) // the lesson's
	if d := l.Answers.Drills[key]; d.Number != 1 || d.Correct != 1 || d.Level != 0 || d.Right || d.Said != "" {
		t.Errorf("after a right answer %+v", d)
	}
	l.App.Undo()
	if d := l.Answers.Drills[key]; d.Level != 3 || !d.Right {
		t.Errorf("undone %+v", d)
	}
	// what the device remembers from before there was a choice
	old, _ := start(t, "/learn/one", "one", map[string]string{kept: "drill\t" + key + "\t0\t2\ndrill\tx\t0\t0\t9"})
	if e := old.Answers.Exercise(key, b); e.Level != 1 || e.Answer != first.Answer ||
		old.Answers.Drills[key].Correct != 2 || old.Answers.Drills["x"].Level != lesson.Levels {
		t.Errorf("%+v", old.Answers.Drills)
	}
}
