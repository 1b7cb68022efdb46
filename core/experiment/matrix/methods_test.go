package matrix

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Sources as registries write them, and what is no reference.
func TestWhatIsAReference(t *testing.T) {
	for _, c := range []struct {
		source string
		want   citation // without a key where it is no reference
	}{
		{"Ada and Bob 2009, Ranking by light", citation{"ada2009ranking", "Ada and Bob", "Ranking by light", "2009",
			""}},
		{"Ada, Bob, Cy 1999, By the way (section 3)",
			citation{"ada1999", "Ada and Bob and Cy", "By the way", "1999", "section 3"}},
		{"A. Ada and Z. Zoe, Ranking by light, Journal, 2009",
			citation{"ada2009ranking", "A. Ada and Z. Zoe", "Ranking by light, Journal", "2009", ""}},
		{"Z. Zoe, Light, 1901", citation{"zoe1901light", "Z. Zoe", "Light", "1901", ""}},
		{"Ada et al. 2009", citation{"ada2009", "Ada and others", "", "2009", ""}},
		{"Ada doi1998.2001 2011, Light", citation{"doi2011light", "Ada doi1998.2001", "Light", "2011", ""}},
		{"Ada 2009b, Light", citation{}},
		{"Ada 1809, Light", citation{}},
		{"Ada 20x9, Light", citation{}},
		{"2009, Light", citation{}},
		{"(2009)", citation{}},
		{"Ada, Light", citation{}},
	} {
		got, ok := cite(c.source)
		if ok != (c.want.key != "") || ok && got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.source, got, ok, c.want)
		}
	}
}

// Works of one key are told apart; one that is cited twice with full particulars stands once.
func TestKeysOfABibliographyDiffer(t *testing.T) {
	text := bibliography([]string{"Ada 2009, Light and shade", "Ada 2009, Light and dark", "Ada, Light",
		"Ada 2009, Light again"})
	var keys []string
	for l := range strings.Lines(text) {
		if _, key, ok := strings.Cut(strings.TrimSuffix(l, ",\n"), "@misc{"); ok {
			keys = append(keys, key)
		}
	}
	if want := []string{"ada2009light", "ada2009lightb", "ada2009lightc"}; !slices.Equal(keys, want) {
		t.Errorf("%q, want %q", keys, want)
	}
}

// One run is compared with none: nothing is said of a test.
func TestOneRunIsNotTested(t *testing.T) {
	for systems, tested := range map[string]bool{`"bm25"`: false, `"bm25", "dense"`: true} {
		out := finished(t, session(t), `{"systems": [`+systems+`], "measures": ["AP"]}`, 1)
		if text := out.Methods(); strings.Contains(text, "were tested by") != tested {
			t.Errorf("%s: %s", systems, text)
		}
	}
}

// Of more than forty runs all pairs are compared by the t test, unless the Spec names one.
func TestManyRunsAreComparedByTheTTest(t *testing.T) {
	s := session(t)
	for _, c := range []struct {
		runs         int
		policy, want string
	}{{manyRuns, "", ""}, {manyRuns + 1, "", "t"}, {manyRuns + 1, "test=wilcoxon", "wilcoxon"}} {
		x := opened(t, s, `{"systems": ["bm25"], "measures": ["AP"], "policy": "`+c.policy+`"}`, &Memory{})
		in, err := x.Input(make([]int, c.runs))
		if err != nil || in.Protocol.Test != c.want {
			t.Errorf("%+v: %q, %v", c, in.Protocol.Test, err)
		}
	}
}

// A query that was answered otherwise than asked is named; one that was not answered is none of the run's.
func TestQueriesThatFellBackAreNamed(t *testing.T) {
	s := session(t)
	x := opened(t, s, `{"systems": ["bm25"], "measures": ["AP"], "thresholds": [0.125]}`, &Memory{})
	if got := x.Plan.Runs[0].Name(); got != "bm25, score >= 0.125" {
		t.Errorf("the run is called %s", got)
	}
	hit := []rank.Hit{{Doc: 1, Score: 1}}
	x.lists[0][0] = list{state: Evaluated, passing: true, hits: hit}
	x.lists[0][1] = list{state: Failed, passing: true}
	x.lists[0][2] = list{state: Evaluated, hits: hit}
	x.lists[0][3] = list{state: Empty}
	in, err := x.Input([]int{0})
	if err != nil {
		t.Fatal(err)
	}
	id := func(q int) string { return s.Bundle().Queries[x.queries[q]].ID }
	run := in.Runs[0]
	if !slices.Equal(run.Fell, []string{id(0)}) || run.Run.NumQueries() != 3 || run.Pipeline != "" {
		t.Errorf("%q fell back, %d queries, pipeline %q", run.Fell, run.Run.NumQueries(), run.Pipeline)
	}
}

