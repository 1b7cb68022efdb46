package worker

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// judged is an open collection of two documents and twelve queries, to each of which the first document is relevant.
func judged(t *testing.T) (*Engine, func(k message.Kind, r message.Request) message.Reply) {
	t.Helper()
	c := &collection.Collection{Docs: []collection.Doc{{ID: "a", Title: "ferry", Text: "a ferry"},
		{ID: "b", Title: "storm", Text: "a storm and a ferry"}}, Qrels: collection.NewQrels()}
	for i := range 12 {
		id := fmt.Sprintf("q%d", i+1)
		c.Queries = append(c.Queries, collection.Query{ID: id, Text: "ferry"})
		c.Qrels.Add(id, "a", 1)
	}
	files := map[string][]byte{}
	if _, err := bundle.Build(bundle.Source{ID: "c", Name: "C", Collection: c}, func(name string, data []byte) error {
		files[base+name] = data
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	e, replies := engine(files)
	ask := func(k message.Kind, r message.Request) message.Reply {
		r.ID, r.Kind = uint64(len(*replies)+1), k
		e.Handle(r)
		return (*replies)[len(*replies)-1]
	}
	if r := ask(message.Open,
		message.Request{Question: &message.Place{Collection: "c", Base: base}}); r.Problem != nil {
		t.Fatalf("%+v", r.Problem)
	}
	return e, ask
}

func TestARunBecomesAFirstStage(t *testing.T) {
	tests := []struct {
		name, file, text string
		run, said        string // the run's name and what is said; or only the problem
	}{
		{"as TREC has it", "my system.run.gz", "q1 Q0 a 1 2.5 x\nq1 Q0 b 2 1.5 x\nq2 Q0 b 1 3 x\n", "my-system",
			"my-system answers 2 judged queries of 12 with 3 documents."},
		{"with lines of elsewhere", "1st.txt", "q1 Q0 a 1 2 x\nq1 Q0 zz 2 1 x\nq99 Q0 a 1 2 x\n", "run-1st",
			"2 lines are left out: C has no such query or document."},
		{"of another collection", "other.run", "301 Q0 a 1 2 x\n302 Q0 a 1 2 x\n", "",
			"none of the 2 queries of other is a judged one of C"},
		{"of other documents", "docs.run", "q1 Q0 FT911-1 1 2 x\n", "", "none of the documents of docs is one of C's"},
		{"nothing", "empty.run", "", "", ""},
		{"judgments", "qrels.txt", "q1 0 a 1\nq2 0 b 0\n", "",
			"is not a run: want lines of query, Q0, document, rank, score, name"},
		{"no text", "cat.run", "\x00\x01\x02", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, ask := judged(t)
			e.Device.Files = func(int) (io.Reader, error) { return strings.NewReader(tt.text), nil }
			r := ask(message.Stored,
				message.Request{Question: &message.AskStored{
					Files: []message.File{{ID: 1, Name: tt.file, Size: len(tt.text)}}}})
			if tt.run == "" {
				if r.Problem == nil || !strings.Contains(r.Problem.What, tt.said) ||
					!strings.Contains(r.Problem.Where, "editor") {
					t.Errorf("%+v, %+v", r.Answer, r.Problem)
				}
				if e.open.session.Runs.Names() != nil {
					t.Errorf("a run is there all the same: %v", e.open.session.Runs.Names())
				}
				return
			}
			got, ok := r.Answer.(*message.StoredRun)
			if !ok || got.Name != tt.run || !strings.Contains(got.Said, tt.said) || len(got.Names) != 1 ||
				got.Names[0] != tt.run {
				t.Fatalf("%+v, %+v", r.Answer, r.Problem)
			}
			res, ok := ask(message.Search,
				message.Request{Question: &experiment.Spec{QueryID: "q1",
					Systems: []string{"run(" + tt.run + ")", "rrf(bm25, run(" + tt.run + "))"}}}).Answer.(*experiment.Results)
			if !ok || res.Lists[0].Problem != "" || res.Lists[0].Hits[0].ID != "a" || len(res.Lists[1].Hits) != 2 {
				t.Fatalf("%+v", res)
			}
			res = ask(message.Search,
				message.Request{Question: &experiment.Spec{QueryID: "q5",
					Systems: []string{"run(" + tt.run + ")"}}}).Answer.(*experiment.Results)
			if !strings.Contains(res.Lists[0].Problem, "has no ranking for query q5") {
				t.Errorf("a query that the run does not hold: %q", res.Lists[0].Problem)
			}
			res = ask(message.Search,
				message.Request{Question: &experiment.Spec{Query: "storm",
					Systems: []string{"run(" + tt.run + ")", "run(gone)"}}}).Answer.(*experiment.Results)
			if !strings.Contains(res.Lists[0].Problem, "not of a typed one") ||
				!strings.Contains(res.Lists[1].Problem, "drop its file on the editor") {
				t.Errorf("%q, %q", res.Lists[0].Problem, res.Lists[1].Problem)
			}
		})
	}
}

// By hand: run a has the relevant document first and run b last, so every weight above one half is worth 1, and 0.55 is
// nearest to what there was.
func TestWeightsAreTunedAMomentAtATime(t *testing.T) {
	e, ask := judged(t)
	text := map[int]string{}
	for i := range 12 {
		text[1] += fmt.Sprintf("q%d Q0 a 1 2 x\nq%d Q0 b 2 1 x\n", i+1, i+1)
		text[2] += fmt.Sprintf("q%d Q0 b 1 2 x\nq%d Q0 a 2 1 x\n", i+1, i+1)
	}
	e.Device.Files = func(id int) (io.Reader, error) { return strings.NewReader(text[id]), nil }
	if r := ask(message.Stored,
		message.Request{Question: &message.AskStored{Files: []message.File{{ID: 1, Name: "a"},
			{ID: 2, Name: "b"}}}}); r.Problem != nil {
		t.Fatalf("%+v", r.Problem)
	}
	now := 0.0
	// 60 ms whenever somebody looks: an answer after a few values
	e.page.clock = func() float64 { now += 60e3; return now }
	var got *message.Tuned
	answers := 0
	for answers = 1; answers < 50; answers++ {
		r := ask(message.Tune, message.Request{Question: &message.AskTune{System: "wsum(run(a), run(b))",
			Measure: "RR"}})
		var ok bool
		if got, ok = r.Answer.(*message.Tuned); !ok || got.Problem != "" {
			t.Fatalf("%+v, %+v", r.Answer, r.Problem)
		}
		if got.Finding != nil {
			break
		}
		if got.Done == 0 || got.Done >= got.Of || len(got.Means) != got.Done {
			t.Fatalf("%+v", got)
		}
	}
	if answers < 3 || len(got.Choices) == 0 || got.Choices[0].Best != "0.55" || got.Choices[0].HeldOut != 1 ||
		got.Choices[0].System != "wsum(run(a), run(b), weight=0.55)" || got.Choices[0].NoWeaviate == "" ||
		!strings.Contains(got.Choices[0].OpenSearch, "0.55") {
		t.Errorf("after %d answers %+v", answers, got)
	}
	r := ask(message.Tune, message.Request{Question: &message.AskTune{System: "combsum(run(a), run(b))",
		Measure: "RR"}})
	if x, ok := r.Answer.(*message.Tuned); !ok || !strings.Contains(x.Problem, "no fusion with anything to tune") {
		t.Errorf("%+v, %+v", r.Answer, r.Problem)
	}
	r = ask(message.Tune, message.Request{Question: &message.AskTune{System: "wsum(run(a), run(c))", Measure: "RR"}})
	if x, ok := r.Answer.(*message.Tuned); !ok || !strings.Contains(x.Problem, "no stored run called c") {
		t.Errorf("%+v, %+v", r.Answer, r.Problem)
	}
}
