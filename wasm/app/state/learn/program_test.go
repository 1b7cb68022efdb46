//go:build lessons

package learn

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// The program of lessons is ready at once and asks no worker for anything; other screens are those of their own
// program, and files and what it cannot read are the richest one's.
func TestTheProgramOfLessonsAsksNoWorker(t *testing.T) {
	r := &statetest.Recorder{}
	var l *Learn
	a := state.New(r, func(string) string { return "/" }, "/learn/one",
		state.Part{Name: "learn", Make: func(a *state.App) state.Screen {
			l = New(a)
			return l
		}})
	a.Lessons = heads("one")
	a.Begin("/learn/one", "")
	if l.App.Engine.Phase != state.Ready || l.App.Figures.Stale() || l.Lessons.Current() == nil {
		t.Fatalf("phase %d, lesson %v", l.App.Engine.Phase, l.Lessons.Current())
	}
	l.Pick(l.Lessons.Key(0, 0), 0)
	l.App.Encoder.Idle()
	r.Pass()
	for _, c := range []struct {
		what string
		do   func()
		want screens.Program
	}{
		{"judge", func() { l.App.Go("judge") }, screens.Rich},
		{"a link to a comparison", func() { l.App.Moved("/evaluate", "#runs=x", 7) }, screens.Rich},
		{"the back button to Home", func() { l.App.Moved("/", "", 8) }, screens.First},
		{"files", func() { l.App.AddFiles([]message.File{{ID: 1, Name: "a.run"}}) }, screens.Rich},
		{"a remix with a measure that no lesson has", func() {
			l.App.Moved("/learn", "#lesson=remix1&of=one&steps=12345&p=play%3D1%26d%3D1~A%26a%3D0%26m%3Dbpref", 9)
		}, screens.Rich},
	} {
		t.Run(c.what, func(t *testing.T) {
			r.Programs = nil
			c.do()
			if !slices.Equal(r.Programs, []screens.Program{c.want}) || !l.App.Programs.Wanted() ||
				l.App.Notices.Problem != nil {
				t.Errorf("asked for %q, want %s; %+v", r.Programs, c.want, l.App.Notices.Problem)
			}
			l.App.Programs.Stay()
		})
	}
	if len(r.Sent) > 0 || r.Enriched > 0 {
		t.Errorf("%d requests", len(r.Sent))
	}
}
