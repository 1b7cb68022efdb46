package lesson

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Levels is the number of levels of an exercise. On the first the student chooses the answer, on the others
// computes it; the last one is longer.
const Levels = 3

// Tolerance is the accepted distance of a number from the right answer.
const Tolerance = 0.005

// Generator generates exercises of one kind.
type Generator struct {
	Name, Title string
	Minutes     [Levels]float64                           // time with a calculator, by level
	make        func(rng *rand.Rand, level int) *Exercise // nil if the draw gives no good exercise
}

// Exercise is a question with one right answer.
type Exercise struct {
	Generator string
	Level     int
	Seed      string
	Question  string
	Given     []string // lines of given facts: lists of grades and the like
	Answer    float64
	Hint      string // how to proceed, without figures; "" if an order is asked for
	Working   string // how the right answer is computed
	Wrong     []Mistake
	Kinds     kinds
	Options   []float64 // for multiple choice: the right answer and those of the mistakes, ascending

	Order []float64 // grades to put in an order that meets the Goals; nil if the answer is a number
	Goals []Goal
}

// Mistake is a wrong answer with its cause.
type Mistake struct {
	Value float64
	Name  string // "divided by the retrieved instead of the relevant"
}

// kinds maps names of mistakes that contain a number of their exercise to the general name: "the first 4" is "the
// first k".
type kinds map[string]string

// name returns the name of a mistake with a number in it and records its kind.
func (k kinds) name(before string, n int, after string) string {
	name := before + itoa(n) + after
	k[name] = before + "k" + after
	return name
}

// Kind returns the mistake of a verdict without the exercise's numbers, "" if unknown.
func (e *Exercise) Kind(v Verdict) string {
	if kind := e.Kinds[v.Mistake]; kind != "" {
		return kind
	}
	return v.Mistake
}

// Make makes the exercise of a seed, any text: for example a student's name and the number of the exercise. Equal
// seeds give equal exercises on every machine. It returns nil for an unknown generator or level.
func Make(generator string, level int, seed string) *Exercise {
	i := slices.IndexFunc(Generators, func(g Generator) bool { return g.Name == generator })
	if i < 0 || level < 1 || level > Levels {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(generator + "\x00" + strconv.Itoa(level) + "\x00" + seed))
	// Redraw bad exercises: a mistake may happen to give the right answer.
	for try := uint64(0); ; try++ {
		e := Generators[i].make(rand.New(rand.NewPCG(h.Sum64(), try)), level)
		if e == nil || e.Order == nil && !e.dropClose() {
			continue
		}
		e.Generator, e.Level, e.Seed = generator, level, seed
		return e
	}
}

// dropClose drops mistakes that are too close to the right answer or to each other. It reports whether at least two
// remain, including the first: the exercise tests for that one, so it must not give the right answer.
func (e *Exercise) dropClose() bool {
	const apart = 2.5 * Tolerance
	taken, first := []float64{e.Answer}, e.Wrong[0].Name
	e.Wrong = slices.DeleteFunc(e.Wrong, func(m Mistake) bool {
		for _, v := range taken {
			if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || math.Abs(m.Value-v) < apart {
				return true
			}
		}
		taken = append(taken, m.Value)
		return false
	})
	if len(e.Wrong) > 3 {
		e.Wrong, taken = e.Wrong[:3], taken[:4]
	}
	slices.Sort(taken)
	e.Options = taken
	return len(e.Wrong) >= 2 && e.Wrong[0].Name == first && !math.IsNaN(e.Answer)
}

// Verdict is the assessment of an answer.
type Verdict struct {
	Right   bool
	Mistake string // the mistake made, "" if unknown
	Note    string // the measures of an order, "" for a number
}

// Check reports whether a number answers the exercise.
func (e *Exercise) Check(answer float64) Verdict {
	if math.Abs(answer-e.Answer) <= Tolerance+1e-12 {
		return Verdict{Right: true}
	}
	for _, m := range e.Wrong {
		if math.Abs(answer-m.Value) <= Tolerance+1e-12 {
			return Verdict{Mistake: m.Name}
		}
	}
	return Verdict{}
}

// Says puts a verdict into words.
func (e *Exercise) Says(v Verdict) string {
	switch {
	case e.Order != nil && v.Right:
		return "Right: " + v.Note + "."
	case e.Order != nil:
		return "Not yet. You have " + v.Mistake + ": " + v.Note + "."
	case v.Right:
		return "Right: " + e.Working + "."
	case v.Mistake != "":
		return "Not yet. You seem to have " + v.Mistake + "."
	}
	return "Not yet. Hint: " + e.Hint + "."
}

// Solution returns the worked solution.
func (e *Exercise) Solution() string {
	if e.Order != nil {
		return strings.ToUpper(e.Working[:1]) + e.Working[1:] + "."
	}
	return "It is " + e.Written(e.Answer) + ": " + e.Working + "."
}

// ReadAnswer parses a typed number: "0.75", ".75", "0,75", "3/4".
func ReadAnswer(text string) (float64, bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
	if a, b, ok := strings.Cut(text, "/"); ok {
		x, err1 := readNumber(strings.TrimSpace(a))
		y, err2 := readNumber(strings.TrimSpace(b))
		v := x / y
		return v, err1 == nil && err2 == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	v, err := readNumber(text)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// readNumber parses a number with a typed or a typographic minus sign.
func readNumber(text string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(text, "−", "-"), 64)
}

// brief formats a figure of an exercise with at most three decimals.
func brief(v float64) string {
	text := say.Plain.Number(v, 3)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// Written formats a figure with three decimals.
func Written(v float64) string { return say.Page.Number(v, 3) }

// Written formats a figure like the options: with three decimals, or with none if all options are counts.
func (e *Exercise) Written(v float64) string {
	for _, o := range e.Options {
		if o != math.Trunc(o) {
			return Written(v)
		}
	}
	return say.Page.Number(v, 0)
}
