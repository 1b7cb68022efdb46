package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/compare/comparetest"
)

// opened makes a comparison of judgments and runs that are written as "query doc doc …; query …".
func opened(t *testing.T, measure, judged string, runs ...string) *compare.Comparison {
	t.Helper()
	each := func(text string, f func(query string, docs []string)) {
		for _, line := range strings.Split(text, ";") {
			w := strings.Fields(line)
			f(w[0], w[1:])
		}
	}
	in := compare.Input{Measures: []string{measure}}
	text := ""
	each(judged, func(q string, docs []string) {
		for _, d := range docs {
			text += q + " 0 " + d + " 1\n"
		}
	})
	judgments, err := collection.Read("qrels", strings.NewReader(text), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Qrels = judgments.Qrels
	for i := 0; i < len(runs); i += 2 {
		text = ""
		each(runs[i+1], func(q string, docs []string) {
			for k, d := range docs {
				text += fmt.Sprintf("%s Q0 %s %d %d x\n", q, d, k+1, 100-k)
			}
		})
		run, _, err := collection.ReadRun(strings.NewReader(text), runs[i], collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in.Runs = append(in.Runs, compare.Named{Name: runs[i], Run: run})
	}
	c, err := compare.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// repro_eval 0.5.0 (RMSE, nRMSE, ttest, ER, DRI) with pytrec_eval's P_5.
func TestReproducedIsThatOfReproEval(t *testing.T) {
	const judged = "1 d9 d4 d5 d8; 2 d0 d7 d3 d11; 3 d2 d1 d5 d7; 4 d3 d6 d8 d1"
	old := opened(t, "P@5", judged, "b",
		"1 d9 d3 d0 d10 d6 d2 d1 d8; 2 d2 d1 d11 d7 d9 d10 d0 d5; 3 d3 d11 d2 d9 d4 d8 d1 d7; 4 d10 d11 d3 d2 "+
			"d9 d7 d8 d0",
		"a", "1 d5 d6 d2 d9 d4 d0 d8 d11; 2 d9 d11 d0 d5 d1 d2 d6 d8; 3 d7 d5 d2 d11 d8 d10 d1 d0; 4 d4 d0 d5 d6 "+
			"d10 d11 d3 d2")
	now := opened(t, "P@5", judged, "b",
		"1 d9 d3 d0 d6 d2 d10 d1 d8; 2 d1 d2 d11 d7 d9 d10 d5 d0; 3 d11 d3 d2 d4 d9 d8 d1 d7; 4 d10 d3 d11 d2 "+
			"d9 d8 d7 d0",
		"a", "1 d2 d5 d6 d9 d0 d4 d11 d3; 2 d9 d11 d0 d5 d1 d2 d6 d7; 3 d5 d7 d2 d11 d6 d1 d0 d8; 4 d4 d5 d0 d10 "+
			"d6 d8 d3 d2")
	oldReport, err := old.Report(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := now.Report(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Reproduce(old, now, oldReport, report)
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	// τ: scipy 1.17.1, RBO: rbo 0.1.3 rbo_ext(p=0.9); the documents in common by counting
	for i, want := range []Reproduced{
		{"b", 4, false, 1, 0.8571428571428571, 0.9219986214285714, 0, 0, nan, nan, 1, .25, .25},
		{"a", 4, false, 0.875, 0.8095238095238096, 0.8416224982142858, 0.09999999999999998, 0.15249857033260464, 0.75,
			0.20000000000000018, 0.3910022189557705, .45, .4},
	} {
		g := got[i]
		for _, v := range [][2]float64{{g.Common, want.Common}, {g.Tau, want.Tau}, {g.RBO, want.RBO},
			{g.RMSE, want.RMSE}, {g.NRMSE, want.NRMSE}, {g.ER, want.ER}, {g.DRI, want.DRI}, {g.P, want.P},
			{g.Old, want.Old}, {g.New, want.New}} {
			if math.IsNaN(v[0]) != math.IsNaN(v[1]) || math.Abs(v[0]-v[1]) > 1e-12 || g.Same {
				t.Errorf("%+v, want %+v", g, want)
				break
			}
		}
	}
	s, err := Reproduction(old, old, oldReport, oldReport)
	if err != nil || !strings.HasPrefix(s.Sentence, "Every stored run is reproduced to the document") {
		t.Error(s.Sentence, err)
	}
	if s, err = Reproduction(old, now, oldReport, report); err != nil ||
		!strings.HasPrefix(s.Sentence, "0 of 2 runs are the same; the farthest off is a, RMSE 0.1000") {
		t.Error(s.Sentence, err)
	}
}

// What becomes of ten documents, from the least change to the largest. The share in common is counted, τ is scipy
// 1.17.1's kendalltau of the places of the documents in common, RBO is rbo 0.1.3's rbo_ext(p=0.9).
func TestPerturbedRankings(t *testing.T) {
	base := strings.Fields("d0 d1 d2 d3 d4 d5 d6 d7 d8 d9")
	nan := math.NaN()
	found := map[string]order{}
	for _, c := range []struct {
		name, ranking    string
		common, tau, rbo float64
	}{
		{"identical", "d0 d1 d2 d3 d4 d5 d6 d7 d8 d9", 1, 1, 1},
		{"last dropped", "d0 d1 d2 d3 d4 d5 d6 d7 d8", 0.9, 1, 1},
		{"half dropped", "d0 d1 d2 d3 d4", 0.5, 1, 1},
		{"first dropped", "d1 d2 d3 d4 d5 d6 d7 d8 d9", 0.9, 1, 0.7641531333642857},
		{"last replaced", "d0 d1 d2 d3 d4 d5 d6 d7 d8 x", 0.9, 1, 0.9612579510999999},
		{"inserted at 5", "d0 d1 d2 d3 x d4 d5 d6 d7 d8 d9", 10.0 / 11, 1, 0.9516387965733766},
		{"inserted at 1", "x d0 d1 d2 d3 d4 d5 d6 d7 d8 d9", 10.0 / 11, 1, 0.7614137965733767},
		{"three inserted at 1", "x y z d0 d1 d2 d3 d4 d5 d6 d7 d8 d9", 10.0 / 13, 1, 0.507723297175497},
		{"last two swapped", "d0 d1 d2 d3 d4 d5 d6 d7 d9 d8", 1, 43.0 / 45, 0.9952170309999999},
		{"first two swapped", "d1 d0 d2 d3 d4 d5 d6 d7 d8 d9", 1, 43.0 / 45, 0.8999999999999999},
		{"first and last swapped", "d9 d1 d2 d3 d4 d5 d6 d7 d8 d0", 1, 11.0 / 45, 0.7684578054642858},
		{"reversed", "d9 d8 d7 d6 d5 d4 d3 d2 d1 d0", 1, -1, 0.5116075656428573},
		{"disjoint", "x0 x1 x2 x3 x4 x5 x6 x7 x8 x9", 0, nan, 0},
		{"empty", "", 0, nan, 0},
	} {
		got, err := orderOf(base, strings.Fields(c.ranking))
		if err != nil {
			t.Fatal(err)
		}
		found[c.name] = got
		if got.same != (c.name == "identical") || math.Abs(got.common-c.common) > 1e-12 ||
			math.IsNaN(got.tau) != math.IsNaN(c.tau) || math.Abs(got.tau-c.tau) > 1e-12 ||
			math.Abs(got.rbo-c.rbo) > 1e-12 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c)
		}
	}
	for _, less := range [][]string{ // every further change lowers RBO
		{"identical", "last replaced", "inserted at 5", "inserted at 1", "three inserted at 1", "disjoint"},
		{"identical", "last two swapped", "first two swapped", "first and last swapped", "reversed", "disjoint"},
	} {
		for i := range less[1:] {
			if found[less[i]].rbo <= found[less[i+1]].rbo {
				t.Errorf("%s has RBO %v, %s %v", less[i], found[less[i]].rbo, less[i+1], found[less[i+1]].rbo)
			}
		}
	}
	if got, err := orderOf(nil, nil); err != nil || !got.same || got.common != 1 || got.rbo != 1 {
		t.Errorf("two that are empty: %+v, %v", got, err)
	}
}

func TestReadClaim(t *testing.T) {
	for _, c := range []struct {
		text, measure string
		value, half   float64
	}{
		{"BM25 nDCG@10 0.665 on SciFact", "nDCG@10", .665, .0005},
		{"nDCG@10: 66.5", "nDCG@10", .665, .0005},
		{"nDCG 1.63", "nDCG", 1.63, .005},
		{"nDCG 163%", "nDCG", 1.63, .005},
		{"P@5 = 40%", "P@5", .4, .005},
		{"ndcg@10 0.6 (BM25)", "nDCG@10", .6, .05},
	} {
		got, err := ReadClaim(c.text)
		if err != nil || got.Measure.String() != c.measure || math.Abs(got.Value-c.value) > 1e-12 ||
			math.Abs(got.Half-c.half) > 1e-12 {
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
	}
	for _, bad := range []string{"", "BM25 0.665", "nDCG@10", "nDCG@10 NaN"} {
		if _, err := ReadClaim(bad); err == nil {
			t.Errorf("%q is a claim", bad)
		}
	}
}

// By hand, of one query with relevant a, b, c and the list a x: nDCG@10 is 1 / (1 + 1/log2 3 + 1/2) = 0.469; made of
// the list alone the ideal is 1, and so is the value. Of two queries, of which the second finds nothing, the mean is
// 0.235, and 0.469 where that one is dropped.
func TestDetective(t *testing.T) {
	for _, x := range []struct{ name, judged, run, claim, want string }{
		{"as it is", "1 a b c", "1 a x", "nDCG@10 0.469", "0.469 is what A r has, nothing being assumed."},
		{"ideal from the list", "1 a b c", "1 a x", "nDCG@10 1.000",
			"1 comes out for A r if the ideal ranking used only retrieved documents"},
		{"queries without results", "1 a b c; 2 d", "1 a x; 2 x", "nDCG@10 0.469",
			"0.469 comes out for A r if queries without a relevant document in the ranking were dropped"},
		{"another cutoff", "1 a b", "1 x y z u v a", "P@5 0.100", "0.1 comes out for A r if it is P@10 and not P@5"},
		{"its own id", "a b", "a a b", "P@1 1.0", "1 comes out for A r if"},
		{"nothing", "1 a b c", "1 a x", "nDCG@10 0.123", "No attempt gives 0.123"},
	} {
		claim, err := ReadClaim(x.claim)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Detect(claim, opened(t, "nDCG@10", x.judged, "r", x.run).Input(), say.Plain, nil)
		if err != nil || !strings.HasPrefix(s.Sentence, x.want) {
			t.Errorf("%s: %q, %v; want %q", x.name, s.Sentence, err, x.want)
		}
	}
	claim, _ := ReadClaim("beta nDCG@10 0.5")
	in := comparetest.Fixture(t)
	calls := 0
	if _, err := Detect(claim, in, say.Plain, func() bool { calls++; return calls > 5 }); err != compare.ErrCancelled {
		t.Errorf("it goes on: %v", err)
	}
}
