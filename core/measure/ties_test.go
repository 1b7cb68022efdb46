package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// variants returns every measure with several settings of its parameters.
func variants(t testing.TB) []Measure {
	var out []Measure
	for _, s := range []string{
		"P@1", "P@3", "P(rel=2)@5", "P(judged_only=True)@2", "R@3", "R(rel=2)@2", "F@3", "F(beta=2)@2", "Success@1",
		"Success(rel=2)@3", "RecallAll@1", "RecallAll@3", "RecallAll(rel=2)@2", "RecallAll(judged_only=True)@2",
		"RR", "RR@2", "RR(judged_only=True)", "AP", "AP@3", "AP(rel=2)", "AP(judged_only=True)@4", "Rprec",
		"Rprec(rel=2)", "Rprec_mult@0.5", "Rprec_mult@2",
		"IPrec@0", "IPrec@0.5", "IPrec@1", "IPrec(version=9)@0.3", "11pt_avg", "11pt_avg(points=[0.2,0.8])",
		"relative_P@2", "relative_P@6", "binG", "yaap",
		"Accuracy", "Accuracy@2", "Accuracy@4", "Accuracy(rel=2)@5", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@4",
		"nDCG(base=2)", "nDCG(base=3)@4", "DCG(base=10)@12", "nDCG(gains={0:1,2:9,3:4})@4", "nDCG(judged_only=True)",
		"nDCG(gains={0:-1,1:2})", "DCG", "DCG@2", "DCG(dcg='exp-log2')", "IDCG", "IDCG@2", "ndcg_rel",
		"ndcg_rel(gains={1:4,2:2})", "Rndcg", "Rndcg(rel=2)", "G", "G(gains={1:0.5,2:7})", "Q", "Q@3",
		"Q(beta=10.0,gains={1:4,2:2})", "Q(beta=0.0)@4", "Q(judged_only=True)",
		"Compat", "Compat(p=0.5)", "Compat(p=0.8,normalize=False)", "RBP", "RBP(rel=2)", "RBP(rel=1,p=0.5)@3",
		"RBP(max_rel=4)", "rbp_resid", "rbp_resid(p=0.5)",
		"ERR", "ERR@3", "ERR(max_rel=2)", "SDCG@3", "SDCG(max_rel=4)@5", "BPM@1", "BPM@4", "BPM(T=0.5)@6",
		"BPM(T=2.0,max_rel=4)@5", "INST", "INST(T=0.5,max_rel=4)", "INST(T=3.0)",
		"INSQ", "INSQ(T=2.0)", "NERR8@2", "NERR8@6", "NERR9@3", "NERR9(max_rel=4)@6", "NERR10", "NERR10(p=0.5)",
		"NERR11", "NERR11(T=2.0,max_rel=4)",
		"Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)", "Judged", "Judged@3", "unj@3", "Runj",
		"alpha_nDCG@3", "alpha_nDCG(alpha=0.25)", "alpha_DCG@2", "alpha_DCG(alpha=0.9,rel=2)@5", "ERR_IA@3", "ERR_IA",
		"nERR_IA@4", "NRBP", "NRBP(alpha=0.25,beta=0.8)", "nNRBP", "nNRBP(beta=0.9)",
		"AP_IA", "AP_IA(rel=2,judged_only=True)", "P_IA@2", "P_IA", "StRecall@1", "StRecall@3", "StRecall(rel=2)@2",
		"alpha_nDCG(judged_only=True)@2",
		"AP_avgjg", "AP_avgjg(rel=2)", "P_avgjg@1", "P_avgjg(rel=2)@3", "Rprec_mult_avgjg@0.5", "Rprec_mult_avgjg@1",
		"Rprec_mult_avgjg(rel=2)@1.4",
		"prefs_simp", "prefs_simp(over='implied')", "prefs_simp(over='retrieved')", "prefs_pair",
		"prefs_pair(over='implied')", "prefs_pair(over='retrieved')", "prefs_avgjg",
		"prefs_avgjg(over='implied')", "prefs_avgjg(over='retrieved')", "prefs_avgjg_Rnonrel",
		"prefs_avgjg_Rnonrel(over='retrieved')", "NumPrefs", "NumPrefsFul", "NumPrefsFul(over='retrieved')",
		"SetP", "SetP(relative=True)", "SetR", "SetF", "SetF(beta=0.5)", "SetAP", "utility",
		"utility(a=3,b=-2,c=-1,d=0.1,docs=100)", "NumQ", "NumRel", "NumRet", "NumRet(rel=2)", "NumNonRelJudgedRet",
	} {
		out = append(out, mustParse(t, s))
	}
	seen := map[string]bool{}
	for _, m := range out {
		seen[m.info.Name] = true
	}
	for _, in := range All() { // measures not listed above use their own example
		if !seen[in.Name] {
			out = append(out, mustParse(t, in.Example.Measure))
		}
	}
	return out
}

