package analysis_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// judgments reads judgments of the demo collection, or a text.
func judgments(t *testing.T, name, text string) analysis.Judgments {
	t.Helper()
	if text == "" {
		b, err := os.ReadFile("../../../site/collections/harbour-wire/qrels/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		text = string(b)
	}
	got, err := collection.Read(name, strings.NewReader(text), collection.Options{Prefer: collection.QrelsTREC})
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Judgments{Name: name, Qrels: got.Qrels}
}

// The demo collection's three rounds of judging. κ: sklearn 1.9.1 cohen_kappa_score (no weights, linear, quadratic);
// Fleiss and Randolph:
// statsmodels 0.15.0 fleiss_kappa; α: krippendorff 0.9.0. Overlaps by hand from the counts of the table.
func TestJudgesAgreeWithTheReferenceTools(t *testing.T) {
	sets := []analysis.Judgments{judgments(t, "test", ""), judgments(t, "second", ""), judgments(t, "blind", "")}
	s, err := analysis.Judges(sets)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{
		{11220, 0.982620320855615, 0.746977, 0.85624, 0.923993},
		{176, 0.9545454545454546, 0.874083, 0.933909, 0.971133},
		{176, 0.875, 0.62855, 0.780708, 0.885182},
	}
	for i, row := range want {
		for k, v := range row {
			if got := s.Tables[0].Rows[i][k+1].Value; math.Abs(got-v) > 5.1e-7 {
				t.Errorf("%s, %s: %v, want %v", s.Tables[0].Rows[i][0].Text, s.Tables[0].Columns[k+1], got, v)
			}
		}
	}
	for i, v := range []float64{0.7306459001374253, 0.8762626262626262, 0.7511941896424676, 0.8732540427518558,
		0.9259750496295833} {
		if row := s.Tables[1].Rows[i]; math.Abs(row[2].Value-v) > 1e-13 {
			t.Errorf("%s: %v, want %v", row[0].Text, row[2].Value, v)
		}
	}
	// irrCAC 0.4.4: AC1, AC2 with linear and with quadratic weights, and their 95 % intervals, which are normal: of
	// 11,220 documents ours ends within a fifth of the width
	for i, want := range [][4]float64{
		{11220, 0.982455422480594, 0.98001030397523, 0.984900540985958},
		{11220, 0.993251272996919, 0.992253598269553, 0.994248947724286},
		{11220, 0.99719648316597, 0.996674628823628, 0.997718337508314},
	} {
		for k, v := range want {
			tolerance := 1e-12
			if k > 1 {
				tolerance = (want[3] - want[2]) / 5
			}
			if row := s.Tables[2].Rows[i]; math.Abs(row[k+1].Value-v) > tolerance {
				t.Errorf("%s, %s: %v, want %v", row[0].Text, s.Tables[2].Columns[k+1], row[k+1].Value, v)
			}
		}
	}
	if said := strings.Join(s.Notes, "\n"); !strings.Contains(said,
		"leave out documents that some judge did not judge (Fleiss 1971)") {
		t.Errorf("the notes do not say which Fleiss's κ is meant: %s", said)
	}
	if want := "Most alike are test and blind (κ 0.874), least second and blind (κ 0.629)."; !strings.HasSuffix(
		s.Sentence, want) {
		t.Errorf("%q does not end in %q", s.Sentence, want)
	}
}

// Six documents by hand. Both judged five (x1 y5 is the first's alone, x2 z1 the second's); the same grade has d1, d3
// and d4 of d1 d2 d3 d4 y1. Observed disagreement 2/5; A gives 0 twice, 1 twice, 2 once, B 0 once, 1 twice, 2 twice: by
// chance (2·1 + 2·2 + 1·2)/25 agree, 17/25 do not:
// κ = 1 − (2/5)/(17/25) = 1 − 10/17. Relevant to either are d1 d2 d3 y1, to both d1 d3 d2.
func TestTwoJudges(t *testing.T) {
	a := judgments(t, "A", "q 0 d1 1\nq 0 d2 1\nq 0 d3 2\nq 0 d4 0\nr 0 y1 0\nr 0 y5 3\n")
	b := judgments(t, "B", "q 0 d1 1\nq 0 d2 2\nq 0 d3 2\nq 0 d4 0\nr 0 y1 1\nr 0 z1 0\n")
	s, err := analysis.Judges([]analysis.Judgments{a, b})
	if err != nil {
		t.Fatal(err)
	}
	row := s.Tables[0].Rows[0]
	for k, v := range []float64{5, 3.0 / 5, 1 - 10.0/17} {
		if math.Abs(row[k+1].Value-v) > 1e-15 {
			t.Errorf("%s: %v, want %v", s.Tables[0].Columns[k+1], row[k+1].Value, v)
		}
	}
	if got := row[6].Value; got != 3.0/4 {
		t.Errorf("overlap %v, want 3/4", got)
	}
	// A holds d1 d2 d3 relevant, B also y1; chance agrees on 8/25.
	for k, v := range []float64{3.0 / 5, 4.0 / 5, 8.0 / 25} {
		if math.Abs(row[7+k].Value-v) > 1e-15 {
			t.Errorf("%s: %v, want %v", s.Tables[0].Columns[7+k], row[7+k].Value, v)
		}
	}
	// scipy 1.17.1: binomtest(3, 5).proportion_ci()
	sure := s.Tables[3]
	for k, v := range []float64{0.6, 0.14663279963467254, 0.9472550494736843} {
		if got := sure.Rows[0][3+k].Value; math.Abs(got-v) > 1e-9 {
			t.Errorf("%s: %v, want %v", sure.Rows[0][1].Text, got, v)
		}
	}
	if row := sure.Rows[1]; !(row[4].Value < row[3].Value && row[3].Value < row[5].Value) {
		t.Errorf("κ %v from %v to %v", row[3].Value, row[4].Value, row[5].Value)
	}
	counts := [][]float64{{1, 1, 0}, {0, 1, 1}, {0, 0, 1}}
	for i, row := range counts {
		for k, v := range row {
			if got := s.Tables[1].Rows[i][k+1].Value; got != v {
				t.Errorf("grade %d by %d: %v, want %v", i, k, got, v)
			}
		}
	}
	if want := "A and B give the same grade to 60.0 % of the 5 documents that both judged; Cohen's κ is 0.412."; s.Sentence != want {
		t.Errorf("%q, want %q", s.Sentence, want)
	}
	if s, err = analysis.Judges([]analysis.Judgments{a, judgments(t, "C", "z 0 d1 1\n")}); err != nil ||
		s.Sentence != "There is no document that A and C both judged." {
		t.Errorf("nothing in common: %q, %v", s.Sentence, err)
	}
	if _, err = analysis.Judges([]analysis.Judgments{a}); err == nil {
		t.Error("one set agrees with itself")
	}
}

// By A run one is better (its only document is relevant), by B run two; run three finds nothing for either. By hand:
// P@1 is 1 0 0 and 0 1 0; of the three pairs one-two changes, and the others are ties on one side. That A alone holds
// d3 relevant does not count.
func TestOrderOfRunsByJudge(t *testing.T) {
	rest := "" // eight that both judge alike make the pairs enough
	for _, d := range []string{"e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8"} {
		rest += "q 0 " + d + " 0\n"
	}
	sets := []analysis.Judgments{judgments(t, "A", "q 0 d1 1\nq 0 d2 0\n"+rest+"q 0 d3 1\n"), judgments(t, "B",
		"q 0 d1 0\nq 0 d2 1\n"+rest)}
	in := compare.Input{Measures: []string{"P@1"}}
	for _, doc := range []string{"d1", "d2", "d3"} {
		got, err := collection.Read("run", strings.NewReader("q Q0 "+doc+" 1 1 t\n"),
			collection.Options{Prefer: collection.RunTREC})
		if err != nil {
			t.Fatal(err)
		}
		in.Runs = append(in.Runs, compare.Named{Name: "run of " + doc, Run: got.Run})
	}
	s, err := analysis.JudgedOrder(sets, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "By P@1 1 of 3 pairs of runs changes places with the judge."; s.Sentence != want {
		t.Errorf("%q, want %q", s.Sentence, want)
	}
	for i, want := range [][2]float64{{1, 0}, {0, 1}, {0, 0}} {
		if row := s.Tables[0].Rows[i]; row[1].Value != want[0] || row[2].Value != want[1] {
			t.Errorf("run %d: %v %v, want %v", i, row[1].Value, row[2].Value, want)
		}
	}
	// scipy 1.17.1 of [1 0 0] and [0 1 0]: kendalltau −0.5, spearmanr −0.5; τ_AP is not defined for ties
	if row := s.Tables[1].Rows[0]; row[1].Value != 10 || row[2].Value != 1 || math.Abs(row[3].Value+0.5) > 1e-15 ||
		row[4].Value == row[4].Value || math.Abs(row[6].Value+0.5) > 1e-15 {
		t.Errorf("%+v", row)
	}
	few := []analysis.Judgments{sets[0], judgments(t, "C", "q 0 d1 1\n"), judgments(t, "D",
		"q 0 d1 0\nq 0 d2 0\n"+rest)}
	if s, err = analysis.JudgedOrder(few, in, nil); err != nil ||
		s.Sentence != "No two judges share enough documents to compare the orders of the runs." {
		t.Errorf("%q, %v", s.Sentence, err)
	}
	for _, want := range []string{"Not compared: A and C: both judged 1 document, and it takes 10.",
		"Not compared: A and D: D holds none of the documents relevant that both judged."} {
		if !slices.Contains(s.Notes, want) {
			t.Errorf("%q lacks %q", s.Notes, want)
		}
	}
}

// Four runs whose P@1 by A is 4/4 3/4 2/4 1/4, by B 3/4 4/4 2/4 1/4. By hand: of six pairs one swaps, τ = (5 − 1)/6.
// In B's order (two, one,
// three, four) the pairs that A has too: rank 2 none of 1, rank 3 both, rank 4 all three: τ_AP = 2/3·(0/1 + 2/2 + 3/3)
// − 1 = 1/3.
func TestTauAPOfJudges(t *testing.T) {
	grades := func(of map[string]string) (text string) {
		for _, q := range []string{"1", "2", "3", "4"} {
			for _, d := range []string{"a", "b", "c", "d"} {
				g := "0"
				if strings.Contains(of[d], q) {
					g = "1"
				}
				text += q + " 0 " + d + " " + g + "\n"
			}
		}
		return text
	}
	sets := []analysis.Judgments{judgments(t, "A", grades(map[string]string{"a": "1234", "b": "123", "c": "12",
		"d": "1"})), judgments(t, "B", grades(map[string]string{"a": "123", "b": "1234", "c": "12", "d": "1"}))}
	in := compare.Input{Measures: []string{"P@1"}}
	for _, d := range []string{"a", "b", "c", "d"} {
		text := ""
		for _, q := range []string{"1", "2", "3", "4"} {
			text += q + " Q0 " + d + " 1 1 t\n"
		}
		got, err := collection.Read("run", strings.NewReader(text), collection.Options{Prefer: collection.RunTREC})
		if err != nil {
			t.Fatal(err)
		}
		in.Runs = append(in.Runs, compare.Named{Name: d, Run: got.Run})
	}
	s, err := analysis.JudgedOrder(sets, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if row := s.Tables[1].Rows[0]; math.Abs(row[3].Value-4.0/6) > 1e-15 || math.Abs(row[4].Value-1.0/3) > 1e-15 ||
		row[7].Value != 1 {
		t.Errorf("%+v", row)
	}
}
