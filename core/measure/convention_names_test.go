package measure

import (
	"math"
	"strings"
	"testing"
)

// Every tool's name of a measure, "-" if it has none, in the order of Conventions: the names in its output or API
// documentation. Those of tools that take lists of ids are in conventions_ids.json, those of servers in
// TestConventionsOfServers.
func TestNamesInOtherTools(t *testing.T) {
	for _, c := range []struct{ measure, want string }{
		{"nDCG@10", "ndcg_cut_10|ndcg_cut_10|ndcg_cut_10|nDCG@10|ndcg@10|NDCG@10|ndcg_at_10|ndcg_score(k=10)|nDCG@10"},
		{"AP@10", "map_cut_10|map_cut_10|map_cut_10|AP@10|map@10|MAP@10|map_at_10|-|AP@10"},
		{"RR@10", "-|-|-|RR@10|mrr@10|MRR@10|mrr_at_10|-|RR@10"},
		{"relative_P@10", "relative_P_10|relative_P_10|relative_P_10|-|-|R_cap@10|-|-|-"},
		{"Success@10",
			"success_10|success_10|success_10|Success@10|hit_rate@10|Accuracy@10|hit_rate_at_10|-|Success@10"},
		{"nDCG", "ndcg|ndcg|ndcg|nDCG|ndcg|-|-|ndcg_score()|nDCG"},
		{"P(rel=2)@10", "P_10 -l2|P_10 -l2|P_10 -l2|P(rel=2)@10|precision@10-l2|-|-|-|P(rel=2)@10"},
		{"R(judged_only=True)@10",
			"recall_10 -J|recall_10 -J|recall_10 -J|R(judged_only=True)@10|-|-|-|-|R(judged_only=True)@10"},
		{"nDCG(dcg='exp-log2')@10", "-|-|-|nDCG(dcg='exp-log2')@10|ndcg_burges@10|-|-|-|nDCG(dcg='exp-log2')@10"},
		{"nDCG(base=2)@10", "-|-|-|-|-|-|-|-|-"},
		{"nDCG(dcg='exp-log2')", "-|-|-|-|ndcg_burges|-|-|-|-"},
		{"nDCG(gains={1:3})@10", "-|-|-|nDCG(gains={1:3})@10|-|-|-|-|nDCG(gains={1:3})@10"},
		{"nDCG(gains={1:3})", "ndcg.1=3|ndcg.1=3|ndcg.1=3|nDCG(gains={1:3})|-|-|-|-|nDCG(gains={1:3})"},
		{"nDCG(gains={1:2.5})", "ndcg.1=2.5|ndcg.1=2.5|ndcg.1=2.5|-|-|-|-|-|-"},
		{"nDCG(dcg='exp-log2',judged_only=True)@10", "-|-|-|-|-|-|-|-|-"},
		{"F@10", "-|-|-|-|f1@10|-|-|-|-"},
		{"F(beta=2)@10", "-|-|-|-|-|-|-|-|-"},
		{"F(rel=3)@10", "-|-|-|-|f1@10-l3|-|-|-|-"},
		{"DCG@10", "-|-|-|-|dcg@10|-|-|dcg_score(k=10)|-"},
		{"DCG(dcg='exp-log2')@10", "-|-|-|-|dcg_burges@10|-|-|-|-"},
		{"DCG(gains={1:3})", "dcg.1=3|-|-|-|-|-|-|-|-"},
		{"Rprec(rel=2)", "Rprec -l2|Rprec -l2|Rprec -l2|Rprec(rel=2)|r-precision-l2|-|-|-|Rprec(rel=2)"},
		{"SetP", "set_P|set_P|set_P|SetP|precision|-|-|-|SetP"},
		{"SetP(relative=True)",
			"set_relative_P|set_relative_P|set_relative_P|SetP(relative=True)|-|-|-|-|SetP(relative=True)"},
		{"SetP(rel=2)", "set_P -l2|set_P -l2|set_P -l2|SetP(rel=2)|precision-l2|-|-|-|SetP(rel=2)"},
		{"SetF(beta=2)", "set_F.2|set_F.2|set_F.2|SetF(beta=2.0)|-|-|-|-|SetF(beta=2.0)"},
		{"NumRet", "num_ret|num_ret|num_ret|NumRet|-|-|-|-|NumRet"},
		{"NumRet(rel=1)", "num_rel_ret|num_rel_ret|num_rel_ret|NumRet(rel=1)|hits|-|-|-|NumRet(rel=1)"},
		{"NumRet(rel=2)", "num_rel_ret -l2|num_rel_ret -l2|num_rel_ret -l2|NumRet(rel=2)|hits-l2|-|-|-|NumRet(rel=2)"},
		{"NumRel", "num_rel|num_rel|num_rel|NumRel|-|-|-|-|NumRel"},
		{"NumRel(rel=2)", "num_rel -l2|num_rel -l2|num_rel -l2|-|-|-|-|-|-"},
		{"RBP", "rbp.p=0.8|-|-|-|rbp.8|-|-|-|-"},
		{"RBP(p=0)", "rbp.p=0|-|-|-|rbp.0|-|-|-|-"},
		{"RBP(p=0.95)", "rbp.p=0.95|-|-|-|rbp.95|-|-|-|-"},
		{"RBP(p=1)", "rbp.p=1|-|-|-|-|-|-|-|-"},
		{"RBP(rel=1)", "-|-|-|RBP(rel=1)|-|-|-|-|RBP(rel=1)"},
		{"RBP(rel=1)@10", "-|-|-|-|-|-|-|-|-"},
		{"RBP@10", "-|-|-|-|-|-|-|-|-"},
		{"RBP(p=0.9)", "rbp|-|-|-|rbp.9|-|-|-|-"},
		{"rbp_resid", "rbp_resid|-|-|-|-|-|-|-|-"},
		{"Bpref(rel=2)", "bpref -l2|bpref -l2|bpref -l2|Bpref(rel=2)|bpref-l2|-|-|-|Bpref(rel=2)"},
		{"Accuracy", "-|-|-|Accuracy|-|-|-|roc_auc_score|Accuracy"},
		{"Accuracy@10", "-|-|-|Accuracy@10|-|-|-|-|Accuracy@10"},
		{"AP(judged_only=True)", "map -J|map -J|map -J|AP(judged_only=True)|-|-|-|-|AP(judged_only=True)"},
		{"ERR@10", "-|-|-|ERR@10|-|-|-|-|ERR@10"},
		{"ERR", "-|-|-|-|-|-|-|-|-"},
		{"ERR(max_rel=3)@10", "-|-|-|-|-|-|-|-|-"},
		{"INST", "-|-|-|-|-|-|-|-|-"},
		{"INST(max_rel=1)", "-|-|-|INST(max_rel=1)|-|-|-|-|INST(max_rel=1)"},
		{"SDCG@10", "-|-|-|-|-|-|-|-|-"},
		{"SDCG(max_rel=2)@10", "-|-|-|SDCG(max_rel=2)@10|-|-|-|-|SDCG(max_rel=2)@10"},
		{"Judged@10", "-|-|-|Judged@10|-|-|-|-|Judged@10"},
		{"unj@10", "unj_10|-|-|-|-|-|-|-|-"},
		{"Runj", "-|-|-|-|-|-|-|-|-"},
		{"Compat(p=0.5)", "-|-|-|Compat(p=0.5)|-|-|-|-|Compat(p=0.5)"},
		{"IPrec@0.1", "iprec_at_recall_0.10|iprec_at_recall_0.10|iprec_at_recall_0.10|IPrec@0.1|-|-|-|-|IPrec@0.1"},
		{"IPrec(version=9)@0.1",
			"-|iprec_at_recall_0.10|iprec_at_recall_0.10|IPrec(version=9)@0.1|-|-|-|-|IPrec(version=9)@0.1"},
		{"11pt_avg(points=[0.5,1])", "11pt_avg.0.5,1|11pt_avg.0.5,1|11pt_avg.0.5,1|-|-|-|-|-|-"},
		{"11pt_avg(version=9)", "-|11pt_avg|11pt_avg|-|-|-|-|-|-"},
		{"utility", "utility|utility|utility|-|-|-|-|-|-"},
		{"utility(a=2,docs=9)", "utility.2,-1,0,0 -N9|utility.2,-1,0,0 -N9|utility.2,-1,0,0 -N9|-|-|-|-|-|-"},
		{"G(gains={1:3,2:5})", "G.1=3,2=5|G.1=3,2=5|G.1=3,2=5|-|-|-|-|-|-"},
		{"IDCG", "ideal_dcg|-|-|-|-|-|-|-|-"},
		{"Q", "-|-|-|-|-|-|-|-|-"},
		{"alpha_nDCG@20", "-|-|-|alpha_nDCG@20|-|-|-|-|alpha_nDCG@20"},
		{"alpha_nDCG@21", "-|-|-|-|-|-|-|-|-"},
		{"alpha_nDCG", "-|-|-|-|-|-|-|-|-"},
		{"ERR_IA@1", "-|-|-|ERR_IA@1|-|-|-|-|ERR_IA@1"},
		{"NRBP", "-|-|-|NRBP|-|-|-|-|NRBP"},
		{"P_IA", "-|-|-|-|-|-|-|-|-"},
		{"AP_avgjg", "map_avgjg|map_avgjg|-|-|-|-|-|-|-"},
		{"P_avgjg@5", "P_avgjg_5|P_avgjg_5|-|-|-|-|-|-|-"},
		{"prefs_simp", "prefs_simp|prefs_simp|-|-|-|-|-|-|-"},
	} {
		var got []string
		for _, conv := range Conventions()[:9] {
			name := "-"
			if o, ok := conv.Evaluate(nil, mustParse(t, c.measure)); ok {
				if name = o.As; o.Mean != 0 || o.Queries != 0 || len(o.Values) != 0 { // of no query
					t.Errorf("%s, %s: %+v", conv.Name, c.measure, o)
				}
			}
			got = append(got, name)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s is %s, want %s", c.measure, s, c.want)
		}
	}
}

