package measure

import (
	"errors"
	"strings"
	"testing"
)

// Names and spellings of ir_measures 0.4.3, trec_eval 10, ranx 0.3, BEIR and MTEB, and the canonical text of each.
func TestParse(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"nDCG@10", "nDCG@10"},
		{" nDCG @ 10 ", "nDCG@10"},
		{"nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"},
		{"nDCG(base=2,dcg='exp-log2')@10", "nDCG(dcg='exp-log2',base=2)@10"},
		{`nDCG(dcg="exp-log2")@10`, "nDCG(dcg='exp-log2')@10"},
		{"nDCG(dcg=exp-log2)@10", "nDCG(dcg='exp-log2')@10"},
		{"nDCG(dcg='log2')@10", "nDCG@10"},
		{"nDCG(cutoff=10)", "nDCG@10"},
		{"nDCG()", "nDCG"},
		{"NDCG@10", "nDCG@10"},
		{"ndcg@10", "nDCG@10"},
		{"ndcg_cut.10", "nDCG@10"},
		{"ndcg_cut_10", "nDCG@10"},
		{"ndcg_at_10", "nDCG@10"},
		{"ndcg_burges@10", "nDCG(dcg='exp-log2')@10"},
		{"ndcg.1=3,2=9,4=4.5", "nDCG(gains={1:3,2:9,4:4.5})"},
		{"nDCG(gains={4:15,2:3,3:7})@10", "nDCG(gains={2:3,3:7,4:15})@10"},
		{"nDCG(gains={0:0,1:1,2:2})", "nDCG"},
		{"nDCG(gains={'1':3, \"2\": 7})", "nDCG(gains={1:3,2:7})"},
		{"nDCG(judged_only=True)", "nDCG(judged_only=True)"},
		{"nDCG(judged_only=False)", "nDCG"},
		{"AP(rel=2)", "AP(rel=2)"},
		{"AP(rel=1)", "AP"},
		{"AP(judged_only=True,rel=2)@100", "AP(rel=2,judged_only=True)@100"},
		{"MAP", "AP"},
		{"map", "AP"},
		{"map_cut_100", "AP@100"},
		{"MAP@100", "AP@100"},
		{"MRR", "RR"},
		{"MRR@10", "RR@10"},
		{"recip_rank", "RR"},
		{"P_10", "P@10"},
		{"P.10", "P@10"},
		{"p@10", "P@10"},
		{"Precision@10", "P@10"},
		{"recall@10", "R@10"},
		{"Recall@10", "R@10"},
		{"recall_at_10", "R@10"},
		{"hit_rate@5", "Success@5"}, {"recall_any@5", "Success@5"}, {"recall_all@5", "RecallAll@5"},
		{"HitRate@5", "Success@5"},
		{"success_1", "Success@1"},
		{"f1@10", "F@10"},
		{"F(beta=.5)@10", "F(beta=0.5)@10"},
		{"F(beta=1)@10", "F@10"},
		{"F2@10", "F(beta=2.0)@10"},
		{"Judged@10", "Judged@10"},
		{"Judged", "Judged"},
		{"α_nDCG@5", "alpha_nDCG@5"},
		{"alpha-nDCG@5", "alpha_nDCG@5"},
		{"NumRelRet", "NumRet(rel=1)"},
		{"SetRelP", "SetP(relative=True)"},
		{"precision", "SetP"},
		{"f1", "SetF"},
		{"hits", "NumRet(rel=1)"},
		{"map-l2", "AP(rel=2)"},
		{"precision@5-l2", "P(rel=2)@5"},
		{"precision-l3", "SetP(rel=3)"},
		{"hits-l2", "NumRet(rel=2)"},
		{"r-precision-l1", "Rprec"},
		{"rbp.8", "RBP"},
		{"rbp.95", "RBP(p=0.95)"},
		{"rbp.p=0.95", "RBP(p=0.95)"},
		{"ndcg_score", "nDCG"},
		{"average_precision_score", "AP"},
		{"IPrec@.1", "IPrec@0.1"},
		{"iprec_at_recall_0.10", "IPrec@0.1"},
		{"iprec_at_recall..10", "IPrec@0.1"},
		{"Rprec_mult_0.20", "Rprec_mult@0.2"},
		{"11pt_avg", "11pt_avg"},
		{"11pt_avg..25,.5,.75", "11pt_avg(points=[0.25,0.5,0.75])"},
		{"11pt_avg(points=[1,0,.5])", "11pt_avg(points=[0.0,0.5,1.0])"},
		{"11pt_avg(points=[0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1])", "11pt_avg"},
		{"utility.2,-1,0,0", "utility(a=2.0)"},
		{"set_F.0.5", "SetF(beta=0.5)"},
		{"SetF(beta=.5)", "SetF(beta=0.5)"},
		{"RBP(p=.8)", "RBP"},
		{"RBP(p=0.95,rel=2)@20", "RBP(rel=2,p=0.95)@20"},
		{"rbp", "RBP(p=0.9)"},
		{"rbp.p=0.5", "RBP(p=0.5)"},
		{"rbp_resid.p=0.8", "rbp_resid(p=0.8)"},
		{"INST", "INST"},
		{"INST(max_rel=4)", "INST(max_rel=4)"},
		{"INSQ(max_rel=1,T=3)", "INSQ(T=3.0,max_rel=1)"},
		{"NERR10(p=.9,max_rel=2)", "NERR10(max_rel=2)"},
		{"ERR@20", "ERR@20"},
		{"ERR(max_rel=4)@20", "ERR@20"},
		{"Compat(normalize=True,p=.95)", "Compat"},
		{"NRBP(beta=.8,alpha=.25)", "NRBP(alpha=0.25,beta=0.8)"},
		{"r-precision", "Rprec"},
		{"infap", "infAP"},
	} {
		m, err := Parse(c.in)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if m.String() != c.want {
			t.Errorf("Parse(%q) = %s, want %s", c.in, m, c.want)
		}
		again, err := Parse(m.String())
		if err != nil || again.String() != m.String() {
			t.Errorf("Parse(%q) does not round-trip: %v, %v", m, again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		in      string
		pos     int
		nearest string
		is      error
	}{
		{"", 0, "", ErrSyntax},
		{"@10", 0, "", ErrSyntax},
		{"nDGC@10", 0, "nDCG", ErrUnknownMeasure},
		{"xyzzyplugh", 0, "", ErrUnknownMeasure},
		{"P", 0, "", ErrMissing},
		{"Success", 7, "", ErrMissing},
		{"nDCG@0", 5, "", ErrValue},
		{"nDCG@-1", 5, "", ErrValue},
		{"nDCG@2.5", 5, "", ErrValue},
		{"nDCG@", 5, "", ErrValue},
		{"nDCG@ten", 5, "", ErrValue},
		{"nDCG@1e400", 5, "", ErrValue},
		{"nDCG@10@20", 7, "", ErrSyntax},
		{"nDCG(cutoff=5)@10", 14, "", ErrSyntax},
		{"nDCG(dgc='log2')", 5, "dcg", ErrUnknownParam},
		{"nDCG(dcg='ln')", 9, "", ErrValue},
		{"nDCG(dcg='log2'", 15, "", ErrSyntax},
		{"nDCG(dcg)", 8, "", ErrSyntax},
		{"nDCG(judged_only=yes)", 17, "", ErrValue},
		{"nDCG(gains=3)", 11, "", ErrSyntax},
		{"nDCG(gains={1:2,1:3})", 16, "", ErrSyntax},
		{"AP(rel=1,rel=2)", 9, "", ErrSyntax},
		{"AP(rel=1.5.)", 7, "", ErrValue},
		{"P.5,10", 0, "", ErrMissing},
		{"P_0", 2, "", ErrValue},
		{"INST(min_rel=4,max_rel=4)", 25, "", ErrValue},
		{"11pt_avg(points=[])", 18, "", ErrValue},
		{"11pt_avg(points=[2])", 19, "", ErrValue},
		{"RBP(p=1.5)", 6, "", ErrValue},
		{"IPrec", 5, "", ErrMissing},
		{"IPrec@1.1", 6, "", ErrValue},
		{"set_F.1,2", 6, "", ErrSyntax},
		{"Compat@10", 6, "", ErrUnknownParam},
		{"ndcg@10-l2", 7, "", ErrUnknownParam},
		{"rbp.8-l2", 5, "", ErrUnknownParam},
		{" nDGC@10-l2", 1, "nDCG", ErrUnknownMeasure},
		{"rbp.1234567890123456", 4, "", ErrValue},
	} {
		_, err := Parse(c.in)
		var pe *ParseError
		if !errors.As(err, &pe) {
			t.Errorf("Parse(%q): error %v", c.in, err)
			continue
		}
		if pe.Pos != c.pos || pe.Nearest != c.nearest || !errors.Is(err, c.is) {
			t.Errorf("Parse(%q): %v; position %d, nearest %q", c.in, err, pe.Pos, pe.Nearest)
		}
		if !strings.HasPrefix(err.Error(), "measure: ") {
			t.Errorf("Parse(%q): error text %q", c.in, err)
		}
	}
}

func TestParseList(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"nDCG@10", "nDCG@10"},
		{"nDCG@10 AP RR@10", "nDCG@10 AP RR@10"},
		{"nDCG@10, AP,\tRR@10\n", "nDCG@10 AP RR@10"},
		{"nDCG(judged_only=True) @10 AP@ 5 P @ 3\tRR", "nDCG(judged_only=True)@10 AP@5 P@3 RR"},
		{"P.5,10 AP", "P@5 P@10 AP"},
		{"P.5,10,nDCG@10", "P@5 P@10 nDCG@10"},
		{"AP(rel=2,judged_only=True),AP", "AP(rel=2,judged_only=True) AP"},
		{"ndcg.1=3,2=9 AP", "nDCG(gains={1:3,2:9}) AP"},
		{"MAP AP map", "AP"},
		{"success", "Success@1 Success@5 Success@10"},
		{"ndcg_cut.10,20,23.4", ""},
		{"official", "NumQ NumRet NumRel NumRet(rel=1) AP Rprec Bpref RR IPrec@0.0 IPrec@0.1 IPrec@0.2 IPrec@0.3 " +
			"IPrec@0.4 IPrec@0.5 IPrec@0.6 IPrec@0.7 IPrec@0.8 IPrec@0.9 IPrec@1.0 P@5 P@10 P@15 P@20 P@30 P@100 " +
			"P@200 P@500 P@1000"},
		{"set", "NumQ NumRet NumRel NumRet(rel=1) utility SetP SetP(relative=True) SetR SetAP SetF"},
		{"nDCG(gains={1:2,2:3})@5;AP(rel=2,judged_only=True)", "nDCG(gains={1:2,2:3})@5 AP(rel=2,judged_only=True)"},
	} {
		ms, err := ParseList(c.in)
		if c.want == "" && c.in != "" {
			if err == nil {
				t.Errorf("ParseList(%q) = %v, want an error", c.in, ms)
			}
			continue
		}
		var got []string
		for _, m := range ms {
			got = append(got, m.String())
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("ParseList(%q) = %v, %v; want %s", c.in, got, err, c.want)
		}
	}
	var pe *ParseError
	if _, err := ParseList("AP nDCG@0"); !errors.As(err, &pe) || pe.Pos != 8 {
		t.Errorf("ParseList: position of the error is not that of the whole list: %v", err)
	}
}

// Every alias in an entry parses.
func TestParseAliases(t *testing.T) {
	for _, in := range All() {
		for _, a := range in.Aliases {
			name := a.Name
			if at := in.at(); at != nil && (at.Required || families[name] != nil) {
				name += "@1"
			}
			m, err := Parse(name)
			if err != nil || m.Info() != in {
				t.Errorf("%s (%s) is %v, %v", name, a.Tool, m, err)
			}
			if a.Set != "" && in.param("cutoff") == nil && !strings.Contains(m.String(), "=") {
				t.Errorf("%s means %s, without %s", name, m, a.Set)
			}
		}
	}
}

// trec_eval's gm_map is a summary, not a measure: the error says where it is.
func TestParseSaysWhereGeometricMeansAre(t *testing.T) {
	for name, want := range map[string]bool{"gm_map": true, "gm_bpref": true, "gm_nothing": false} {
		if _, err := Parse(name); err == nil || strings.Contains(err.Error(), "-summary geometric") != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
