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
		t.Ranked = []int32{}
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
		slots := map[int]string{}
		for _, p := range in.Params {
			if p.Name == "" || p.Doc == "" {
				t.Errorf("%s: parameter %q is not documented", in.Name, p.Name)
			}
			if p.Kind == KindGains || p.Kind == KindList {
				continue
			}
			if other, ok := slots[p.slot]; ok {
				t.Errorf("%s: parameters %s and %s share a slot", in.Name, p.Name, other)
			}
			slots[p.slot] = p.Name
			if p.slot >= maxExtra || p.slot < slotJudged {
				t.Errorf("%s: parameter %s has slot %d", in.Name, p.Name, p.slot)
			}
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
