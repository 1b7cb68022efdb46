package worker

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/message"
)

const goldenSet = `name: Pier
measures: [AP]
queries:
  - query: who built the pier
    id: q1
    expect: {d1: 1, d3: 2}
    note: kept by people
  - query: ferry
    id: q2
    expect: [d4]
    forbid: [d9]
`

// TestAGoldenSetIsHeldAgainstRuns. By hand: the first query of a finds d1 at rank 1; the second finds d4 at rank 2 and
// d9, which is forbidden, at rank 1. An edit that expects another document fails the first query.
func TestAGoldenSetIsHeldAgainstRuns(t *testing.T) {
	files := map[int][2]string{1: {"pier.yaml", goldenSet}, 2: given1[2]}
	s := &message.Setting{}
	for id := 1; id <= 2; id++ {
		s.Files = append(s.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
	}
	l := newLab(t, files)
	d := l.compare(s)
	if d.Report == nil || d.Golden == nil || d.Golden.Problem != "" || len(d.Golden.Runs) != 1 {
		t.Fatalf("%+v", d)
	}
	if !slices.Equal(d.Measures, []string{"AP"}) {
		t.Errorf("the measures are %s", d.Measures)
	}
	list := d.Golden.Runs[0]
	if len(list) != 2 || len(list[0].Reasons) != 0 || !slices.Equal(list[1].Reasons,
		[]string{`forbidden document "d9" is result 1`}) {
		t.Errorf("%+v", list)
	}
	if len(d.Golden.Power) == 0 || !strings.HasPrefix(d.Golden.Power[0], "AP: no loss could fail this build in 4 of 5 cases, with 2 queries") {
		t.Errorf("%q", d.Golden.Power)
	}
	edited := *s
	edited.Edits = []golden.Edit{{Query: "q1", Doc: "d1", Grade: -1}, {Query: "q1", Doc: "d3", Grade: -1},
		{Query: "q1", Doc: "nowhere", Grade: 3}}
	again := l.compare(&edited)
	if why := again.Golden.Runs[0][0].Reasons; len(why) != 1 ||
		why[0] != `not among the first 10 results: document "nowhere" (grade 3) is not found` {
		t.Errorf("%q", why)
	}
	saved := answer[message.Saved](l, message.Export, &message.AskExport{What: message.Wanted{Name: message.GoldenSet}})
	if saved.Name != "pier.yaml" {
		t.Error(saved.Name)
	}
	n, err := golden.ParseText(saved.Name, saved.Bytes)
	if err != nil {
		t.Fatalf("%v\n%s", err, saved.Bytes)
	}
	set, err := golden.Read(saved.Name, n)
	if err != nil {
		t.Fatalf("%v\n%s", err, saved.Bytes)
	}
	if q := set.Queries; len(q) != 2 || !slices.Equal(q[0].Expected, []golden.Grade{{Doc: "nowhere", Grade: 3}}) ||
		!slices.Equal(q[1].Forbidden, []string{"d9"}) || set.Name != "Pier" || !slices.Equal(set.Measures,
		[]string{"AP"}) {
		t.Errorf("%s", saved.Bytes)
	}
}

// The worker audits a golden set with what was measured. By hand: Success@10 of both queries is 1, so it is saturated.
// The second asks the words of the first, both have the tag pier, and nobody is named. The other set differs in all of
// this.
func TestAGoldenSetIsAudited(t *testing.T) {
	audit := func(set string) []string {
		files := map[int][2]string{1: {"pier.yaml", set}, 2: given1[2]}
		s := &message.Setting{}
		for id := 1; id <= 2; id++ {
			s.Files = append(s.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
		}
		d := newLab(t, files).compare(s)
		if d.Golden == nil {
			t.Fatalf("%+v", d)
		}
		return d.Golden.Audit
	}
	got := audit("measures: [Success@10]\nqueries:\n  - {query: the pier, id: q1, expect: [d1], tags: [pier]}\n" +
		"  - {query: 'Pier, the', id: q2, expect: [d4], tags: [pier]}\n")
	for i, want := range []string{
		`Success@10: the system has 1.000 on every query, so that no improvement can show. Add harder queries. "q1", "q2".`,
		`1 query repeats the words of an earlier one, but should find something else. "q2".`,
		`Tag pier has 2 queries: no test at 5 % can show a change with fewer than 6. "q1", "q2".`,
		"No query says who labelled it (by: name)."} {
		if i >= len(got) || got[i] != want {
			t.Fatalf("%q is not %q", got, want)
		}
	}
	if got := audit("measures: [RR@10]\nqueries:\n  - {query: the pier, id: q1, expect: [d1], by: Ada}\n" +
		"  - {query: ferry, id: q2, expect: [d4], by: Zoe}\n"); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// writeRunJSON writes a run as {query: {document: score}}.
func writeRunJSON(b *bytes.Buffer, run *collection.Run) {
	b.WriteString("{")
	for i, q := range run.Queries() {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(b, "%q:{", q)
		for k, e := range run.Ranked(i, collection.DocIDDescending, nil) {
			if k > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(b, "%q:%v", e.Doc, e.Score+0.5)
		}
		b.WriteString("}")
	}
	b.WriteString("}")
}

// TestGoldenSetsOfOtherToolsOpen: the formats that core/intake/golden reads are read here, each with a run of its first
// expected documents, which every query then finds. Ratings of Quepid are judgments, Ragas samples are scores, and the
// answer of _rank_eval is results.
func TestGoldenSetsOfOtherToolsOpen(t *testing.T) {
	names, _ := filepath.Glob("../../core/intake/golden/testdata/*.*")
	read := 0
	for _, name := range names {
		base := filepath.Base(name)
		if base == "README.md" || base == "quepid.csv" || base == "ragas.jsonl" || base == "rank-eval-answer.json" {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := golden.ParseText(base, b)
		if err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		set, err := golden.Read(base, n)
		if err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		found := &golden.Found{Answers: map[string]golden.Answer{}}
		for _, q := range set.Queries {
			for _, g := range q.Expected {
				if g.Grade > 0 {
					a := found.Answers[q.ID]
					a.Results = append(a.Results, golden.Result{Doc: g.Doc})
					found.Answers[q.ID] = a
				}
			}
		}
		run, err := set.Run(found)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		format := "r.run"
		if err := run.WriteTREC(&text); err != nil { // ids are texts of queries there
			text.Reset()
			format = "r.json"
			writeRunJSON(&text, run)
		}
		if set.QueriesFile+set.JudgmentsFile != "" || set.Qrels().Len() == 0 {
			continue
		}
		files := map[int][2]string{1: {base, string(b)}, 2: {format, text.String()}}
		s := &message.Setting{Files: []message.File{{ID: 1, Name: base, Size: len(b)}, {ID: 2, Name: format,
			Size: text.Len()}}}
		d := newLab(t, files).compare(s)
		if d.Files[0].What != "golden set" || d.Files[0].Problem != "" {
			t.Errorf("%s: %+v", base, d.Files[0])
		}
		if d.Golden != nil {
			read++
		}
	}
	if read < 6 {
		t.Errorf("%d golden sets were held against a run", read)
	}
}
