package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What gremlins v0.6.0 writes, shortened, with what became of it.
const someMutants = `{"go_module":"x","files":[{"file_name":"a.go","mutations":[
 {"type":"CONDITIONALS_BOUNDARY","status":"LIVED","line":2,"column":7},
 {"type":"CONDITIONALS_NEGATION","status":"KILLED","line":2,"column":7},
 {"type":"ARITHMETIC_BASE","status":"NOT COVERED","line":3,"column":4},
 {"type":"CONDITIONALS_BOUNDARY","status":"TIMED OUT","line":4,"column":9}]}],
 "mutants_killed":38,"mutants_total":50}`

func read(t *testing.T, text string) *mutants {
	t.Helper()
	var m mutants
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return &m
}

func TestWhyAMutantLivesStaysWithItsLine(t *testing.T) {
	m := read(t, someMutants)
	// 2 of 3, 3 of 4
	if c := m.tally(); c != (tally{Killed: 2, TimedOut: 1, Lived: 1, NotCovered: 1}) ||
		math.Abs(c.efficacy()-200./3) > 1e-9 || c.coverage() != 75 {
		t.Errorf("%+v: efficacy %v, coverage %v", c, c.efficacy(), c.coverage())
	}
	source := "package a\nif a < b || c {\n\tx+1\n\tcase x < 1:\n"
	at := func(string) (string, error) { return source, nil }
	doc, open, err := mutationText("", "core/a", m, at)
	if err != nil || open != 2 {
		t.Fatalf("%d open, %v:\n%s", open, err, doc)
	}
	if !strings.Contains(doc,
		"All 4 changes: 2 killed (1 by a time-out), 1 lived, 1 not covered, 0 did not compile. Efficacy 66.7 %, "+
			"coverage 75.0 %.\n") {
		t.Errorf("other figures:\n%s", doc)
	}
	doc = strings.Replace(doc, "{` | "+unexplained, "{` | equal values are the same", 1)
	source = "package a\n// moved down\n" + source[len("package a\n"):]
	for i := range m.Files[0].Mutations {
		m.Files[0].Mutations[i].Line++
	}
	doc, open, err = mutationText(doc, "core/a", m, at)
	if err != nil || open != 1 ||
		!strings.Contains(doc, "a.go:3:7 | conditionals boundary | `if a < b ¦¦ c {` | equal values are the same |") {
		t.Errorf("%d open, %v:\n%s", open, err, doc)
	}
	other, _, _ := mutationText(doc, "core/b", &mutants{}, at)
	if !strings.Contains(other, "## core/b\n\nAll 0 changes") ||
		!strings.HasPrefix(other, strings.TrimSuffix(doc, "\n")) {
		t.Errorf("another room changes the first:\n%s", other)
	}
	if again, _, _ := mutationText(other, "core/b", &mutants{}, at); again != other {
		t.Error("written twice it is another")
	}

	// Another sample has none of these mutants: what is known stays, until its line goes or a test notices it.
	sample := &mutants{Of: 50, Seed: 7,
		Files: []mutantFile{{"a.go", []mutant{{Type: "ARITHMETIC_BASE", Status: killed, Line: 4, Column: 4}}}}}
	doc, open, _ = mutationText(doc, "core/a", sample, at)
	if open != 0 || !strings.Contains(doc, "A sample, 1 of 50 changes, drawn with seed 7: 1 killed") ||
		!strings.Contains(doc, "Of earlier samples:") ||
		!strings.Contains(doc, "equal values are the same") || strings.Contains(doc, "x+1") {
		t.Errorf("%d open:\n%s", open, doc)
	}
	if again, _, _ := mutationText(doc, "core/a", sample, at); again != doc {
		t.Errorf("written twice it is another:\n%s", again)
	}
	source = strings.Replace(source, "a < b", "a < c", 1)
	if doc, _, _ = mutationText(doc, "core/a", sample, at); strings.Contains(doc, "equal values") {
		t.Errorf("the reason outlives its line:\n%s", doc)
	}

	m.Files[0].Mutations[0].Line = 99
	if _, _, err := mutationText(doc, "core/a", m, at); err == nil {
		t.Error("a line that is not there was read")
	}
}

