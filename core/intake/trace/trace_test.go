package trace

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

const (
	qrels = "q1 0 d1 1\nq1 0 d2 2\nq1 0 d9 0\nq2 0 d3 1\nq3 0 d7 1\n"
	agent = `{"query_id":"q1","query":"who","run_id":"agent","steps":[` +
		`{"query":"first","retrieved":["d9","d1"],"tokens":100},` +
		`{"query":"second","retrieved":["d1","d5",{"docid":"d2"}],"input_tokens":40,"output_tokens":10}]}` + "\n" +
		`{"query_id":"q2","query":"what","run_id":"agent","steps":[` +
		`{"query":"x","retrieved":["d4"],"total_tokens":70},{"thought":"no more"}]}` + "\n" +
		`{"query_id":"q8","run_id":"agent","steps":[]}` + "\n"
)

func judged(t *testing.T, text string) *collection.Qrels {
	t.Helper()
	c, err := collection.Read("qrels", strings.NewReader(text), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c.Qrels
}

// TestADocumentOfTheSecondHopCounts: d2, of grade 2, is found in the second step at rank 3. By hand, with gains 2 and
// 1 and discounts log2(rank + 1), of which the ideal for q1 is 2 + 1/log2(3) = 2.6309: step 1 of q1 is (1/log2(3)) /
// 2.6309 = .2398, step 2 is (1 + 2/2) / 2.6309 = .7602, and the documents d9 d1 d5 d2 in their order (1/log2(3) +
// 2/log2(5)) / 2.6309 = .5672.
func TestADocumentOfTheSecondHopCounts(t *testing.T) {
	s, err := Read("a.jsonl", "a", []byte(agent))
	if err != nil {
		t.Fatal(err)
	}
	o, err := Measure(s, judged(t, qrels), Options{Depths: []int{2, 4}})
	if err != nil {
		t.Fatal(err)
	}
	ideal := 2 + 1/math.Log2(3)
	first, second, merged := 1/math.Log2(3)/ideal, 2/ideal, (1/math.Log2(3)+2/math.Log2(5))/ideal
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if len(o.Queries) != 3 || len(o.Steps) != 2 || o.System != "agent" || !o.Tokens {
		t.Fatalf("%+v", o)
	}
	q := &o.Queries[0]
	near("step 1", q.Hops[0], first)
	near("step 2", q.Hops[1], second)
	near("merged", q.Merged, merged)
	near("recall 1", q.Recall[0], 0.5)
	near("recall 2", q.Recall[1], 1)
	near("recall after 1", o.Steps[0].Recall, 0.5/3)
	near("recall after 2", o.Steps[1].Recall, 1.0/3)
	near("hop 1, of two queries", o.Steps[0].Hop, first/2)
	near("hop 2, of two queries", o.Steps[1].Hop, second/2)
	near("tokens 1", o.Steps[0].Tokens, (100+70)/2.0)
	near("tokens 2", o.Steps[1].Tokens, (150+70)/2.0)
	near("Any@2", o.Depths[0].Any, 1.0/3)
	near("All@2", o.Depths[0].All, 0)
	near("Any@4", o.Depths[1].Any, 1.0/3)
	near("All@4", o.Depths[1].All, 1.0/3)
	if o.Steps[0].New != 1 || o.Steps[1].New != 1 || o.Steps[0].Queries != 2 || o.Steps[1].Queries != 2 {
		t.Errorf("%+v", o.Steps)
	}
	want := []Found{{"d1", 1, 1, 2, "first"}, {"d2", 2, 2, 3, "second"}}
	for i, f := range q.Found {
		if f != want[i] {
			t.Errorf("%+v, want %+v", f, want[i])
		}
	}
	notes := strings.Join(o.Notes(), "\n")
	if !strings.Contains(notes, "no trace and counts 0: q3") || !strings.Contains(notes, "left out: q8") {
		t.Error(notes)
	}
}

// TestRunsOfBrowseCompPlusAreTraces: its own oss_client wrote them (commit 97c637c), and its evaluation's retrieval
// recall is the one after the last step.
func TestRunsOfBrowseCompPlusAreTraces(t *testing.T) {
	names, _ := filepath.Glob("testdata/browsecomp/*.json")
	var sets []*Set
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !Detect(b) {
			t.Errorf("%s is not recognised", name)
		}
		s, err := Read(name, "x", b)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
	}
	if len(sets) != 3 {
		t.Fatalf("%d files", len(sets))
	}
	s, err := Join("agent", sets)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("testdata/browsecomp.qrels")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Measure(s, judged(t, string(b)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ Recall map[string]float64 }
	if b, err = os.ReadFile("testdata/browsecomp.json"); err != nil || json.Unmarshal(b, &want) != nil {
		t.Fatal(err)
	}
	for i := range o.Queries {
		if q := &o.Queries[i]; q.Last() != want.Recall[q.ID] {
			t.Errorf("query %s: %v, want %v", q.ID, q.Last(), want.Recall[q.ID])
		}
	}
	if f := o.Queries[0].Found[0]; f.Doc != "11" || f.Step != 2 || f.Rank != 1 || f.Query != "second" {
		t.Errorf("%+v", f)
	}
	if _, err := Join("agent", append(sets, sets[0])); err == nil {
		t.Error("a query with two traces is taken")
	}
}

func TestTracesThatCannotBeReadAreRefusedWithTheirLine(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
		says string
	}{
		{"", 0, "empty"}, {"x\n", 1, "objects of JSON"}, {"{\"steps\": []}\n", 1, `without "query_id"`},
		{"{\"query_id\": \"1\"}\n", 1, `without a list of "steps"`},
		{"{\"query_id\": 1, \"steps\": []}\n{\"query_id\": 1, \"steps\": []}\n", 2, "two traces, in line 1 and here"},
		{"{\"query_id\": 1, \"run_id\": \"a\", \"steps\": []}\n{\"query_id\": 2, \"run_id\": \"b\", \"steps\": []}\n",
			2, "give each run a file"},
		{`{"query_id": 1, "steps": [1]}`, 1, "a step that is not an object"},
		{`{"query_id": 1, "steps": [{"retrieved": "d1"}]}`, 1, "not a list of documents"},
		{`{"query_id": 1, "steps": [{"retrieved": [{"title": "x"}]}]}`, 1, "a document without an id"},
		{`{"query_id": 1, "steps": [{"tokens": -1}]}`, 1, "a whole number from 0"},
		{`{"query_id": 1, "steps": [{"retrieved": ["a\nb"]}]}`, 1, "an id of one line"}, {`{"query_id": 1, "steps": [`,
			1, "column"},
	} {
		_, err := Read("f", "f", []byte(c.text))
		p, ok := err.(*collection.ParseError)
		if !ok || p.Line != c.line || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q in line %d", c.text, err, c.says, c.line)
		}
	}
}

