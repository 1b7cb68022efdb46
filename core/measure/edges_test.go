package measure

import (
	"bytes"
	"fmt"
	"math"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{3, 1}, 2}, {[]float64{3, 1, 7}, 3}, {[]float64{9, 1, 3, 7}, 5},
		{[]float64{5, 4, 3, 2, 1.5}, 3}} {
		if got := Median(c.v); got != c.want {
			t.Errorf("%v: %v, want %v", c.v, got, c.want)
		}
	}
}

// The eleven points of trec_eval's curve are numbers with one decimal.
func TestRecallLevels(t *testing.T) {
	ms := RecallLevels()
	if len(ms) != 11 {
		t.Fatalf("%d points", len(ms))
	}
	for i, m := range ms {
		want := []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}[i]
		if x, ok := m.RecallLevel(); !ok || x != want || m != mustParse(t, fmt.Sprintf("IPrec@%.1f", want)) {
			t.Errorf("point %d is %v, %v: %v", i, x, ok, m)
		}
	}
	if _, ok := mustParse(t, "P@10").RecallLevel(); ok {
		t.Error("P@10 looks at a recall point")
	}
}

func TestRelOfAMeasure(t *testing.T) {
	for text, want := range map[string]float64{"P@10": 1, "P(rel=0.5)@10": 0.5, "P(rel=2)@10": 2, "AP(rel=-1)": -1,
		"nDCG@10": 0, "NumRet": 0,
		"NumRet(rel=2)": 2} {
		m := mustParse(t, text)
		if rel, ok := m.Rel(); rel != want || ok != (want != 0) {
			t.Errorf("%s: %v, %v, want %v", text, rel, ok, want)
		}
	}
}

// NaN scores come last, after -Inf and whatever the order of the file.
func TestNotANumberComesLast(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		scores []float64
		want   string
	}{
		{[]float64{-inf, nan, 1}, "[2 0 1]"}, {[]float64{nan, -inf, 1}, "[2 1 0]"}, {[]float64{nan, 1, -inf},
			"[1 2 0]"}, {[]float64{1, -inf, nan}, "[0 1 2]"},
		{[]float64{-inf, nan}, "[0 1]"}, {[]float64{nan, -inf}, "[1 0]"}, {[]float64{nan, inf, -inf, nan}, ""},
	} {
		ids := []string{"a", "b", "c", "d"}[:len(c.scores)]
		for _, ties := range []Ties{DocIDAsc, DocIDDesc} {
			want := c.want
			if want == "" { // two NaNs are tied
				want = map[Ties]string{DocIDAsc: "[1 2 0 3]", DocIDDesc: "[1 2 3 0]"}[ties]
			}
			for _, single := range []bool{false, true} {
				if got := fmt.Sprint(order(ids, c.scores, ties, single)); got != want {
					t.Errorf("%v, %v, single %v: %s, want %s", c.scores, ties, single, got, want)
				}
			}
		}
	}
}

// trec_eval's relstring: a digit for a grade, > above 9, . below 0, - for an unjudged document.
func TestRelString(t *testing.T) {
	for _, c := range []struct {
		ranked []float64
		length int
		judged bool
		want   string
	}{
		{[]float64{0, 9, 10, 99, -1, Unjudged, 3}, 10, false, "09>>.-3"},
		{[]float64{0, 9, 10, 99, -1, Unjudged, 3}, 3, false, "09>"},
		{[]float64{0, 9, 10, 99, -1, Unjudged, 3}, 2, false, "09"},
		{[]float64{Unjudged, Unjudged, 1, 2}, 2, false, "--"},
		{[]float64{Unjudged, 1, Unjudged, 2}, 2, true, "12"},
		{nil, 5, false, ""},
	} {
		if got := relString(&Topic{Ranked: c.ranked}, c.length, c.judged); got != c.want {
			t.Errorf("%v, %d, judged %v: %q, want %q", c.ranked, c.length, c.judged, got, c.want)
		}
	}
}

