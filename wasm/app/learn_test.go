//go:build !js

package app

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/class"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/learn"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// learned is the Learn screen at an address, and how it looks now.
func learned(t *testing.T, path, fragment string, set *lesson.Set) (*learn.Learn, func() string) {
	t.Helper()
	env, err := vugu.NewBuildEnv(still{})
	if err != nil {
		t.Fatal(err)
	}
	a, root := build(nothing{}, func(string) string { return "/" }, path)
	a.Lessons = wire.Marshal(set)
	a.Begin(path, fragment)
	a.Engine.Phase = state.Ready
	return a.Screens.Other(learn.ID).(*learn.Learn), func() string {
		var b strings.Builder
		dom.HTML(&b, dom.Flatten(env.RunBuild(root)))
		return b.String()
	}
}

func has(t *testing.T, html string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(html, w) {
			t.Errorf("%q is not on the page", w)
		}
	}
}

func lacks(t *testing.T, html string, what ...string) {
	t.Helper()
	for _, w := range what {
		if strings.Contains(html, w) {
			t.Errorf("%q is on the page", w)
		}
	}
}

func oneLesson() *lesson.Set {
	question := lesson.Block{Kind: lesson.Question, Options: []lesson.Option{{Text: "no"}, {Text: "yes", Right: true}},
		Note: "because"}
	return &lesson.Set{Lessons: []lesson.Lesson{
		{Head: lesson.Head{Name: "ap", Number: 2, Minutes: 10, Title: "Average precision"},
			Steps: [][]lesson.Block{{question}, {{Kind: lesson.Play, Link: "play=1&d=3,0,2&a=0.1.2&m=P@2"}}, {
				{Kind: lesson.Curve, Note: "A saw.",
					Rows: [][]string{{"one", "M0 0L1 1", "M0 0L2 2"}, {"two", "M1 1", "M2 2"}}},
				{Kind: lesson.Judging, Note: "bank",
					Spans: []lesson.Span{{Text: "What is meant?"}, {Text: "A narrative."}},
					Rows:  [][]string{{"Long Bank", "A text.", "3", "0"}, {"Second", "Another.", "0", "0"}}},
				{Kind: lesson.Coin, Name: "AP", Note: "new minus old",
					Rows: [][]string{{"bank", "0.3"}, {"pier", "-0.1"}, {"reef", "0"}, {"tram", "0.2"}}},
			}, {{Kind: lesson.Drill, Name: "order", Level: 1}, {Kind: lesson.Drill, Name: "ap", Level: 2}}, {{}}}}}}
}