// Reasons that people wrote replace those of the report, row by row, and reach rooms that the report lacks.
func TestCommittedReasonsExplainSurvivors(t *testing.T) {
	const table = "| place | change | line | why it lives |\n|---|---|---|---|\n"
	report := "# Mutants\n\n## core/a\n\n" + table + "| a.go:2:7 | conditionals boundary | `if a < b ¦¦ c {` | " +
		unexplained + " |\n"
	explained := "# Why\n\n## core/a\n\n" + table +
		"| a.go:9:7 | conditionals boundary | `if a < b ¦¦ c {` | the same |\n\n## core/b\n\n" + table +
		"| b.go:1:1 | arithmetic base | `x` | slower |\n"
	sections := strings.Split(explain(report, explained), "\n## ")
	if len(sections) != 3 {
		t.Fatalf("%d sections:\n%s", len(sections), explain(report, explained))
	}
	order, rows := reasons(sections[1])
	if len(order) != 1 || rows[order[0]].reason != "the same" {
		t.Errorf("%q, %v", order, rows)
	}
	if _, rows := reasons(sections[2]); rows["b.go | arithmetic base | `x`"].reason != "slower" {
		t.Errorf("%v", rows)
	}
	if _, err := os.Stat("../" + survivorsDoc); err != nil {
		t.Error(err)
	}
}

func TestFiguresStayThoseOfTheDraw(t *testing.T) {
	m := read(t, someMutants)
	m.Of, m.Seed, m.Drawn = 10, 3, &tally{Killed: 1, Lived: 2, NotCovered: 1}
	want := "A sample, 4 of 10 changes, drawn with seed 3: 1 killed (0 by a time-out), 2 lived, 1 not covered, 0 did " +
		"not compile." +
		" Efficacy 33.3 % (95 % interval 6.1 to 79.2 %), coverage 75.0 % (95 % interval 30.1 to 95.4 %)." +
		" Tests that were added since notice 1 of the 3 that lived or were not covered.\n"
	if got := outcome(m); got != want {
		t.Errorf("\n%s want\n%s", got, want)
	}
}

// Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 1998, Table I, method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		n, of     int
		low, high float64
	}{{81, 263, 25.53, 36.62}, {15, 148, 6.24, 16.05}, {0, 20, 0, 16.11}, {1, 29, 0.61, 17.18},
		{20, 20, 100 - 16.11, 100}, {0, 0, 0, 100}} {
		if low, high := wilson(c.n, c.of); math.Abs(low-c.low) > 0.0051 || math.Abs(high-c.high) > 0.0051 {
			t.Errorf("%d of %d: %.4f to %.4f, want %v to %v", c.n, c.of, low, high, c.low, c.high)
		}
	}
}

func TestASampleIsDrawnEvenly(t *testing.T) {
	all := func() *mutants {
		m := &mutants{}
		for f := range 3 {
			m.Files = append(m.Files, mutantFile{Name: fmt.Sprint(f)})
			for i := range 4 {
				m.Files[f].Mutations = append(m.Files[f].Mutations,
					mutant{Type: "ARITHMETIC_BASE", Status: runnable, Line: f, Column: i})
			}
		}
		return m
	}
	places := func(m *mutants) (out [][2]int) {
		for _, f := range m.Files {
			for _, x := range f.Mutations {
				out = append(out, [2]int{x.Line, x.Column})
			}
		}
		return out
	}
	// Each of 12 mutants is in a sample of 3 with probability 1/4: in 4,000 samples 1,000 times, standard deviation 27.
	times := map[[2]int]int{}
	for seed := range uint64(4000) {
		m := all()
		m.draw(3, seed)
		got := places(m)
		if len(got) != 3 || m.Of != 12 || m.Seed != seed || !slices.IsSortedFunc(got, func(a, b [2]int) int {
			return slices.Compare(a[:], b[:])
		}) {
			t.Fatalf("seed %d: %v of %d", seed, got, m.Of)
		}
		for _, x := range got {
			times[x]++
		}
		more := all()
		more.draw(5, seed)
		if have := places(more); len(have) != 5 || !slices.Contains(have, got[0]) || !slices.Contains(have, got[1]) ||
			!slices.Contains(have, got[2]) {
			t.Fatalf("seed %d: %v are not among %v", seed, got, have)
		}
	}
	if len(times) != 12 {
		t.Errorf("only %d are ever drawn", len(times))
	}
	for x, n := range times {
		if n < 865 || n > 1135 { // five standard deviations; the seeds are fixed
			t.Errorf("%v is drawn %d times of 4000, want about 1000", x, n)
		}
	}
	for _, n := range []int{0, 12, 13} {
		m := all()
		if m.draw(n, 1); m.Of != 0 || m.len() != 12 {
			t.Errorf("draw(%d) keeps %d and says it is a sample of %d", n, m.len(), m.Of)
		}
	}
}

