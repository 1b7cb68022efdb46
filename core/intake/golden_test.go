//go:build !library

package intake_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/golden"
)

// A golden set that holds its results is judgments and a run; beside a run or traces it is judgments alone.
func TestGoldenSetsAreJudgments(t *testing.T) {
	answered := `[{"query":"q1","expected_ids":["d1"],"retrieved_ids":["d2","d1"]}]`
	set := `{"queries":[{"query":"q1","expect":["d1"]}]}`
	for _, c := range []struct {
		name  string
		files []given
		runs  []string
		says  []string
	}{
		{"with results", []given{{"answered.json", answered, 0}}, []string{"answered"}, []string{""}},
		{"with results, beside a run", []given{{"answered.json", answered, 0}, {"a.run", runA, 0}}, []string{"a"},
			[]string{"", ""}},
		{"with results, as judgments", []given{{"answered.json", answered, intake.Judgments}}, []string{"answered"},
			[]string{""}},
		{"without results", []given{{"s.yaml", "queries:\n- query: q1\n  expect: [d1]\n", 0}}, nil, []string{""}},
		{"a single line of JSON Lines", []given{{"one.jsonl",
			`{"query":"q1","expected_ids":["d1"],"retrieved_ids":["d2","d1"]}` + "\n", 0}}, []string{"one"}, []string{""}},
		{"in JSON", []given{{"s.json", set, 0}, {"a.run", runA, 0}}, []string{"a"}, []string{"", ""}},
		{"two of them", []given{{"s.json", set, 0}, {"answered.json", answered, 0}}, nil, []string{"",
			"the judgments are from s.json already"}},
		{"beside judgments", []given{{"q", qrels, 0}, {"s.json", set, 0}}, nil, []string{"",
			"the judgments are from q already"}},
		{"that expects nothing", []given{{"s.json", `{"queries":[{"query":"q1","forbid":["d1"]}]}`, 0}}, nil,
			[]string{"no query expects a document"}},
		{"whose queries are elsewhere", []given{{"s.yaml", "queries: q.tsv\njudgments: q.qrels\n", 0}}, nil,
			[]string{"its queries or judgments are in another file"}},
		{"after one that is left out", []given{{"q.yaml", "queries: q.tsv\njudgments: q.qrels\n", 0},
			{"answered.json", answered, 0}}, []string{"answered"},
			[]string{"its queries or judgments", ""}},
	} {
		g := gather(t, intake.Rule{}, c.files...)
		var runs []string
		for _, r := range g.Input.Runs {
			runs = append(runs, r.Name)
		}
		if !slices.Equal(runs, c.runs) {
			t.Errorf("%s: runs %q, want %q", c.name, runs, c.runs)
		}
		for i, said := range problems(g) {
			if !strings.HasPrefix(said, c.says[i]) || (said == "") != (c.says[i] == "") {
				t.Errorf("%s: %s: %q, want %q", c.name, c.files[i].name, said, c.says[i])
			}
		}
		if (g.Golden != nil) != (strings.Join(c.says, "") == "" || strings.HasPrefix(c.name, "two") ||
			strings.HasPrefix(c.name, "after")) {
			t.Errorf("%s: a golden set: %v", c.name, g.Golden != nil)
		}
	}
	g := gather(t, intake.Rule{}, given{"s.json", set, 0})
	if !slices.Equal(g.Input.Measures, golden.DefaultMeasures()) || len(g.Input.Queries) != 1 ||
		g.Files[0].Queries != 1 || g.Files[0].Entries != 1 || g.Files[0].Lines != 1 {
		t.Errorf("%+v, %+v", g.Input, g.Files[0])
	}
	g = gather(t, intake.Rule{}, given{"s.json", strings.Replace(set, `{"queries"`, `{"measures":["P@3"],"queries"`,
		1), 0})
	if !slices.Equal(g.Input.Measures, []string{"P@3"}) {
		t.Errorf("%q", g.Input.Measures)
	}
	if _, err := intake.Read("s.yaml", intake.Runs, strings.NewReader("queries:\n- query: q1\n  expect: [d1]\n"),
		collection.Options{}); err == nil {
		t.Error("a golden set is taken for a run")
	}
	if _, err := intake.Read("s.YML", intake.Any, strings.NewReader("queries: [\n"),
		collection.Options{}); err == nil || !strings.Contains(err.Error(), "s.YML") {
		t.Errorf("YAML that is none: %v", err)
	}
}

