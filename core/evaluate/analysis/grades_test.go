package analysis

import (
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

func compared(t *testing.T, g GradeLists, measures ...string) [][]float64 {
	t.Helper()
	in := compare.Input{Measures: measures}
	judged, err := collection.Read("qrels", strings.NewReader(g.Qrels()), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Qrels = judged.Qrels
	run, _, err := collection.ReadRun(strings.NewReader(g.Run()), "run", collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Runs = append(in.Runs, compare.Named{Name: "run", Run: run})
	c, err := compare.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	means, err := c.Evaluation.Means(nil)
	if err != nil {
		t.Fatal(err)
	}
	return means
}

// By hand: 3 2 0 1 of five relevant documents has DCG 3 + 2/log2(3) + 1/log2(5), the ideal 3, 2, 1, 1, 1.
func TestGradesAreARunAndJudgments(t *testing.T) {
	g, err := ReadGrades("3 2 0 1 | relevant 5\n")
	if err != nil {
		t.Fatal(err)
	}
	means := compared(t, g, "nDCG@10", "R@10", "P@4", "RR")
	log := math.Log2
	ideal := 3 + 2/log(3) + 1/log(4) + 1/log(5) + 1/log(6)
	for i, want := range []float64{(3 + 2/log(3) + 1/log(5)) / ideal, 3.0 / 5, 3.0 / 4, 1} {
		if math.Abs(means[i][0]-want) > 1e-12 {
			t.Errorf("measure %d: %v, want %v", i, means[i][0], want)
		}
	}
	if g, err = ReadGrades("0 - 1\n\n1,0\n"); err != nil || len(g) != 2 {
		t.Fatalf("%v, %v", g, err)
	}
	if got := compared(t, g, "RR")[0][0]; math.Abs(got-(1.0/3+1)/2) > 1e-12 {
		t.Errorf("two queries: %v", got)
	}
}

func TestGradesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"": "no grades", "\n \n": "no grades", "q1 0 d1 1": `line 1: "q1" is no grade`,
		"1 0\n1 x": `line 2: "x" is no grade`, "|relevant 3": "0 grades",
		"1 1 | relevant 1": `"1" relevant documents, but the list has 2`,
		"1 | 5":            "after | stands no number", "1 -1": `"-1" is no grade`, "2000": "is no grade",
	} {
		if _, err := ReadGrades(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzReadGrades: lists become a run and judgments that our readers take, with as many relevant documents as they say.
func FuzzReadGrades(f *testing.F) {
	for _, s := range []string{"3 2 0 1 | relevant 5", "1", "0 -\n1,2\r\n", "1 | relevant 1000001", "| |"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ReadGrades(text)
		if err != nil {
			return
		}
		total := 0
		for _, l := range g {
			total += l.Relevant
		}
		if total > 10000 {
			return
		}
		judged := strings.NewReader(g.Qrels())
		content, err := collection.Read("qrels", judged, collection.Options{})
		if total > 0 && (err != nil || len(content.Warnings) > 0) {
			t.Fatalf("%q: %v", text, err)
		}
		var q *collection.Qrels
		if content != nil {
			q = content.Qrels
		}
		n := 0
		if q != nil {
			for _, id := range q.Queries() {
				for _, grade := range q.Grades(id, nil) {
					if grade > 0 {
						n++
					}
				}
			}
		}
		if n != total {
			t.Fatalf("%q: %d relevant documents, want %d", text, n, total)
		}
	})
}
