package main

import (
	"encoding/json"
	"math"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/measure"
)

// Every choice of sentences: written as nuggetizer's assignments and as an answer of TREC's RAG track, it gets from
// core/intake/scores the figures that the lesson shows.
func TestAnswersAreMeasuredAsFilesOfAnswersAre(t *testing.T) {
	d, _ := rankedLessons(t, "bm25")
	a, err := d.Answer("answers")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path.Join(lessonsIn, "answers", "answer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f answerFile
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	grades, err := d.judged("test")
	if err != nil {
		t.Fatal(err)
	}
	var set [2]measure.Measure
	for i, name := range []string{"SetP", "SetR"} {
		if set[i], err = measure.Parse(name); err != nil {
			t.Fatal(err)
		}
	}
	for choice := 1; choice < 1<<len(f.Sentences); choice++ {
		in := make([]bool, len(f.Sentences))
		var lines []map[string]any
		support := make([]string, len(f.Nuggets))
		for i, s := range f.Sentences {
			if in[i] = choice>>i&1 == 1; !in[i] {
				continue
			}
			lines = append(lines, map[string]any{"text": s.Text, "citations": s.Citations})
			for number, as := range s.Support {
				n := int(number[0] - '1')
				if as == "support" || support[n] == "" {
					support[n] = as
				}
			}
		}
		var nuggets []map[string]string
		for i, n := range f.Nuggets {
			x := map[string]string{"text": n.Text, "importance": "okay", "assignment": "not_support"}
			if n.Vital {
				x["importance"] = "vital"
			}
			if support[i] != "" {
				x["assignment"] = support[i]
			}
			nuggets = append(nuggets, x)
		}
		assigned, _ := json.Marshal(map[string]any{"qid": f.Query, "nuggets": nuggets})
		table, err := scores.Read("a.jsonl", "a", append(assigned, '\n'), scores.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := a.Recall(in)
		for i, name := range table.Measures {
			want := map[string]float64{"strict_vital_score": r.StrictVital, "strict_all_score": r.StrictAll,
				"vital_score": r.Vital, "all_score": r.All}[name]
			if got := table.Value(0, 0, i); math.Abs(got-want) > 1e-12 {
				t.Errorf("%v: %s %v, the lesson says %v", in, name, got, want)
			}
		}
		answer, _ := json.Marshal(map[string]any{"topic_id": f.Query, "answer": lines, "references": []string{}})
		run, err := scores.Citations("a.jsonl", append(answer, '\n'))
		if err != nil {
			t.Fatal(err)
		}
		topic := &measure.Topic{TopGrade: 3}
		for _, e := range run.Ranked(0, collection.DocIDDescending, nil) {
			topic.Ranked = append(topic.Ranked, float64(grades[f.Query][e.Doc]))
		}
		for _, g := range grades[f.Query] {
			topic.Judged = append(topic.Judged, float64(g))
		}
		precision, recall := a.Citations(in)
		if p, q := set[0].Score(topic), set[1].Score(topic); p != precision || q != recall {
			t.Errorf("%v: citations %v %v, the lesson says %v %v", in, p, q, precision, recall)
		}
	}
}

func TestAnAnswerWithMistakesIsRefused(t *testing.T) {
	grades := map[string]map[string]int32{"q1": {"d1": 1, "d2": 3, "d3": 0}}
	good := `{"query": "q1", "nuggets": [{"text": "n", "vital": true}],
		"sentences": [{"text": "s", "citations": ["d1"], "support": {"1": "support"}}]}`
	a, err := readAnswer([]byte(good), grades)
	if err != nil || len(a.Grades) != 2 || a.Sentences[0].Supports[0] != 2 {
		t.Fatalf("%+v %v", a, err)
	}
	for from, want := range map[string]string{`"q1"`: `no query "q9"`, `"d1"`: `cites "d9", which is not judged`,
		`"1": "support"`: `support "maybe" of nugget "1"`, `"sentences"`: "nuggets and sentences",
		`{"query"`: "invalid"} {
		to := map[string]string{`"q1"`: `"q9"`, `"d1"`: `"d9"`, `"1": "support"`: `"1": "maybe"`,
			`"sentences"`: `"lines"`, `{"query"`: `["query"`}[from]
		_, err := readAnswer([]byte(strings.Replace(good, from, to, 1)), grades)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", from, err)
		}
	}
}
