package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/compare/comparetest"
	"github.com/rankbox/rankbox/core/say"
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
	var err error
	if in.Qrels, _, err = collection.ReadQrels(strings.NewReader(text), "qrels", collection.Options{}); err != nil {
		t.Fatal(err)
	}
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

// repro_eval 0.5.0 (KTU, RBO(p=0.95, depth=1000), RMSE, nRMSE, ttest, ER, DRI) with pytrec_eval's P_5.
func TestReproducedIsThatOfReproEval(t *testing.T) {
	const judged = "1 d9 d4 d5 d8; 2 d0 d7 d3 d11; 3 d2 d1 d5 d7; 4 d3 d6 d8 d1"
	old := opened(t, "P@5", judged, "b", "1 d9 d3 d0 d10 d6 d2 d1 d8; 2 d2 d1 d11 d7 d9 d10 d0 d5; 3 d3 d11 d2 d9 d4 d8 d1 d7; 4 d10 d11 d3 d2 d9 d7 d8 d0",
		"a", "1 d5 d6 d2 d9 d4 d0 d8 d11; 2 d9 d11 d0 d5 d1 d2 d6 d8; 3 d7 d5 d2 d11 d8 d10 d1 d0; 4 d4 d0 d5 d6 d10 d11 d3 d2")
	now := opened(t, "P@5", judged, "b", "1 d9 d3 d0 d6 d2 d10 d1 d8; 2 d1 d2 d11 d7 d9 d10 d5 d0; 3 d11 d3 d2 d4 d9 d8 d1 d7; 4 d10 d3 d11 d2 d9 d8 d7 d0",
		"a", "1 d2 d5 d6 d9 d0 d4 d11 d3; 2 d9 d11 d0 d5 d1 d2 d6 d7; 3 d5 d7 d2 d11 d6 d1 d0 d8; 4 d4 d5 d0 d10 d6 d8 d3 d2")
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
	for i, want := range []Reproduced{
		{"b", 4, 0.46428571428571247, 0.5669446140474244, 0, 0, nan, nan, 1, .25, .25},
		{"a", 4, 0.23214285714285754, 0.5161706936333385, 0.09999999999999998, 0.15249857033260464, 0.75, 0.20000000000000018, 0.3910022189557705, .45, .4},
	} {
		g := got[i]
		for _, v := range [][2]float64{{g.KTU, want.KTU}, {g.RBO, want.RBO}, {g.RMSE, want.RMSE}, {g.NRMSE, want.NRMSE}, {g.ER, want.ER}, {g.DRI, want.DRI}, {g.P, want.P}, {g.Old, want.Old}, {g.New, want.New}} {
			if math.IsNaN(v[0]) != math.IsNaN(v[1]) || math.Abs(v[0]-v[1]) > 1e-12 {
				t.Errorf("%+v, repro_eval has %+v", g, want)
				break
			}
		}
	}
	s, err := Reproduction(old, old, oldReport, oldReport)
	if err != nil || !strings.HasPrefix(s.Sentence, "Every stored run is reproduced to the document") {
		t.Error(s.Sentence, err)
	}
	if s, err = Reproduction(old, now, oldReport, report); err != nil || !strings.HasPrefix(s.Sentence, "0 of 2 runs are the same; the farthest off is a, RMSE 0.1000") {
		t.Error(s.Sentence, err)
	}
}

func TestReadClaim(t *testing.T) {
	for _, c := range []struct {
		text, measure string
		value, half   float64
	}{
		{"BM25 nDCG@10 0.665 on SciFact", "nDCG@10", .665, .0005},
		{"nDCG@10: 66.5", "nDCG@10", .665, .0005},
		{"P@5 = 40%", "P@5", .4, .005},
		{"ndcg@10 0.6 (BM25)", "nDCG@10", .6, .05},
	} {
		got, err := ReadClaim(c.text)
		if err != nil || got.Measure.String() != c.measure || math.Abs(got.Value-c.value) > 1e-12 || math.Abs(got.Half-c.half) > 1e-12 {
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
	}
	for _, bad := range []string{"", "BM25 0.665", "nDCG@10", "nDCG@10 NaN"} {
		if _, err := ReadClaim(bad); err == nil {
			t.Errorf("%q is a claim", bad)
		}
	}
}

// By hand, of one query with relevant a, b, c and the list a x: nDCG@10 is 1 / (1 + 1/log2 3 + 1/2) = 0.469; made of the list alone the ideal is 1,
// and so is the value. Of two queries, of which the second finds nothing, the mean is 0.235, and 0.469 where that one is dropped.
func TestDetective(t *testing.T) {
	for _, x := range []struct{ name, judged, run, claim, want string }{
		{"as it is", "1 a b c", "1 a x", "nDCG@10 0.469", "0.469 is what A r has, nothing being assumed."},
		{"ideal from the list", "1 a b c", "1 a x", "nDCG@10 1.000", "1 comes out for A r if the ideal ranking was made of the retrieved documents only"},
		{"queries that found nothing", "1 a b c; 2 d", "1 a x; 2 x", "nDCG@10 0.469", "0.469 comes out for A r if queries without a relevant document in the ranking were dropped"},
		{"another cutoff", "1 a b", "1 x y z u v a", "P@5 0.100", "0.1 comes out for A r if it is P@10 and not P@5"},
		{"its own id", "a b", "a a b", "P@1 1.0", "1 comes out for A r if"},
		{"nothing", "1 a b c", "1 a x", "nDCG@10 0.123", "Nothing that was tried gives 0.123"},
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
