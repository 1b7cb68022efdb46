package measure

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Score is the oracle; other tests of this package compare it with trec_eval and ir_measures. The measures' own
// unfoldings must give its value without the step by step fallback. Measures without one are not sums by
// definition.
func TestUnfoldAddsUp(t *testing.T) {
	var stepwise []string
	for _, in := range All() {
		if in.unfold == nil {
			stepwise = append(stepwise, in.Name)
		}
	}
	if got, want := strings.Join(stepwise,
		" "), "RecallAll IPrec 11pt_avg yaap prefs_simp prefs_pair prefs_avgjg prefs_avgjg_Rnonrel NumPrefsFul"; got != want {
		t.Errorf("no sums: %s, want %s", got, want)
	}
	rng := rand.New(rand.NewPCG(41, 42))
	ms := variants(t)
	for _, m := range slices.Clone(ms) {
		if !m.judged { // as under a policy of condensed lists, with or without the parameter
			m.judged = true
			ms = append(ms, m)
		}
	}
	topics := 1000
	if runtime.GOARCH == "wasm" {
		// Every length and every measure: a property of the arithmetic, whose bits other tests compare across
		// platforms.
		topics = 100
	}
	for i := range topics {
		tp := randomTopic(rng, []int{0, 1, 4, 12, 40}[i%5])
		for _, m := range ms {
			want := m.Score(tp)
			slack := 1e-14 * max(1, math.Abs(want))
			if m.info.unfold != nil {
				u := m.unfolder(tp.withRanked())
				m.info.unfold(u)
				if got := u.finish(); math.Abs(got-want) > slack*max(1, math.Abs(u.Base)) {
					t.Fatalf("%s, judged only %v, of %v (judged %v): the terms make %v, the value is %v: %+v", m,
						m.judged, tp.Ranked, tp.Judged, got, want, u.Unfolding)
				}
			}
			u := m.Unfold(tp)
			if u.Value != want || u.Stepwise != (m.info.unfold == nil) || len(u.Parts) != len(tp.Ranked) {
				t.Fatalf("%s of %v: value %v, want %v, %d parts, stepwise %v", m, tp.Ranked, u.Value, want,
					len(u.Parts), u.Stepwise)
			}
			shares := u.Base
			for j, p := range u.Parts {
				shares += p.Share
				if p.Place != j+1 || p.Rank > p.Place || p.Grade != tp.Ranked[j] || p.Term != 0 && p.Work == "" {
					t.Fatalf("%s of %v: part %d is %+v", m, tp.Ranked, j, p)
				}
			}
			if math.Abs(shares-want) > 1e-12*max(1, math.Abs(want), math.Abs(u.Base)) {
				t.Fatalf("%s of %v: shares make %v, the value is %v", m, tp.Ranked, shares, want)
			}
			for _, s := range u.Steps() {
				if s == "" || strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
					t.Fatalf("%s of %v: steps %q", m, tp.Ranked, u.Steps())
				}
			}
		}
	}
}

