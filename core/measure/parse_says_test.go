package measure

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The message, its position counted from 1, and the suggestion. A name is similar if at most half of its letters,
// or one, differ; a parameter if at most two do.
func TestParseErrorsSay(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "position 1: syntax: a measure starts with its name"},
		{" @10", "position 2: syntax: a measure starts with its name"},
		{"zzcz", `position 1: unknown measure "zzcz"`},
		{"zzcg", `position 1: unknown measure "zzcg"; did you mean nDCG?`},
		{"qq", `position 1: unknown measure "qq"; did you mean Q?`},
		{"P", "position 1: missing parameter: P stands for 9 measures, name one of them: P@5"},
		{"nDCG@1000001", "position 6: bad value 1000001 for cutoff: from 1 to 1000000"},
		{"nDCG@2.5", "position 6: bad value 2.5 for cutoff: a whole number"},
		{"nDCG@ten", `position 6: bad value "ten" for cutoff: a number`},
		{"nDCG@1e400", `position 6: bad value "1e400" for cutoff: a number`},
		{"nDCG@10@20", `position 8: syntax: unexpected "@20"`},
		{"nDCG(cutoff=5)@10", "position 15: syntax: cutoff is given twice"},
		{"NumQ@5", "position 5: unknown parameter: NumQ has no cutoff"},
		{"nDCG(dcg='ln')", `position 10: bad value "ln" for dcg: one of 'log2', 'exp-log2'`},
		{"nDCG(base=1)@10", "position 11: bad value 1 for base: from 2 to 1000000"},
		{"nDCG(base=2.5)@10", "position 11: bad value 2.5 for base: a whole number"},
		{"nDCG(dcg='log2)", `position 10: bad value "" for dcg: one of 'log2', 'exp-log2'`},
		{"nDCG(dcg)", "position 9: syntax: expected = after dcg"},
		{"nDCG(=3)", "position 6: syntax: expected a parameter's name"},
		{"nDCG(judged_only=yes)", `position 18: bad value "yes" for judged_only: True or False`},
		{"nDCG(gains=3)", "position 12: syntax: gains are written {grade:gain,...}"},
		{"nDCG(gains={", `position 13: bad value "" for grade: a number`}, {"nDCG(gains={1",
			"position 14: syntax: expected : after the grade"},
		{"nDCG(gains={1:", `position 15: bad value "" for gain: a number`}, {"nDCG(dcg=",
			`position 10: bad value "" for dcg: one of 'log2', 'exp-log2'`}, {"nDCG(",
			"position 6: syntax: expected a parameter's name"},
		{"nDCG(gains={1:2 3:4})", "position 17: syntax: expected , or }"},
		{"nDCG(gains={1:2,1:3})", "position 17: syntax: grade 1 is given twice"},
		{"nDCG(gains={1000001:2})", "position 13: bad value 1000001 for grade: a number up to a million"},
		{"nDCG(gains={-1000001:2})", "position 13: bad value -1000001 for grade: a number up to a million"},
		{"nDCG(gains={'1:2})", "position 15: syntax: expected ' after the grade"},
		{`nDCG(gains={"1':2})`, `position 15: syntax: expected " after the grade`},
		{"nDCG(gains={1=2})", "position 14: syntax: expected : after the grade"},
		{"nDCG(gains={1:1.1e15})", `position 15: bad value "1.1e15" for gain: a number`},
		{"AP(rel=1 judged_only=True)", "position 10: syntax: expected , or )"},
		{"AP(rel=1000001)", "position 8: bad value 1000001 for rel: from -1000000 to 1000000"},
		{"AP-l1000001", `position 1: unknown measure "AP-l1000001"`},
		{"-l2", `position 1: unknown measure "-l2"; did you mean F2?`},
		{"AP-l", `position 1: unknown measure "AP-l"; did you mean AP?`},
		{"AP-l2x", `position 1: unknown measure "AP-l2x"`},
		{"AP(rel=2)-l2", `position 10: syntax: unexpected "-l2"`},
		{"NumQ-l2", "position 5: unknown parameter: NumQ has no relevance level"},
		{"11pt_avg(points=3)", "position 17: syntax: points is written [number,...]"},
		{"11pt_avg(points=[0.1 0.2])", "position 22: syntax: expected , or ]"},
		{"11pt_avg(points=[-0.1])", "position 23: bad value -0.1 for points: from 0 to 1"},
		{"P.5,x", `position 5: bad value "x" for P: a number`},
		{"P.0", "position 3: bad value 0 for cutoff: from 1 to 1000000"},
		{"P.5 x", `position 5: syntax: unexpected "x"`},
		{"ndcg.1=3,2", "position 10: syntax: expected grade=gain"},
		{"ndcg.x=3", `position 6: unknown parameter "x": nDCG has dcg, gains, base, judged_only, cutoff`},
		{"map.1=2", `position 5: unknown parameter "1": AP has rel, judged_only, cutoff`},
		{"ndcg.1=", `position 8: bad value "" for gain: a number`},
		{"ndcg.1=3 x", `position 10: syntax: unexpected "x"`},
		{"ndcg.1=3,1=4", "position 10: syntax: grade 1 is given twice"},
		{"rbp.p=2", "position 7: bad value 2 for p: from 0 to 1"},
		{"rbp.1234567890123456", `position 5: bad value "1234567890123456" for p: up to 15 digits after the point`},
		{"num_q.3", "position 7: syntax: NumQ takes 0 numbers, not 1"},
		{"utility.1,2,3,4,5", "position 9: syntax: utility takes 4 numbers, not 5"},
		{"set_F.x", `position 7: bad value "x" for set_F: a number`},
		{"11pt_avg.2", "position 11: bad value 2.0 for points: from 0 to 1"},
		{"xyz.5", `position 1: unknown measure "xyz"`},
		{"P_10 x", `position 5: syntax: unexpected "x"`},
		{"P_1000001", "position 3: bad value 1000001 for cutoff: from 1 to 1000000"},
		{"P_", "position 3: missing parameter: P needs cutoff: P@10"},
		{"IPrec", "position 6: missing parameter: IPrec needs recall: IPrec@0.5"},
		{"P_1.5", "position 3: bad value 1.5 for cutoff: a whole number"},
		{"ndcg_cut_2.5", "position 10: bad value 2.5 for cutoff: a whole number"},
		{"_10", `position 1: unknown measure "_10"`},
		{"SetP_5", `position 1: unknown measure "SetP_5"; did you mean SetP?`},
		{"xyz_5", `position 1: unknown measure "xyz_5"`},
		{"gm_map", `position 1: unknown measure "gm_map"; did you mean MAP? (for a geometric mean use rankbox eval ` +
			`-summary geometric; -o trec_eval knows the name)`},
		{"AP x", `position 4: syntax: unexpected "x"`},
		{"RBP(p=-0.1)", "position 7: bad value -0.1 for p: from 0 to 1"},
		{"RBP(P=0.5)", `position 5: unknown parameter "P": RBP has rel, p, max_rel, cutoff; did you mean p?`},
		{"AP(relll=2)", `position 4: unknown parameter "relll": AP has rel, judged_only, cutoff; did you mean rel?`},
		{"AP(rellll=2)", `position 4: unknown parameter "rellll": AP has rel, judged_only, cutoff`},
		{"INST(min_rel=4,max_rel=4)", "position 26: bad value: min_rel 4 is not below max_rel 4"},
		{"official x", `position 1: unknown measure "official"`},
		{"set", "position 1: missing parameter: set stands for 10 measures, name one of them: NumQ"},
		{"P.5,10", "position 1: missing parameter: P.5,10 stands for 2 measures, name one of them: P@5"},
		{"P@5,10", `position 4: syntax: unexpected ",10"`},
		{"P.1,2.5", "position 3: bad value 2.5 for cutoff: a whole number"},
		{"nDCG(gains={" + numbers(101, "%d:9") + "})", "position 505: bad value: more than 100 grades"},
		{"11pt_avg(points=[" + numbers(101, "0.%03d") + "])",
			"position 624: bad value: a list has 1 to 100 numbers, not 101"},
	} {
		_, err := Parse(c.in)
		if want := fmt.Sprintf("measure: parse %q: %s", c.in, c.want); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// numbers writes 1 to n in a format, with commas.
func numbers(n int, format string) string {
	var s []string
	for i := range n {
		s = append(s, fmt.Sprintf(format, i+1))
	}
	return strings.Join(s, ",")
}

// The largest and the smallest valid values.
func TestParseAtTheBounds(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"nDCG@1", "nDCG@1"}, {"nDCG@1000000", "nDCG@1000000"}, {"AP(rel=-1000000)",
			"AP(rel=-1000000)"}, {"AP(rel=1000000)", "AP(rel=1000000)"}, {"AP-l1000000", "AP(rel=1000000)"},
		{"nDCG(gains={1000000:2,-1000000:3})", "nDCG(gains={-1000000:3,1000000:2})"}, {"nDCG(gains={1:1e15,2:-1e15})",
			"nDCG(gains={1:1000000000000000.0,2:-1000000000000000.0})"},
		{"nDCG(gains={1:-0})", "nDCG(gains={1:0})"}, {"nDCG(gains={-1:0,0:0,2:3})",
			"nDCG(gains={2:3})"}, {"nDCG(judged_only=1)", "nDCG(judged_only=True)"}, {"nDCG(judged_only=0)", "nDCG"},
		{"11pt_avg(points=[0,1])", "11pt_avg(points=[0.0,1.0])"}, {"11pt_avg(points=[0.5,0.5])",
			"11pt_avg(points=[0.5])"}, {"rbp.123456789012345", "RBP(p=0.123456789012345)"},
		{"RBP(p=0)", "RBP(p=0.0)"}, {"RBP(p=1)", "RBP(p=1.0)"}, {" AP@10-l2 ", "AP(rel=2)@10"}, {"P-5",
			"P@5"}, {"utility.1,2,3,4", "utility(b=2.0,c=3.0,d=4.0)"}, {"INST(min_rel=3,max_rel=4)",
			"INST(min_rel=3,max_rel=4)"},
		{"nDCG(gains={" + numbers(100, "%d:0.5") + "})", "nDCG(gains={" + numbers(100, "%d:0.5") + "})"},
		{"11pt_avg(points=[" + numbers(100, "0.1%03d") + "])", ""},
	} {
		m, err := Parse(c.in)
		if err != nil || c.want != "" && m.String() != c.want {
			t.Errorf("%s is %v (%v), want %s", c.in, m, err, c.want)
		}
	}
}