func TestChanged(t *testing.T) {
	const source = "package a\nif a <= -b {\n\ti++\n}"
	for _, c := range []struct {
		name         string
		kind         string
		line, column int
		want         string // "" for an error
	}{
		{"bound", "CONDITIONALS_BOUNDARY", 2, 6, "package a\nif a < -b {\n\ti++\n}"},
		{"negation", "CONDITIONALS_NEGATION", 2, 6, "package a\nif a > -b {\n\ti++\n}"},
		{"minus", "ARITHMETIC_BASE", 2, 9, "package a\nif a <= +b {\n\ti++\n}"},
		{"count", "INCREMENT_DECREMENT", 3, 3, "package a\nif a <= -b {\n\ti--\n}"},
		{"no operator there", "ARITHMETIC_BASE", 2, 4, ""},
		{"another kind", "INCREMENT_DECREMENT", 2, 6, ""},
		{"no such line", "ARITHMETIC_BASE", 5, 1, ""},
		{"no such column", "ARITHMETIC_BASE", 4, 9, ""},
	} {
		got, err := changed([]byte(source), mutant{Type: c.kind, Line: c.line, Column: c.column})
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestQuickTestsComeFirst(t *testing.T) {
	out := "=== RUN   TestA\n    --- PASS: TestA/b (9.00s)\n--- PASS: TestA (0.10s)\n--- PASS: TestLong (2.00s)\n--- " +
		"SKIP: TestB (0.00s)\n--- PASS: ExampleC (0.50s)\nPASS\n"
	parts := inParts(out)
	if len(parts) != 2 || parts[0].limit != 11*time.Second || parts[1].limit != 35*time.Second ||
		fmt.Sprint(parts[0].args, parts[1].args) != "[-test.skip ^(TestLong|ExampleC)$] [-test.run "+
			"^(TestLong|ExampleC)$]" {
		t.Errorf("%+v", parts)
	}
	if parts := inParts("--- PASS: TestA (0.10s)\n"); len(parts) != 1 || parts[0].args != nil {
		t.Errorf("without a long test: %+v", parts)
	}
}

// A minus is listed as arithmetic and as a sign, with one change, and the files in any order.
func TestAMinusCountsOnce(t *testing.T) {
	m := &mutants{Files: []mutantFile{
		{"b.go", []mutant{{Type: "ARITHMETIC_BASE", Line: 2, Column: 1}, {Type: "INVERT_NEGATIVES", Line: 1, Column: 9},
			{Type: "INVERT_NEGATIVES", Line: 1, Column: 2}, {Type: "ARITHMETIC_BASE", Line: 1, Column: 2}}},
		{"a.go", []mutant{{Type: "CONDITIONALS_NEGATION", Line: 7, Column: 1},
			{Type: "CONDITIONALS_BOUNDARY", Line: 7, Column: 1}}}}}
	m.once()
	got := ""
	for _, f := range m.Files {
		for _, x := range f.Mutations {
			got += fmt.Sprintf("%s:%d:%d %s\n", f.Name, x.Line, x.Column, x.Type)
		}
	}
	if want := "a.go:7:1 CONDITIONALS_BOUNDARY\na.go:7:1 CONDITIONALS_NEGATION\nb.go:1:2 ARITHMETIC_BASE\nb.go:1:9 " +
		"INVERT_NEGATIVES\nb.go:2:1 ARITHMETIC_BASE\n"; got != want {
		t.Errorf("%s want\n%s", got, want)
	}
}

// A room with a test of one of its three lines: what is run is noticed, what is not lives, what hangs or does not
// compile is none of both.
func TestMutantsMeetTheTests(t *testing.T) {
	p := newProject(t.TempDir(), io.Discard)
	for name, text := range map[string]string{
		"go.mod": "module x\n\ngo 1.26\n",
		"a/a.go": "package a\n\nfunc Less(a, b int) bool { return a < b }\n\nfunc Name(a string) string { return a + " +
			"a }\n\nconst Top = 2 + 1\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestLess(t *testing.T) {\n\tif Less(2, 1) " +
			"{\n\t\tt.Error(\"2 < 1\")\n\t}\n" +
			"\tif Top != 3 {\n\t\tt.Error(Top)\n\t}\n}\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(p.path(name)), 0o755),
			os.WriteFile(p.path(name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	all := func() *mutants {
		return &mutants{Files: []mutantFile{{"a.go", []mutant{
			{"CONDITIONALS_NEGATION", runnable, 3, 37, 1, false}, {"CONDITIONALS_BOUNDARY", runnable, 3, 37, 0, false},
			{"ARITHMETIC_BASE", notCovered, 5, 39, 3, false}, {"ARITHMETIC_BASE", notCovered, 7, 15, 2, false}}}}}
	}
	status := func(m *mutants) (out []string) {
		for _, x := range m.Files[0].Mutations {
			out = append(out, x.Status)
		}
		return out
	}
	want := []string{killed, lived, notViable, killed}

	// Interrupted after the first two of the draw: those are kept, and only the others are run then.
	m, stop, saved := all(), errors.New("stopped"), 0
	if err := runMutants(t.Context(), p, "a", m, &mutants{}, 1, func() error {
		if saved++; saved == 2 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) || !slices.Equal(status(m), []string{killed, lived, notCovered, notCovered}) {
		t.Fatalf("interrupted: %v, %v", err, status(m))
	}
	half, saved := m, 0
	m = all()
	if err := runMutants(t.Context(), p, "a", m, half, 2, func() error { saved++; return nil }); err != nil ||
		saved != 2 || !slices.Equal(status(m), want) {
		t.Errorf("%d run, %v, %v, want %v", saved, err, status(m), want)
	}

	// With a test that knows the bound, only what lived is run again, and what it was when drawn is known.
	add := "package a\n\nimport \"testing\"\n\nfunc TestEqual(t *testing.T) {\n\tif Less(2, 2) {\n\t\tt.Error(\"2 < " +
		"2\")\n\t}\n}\n"
	if err := os.WriteFile(p.path("a/b_test.go"), []byte(add), 0o644); err != nil {
		t.Fatal(err)
	}
	saved = 0
	m.again()
	if err := runMutants(t.Context(), p, "a", m, m, 1, func() error { saved++; return nil }); err != nil ||
		saved != 1 || m.tally() != (tally{Killed: 3, NotViable: 1}) ||
		*m.Drawn != (tally{Killed: 2, Lived: 1, NotViable: 1}) {
		t.Errorf("again: %d run, %v, %+v, drawn %+v", saved, err, m.tally(), m.Drawn)
	}

	// Other tests: nothing is known.
	m, saved = all(), 0
	if err := runMutants(t.Context(), p, "a", m, half, 3, func() error { saved++; return nil }); err != nil ||
		saved != 4 || m.tally() != (tally{Killed: 3, NotViable: 1}) {
		t.Errorf("other tests: %d run, %v, %+v", saved, err, m.tally())
	}
}
