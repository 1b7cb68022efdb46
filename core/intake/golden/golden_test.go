package golden

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// read reads a text of JSON or CSV as a golden set.
func read(t testing.TB, name, text string) (*Set, error) {
	t.Helper()
	n, ok, err := ParseJSON(name, []byte(text))
	if err != nil {
		return nil, err
	}
	if !ok {
		t.Fatalf("%s is no JSON", name)
	}
	return Read(name, n)
}

// The shapes are recognised for what they are, with every document, grade, concept and score.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		file, shape string
		queries     int
		first       Query
	}{
		{"expected-ids.json", "queries with expectations", 2,
			Query{ID: "forgotten password", Expected: []Grade{{"reset-password.md", 1}}}},
		{"relevant-docs.json", "queries with expectations", 2,
			Query{ID: "q1", Expected: []Grade{{"reset-password.md", 2}, {"change-email.md", 1}}}},
		{"gold-set.jsonl", "queries with expectations", 2,
			Query{ID: "forgotten password", Expected: []Grade{{"reset-password.md", 1}}}},
		{"relevance-grades.json", "queries with expectations", 2, Query{ID: "reset",
			Expected: []Grade{{"invoices.md", 1}, {"reset-password.md", 3}, {"change-email.md", 1}}}},
		{"sources.jsonl", "queries with expectations", 2,
			Query{ID: "forgotten password", Expected: []Grade{{"reset-password.md", 1}}, Concepts: []string{"link"}}},
		{"cases.json", "queries with expectations", 2, Query{ID: "reset", Expected: []Grade{{"reset-password.md", 1}}}},
		{"expected-doc-id.jsonl", "queries with expectations", 2,
			Query{ID: "forgotten password", Expected: []Grade{{"reset-password", 1}}}},
		{"ragas.jsonl", "queries with expectations", 2,
			Query{ID: "forgotten password", Expected: []Grade{{"reset-password.md", 1}}}},
		{"langsmith.json", "examples of LangSmith", 2,
			Query{ID: "5f0c9be0-7f3c-4a52-9d6b-0c8e9a1b2c3d", Expected: []Grade{{"reset-password.md", 1}}}},
		{"promptfoo-results.json", "tests of promptfoo", 2,
			Query{ID: "forgotten password", Concepts: []string{"one hour"}}},
		{"promptfoo-results.jsonl", "tests of promptfoo", 2,
			Query{ID: "forgotten password", Concepts: []string{"one hour"}}},
		{"langsmith-experiment.jsonl", "examples of LangSmith", 2,
			Query{ID: "5f0c9be0-7f3c-4a52-9d6b-0c8e9a1b2c3d", Expected: []Grade{{"reset-password.md", 1}}}},
		{"llamaindex.json", "a dataset of LlamaIndex", 2, Query{ID: "6f1c", Expected: []Grade{{"node-1", 1}}}},
		{"rank-eval.json", "a request of Elasticsearch's _rank_eval", 2,
			Query{ID: "password_query", Expected: []Grade{{"reset-password.md", 3}, {"invoices.md", 0}}}},
		{"quepid.csv", "ratings, a row each", 3,
			Query{ID: "forgotten password",
				Expected: []Grade{{"reset-password.md", 3}, {"invoices.md", 0}, {"change-email.md", 1}}}},
		{"rre.json", "ratings of Quepid for RRE", 3,
			Query{ID: "forgotten password",
				Expected: []Grade{{"reset-password.md", 3}, {"invoices.md", 0}, {"change-email.md", 1}}}},
		{"rre-2020.json", "ratings of Quepid for RRE", 2,
			Query{ID: "forgotten password", Expected: []Grade{{"change-email.md", 1}, {"reset-password.md", 3}}}},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		s, err := read(t, c.file, string(data))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		q := s.Queries[0]
		if s.Shape != c.shape || len(s.Queries) != c.queries || q.Text != "forgotten password" || q.ID != c.first.ID ||
			!same(q.Expected, c.first.Expected) || strings.Join(q.Concepts, "|") != strings.Join(c.first.Concepts,
			"|") {
			t.Errorf("%s: %s, %d queries, the first is %+v", c.file, s.Shape, len(s.Queries), q)
		}
	}
	if len(Shapes()) != 7 {
		t.Errorf("%q", Shapes())
	}
}

