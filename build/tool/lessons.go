package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/teach/lesson"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
)

// mostAsked is how many exercises of one place are printed at most.
const mostAsked = 60

// lessonsCommand prints what the lessons of the site that was built last ask, with the answers to everything, as JSON:
// it is what a test plays a lesson with.
func lessonsCommand(_ context.Context, p *project, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Sprintf("unexpected argument %q", args[0])}
	}
	config, err := p.netlify()
	if err != nil {
		return err
	}
	set := &lesson.Set{}
	data, err := os.ReadFile(p.path(config.Publish + "/learn/lessons.bin"))
	if err != nil || wire.Unmarshal(data, set) != nil {
		return fmt.Errorf("%s has no lessons: go run ./build site", config.Publish)
	}
	var out []askedLesson
	for i := range set.Lessons {
		out = append(out, asksOf(&set.Lessons[i]))
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

type askedLesson struct {
	Name      string          `json:"name"`
	Number    int             `json:"number"`
	Title     string          `json:"title"`
	Minutes   int             `json:"minutes"`
	Questions []askedQuestion `json:"questions"`
	Drills    []askedDrill    `json:"drills"`
}

// Key is the one of the block, as the page has it.
type askedQuestion struct {
	Key     string          `json:"key"`
	Options []lesson.Option `json:"options"`
	Because string          `json:"because"`
}

type askedDrill struct {
	Key       string          `json:"key"`
	Level     int             `json:"level"`
	Exercises []askedExercise `json:"exercises"`
}

// askedExercise is an exercise for a student without a name, and what the page says to each answer. Orders are places
// of the documents, one for each verdict.
type askedExercise struct {
	Question string         `json:"question"`
	Answer   string         `json:"answer"`
	Right    string         `json:"right"`
	Hint     string         `json:"hint"`
	Solution string         `json:"solution"`
	Wrong    []askedWrong   `json:"wrong"`
	Orders   []askedOrdered `json:"orders"`
}

type askedWrong struct {
	Kind    string `json:"kind"` // the mistake without the numbers of the exercise
	Written string `json:"written"`
	Says    string `json:"says"`
}

type askedOrdered struct {
	Places []int  `json:"places"`
	Right  bool   `json:"right"`
	Says   string `json:"says"`
}

// asksOf is what a lesson asks. Of each exercise there are as many in turn as it takes until every mistake that the
// first mostAsked name has come up.
func asksOf(l *lesson.Lesson) askedLesson {
	out := askedLesson{Name: l.Name, Number: l.Number, Title: l.Title, Minutes: l.Minutes}
	for i, step := range l.Steps {
		for j := range step {
			b := &step[j]
			key := screen.KeyOf(l.Name, i, j)
			switch b.Kind {
			case lesson.Question:
				out.Questions = append(out.Questions, askedQuestion{key, b.Options, b.Note})
			case lesson.Drill:
				d := askedDrill{Key: key, Level: b.Level}
				named, needed := map[string]bool{}, 0
				for n := range mostAsked {
					e := lesson.Make(b.Name, b.Level, screen.Seed("", key, n))
					for _, m := range e.Wrong {
						if kind := e.Kind(lesson.Verdict{Mistake: m.Name}); !named[kind] {
							named[kind], needed = true, n
						}
					}
					d.Exercises = append(d.Exercises, askedExerciseOf(e))
				}
				d.Exercises = d.Exercises[:needed+1]
				out.Drills = append(out.Drills, d)
			}
		}
	}
	return out
}

func askedExerciseOf(e *lesson.Exercise) askedExercise {
	x := askedExercise{Question: e.Question, Solution: e.Solution()}
	if e.Order == nil {
		x.Answer, x.Right = e.Written(e.Answer), e.Says(lesson.Verdict{Right: true})
		x.Hint = e.Says(lesson.Verdict{})
		for _, m := range e.Wrong {
			x.Wrong = append(x.Wrong, askedWrong{e.Kind(lesson.Verdict{Mistake: m.Name}), e.Written(m.Value),
				e.Says(lesson.Verdict{Mistake: m.Name})})
		}
		return x
	}
	seen := map[string]bool{}
	for n := 0; ; n++ {
		places, ok := lesson.OrderOf(n, len(e.Order))
		if !ok {
			return x
		}
		if v := e.CheckOrder(places); !seen[v.Mistake] {
			seen[v.Mistake] = true
			x.Orders = append(x.Orders, askedOrdered{places, v.Right, e.Says(v)})
		}
	}
}
