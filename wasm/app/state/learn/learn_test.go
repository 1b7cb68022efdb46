package learn

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func lessons() *lesson.Set {
	question := lesson.Block{Kind: lesson.Question, Options: []lesson.Option{{Text: "no"}, {Text: "yes", Right: true}}, Note: "because"}
	steps := [][]lesson.Block{{question}, {{Kind: lesson.Play, Link: "play=1&d=3,0,2&a=0.1.2&m=P@2"}}, {{}}, {{Kind: lesson.Drill, Name: "ap", Level: 1}, {Kind: lesson.Drill, Name: "recall", Level: 2}}, {{}}}
	return &lesson.Set{Lessons: []lesson.Lesson{
		{Head: lesson.Head{Name: "one", Number: 1, Minutes: 5, Title: "One"}, Steps: steps},
		{Head: lesson.Head{Name: "two", Number: 2, Minutes: 5, Title: "Two"}, Steps: steps}}}
}

// heads is what a page is rendered with: the whole of one lesson and the heads of all, or the heads alone.
func heads(whole string) []byte {
	s := lessons()
	for i := range s.Lessons {
		if s.Lessons[i].Name != whole {
			s.Lessons[i].Steps = nil
		}
	}
	return wire.Marshal(s)
}

func start(t *testing.T, path, whole string, device map[string]string) (*Learn, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{Kept: device}
	var l *Learn
	a := state.New(r, func(string) string { return "/" }, path, state.Part{Name: "home"}, state.Part{Name: "search"}, state.Part{Name: "learn", Make: func(a *state.App) state.Screen {
		l = New(a)
		return l
	}})
	a.Lessons = heads(whole)
	a.Begin(path, "")
	return l, r
}

func TestAPathOpensItsLesson(t *testing.T) {
	for path, want := range map[string]string{"/learn/one": "One", "/learn/one/de": "One"} {
		l, _ := start(t, path, "one", nil)
		if x := l.Lesson(); x == nil || x.Title != want {
			t.Errorf("%s opens %+v", path, x)
		}
	}
	l, r := start(t, "/learn", "", nil)
	if l.Lesson() != nil || l.Name != "" || len(l.Set().Lessons) != 2 {
		t.Errorf("the list: %q", l.Name)
	}
	l.Go("two") // of which the page has the head alone
	if len(r.Library) != 1 || l.Lesson() != nil {
		t.Fatalf("asked %d times", len(r.Library))
	}
	r.Library[0](nil, "status 503")
	if p := l.App.Notices.Problem; p == nil || !strings.Contains(p.What, "status 503") || l.Lesson() != nil || len(r.Library) != 1 {
		t.Errorf("%+v, asked %d times", p, len(r.Library))
	}
	l.Go("two") // asks again
	r.Library[1](wire.Marshal(lessons()), "")
	if x := l.Lesson(); x == nil || x.Title != "Two" {
		t.Errorf("%+v", x)
	}
	if at := r.Addresses[len(r.Addresses)-1]; at != "/learn/two" {
		t.Errorf("address %s", at)
	}
	l.App.Go("learn")
	if at := r.Addresses[len(r.Addresses)-1]; at != "/learn" || l.Name != "" {
		t.Errorf("address %s, lesson %q", at, l.Name)
	}
}

func TestLessonsOfAnotherVersionAreSaidSo(t *testing.T) {
	l, r := start(t, "/learn/two", "one", nil)
	r.Library[0]([]byte{9, 9, 9}, "")
	if l.App.Notices.Problem == nil || !strings.Contains(l.App.Notices.Problem.What, "another version") {
		t.Errorf("%+v", l.App.Notices.Problem)
	}
}

func TestAPredictionIsCommittedToAndStaysOnTheDevice(t *testing.T) {
	l, r := start(t, "/learn/one", "one", nil)
	key := l.Key(0, 0)
	if l.Predicted() {
		t.Error("predicted before anything was chosen")
	}
	l.Pick(key, 0)
	l.Pick(key, 1) // it is not changed afterwards
	if !l.Predicted() || l.Picked[key] != 0 {
		t.Errorf("%v", l.Picked)
	}
	again, _ := start(t, "/learn/one/de", "one", r.Kept)
	if !again.Predicted() {
		t.Error("forgotten, in another language")
	}
	again.Forget()
	if again.Predicted() || again.Remembers() {
		t.Error("not deleted")
	}
	l.App.Undo()
	if l.Predicted() {
		t.Error("not undone")
	}
}