// What promptfoo writes of two providers has each test twice: the results of the first count.
func TestPromptfooOfTwoProviders(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "promptfoo-results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	both := string(data) + strings.ReplaceAll(strings.ReplaceAll(string(data), "help-centre", "other"), "refunds-2019",
		"delivery")
	s, err := read(t, "both.jsonl", both)
	if err != nil {
		t.Fatal(err)
	}
	results := s.Answers["refund an order"].Results
	if len(s.Queries) != 2 || len(results) != 3 || results[0].Doc != "refunds-2019.md" || len(s.Warnings) != 2 ||
		!strings.Contains(s.Warnings[1].Message, "other providers") || s.Warnings[1].Count != 2 {
		t.Errorf("%+v %+v %+v", s.Queries, results, s.Warnings)
	}
}

// Elasticsearch 7.10.2 answered rank-eval.json with rank-eval-answer.json (scripts/oracle/measures/rank_eval.py). Both
// are read, and its convention gives the node's figures from what was read.
func TestRankEvalAsTheNodeAnswered(t *testing.T) {
	files := map[string]*Node{}
	for _, name := range []string{"rank-eval.json", "rank-eval-answer.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if files[name], _, err = ParseJSON(name, data); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Read("rank-eval.json", files["rank-eval.json"])
	if err != nil {
		t.Fatal(err)
	}
	said := files["rank-eval-answer.json"]
	answers, err := ParseAnswers("rank-eval-answer.json", said, Paths{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := measure.Parse("nDCG@10")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range s.Queries {
		l := measure.List{Query: q.ID}
		for _, g := range q.Expected {
			l.JudgedIDs, l.Judged = append(l.JudgedIDs, g.Doc), append(l.Judged, g.Grade)
		}
		for _, r := range answers[q.ID].Results {
			grade := float64(measure.Unjudged)
			for i, doc := range l.JudgedIDs {
				if doc == r.Doc {
					grade = l.Judged[i]
				}
			}
			l.IDs, l.Scores, l.Grades = append(l.IDs, r.Doc), append(l.Scores, r.Score), append(l.Grades, grade)
		}
		want, err := strconv.ParseFloat(said.Get("details").Get(q.ID).Get("metric_score").Text, 64)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := measure.ConventionByName("Elasticsearch").Evaluate([]measure.List{l}, m)
		if !ok || math.Abs(got.Mean-want) > 1e-9 || len(l.IDs) != 2 {
			t.Errorf("%s: %+v, the node said %v", q.ID, got, want)
		}
	}
}

func same(a, b []Grade) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// What a file of another shape says wrongly, or not at all, is refused with its line.
func TestShapesRefuse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[{"query": "a", "expected_ids": ["x"]},` + "\n" + `{"query": "a", "expected_ids": ["y"]}]`,
			`line 2: query "a" is that of line 1 again`},
		{`[{"query": "a", "relevance": [{"doc_id": "x", "gain": -0.5}]}]`,
			`line 1: the grade of document "x" is not a number`},
		{`[{"query": "a", "relevance": [{"path_contains": "x"}]}]`, "an entry of relevance has no id"},
		{`[{"query": "a"}]`, "no query has an expectation"},
		{`[]`, "neither a golden set"},
		{`{"reslts": {}, "x": 1}`, "Did you mean results?"},
		{`[{"query": "", "expected_ids": ["x"]}]`, "a query has no text"},
		{`[{"query": "a", "expected_ids": [""]}]`, "expects a document without an id"},
		{`[{"query": "a", "expected_ids": ["x"], "forbidden_ids": ["x"]}]`, "is expected and forbidden"},
		{`{"requests": [{"id": "a", "ratings": [{"_id": "x", "rating": "high"}]}]}`, "not a number"},
		{`{"tests": [{"vars": {"a": "b", "c": "d"}, "assert": []}]}`, "has no variable that is a query"},
		{`{"queries": [`, "line 1: "},
		{"query,docid,rating\na,x,1,2\n", "line 2: 4 columns, expected 3. Check for an unquoted comma"},
		{"query,docid,rating\n\"a,x,1\n", "line "},
		{" ", "it is empty"},
	} {
		_, err := read(t, "x.csv", c.text)
		var at *collection.ParseError
		if err == nil || !errors.As(err, &at) || at.File != "x.csv" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// A concept is in a text at the start of a word, whatever its case and the spaces. Japanese has none.
func TestConceptsOccurAtTheStartOfWords(t *testing.T) {
	for _, c := range []struct {
		text, concept string
		want          bool
	}{
		{"The CRANES\n of the port", "crane", true},
		{"a part of it", "art", false},
		{"a part of the art", "art", true},
		{"see By-law 42", "by-law", true},
		{"standby-law", "by-law", false},
		{"one  hour", "One hour", true},
		{"price: $200", "$200", true},
		{"x$200", "$200", true},
		{"パスワードの変更", "変更", true},
		{"Überfall", "über", true},
		{"", "a", false},
	} {
		if got := occurs(fold(c.text), fold(c.concept)); got != c.want {
			t.Errorf("%q in %q: %v", c.concept, c.text, got)
		}
	}
}

// How many of the expected documents must be found: any, all or measured.
func TestRequire(t *testing.T) {
	found := &Found{Answers: map[string]Answer{"a": {Results: []Result{{Doc: "x"}, {Doc: "y"}, {Doc: "z"}}}}}
	for _, c := range []struct {
		require Require
		within  int
		want    string
	}{
		{Any, 2, ""},
		{Any, 1, ""},
		{All, 2, `not among the first 2 results: document "z" (grade 2) is result 3`},
		{All, 3, ""},
		{Measured, 1, ""},
	} {
		s := &Set{Within: c.within, Require: c.require, Queries: []Query{
			{ID: "a", Expected: []Grade{{"x", 1}, {"z", 2}, {"w", 0}}, MinScore: math.NaN()},
		}}
		got, err := s.Expectations(found)
		if err != nil {
			t.Fatal(err)
		}
		why := ""
		for _, e := range got {
			why += strings.Join(e.Reasons, "; ")
		}
		if why != c.want {
			t.Errorf("%s of %d: %q", c.require, c.within, why)
		}
	}
}

// Where results are in an answer is found or said, and documents that come again keep their first place.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		text  string
		paths Paths
		want  string // ids with scores
	}{
		{`["x", 7]`, Paths{}, "x NaN, 7 NaN"},
		{`{"results": [{"id": "x", "score": 2}, {"id": "x", "score": 1}, {"id": "y"}]}`, Paths{}, "x 2, y NaN"},
		{`{"hits": {"total": 2, "hits": [{"_id": "x", "_score": 1.5}]}}`, Paths{}, "x 1.5"},
		{`{"data": [{"metadata": {"source": "x"}, "similarity": "0.5"}]}`, Paths{}, "x 0.5"},
		{`{"a": {"b": [{"c": {"d": "x"}, "e": 3}]}}`, Paths{List: "a.b", ID: "c.d", Score: "e"}, "x 3"},
		{`[[{"id": "x"}]]`, Paths{List: "0"}, "x NaN"},
		{"x\t2\ny\t1\n\nx\t0\n", Paths{}, "x 2, y 1"},
		{"q Q0 x 1 2.5 tag\nq Q0 y 2 1 tag\n", Paths{}, "x 2.5, y 1"},
		{"a name with spaces.md\n", Paths{}, "a name with spaces.md NaN"},
		{"", Paths{}, ""},
		{"[]", Paths{}, ""},
		{`{"results": [{"id": "x"}]}` + "\n", Paths{}, "x NaN"},
		{`{"error": "down"}`, Paths{}, "error: the answer holds no list"},
		{`[{"name": "x"}]`, Paths{}, "error: result 1 has no id"},
		{`[{"id": ""}]`, Paths{}, "error: result 1 has an empty id"},
		{`{"a": 1}`, Paths{List: "b"}, `error: the answer has no "b"`},
		{`{"a": `, Paths{}, "error: the answer is not JSON: line 1"},
		{"x\thigh\n", Paths{}, `error: line 1: "high" is not a score`},
	} {
		a, err := ParseOutput([]byte(c.text), c.paths)
		var parts []string
		for _, r := range a.Results {
			parts = append(parts, r.Doc+" "+number(r.Score))
		}
		got := strings.Join(parts, ", ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func number(v float64) string {
	if math.IsNaN(v) {
		return "NaN"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Documents that are named without folder or ending are found, if one alone is called so.
func TestResolve(t *testing.T) {
	s := &Set{File: "g", Queries: []Query{{Expected: []Grade{
		{"a/x.md", 1}, {"a/x", 1}, {"x", 1}, {"y.md", 1}, {"y", 1}, {"z", 1}, {"none", 1},
	}, Forbidden: []string{"b/z"}}}}
	s.Resolve([]string{"a/x.md", "a/y.md", "b/y.md", "b/z.txt", "z"})
	var got []string
	for _, g := range s.Queries[0].Expected {
		got = append(got, g.Doc)
	}
	got = append(got, s.Queries[0].Forbidden...)
	if want := "a/x.md a/x.md a/x.md y.md y z none b/z.txt"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(s.Warnings) != 1 || s.Warnings[0].Count != 3 {
		t.Errorf("%v", s.Warnings)
	}
}

// The words of a command are split as a shell would, without one.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"a b": "a|b", " a  b ": "a|b", "a 'b c' \"d 'e\"": "a|b c|d 'e", "a ''": "a|", "": "", "x{query}y": "x{query}y",
	} {
		if got := strings.Join(Words(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whatever stands in a file: it is refused with its name and line, or is a set whose queries have ids and whose
// expectations can be asked for.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) < 12 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var at *collection.ParseError
		n, ok, err := ParseJSON("x", data)
		if err != nil || !ok {
			if ok && !errors.As(err, &at) {
				t.Errorf("%v names no file", err)
			}
			return
		}
		if answers, err := ParseAnswers("x", n, Paths{}); err == nil && len(answers) == 0 {
			t.Error("no answers and no error")
		}
		s, err := Read("x", n)
		if err != nil {
			if !errors.As(err, &at) {
				t.Errorf("%v names no file", err)
			}
			return
		}
		seen := map[string]bool{}
		found := &Found{Answers: s.Answers}
		for _, q := range s.Queries {
			if q.ID == "" || seen[q.ID] {
				t.Errorf("id %q", q.ID)
			}
			seen[q.ID] = true
		}
		if _, err := s.Expectations(found); err != nil && !errors.As(err, &at) {
			t.Errorf("%v names no file", err)
		}
		if _, err := s.Run(found); err != nil {
			t.Error(err)
		}
		s.Qrels()
	})
}

// Expected documents may have grades with decimals, and are written with them.
func TestExpectedGradesMayHaveDecimals(t *testing.T) {
	s, err := read(t, "x.json",
		`[{"query": "a", "relevance": [{"doc_id": "x", "gain": 0.5}, {"doc_id": "y", "gain": 1}]}]`)
	if err != nil {
		t.Fatal(err)
	}
	if g := s.Queries[0].Expected; len(g) != 2 || g[0].Grade != 0.5 || g[1].Grade != 1 {
		t.Errorf("%+v", g)
	}
	if g, ok := s.Qrels().Grade(s.Queries[0].ID, "x"); !ok || g != 0.5 {
		t.Errorf("%v, %v", g, ok)
	}
}
