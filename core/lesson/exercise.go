package lesson

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/say"
)

// Levels is how many levels an exercise has: on the first the answer is chosen, on the others it is worked out; the
// last one is longer.
const Levels = 3

// Tolerance is how far a number may be from the right one.
const Tolerance = 0.005

// Generator makes exercises of one kind.
type Generator struct {
	Name, Title string
	Minutes     [Levels]float64                           // what one takes with a calculator, a level
	make        func(rng *rand.Rand, level int) *Exercise // nil where what was drawn is no good exercise
}

// Exercise is a question with one right answer.
type Exercise struct {
	Generator string
	Level     int
	Seed      string
	Question  string
	Given     []string // lines of what is given: lists of grades and the like
	Answer    float64
	Hint      string // how to go about it, without the figures; "" where an order is asked for
	Working   string // how the right answer comes about
	Wrong     []Mistake
	Kinds     kinds
	Options   []float64 // where the answer is chosen: the right one and those of the mistakes, ascending

	Order []int32 // grades that are to be put in an order that meets the Goals; nil where the answer is a number
	Goals []Goal
}

// Mistake is a wrong answer and how one comes to it.
type Mistake struct {
	Value float64
	Name  string // "divided by the retrieved instead of the relevant"
}

// kinds are the names of mistakes that have a number of their exercise in them, each with the name that it has over all
// exercises: "the first 4" is "the first k".
type kinds map[string]string

// name returns the name of a mistake with a number in it, and keeps its kind.
func (k kinds) name(before string, n int, after string) string {
	name := before + itoa(n) + after
	k[name] = before + "k" + after
	return name
}

// Kind is the mistake of a verdict without the numbers of the exercise, "" where none is known.
func (e *Exercise) Kind(v Verdict) string {
	if kind := e.Kinds[v.Mistake]; kind != "" {
		return kind
	}
	return v.Mistake
}

// Make makes the exercise of a seed, which may be any text: a student's number or name and the number of the exercise.
// The same seed gives the same exercise on every machine. It is nil where there is no such generator or level.
func Make(generator string, level int, seed string) *Exercise {
	i := slices.IndexFunc(Generators, func(g Generator) bool { return g.Name == generator })
	if i < 0 || level < 1 || level > Levels {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(generator + "\x00" + strconv.Itoa(level) + "\x00" + seed))
	// What is drawn is not always a good exercise: a mistake may happen to give the right answer. Then the next one is
	// drawn.
	for try := uint64(0); ; try++ {
		e := Generators[i].make(rand.New(rand.NewPCG(h.Sum64(), try)), level)
		if e == nil || e.Order == nil && !e.tidy() {
			continue
		}
		e.Generator, e.Level, e.Seed = generator, level, seed
		return e
	}
}

// tidy drops mistakes that cannot be told from the right answer or from each other, and reports whether at least two
// are left, the first among them: it is the one that the exercise is there for, and must not happen to give the right
// answer.
func (e *Exercise) tidy() bool {
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

// Verdict is what is said of an answer.
type Verdict struct {
	Right   bool
	Mistake string // the one that was made, "" where none is known
	Note    string // what an order is worth, "" of a number
}

// Check says whether a number answers the exercise.
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

// Solution is the worked solution, for those who do not find it.
func (e *Exercise) Solution() string {
	if e.Order != nil {
		return strings.ToUpper(e.Working[:1]) + e.Working[1:] + "."
	}
	return "It is " + e.Written(e.Answer) + ": " + e.Working + "."
}

// ReadAnswer reads a number as it is typed: "0.75", ".75", "0,75", "3/4".
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

// readNumber reads a number as people and say.Page write it, with a minus sign.
func readNumber(text string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(text, "−", "-"), 64)
}

// short writes a figure of an exercise, with three decimals at most.
func short(v float64) string {
	text := say.Plain.Number(v, 3)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// Written is a figure with three decimals.
func Written(v float64) string { return say.Page.Number(v, 3) }

// Written is a figure as the options show it: with three decimals, or with none where all of them are counts.
func (e *Exercise) Written(v float64) string {
	for _, o := range e.Options {
		if o != math.Trunc(o) {
			return Written(v)
		}
	}
	return say.Page.Number(v, 0)
}
