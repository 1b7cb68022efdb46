package collection

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The examples of trec_eval's help (trec_eval -h -R prefs), version 9.0.4, shortened: two users, the second in two
// subgroups.
const twoUsers = "q1 u2 s1 d1 0.0\nq1 u2 s1 d3 6.0\nq1 u2 s1 d4 2\nq1 u2 s2 d1 0\nq1 u2 s2 d2 8\nq1 u1 s1 d1 3\nq1 " +
	"u1 s1 d2 2.5\n"

func TestReadPreferences(t *testing.T) {
	p, list, err := ReadPreferences(strings.NewReader(twoUsers+"q2\tu\ts\tx\t1e-1\n"), "prefs", Options{})
	if err != nil || len(list) != 0 {
		t.Fatal(err, list)
	}
	if p.Len() != 8 || fmt.Sprint(p.Queries()) != "[q1 q2]" || fmt.Sprint(p.Documents("q1")) != "[d1 d2 d3 d4]" ||
		p.Documents("q3") != nil || p.Groups("q3") != nil {
		t.Errorf("%d %v %v", p.Len(), p.Queries(), p.Documents("q1"))
	}
	// Groups and subgroups in the order of their names, documents by their places.
	if got, want := fmt.Sprint(p.Groups("q1")),
		"[{u1 [{s1 [0 1] [3 2.5]}]} {u2 [{s1 [0 2 3] [0 6 2]} {s2 [0 1] [0 8]}]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	q := p.Qrels()
	for doc, want := range map[string]int{"d1": 1, "d2": 1, "d3": 1, "d4": 1} { // d1 is relevant to one of them
		if got, ok := q.Grade("q1", doc); !ok || got != float64(want) {
			t.Errorf("%s: %v", doc, got)
		}
	}
	var out bytes.Buffer
	if err := p.WriteTREC(&out); err != nil {
		t.Fatal(err)
	}
	again, _, err := ReadPreferences(&out, "again", Options{})
	if err != nil || !reflect.DeepEqual(again.Groups("q1"), p.Groups("q1")) ||
		!reflect.DeepEqual(again.Groups("q2"), p.Groups("q2")) {
		t.Errorf("%v: %v", err, again.Groups("q1"))
	}
	c, err := Read("prefs", strings.NewReader(twoUsers), Options{})
	if err != nil || c.Format != PrefsTREC || c.Preferences.Len() != 7 || c.Qrels.Len() != 4 || c.Lines != 7 ||
		len(c.Warnings) != 1 || c.Warnings[0].Kind != OnlyPreferences {
		t.Errorf("%+v %v", c, err)
	}
}

// qrels_prefs: every group is one subgroup, levels may have fractions.
func TestReadPreferencesOfFourColumns(t *testing.T) {
	p, list, err := ReadPreferences(strings.NewReader("q a d1 0.5\nq a d2 -1\nq b d1 1\nq b d1 1\n"), "prefs",
		Options{Kind: QrelsTREC})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(p.Groups("q")), "[{a [{0 [0 1] [0.5 -1]}]} {b [{0 [0] [1]}]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(list) != 2 || list[0].Kind != NegativeGrade || list[0].Line != 2 || list[1].Kind != DuplicateJudgment ||
		list[1].Line != 4 {
		t.Errorf("%v", list)
	}
}

func TestReadPreferencesRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       Format
		want       string
	}{
		{"columns", "q u s d 1\nq u d 1\n", Unknown, "line 2: 4 columns where the lines before have 5"},
		{"no preferences", "q d 1\n", Unknown,
			"line 1: 3 columns where preferences have 5 (query, group, subgroup, document, level) or, with one " +
				"subgroup a group, 4 (query, group, document, level)"},
		{"four for prefs", "q u d 1\n", PrefsTREC,
			"line 1: 4 columns where preferences (prefs) have 5: query, group, subgroup, document, level"},
		{"five for qrels_prefs", "q u s d 1\n", QrelsTREC,
			"line 1: 5 columns where preferences without subgroups (qrels_prefs) have 4: query, group, " +
				"document, level"},
		{"level", "q u s d 1\nq u s e good\n", Unknown, `line 2: level "good" is not a number`},
		{"level that is none", "q u s d nan\n", Unknown, `line 1: level "nan" is not a number`},
		// trec_eval: "Internal docid occurs with different rel_level in same jsg"; of several subgroups it takes both.
		{"two levels", "q u s d 1\n\nq u s d 2\n", Unknown,
			`line 3: document "d" has level 2 where it had 1 before, in the same subgroup`},
		// trec_eval: "has both 0 and non-0 rel_level assigned".
		{"relevant and not", "q u s d 1\nq u t d 0\n", Unknown,
			`line 2: document "d" is both relevant (above 0) and not relevant (0) in group "u" of query "q"`},
		// trec_eval aborts: "Pref inconsistency found".
		{"circle of two", "q u s d 1\nq u s e 2\nq u t d 2\nq u t e 1\n", Unknown,
			`line 4: group "u" of query "q" contradicts itself: "d" > "e" > "d"`},
		{"circle with a tail", "q u r a 2\nq u r b 1\nq u s b 2\nq u s c 1\nq u t c 2\nq u t a 1\nq u z a 2\nq u z 0 " +
			"1\nq v s a 1\n", Unknown, `line 8: group "u" of query "q" contradicts itself: "a" > "b" > "c" > "a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := ReadPreferences(strings.NewReader(c.text), "f", Options{Kind: c.kind})
			if want := "collection: read f: " + c.want; err == nil || err.Error() != want {
				t.Errorf("%v\nwant %s", err, want)
			}
		})
	}
	_, _, err := ReadPreferences(strings.NewReader("q u s d 1\nq u s e 1\n"), "f", Options{Limits: Limits{Entries: 1}})
	if err == nil || !strings.Contains(err.Error(), "line 2: 2 judgments are more than the limit of 1") {
		t.Errorf("%v", err)
	}
	var many strings.Builder
	for i := range maxPreferred + 1 {
		fmt.Fprintf(&many, "q u s d%d 1\n", i)
	}
	if _, _, err := ReadPreferences(strings.NewReader(many.String()), "f", Options{}); err == nil ||
		!strings.Contains(err.Error(), "more than 10,000 documents") {
		t.Errorf("%v", err)
	}
	many.Reset()
	for i := range maxPreferred {
		for j := range 10 {
			fmt.Fprintf(&many, "q u %d d%d %d\n", j, i, i+1)
		}
	}
	if _, _, err := ReadPreferences(strings.NewReader(many.String()), "f", Options{}); err == nil ||
		!strings.Contains(err.Error(), "10,000 documents, 100,000 judgments") {
		t.Errorf("%v", err)
	}
}

// By hand: 10,000 documents have 49,995,000 pairs. Five users are compared, with the sixth it is too much; one alone is
// not compared at all.
func TestPreferencesHaveTooManyPairs(t *testing.T) {
	p := NewPreferences()
	for i, want := range []int{0, 2, 3, 4, 5} {
		for k := range maxPreferred {
			if err := p.Add("q", fmt.Sprintf("u%d", i), "0", fmt.Sprintf("d%d", k), float64(k)); err != nil {
				t.Fatal(err)
			}
		}
		if got := p.Pairs(); got != want*49_995_000 || p.Check() != nil {
			t.Errorf("%d users: %d pairs, %v", i+1, got, p.Check())
		}
	}
	for k := range maxPreferred {
		p.Add("q", "v", "0", fmt.Sprintf("d%d", k), 1)
	}
	const want = `with group "v" of query "q" there are 299970000 pairs of documents to compare within groups, more ` +
		`than 268435456; remove groups, queries or documents`
	if err := p.Check(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A document may be of the same level as another in one subgroup and above it in the next, as trec_eval has it: that is
// no circle.
func TestPreferencesAdd(t *testing.T) {
	p := NewPreferences()
	for _, j := range []struct {
		sub, doc string
		level    float64
	}{{"s", "a", 1}, {"s", "b", 1}, {"t", "a", 2}, {"t", "b", 1}, {"t", "b", 1}} {
		if err := p.Add("q", "u", j.sub, j.doc, j.level); err != nil {
			t.Fatal(err)
		}
	}
	if p.Len() != 4 || p.Check() != nil {
		t.Errorf("%d, %v", p.Len(), p.Check())
	}
	if p.Add("q", "u", "r", "a", 1) != nil || p.Add("q", "u", "r", "b", 2) != nil || p.Check() == nil {
		t.Error("a circle is not seen")
	}
}

// What is a run of five columns stays one; preferences about documents with numbers for ids are known where judgments
// are asked for.
func TestPreferencesAreToldFromRuns(t *testing.T) {
	for _, c := range []struct {
		name, text string
		prefer     Format
		want       Format
	}{
		{"preferences", "q1 u1 s1 doc1 3.0\nq1 u1 s1 doc2 2.0\n", Unknown, PrefsTREC},
		{"with tabs", "q1\tu1\ts1\tdoc1\t3\n", Unknown, PrefsTREC},
		{"a run without tag", "q1 Q0 doc1 1 3.0\n", Unknown, RunTREC},
		{"a run without tag, though judgments are asked for", "q1 Q0 doc1 1 3.0\n", QrelsTREC, RunTREC},
		{"a run without Q0", "q1 doc1 1 3.0 tag\n", Unknown, RunTREC},
		{"a run without Q0 whose tag is a number", "q1 doc1 1 3.5 7\n", Unknown, RunTREC},
		{"a run whose rank is no number", "q1 Q0 doc1 first 3.5\n", Unknown, Unknown},
		{"numbers all over", "1 7 1 4711 3\n1 7 1 4712 2\n", Unknown, RunTREC},
		{"numbers all over, as judgments", "1 7 1 4711 3\n1 7 1 4712 2\n", QrelsTREC, PrefsTREC},
		{"ranks from 1, as judgments", "1 7 4711 1 3\n1 7 4712 2 2\n", QrelsTREC, RunTREC},
		{"qrels", "q1 0 doc1 1\n", QrelsTREC, QrelsTREC},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read("f", strings.NewReader(c.text), Options{Prefer: c.prefer})
			if c.want == Unknown {
				if err == nil {
					t.Errorf("read as %s", got.Format)
				}
				return
			}
			if err != nil || got.Format != c.want {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

// Judgments per subtopic, or per user, that come twice are warned of as in qrels; trec_eval refuses them ("duplicate
// docs").
func TestReadDiversityWarnsOfDuplicates(t *testing.T) {
	d, list, err := ReadDiversity(strings.NewReader("q a d 1\nq b d 1\nq a d 1\nq a d 2\n"), "f", Options{})
	if err != nil || d.Len() != 2 || len(list) != 2 || list[0].Kind != DuplicateJudgment || list[0].Line != 3 ||
		list[1].Kind != ConflictingGrade || list[1].Line != 4 {
		t.Errorf("%v %v", list, err)
	}
	if g := d.Grades("q", "d"); g[0].Grade != 2 {
		t.Errorf("%v", g)
	}
}

func TestReadZscores(t *testing.T) {
	z, list, err := ReadZscores(strings.NewReader("q1 map 0.5 .1\n\nq1\tP_5 0.25 0\nq1 map 0.5 .2\n"), "z", Options{})
	if err != nil || len(list) != 1 || list[0].Line != 4 {
		t.Fatal(z, list, err)
	}
	if mean, dev, ok := z.Get("q1", "map"); mean != 0.5 || dev != 0.2 || !ok {
		t.Error(mean, dev, ok)
	}
	if _, _, ok := z.Get("q2", "map"); ok {
		t.Error("q2 is not there")
	}
	for text, want := range map[string]string{
		"q1 map 0.5\n": "collection: read z: line 1: 3 columns: deviations have 4 (query, measure, mean, " +
			"standard deviation)",
		"q1 map 0.5 1\nq1 P x 1\n": `collection: read z: line 2: mean "x" is not a number`,
		"q1 map 0.5 -1\n":          `collection: read z: line 1: standard deviation "-1" is not a number from 0`,
	} {
		if _, _, err := ReadZscores(strings.NewReader(text), "z", Options{}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
