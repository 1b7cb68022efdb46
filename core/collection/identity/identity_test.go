package identity

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

func read(t *testing.T, run, qrels string) (*collection.Run, *collection.Qrels) {
	t.Helper()
	r, err := collection.Read("r.run", strings.NewReader(run), collection.Options{Prefer: collection.RunTREC})
	if err != nil {
		t.Fatal(err)
	}
	q, err := collection.Read("q.qrels", strings.NewReader(qrels), collection.Options{Prefer: collection.QrelsTREC})
	if err != nil {
		t.Fatal(err)
	}
	return r.Run, q.Qrels
}

// ids are the documents of a run, query after query.
func ids(r *collection.Run) string {
	var out []string
	for i, q := range r.Queries() {
		for _, e := range r.Ranked(i, collection.InputOrder, nil) {
			out = append(out, q+"/"+e.Doc)
		}
	}
	return strings.Join(out, " ")
}

// compose is the Form C of the letters that the tests have.
func compose(s string) string {
	return strings.NewReplacer("e\u0301", "é", "u\u0308", "ü").Replace(s)
}

func TestIDsInAnotherSpellingAreFoundAndRepaired(t *testing.T) {
	Normal = compose
	defer func() { Normal = func(s string) string { return s } }()
	for _, c := range []struct{ run, qrels, rule, want string }{
		{"q1 Q0 cafe\u0301.md 1 2 t\n", "q1 0 café.md 1\n", "nfc", "q1/café.md"},
		{"q1 Q0 D1 1 2 t\n", "q1 0 d1 1\n", "case", "q1/d1"},
		{"q1 Q0 ./docs/a.md 1 2 t\n", "q1 0 docs/a.md 1\n", "path", "q1/docs/a.md"},
		{"q1 Q0 docs\\a.md 1 2 t\n", "q1 0 docs/a/ 1\n", "path", "q1/docs/a/"},
		{"q1 Q0 docs/a%20b.html 1 2 t\n", "q1 0 docs/a\u00a0b 1\n", "", ""},
		{"q1 Q0 docs/a%2Fb.html 1 2 t\n", "q1 0 docs/a/b 1\n", "path", "q1/docs/a/b"},
		{"1.0 Q0 10.0 1 2 t\n", "1 0 10 1\n", "number", "1/10"},
		{"q1 Q0 d1#0 1 3 t\nq1 Q0 d1#1 2 2 t\nq1 Q0 d3 3 1 t\n", "q1 0 d1 1\n", "chunk", "q1/d1 q1/d3"},
		{"q1 Q0 a#1 1 5 t\nq1 Q0 a#2 2 4 t\nq1 Q0 b#7 3 3 t\nq1 Q0 b#1 4 2 t\n", "q1 0 b 1\n", "chunk", "q1/a q1/b"},
		{"q2 Q0 d2_chunk_4 1 3 t\n", "q2 0 d2 1\n", "chunk", "q2/d2"},
		{"q2 Q0 doc_0012 1 3 t\n", "q2 0 doc 1\n", "chunk", "q2/doc"},
		// What matches to the letter stays, and what may be either of two is neither.
		{"q1 Q0 d1 1 3 t\nq1 Q0 D1 2 2 t\n", "q1 0 d1 1\n", "", ""},
		{"q1 Q0 dD 1 3 t\n", "q1 0 dd 1\nq1 0 DD 1\n", "", ""},
		{"q1 Q0 x 1 3 t\n", "q1 0 y 1\n", "", ""},
	} {
		run, q := read(t, c.run, c.qrels)
		list, many := Warnings(run, q, "r.run")
		if c.rule == "" {
			if len(list) > 0 || many {
				t.Errorf("%q: %v", c.run, list)
			}
			continue
		}
		if !many || len(list) == 0 || !strings.Contains(list[0].Message, "-ids "+c.rule+" takes them") {
			t.Errorf("%q: %v", c.run, list)
		}
		rules, err := Parse(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		fixed, said := Repair(run, q, rules, "r.run")
		if got := ids(fixed); got != c.want || len(said) != 1 {
			t.Errorf("%q: %s, want %s, %v", c.run, got, c.want, said)
		}
		if list, _ := Warnings(fixed, q, "r.run"); len(list) > 0 {
			t.Errorf("%q repaired: %v", c.run, list)
		}
	}
	if _, err := Parse("nfc,kase"); err == nil || !strings.Contains(err.Error(), `"kase" is no rule of ids`) {
		t.Error(err)
	}
}

// A third of the judgments is many; fewer are a warning.
func TestFewIDsInAnotherSpellingAreAWarning(t *testing.T) {
	run, q := read(t, "q1 Q0 a 1 4 t\nq1 Q0 b 2 3 t\nq1 Q0 c 3 2 t\nq1 Q0 D 4 1 t\n", "q1 0 a 1\nq1 0 b 1\nq1 0 c 0\nq1 0 d 1\n")
	list, many := Warnings(run, q, "r.run")
	if many || len(list) != 1 || list[0].Message != `1 of 4 judged documents that the run has are under another `+
		`spelling, which does not match: "D" in the run, "d" in the judgments. -ids case takes them for the same` {
		t.Errorf("%v %v", many, list)
	}
}
