package worker

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// TestTheScreenSaysWhichCommandReadsScores: a table of scores and traces dropped on Evaluate are named as such, never
// read as judgments or runs, and the runs beside them are compared.
func TestTheScreenSaysWhichCommandReadsScores(t *testing.T) {
	files := map[int][2]string{1: given1[1], 2: given1[2],
		3: {"scores.csv", "run,query,measure,value\nA,1,AP,0.5\nB,1,AP,0.25\n"},
		4: {"bare.txt", "A 1 AP 0.5\nB 1 AP 0.25\n"},
		5: {"agent.jsonl", `{"query_id":"q1","steps":[{"retrieved":["d1"]}]}` + "\n"},
		6: {"answers.jsonl", `{"topic_id":"q1","references":["d3"],"answer":[{"text":"x","citations":[0]}]}` + "\n"}}
	given := &message.Setting{}
	for id := 1; id <= len(files); id++ {
		given.Files = append(given.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
	}
	d := newLab(t, files).compare(given)
	if d.Report == nil || len(d.Report.Systems) != 2 || d.Report.Systems[1].Label != "answers" {
		t.Fatalf("%+v", d.Files)
	}
	for i, want := range []string{"", "",
		"it is a table of scores (2 systems by 1 query): rankbox compare scores.csv compares them",
		"it is a table of scores (2 systems by 1 query): rankbox compare bare.txt compares them",
		"it is traces of an agent, step by step: rankbox trace QRELS agent.jsonl measures them", ""} {
		if got := d.Files[i].Problem; got != want {
			t.Errorf("%s: %q, want %q", d.Files[i].Name, got, want)
		}
	}
	alone := newLab(t, files).compare(&message.Setting{Files: given.Files[2:3]})
	says := "rankbox compare scores.csv"
	if alone.Report != nil || alone.Need != "runs and qrels" || !strings.Contains(alone.Files[0].Problem, says) {
		t.Errorf("%+v", alone)
	}
}
