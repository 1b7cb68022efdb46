package measure

import "testing"

// The first words of result lines of trec_eval 9 and 10 and ir_measures 0.4.3, and of runs and qrels.
func TestKnown(t *testing.T) {
	for word, want := range map[string]bool{
		"AP": true, "R@20": true, "RBP(rel=1,p=0.5)": true, "NumRelRet": true, "SetRelP": true,
		"nDCG(dcg='exp-log2')@10": true, "alpha_nDCG@20": true, "P": true,
		"runid": true, "num_q": true, "gm_map": true, "gm_bpref": true, "11pt_avg": true, "iprec_at_recall_0.00": true,
		"P_5": true, "recall_1000": true, "ndcg_cut_10": true,
		"infAP": true, "utility_1,-1,0,0": true, "set_F_0.5": true, "relstring_10": true, "Hit@3": true,
		"rbp_resid": true,
		"":          false, "q1": false, "Q0": false, "301": false, "d7": false, "P_": false, "P_x": false,
		"recall": true, "FT911-3": false, "~ap": false, "@10": false, "(x)@10": false, "clueweb09-en0000": false,
	} {
		if got := Known(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
	for _, in := range All() {
		if !Known(in.Name) {
			t.Errorf("%s of the registry", in.Name)
		}
		for _, a := range in.Aliases {
			if !Known(a.Name) {
				t.Errorf("%s, which %s calls %s", in.Name, a.Tool, a.Name)
			}
		}
	}
}

func TestDescribes(t *testing.T) {
	for notation, want := range map[string][2]bool{ // Describes, JudgedShare
		"Judged@10": {true, true}, "unj@5": {true, true}, "Runj": {true, true}, "rbp_resid": {true,
			true}, "NumRel": {true, false}, "NumRet(rel=1)": {true, false}, "NumQ": {true, false},
		"NumPrefs": {true, false}, "nDCG@10": {}, "AP": {}, "Bpref": {}, "infAP": {}, "RBP": {}, "no measure": {},
		"": {},
	} {
		if got := [2]bool{Describes(notation), JudgedShare(notation)}; got != want {
			t.Errorf("%q: %v, want %v", notation, got, want)
		}
	}
}