func TestConventionByName(t *testing.T) {
	for name, want := range map[string]*Convention{
		"trec_eval": &conventionTrecEval, "Trec_Eval 9": &conventionTrecEval9, "trec_eval9": &conventionTrecEval9,
		"beir": &conventionBEIR, "SKLEARN": &conventionSklearn,
		"": nil, "trec": nil, "trec_eval 10": nil,
	} {
		if got := ConventionByName(name); got != want {
			t.Errorf("%q is %v", name, got)
		}
	}
}

// oneRelevant returns a list of n documents that are relevant at some ranks, from 1, with subtopics if requested.
func oneRelevant(n int, ranks ...int) List {
	l := List{Query: "q", Judged: make([]float64, len(ranks))}
	for i := range n {
		l.IDs, l.Scores, l.Grades = append(l.IDs, "d"), append(l.Scores, float64(-i)), append(l.Grades, Unjudged)
	}
	for i, r := range ranks {
		l.Grades[r-1], l.Judged[i] = 1, 1
	}
	return l
}

// By hand: cwl_eval looks at 1,000 documents. With p = 1 each weighs 1/1000; SDCG at a cutoff of 2,000 equals that
// at 1,000.
func TestConventionsCutLongLists(t *testing.T) {
	for _, c := range []struct {
		measure string
		ranks   []int
		want    float64
	}{
		{"RBP(rel=1,p=1.0)", []int{1000}, 1.0 / 1000}, {"RBP(rel=1,p=1.0)", []int{1001}, 0}, {"RBP(rel=1,p=1.0)",
			[]int{1, 2, 1001}, 2.0 / 1000}, {"RBP(rel=2,p=1.0)", []int{1}, 0},
		{"BPM(max_rel=1)@2000", []int{1001}, 0}, {"BPM(T=2.0,max_rel=1)@2000", []int{1000},
			1.0 / 1000}, {"BPM(T=2.0,max_rel=1)@500", []int{500}, 1.0 / 500},
	} {
		o, ok := conventionIRMeasures.Evaluate([]List{oneRelevant(1100, c.ranks...)}, mustParse(t, c.measure))
		if !ok || math.Abs(o.Values[0]-c.want) > 1e-15 {
			t.Errorf("%s of relevant documents at %v: %+v, want %v", c.measure, c.ranks, o, c.want)
		}
	}
}