// -M cuts a list given as Hits like one given as Ranked.
func TestMaxDocsOfHits(t *testing.T) {
	ranked := []float64{0, Unjudged, 1, Unjudged, 2, 1}
	hits := []Hit{{Rank: 1, Grade: 0}, {Rank: 3, Grade: 1}, {Rank: 5, Grade: 2}, {Rank: 6, Grade: 1}}
	judged := []float64{0, 1, 2, 1, 1}
	for n := range 8 {
		var got, want bytes.Buffer
		o := TrecEval{Measures: []string{"num_ret", "num_rel_ret", "map", "ndcg", "relstring"}, MaxDocs: n}
		if err := FormatTrecEval(&got, []Topic{{Query: "q", Hits: hits, Retrieved: 6, Judged: judged}}, o); err != nil {
			t.Fatal(err)
		}
		if err := FormatTrecEval(&want, []Topic{{Query: "q", Ranked: ranked, Judged: judged}}, o); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("-M %d:\n%s want\n%s", n, got.String(), want.String())
		}
	}
}

// A user who marked only disliked documents has no relevant one.
func TestRelevantPreferences(t *testing.T) {
	group := func(levels ...float64) *Preferences {
		var g PreferenceGroup
		for _, l := range levels {
			g.Subgroups = append(g.Subgroups, []Preferred{{Level: l}})
		}
		return &Preferences{Groups: []PreferenceGroup{g}}
	}
	for _, c := range []struct {
		p    *Preferences
		want bool
	}{{nil, false}, {&Preferences{}, false}, {group(0), false}, {group(0, -1), false}, {group(0, 0.5), true},
		{group(2), true}} {
		if got := c.p.relevant(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.p, got, c.want)
		}
	}
}