// What a student of a class sees: nothing before there is a name, then the exercises, what is said of answers, and the
// code.
func TestTheClassIsDrawn(t *testing.T) {
	const link = "lesson=class1&t=IR&l=ap&e=ap.1~recall.2~order.1&s=7"
	l, page := learned(t, "/learn/class", "#"+link, oneLesson())
	html := page()
	has(t, html, "IR</h1>", `href="/learn/ap"`, `id="class-who"`)
	lacks(t, html, `id="class-item-0"`, `id="class-link"`, "What the results prove")
	c := l.Class
	c.Who("Zoë")
	html = page()
	has(t, html, `id="class-item-2"`, `id="order-2"`, "Answer with this order", "0 of 3 exercises done")
	c.Answer(0, lesson.Entry(c.Exercise(0).Answer))
	c.Typed[1] = "17"
	c.Submit(1)
	c.Finish()
	html = page()
	has(t, html, "Right: ", "2 more to go.", "1 of 3 exercises done", "RB1-")

	// and the teacher: the link and its code, then thirty files
	var f struct {
		Link  string
		Files []struct{ Name, Text string }
	}
	data, err := os.ReadFile("../../site/e2e/fixtures/class.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	l, page = learned(t, "/learn/class", "#"+strings.Replace(f.Link, "class1", "teach1", 1), oneLesson())
	html = page()
	has(t, html, `id="class-qr"`, `value="/learn/class#lesson=class1&amp;t=IR`, "What the results prove", "level 2")
	lacks(t, html, `id="class-book"`)
	for _, x := range f.Files[1:] {
		l.Class.Submissions.Papers = append(l.Class.Submissions.Papers, class.Papers(x.Name, x.Text)...)
	}
	l.Class.Submissions.Paste(f.Files[0].Text)
	html = page()
	has(t, html, "27 results count, 3 of 30 papers do not", `id="class-book"`, "changed by hand: line 5", "damaged",
		"The mistake made most is in exercise")
}

// The capstone: what is known, the claims, and after committing the report's beside them.
func TestTheCapstoneIsDrawn(t *testing.T) {
	set := oneLesson()
	set.Field = &lesson.Field{Measure: "AP", Titles: []string{"A title"},
		Queries: []lesson.Asked{{ID: "q", Text: "what happened", Kind: "factual"}},
		Trios: []lesson.Trio{{Systems: [3]int{2, 0, 1}, Means: [3]float64{.6, .5, .2},
			Best: report.Pair{Diff: .1, Low: .05, High: .15, Adjusted: .01}, Finding: "It wins."}}}
	for i, v := range []float64{.5, .2, .6} {
		set.Field.Systems = append(set.Field.Systems,
			lesson.Entrant{Notation: "bm25", Label: []string{"Words", "Meaning", "Both"}[i], Values: []float64{v},
				Heads: [][]lesson.Shown{{{Title: 0, Grade: 3}, {Title: 0, Grade: -1}}}})
	}
	l, page := learned(t, "/learn/capstone", "", set)
	html := page()
	has(t, html, "what happened (factual)", "A title", `id="capstone-which-2"`, "Meaning")
	lacks(t, html, "It wins.", `id="capstone-lines"`)
	l.Capstone.Claim(func(k *lesson.Claims) { k.Best, k.Why = 0, "It reads." })
	l.Capstone.Decide()
	html = page()
	has(t, html, "It wins.", `id="capstone-lines"`, "It reads.", "of your 8 claims are the report")
}

// Curves, own judgments and an exercise whose answer is an order.
func TestWhatALessonDrawsAndAsks(t *testing.T) {
	l, page := learned(t, "/learn/ap", "", oneLesson())
	l.Pick(l.Lessons.Key(0, 0), 1)
	html := page()
	has(t, html, `d="M0 0L2 2"`, "Precision over recall of one and two", "2 articles are still without your grade",
		"Check this order", `id="order-3-0"`)
	lacks(t, html, "A narrative.", "turn</td>", "keep</td>")
	has(t, html, "new minus old", "+0.300", "−0.100", "No toss yet.", "Toss 100 times")
	coins := &l.Lessons.Current().Steps[2][2]
	l.Figures.Toss(l.Lessons.Key(2, 2), coins, 300)
	tosses := l.Figures.Tosses(l.Lessons.Key(2, 2), coins)
	has(t, page(), strconv.Itoa(tosses.Far)+" of 300 tosses, ",
		"All 8 ways to set the signs give 50.0\u00a0%: p is 0.500.", `class="fall1"`, `class="far"`)
	l.Answers.Judge(l.Lessons.Key(2, 1), 2, 0, 2)
	l.Answers.Judge(l.Lessons.Key(2, 1), 2, 1, 0)
	b := &l.Lessons.Current().Steps[3][0]
	l.Answers.MoveOrder(l.Lessons.Key(3, 0), b, 0, 1)
	l.Answers.SubmitOrder(l.Lessons.Key(3, 0), b)
	html = page()
	has(t, html, "A narrative.", "You and the first judge: alike on 1/2", "The two of them: alike on 1/2",
		"Not yet. You have met ")
	if l.Answers.Check(l.Lessons.Key(3, 0), b, 0.5); l.Answers.Drills[l.Lessons.Key(3, 0)].Right {
		t.Error("a number is no order")
	}
}

// A remix: two steps of five, other documents, another place to end; the lesson itself stays what it is.
func TestARemixIsDrawn(t *testing.T) {
	l, page := learned(t, "/learn/ap", "", oneLesson())
	l.Remix.Mix(func(r *lesson.Remix) { r.Steps, r.Title = [5]bool{false, true, false, true, false}, "For my class" })
	l.Remix.Draft().Docs = "0 1 2 3"
	l.Remix.Mix(func(r *lesson.Remix) { r.Where = "https://example.org/x" })
	if l.Remix.Ready() || !strings.Contains(page(), "is no address of a screen") {
		t.Error("another site is taken")
	}
	l.Remix.Mix(func(r *lesson.Remix) { r.Where = "/search#q=x" })
	l.Remix.Show()
	html := page()
	has(t, html, "For my class</h1>", "A teacher remixed this lesson", `id="step-2"`, `id="step-4"`, "Rank 4, grade 3")
	lacks(t, html, `id="step-1"`, `id="step-3"`, `id="step-5"`)
	f, _ := l.Fragment()
	again, page2 := learned(t, "/learn/ap", f, oneLesson())
	has(t, page2(), "For my class</h1>")
	again.Go("ap")
	has(t, page2(), "Average precision</h1>", `id="step-1"`)
	again.Receive(message.Reply{Kind: message.Papers,
		Answer: &message.PapersRead{List: []message.Paper{{Name: "x.txt", Text: l.Lessons.Remixed.File()}}}})
	has(t, page2(), "For my class</h1>")
}