// By hand: ndeval does not divide by the number of subtopics, here 2, at cutoff 1.
func TestConventionWithoutNorm(t *testing.T) {
	l := List{Query: "q", IDs: []string{"a", "b"}, Scores: []float64{2, 1}, Grades: []float64{1, 1},
		Judged:    []float64{1, 1},
		Subtopics: &Subtopics{Docs: [][]float64{{1, 0}, {1, 1}}, Ranked: []int32{1, 0}}}
	plain := l
	plain.Subtopics = nil
	for notation, want := range map[string][2]float64{ // with and without subtopics
		"alpha_DCG@1": {2, 0}, "ERR_IA@1": {2, 0}, "alpha_nDCG@1": {1, 0}, "nERR_IA@1": {1,
			0}, "ERR_IA@2": {(2 + 0.5/2) / (2 * (1 + 0.5/2)), 0}, "P_IA@1": {1, 0},
	} {
		o, ok := conventionIRMeasures.Evaluate([]List{l, plain}, mustParse(t, notation))
		if !ok || math.Abs(o.Values[0]-want[0]) > 1e-15 || o.Values[1] != want[1] || o.Queries != 2 {
			t.Errorf("%s: %+v, want %v", notation, o, want)
		}
	}
}

// By hand: a and b are equally good and in this order in the qrels, but b is first in the ranking. By score b comes
// first in the ideal, 1/1 at both depths. With equal scores the qrels decide, a first: 0/1 and 2/2 over 1/1 and
// 2/2, with weights 1 and 1/2. A document of grade 0 is in no ideal. Without the ids of the qrels the ranking's
// order decides.
func TestCompatByScore(t *testing.T) {
	m := mustParse(t, "Compat(p=0.5)")
	plain := mustParse(t, "Compat(p=0.5,normalize=False)")
	list := func(x, y float64, ids ...string) List {
		return List{Query: "q", IDs: []string{"b", "a"}, Scores: []float64{x, y}, Grades: []float64{1, 1},
			Judged: []float64{1, 1, 0}, JudgedIDs: ids}
	}
	unsorted := list(2, 1, "a", "b", "c")
	unsorted.Judged, unsorted.Grades = []float64{1, 2, 0}, []float64{2, 1}
	none := List{Query: "q", IDs: []string{"b"}, Scores: []float64{1}, Grades: []float64{0}, Judged: []float64{0},
		JudgedIDs: []string{"b"}}
	for _, c := range []struct {
		name string
		m    Measure
		l    List
		want float64
	}{
		{"by score", m, list(2, 1, "a", "b", "c"), 1}, {"without ids", m, list(2, 1), 1}, {"not normalised", plain,
			list(2, 1, "a", "b", "c"), 1},
		{"by grade", m, unsorted, 1}, {"nothing is relevant", m, none, 0}, {"nothing retrieved", m,
			List{Query: "q", Judged: []float64{1}, JudgedIDs: []string{"a"}}, 0},
		// b is not retrieved and counts as 0, above a's -1.
		{"negative scores", m, List{Query: "q", IDs: []string{"a"}, Scores: []float64{-1}, Grades: []float64{1},
			Judged: []float64{1, 1}, JudgedIDs: []string{"a", "b"}}, (0 + 0.5*0.5) / 1.5},
		{"zero", m, List{Query: "q", IDs: []string{"a"}, Scores: []float64{0}, Grades: []float64{1},
			Judged: []float64{1, 1}, JudgedIDs: []string{"b", "a"}}, (0 + 0.5*0.5) / 1.5},
	} {
		o, ok := conventionIRMeasures.Evaluate([]List{c.l}, c.m)
		if !ok || math.Abs(o.Values[0]-c.want) > 1e-15 {
			t.Errorf("%s: %+v, want %v", c.name, o, c.want)
		}
	}
}

