package lesson

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A thousand seeds for each generator and level: one right answer, and at least two mistakes that differ from it
// and from each other.
func TestEverySeedMakesAGoodExercise(t *testing.T) {
	for _, g := range Generators {
		if g.Name == "order" {
			continue // its answer is an order: see TestEveryOrderThatMeetsTheConditionsIsRight
		}
		t.Run(g.Name, func(t *testing.T) {
			different := map[string]bool{}
			for level := 1; level <= Levels; level++ {
				for i := range 1000 {
					seed := "student " + strconv.Itoa(i)
					e := Make(g.Name, level, seed)
					if e.Question == "" || len(e.Given) == 0 || e.Working == "" || math.IsNaN(e.Answer) {
						t.Fatalf("%+v", e)
					}
					if n := len(strings.Fields(e.Hint)); n < 6 || n > 40 || strings.HasSuffix(e.Hint, ".") ||
						!strings.HasPrefix(e.Solution(), "It is "+e.Written(e.Answer)+": ") {
						t.Fatalf("hint %q, solution %q", e.Hint, e.Solution())
					}
					if v := e.Check(e.Answer); !v.Right {
						t.Fatalf("the right answer is not: %+v", e)
					}
					// an answer typed with three decimals is right, too
					typed, ok := ReadAnswer(Written(e.Answer))
					if !ok || !e.Check(typed).Right {
						t.Fatalf("%s typed is not right: %+v", Written(e.Answer), e)
					}
					if len(e.Wrong) < 2 || len(e.Wrong) > 3 || len(e.Options) != len(e.Wrong)+1 {
						t.Fatalf("%+v", e)
					}
					seen := map[string]bool{}
					right := 0
					for _, o := range e.Options {
						if seen[Written(o)] {
							t.Fatalf("two options are %s: %+v", Written(o), e)
						}
						seen[Written(o)] = true
						if e.Check(o).Right {
							right++
						}
					}
					if right != 1 {
						t.Fatalf("%d options are right: %+v", right, e)
					}
					for _, m := range e.Wrong {
						if v := e.Check(m.Value); v.Right || v.Mistake != m.Name {
							t.Fatalf("%q is taken for %q: %+v", m.Name, v.Mistake, e)
						}
						if !strings.Contains(e.Says(e.Check(m.Value)), m.Name) {
							t.Fatalf("the feedback does not name %q", m.Name)
						}
					}
					again := Make(g.Name, level, seed)
					if again.Answer != e.Answer || strings.Join(again.Given, "\n") != strings.Join(e.Given, "\n") {
						t.Fatal("the same seed makes another exercise")
					}
					different[e.Question+strings.Join(e.Given, "\n")] = true
				}
			}
			if len(different) < 400 {
				t.Errorf("only %d different ones in 3,000", len(different))
			}
		})
	}
}

