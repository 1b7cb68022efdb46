//go:build !library

package intake_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
)

// One table decides, on the page and in the terminal: scores are scores whatever the file was given for, and never
// judgments or a run.
func TestScoresAreToldFromRunsAndJudgments(t *testing.T) {
	long := "run,query,measure,value\nA,1,AP,0.5\nB,1,AP,0.25\n"
	bare := "A 1 AP 0.5\nB 1 AP 0.25\n"
	for _, c := range []struct {
		name  string
		rule  intake.Rule
		files []given
		says  []string // of each file; "" for nothing
		table bool
	}{
		{"the terminal", intake.Rule{Scores: true}, []given{{"s.csv", long, intake.Any}}, []string{""}, true},
		{"for judgments", intake.Rule{Scores: true}, []given{{"s.csv", long, intake.Judgments}}, []string{""}, true},
		{"for a run, without a header", intake.Rule{Scores: true}, []given{{"s", bare, intake.Runs}}, []string{""},
			true},
		{"the page", intake.Rule{}, []given{{"s.csv", long, intake.Any}},
			[]string{"it is a table of scores (2 systems by 1 query): rankbox compare s.csv compares them"}, false},
		{"beside judgments", intake.Rule{Scores: true}, []given{{"q", qrels, intake.Any}, {"s.csv", long, intake.Any}},
			[]string{"", "it is a table of scores, which are measured already"}, false},
		{"beside a run", intake.Rule{Scores: true}, []given{{"s", bare, intake.Judgments}, {"r", runA, intake.Runs}},
			[]string{"it is a table of scores, which", ""}, false},
		{"traces", intake.Rule{Scores: true}, []given{{"q", qrels, intake.Judgments}, {"t.jsonl",
			`{"query_id":"q1","steps":[]}`, intake.Runs}}, []string{"",
			"it is traces of an agent, step by step: rankbox trace QRELS t.jsonl"}, false},
		{"answers", intake.Rule{Scores: true}, []given{{"q", qrels, intake.Judgments}, {"a.jsonl",
			`{"topic_id":"q1","references":["d2","d1"],"answer":[{"text":"x","citations":[1]}]}`, intake.Runs}},
			[]string{"", ""}, false},
		{"two files", intake.Rule{Scores: true}, []given{{"a.txt", "1\tAP\t0.5\n", intake.Any}, {"b.txt",
			"1\tAP\t0.75\n", intake.Any}}, []string{"", ""}, true},
		{"queries and tasks", intake.Rule{Scores: true}, []given{{"s.csv", long, intake.Any}, {"t.csv",
			"model,task,AP\nC,1,0.5\n", intake.Any}}, []string{"", "its scores are of tasks, and those of s.csv of " +
			"queries"}, false},
		{"the same cell twice", intake.Rule{Scores: true}, []given{{"s.csv", long, intake.Any}, {"t.csv",
			"run,query,measure,value\nA,1,AP,0.75\n", intake.Any}}, []string{"",
			`"A" has two scores for query "1" by AP: 0.5 and 0.75`}, false},
	} {
		g := gather(t, c.rule, c.files...)
		if (g.Scores != nil) != c.table {
			t.Errorf("%s: a table: %v", c.name, g.Scores != nil)
		}
		for i, f := range g.Files {
			said := ""
			if f.Problem != nil {
				said = f.Problem.Error()
			}
			if !strings.HasPrefix(said, c.says[i]) || (said == "") != (c.says[i] == "") {
				t.Errorf("%s: %s: %q, want %q", c.name, c.files[i].name, said, c.says[i])
			}
		}
	}
}

// TestResultsOfPyTerrierAreOneRun: PyTerrier 1.0 wrote them as TREC, and pandas 3.1.1 its table as CSV, JSON and JSON
// lines.
func TestResultsOfPyTerrierAreOneRun(t *testing.T) {
	var files []*intake.File
	for _, name := range []string{"bm25.res", "bm25.csv", "bm25.json", "bm25.jsonl"} {
		b, err := os.ReadFile("scores/testdata/results/" + name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := intake.Read(name, intake.Runs, bytes.NewReader(b), collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	g := intake.Gather(files, intake.Rule{})
	for i, f := range g.Files {
		same := slices.ContainsFunc(f.Warnings, func(w collection.Warning) bool { return w.Kind == intake.SameRun })
		if f.Problem != nil || f.Entries != 90 || f.Queries != 3 || same != (i > 0) {
			t.Errorf("%s: %+v", files[i].Name, f)
		}
	}
	// An error in a record has the line of the record.
	_, err := intake.Read("x.json", intake.Runs, strings.NewReader("[{\"qid\": \"1\", \"docno\": \"d\", \"score\": "+
		"1},\n{\"qid\": \"1\", \"docno\": \"e\", \"score\": \"high\"}]"), collection.Options{})
	if p, ok := errors.AsType[*collection.ParseError](err); !ok || p.Line != 2 {
		t.Errorf("%v", err)
	}
}