// Every reason in words, with the values before and after it, by hand: two relevant documents, the second of which
// is the query itself.
func TestReasonsInWords(t *testing.T) {
	l := List{Query: "q", IDs: []string{"x", "q", "a"}, Scores: []float64{3, 2, 1}, Grades: []float64{Unjudged, 1, 1},
		Judged: []float64{1, 1}}
	near := List{Query: "q", IDs: []string{"a", "b"}, Scores: []float64{10.00000001, 10}, Grades: []float64{1, 0},
		Judged: []float64{1, 0}}
	missing := List{Query: "q", Judged: []float64{1}, Missing: true}
	topics := List{Query: "q", IDs: []string{"a", "b"}, Scores: []float64{2, 1}, Grades: []float64{1, 1},
		Judged:    []float64{1, 1},
		Subtopics: &Subtopics{Docs: [][]float64{{1, 0}, {0, 1}}, Ranked: []int32{1, 0}}}
	prefs := List{Query: "q", IDs: []string{"a", "b", "c"}, Scores: []float64{3, 2, 1}, Grades: []float64{1, 1, 1},
		Judged: []float64{1, 1, 1},
		Preferences: &Preferences{Docs: 3, Ranked: []int32{0, 1, 2},
			Groups: []PreferenceGroup{{Subgroups: [][]Preferred{{{0, 3}, {1, 2}, {2, 1}}}}}}}
	for _, c := range []struct {
		tool, measure  string
		l              List
		p              Policy
		before, after  float64
		decision, text string
	}{
		{"BEIR", "RR@10", l, Policy{}, 1.0 / 2, 1.0 / 2, "", ""},
		{"BEIR", "RR@10", List{Query: "q", IDs: []string{"q", "a"}, Scores: []float64{2, 1}, Grades: []float64{0, 1},
			Judged: []float64{0, 1}}, Policy{}, 1.0 / 2, 1, "documents",
			"BEIR drops the retrieved document whose id is that of the query"},
		{"MTEB", "P@1", near, Policy{}, 1, 0, "precision",
			"MTEB keeps scores in single precision: rank 1 is b (grade 0) instead of a (grade 1), both with score 10"},
		{"ir_measures", "NumRel", missing, Policy{}, 1, 0, "missing",
			"ir_measures counts queries that the run lacks as 0"},
		{"pytrec_eval", "NumRel", missing, Policy{}, 1, 0, "missing",
			"pytrec_eval omits queries that the run lacks"},
		{"trec_eval", "NumRel", missing, Policy{Missing: MissingSkip}, 0, 1, "missing",
			"trec_eval scores queries that the run lacks as empty lists"},
		{"trec_eval", "P@3", l, Policy{Depth: 2}, 1.0 / 3, 2.0 / 3, "depth",
			"trec_eval reads the whole list, not only the first 2 documents"},
		{"trec_eval", "P@3", l, Policy{Depth: 3}, 2.0 / 3, 2.0 / 3, "", ""},
		{"trec_eval", "P@3", l, Policy{Rel: 2}, 0, 2.0 / 3, "definition",
			"trec_eval computes P@3, the policy asks for P(rel=2)@3"},
		{"ir_measures", "alpha_nDCG@10", topics, Policy{Depth: 1, Ties: DocIDAsc}, 1 / (1 + 1/math.Log2(3)), 1, "depth",
			"ir_measures reads the whole list, not only the first 1 documents"},
		{"trec_eval", "prefs_simp", prefs, Policy{Depth: 1, Ties: DocIDAsc}, 2.0 / 3, 1, "depth",
			"trec_eval reads the whole list, not only the first 1 documents"},
		{"ir_measures", "nDCG(dcg='exp-log2')@3", l, Policy{}, (1/math.Log2(3) + 0.5) / (1 + 1/math.Log2(3)), 0.69343,
			"rounding", "ir_measures rounds to 5 decimals"},
	} {
		diffs, ok := explain(ConventionByName(c.tool), []List{c.l}, mustParse(t, c.measure), c.p)
		if c.text == "" && ok && len(diffs) == 0 {
			continue
		}
		if !ok || len(diffs) != 1 || len(diffs[0].Reasons) != 1 {
			t.Errorf("%s, %s: %+v", c.tool, c.measure, diffs)
			continue
		}
		if r := diffs[0].Reasons[0]; r.Decision != c.decision || r.Text != c.text ||
			math.Abs(r.Before-c.before) > 1e-12 || math.Abs(r.After-c.after) > 1e-12 {
			t.Errorf("%s, %s: %+v, want %s from %v to %v: %s", c.tool, c.measure, r, c.decision, c.before, c.after,
				c.text)
		}
	}
}
