package golden

import (
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"
)

// swept is a set whose queries without an answer have these best scores, and whose queries with one find it at those.
func swept(without, with []float64) (*Set, *Found) {
	s := &Set{Within: 10, Require: Any}
	f := &Found{Answers: map[string]Answer{}}
	for i, v := range without {
		q := newQuery(0)
		q.ID, q.Nothing = "n"+strconv.Itoa(i), true
		s.Queries = append(s.Queries, q)
		f.Answers[q.ID] = Answer{Results: []Result{{Doc: "x", Score: v}, {Doc: "y", Score: v - 1}}}
	}
	for i, v := range with {
		q := newQuery(0)
		q.ID, q.Expected = "a"+strconv.Itoa(i), []Grade{{"d", 1}}
		s.Queries = append(s.Queries, q)
		f.Answers[q.ID] = Answer{Results: []Result{{Doc: "z", Score: v + 1}, {Doc: "d", Score: v}}}
	}
	return s, f
}

// By hand: of best scores 1, 2, 3 without and 2.5, 4 with an answer, a threshold of 2.5 lets one false positive through
// and loses nothing; 3 of 10 is the only risk that 3 queries allow: ⌈4 × 0.7⌉ = 3, so it lies above 3, and loses 2.5.
func TestSweepOfThresholds(t *testing.T) {
	s, f := swept([]float64{3, 1, 2}, []float64{2.5, 4})
	w := s.Sweep(f)
	if w == nil || w.Without != 3 || w.With != 2 || len(w.Rows) != 5 {
		t.Fatalf("%+v", w)
	}
	if got := w.Rows[2]; got != (Threshold{2.5, 1, 2}) {
		t.Errorf("%+v", got)
	}
	if w.Risk != 0.3 || w.Guaranteed != (Threshold{3.5, 0, 1}) {
		t.Errorf("%v %+v", w.Risk, w.Guaranteed)
	}
	if got := strings.Join(w.Lines(), "\n"); !strings.Contains(got, "  2.5  1 of 3  2 of 2\n") ||
		!strings.Contains(got, "score_threshold 3.5 at most 30 %") {
		t.Errorf("%s", got)
	}
	if s, f = swept([]float64{3, 1}, nil); !math.IsNaN(s.Sweep(f).Guaranteed.Score) {
		t.Error("two queries promise something")
	}
	if s, f = swept(nil, []float64{1}); s.Sweep(f) != nil {
		t.Error("a sweep without a query that has no answer")
	}
}

// The promise holds: of 4,000 sets of 19 queries, a twentieth one exceeds the threshold in 5 % at most (the exact share
// for continuous scores is 1/20), within three standard errors of .0034; heavy tails and ties do not matter.
func TestPromiseOfThresholdHolds(t *testing.T) {
	rnd := rand.New(rand.NewSource(8))
	for name, draw := range map[string]func() float64{
		"skewed": func() float64 { return math.Exp(rnd.NormFloat64()) },
		"ties":   func() float64 { return float64(rnd.Intn(4)) },
	} {
		broken := 0
		const sets = 4000
		for range sets {
			scores := make([]float64, 19)
			for i := range scores {
				scores[i] = draw()
			}
			s, f := swept(scores, []float64{50, 60})
			if w := s.Sweep(f); w.Risk != 0.05 {
				t.Fatalf("%+v", w)
			} else if draw() >= w.Guaranteed.Score {
				broken++
			}
		}
		if share := float64(broken) / sets; share > 0.05+3*0.0034 {
			t.Errorf("%s: %v of new queries get an answer", name, share)
		}
	}
}

