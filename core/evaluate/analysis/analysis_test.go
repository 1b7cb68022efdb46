package analysis

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/compare/comparetest"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// reported concludes a report of values [system][query] by P@5.
func reported(t *testing.T, labels []string, values [][]float64, types []string) *report.Report {
	t.Helper()
	r := &report.Report{Measures: []string{"P@5"}, Columns: []report.Column{{Measure: "P@5", Values: values}}}
	for _, l := range labels {
		r.Systems = append(r.Systems, report.System{Label: l})
	}
	for q := range values[0] {
		x := report.Query{ID: "q" + string(rune('a'+q)), Text: strings.Repeat("w ", 2+q%8), Relevant: 1 + q}
		if types != nil {
			x.Type = types[q]
		}
		r.Queries = append(r.Queries, x)
	}
	if err := r.Conclude(report.Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDesignIsFoundInNotations(t *testing.T) {
	for _, c := range []struct {
		name    string
		systems []string
		want    string // factors and cells
	}{
		{"a grid", []string{"bm25(k1=0.6, b=0)", "bm25(k1=0.6)", "bm25(k1=1.2, b=0)", "bm25(k1=1.2)"},
			"bm25 b: 0 0.4 | bm25 k1: 0.6 1.2 | [0 2 1 3]"},
		{"a stage on and off", []string{"bm25 >> rm3", "bm25"}, "rm3: on off | [0 1]"},
		{"stages on and off", []string{"bm25 >> rm3 >> mmr", "bm25 >> rm3", "bm25 >> mmr", "bm25"},
			"mmr: on off | rm3: on off | [0 2 1 3]"},
		{"a grid and what stands beside it", []string{"ql", "bm25(k1=0.6, b=0)", "bm25(k1=0.6)", "bm25(k1=1.2, b=0)",
			"bm25(k1=1.2)"}, "bm25 b: 0 0.4 | bm25 k1: 0.6 1.2 | [1 3 2 4]"},
		{"a hole", []string{"bm25(k1=0.6, b=0)", "bm25(k1=0.6)", "bm25(k1=1.2, b=0)"}, ""},
		{"names", []string{"my run", "yours"}, ""},
	} {
		r := &report.Report{}
		for _, s := range c.systems {
			r.Systems = append(r.Systems, report.System{Label: s})
		}
		got := ""
		if d := designOf(r); d != nil {
			for _, f := range d.factors {
				got += f.name + ": " + strings.Join(f.levels, " ") + " | "
			}
			b, _ := json.Marshal(d.cells)
			got += strings.ReplaceAll(string(b), ",", " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The values of the oracle in package significance. F, ε and p: pingouin 0.6.1, rm_anova(within=['b', 'k1'],
// subject='q'); F also statsmodels 0.15.0, AnovaRM.
func TestComponentsOfAMatrix(t *testing.T) {
	values := [][]float64{{.648, .274, .244, .349, .511}, {.569, .366, .298, .358, .533},
		{.354, .112, .078, .133, .357}, {.708, .418, .434, .52, .733}, {.508, .012, .168, .203, .471},
		{.516, .187, .257, .307, .483}}
	r := reported(t, []string{"bm25(k1=0.1, b=0)", "bm25(k1=0.1)", "bm25(k1=0.2, b=0)", "bm25(k1=0.2)",
		"bm25(k1=0.3, b=0)", "bm25(k1=0.3)"}, values, nil)
	out, err := Analyse(&Subject{Report: r}, "components")
	if err != nil {
		t.Fatal(err)
	}
	rows := func(table int) map[string][]Cell {
		got := map[string][]Cell{}
		for _, row := range out[0].Tables[table].Rows {
			got[row[0].Text] = row
		}
		return got
	}
	tested, shares := rows(0), rows(1)
	if len(tested) != 3 || len(out[0].Tables) != 2 {
		t.Fatalf("%v", out[0].Tables)
	}
	for name, want := range map[string][3]float64{
		// F, ε, p
		"bm25 k1":          {9.116705464494078, 0.7264058134748089, 0.019566594055546012},
		"bm25 b":           {82.95630027893228, 1, 0.0008059959494710072},
		"bm25 b × bm25 k1": {55.92808039295974, 0.6885715179795875, 0.0003133565251721759}} {
		for i, v := range want {
			if row := tested[name]; row == nil || math.Abs(row[3+i].Value-v) > 1e-9*v {
				t.Errorf("%s: %v, want %v", name, row, want)
			}
		}
	}
	// anova_lm(typ=2) of y ~ a + b + q + a:b + a:q + b:q: sums of squares, of 0.9879583 in all
	for name, ss := range map[string]float64{"bm25 k1": 0.0569825999999998, "bm25 b": 0.1710075, "query": 0.5536798,
		"bm25 b × bm25 k1": 0.1614914, "bm25 k1 × query": 0.0250014, "bm25 b × query": 0.00824566666666664,
		"rest": 0.0115499333333333} {
		row := shares[name]
		if row == nil || len(row) != 5 || math.Abs(row[2].Value-ss) > 1e-9*ss ||
			math.Abs(row[4].Value-ss/0.9879583) > 1e-9 {
			t.Errorf("%s: %v, statsmodels has %v", name, row, ss)
		}
	}
	for _, column := range out[0].Tables[1].Columns {
		if column == "p" || column == "F" {
			t.Error("what describes these queries tests them")
		}
	}
	t.Log(out[0].Sentence)
}

// A name may begin as another's caption does.
func TestEveryFacetHasATableOfItsOwn(t *testing.T) {
	r := reported(t, []string{"a", "b"}, [][]float64{{.1, .2, .3, .4}, {.2, .3, .4, .2}}, nil)
	halves := []string{"x", "x", "y", "y"}
	out, err := Analyse(&Subject{Report: r, Facets: []Facet{{Name: "topic: first", Values: halves},
		{Name: "topic", Values: halves}}}, "slices")
	if err != nil {
		t.Fatal(err)
	}
	var captions []string
	for _, x := range out[0].Tables {
		captions = append(captions, x.Caption)
	}
	if n := len(captions); n < 2 || captions[n-2] != "By topic: first: P@5" || captions[n-1] != "By topic: P@5" ||
		len(out[0].Tables[n-1].Rows) != 2 {
		t.Errorf("%q", captions)
	}
}

// By hand: of type "long" (three queries) the second run is .1 better on each; of "short" (two) .2 worse and equal.
// Holm over the tests of all slices: no p is smaller than that of its own test.
func TestSlices(t *testing.T) {
	r := reported(t, []string{"a", "b"}, [][]float64{{.1, .2, .3, .4, .5}, {.2, .3, .4, .2, .5}},
		[]string{"long", "long", "long", "short", "short"})
	rows, err := Slices(r, FacetsOf(r, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	find := func(facet, value string) Sliced {
		for _, x := range rows {
			if x.Facet == facet && x.Value == value {
				return x
			}
		}
		t.Fatalf("no %s %s in %+v", facet, value, rows)
		return Sliced{}
	}
	if x := find("type", "long"); x.Queries != 3 || math.Abs(x.Diff-.1) > 1e-15 || math.Abs(x.Baseline-.2) > 1e-15 ||
		x.Low > x.Diff+1e-15 || x.High < x.Diff-1e-15 {
		t.Errorf("%+v", x)
	}
	if x := find("type", "short"); x.Queries != 2 || math.Abs(x.Diff+.1) > 1e-15 {
		t.Errorf("%+v", x)
	}
	if x := find("relevant documents", "up to 1"); x.Queries != 1 || x.P == x.P || x.Low == x.Low {
		t.Errorf("one query says something: %+v", x)
	}
	if x := find("relevant documents", "2 to 5"); x.Queries != 4 {
		t.Errorf("%+v", x)
	}
	alone := reported(t, []string{"a", "b"}, [][]float64{{.1, .2, .3}, {.2, .3, .4}}, nil)
	if x := find("type", "long"); !(x.P >= alone.Pairs[0].P) {
		t.Errorf("p %v is below that of its own test, %v", x.P, alone.Pairs[0].P)
	}
}

// By hand: on twelve queries of type "long" the second run is 7.5 or 8 worse, 7.75 in the mean. Its name is not the
// project's to write.
func TestSectionsHaveTheSignsOfWhereTheyStand(t *testing.T) {
	values := make([][]float64, 2)
	var types []string
	for q := range 14 {
		a, b := 10., 10.
		if q < 12 {
			b -= 7.5 + float64(q%2)/2
		}
		values[0], values[1] = append(values[0], a), append(values[1], b)
		types = append(types, []string{"long", "short"}[q/12])
	}
	r := reported(t, []string{"a", "run -0.5-tuned"}, values, types)
	for style, minus := range map[say.Style]string{say.Page: "−", say.Plain: "-"} {
		out, err := Analyse(&Subject{Report: r, Style: style}, "slices")
		if err != nil {
			t.Fatal(err)
		}
		if want := "B run -0.5-tuned is worse on type long (" + minus +
			"7.750, 12 queries)"; !strings.Contains(out[0].Sentence, want) {
			t.Errorf("%q, want %q", out[0].Sentence, want)
		}
		row := out[0].Tables[0].Rows[0]
		if got := row[2].Said(style) + " " + row[5].Said(style); got != "B run -0.5-tuned "+minus+"7.7500" {
			t.Error(got)
		}
	}
	claim, err := ReadClaim("P@5 -0.25")
	if err != nil {
		t.Fatal(err)
	}
	if s := (Section{}).tell(claim, []string{"A a"}, []suspect{{value: -1.2}}, 1,
		say.Page).Sentence; s != "No attempt gives −0.25; the nearest is −1.2000 (A a: )." {
		t.Error(s)
	}
}

// By hand: queries of two kinds, of which one has a single query, and nothing to be told of it: one slice is tested.
func TestOneTestOfSlices(t *testing.T) {
	r := reported(t, []string{"a", "b"}, [][]float64{{.1, .2, .3}, {.2, .1, .3}}, []string{"long", "long", "short"})
	for q := range r.Queries {
		r.Queries[q].Text, r.Queries[q].Relevant = "", 1
	}
	out, err := Analyse(&Subject{Report: r, Style: say.Plain}, "slices")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out[0].Sentence, "after correction over 1 test.") ||
		!strings.Contains(out[0].Notes[0], "p is Holm's over the 1 test of") {
		t.Errorf("%q %q", out[0].Sentence, out[0].Notes)
	}
}

// By hand: of two runs on ten queries the first is better on every one, p = 2/2¹⁰, so that it is 1st and the other 2nd; of
// two that are equal in the mean either may be 1st.
func TestRanksFollowFromTheTests(t *testing.T) {
	a, b, turned := make([]float64, 10), make([]float64, 10), make([]float64, 10)
	for i := range a {
		a[i], b[i], turned[9-i] = float64(i+1)/16, float64(i)/20, float64(i+1)/16
	}
	for _, x := range []struct {
		b        []float64
		want     string
		low, top int
	}{
		{b, "A a is significantly better than every other run.", 2, 2},
		{turned, "No run is significantly better than A a and B b.", 1, 2},
	} {
		r := reported(t, []string{"a", "b"}, [][]float64{a, x.b}, nil)
		out, err := Analyse(&Subject{Report: r}, "places")
		if err != nil || out[0].Sentence != x.want {
			t.Fatalf("%q, want %q (%v)", out[0].Sentence, x.want, err)
		}
		if ranks := r.Conclusion().Ranks(); ranks[1].Best != x.low || ranks[1].Worst != x.top {
			t.Errorf("%+v", ranks)
		}
	}
}

// By hand: 0.5 is found under an assumption, and 0.1, 0.2 and 0.2 beside it. With one decimal 3 of the 5 figures from 0.1 to
// 0.5 are explained.
func TestTheDetectiveSaysHowOftenChanceIsExplained(t *testing.T) {
	m, err := measure.Parse("AP")
	if err != nil {
		t.Fatal(err)
	}
	claim := Claim{Measure: m, Value: .5, Half: .05}
	found := []suspect{{0, .52, 1, "Ties: input"}, {0, .1, 0, ""}, {0, .2, 2, ""}, {0, .21, 1, ""}}
	s := Section{}.tell(claim, []string{"A a"}, found, 4, say.Plain).Sentence
	if want := "0.5 comes out for A a if ties: input. The values tried would explain 60 % of random figures between " +
		"0.1 and 0.5."; s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// What stands for a number that there is not is text, and no number hides text.
func TestCells(t *testing.T) {
	for _, x := range []struct {
		cell        Cell
		page, plain string
	}{
		{Words("-1\u202e"), "-1[U+202E]", "-1[U+202E]"},
		{Number(-1.25, 1), "−1.2", "-1.2"},
		{Signed(1.25, 2), "+1.25", "+1.25"},
		{Whole(-12), "−12", "-12"},
		{Chance(0.0001), "< 0.001", "< 0.001"},
		{Share(-0.125), "−12.5\u00a0%", "-12.5 %"},
		{Number(math.NaN(), 4), "–", "n/a"},
		{rank(0), "–", "–"},
	} {
		if page, plain := x.cell.Said(say.Page), x.cell.Said(say.Plain); page != x.page || plain != x.plain {
			t.Errorf("%+v: %q and %q, want %q and %q", x.cell, page, plain, x.page, x.plain)
		}
	}
}

func TestBins(t *testing.T) {
	f := Bins("x", []float64{0, 1, 2, 5, 6, 100, math.NaN()}, 1, 5)
	if want := []string{"up to 1", "up to 1", "2 to 5", "2 to 5", "from 6", "from 6", ""}; !slices.Equal(f.Values,
		want) {
		t.Errorf("%q, want %q", f.Values, want)
	}
}

func TestThirds(t *testing.T) {
	f := Thirds("x", []float64{9, 1, 2, math.NaN(), 3, 4, 5, 6})
	if want := []string{"from 6", "up to 3", "up to 3", "", "up to 3", "4 to 5", "4 to 5",
		"from 6"}; !slices.Equal(f.Values, want) {
		t.Errorf("%q, want %q", f.Values, want)
	}
	if f = Thirds("x", []float64{2, 2}); !slices.Equal(f.Values, []string{"", ""}) {
		t.Errorf("one value is told apart: %q", f.Values)
	}
}

// By hand: two runs of one list each, ten documents, P@5 over one query: a document that only one of them has among the
// first five changes the difference by 1/5, one that both have by nothing.
func TestJudgingAdvice(t *testing.T) {
	judgments, err := collection.Read("q", strings.NewReader("1 0 d1 1\n1 0 d2 0\n"), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	qrels := judgments.Qrels
	in := compare.Input{Qrels: qrels, Measures: []string{"P@5"}}
	for name, docs := range map[string]string{"a": "d1 x1 both x2 d2 late", "b": "d1 y1 both d2 y2 x1"} {
		text := ""
		for i, d := range strings.Fields(docs) {
			text += "1 Q0 " + d + " " + string(rune('1'+i)) + " " + string(rune('9'-i)) + " " + name + "\n"
		}
		run, _, err := collection.ReadRun(strings.NewReader(text), name, collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in.Runs = append(in.Runs, compare.Named{Name: name, Run: run})
	}
	slices.SortFunc(in.Runs, func(a, b compare.Named) int { return strings.Compare(a.Name, b.Name) })
	c, err := compare.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	got, ok, err := c.Swings("P@5", 0, 1, 5, nil)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	want := map[string]float64{"x1": -.2, "x2": -.2, "y1": .2, "y2": .2}
	if len(got) != len(want) {
		t.Errorf("%+v", got)
	}
	for _, x := range got {
		if math.Abs(x.Swing-want[x.ID]) > 1e-15 {
			t.Errorf("%+v, want %v", x, want[x.ID])
		}
	}
	r, err := c.Report(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Analyse(&Subject{Report: r, Opened: c, Style: say.Plain}, "judging")
	if err != nil || !strings.Contains(s[0].Sentence,
		"settles 100 % of what 4 unjudged documents leave open: the difference, +0.0000, could be -0.4000 to +0.4000") {
		t.Errorf("%v %v", s, err)
	}
}

func written(t *testing.T, s Section) string {
	t.Helper()
	var b strings.Builder
	if err := WriteText(&b, []Section{s}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every analysis says something of every comparison: of one run, of equal ones, of random ones; its JSON is JSON, and
// the page reads what the worker wrote.
func TestEveryAnalysisSaysSomething(t *testing.T) {
	one := comparetest.Fixture(t)
	one.Runs = one.Runs[:1]
	same := comparetest.Fixture(t)
	same.Runs = append(same.Runs[:1], same.Runs[0])
	for name, in := range map[string]compare.Input{"three": comparetest.Fixture(t), "one": one, "equal ones": same} {
		c, err := compare.Open(in)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Report(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Analyse(&Subject{Report: r, Opened: c})
		if err != nil || len(out) != len(Names()) {
			t.Fatal(name, err)
		}
		for i := range out {
			s := &out[i]
			if s.Sentence == "" || s.Title == "" || s.Part == "" || strings.Contains(s.Sentence, "NaN") {
				t.Errorf("%s: %+v", name, s)
			}
			var v any
			if err := json.Unmarshal([]byte(s.JSON()), &v); err != nil {
				t.Errorf("%s %s: %v", name, s.Name, err)
			}
			var back Section
			if err := wire.Unmarshal(wire.Marshal(s), &back); err != nil || back.JSON() != s.JSON() ||
				written(t, back) != written(t, *s) {
				t.Errorf("%s %s: %v", name, s.Name, err)
			}
		}
		var b strings.Builder
		if err := WriteText(&b, out); err != nil || !strings.Contains(b.String(), out[0].Title) {
			t.Error(err)
		}
	}
}
