package export

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// held compares two runs of three queries, the second with a hostile name and worse on all, and holds them against a
// gate.
func held(t *testing.T, conditions ...string) (*report.Report, gates.Conditions) {
	t.Helper()
	q := collection.NewQrels()
	a, b := collection.NewRunBuilder("a"), collection.NewRunBuilder("b")
	for _, id := range []string{"q1", "q2", "q3"} {
		q.Add(id, "x", 1)
		for i, d := range []string{"x", "y", "z"} {
			if err := a.Add(id, d, float64(3-i)); err != nil {
				t.Fatal(err)
			}
			if err := b.Add(id, d, float64(i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	one, _ := a.Run()
	two, _ := b.Run()
	r, err := compare.Compare(compare.Input{Qrels: q, Measures: []string{"RR"},
		Runs: []compare.Named{{Name: "base", Run: one}, {Name: "<b>&\"]]>\x01 --> | `x`", Run: two}}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []gates.Gate
	for _, g := range conditions {
		x, err := gates.ParseGate(g)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	v := gates.Conditions{}
	if v.Checks, err = gates.CheckGates(r, list, gates.Checking{}); err != nil {
		t.Fatal(err)
	}
	if v.Change, err = gates.Regress(r, r, gates.DefaultThreshold, nil); err != nil {
		t.Fatal(err)
	}
	return r, v
}

// suites is a file of JUnit's XML, as programs read it.
type suites struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Suites   []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestJUnit(t *testing.T) {
	r, v := held(t, "RR>=0.9", "RR>=0.1")
	var out strings.Builder
	if err := WriteJUnit(&out, r, v); err != nil {
		t.Fatal(err)
	}
	var got suites
	if err := xml.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	// two gates of two runs, two runs since the snapshot, two runs
	if got.Tests != 8 || got.Failures != 1 || len(got.Suites) != 3 || got.Suites[0].Tests != 4 ||
		got.Suites[0].Failures != 1 || got.Suites[1].Failures != 0 || len(got.Suites[2].Cases) != 2 {
		t.Errorf("%+v", got)
	}
	if f := got.Suites[0].Cases[1].Failure; f == nil || !strings.Contains(f.Message, "FAILED  RR>=0.9") {
		t.Errorf("%+v", got.Suites[0].Cases[1])
	}
	if !strings.Contains(got.Suites[2].Cases[1].Name, "<b>&\"]]>\uFFFD --> |") {
		t.Errorf("%q", got.Suites[2].Cases[1].Name)
	}
}

func TestCommentSaysTheVerdictFirst(t *testing.T) {
	r, v := held(t, "RR>=0.9", "RR>=0.1")
	var out strings.Builder
	if err := WriteComment(&out, r, v, "a b", ""); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if lines[0] != "<!-- rankbox:a-b -->" || lines[1] != "### Rankbox: failed" ||
		!strings.HasPrefix(lines[3], "1 of 6 conditions is not met.") {
		t.Errorf("%q", lines[:4])
	}
	if strings.Contains(out.String(), "<b>") || strings.Count(out.String(), "-->") != 1 ||
		strings.Count(out.String(), "<details>") != strings.Count(out.String(), "</details>") {
		t.Errorf("what others named is markup:\n%s", out.String())
	}
	if r, v := held(t); v.Count() != 2 || v.Failed() != 0 || r == nil || v.Sentence() != "All 2 conditions are met." {
		t.Errorf("%s", v.Sentence())
	}
}

func TestCommentUpdatesItselfInPlace(t *testing.T) {
	one, two, other := markerOf("x")+"\none\n", markerOf("x")+"\ntwo\n", markerOf("y")+"\nother\n"
	first := UpdateComment("# Notes\n", one)
	both := UpdateComment(first+"between\n", other)
	for _, c := range []struct{ name, text, comment, want string }{
		{"into nothing", "", one, one + markerEnd + "\n"},
		{"behind a text without an end of line", "text", one, "text\n" + one + markerEnd + "\n"},
		{"behind what is there", "# Notes\n", one, "# Notes\n" + one + markerEnd + "\n"},
		{"in its place", first + "after\n", two, "# Notes\n" + two + markerEnd + "\nafter\n"},
		{"beside another", both, two, "# Notes\n" + two + markerEnd + "\nbetween\n" + other + markerEnd + "\n"},
		{"at the beginning", one + markerEnd + "\nafter\n", two, two + markerEnd + "\nafter\n"},
		{"where its end was lost", one, two, two + markerEnd + "\n"},
		{"where its end was lost before another", "a\n" + one + other + markerEnd + "\n", two,
			"a\n" + two + markerEnd + "\n" + other + markerEnd + "\n"},
		{"twice the same", UpdateComment(first, two), two, UpdateComment(first, two)},
	} {
		if got := UpdateComment(c.text, c.comment); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzUpdateComment(f *testing.F) {
	f.Add("text\n"+markerOf("x")+"\nold\n"+markerEnd+"\nmore", "new")
	f.Fuzz(func(t *testing.T, text, body string) {
		comment := markerOf("x") + "\n" + body + "\n"
		if strings.Contains(body, "<!--") || strings.Contains(body, markerEnd) { // markdownText leaves no markup
			return
		}
		once := UpdateComment(text, comment)
		if twice := UpdateComment(once, comment); twice != once {
			t.Fatalf("%q became %q and then %q", text, once, twice)
		}
	})
}

// A query of a golden set fails with its reasons in every file, and what is hostile in it stays text.
func TestQueriesOfAGoldenSet(t *testing.T) {
	evil := "<b>\x1b[2J\"]]> | `x`\n# head"
	v := gates.Conditions{Notes: []string{"20 queries can show .11"}, Queries: []gates.Expected{
		{Query: "a", Text: "fine"},
		{Query: evil, Text: evil, Reasons: []string{"first " + evil, "second"}},
	}}
	if v.Failed() != 1 || v.Count() != 2 || v.Sentence() != "1 of 2 conditions is not met." {
		t.Errorf("%d of %d: %s", v.Failed(), v.Count(), v.Sentence())
	}
	var out strings.Builder
	if err := WriteJUnit(&out, nil, v); err != nil {
		t.Fatal(err)
	}
	var got suites
	if err := xml.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if got.Failures != 1 || len(got.Suites) != 1 || got.Suites[0].Name != "queries" || len(got.Suites[0].Cases) != 2 {
		t.Fatalf("%+v", got)
	}
	c := got.Suites[0].Cases
	if c[0].Failure != nil || c[0].Name != `a "fine"` {
		t.Errorf("%+v", c[0])
	}
	f := c[1].Failure
	if !strings.Contains(f.Message, "first <b>[U+001B][2J") || strings.TrimSpace(f.Text) != "second" {
		t.Errorf("%+v", f)
	}
	out.Reset()
	if err := WriteComment(&out, nil, v, "check", ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"### Rankbox: failed", "first &lt;b&gt;", "second", "20 queries can show", "1 condition met",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, bad := range []string{"<b>", "\x1b", "\n# head"} {
		if strings.Contains(out.String(), bad) {
			t.Errorf("%q is in\n%s", bad, out.String())
		}
	}
}