// A number that no known mistake gives gets a hint, the second one the worked solution, and the exercise is over
// without counting as right. A named mistake is no such number.
func TestAnUnknownWrongNumberGetsAHintAndThenTheSolution(t *testing.T) {
	l, _ := start(t, "/learn/one", "one", nil)
	key, b := l.Key(3, 1), &l.Lesson().Steps[3][1]
	e := l.Exercise(key, b)
	l.Answer(key, b, 17)
	if d := l.Drills[key]; d.Said != "Not yet. Hint: "+e.Hint+"." || d.Over() {
		t.Errorf("%+v", d)
	}
	l.Answer(key, b, e.Wrong[0].Value)
	if d := l.Drills[key]; !strings.Contains(d.Said, e.Wrong[0].Name) || d.Over() {
		t.Errorf("%+v", d)
	}
	l.Answer(key, b, 18)
	want := "Not yet. It is " + e.Written(e.Answer) + ": " + e.Working + ". Try another one."
	if d := l.Drills[key]; d.Said != want || !d.Over() || d.Right {
		t.Errorf("%+v, want %q", d, want)
	}
	l.Answer(key, b, e.Answer)
	if d := l.Drills[key]; d.Right || d.Correct != 0 || l.Done["one"] {
		t.Errorf("a solution that was read counts: %+v", d)
	}
	l.SetLevel(key, b, 3) // and does not come back
	if l.SetLevel(key, b, 2); l.Exercise(key, b).Seed == e.Seed {
		t.Error("the solved exercise is asked again")
	}
	if d := l.Drills[key]; d.Over() || d.Missed != 0 || d.Said != "" {
		t.Errorf("%+v", d)
	}
}

// An order that does not meet the conditions is told so twice; then one that does is shown.
func TestTheThirdWrongOrderGetsARightOne(t *testing.T) {
	l, _ := start(t, "/learn/one", "one", nil)
	key, b := l.Key(3, 1), &lesson.Block{Kind: lesson.Drill, Name: "order", Level: 1}
	e := l.Exercise(key, b)
	for range 2 {
		if l.SubmitOrder(key, b); l.Drills[key].Over() || strings.Contains(l.Drills[key].Said, e.Solution()) {
			t.Errorf("%+v", l.Drills[key])
		}
	}
	l.SubmitOrder(key, b)
	if d := l.Drills[key]; !d.Over() || !strings.HasSuffix(d.Said, ". One right order is "+e.Working[len("one right order is "):]+
		". Try another one.") {
		t.Errorf("%+v", d)
	}
}

func TestExercisesAreCheckedAndCounted(t *testing.T) {
	l, r := start(t, "/learn/one", "one", nil)
	key, b := l.Key(3, 0), &l.Lesson().Steps[3][0]
	e := l.Exercise(key, b)
	l.Answer(key, b, e.Wrong[0].Value)
	if d := l.Drills[key]; d.Right || !strings.Contains(d.Said, e.Wrong[0].Name) {
		t.Errorf("%+v", d)
	}
	l.Answer(key, b, e.Answer)
	l.Answer(key, b, e.Answer) // once is enough
	if d := l.Drills[key]; !d.Right || d.Correct != 1 || l.Done["one"] {
		t.Errorf("%+v", d)
	}
	if l.Another(key); l.Exercise(key, b).Given[0] == e.Given[0] && l.Exercise(key, b).Answer == e.Answer || l.Drills[key].Said != "" {
		t.Error("it is the same one again")
	}
	other, ob := l.Key(3, 1), &l.Lesson().Steps[3][1]
	l.Type(other, "x")
	if l.Submit(other, ob); !strings.Contains(l.Drills[other].Said, "isn't a number") {
		t.Errorf("%+v", l.Drills[other])
	}
	l.Type(other, lesson.Written(l.Exercise(other, ob).Answer))
	if l.Submit(other, ob); !l.Drills[other].Right || !l.Done["one"] {
		t.Errorf("%+v, done %v", l.Drills[other], l.Done)
	}
	before := l.Exercise(key, b)
	l.Who("4711")
	if after := l.Exercise(key, b); after.Seed == before.Seed || l.Drills[key].Correct != 1 {
		t.Errorf("%q, %+v", after.Seed, l.Drills[key])
	}
	again, _ := start(t, "/learn/one", "one", r.Kept)
	if again.Student != "4711" || !again.Done["one"] || again.Drills[key].Correct != 1 {
		t.Errorf("%+v", again.Drills)
	}
	broken, _ := start(t, "/learn/one", "one", map[string]string{kept: "who\npick\tx\tten\ndrill\ta\nwhat\n\x00"})
	if broken.Remembers() {
		t.Error("nonsense is remembered")
	}
}