// Separators of measures, and other characters.
func TestSeparators(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"AP;RR", "[AP RR]"}, {"AP\rRR", "[AP RR]"}, {"AP\tRR", "[AP RR]"}, {"AP\nRR", "[AP RR]"}, {"AP RR",
			"[AP RR]"}, {"AP,RR", "[AP RR]"}, {"AP,,RR,", "[AP RR]"}, {"nDCG\t@10 AP", "[nDCG@10 AP]"},
		{"nDCG(dcg='log2'),AP", "[nDCG AP]"}, {`nDCG(dcg="exp-log2")@5,AP`,
			"[nDCG(dcg='exp-log2')@5 AP]"}, {"nDCG(gains={1:2, 2:3}) AP", "[nDCG(gains={1:2,2:3}) AP]"},
		{"P.5,10;AP", "[P@5 P@10 AP]"}, {"P.5,10\nAP", "[P@5 P@10 AP]"}, {"P.5,10\tAP", "[P@5 P@10 AP]"}, {"P.5,10\rAP",
			"[P@5 P@10 AP]"}, {"P_5,AP", "[P@5 AP]"},
		{"ndcg.1=3,,AP(rel=2)", "[nDCG(gains={1:3}) AP(rel=2)]"}, {"ndcg.1=3,2=4,AP",
			"[nDCG(gains={1:3,2:4}) AP]"}, {"ndcg.1=3,2=4 AP", "[nDCG(gains={1:3,2:4}) AP]"},
	} {
		if ms, err := ParseList(c.in); err != nil || fmt.Sprint(ms) != c.want {
			t.Errorf("%q is %v (%v), want %s", c.in, ms, err, c.want)
		}
	}
	for _, c := range []struct{ in, want string }{
		{"ndcg.1=3,=4", `position 10: unknown parameter "": nDCG has dcg, gains, base, judged_only, cutoff`}, {"AP) RR",
			`position 3: syntax: unexpected ")"`}, {"AP) RR) AP", `position 3: syntax: unexpected ")"`}, {"P@5,10",
			`position 5: unknown measure "10"`}, {"AP,5", `position 4: unknown measure "5"; did you mean P?`},
		{"P_5,10", `position 4: syntax: unexpected ",10"`}, {"nDCG(dcg='a b'), AP",
			`position 10: bad value "a b" for dcg: one of 'log2', 'exp-log2'`},
		{"NumQ,ndcg_cut.5,x=3", `position 15: unknown parameter "5,x": nDCG has dcg, gains, base, judged_only, cutoff`},
	} {
		if ms, err := ParseList(c.in); err == nil || !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%q is %v (%v), want %s", c.in, ms, err, c.want)
		}
	}
}