// By hand: the written arithmetic, one measure of every form.
func TestUnfoldSteps(t *testing.T) {
	tp := &Topic{Ranked: []float64{0, 3, Unjudged, 1}, Judged: []float64{3, 1, 0, 2}, Subtopics: exampleSubtopics()}
	tp.Subtopics.Ranked = []int32{0, 2, -1, -1}
	tp.Preferences = examplePreferences()
	tp.Preferences.Ranked = []int32{0, 1, -1, 3}
	for _, c := range []struct {
		measure string
		want    string
	}{
		{"P@5", "1 + 1 = 2; cutoff = 5; 2 / 5 = 0.4"},
		{"AP", "1/2 + 2/4 = 1; relevant documents = 3; 1 / 3 = 0.333333"},
		{"RR", "1/2 = 0.5"},
		{"NumRel", "whatever the list is: 3; no document adds anything; 3 + 0 = 3"},
		{"nDCG@3", "3 / log2(3) = 1.892789; IDCG@3 = 3 / log2(2) + 2 / log2(3) + 1 / log2(4) = 4.76186; 1.892789 / " +
			"4.76186 = 0.39749"},
		{"nDCG(dcg='exp-log2')@1",
			"no document adds anything; IDCG(dcg='exp-log2')@1 = (2^3 - 1) / log2(2) = 7; 0 / 7 = 0"},
		{"ERR(max_rel=3)", "0.875 x 1 / 2 + 0.125 x 0.125 / 4 = 0.441406"},
		{"RBP(rel=1,p=0.5)", "0.5 x 0.5^1 + 0.5 x 0.5^3 = 0.3125"},
		{"rbp_resid(p=0.5)", "whatever the list is: 1; -0.5 x 0.5^0 + -0.5 x 0.5^1 + -0.5 x 0.5^3 = -0.8125; 1 + " +
			"-0.8125 = 0.1875"},
		{"Accuracy", "1 = 1; pairs of a relevant document and another = 4; 1 / 4 = 0.25"},
		{"BPM(T=1,max_rel=3)@4", "1 = 1; documents looked at = 2; 1 / 2 = 0.5"},
		{"R(rel=4)@2", "no document adds anything; relevant documents = 0: there is nothing to divide by, and " +
			"the value is 0"},
		{"alpha_DCG@2", "1 / log2(2) + 1.5 / log2(3) = 1.946395; sub-topics with relevant documents x the best that " +
			"each could give = 2.63093; 1.946395 / 2.63093 = 0.739812"},
		{"StRecall@2", "1 + 1 = 2; sub-topics with relevant documents = 2; 2 / 2 = 1"},
		{"AP_IA", "1/1/2 + 2/2/2 + 1/2/2 = 1.25; sub-topics with relevant documents = 2; 1.25 / 2 = 0.625"},
		{"IPrec@0.5", "what each document changes, one after the other: (0.5 - 0) = 0.5"},
		{"utility(c=-1)", "whatever the list is: -3; -1 + 2 + -1 + 2 = 2; -3 + 2 = -1"},
		{"yaap", "an empty list scores -1.386294; the documents, one after the other: (-0.847298 - -1.386294) + " +
			"(-0.405465 - -0.847298) = 0.980829; -1.386294 + 0.980829 = -0.405465"},
		{"NERR8(max_rel=3)@4", "1 = 1; the weights of all ranks = 2; 1 / 2 = 0.5"},
		{"NERR10(p=0.5,max_rel=1)", "0.5 x 1 = 0.5; the weights of all ranks = 1.5; 0.5 / 1.5 = 0.333333"},
		{"INST(T=1,max_rel=4)",
			"0.444444 x 0.75 + 0.124567 x 0.25 = 0.364475; the weights of all ranks = 2.221152; 0.364475 / " +
				"2.221152 = 0.164093"},
		{"SDCG(max_rel=4)@3",
			"0.75 / log2(3) = 0.473197; 1 / log2(i + 1) over all ranks to the cutoff = 2.13093; 0.473197 / " +
				"2.13093 = 0.222061"},
		{"binG", "1 / log2(3) + 1 / log2(4) = 1.13093; relevant documents = 3; 1.13093 / 3 = 0.376977"},
		{"Bpref", "1 - 1/1 + 1 - 1/1 = 0; relevant documents = 3; 0 / 3 = 0"},
		{"infAP", "0.500005 + 0.5 = 1.000005; relevant documents = 3; 1.000005 / 3 = 0.333335"},
		{"Q", "(1 + 3)/(2 + 5) + (2 + 4)/(4 + 6) = 1.171429; relevant documents = 3; 1.171429 / 3 = 0.390476"},
		{"Q(beta=0.5)@2", "(1 + 1.5)/(2 + 2.5) = 0.555556; relevant documents = 2; 0.555556 / 2 = 0.277778"},
		{"G", "3 / log2(4) + 1 / log2(5) = 1.930677; all gain there is = 6; 1.930677 / 6 = 0.321779"},
		{"G(gains={1:4})", "3 / log2(6) + 4 / log2(5) = 2.883265; all gain there is = 9; 2.883265 / 9 = 0.320363"},
		{"ndcg_rel", "1.892789/4.26186 + 1.892789/4.76186 + 2.323466/4.76186 + 0.430677/4.76186 = 1.419988; " +
			"documents with positive gain = 3; 1.419988 / 3 = 0.473329"},
		{"Rndcg", "3 / log2(3) x 0.444641 = 0.841612; ranks at which nDCG is taken = 3; 0.841612 / 3 = 0.280537"},
		{"Compat(p=0.5)", "0.364583 + 0.03125 = 0.395833; the sum of the ideal ranking = 1.84375; 0.395833 / " +
			"1.84375 = 0.214689"},
		{"Compat(p=0.5,normalize=False)",
			"0.364583 + 0.03125 = 0.395833; the weights of all depths = 1.875; 0.395833 / 1.875 = 0.211111"},
		{"NRBP", "1 x 0.5^0 + 1.5 x 0.5^1 = 1.75; sub-topics with relevant documents / (1 - (1 - alpha) beta) = " +
			"2.666667; 1.75 / 2.666667 = 0.65625"},
		{"nNRBP", "1 x 0.5^0 + 1.5 x 0.5^1 = 1.75; the sum of the ideal ranking = 2.375; 1.75 / 2.375 = 0.736842"},
		{"ERR_IA@2", "1 / 1 + 1.5 / 2 = 1.75; sub-topics with relevant documents x the best that each could give = " +
			"2.5; 1.75 / 2.5 = 0.7"},
		{"nERR_IA@2", "1 / 1 + 1.5 / 2 = 1.75; the sum of the ideal ranking = 2.25; 1.75 / 2.25 = 0.777778"},
		{"alpha_nDCG@2", "1 / log2(2) + 1.5 / log2(3) = 1.946395; the sum of the ideal ranking = 2.315465; 1.946395 " +
			"/ 2.315465 = 0.840606"},
		{"alpha_nDCG", "1 / log2(2) + 1.5 / log2(3) = 1.946395; the sum of the ideal ranking = 2.565465; 1.946395 / " +
			"2.565465 = 0.758691"},
		{"P_IA@2", "1 + 2 = 3; ranks looked at x sub-topics with relevant documents = 4; 3 / 4 = 0.75"},
		{"P_IA", "1 + 2 = 3; ranks looked at x sub-topics with relevant documents = 8; 3 / 8 = 0.375"},
		{"nDCG", "3 / log2(3) + 1 / log2(5) = 2.323466; IDCG = 3 / log2(2) + 2 / log2(3) + 1 / log2(4) = 4.76186; " +
			"2.323466 / 4.76186 = 0.487932"},
		{"Rprec", "1 = 1; relevant documents = 3; 1 / 3 = 0.333333"},
		{"Rprec_mult@0.5", "1 = 1; ranks looked at = 2; 1 / 2 = 0.5"},
		{"Rprec_mult@2", "1 + 1 = 2; ranks looked at = 6; 2 / 6 = 0.333333"},
		{"relative_P@2", "1 = 1; cutoff or relevant documents, whichever is less = 2; 1 / 2 = 0.5"},
		{"relative_P@4", "1 + 1 = 2; cutoff or relevant documents, whichever is less = 3; 2 / 3 = 0.666667"},
		{"SetP", "1 + 1 = 2; retrieved documents = 4; 2 / 4 = 0.5"},
		{"SetP(relative=True)", "1 + 1 = 2; retrieved or relevant documents, whichever is less = 3; 2 / 3 = 0.666667"},
		{"SetR", "1 + 1 = 2; relevant documents = 3; 2 / 3 = 0.666667"},
		{"SetF", "1 + 1 = 2; (beta x relevant + looked at) / (1 + beta) = 3.5; 2 / 3.5 = 0.571429"},
		{"SetF(beta=0.5)", "1 + 1 = 2; (beta x relevant + looked at) / (1 + beta) = 3.666667; 2 / 3.666667 = 0.545455"},
		{"SetAP", "1 + 1 = 2; retrieved x relevant / relevant retrieved = 6; 2 / 6 = 0.333333"},
		{"F@2", "1 = 1; (beta x relevant + looked at) / (1 + beta) = 2.5; 1 / 2.5 = 0.4"},
		{"F(beta=2)@4", "1 + 1 = 2; (beta x relevant + looked at) / (1 + beta) = 3.2; 2 / 3.2 = 0.625"},
		{"Judged@3", "1 + 1 = 2; documents looked at = 3; 2 / 3 = 0.666667"},
		{"Judged", "1 + 1 + 1 = 3; documents looked at = 4; 3 / 4 = 0.75"},
		{"unj@3", "1 = 1; cutoff = 3; 1 / 3 = 0.333333"},
		{"Runj", "1 = 1; documents looked at = 3; 1 / 3 = 0.333333"},
		{"Success@2", "1 = 1"},
		{"Success@1", "no document adds anything"},
		{"R@3", "1 = 1; relevant documents = 3; 1 / 3 = 0.333333"},
		{"NumRet", "1 + 1 + 1 + 1 = 4"},
		{"NumRet(rel=1)", "1 + 1 = 2"},
		{"NumNonRelJudgedRet", "1 = 1"},
		{"IDCG@2", "whatever the list is: 4.26186; no document adds anything; 4.26186 + 0 = 4.26186"},
		{"DCG(dcg='exp-log2')", "(2^3 - 1) / log2(3) + (2^1 - 1) / log2(5) = 4.847185"},
		{"nDCG(gains={1:2,3:5.5})@2",
			"5.5 / log2(3) = 3.470114; IDCG(gains={1:2,3:5.5})@2 = 5.5 / log2(2) + 2 / log2(3) = 6.76186; 3.470114 / " +
				"6.76186 = 0.513189"},
		{"AP_avgjg", "0.5 + 0.5 + 0.25 = 1.25; groups = 2; 1.25 / 2 = 0.625"},
		{"P_avgjg@2", "0.5 + 0.5 + 0.5 = 1.5; groups = 2; 1.5 / 2 = 0.75"},
		{"Rprec_mult_avgjg@1", "0.5 + 0.5 + 0.5 = 1.5; groups = 2; 1.5 / 2 = 0.75"},
		{"prefs_simp", "what each document changes, one after the other: (0.4 - 0) + (0.8 - 0.4) = 0.8"},
		{"11pt_avg(points=[0.5])", "what each document changes, one after the other: (0.5 - 0) = 0.5"},
		{"Accuracy@3", "1 = 1; pairs of a relevant document and another = 2; 1 / 2 = 0.5"},
		{"BPM(T=2,max_rel=3)@3", "1 = 1; documents looked at = 3; 1 / 3 = 0.333333"},
		{"RBP@2", "0.2 x 0.8^1 = 0.16"},
		{"ERR@2", "0.4375 x 1 / 2 = 0.21875"},
		{"AP@2", "1/2 = 0.5; relevant documents = 3; 0.5 / 3 = 0.166667"},
		{"RR@1", "no document adds anything"},
		{"StRecall", "1 + 1 = 2; sub-topics with relevant documents = 2; 2 / 2 = 1"},
	} {
		if got := strings.Join(mustParse(t, c.measure).Unfold(tp).Steps(), "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.measure, got, c.want)
		}
	}
	// More than six terms are counted.
	tp = &Topic{Ranked: []float64{1, 1, 1, 1, 1, 1, 1, 1}, Judged: []float64{1, 1, 1, 1, 1, 1, 1, 1}}
	for _, c := range []struct{ measure, want string }{
		{"P@6", "1 + 1 + 1 + 1 + 1 + 1 = 6; cutoff = 6; 6 / 6 = 1"},
		{"P@7", "1 + 1 + 1 + 1 + 1 + 1 + 1 more = 7; cutoff = 7; 7 / 7 = 1"},
		{"P@8", "1 + 1 + 1 + 1 + 1 + 1 + 2 more = 8; cutoff = 8; 8 / 8 = 1"},
		{"AP", "1/1 + 2/2 + 3/3 + 4/4 + 5/5 + 6/6 + 2 more = 8; relevant documents = 8; 8 / 8 = 1"},
	} {
		if got := strings.Join(mustParse(t, c.measure).Unfold(tp).Steps(), "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.measure, got, c.want)
		}
	}
}

// Sums of large numbers are rounded. They remain sums if their size explains the difference: ten times 10^14 + 0.1
// differ between adding and multiplying. By hand, with cancellation: with terms 10^15 and -10^15, 0.8 remains of
// the two documents (0.1 for each of the eight others), and the terms, rounded to eighths, would give 0.75.
func TestUnfoldOfLargeNumbers(t *testing.T) {
	ten := &Topic{Ranked: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, Judged: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}
	u := mustParse(t, "utility(a=100000000000000.1)").Unfold(ten)
	if u.Stepwise || u.Base+u.Sum == u.Value || math.Abs(u.Base+u.Sum-u.Value) > 1 {
		t.Errorf("%v + %v, the value is %v; step by step: %v", u.Base, u.Sum, u.Value, u.Stepwise)
	}
	u = mustParse(t, "utility(a=1e15,b=-1e15,c=0.1,d=0.1,docs=10)").Unfold(&Topic{Ranked: []float64{1, 0},
		Judged: []float64{1, 0}})
	if !u.Stepwise || math.Abs(u.Value-0.8) > 1e-12 || math.Abs(u.Base-1) > 1e-15 {
		t.Errorf("%+v", u)
	}
}
