package worker

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/message"
)

// long are two runs whose documents fit into no link.
func long() map[int][2]string {
	rnd := rand.New(rand.NewSource(2))
	var qrels strings.Builder
	runs := [2]strings.Builder{}
	for q := range 40 {
		var ids []string
		for range 60 {
			ids = append(ids, fmt.Sprintf("document-%d", rnd.Int()))
		}
		for i := range 5 {
			fmt.Fprintf(&qrels, "q%d 0 %s %d\n", q, ids[i*7], i%3)
		}
		for s := range runs {
			for rank, i := range rnd.Perm(50) {
				fmt.Fprintf(&runs[s], "q%d Q0 %s %d %d tag\n", q, ids[i], rank+1, 100-rank)
			}
		}
	}
	return map[int][2]string{1: {"t.qrels", qrels.String()}, 2: {"a.run", runs[0].String()}, 3: {"b.run",
		runs[1].String()}}
}

// A link by grades opens to the finished board: the same figures and digest. What needs documents is refused with a
// sentence.
func TestALinkByGradesOpensToTheBoard(t *testing.T) {
	files := long()
	l := newLab(t, files)
	s := &message.Setting{}
	for id := 1; id <= 3; id++ {
		s.Files = append(s.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
	}
	d := l.compare(s)
	if !d.Grades || d.Link == "" || d.Sent != "" || !strings.Contains(d.Without, "the documents") {
		t.Fatalf("link of %d characters, grades %t, sent %q, without %q, %s", len(d.Link), d.Grades, d.Sent, d.Without,
			d.Unlinked)
	}
	got := l.compare(&message.Setting{Link: d.Link})
	if got.Report.Hash != d.Report.Hash || !got.Report.GradesOnly() || got.Sent != message.SentSame ||
		got.Link != d.Link {
		t.Errorf("sent %q, warnings %v", got.Sent, got.Report.Warnings)
	}
	q := got.Report.Queries[0].ID
	for _, r := range []message.Request{
		{Kind: message.Query, Question: &message.AskQuery{A: 0, B: 1, Measure: "AP", Query: q, Depth: 10}},
		{Kind: message.Reasons, Question: &message.AskReasons{A: 0, B: 1, Measure: "AP", Queries: []string{q}}},
		{Kind: message.Opinions, Question: &message.AskOpinions{Measure: "AP"}},
		{Kind: message.Agreement, Question: &message.AskAgreement{Measure: "AP"}},
		{Kind: message.Export, Question: &message.AskExport{What: message.Wanted{Name: message.Unjudged}}},
	} {
		if x := l.do(r); x.Problem == nil || !strings.Contains(x.Problem.What, "grades by rank, not documents") {
			t.Errorf("kind %d: %+v", r.Kind, x.Problem)
		}
	}
	x := answer[message.Analysed](l, message.Analyse, &message.AskAnalyse{Parts: []string{analysis.Luck},
		Claim: "A AP 0.5"})
	if len(x.Sections) == 0 || !strings.Contains(x.Problem, "grades by rank") {
		t.Errorf("%+v", x)
	}
	saved := answer[message.Saved](l, message.Export,
		&message.AskExport{What: message.Wanted{Name: message.Comparison}})
	if f, err := packed.Unpack(saved.Bytes); err != nil || f.Graded == nil || f.Hash != d.Report.Hash {
		t.Errorf("saved: %+v, %v", f, err)
	}
	both := l.compare(&message.Setting{Link: d.Link, Files: []message.File{{ID: 2, Name: "a.run",
		Size: len(files[2][1])}}})
	if len(both.Report.Systems) != 2 || !strings.Contains(both.Files[0].Problem, "cannot be compared with other runs") {
		t.Errorf("another run beside it: %+v", both.Files)
	}
	// Another measure that needs no more is computed; another order of ties is refused.
	more := &message.Setting{Link: d.Link, Chosen: true, Measures: []string{"P@5", "nDCG"}}
	if x := l.compare(more); x.Report.Hash == d.Report.Hash || x.Sent != "" {
		t.Errorf("other measures: sent %q", x.Sent)
	}
	more.Policy = "ties=docid-asc"
	if x := l.do(message.Request{Kind: message.Runs, Question: more}); x.Problem == nil ||
		!strings.Contains(x.Problem.What, "tied documents needs their scores") {
		t.Errorf("another order of ties: %+v", x.Problem)
	}
}