func TestUnknownParameterSaysWhichThereAre(t *testing.T) {
	for text, want := range map[string]string{
		"NumQ(rel=2)":  "NumQ has none",
		"P(relx=2)@10": `unknown parameter "relx": P has `,
	} {
		if _, err := Parse(text); err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Cached sums over many ranks have the bits of direct sums, whatever was requested before, and the cache is
// bounded.
func TestBestIsRemembered(t *testing.T) {
	sumCache.m = nil
	for _, d := range []discount{byLog, byRank} {
		for _, alpha := range []float64{0, 1e-5, 0.01, 0.3, 1} {
			sum, gain, want := 0.0, 1.0, map[int]float64{}
			for i := 1; i <= 5000; i++ {
				sum += float64(gain * d.at(i))
				gain = float64(gain * (1 - alpha))
				want[i] = sum
			}
			for _, k := range []int{1, 255, 256, 257, 5000, 1025, 1024, 4097, 511, 512} {
				if got := d.best(k, alpha); got != want[k] {
					t.Errorf("discount %d, %d ranks, alpha %v: %v, want %v", d, k, alpha, got, want[k])
				}
			}
		}
	}
	for i := range 2 * maxBests {
		byLog.best(bestStride, float64(i)/1000)
		if n := len(sumCache.m); n > maxBests || n == 0 {
			t.Fatalf("%d are remembered", n)
		}
	}
}

// As many measures as a link can hold, each with its own cutoff or alpha: later queries reuse the sums of the
// first.
func TestBestOfManyMeasuresIsRemembered(t *testing.T) {
	for name, ask := range map[string]func(i int){
		"cutoffs": func(i int) { byLog.best(20_000-i, 0.5) },
		"alphas":  func(i int) { byRank.best(2000, float64(i)/200) },
	} {
		sumCache.m = nil
		query := func() {
			for i := range 200 {
				ask(i)
			}
		}
		query()
		if n := testing.AllocsPerRun(3, query); n != 0 {
			t.Errorf("%s: a query makes %v allocations", name, n)
		}
	}
}

// Unfolded document by document, the terms add up. Each is the value with the document minus the value without it,
// and documents beyond the cutoff have none, unless unjudged documents are removed first.
func TestStepwiseEndsAtTheCutoff(t *testing.T) {
	ranked := []float64{Unjudged, 2, 0, Unjudged, 1, 1}
	for _, c := range []struct {
		measure string
		last    int // rank of the last document with a term
	}{{"P@2", 2}, {"P@3", 2}, {"P@5", 5}, {"P(judged_only=True)@2", 2}, {"P(judged_only=True)@3", 5}, {"RR@4", 2},
		{"Success@1", 0}, {"NumRet", 6}} {
		m, err := Parse(c.measure)
		if err != nil {
			t.Errorf("%s: %v", c.measure, err)
			continue
		}
		tp := &Topic{Ranked: ranked, Judged: []float64{2, 0, 1, 1, 1}}
		value := m.Score(tp)
		u := m.stepwise(tp, value)
		last := 0
		for i, p := range u.Parts {
			if p.Rank != i+1 || p.Grade != ranked[i] {
				t.Errorf("%s: part %d is %+v", c.measure, i, p)
			}
			if p.Term != 0 {
				last = p.Rank
			}
			part := &Topic{Ranked: ranked[:i+1], Judged: tp.Judged}
			without := &Topic{Ranked: ranked[:i], Judged: tp.Judged}
			if want := m.Score(part) - m.Score(without); !(math.Abs(p.Term-want) <= 1e-15) {
				t.Errorf("%s: the term of rank %d is %v, want %v", c.measure, i+1, p.Term, want)
			}
		}
		if !(math.Abs(u.Base+u.Sum-value) <= 1e-15 && math.Abs(u.Rounding()) <= 1e-15) || last != c.last {
			t.Errorf("%s: %v + %v, want %v; the last term is of rank %d, want %d", c.measure, u.Base, u.Sum, value,
				last, c.last)
		}
	}
}

// A query without an output line in version 9 has no deviation either: its count of relevant documents is not added
// to deviations. With mean 0 and deviation 1 the deviations are the counts: 2 of q1 and 0 of q3, without the 1 of
// q2, which the run lacks.
func TestNoCountAmongDeviations(t *testing.T) {
	for _, c := range []struct {
		version int
		zscores bool
		want    string
	}{{9, false, "3"}, {9, true, "2.0000"}, {10, false, "3"}, {10, true, "3.0000"}} {
		o := TrecEval{Measures: []string{"num_rel"}, Complete: true, Version: c.version}
		if c.zscores {
			o.Zscore = func(string, string) (float64, float64, bool) { return 0, 1, true }
		}
		var b bytes.Buffer
		if err := FormatTrecEval(&b, smallTopics(), o); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]string{true: "Z"}[c.zscores] + "num_rel               \tall\t" + c.want +
			"\n"; b.String() != want {
			t.Errorf("version %d, deviations %v: %q, want %q", c.version, c.zscores, b.String(), want)
		}
	}
}

// -M cuts groups and preferences with the list, like a list of that length.
func TestMaxDocsOfGroupsAndPreferences(t *testing.T) {
	topic := func(n int) []Topic {
		g, p := exampleGroups(), examplePreferences()
		return []Topic{{Query: "q", Ranked: []float64{1, 1, 1}[:n], Judged: []float64{1, 1, 1},
			Subtopics: &Subtopics{Docs: g.Docs, Ranked: g.Ranked[:n]}, Preferences: &Preferences{Docs: p.Docs,
				Groups: p.Groups, Ranked: p.Ranked[:n]}}}
	}
	for _, c := range []struct{ judgments, measure string }{{"qrels_jg", "map_avgjg"}, {"qrels_jg", "P_avgjg.5"},
		{"prefs", "prefs_simp"}, {"prefs", "prefs_pair"}} {
		for n := 1; n < 5; n++ {
			var got, want bytes.Buffer
			o := TrecEval{Measures: []string{c.measure}, Judgments: c.judgments, MaxDocs: n}
			if err := FormatTrecEval(&got, topic(3), o); err != nil {
				t.Fatal(err)
			}
			o.MaxDocs = 0
			if err := FormatTrecEval(&want, topic(min(n, 3)), o); err != nil {
				t.Fatal(err)
			}
			if got.String() != want.String() {
				t.Errorf("%s -M %d: %q, want %q", c.measure, n, got.String(), want.String())
			}
		}
	}
}
