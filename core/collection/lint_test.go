package collection

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// places returns the warnings of a kind as "×count line:what line:what …", with the line of its first place before the
// rest where they differ.
func located(list []Warning, kind string) string {
	for _, w := range list {
		if w.Kind != kind {
			continue
		}
		s := fmt.Sprint("×", w.Count)
		if len(w.Places) == 0 || w.Places[0].Line != w.Line {
			s += fmt.Sprint(" first ", w.Line)
		}
		for _, p := range w.Places {
			s += fmt.Sprintf(" %d:%q", p.Line, p.What)
		}
		return s
	}
	return "none"
}

// TestLinter has every oddity that the linter knows of runs and qrels: its count and its places. What the lines should
// give was counted by hand.
func TestLinter(t *testing.T) {
	for _, tt := range []struct{ name, kind, text, want string }{
		{"documents twice, alike", DuplicateDocument,
			"q1 Q0 d1 1 3 t\nq1 Q0 d1 2 3 t\nq1 Q0 d2 3 2 t\nq2 Q0 d1 1 3 t\nq2 Q0 d1 2 3 t\nq2 Q0 d1 3 3 t\n",
			`×3 2:"q1 d1" 5:"q2 d1"`},
		{"documents twice, otherwise", ConflictingScore, "q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq1 Q0 d1 3 1 t\n",
			`×1 3:"q1 d1"`},
		{"rank and score", RankConflict,
			"q1 Q0 d1 1 1 t\nq1 Q0 d2 2 2 t\nq1 Q0 d3 3 3 t\nq2 Q0 d1 1 9 t\nq2 Q0 d2 2 8 t\nq3 Q0 d1 2 2 t\nq3 " +
				"Q0 d2 1 1 t\n", `×3 2:"q1" 7:"q3"`},
		{"rank and score in a CSV", RankConflict, "qid,docno,rank,score\nq1,d1,1,0.5\nq1,d2,2,0.7\n", `×1 3:"q1"`},
		{"ranks that are none", OddRank, "q1 Q0 d1 0 3 t\nq1 Q0 d2 -5 2 t\nq1 Q0 d3 x 1 t\nq1 Q0 d4 3 0 t\n",
			`×2 2:"-5" 3:"x"`},
		{"ranks that are none, without Q0", OddRank, "q1 d1 0 3 t\nq1 d2 - 2 t\n", `×1 2:"-"`},
		{"ties", TiedScores, "q1 Q0 d1 1 2 t\nq1 Q0 d2 2 2.0 t\nq1 Q0 d3 3 1 t\nq2 Q0 d1 1 1 t\nq2 Q0 d2 2 1 t\nq2 " +
			"Q0 d3 3 1e0 t\n", `×5 1:"q1" 4:"q2"`},
		{"ties in JSON", TiedScores, "{\"q1\": {\"d1\": 1.5,\n\"d2\": 1.50}}", `×2 1:"q1"`},
		{"mixed tags", MixedTags, "q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 b\nq1 Q0 d3 3 1 a\nq2 Q0 d3 3 1 c\n", `×2 2:"b" 4:"c"`},
		{"mixed tags in a CSV", MixedTags, "qid,docno,score,tag\nq1,d1,3,a\nq1,d2,2,b\n", `×1 3:"b"`},
		{"unsorted", UnsortedInput,
			"q1 Q0 d1 1 1 t\nq1 Q0 d2 2 2 t\nq2 Q0 d1 1 2 t\nq2 Q0 d2 2 1 t\nq3 Q0 d1 0 1 t\nq3 Q0 d2 0 1 t\nq3 " +
				"Q0 d3 0 5 t\n", `×2 2:"q1" 7:"q3"`},
		{"queries that come back", InterleavedQueries, "q1 Q0 d1 1 3 t\nq2 Q0 d2 2 2 t\nq1 Q0 d3 3 1 t\n", `×1 3:""`},
		{"words behind the tag", ExtraColumns, "q1 Q0 d1 1 3 t x\nq1 Q0 d2 2 2 t\nq1 Q0 d3 3 1 t y\n",
			`×2 1:"x" 3:"y"`},
		{"words behind the tag, tabs", ExtraColumns, "q1\tQ0\td1\t1\t3\tmy tag\nq1\tQ0\td2\t2\t2\tmy tag\n",
			`×2 1:"tag" 2:"tag"`},
		{"no Q0", FiveColumns, "q1 d1 1 3 t\nq1 d2 2 2 t\n", `×1 1:""`},
		{"stray spaces between tabs", StraySpace,
			"q1 \tQ0\t d1\t1\t3\tt\nq1\tQ0\td2 \t2\t2\tt\nq1\tQ0\td3\t3\t1\tt\nq1\tQ0\td4 \t4\t0\tt\n",
			`×4 1:"q1 " 1:" d1" 2:"d2 " 4:"d4 "`},
		{"stray spaces between tabs, behind clean lines", StraySpace, strings.Repeat("q1\tQ0\td0\t1\t3\tt\n", 9) +
			"q1\tQ0\td1  \t2\t2\tt\n" + strings.Repeat("q1\tQ0\td0\t1\t1\tt\n", 9) + "q1\tQ0\td2 \t3\t1\tt\n" +
			strings.Repeat("q1\tQ0\td0\t1\t1\tt\n", 9),
			`×2 10:"d1  " 20:"d2 "`},
		{"stray invisible characters", StraySpace, "q1 Q0 \ufeffd1 1 3 t\nq1 Q0 d2\u00a0 2 2 t\n",
			"×2 1:\"\\ufeffd1\" 2:\"d2\\u00a0\""},
		{"stray spaces in a CSV", StraySpace, "qid,docno,score\nq1, d1,3\n\"q1 \",d2,2\n", `×2 2:" d1" 3:"q1 "`},
		{"stray spaces in JSON", StraySpace, "{\"q1\": {\"d1 \": 1.5}}", `×1 1:"d1 "`},
		{"stray spaces in qrels", StraySpace, "q1\t0\td1 \t1\n q1\t0\td2\t1\n", `×2 1:"d1 " 2:" q1"`},
		{"spaces within ids", SpaceInID, "q1\tQ0\td 1\t1\t3\tt\nq1\tQ0\td2\t2\t2\tt\nq1\tQ0\td 3\t3\t1\tt\n",
			`×2 1:"d 1" 3:"d 3"`},
		{"spaces within ids, without tabs", SpaceInID, "q1 Q0 d 1 1 3 t\nq1 Q0 d 2 2 2 t\n", `×2 1:"d" 2:"d"`},
		{"spaces within ids of qrels", SpaceInID, "q1\t0\td 1\t1\n", `×1 1:"d 1"`},
		{"not UTF-8", NotUTF8, "q1 Q0 a 1 3 t\nq1 Q0 d\xe9j 2 2 t\nq1 Q0 \xe9 3 1 t\n", `×2 2:"d\xe9j"`},
		{"a query that is not UTF-8", NotUTF8, "q1 Q0 a 1 3 t\nq\xe9 Q0 1 2 2 t\n", `×1 2:"q\xe9"`},
		{"qrels that are not UTF-8", NotUTF8, "q1 0 a 1\nq1 0 d\xe9j 1\n", `×1 2:"d\xe9j"`},
		{"a comment among the lines", NonStandardDialect, "q1 Q0 a 1 3 t\n# here\nq1 Q0 b 2 2 t\n", `×1 2:""`},
		{"names of columns", NonStandardDialect, "qid Q0 docno rank score tag\nq1 Q0 b 2 2 t\n", `×1 1:""`},
		{"ranks and no scores", NonStandardDialect, "q\ta\t1\nq\tb\t2\nq\tc\t3\nq\td\t4\nq\te\t5\nq\tf\t6\n",
			`×6 1:"" 2:"" 3:"" 4:"" 5:""`},
		{"a query without documents", EmptyQuery, `{"q1": {"d1": 1.5}, "q2": {}}`, `×1 0:"q2"`},
		{"a query without judgments", EmptyQuery, `{"q1": {"d1": 1}, "q2": {}}`, `×1 0:"q2"`},
		{"a query without text", EmptyQuery, "{\"_id\": \"q1\", \"text\": \"x\"}\n{\"_id\": \"q2\", \"text\": \" \"}\n",
			`×1 2:"q2"`},
		{"a query without text, TSV", EmptyQuery, "q1\tx\nq2\t\nq3\t \n", `×2 2:"q2" 3:"q3"`},
		{"a query twice in JSON", DuplicateID, "{\"q1\": {\"d1\": 1.5},\n\"q1\": {\"d2\": 2.5}}", `×1 2:"q1"`},
		{"negative grades", NegativeGrade, "q1 0 d1 -1\nq1 0 d2 0\nq1 0 d3 -2\n", `×2 1:"-1" 3:"-2"`},
		{"negative grades, BEIR", NegativeGrade, "query-id\tcorpus-id\tscore\nq1\td1\t-1\n", `×1 2:"-1"`},
		{"grades below 1", LowGrade, "q1 0 d1 1\nq1 0 d2 0.5\nq1 0 d3 1.5\nq1 0 d4 .75\n", `×2 4:".75" 2:"0.5"`},
		{"judged twice, alike", DuplicateJudgment, "q1 0 d1 1\nq1 0 d1 1\n", `×1 2:"q1 d1"`},
		{"judged twice, otherwise", ConflictingGrade, "q1 0 d1 1\nq1 0 d1 2\n", `×1 2:"q1 d1"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := mustRead(t, tt.text, Options{})
			if got := located(c.Warnings, tt.kind); got != tt.want {
				t.Errorf("%s: %s, want %s; all: %s", tt.kind, got, tt.want, kinds(c.Warnings))
			}
			// The same out of a gzip, a few bytes at a time.
			z, err := Read("file", &slowly{gz([]byte(tt.text)), 5}, Options{})
			if err != nil || located(z.Warnings, tt.kind) != tt.want {
				t.Errorf("gzip: %v %s", err, kinds(z.Warnings))
			}
		})
	}
	// A clean file has none.
	for _, text := range []string{"q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq2 Q0 d1 1 3 t\n",
		"q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n", "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
		"qid,docno,rank,score\nq1,d1,0,3\nq1,d2,1,2\n"} {
		if c := mustRead(t, text, Options{}); len(c.Warnings) > 0 {
			t.Errorf("%q: %s", text, kinds(c.Warnings))
		}
	}
}

// TestLinterOfBothSides has what can only be seen of run and qrels together.
func TestLinterOfBothSides(t *testing.T) {
	q := mustRead(t, "q1 0 d1 1\nq2 0 d1 1\nq3 0 d1 0\n", Options{}).Qrels
	r := mustRead(t, "q0 Q0 d1 1 3 t\nq1 Q0 d1 1 3 t\nq8 Q0 d1 1 3 t\nq9 Q0 d1 1 3 t\n", Options{}).Run
	w := Check(r, q, "run")
	if got := located(w, MissingQuery); got != `×2 0:"q2" 0:"q3"` {
		t.Error(got)
	}
	if got := located(w, ExtraQuery); got != `×3 0:"q0" 0:"q8" 0:"q9"` {
		t.Error(got)
	}
}

// repair writes what was read out again, as the page does for "Save … repaired".
func repair(t *testing.T, c *Content) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	if c.Run != nil {
		err = c.Run.WriteTREC(&b)
	} else {
		err = c.Qrels.WriteTREC(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRepair: a file that is offered repaired has nothing left to settle when it is linted again, and holds the same
// ranking, and so has the same measures. A file with a choice to make is not offered.
func TestRepair(t *testing.T) {
	for _, tt := range []struct{ name, text, left string }{
		{"unsorted, ranks in conflict", "q1 Q0 d1 1 1 t\nq1 Q0 d2 2 2 t\n", ""},
		{"documents twice, alike", "q1 Q0 d1 1 3 t\nq1 Q0 d1 2 3 t\nq1 Q0 d2 3 2 t\n", ""},
		{"ties stay", "q1 Q0 d1 1 3 t\nq1 Q0 d2 2 3 t\nq1 Q0 d3 3 9 t\n", "tied-scores×2@2"},
		{"queries that come back", "q1 Q0 d1 1 3 t\nq2 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\n", ""},
		{"stray spaces, tabs", "q1\tQ0\td1 \t1\t3\tt\n", ""},
		{"five columns, comments, words behind", "q1 d1 1 3 t\n# x\nq1 d2 2 2 t\n", ""},
		{"ranks and no scores", "q\ta\t1\nq\tb\t2\nq\tc\t3\nq\td\t4\nq\te\t5\nq\tf\t6\n", ""},
		{"queries that start with #", "#1 Q0 d1 1 1 t\n#1 Q0 d2 2 2 t\n", ""},
		{"qrels: queries that start with #", "#1 0 d1 1\n#1 0 d1 1\n", ""},
		{"qrels: judged twice", "q1 0 d1 1\nq1 0 d1 1\nq1 0 d2 -1\n", "negative-grade×1@2"},
		{"qrels: stray spaces", "query-id\tcorpus-id\tscore\nq1\td1 \t1\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := mustRead(t, tt.text, Options{})
			if settled, _ := Fixable(c.Warnings); len(settled) == 0 {
				t.Fatal("not offered")
			}
			again := mustRead(t, string(repair(t, c)), Options{})
			if settled, left := Fixable(again.Warnings); len(settled) > 0 || kinds(left) != tt.left {
				t.Errorf("left: %s, want %s", kinds(again.Warnings), tt.left)
			}
			if c.Run != nil {
				same(t, again.Run, c.Run)
			} else {
				sameQrels(t, again.Qrels, c.Qrels)
			}
		})
	}
	for name, text := range map[string]string{
		"two scores":       "q1 Q0 d1 1 1 t\nq1 Q0 d2 2 2 t\nq1 Q0 d2 3 5 t\n",
		"two tags":         "q1 Q0 d1 1 1 t\nq1 Q0 d2 2 2 u\n",
		"two grades":       "q1 0 d1 1\nq1 0 d1 1\nq1 0 d1 2\n",
		"spaces within":    "q1 Q0 d 1 1 3 t\nq1 Q0 d 2 2 2 t\n",
		"an empty query":   `{"q1": {"d1": 1.5, "d2": 2}, "q2": {}}`,
		"a query repeated": `{"q1": {"d1": 1.5, "d2": 2}, "q1": {"d3": 1.5}}`,
	} {
		if c := mustRead(t, text, Options{}); len(c.Warnings) == 0 {
			t.Errorf("%s: no warnings", name)
		} else if settled, left := Fixable(c.Warnings); len(settled) > 0 || len(left) != len(c.Warnings) {
			t.Errorf("%s: offered", name)
		}
	}
	offered := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		var text strings.Builder
		for range 1 + r.IntN(40) {
			sep := []string{" ", "\t", "  "}[r.IntN(3)]
			score := r.IntN(12)
			fmt.Fprintln(&text, strings.Join([]string{fmt.Sprint("q", r.IntN(3)), "Q0",
				fmt.Sprint("d", score*3+r.IntN(3)), fmt.Sprint(r.IntN(9)), fmt.Sprint(score), "t"}, sep)+
				[]string{"", "", " more"}[r.IntN(3)])
		}
		c := mustRead(t, text.String(), Options{})
		if settled, _ := Fixable(c.Warnings); len(settled) == 0 {
			continue
		}
		offered++
		again := mustRead(t, string(repair(t, c)), Options{})
		if settled, _ := Fixable(again.Warnings); len(settled) > 0 {
			t.Fatalf("%s\nleft: %s", text.String(), kinds(again.Warnings))
		}
		same(t, again.Run, c.Run)
	}
	if offered < 200 {
		t.Errorf("%d of 300 offered", offered)
	}
}

// TestOldLineEnds reads files whose lines end with carriage returns alone.
func TestOldLineEnds(t *testing.T) {
	for _, text := range []string{
		"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n", "q1 0 d1 1\nq1 0 d2 0\n", "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
		"query_id,doc_id,score\nq1,d1,1\nq1,d2,0.5\n", "1\twhat is it\n2\tand that\n",
		strings.Repeat("q1 Q0 d1 1 2.5 t\n", 10000),
	} {
		want := mustRead(t, text, Options{})
		old := strings.ReplaceAll(text, "\n", "\r")
		got := mustRead(t, old, Options{})
		if got.Format != want.Format || got.Lines != want.Lines || kinds(got.Warnings) != kinds(want.Warnings) {
			t.Errorf("%.40q: %s %d %s, want %s %d %s", old, got.Format, got.Lines, kinds(got.Warnings), want.Format,
				want.Lines, kinds(want.Warnings))
		}
		if z, err := Read("f", &slowly{gz([]byte(old)), 7}, Options{}); err != nil || z.Lines != want.Lines {
			t.Errorf("%.40q: gzip: %v", old, err)
		}
	}
}

// TestRatingsOfQuepidAreJudgments: its "basic" export names the third column rating, and has rows without one for
// queries and documents that nobody rated (o19s/quepid 0e0e0e0, show.basic_snapshot.csv.erb).
func TestRatingsOfQuepidAreJudgments(t *testing.T) {
	c, err := Read("q.csv", strings.NewReader("query,docid,rating\nstar wars,11,3\nstar wars,12,\nrambo\nrocky,7,0\n"),
		Options{})
	if err != nil || c.Format != QrelsCSV || c.Qrels.Len() != 2 {
		t.Fatalf("%v %+v", err, c)
	}
	for _, w := range c.Warnings {
		if w.Kind == NonStandardDialect && w.Count == 2 && w.Line == 3 {
			return
		}
	}
	t.Errorf("%v", c.Warnings)
}