// randomTopic generates a topic of up to n documents with grades -1..3, unjudged ones, ties and subtopics.
func randomTopic(rng *rand.Rand, n int) *Topic {
	t := &Topic{Query: "q", Ranked: []float64{}, Subtopics: &Subtopics{}}
	size := rng.IntN(n + 1)
	width := 1 + rng.IntN(3)
	score := 10.0
	grade := func() float64 {
		switch rng.IntN(8) {
		case 0, 1:
			return Unjudged
		case 2, 3:
			return 0
		case 4:
			return -1
		case 5:
			return 2
		case 6:
			return 3
		}
		return 1
	}
	row := func() []float64 {
		r := make([]float64, width)
		for j := range r {
			if r[j] = 0; rng.IntN(2) == 0 {
				r[j] = float64(rng.IntN(3))
			}
		}
		return r
	}
	for range size {
		g := grade()
		t.Ranked = append(t.Ranked, g)
		if g != Unjudged {
			t.Judged = append(t.Judged, g)
			t.Subtopics.Ranked = append(t.Subtopics.Ranked, int32(len(t.Subtopics.Docs)))
			t.Subtopics.Docs = append(t.Subtopics.Docs, row())
		} else {
			t.Subtopics.Ranked = append(t.Subtopics.Ranked, -1)
		}
		if rng.IntN(3) == 0 {
			score--
		}
		t.Scores = append(t.Scores, score)
	}
	for range rng.IntN(4) {
		if g := grade(); g != Unjudged {
			t.Judged = append(t.Judged, g)
			t.Subtopics.Docs = append(t.Subtopics.Docs, row())
		}
	}
	t.Preferences = randomPreferences(rand.New(rand.NewPCG(uint64(size), uint64(len(t.Judged)))), t.Subtopics.Ranked,
		len(t.Subtopics.Docs))
	return t
}

