package learn

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

// AP of 1 0 1 is (1 + 2/3)/2; one step up makes it 1.
func TestAGoalIsReachedRememberedAndUndone(t *testing.T) {
	device := map[string]string{}
	b := &lesson.Block{Kind: lesson.Figure, Name: "area", Link: "play=1&d=1,0,1&a=0.1.2", Targets: []float64{1, 1}}
	l, _ := start(t, "/learn/one", "one", device)
	key := l.Lessons.Key(1, 0)
	l.Figures.Move(key, b, figure.Move{Name: "up", To: 1}) // rank 1 has nothing above it
	f := l.Figures.Of(key, b)
	if f.Moves != 0 || l.Answers.Reached[key] {
		t.Fatalf("moved: %+v", f)
	}
	l.Figures.Move(key, b, figure.Move{Name: "up", To: 3})
	if want := (figure.State{1, 0, 2, 1}); !slices.Equal(f.State, want) || !l.Answers.Reached[key] {
		t.Errorf("%v, reached %v", f.State, l.Answers.Reached)
	}
	if got := device["rankbox-learn"]; !strings.Contains(got, "reached\t"+key+"\n") {
		t.Errorf("the device remembers %q", got)
	}
	l.App.Undo()
	if f := l.Figures.Of(key, b); !slices.Equal(f.State, f.Start()) {
		t.Errorf("undone: %v", f.State)
	}
	again, _ := start(t, "/learn/one", "one", device)
	if !again.Answers.Reached[key] {
		t.Error("forgotten")
	}
	again.Answers.Forget()
	if len(again.Answers.Reached) > 0 || device["rankbox-learn"] != "" {
		t.Errorf("not deleted: %v, %q", again.Answers.Reached, device["rankbox-learn"])
	}
	if l.Figures.Of("x", &lesson.Block{Kind: lesson.Figure, Name: "area", Link: "play=1&d=1&a=0"}) != nil {
		t.Error("nonsense is a figure")
	}
}

func TestTheRankingOfALessonIsUndone(t *testing.T) {
	l, _ := start(t, "/learn/one", "one", nil)
	p := l.Figures.Ranking(l.Lessons.Key(1, 0), &l.Lessons.Current().Steps[1][0])
	p.Hand.Step(0, 0, 1)
	if p.Hand.Table.Text(0) != "0 3 2" {
		t.Errorf("%s", p.Hand.Table.Text(0))
	}
	l.App.Undo()
	if p.Hand.Table.Text(0) != "3 0 2" {
		t.Errorf("after undo %s", p.Hand.Table.Text(0))
	}
}
