package learn

import (
	"testing"
)

func TestAPredictionIsCommittedToAndStaysOnTheDevice(t *testing.T) {
	l, r := start(t, "/learn/one", "one", nil)
	key := l.Lessons.Key(0, 0)
	if l.Predicted() {
		t.Error("predicted before anything was chosen")
	}
	l.Pick(key, 0)
	l.Pick(key, 1) // it is not changed afterwards
	if !l.Predicted() || l.Answers.Picked[key] != 0 {
		t.Errorf("%v", l.Answers.Picked)
	}
	again, _ := start(t, "/learn/one/de", "one", r.Kept)
	if !again.Predicted() {
		t.Error("forgotten, in another language")
	}
	again.Answers.Forget()
	if again.Predicted() || again.Answers.Remembers() {
		t.Error("not deleted")
	}
	l.App.Undo()
	if l.Predicted() {
		t.Error("not undone")
	}
}

// The list resumes what was begun, then goes on to the first lesson that is not done; a lesson goes on to the one
// behind.
func TestTheNextLesson(t *testing.T) {
	l, _ := start(t, "/learn/two", "two", nil)
	name := func(behind string) string {
		if h := l.Answers.Next(behind); h != nil {
			return h.Name
		}
		return ""
	}
	if got := name("") + name("one") + name("two"); got != "onetwoone" {
		t.Errorf("at the start %s", got)
	}
	l.Pick(l.Lessons.Key(0, 0), 0)
	if !l.Answers.Begun("two") || l.Answers.Begun("one") || name("") != "two" {
		t.Errorf("resumes %s", name(""))
	}
	l.Answers.Done["two"] = true
	if name("") != "one" || name("one") != "" {
		t.Errorf("after two: %s, %s", name(""), name("one"))
	}
	l.Answers.Done["one"] = true
	if name("") != "" {
		t.Errorf("after all %s", name(""))
	}
}