// What teams expect of a search: nothing, an order, counts, a latency, and no document that must not be found.
func TestWhatTeamsExpect(t *testing.T) {
	text := `results: {file: r}
score_threshold: 2
queries:
  - {query: nothing, expect: none}
  - {query: too high, expect: none}
  - {query: own threshold, expect: none, score_threshold: 6}
  - {query: star, forbid: ["*"]}
  - {query: zero, max_results: 0}
  - {query: order, above: [a, b, c]}
  - {query: wrong order, above: [c, a]}
  - {query: no order, above: [x, y]}
  - {query: many, min_results: 2, max_results: 3}
  - {query: more, min_results: 4}
  - {query: fewer, max_results: 1}
  - {query: fast, max_latency: 200ms}
  - {query: slow, max_latency: 0.05s}
  - {query: unwanted, expect: [b], require: none}
  - {query: unwanted there, expect: [a], require: none}
  - {query: pool, expect: [c], within: 1, candidates: [c, e]}
`
	n, err := ParseText("g.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read("g.yaml", n)
	if err != nil {
		t.Fatal(err)
	}
	f := &Found{Answers: map[string]Answer{}}
	for _, q := range s.Queries {
		f.Answers[q.ID] = Answer{Millis: 100, Results: []Result{{Doc: "a", Score: 5}, {Doc: "b", Score: 3}, {Doc: "c", Score: 1}}}
	}
	f.Answers["nothing"] = Answer{Results: []Result{{Doc: "a", Score: 1.9}}}
	f.Answers["zero"] = Answer{}
	f.Answers["unwanted"] = Answer{Results: []Result{{Doc: "c", Score: 2}}}
	s.Pool(f)
	got, err := s.Expectations(f)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"too high":       `it should find nothing, but result 1, "a", has the score 5, at least 2`,
		"star":           `it should find nothing, but result 1, "a", has the score 5, at least 2`,
		"wrong order":    `"c" is result 3, below "a" at 1`,
		"no order":       `neither "x" nor "y" is found, so that their order is not known`,
		"more":           `it has 3 results, fewer than 4`,
		"fewer":          `it has 3 results, more than 1`,
		"slow":           `it took 100 ms, more than 50 ms`,
		"unwanted there": `forbidden document "a" is result 1`,
	}
	for _, e := range got {
		if why := strings.Join(e.Reasons, "; "); why != want[e.Query] {
			t.Errorf("%s: %q, want %q", e.Query, why, want[e.Query])
		}
	}
	if len(got) != len(s.Queries) {
		t.Errorf("%d of %d queries expect something", len(got), len(s.Queries))
	}
	if q := s.Qrels(); q.Len() != 1 { // of the pool alone: what is unwanted is judged nowhere
		t.Errorf("%d judgments", q.Len())
	}
	// written and read again it is the same
	var b strings.Builder
	if err := Write(&b, s); err != nil {
		t.Fatal(err)
	}
	n, err = ParseText("g.yaml", []byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	again, err := Read("g.yaml", n)
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	list, err := again.Expectations(f)
	if err != nil || len(list) != len(got) {
		t.Fatal(err, len(list))
	}
	for i, e := range list {
		if strings.Join(e.Reasons, ";") != strings.Join(got[i].Reasons, ";") {
			t.Errorf("%s: %v, was %v", e.Query, e.Reasons, got[i].Reasons)
		}
	}
}

// A forbidden document that does not exist, or a search without any result, passes nothing.
func TestForbidCannotPassVacuously(t *testing.T) {
	q := newQuery(0)
	q.ID, q.Forbidden = "q", []string{"gohst.md"}
	s := &Set{Within: 10, Require: Any, Queries: []Query{q}}
	f := &Found{Answers: map[string]Answer{"q": {Results: []Result{{Doc: "a.md"}}}},
		Known: func(d string) bool { return d != "gohst.md" }, Docs: []string{"a.md", "ghost.md"}}
	for name, c := range map[string]struct {
		found *Found
		want  string
	}{
		"no such document": {f, `forbidden document "gohst.md" does not exist, so that it cannot be found; did you mean "ghost.md"?`},
		"no result at all": {&Found{Answers: map[string]Answer{}}, "no query has a result"},
		"nobody knows":     {&Found{Answers: f.Answers}, ""},
	} {
		got, err := s.Expectations(c.found)
		if err != nil || len(got) != 1 || !strings.HasPrefix(strings.Join(got[0].Reasons, ";"), c.want) ||
			c.want == "" && len(got[0].Reasons) > 0 {
			t.Errorf("%s: %v %+v", name, err, got)
		}
	}
	if got := s.Vacuous(&Found{Answers: f.Answers}); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// "é" as one character and as e with a mark are one letter to people; nothing else is taken for another form.
func TestIDsInAnotherUnicodeForm(t *testing.T) {
	nfc, nfd := "caf\u00e9-men\u00fc.md", "cafe\u0301-menu\u0308.md"
	for _, c := range []struct {
		a, b string
		want bool
	}{{nfc, nfd, true}, {nfd, nfc, true}, {nfc, nfc, false}, {"cafe-menu.md", nfc, false}, {nfc, "cafe\u0301-menu.md", false},
		{"\u00e9", "e\u0301x", false}} {
		if got := otherForm(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
	q := newQuery(0)
	q.ID, q.Expected = "q", []Grade{{nfc, 1}}
	s := &Set{Within: 10, Require: Any, Queries: []Query{q}}
	if s.Resolve([]string{"a.md", nfd}); s.Queries[0].Expected[0].Doc != nfd || len(s.Warnings) != 1 ||
		!strings.Contains(s.Warnings[0].Message, "another Unicode form") {
		t.Errorf("%+v %+v", s.Queries[0].Expected, s.Warnings)
	}
}

// One line of JSON Lines is a golden set as two are.
func TestOneLineIsAGoldenSet(t *testing.T) {
	for _, line := range []string{
		`{"query":"ferry","expected_ids":["d1"],"retrieved_ids":["d2","d1"]}`,
		`{"user_input":"x","retrieved_context_ids":["a"],"reference_context_ids":["a"]}`,
		`{"query":"ferry","expect":["d1"]}`,
		`{"inputs":{"question":"ferry"},"outputs":{"document_ids":["d1"]}}`,
		`{"vars":{"query":"ferry","expected_ids":["d1"]},"assert":[]}`,
		`{"question":"ferry","answerable":false}`,
	} {
		for n := 1; n <= 2; n++ {
			text := line
			if n == 2 {
				text += "\n" + strings.NewReplacer("ferry", "pier", `"x"`, `"y"`).Replace(line)
			}
			node, err := ParseText("g.jsonl", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			s, err := Read("g.jsonl", node)
			if err != nil || len(s.Queries) != n {
				t.Errorf("%d lines of %s: %v", n, line, err)
			}
		}
	}
}
