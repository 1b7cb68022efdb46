package learn

import (
	"testing"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// Files that are dropped beside a lesson: a remix opens, runs go on to Compare.
func TestFilesBesideALesson(t *testing.T) {
	r := &statetest.Recorder{}
	var l *Learn
	other := &taker{}
	a := state.New(r, func(string) string { return "/" }, "/learn/one",
		state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "learn", Make: func(a *state.App) state.Screen {
			l = New(a)
			return l
		}}, state.Part{Name: "compare", Make: func(*state.App) state.Screen { return other }})
	a.Lessons = heads("one")
	a.Begin("/learn/one", "")
	give := func(text string) {
		a.AddFiles([]message.File{{ID: 1, Name: "a"}})
		a.Receive(message.Reply{ID: r.Last(t, message.Papers).ID, Kind: message.Papers,
			Answer: &message.PapersRead{List: []message.Paper{{Name: "a", Text: text}}}})
	}
	give("q Q0 d 1 1 run")
	if len(other.got) != 1 || l.Lessons.Remixed != nil {
		t.Errorf("%v", other.got)
	}
	give("Rankbox lesson\n" + lesson.Remixed + "of=one&in=en&steps=24\n")
	steps := l.Lessons.Current().Steps
	if l.Lessons.Remixed == nil || len(other.got) != 1 || len(steps[0]) != 0 || len(steps[1]) == 0 {
		t.Errorf("%+v", l.Lessons.Remixed)
	}
}

// taker is a screen that takes every file.
type taker struct {
	got []message.File
}

func (*taker) ID() share.Screen                { return "compare" }
func (*taker) TakesFiles() bool                { return true }
func (x *taker) AddFiles(files []message.File) { x.got = append(x.got, files...) }