// On each of its levels, some student makes every mistake that a generator names. It is recognised as typed and as
// the class counts it, and has its own feedback. The lessons define the exercises; names of mistakes omit the
// student's figures.
func TestEveryNamedMistakeIsReachedAndAnswered(t *testing.T) {
	files, err := filepath.Glob("../../../site/lessons/*/lesson*.md")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d lessons: %v", len(files), err)
	}
	checked := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asked := regexp.MustCompile(`(?m)^!exercise (\w+) (\d)$`).FindAllStringSubmatch(string(text), -1)
		if len(asked) < 2 {
			t.Errorf("%s has %d exercises", file, len(asked))
		}
		for _, a := range asked {
			checked[a[1]+" "+a[2]] = true
		}
	}
	for _, g := range Generators { // the exercises that a class may have
		for level := 1; level <= Levels; level++ {
			checked[g.Name+" "+strconv.Itoa(level)] = true
		}
	}
	for what := range checked {
		t.Run(what, func(t *testing.T) {
			name, l, _ := strings.Cut(what, " ")
			level, _ := strconv.Atoi(l)
			if name == "order" {
				ordersAreToldApart(t, level)
				return
			}
			g := Generators[slices.IndexFunc(Generators, func(g Generator) bool { return g.Name == name })]
			named, reached := map[string]bool{}, map[string]string{}
			for i := range 500 {
				if raw := g.make(rand.New(rand.NewPCG(uint64(i), 1)), level); raw != nil {
					for _, m := range raw.Wrong {
						named[raw.Kind(Verdict{Mistake: m.Name})] = true
					}
				}
				e := Make(name, level, "student "+strconv.Itoa(i))
				said := map[string]bool{e.Says(e.Check(e.Answer)): true, e.Says(Verdict{}): true}
				for _, m := range e.Wrong {
					typed, ok := ReadAnswer(Written(m.Value))
					v := e.Check(typed)
					if !ok || v.Right || v.Mistake != m.Name || e.CheckEntry(Entry(typed)) != v {
						t.Fatalf("%s typed is taken for %+v: %q in %+v", Written(m.Value), v, m.Name, e)
					}
					says := e.Says(v)
					if said[says] || !strings.HasPrefix(says, "Not yet. You seem to have ") {
						t.Fatalf("%q is answered with %q", m.Name, says)
					}
					said[says] = true
					reached[e.Kind(v)] = says
				}
			}
			for n := range named {
				if reached[n] == "" {
					t.Errorf("nobody of 500 can have %s", n)
				}
			}
			if len(named) < 3 {
				t.Errorf("%d mistakes have a name", len(named))
			}
		})
	}
}

// ordersAreToldApart hands in random orders: each of the three kinds of wrong orders occurs, with its measures.
func ordersAreToldApart(t *testing.T, level int) {
	rng := rand.New(rand.NewPCG(1, 2))
	reached := map[string]bool{}
	for i := range 200 {
		e := Make("order", level, "student "+strconv.Itoa(i))
		v := e.CheckOrder(rng.Perm(len(e.Order)))
		if says := e.Says(v); !v.Right && says != "Not yet. You have "+v.Mistake+": "+v.Note+"." || v.Note == "" {
			t.Fatalf("%+v is answered with %q", v, says)
		}
		reached[v.Mistake] = true
	}
	if len(reached) != 4 || !reached[""] {
		t.Errorf("reached %v", reached)
	}
}

// The exercises also compute values without the registry, for explanations and mistakes. Both must agree to the
// three decimals of the text. These are the exercises whose working ends in the answer.
func TestWhatIsExplainedIsTheAnswer(t *testing.T) {
	for _, name := range []string{"err", "iprec"} {
		for i := range 200 {
			e := Make(name, 2, strconv.Itoa(i))
			at := strings.LastIndex(e.Working, ", ")
			if v, err := strconv.ParseFloat(e.Working[at+2:], 64); err != nil || math.Abs(v-e.Answer) > 2e-3 {
				t.Fatalf("%s: %q ends in another value than %v", name, e.Working, e.Answer)
			}
		}
	}
	worked := func(e *Exercise) float64 {
		v, err := calc(strings.ReplaceAll(e.Working, " ", ""))
		if err != nil {
			t.Error(err)
		}
		return v
	}
	fractions := map[string]func(e *Exercise) float64{
		"precision": func(e *Exercise) float64 { return last(t, e.Working) },
		"cutoff": func(e *Exercise) float64 {
			a, b, _ := strings.Cut(e.Working, " - ")
			return last(t, a) - last(t, b)
		},
		"ap": func(e *Exercise) float64 {
			inner, rest, _ := strings.Cut(strings.TrimPrefix(e.Working, "("), ") / ")
			sum := 0.0
			for _, f := range strings.Split(inner, " + ") {
				sum += last(t, f)
			}
			n, _, _ := strings.Cut(rest, " ")
			return sum / last(t, n+"/1")
		},
		"holes": func(e *Exercise) float64 { return last(t, e.Working) },
		"ndcg": func(e *Exercise) float64 {
			f := strings.Fields(e.Working)
			a, _ := strconv.ParseFloat(f[1], 64)
			return a / last(t, f[len(f)-1]+"/1")
		},
		"alarm": func(e *Exercise) float64 { // the computation in the lesson's text
			v, err := calc(strings.ReplaceAll(strings.ReplaceAll(e.Working, "−", "-"), " ", ""))
			if err != nil {
				t.Error(err)
			}
			return v
		},
		"tfidf":   worked,
		"rrf":     worked,
		"probe":   worked,
		"expand":  worked,
		"nuggets": worked,
		"merge": func(e *Exercise) float64 { // counts those that it writes out
			return float64(1 + strings.Count(e.Working, ", "))
		},
		"flips": func(e *Exercise) float64 {
			f := strings.Fields(e.Working)
			return last(t, f[0]+"/"+f[2])
		},
	}
	for name, value := range fractions {
		for i := range 200 {
			e := Make(name, 2, strconv.Itoa(i))
			if v := value(e); math.Abs(v-e.Answer) > 2e-3 {
				t.Fatalf("%s: %q makes %v, the answer is %v", name, e.Working, v, e.Answer)
			}
		}
	}
}

