package measure

import (
	"math"
	"testing"
)

// close reports whether a and b differ by at most 1e-9, the tolerance against tools that compute in double precision.
func isNear(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

func mustParse(t testing.TB, s string) Measure {
	t.Helper()
	m, err := Parse(s)
	if err != nil {
		t.Fatalf("Parse(%q): %v", s, err)
	}
	return m
}

// topicOf builds the topic of a worked example.
func topicOf(e Example) *Topic {
	t := &Topic{Query: "example", Ranked: e.Ranked, Judged: e.Judged, Subtopics: e.Subtopics,
		Preferences: e.Preferences}
	if t.Ranked == nil {
		t.Ranked = []float64{}
	}
	if t.Judged == nil {
		for _, g := range e.Ranked {
			if g != Unjudged {
				t.Judged = append(t.Judged, g)
			}
		}
	}
	return t
}

func TestEveryEntryIsDocumented(t *testing.T) {
	seen := map[string]string{}
	for _, in := range All() {
		if in.Name == "" || in.Title == "" || in.Brief == "" || in.Group == "" || in.Formula == "" ||
			in.Reference == "" || in.score == nil {
			t.Errorf("%s: entry is incomplete", in.Name)
		}
		if in.Low > in.High || in.Low == 0 && in.High == 0 {
			t.Errorf("%s: range is not stated", in.Name)
		}
		if in.Example.Measure == "" || in.Example.Working == "" {
			t.Errorf("%s: no worked example", in.Name)
		}
		if prev, ok := seen[in.Name]; ok {
			t.Errorf("name %s of %s is taken by %s", in.Name, in.Name, prev)
		}
		seen[in.Name] = in.Name
		places := map[int]string{}
		for _, p := range in.Params {
			if p.Name == "" || p.Doc == "" {
				t.Errorf("%s: parameter %q is not documented", in.Name, p.Name)
			}
			if p.Kind == KindGains || p.Kind == KindList {
				continue
			}
			if other, ok := places[p.place]; ok {
				t.Errorf("%s: parameters %s and %s have one place", in.Name, p.Name, other)
			}
			places[p.place] = p.Name
		}
	}
	for _, in := range All() {
		for _, a := range in.Aliases {
			if prev, ok := seen[a.Name]; ok && prev != in.Name {
				t.Errorf("alias %s of %s is taken by %s", a.Name, in.Name, prev)
			}
			seen[a.Name] = in.Name
		}
	}
}

func TestWorkedExamples(t *testing.T) {
	for _, in := range All() {
		e := in.Example
		m := mustParse(t, e.Measure)
		if m.Info() != in {
			t.Errorf("%s: example %s is another measure", in.Name, e.Measure)
		}
		if m.String() != e.Measure {
			t.Errorf("%s: example is spelled %s, canonical %s", in.Name, e.Measure, m)
		}
		if got := m.Score(topicOf(e)); math.Abs(got-e.Value) > 1e-12 {
			t.Errorf("%s: example gives %v, entry says %v (%s)", e.Measure, got, e.Value, e.Working)
		}
	}
}

// Every numeric parameter is read by name. Reading an unknown name panics.
func TestFloatReadsParametersByName(t *testing.T) {
	for notation, want := range map[string]map[string]float64{
		"RBP(p=0.95,max_rel=3)@10":    {"p": 0.95, "max_rel": 3, "cutoff": 10},
		"nDCG(dcg='exp-log2')@5":      {"dcg": 1, "cutoff": 5},
		"nDCG@5":                      {"dcg": 0, "judged_only": 0},
		"P(rel=2,judged_only=True)@7": {"rel": 2, "judged_only": 1},
		"utility(a=3,d=-2)":           {"a": 3, "b": -1, "c": 0, "d": -2, "docs": 0},
		"INST(T=2,min_rel=1)":         {"T": 2, "min_rel": 1},
	} {
		m := mustParse(t, notation)
		for name, v := range want {
			if got := m.Float(name); got != v {
				t.Errorf("%s: %s is %v, want %v", notation, name, got, v)
			}
		}
	}
	defer func() {
		if r := recover(); r != "measure: AP has no parameter p" {
			t.Errorf("a missing parameter: %v", r)
		}
	}()
	ap := mustParse(t, "AP")
	ap.Float("p")
}
