package analysis_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// graded are qrels of one document a query, from query number from on, -1 for none.
func graded(from int, grades ...int) (text string) {
	for i, g := range grades {
		text += fmt.Sprintf("q%d 0 d %d\n", from+i, g)
	}
	return text
}

// The run finds d first for every query, so P@1 is its grade. Oracle: ppi-python 0.2.3, ppi_mean_pointestimate of Y =
// [1,0,1,1,0,1], Yhat = [1,0,1,0,0,1], Yhat_unlabeled = [1,1,0,1,0,1,1,0,1,1]; the model's mean is of all 16. Intervals
// of the two: scipy 1.17.1, binomtest(4, 6) and (10, 16).proportion_ci().
func TestMeansOfAPersonAModelAndBoth(t *testing.T) {
	person := judgments(t, "Ada", graded(1, 1, 0, 1, 1, 0, 1)+graded(90, 1))
	model := judgments(t, "llm", graded(1, 1, 0, 1, 0, 0, 1)+graded(7, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1))
	text := ""
	for i := 1; i <= 16; i++ {
		text += fmt.Sprintf("q%d Q0 d 1 1 t\n", i)
	}
	got, err := collection.Read("run", strings.NewReader(text), collection.Options{Prefer: collection.RunTREC})
	if err != nil {
		t.Fatal(err)
	}
	in := compare.Input{Measures: []string{"P@1"}, Runs: []compare.Named{{Name: "run", Run: got.Run}}}
	s, err := analysis.ModelJudge(person, model, in, 0.1, nil)
	if err != nil {
		t.Fatal(err)
	}
	row := s[1].Tables[0].Rows[0]
	for k, v := range []float64{4.0 / 6, 0.22277809550354957, 0.9567281317071105, 10.0 / 16,
		0.35434609430207786, 0.848016324918838, 0.75} {
		abs := 1e-12
		if k%3 > 0 {
			abs = 1e-9
		}
		if got := row[k+1].Value; math.Abs(got-v) > abs {
			t.Errorf("%s: %v, want %v", s[1].Tables[0].Columns[k+1], got, v)
		}
	}
	notes := strings.Join(s[1].Notes, "\n")
	for _, want := range []string{"as Ada would judge them", "a random sample of all",
		"1 query that Ada alone judged is left out."} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
	if s, err = analysis.ModelJudge(person, judgments(t, "llm", graded(1, 1, 0)), in, 0.1, nil); err != nil ||
		!strings.HasPrefix(s[1].Sentence, "It takes at least two queries") {
		t.Errorf("%q, %v", s[1].Sentence, err)
	}
}

// Of three documents with grade 0 the model gives 0 0 1, of four with grade 2 it gives 2 1 2 3, of one with grade 1 it
// gives 3: of grades from 0 to 3 that one alone has a mean above 0.025·3.
func TestBiasByGrade(t *testing.T) {
	person := judgments(t, "Ada", graded(1, 0, 0, 0, 2, 2, 2, 2, 1))
	model := judgments(t, "llm", graded(1, 0, 0, 1, 2, 1, 2, 3, 3))
	s, err := analysis.ModelJudge(person, model, compare.Input{}, 0.1, nil)
	if err != nil || len(s) != 1 {
		t.Fatal(s, err)
	}
	nan := math.NaN()
	for i, want := range [][]float64{{3, 1.0 / 3, nan, nan, 1.0 / 3}, {1, 3, 0.075, 3, 2}, {4, 2, nan, nan, 0}} {
		for k, v := range want {
			got := s[0].Tables[0].Rows[i][k+1].Value
			if mean := s[0].Tables[0].Rows[i][2].Value; v != v && (k == 2 && got < mean && got > 0 || k == 3 && got > mean &&
				got < 3) {
				continue
			}
			if !(math.Abs(got-v) <= 1e-8) {
				t.Errorf("row %d, %s: %v, want %v", i, s[0].Tables[0].Columns[k+1], got, v)
			}
		}
	}
	// differences 0 0 1 0 −1 0 1 2: 3/8
	if want := "Over the 8 documents that both judged, the grades of llm are on average 0.375 higher than those of " +
		"Ada (difference, 95 %: -0."; !strings.HasPrefix(s[0].Sentence, want) {
		t.Errorf("%q, want %q", s[0].Sentence, want)
	}
	if s, _ := analysis.ModelJudge(person, judgments(t, "llm", graded(50, 1)), compare.Input{}, 0.1,
		nil); s[0].Sentence != "There is no document that Ada and llm both judged." {
		t.Errorf("%q", s[0].Sentence)
	}
}

// Three students. d1: 1 1 0, d2: 0 0 (of a and b), d3: 2 (a) 1 (c), d4: 1 (b alone). By hand: a has beside it d1 the
// lower middle of 1 and 0: 0, d2 0, d3 1, so one of three is the same and the mean difference is (1 + 0 + 1)/3.
func TestEachStudentAgainstTheOthers(t *testing.T) {
	sets := []analysis.Judgments{judgments(t, "a", "q 0 d1 1\nq 0 d2 0\nq 0 d3 2\n"), judgments(t, "b",
		"q 0 d1 1\nq 0 d2 0\nq 0 d4 1\n"), judgments(t, "c", "q 0 d1 0\nq 0 d3 1\n")}
	s, err := analysis.ByJudge(sets)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][3]float64{{3, 3, 1.0 / 3}, {3, 2, 1.0 / 2}, {2, 2, 0}} {
		row := s.Tables[0].Rows[i]
		for k, v := range want {
			if math.Abs(row[k+1].Value-v) > 1e-15 {
				t.Errorf("%s, %s: %v, want %v", row[0].Text, s.Tables[0].Columns[k+1], row[k+1].Value, v)
			}
		}
	}
	if got := s.Tables[0].Rows[0][8].Value; math.Abs(got-2.0/3) > 1e-15 {
		t.Errorf("mean difference of a: %v, want 2/3", got)
	}
	if !strings.HasPrefix(s.Sentence, "3 judges graded 4 documents, 3 of them more than once.") {
		t.Errorf("%q", s.Sentence)
	}
}