func TestALevelIsChosenAndStaysOnTheDevice(t *testing.T) {
	l, r := start(t, "/learn/one", "one", nil)
	key, b := l.Key(3, 0), &l.Lesson().Steps[3][0]
	first := l.Exercise(key, b)
	l.Type(key, "17")
	l.SetLevel(key, b, 3)
	if e := l.Exercise(key, b); e.Level != 3 || l.Drills[key].Typed != "" {
		t.Errorf("level %d, %+v", e.Level, l.Drills[key])
	}
	l.Another(key)
	l.Who("4711")
	if e := l.Exercise(key, b); e.Level != 3 || e.Seed != Seed("4711", key, 0) {
		t.Errorf("another one has level %d, seed %q", e.Level, e.Seed)
	}
	again, _ := start(t, "/learn/one", "one", r.Kept)
	if n := again.Level(key, b); n != 3 {
		t.Errorf("after a reload the level is %d", n)
	}
	l.SetLevel(key, b, 4)
	l.SetLevel(key, b, 0)
	if n := l.Level(key, b); n != 3 {
		t.Errorf("there is no level %d", n)
	}
	l.Answer(key, b, l.Exercise(key, b).Answer)
	l.SetLevel(key, b, 1) // the lesson's
	if d := l.Drills[key]; d.Number != 1 || d.Correct != 1 || d.Level != 0 || d.Right || d.Said != "" {
		t.Errorf("after a right answer %+v", d)
	}
	l.App.Undo()
	if d := l.Drills[key]; d.Level != 3 || !d.Right {
		t.Errorf("undone %+v", d)
	}
	// what the device remembers from before there was a choice
	old, _ := start(t, "/learn/one", "one", map[string]string{kept: "drill\t" + key + "\t0\t2\ndrill\tx\t0\t0\t9"})
	if e := old.Exercise(key, b); e.Level != 1 || e.Answer != first.Answer || old.Drills[key].Correct != 2 || old.Drills["x"].Level != lesson.Levels {
		t.Errorf("%+v", old.Drills)
	}
}

func TestTheRankingOfALessonIsUndone(t *testing.T) {
	l, _ := start(t, "/learn/one", "one", nil)
	p := l.Table(l.Key(1, 0), &l.Lesson().Steps[1][0])
	p.Hand.Step(0, 0, 1)
	if p.Hand.Table.Text(0) != "0 3 2" {
		t.Errorf("%s", p.Hand.Table.Text(0))
	}
	l.App.Undo()
	if p.Hand.Table.Text(0) != "3 0 2" {
		t.Errorf("after undo %s", p.Hand.Table.Text(0))
	}
}

func TestAClassVotesTwice(t *testing.T) {
	l, _ := start(t, "/learn/one", "one", nil)
	key := l.Key(0, 0)
	l.Vote(key, 2, 0, 1)
	l.Vote(key, 2, 0, 1)
	l.Vote(key, 2, 1, 1)
	l.Vote(key, 2, 0, -1)
	l.Vote(key, 2, 7, 1)
	l.Reveal(key)
	l.Vote(key, 2, 1, 1)
	l.Vote(key, 2, 1, 1)
	if v := l.Votes[key]; v[0][0] != 1 || v[0][1] != 1 || v[1][0] != 0 || v[1][1] != 2 || !l.Predicted() {
		t.Errorf("%v", v)
	}
}

func TestAPresentersPlaceIsInTheAddress(t *testing.T) {
	l, r := start(t, "/learn/one", "one", nil)
	at := func() string { return r.Addresses[len(r.Addresses)-1] }
	l.App.TogglePresenter()
	l.Reveal(l.Key(0, 0))
	l.Show(2, true)
	if r.Focused != "step-3" || at() != "/learn/one?presenter#step-3" {
		t.Errorf("%s focused at %s", r.Focused, at())
	}
	l.App.TogglePresenter()
	if r.Focused = ""; at() != "/learn/one" {
		t.Errorf("left at %s", at())
	}
	l.App.TogglePresenter()
	if r.Focused != "step-3" || at() != "/learn/one?presenter#step-3" {
		t.Errorf("back at %s, %s", r.Focused, at())
	}
	for fragment, want := range map[string]int{"step-3": 2, "step-1": 0, "step-0": 0, "step-6": 0, "step-x": 0} {
		again, r := start(t, "/learn/one", "one", nil)
		again.App.View.Presenter = true
		again.App.Begin("/learn/one", "#"+fragment)
		if again.Step != want || again.Predicted() != (want > 0) || (r.Focused == "step-3") != (want == 2) || again.App.Notices.Problem != nil {
			t.Errorf("%s: step %d, focus %s, %v", fragment, again.Step, r.Focused, again.App.Notices.Problem)
		}
	}
	other, _ := start(t, "/learn/one", "one", nil)
	other.App.Begin("/learn/one", "#step-3")
	if other.Predicted() {
		t.Error("without presenter view a step is no answer")
	}
}
