package golden

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const edited = `name: All keys
results: {url: "http://localhost/?q={query}", headers: {A: "b: c"}, list: hits, timeout: 3s}
top: 20
within: 5
require: all
measures: [AP]
gates: ["AP>=0.5"]
sure: true
baseline: b.rankbox
threshold: 5%
queries:
  - {query: one, id: q1, expect: {d1: 1, "d: 2": 3}, forbid: [x], concepts: [link, "e-mail"], min_score: 0.5, within: 3}
  - {query: two, expect: [], require: any}
`

func readText(t *testing.T, text string) *Set {
	t.Helper()
	n, err := ParseText("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read("x.yaml", n)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWhatIsWrittenIsReadAgain: no key is lost on the way.
func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	set := readText(t, edited)
	var b bytes.Buffer
	if err := Write(&b, set); err != nil {
		t.Fatal(err)
	}
	again := readText(t, b.String())
	for _, s := range []*Set{set, again} { // lines differ, and NaN differs from itself
		s.Results.Line = 0
		for i := range s.Queries {
			s.Queries[i].Line = 0
			if s.Queries[i].MinScore != s.Queries[i].MinScore {
				s.Queries[i].MinScore = -1
			}
		}
	}
	if !reflect.DeepEqual(set, again) {
		t.Errorf("%+v\n%+v\n%s", set, again, b.String())
	}
	bare := readText(t, "- {question: q, expected_ids: [d]}\n")
	b.Reset()
	if err := Write(&b, bare); err != nil {
		t.Fatal(err)
	}
	if s := readText(t, b.String()); len(s.Queries) != 1 || s.Queries[0].Expected[0].Doc != "d" {
		t.Errorf("%s", b.String())
	}
}

func TestEdits(t *testing.T) {
	set := readText(t, edited)
	got, err := set.Edited([]Edit{{"q1", "d1", 2}, {"q1", "x", 1}, {"q1", "d: 2", -1}, {"two", "n", 0},
		{"two", "never there", -1}})
	if err != nil {
		t.Fatal(err)
	}
	if q := got.Queries[0]; !slices.Equal(q.Expected, []Grade{{"d1", 2}, {"x", 1}}) || len(q.Forbidden) != 0 {
		t.Errorf("%+v", q)
	}
	if q := got.Queries[1]; !slices.Equal(q.Expected, []Grade{{"n", 0}}) {
		t.Errorf("%+v", q)
	}
	if q := set.Queries[0]; !slices.Equal(q.Expected, []Grade{{"d1", 1}, {"d: 2", 3}}) || len(q.Forbidden) != 1 {
		t.Errorf("the set itself was changed: %+v", q)
	}
	for _, e := range []Edit{{"none", "d", 1}, {"q1", "", 1}, {"q1", "d", 101}, {"q1", "d", -2}} {
		if _, err := set.Edited([]Edit{e}); err == nil {
			t.Errorf("%+v is taken", e)
		}
	}
}

// TestYAMLBeyondTheSubsetIsRefusedByItsLine: what the page cannot read, it says.
func TestYAMLBeyondTheSubsetIsRefusedByItsLine(t *testing.T) {
	for text, says := range map[string]string{
		"a: &x 1":            "line 1: a value begins with &",
		"a: 1\nb: |\n  c\n":  "line 2: a value begins with |",
		"a: b\n  c\n":        "line 2: a value goes on over several lines",
		"a: [b\n c]\n":       "line 1: a comma or ] is missing",
		"a: 1\n\tb: 2\n":     "line 2: the indentation has a tab",
		"a: 1\na: 2\n":       `line 2: key "a" is that of line 1 again`,
		"a: 'x\n":            "line 1: the quotes are not closed",
		"a: b: c\n":          "line 1: a text holds a colon and a blank",
		"a: 1\n---\nb: 1\n":  "line 2: a golden set is one document",
		"":                   "it is empty",
		"a: \"\\q\"\n":       "is no escape",
		"- a\n b: c\n":       "line 2",
		"a: {b: 1, b: 2}\n":  "comes twice",
		"a: [b: c]\n":        "needs braces",
		"a:\n  - b\n c: d\n": "line 3",
		"a: \"\\ud800\"":     "is no character",
	} {
		if _, err := ParseText("x.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}
