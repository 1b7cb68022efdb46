package measure

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Score is the oracle, which equals trec_eval and ir_measures in the other tests of this package. The measures' own unfoldings must
// give its value without the step by step fallback, those of the registry that have none are no sums by definition.
func TestUnfoldAddsUp(t *testing.T) {
	var stepwise []string
	for _, in := range All() {
		if in.unfold == nil {
			stepwise = append(stepwise, in.Name)
		}
	}
	if got, want := strings.Join(stepwise, " "), "IPrec 11pt_avg yaap prefs_simp prefs_pair prefs_avgjg prefs_avgjg_Rnonrel NumPrefsFul"; got != want {
		t.Errorf("no sums: %s, want %s", got, want)
	}
	rng := rand.New(rand.NewPCG(41, 42))
	ms := variants(t)
	for _, m := range slices.Clone(ms) {
		if !m.judged { // as a policy of condensed lists makes it, whether the measure has the parameter or not
			m.judged = true
			ms = append(ms, m)
		}
	}
	topics := 1000
	if runtime.GOARCH == "wasm" {
		topics = 100 // of every length and for every measure; a property of the arithmetic, whose bits other tests hold to be the same
	}
	for i := range topics {
		tp := randomTopic(rng, []int{0, 1, 4, 12, 40}[i%5])
		for _, m := range ms {
			want := m.Score(tp)
			slack := 1e-14 * max(1, math.Abs(want))
			if m.info.unfold != nil {
				u := m.unfolder(tp.dense())
				m.info.unfold(u)
				if got := u.finish(); math.Abs(got-want) > slack*max(1, math.Abs(u.Base)) {
					t.Fatalf("%s, judged only %v, of %v (judged %v): the terms make %v, the value is %v: %+v", m, m.judged, tp.Ranked, tp.Judged, got, want, u.Unfolding)
				}
			}
			u := m.Unfold(tp)
			if u.Value != want || u.Stepwise != (m.info.unfold == nil) || len(u.Parts) != len(tp.Ranked) {
				t.Fatalf("%s of %v: value %v, want %v, %d parts, stepwise %v", m, tp.Ranked, u.Value, want, len(u.Parts), u.Stepwise)
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

// By hand: the arithmetic as it is written, one measure of every form.
func TestUnfoldSteps(t *testing.T) {
	tp := &Topic{Ranked: []int32{0, 3, Unjudged, 1}, Judged: []int32{3, 1, 0, 2}, Subtopics: exampleSubtopics()}
	tp.Subtopics.Ranked = []int32{0, 2, -1, -1}
	for _, c := range []struct {
		measure string
		want    string
	}{
		{"P@5", "1 + 1 = 2; cutoff = 5; 2 / 5 = 0.4"},
		{"AP", "1/2 + 2/4 = 1; relevant documents = 3; 1 / 3 = 0.333333"},
		{"RR", "1/2 = 0.5"},
		{"NumRel", "whatever the list is: 3; no document adds anything; 3 + 0 = 3"},
		{"nDCG@3", "3 / log2(3) = 1.892789; IDCG@3 = 3 / log2(2) + 2 / log2(3) + 1 / log2(4) = 4.76186; 1.892789 / 4.76186 = 0.39749"},
		{"nDCG(dcg='exp-log2')@1", "no document adds anything; IDCG(dcg='exp-log2')@1 = (2^3 - 1) / log2(2) = 7; 0 / 7 = 0"},
		{"ERR(max_rel=3)", "0.875 x 1 / 2 + 0.125 x 0.125 / 4 = 0.441406"},
		{"RBP(rel=1,p=0.5)", "0.5 x 0.5^1 + 0.5 x 0.5^3 = 0.3125"},
		{"rbp_resid(p=0.5)", "whatever the list is: 1; -0.5 x 0.5^0 + -0.5 x 0.5^1 + -0.5 x 0.5^3 = -0.8125; 1 + -0.8125 = 0.1875"},
		{"Accuracy", "1 = 1; pairs of a relevant document and another = 4; 1 / 4 = 0.25"},
		{"BPM(T=1,max_rel=3)@4", "1 = 1; documents looked at = 2; 1 / 2 = 0.5"},
		{"R(rel=4)@2", "no document adds anything; relevant documents = 0: there is nothing to divide by, and the value is 0"},
		{"alpha_DCG@2", "1 / log2(2) + 1.5 / log2(3) = 1.946395; sub-topics with relevant documents x the best that each could give = 2.63093; 1.946395 / 2.63093 = 0.739812"},
		{"StRecall@2", "1 + 1 = 2; sub-topics with relevant documents = 2; 2 / 2 = 1"},
		{"AP_IA", "1/1/2 + 2/2/2 + 1/2/2 = 1.25; sub-topics with relevant documents = 2; 1.25 / 2 = 0.625"},
		{"IPrec@0.5", "what each document changes, one after the other: (0.5 - 0) = 0.5"},
		{"utility(c=-1)", "whatever the list is: -3; -1 + 2 + -1 + 2 = 2; -3 + 2 = -1"},
		{"yaap", "an empty list scores -1.386294; the documents, one after the other: (-0.847298 - -1.386294) + (-0.405465 - -0.847298) = 0.980829; -1.386294 + 0.980829 = -0.405465"},
	} {
		if got := strings.Join(mustParse(t, c.measure).Unfold(tp).Steps(), "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.measure, got, c.want)
		}
	}
}
