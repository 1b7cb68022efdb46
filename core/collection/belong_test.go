package collection

import (
	"strings"
	"testing"
)

// Files that share no query or no judged document are refused, with the likely reason; one judged document is enough.
func TestFilesThatDoNotBelongTogetherAreRefused(t *testing.T) {
	const query, document = "No query of any run is judged: these files do not belong together. ",
		"No judged document is in any run: these files do not belong together. "
	for _, x := range []struct{ name, qrels, run, want string }{
		{"one is judged", "q1 a,q2 b", "q1 x,q2 b,q2 y", ""},
		{"a judged query is not in the run", "q1 a,q9 b", "q1 a", ""},
		{"judged for another query", "q1 a,q2 b", "q1 b,q2 a", ""},
		{"chunks", "q1 a,q2 b", "q1 a#1,q2 b#4", ""},
		{"letter case", "q1 D1,q2 D2", "q1 d1,q2 d2", document +
			`The ids differ in letter case: "D1" in the judgments, "d1" in the run.`},
		{"ending", "q1 a.md,q2 b.md", "q1 a.txt,q2 c.txt", document +
			`The ids differ in their ending: "a.md" in the judgments, "a.txt" in the run.`},
		{"no ending", "q1 a.md,q2 b.md", "q1 a,q2 c", document +
			`The ids differ in their ending: "a.md" in the judgments, "a" in the run.`},
		{"path", "q1 docs/a.md", "q1 a.md,q1 z.md", document +
			`The ids differ in the path before them: "docs/a.md" in the judgments, "a.md" in the run.`},
		{"path of Windows", `q1 docs\a.md`, "q1 kb/a.md", document +
			`The ids differ in the path before them: "docs\\a.md" in the judgments, "kb/a.md" in the run.`},
		{"path and ending", "q1 docs/a.md", "q1 a", document +
			`The ids differ in path and ending: "docs/a.md" in the judgments, "a" in the run.`},
		{"numbers", "q1 MED-10,q2 MED-14", "q1 10,q2 0014", document +
			`The ids differ in what is before their number: "MED-10" in the judgments, "10" in the run.`},
		{"another collection", "q1 a,q2 b", "q1 x7,q2 y8", document + "They may be of different collections: the " +
			`judgments have documents like "a", the run has documents like "x7".`},
		{"queries in letter case", "Q1 a,Q2 b", "q1 a,q2 b", query +
			`The ids differ in letter case: "Q1" in the judgments, "q1" in the run.`},
		{"queries of another collection", "1 a", "topic a", query + "They may be of different collections: the " +
			`judgments have queries like "1", the run has queries like "topic".`},
		{"an empty run", "q1 a", "", query + "A file is empty."},
	} {
		q, b := NewQrels(), NewRunBuilder("tag")
		for _, line := range strings.Split(x.qrels, ",") {
			query, doc, _ := strings.Cut(line, " ")
			q.Add(query, doc, 1)
		}
		for _, line := range strings.Split(x.run, ",") {
			if query, doc, ok := strings.Cut(line, " "); ok {
				b.Add(query, doc, 1)
			}
		}
		run, _ := b.Run()
		got := ""
		if err := Belong(q, run); err != nil {
			got = err.Error()
		}
		if got != x.want {
			t.Errorf("%s: %s\nwant %s", x.name, got, x.want)
		}
	}
}