func TestTracesAreToldFromOtherFiles(t *testing.T) {
	for text, want := range map[string]bool{agent: true, `{"_id": "d1", "text": "x"}`: false, `{"steps": []}`: false,
		`{"query_id": "1", "steps": 3}`: false, `[{"query_id": "1", "steps": []}]`: false,
		"1 0 d 1\n": false, `{"query_id": "1", "result": []}`: false, "": false} {
		if Detect([]byte(text)) != want {
			t.Errorf("%.60q: %v", text, !want)
		}
	}
}

// A trace has as many steps as are counted, and what comes behind them counts with the last.
func TestALongTraceIsCountedToItsEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"query_id":"q2","steps":[`)
	for range MaxSteps + 20 {
		b.WriteString(`{"retrieved":["x"],"tokens":1},`)
	}
	b.WriteString(`{"retrieved":["d3"],"tokens":1}]}`)
	s, err := Read("f", "f", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	o, err := Measure(s, judged(t, "q2 0 d3 1\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := o.Steps[len(o.Steps)-1]
	if len(o.Steps) != MaxSteps || last.Recall != 1 || last.Tokens != MaxSteps+21 || last.New != 1 ||
		o.Steps[MaxSteps-2].Recall != 0 {
		t.Errorf("%d steps, %+v", len(o.Steps), last)
	}
}

// FuzzRead: reading ends with traces that can be measured, or an error in the file.
func FuzzRead(f *testing.F) {
	f.Add([]byte(agent))
	names, _ := filepath.Glob("testdata/browsecomp/*.json")
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	c, err := collection.Read("qrels", strings.NewReader(qrels), collection.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		Detect(b)
		s, err := Read("f", "f", b)
		if err != nil {
			if _, ok := err.(*collection.ParseError); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		steps := 0
		for _, x := range s.Traces {
			steps = max(steps, len(x.Steps))
		}
		if steps > 8 {
			return
		}
		o, err := Measure(s, c.Qrels, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range o.Queries {
			before := 0.0
			for _, v := range o.Queries[i].Recall {
				if v < before || v > 1 {
					t.Fatalf("recall %v after %v", v, before)
				}
				before = v
			}
		}
	})
}