// What a plan holds at most it holds; one more is refused with the limit.
func TestAsMuchAsAPlanHolds(t *testing.T) {
	many := func(n int, make func(i int) string) (out []string) {
		for i := range n {
			out = append(out, make(i))
		}
		return out
	}
	at := func(i int) string { return "P@" + strconv.Itoa(i+1) }
	spaces := strings.Repeat(" ", maxText-len("P@5"))
	thresholds := make([]float64, MaxRuns+1)
	for i := range thresholds {
		thresholds[i] = float64(i) / 1024
	}
	for name, c := range map[string]struct {
		spec Spec
		want string // "" where it is taken
	}{
		"measures":         {Spec{Measures: many(mostMeasures, at)}, ""},
		"a measure more":   {Spec{Measures: many(mostMeasures+1, at)}, "101 measures: the limit is 100"},
		"a long measure":   {Spec{Measures: []string{"P@5" + spaces}}, ""},
		"a longer one":     {Spec{Measures: []string{"P@5 " + spaces}}, "a measure of 4097 bytes: the limit is 4096"},
		"a deep measure":   {Spec{Measures: []string{at(MaxDepth - 1)}}, ""},
		"a deeper one":     {Spec{Measures: []string{at(MaxDepth)}}, "looks at 10001 documents; the limit is 10000"},
		"thresholds":       {Spec{Thresholds: thresholds[:MaxRuns]}, ""},
		"a threshold more": {Spec{Thresholds: thresholds}, "401 thresholds: the limit is 400 runs"},
		"the deepest":      {Spec{Systems: []string{"bm25 >> cut(7)"}, Measures: []string{"P@5", "R@5", "P@7"}}, ""},
		"deeper than a cut": {Spec{Systems: []string{"bm25 >> cut(4)"}, Measures: []string{"P@5", "R@5"}},
			"P@5 looks at 5"},
	} {
		if len(c.spec.Systems) == 0 {
			c.spec.Systems = []string{"bm25"}
		}
		_, err := NewPlan(c.spec, report.Ref{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Runs are counted as they are written, each threshold by itself; what only an ablation adds a second time is not
// written twice.
func TestRunsOfAPlanAreCountedAsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		spec Spec
		want string // "" where it is taken
	}{
		"as many as may be": {Spec{Systems: []string{"bm25(k1=0.001..0.4/0.001)"}}, ""},
		"one more": {Spec{Systems: []string{"bm25(k1=0.001..0.401/0.001)"}},
			"401 runs are too many: the limit is 400"},
		"at two thresholds": {Spec{Systems: []string{"bm25(k1=0.001..0.801/0.001)"}, Thresholds: []float64{0, .1}},
			"system 1: 801 runs are too many: the limit is 800"},
		"behind another": {Spec{Systems: []string{"bm25(k1=0.001..1/0.001)", "bm25(k1=0.001..0.601/0.001)"}},
			"system 2: 601 runs are too many: the limit is 600"},
		"beyond all scores": {Spec{Systems: []string{"rrf(bm25, dense)"}, Thresholds: []float64{.515}},
			"the one run cannot be: rrf(bm25, dense), score >= 0.515: no document can reach the score 0.515"},
	} {
		if _, err := NewPlan(c.spec, report.Ref{}); (err == nil) != (c.want == "") ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	bm25 := Spec{Systems: []string{"bm25"}}
	for elsewhere, ok := range map[bool]bool{false: true, true: false} {
		if _, err := NewPlan(bm25, report.Ref{Elsewhere: elsewhere}); (err == nil) != ok {
			t.Errorf("documents elsewhere %v: %v", elsewhere, err)
		}
	}
	p := plan(t, session(t),
		`{"systems": ["rrf(bm25, dense)", "ql"], "ablate": "rrf(bm25, dense)", "measures": ["AP"]}`)
	if p.Written != 4 || len(p.Runs) != 4 || len(p.Merged) != 0 {
		t.Errorf("%d written, %d runs, merged %v", p.Written, len(p.Runs), p.Merged)
	}
}
