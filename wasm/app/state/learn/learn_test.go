package learn

import (
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func lessons() *lesson.Set {
	question := lesson.Block{Kind: lesson.Question, Options: []lesson.Option{{Text: "no"}, {Text: "yes", Right: true}},
		Note: "because"}
	steps := [][]lesson.Block{{question}, {{Kind: lesson.Play, Link: "play=1&d=3,0,2&a=0.1.2&m=P@2"}}, {{}},
		{{Kind: lesson.Drill, Name: "ap", Level: 1}, {Kind: lesson.Drill, Name: "recall", Level: 2}}, {{}}}
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
	a := state.New(r, func(string) string {
		return "/"
	}, path, state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "learn", Make: func(a *state.App) state.Screen {
			l = New(a)
			return l
		}})
	a.Lessons = heads(whole)
	a.Begin(path, "")
	return l, r
}
