package main

import (
	"strings"
	"testing"
)

// A file whose role is said is that or an error, in every command: scores in the place of judgments name the first one
// that is no grade. A fraction is cut off with a warning, in JSON as in text.
func TestRolesThatAreSaidDecide(t *testing.T) {
	scores := file(t, "g.json", `{"q1":{"a":17.5,"b":0.6}}`)
	columns := file(t, "g.csv", "qid,did,score\nq1,a,17.5\n")
	whole := file(t, "w.json", `{"q1":{"a":2,"b":1}}`)
	fractions := file(t, "f.json", `{"q1":{"a":1.7,"b":0.6}}`)
	qrels, run := file(t, "q.qrels", "q1 0 a 1\n"), file(t, "a.run", "q1 Q0 a 1 1.7 t\n")
	named := `grade 17.5 of document "a" for query "q1" is no grade`
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"convert", scores, "-as", "qrels"}, 3, "line 1: " + named},
		{[]string{"convert", columns, "-as", "qrels"}, 3, "line 2: " + named},
		{[]string{"convert", scores, "-as", "qrels", "-lint"}, 3, named},
		{[]string{"convert", run, "-as", "qrels"}, 3, "it holds no judgments: it looks like run"},
		{[]string{"convert", qrels, "-as", "run"}, 3, "it is not a run: it looks like"},
		{[]string{"convert", scores, "-as", "run"}, 0, "q1 Q0 a 1 17.5 rankbox"},
		{[]string{"convert", whole, "-as", "qrels"}, 0, "q1 0 a 2"},
		{[]string{"eval", scores, run, "AP"}, 3, named},
		{[]string{"compare", scores, run}, 3, named},
		{[]string{"eval", fractions, run, "AP"}, 0, "grade 0.6 is below 1"},
		{[]string{"agree", qrels, scores}, 2, "g.json looks like a run"},
	} {
		if code, out, errs := call("", c.args...); code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%q: code %d, want %d: %s%s, want %q", c.args, code, c.code, out, errs, c.says)
		}
	}
}