// An invalid setting lists the options and leaves the policy unchanged.
func TestPolicyBounds(t *testing.T) {
	for _, c := range []struct{ name, option, want string }{
		{"ties", "none", `measure: policy ties: bad value "none": one of docid-desc, docid-asc, stable, input`},
		{"depth", "1000001", `measure: policy depth: bad value "1000001": a whole number from 0`},
		{"rel", "-1", `measure: policy rel: bad value "-1": a number from 0`}, {"luck", "1",
			`measure: policy: unknown parameter "luck"`},
		{"depth", "1000000", ""}, {"depth", "0", ""},
	} {
		var p Policy
		err := p.Set(c.name, c.option)
		if c.want != "" && (err == nil || err.Error() != c.want || p != Policy{}) || c.want == "" && err != nil {
			t.Errorf("%s=%s: %v, want %s; %+v", c.name, c.option, err, c.want, p)
		}
	}
	if s := (Policy{Ties: 4, Missing: 1}).String(); s != "missing=skip" {
		t.Errorf("an order of ties that there is not prints as %q", s)
	}
	defer func() {
		if recover() == nil {
			t.Error("ids without scores are put in order")
		}
	}()
	order([]string{"a", "b"}, []float64{1}, DocIDDesc, false)
}

// A truncated notation is refused at its end at the latest, unless it is a measure.
func TestParseOfBeginnings(t *testing.T) {
	for text, want := range map[string]string{
		" nDCG ( gains = { '1' : 2.5 } ) @ 10 ": "nDCG nDCG(gains={1:2.5}) nDCG(gains={1:2.5})@1 nDCG(gains={1:2.5})@10",
		`nDCG(dcg="log2",gains={1:2})@10`:       "nDCG nDCG(gains={1:2}) nDCG(gains={1:2})@1",
		"11pt_avg(points=[0.5])":                "11pt_avg",
		"iprec_at_recall_0.25":                  "IPrec@0.0 IPrec@0.2",
		"P.5":                                   "",
		"set_F.0.5":                             "SetF SetF(beta=0.0)",
		"map@10-l2":                             "AP AP@1 AP@10",
	} {
		var got []string
		for end := range text {
			m, err := Parse(text[:end])
			var pe *ParseError
			switch {
			case err == nil:
				if s := m.String(); len(got) == 0 || got[len(got)-1] != s {
					got = append(got, s)
				}
			case !errors.As(err, &pe) || pe.Pos < 0 || pe.Pos > end || pe.Text != text[:end]:
				t.Errorf("%q: %v", text[:end], err)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("of the beginnings of %q are measures %q, want %q", text, s, want)
		}
		if _, err := Parse(text); err != nil {
			t.Errorf("%v", err)
		}
	}
}