// randomPreferences generates preferences about some of n documents: of one user or several, with one or several
// subgroups of a consistent order.
func randomPreferences(rng *rand.Rand, ranked []int32, n int) *Preferences {
	p := &Preferences{Docs: n, Ranked: ranked}
	for range 1 + rng.IntN(3)*rng.IntN(2) {
		mind := make([]float64, n)
		for i := range mind {
			mind[i] = float64(rng.IntN(4))
		}
		var g PreferenceGroup
		for range 1 + rng.IntN(3)*rng.IntN(2) {
			var sub []Preferred
			for i, level := range mind {
				if rng.IntN(3) > 0 {
					sub = append(sub, Preferred{int32(i), level})
				}
			}
			if len(sub) > 0 {
				g.Subgroups = append(g.Subgroups, sub)
			}
		}
		if len(g.Subgroups) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	return p
}

// permutations calls f with every order of the topic's tied documents.
func permutations(t *Topic, f func(p *Topic)) {
	order := make([]int, len(t.Ranked))
	for i := range order {
		order[i] = i
	}
	var groups [][2]int
	tieGroups(t, func(from, to int) { groups = append(groups, [2]int{from - 1, to}) })
	var walk func(g, i int)
	walk = func(g, i int) {
		if g == len(groups) {
			p := &Topic{Query: t.Query, Judged: t.Judged, Scores: t.Scores, Ranked: []float64{},
				Subtopics: &Subtopics{Docs: t.Subtopics.Docs}}
			for _, j := range order {
				p.Ranked = append(p.Ranked, t.Ranked[j])
				p.Subtopics.Ranked = append(p.Subtopics.Ranked, t.Subtopics.Ranked[j])
			}
			p.Preferences = &Preferences{Docs: t.Preferences.Docs, Groups: t.Preferences.Groups}
			for _, j := range order {
				p.Preferences.Ranked = append(p.Preferences.Ranked, t.Preferences.Ranked[j])
			}
			f(p)
			return
		}
		if i == groups[g][1] {
			if g+1 < len(groups) {
				walk(g+1, groups[g+1][0])
			} else {
				walk(g+1, 0)
			}
			return
		}
		for j := i; j < groups[g][1]; j++ {
			order[i], order[j] = order[j], order[i]
			walk(g, i+1)
			order[i], order[j] = order[j], order[i]
		}
	}
	if len(groups) == 0 {
		f(t)
		return
	}
	walk(0, 0)
}

// The range over ties equals that of trying every order, for every measure.
func TestTieRangeEqualsEveryOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ms := variants(t)
	for _, name := range []string{"Accuracy@2", "Compat", "BPM@4", "INST", "infAP", "G", "StRecall@3", "NRBP", "AP_IA",
		"P_IA@2", "ERR_IA@3", "nNRBP"} {
		m := mustParse(t, name)
		m.judged = true // as under a policy of condensed lists
		ms = append(ms, m)
	}
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	wide := map[string]int{}
	for range rounds {
		tp := randomTopic(rng, 7)
		lo, hi := make([]float64, len(ms)), make([]float64, len(ms))
		for i := range ms {
			lo[i], hi[i] = math.Inf(1), math.Inf(-1)
		}
		permutations(tp, func(p *Topic) {
			for i, m := range ms {
				v := m.Score(p)
				lo[i], hi[i] = min(lo[i], v), max(hi[i], v)
			}
		})
		for i, m := range ms {
			r := m.TieRange(tp)
			if !r.Exact && m.info.Group == Preferring &&
				(len(tp.Preferences.Groups) > 1 || m.info == &infoPrefsAvgJGRnonrel &&
					len(tp.Preferences.Groups[0].Subgroups) > 1) {
				if r.Low < lo[i]-1e-12 || r.High > hi[i]+1e-12 {
					t.Errorf("%s: range %.15g to %.15g, every order %.15g to %.15g", m, r.Low, r.High, lo[i], hi[i])
				}
				continue // conflicting users
			}
			if !r.Exact && m.String() != "ndcg_rel(gains={0:-1,1:2})" {
				t.Errorf("%s: not exact for %v", m, tp.Ranked)
			}
			if math.Abs(r.Low-lo[i]) > 1e-12 || math.Abs(r.High-hi[i]) > 1e-12 {
				t.Errorf("%s: range %.15g to %.15g, every order %.15g to %.15g; grades %v, scores %v, judged %v, "+
					"sub-topics %v %v, preferences %v", m, r.Low, r.High, lo[i], hi[i],
					tp.Ranked, tp.Scores, tp.Judged, tp.Subtopics.Docs, tp.Subtopics.Ranked, tp.Preferences.Groups)
			}
			if r.High-r.Low > 1e-6 {
				wide[m.info.Name]++
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, in := range All() {
		if (in.better != nil) != (wide[in.Name] > 0) {
			t.Errorf("%s: order matters according to the entry: %v; ties widened it %d times", in.Name,
				in.better != nil, wide[in.Name])
		}
	}
}

// Two tied documents, one relevant: reciprocal rank 1/2 or 1. Without scores, or with order-free measures, there is
// no range.
func TestTieRangeOfTwo(t *testing.T) {
	tp := &Topic{Ranked: []float64{0, 1}, Judged: []float64{0, 1}, Scores: []float64{3, 3}}
	if r := mustParse(t, "RR").TieRange(tp); r != (Range{0.5, 1, true}) {
		t.Errorf("RR: %+v", r)
	}
	if r := mustParse(t, "SetP").TieRange(tp); r != (Range{0.5, 0.5, true}) {
		t.Errorf("SetP: %+v", r)
	}
	tp = &Topic{Hits: []Hit{{2, 1}}, Retrieved: 3, Judged: []float64{1}, Scores: []float64{3, 3, 1}}
	if r := mustParse(t, "RR").TieRange(tp); r != (Range{0.5, 1, true}) {
		t.Errorf("RR of a sparse topic: %+v", r)
	}
	tp = &Topic{Ranked: []float64{0, 1}, Judged: []float64{0, 1}}
	if r := mustParse(t, "RR").TieRange(tp); r != (Range{0.5, 0.5, true}) {
		t.Errorf("RR without scores: %+v", r)
	}
}

// Ties too large for dynamic programming get two real orders, marked as inexact.
func TestTieRangeSaysWhenItIsNotExact(t *testing.T) {
	tp := &Topic{Ranked: []float64{}}
	for g := float64(0); g < 8; g++ {
		for range 30 {
			tp.Ranked = append(tp.Ranked, g)
			tp.Judged = append(tp.Judged, g)
			tp.Scores = append(tp.Scores, 1)
		}
	}
	slices.Sort(tp.Judged)
	for _, s := range []string{"G", "INST", "Compat"} {
		r := mustParse(t, s).TieRange(tp)
		if r.Exact || r.Low >= r.High {
			t.Errorf("%s: %+v", s, r)
		}
	}
	if r := mustParse(t, "nDCG@10").TieRange(tp); !r.Exact || r.High != 1 {
		t.Errorf("nDCG@10: %+v", r)
	}
}