// A set of ten megabytes is read as one, a larger file is not.
func TestGoldenSetsHaveALimit(t *testing.T) {
	const text = `{"queries":[{"query":"q1","expect":["d1"]}]}`
	for n, want := range map[int]bool{10 << 20: true, 10<<20 + 1: false} {
		f, err := intake.Read("s.json", intake.Any, strings.NewReader(text+strings.Repeat(" ", n-len(text))),
			collection.Options{})
		if (err == nil && f.Golden != nil) != want {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// Whole numbers are scores where other files have judgments for certain, and judgments where they do not.
func TestWholeNumbersAreScoresBesideJudgments(t *testing.T) {
	const ints = `{"q1": {"d1": 1, "d2": 0}}`
	two := saved(t, packed.View{})
	collectionOf := func(qrels string) string {
		return string(zipped(t, "corpus.jsonl", "{\"_id\":\"d1\",\"text\":\"x\"}\n", "queries.jsonl",
			"{\"_id\":\"q1\",\"text\":\"t\"}\n", "qrels/test.tsv", qrels))
	}
	for _, c := range []struct {
		name  string
		files []given
		runs  int
	}{
		{"alone", []given{{"r.json", ints, 0}}, 0},
		{"beside another of its kind", []given{{"r.json", ints, 0}, {"s.json", ints, 0}}, 0},
		{"beside qrels", []given{{"r.json", ints, 0}, {"q", qrels, 0}}, 1},
		{"beside what is said to be judgments", []given{{"r.json", ints, 0}, {"q.json", ints, intake.Judgments}}, 1},
		{"beside a saved comparison", []given{{"r.json", ints, 0}, {"s.rankbox", two, 0}}, 3},
		{"beside a collection", []given{{"r.json", ints, 0}, {"c.zip",
			collectionOf("query-id\tcorpus-id\tscore\nq1\td1\t1\n"), 0}}, 1},
		{"beside a collection without judgments", []given{{"r.json", ints, 0}, {"c.zip",
			collectionOf("query-id\tcorpus-id\tscore\n"), 0}}, 0},
		{"beside a run", []given{{"r.json", ints, 0}, {"a", runA, 0}}, 1},
	} {
		if g := gather(t, intake.Rule{}, c.files...); len(g.Input.Runs) != c.runs {
			t.Errorf("%s: %d runs, want %d: %q", c.name, len(g.Input.Runs), c.runs, problems(g))
		}
	}
}

// The lines of records are those of the file, in errors and in warnings, and nothing is warned of that is as
// it should be.
func TestRecordsHaveTheirLines(t *testing.T) {
	f, err := intake.Read("x.json", intake.Runs,
		strings.NewReader("[{\"qid\":\"1\",\"docno\":\"d\",\"score\":1},\n\n{\"qid\":\"1\",\"docno\":\"e\","+
			"\"score\":2,\"rank\":0}]"), collection.Options{})
	if err != nil || f.Contents[0].Run.Len() != 2 || len(f.Contents[0].Warnings) > 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	for line, text := range map[int]string{
		1: "[{\"qid\":\"1\",\"docno\":\"d\",\"score\":\"high\"}]",
		3: "[{\"qid\":\"1\",\"docno\":\"d\",\"score\":1},\n\n{\"qid\":\"1\",\"docno\":\"e\",\"score\":\"high\"}]",
		2: "{\"qid\":\"1\",\"docno\":\"d\",\"score\":1}\n{\"qid\":\"1\",\"docno\":\"e\"}",
	} {
		_, err := intake.Read("x.json", intake.Runs, strings.NewReader(text), collection.Options{})
		if p, ok := err.(*collection.ParseError); !ok || p.Line != line {
			t.Errorf("%s: %v, want line %d", text, err, line)
		}
	}
	f, err = intake.Read("x.json", intake.Runs,
		strings.NewReader("[{\"qid\":\"1\",\"docno\":\"d\",\"score\":1},\n{\"qid\":\"1\",\"docno\":\"d\","+
			"\"score\":1},\n{\"qid\":\"1\",\"docno\":\"e\",\"score\":2}]"), collection.Options{})
	if err != nil || !slices.ContainsFunc(f.Contents[0].Warnings, func(w collection.Warning) bool {
		return w.Kind == collection.DuplicateDocument && w.Line == 2
	}) {
		t.Errorf("%+v, %v", f, err)
	}
}

// Three bytes are a file.
func TestAFileOfThreeBytesIsRead(t *testing.T) {
	f, err := intake.Read("q.tsv", intake.Queries, strings.NewReader("q\tx"), collection.Options{})
	if err != nil || len(f.Contents[0].Queries) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

// Documents are titles and nothing else where no benchmark asks for them; texts of queries stand in for documents only
// where one does.
func TestTextsAreDocumentsOnlyForABenchmark(t *testing.T) {
	const benchmark = `{"schema_version":"1.0","metadata":{},"queries":[{"query_key":"q1","query_text":"t",` +
		`"relevant_docs":[{"doc_ref":{"document_id":"d1"},"relevance_grade":1}]}]}`
	const texts = "{\"_id\":\"d1\",\"text\":\"x\"}\n"
	for _, c := range []struct {
		role intake.Role
		ok   bool
	}{{intake.Any, true}, {intake.Corpus, true}, {intake.Queries, false}} {
		g := gather(t, intake.Rule{}, given{"b.json", benchmark, 0}, given{"c.jsonl", texts, c.role})
		if (g.Files[0].Problem == nil) != c.ok || (g.Input.Qrels != nil) != c.ok {
			t.Errorf("role %d: %v", c.role, g.Files[0].Problem)
		}
	}
	g := gather(t, intake.Rule{}, given{"b.json", benchmark, intake.Queries})
	if len(g.Input.Queries) != 1 || g.Input.Queries[0].Text != "t" || g.Files[0].Problem != nil ||
		g.Input.Qrels != nil {
		t.Errorf("%+v, %v", g.Input.Queries, g.Files[0].Problem)
	}
}

// Grades by rank name no documents: no run is added to them, and they are added to none.
func TestGradesByRankAreComparedAlone(t *testing.T) {
	var run, judged strings.Builder
	rnd := rand.New(rand.NewPCG(30, 4))
	for q := range 40 {
		for d := range 20 {
			id := fmt.Sprintf("%x%x%x", rnd.Uint64(), rnd.Uint64(), rnd.Uint64())
			fmt.Fprintf(&run, "q%d Q0 %s %d %d x\n", q, id, d+1, 100-d)
			fmt.Fprintf(&judged, "q%d 0 %s %d\n", q, id, rnd.IntN(2))
		}
	}
	in := gather(t, intake.Rule{}, given{"q", judged.String(), 0}, given{"r.run", run.String(), 0}).Input
	in.Measures = []string{"nDCG@10"}
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	link, save, err := packed.Link(in, r, nil)
	if err != nil || !save.Documents {
		t.Fatalf("%+v, %v", save, err)
	}
	f, err := packed.ReadLink(link)
	if err != nil {
		t.Fatal(err)
	}
	b, err := packed.Pack(*f, packed.Saving{})
	if err != nil {
		t.Fatal(err)
	}
	const says = "grades by rank cannot be compared with other runs"
	for _, c := range []struct {
		files []given
		runs  int
		says  []string
	}{
		{[]given{{"g", string(b), 0}}, 1, []string{""}},
		{[]given{{"g", string(b), 0}, {"a.run", runA, 0}}, 1, []string{"", says}},
		{[]given{{"a.run", runA, 0}, {"g", string(b), 0}}, 1, []string{"", says}},
	} {
		g := gather(t, intake.Rule{}, c.files...)
		for i, said := range problems(g) {
			if !strings.HasPrefix(said, c.says[i]) || (said == "") != (c.says[i] == "") {
				t.Errorf("%s of %d: %q", c.files[i].name, len(c.files), said)
			}
		}
		if len(g.Input.Runs) != c.runs {
			t.Errorf("%d runs", len(g.Input.Runs))
		}
	}
}

// A zip of a collection has judgments if it has any, and they count where the file may be judgments.
func TestACollectionBringsItsJudgments(t *testing.T) {
	whole := string(zipped(t, "corpus.jsonl", "{\"_id\":\"d1\",\"title\":\"T\",\"text\":\"x\"}\n", "queries.jsonl",
		"{\"_id\":\"q1\",\"text\":\"t\"}\n", "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n"))
	for role, want := range map[intake.Role][2]int{intake.Any: {1, 1}, intake.Judgments: {1, 1}, intake.Queries: {1,
		0}, intake.Corpus: {0, 0}} {
		g := gather(t, intake.Rule{}, given{"c.zip", whole, role})
		judgments := 0
		if g.Input.Qrels != nil {
			judgments = g.Input.Qrels.Len()
		}
		if len(g.Input.Queries) != want[0] || judgments != want[1] || g.Titles["d1"] != "T" {
			t.Errorf("role %d: %d queries, %d judgments, %+v", role, len(g.Input.Queries), judgments, g.Files[0])
		}
	}
}

// Of joined tables each system is from the first file that has it.
func TestSystemsOfTablesHaveTheirSources(t *testing.T) {
	g := gather(t, intake.Rule{Scores: true}, given{"s.csv", "run,query,measure,value\nA,1,AP,0.5\nB,1,AP,0.25\n", 0},
		given{"t.csv", "run,query,measure,value\nC,1,AP,0.75\nB,2,AP,0.5\n", 0})
	if g.Scores == nil || !slices.Equal(g.Scores.Systems, []string{"A", "B", "C"}) ||
		!slices.Equal(g.Sources, []intake.Origin{{File: 0}, {File: 0, Run: 1}, {File: 1}}) {
		t.Errorf("%+v, %v, %q", g.Scores, g.Sources, problems(g))
	}
}

// A zip is read up to the limit of bytes, and without one if that is said.
func TestZipsHaveALimit(t *testing.T) {
	const text = "map\t1\t0.5\n"
	b := zipped(t, "a.txt", text, "b.txt", text)
	for limit, ok := range map[int64]bool{0: true, -1: true, 1000: true, 2*int64(len(text)) + 1: true,
		2*int64(len(text)) - 1: false, int64(len(text)) + 1: false, 5: false} {
		f, err := intake.Read("x.zip", intake.Any, bytes.NewReader(b),
			collection.Options{Limits: collection.Limits{Bytes: limit}})
		if (err == nil && f.Scores != nil) != ok {
			t.Errorf("%d bytes: %v", limit, err)
		}
	}
}

// A golden set is measured by its judgments beside traces, without the results that it holds.
func TestTracesAreMeasuredWithAGoldenSet(t *testing.T) {
	answered := `[{"query":"q1","expected_ids":["d1"],"retrieved_ids":["d2","d1"]}]`
	g := gather(t, intake.Rule{Traces: true}, given{"answered.json", answered, 0}, given{"t.jsonl",
		`{"query_id":"q1","steps":[{"retrieved":["d1"]}]}`, 0})
	if len(g.Input.Runs) != 0 || len(g.Traces) != 1 || g.Golden == nil || strings.Join(problems(g), "") != "" {
		t.Errorf("%d runs, %d traces, %q", len(g.Input.Runs), len(g.Traces), problems(g))
	}
}
