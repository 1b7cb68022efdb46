package learn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/teach/lesson"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
)

// Variants are four exercises for paper, of the kind that the lesson ends in: the one that is worked out.
func Variants(x *lesson.Lesson) []*lesson.Exercise {
	var last *lesson.Block
	for _, step := range x.Steps {
		for i, b := range step {
			if b.Kind == lesson.Drill {
				last = &step[i]
			}
		}
	}
	if last == nil {
		return nil
	}
	var out []*lesson.Exercise
	for i := range 4 {
		out = append(out, lesson.Make(last.Name, 2, screen.Seed("sheet", x.Name, i)))
	}
	return out
}

// KeyOf is the key to an exercise on paper.
func KeyOf(e *lesson.Exercise) string {
	if e.Order != nil {
		return strings.ToUpper(e.Working[:1]) + e.Working[1:]
	}
	return e.Written(e.Answer) + " (" + e.Working + ")"
}

// Mistaken are the wrong answers to it that are known, and what one who gives them has done.
func Mistaken(e *lesson.Exercise) []string {
	var out []string
	for _, m := range e.Wrong {
		out = append(out, e.Written(m.Value)+": "+m.Name)
	}
	return out
}

// Letter names a variant.
func Letter(i int) string { return say.Letter(i) }

// Plan is what a teacher does in which minute: the steps take what they take, rounded so that they add up to the
// minutes of the lesson.
func Plan(x *lesson.Lesson) []string {
	doing := []string{"predict: everybody commits to an answer", "do: one at the projector, or each on a laptop",
		"see: the sum, term by term", "check: the exercises", "the same on real data"}
	var out []string
	for i, n := range Whole(x.Takes(), x.Minutes) {
		if n > 0 { // a remix may lack a step
			out = append(out, strconv.Itoa(n)+" min "+doing[i])
		}
	}
	return out
}

// Whole rounds minutes to whole ones that make a sum: down, and up where most is cut off, the earlier one first of two
// alike. A step that takes any time gets a minute.
func Whole(takes []float64, sum int) []int {
	all := 0.0
	for _, t := range takes {
		all += t
	}
	scale := float64(sum) / max(all, 1e-9)
	out, cut := make([]int, len(takes)), make([]float64, len(takes))
	for i, t := range takes {
		t *= scale
		out[i] = int(t)
		if t > 0 {
			out[i] = max(1, out[i])
		}
		cut[i] = t - float64(out[i])
		sum -= out[i]
	}
	for ; sum > 0 && all > 0; sum-- {
		i := slices.Index(cut, slices.Max(cut))
		out[i]++
		cut[i]--
	}
	return out
}

// Outline says what a slide shows, in a line.
func Outline(l *lesson.Lesson, s lesson.Slide) string {
	out := StepTitle(s.Step)
	if s.End {
		return "What to remember"
	}
	if len(s.Blocks) == 0 {
		return out
	}
	j := s.Blocks[0]
	b := &l.Steps[s.Step][j]
	words := b.Note
	for _, x := range b.Spans {
		words += x.Text
	}
	switch b.Kind {
	case lesson.Figure:
		words = "the figure"
	case lesson.Drill:
		words = "exercise " + strconv.Itoa(j+1)
	case lesson.Judging:
		words = "judge"
	}
	if r := []rune(words); len(r) > 70 {
		words = string(r[:70]) + " …"
	}
	return out + ": " + words
}

// Keys are a way to the goal of each figure, and the answers to the exercises of this device.
func Keys(l *screen.Learn) (out []string) {
	for i, step := range l.Lessons.Current().Steps {
		for j := range step {
			b := &step[j]
			switch b.Kind {
			case lesson.Figure:
				if b.Level == 0 {
					out = append(out, "Figure: "+b.Note)
				}
			case lesson.Drill:
				e := l.Answers.Exercise(l.Lessons.Key(i, j), b)
				out = append(out, "Exercise "+strconv.Itoa(j+1)+": "+KeyOf(e))
			}
		}
	}
	return out
}

// Count says which slide is on show, of how many.
func Count(d *screen.Deck) string {
	return strconv.Itoa(d.At()+1) + " of " + strconv.Itoa(len(d.Slides()))
}
