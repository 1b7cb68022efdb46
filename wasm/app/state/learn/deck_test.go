package learn

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/teach/lesson"
)

func TestAPresentersPlaceIsInTheAddress(t *testing.T) {
	l, r := start(t, "/learn/one", "one", nil)
	at := func() string { return r.Addresses[len(r.Addresses)-1] }
	l.App.TogglePresenter()
	l.Reveal(l.Lessons.Key(0, 0))
	l.Deck.Show(2, true)
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
		if again.Deck.Step != want || again.Predicted() != (want > 0) ||
			(r.Focused == "step-3") != (want == 2) || again.App.Notices.Problem != nil {
			t.Errorf("%s: step %d, focus %s, %v", fragment, again.Deck.Step, r.Focused, again.App.Notices.Problem)
		}
	}
	other, _ := start(t, "/learn/one", "one", nil)
	other.App.Begin("/learn/one", "#step-3")
	if other.Predicted() {
		t.Error("without presenter view a step is no answer")
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
	l.Lessons.fetched(wire.Marshal(set), "")
	l.App.View.Presenter = true
	var got []string
	for _, s := range l.Deck.Slides() {
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
	k := l.Deck.Question()
	if k == "" || l.Deck.At() != 1 {
		t.Fatalf("at %d, question %q", l.Deck.At(), k)
	}
	l.Turn(1)
	if l.Deck.At() != 1 || !l.Votes.Revealed[k] {
		t.Errorf("at %d, revealed %v", l.Deck.At(), l.Votes.Revealed)
	}
	for range 20 {
		l.Turn(1)
	}
	if l.Deck.At() != 10 {
		t.Errorf("the last slide is %d", l.Deck.At())
	}
	if f, _ := l.Fragment(); f != "#step-5.2" {
		t.Errorf("at %s", f)
	}
	l.Deck.heard("one 5")
	l.Deck.heard("two 1")
	l.Deck.heard("one x")
	if l.Deck.At() != 5 {
		t.Errorf("follows to %d", l.Deck.At())
	}
}