// last returns the fraction at the end of a text.
func last(t *testing.T, s string) float64 {
	t.Helper()
	v, ok := ReadAnswer(s[strings.LastIndexAny(s, " (")+1:])
	if !ok {
		t.Fatalf("%q ends in no fraction", s)
	}
	return v
}

// By hand: 1 0 1 with one more relevant document that was not retrieved: (1/1 + 2/3) / 3 = 0.5556; dividing by the
// two retrieved ones gives 0.8333.
func TestAnswersAreReadAndMistakesNamed(t *testing.T) {
	e := &Exercise{Answer: 5.0 / 9, Working: "w", Wrong: []Mistake{{5.0 / 6, "divided by the retrieved"},
		{1.0 / 3, "taken another"}}}
	if !e.dropClose() {
		t.Fatal("no good exercise")
	}
	for text, want := range map[string]Verdict{"0.556": {Right: true}, "5/9": {Right: true}, "0,5556": {Right: true},
		".56": {Right: true}, "0.83": {Mistake: "divided by the retrieved"}, "0.7": {}} {
		v, ok := ReadAnswer(text)
		if got := e.Check(v); !ok || got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"", "x", "1/0", "NaN", "0/0"} {
		if v, ok := ReadAnswer(text); ok {
			t.Errorf("%q is read as %v", text, v)
		}
	}
	if Make("nothing", 1, "s") != nil || Make("ap", 9, "s") != nil {
		t.Error("an exercise that there is not")
	}
}

// FuzzReadAnswer: any text gives a finite number or none, and every notation of a number parses to it: with a
// comma, as a fraction of 1, with a typographic minus.
func FuzzReadAnswer(f *testing.F) {
	for _, s := range []string{"0.75", ".75", "0,75", " 3/4 ", "−1", "1/0", "0/0", "1e400", "NaN", "inf/inf", "1/2/3",
		"0x1p-2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := ReadAnswer(text)
		if !ok {
			return
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%q is %v", text, v)
		}
		for _, again := range []string{strconv.FormatFloat(v, 'g', -1, 64),
			strings.Replace(strconv.FormatFloat(v, 'f', -1, 64), ".", ",", 1), strconv.FormatFloat(v, 'g', -1, 64) +
				" / 1",
			strings.ReplaceAll(strconv.FormatFloat(v, 'g', -1, 64), "-", "−")} {
			if w, ok := ReadAnswer(again); !ok || w != v {
				t.Fatalf("%q is %v, %q is %v", text, v, again, w)
			}
		}
	})
}

// Counts have no decimals and shares three, even if an option happens to be whole.
func TestFiguresAreWrittenAsTheOptionsNeedIt(t *testing.T) {
	for _, c := range []struct {
		options []float64
		v       float64
		want    string
	}{{[]float64{7, 12, 28}, 12, "12"}, {[]float64{0.5, 1, 2}, 1, "1.000"}, {[]float64{-1, 3}, -1, "−1"}} {
		if got := (&Exercise{Options: c.options}).Written(c.v); got != c.want {
			t.Errorf("%v among %v: %s, want %s", c.v, c.options, got, c.want)
		}
	}
	if e := Make("merge", 1, "1"); strings.Contains(e.Solution(), ".000") {
		t.Error(e.Solution())
	}
}
