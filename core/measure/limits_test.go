package measure

import (
	"math"
	"runtime"
	"slices"
	"testing"
)

// By hand: grades 0, -1, 1, 2 and unjudged, and in the qrels 0 and 2 that were not retrieved. At level 0 and below,
// grade 0 is relevant and pooled, unjudged documents are not.
func TestLevels(t *testing.T) {
	tp := &Topic{Ranked: []float64{0, -1, 1, 2, Unjudged}, Judged: []float64{0, -1, 1, 2, 0, 2}}
	for notation, want := range map[string]float64{
		"P(rel=-1)@5": 3.0 / 5, "P(rel=0)@5": 3.0 / 5, "P@5": 2.0 / 5, "P(rel=2)@5": 1.0 / 5, "P(rel=3)@5": 0,
		"NumRel(rel=-1)": 5, "NumRel(rel=0)": 5, "NumRel": 3, "NumRel(rel=2)": 2, "NumRel(rel=3)": 0,
		"R(rel=0)@3": 2.0 / 5, "R@3": 1.0 / 3, "R(rel=2)@3": 0, "R(rel=2)@4": 1.0 / 2,
		"NumNonRelJudgedRet": 1, "NumNonRelJudgedRet(rel=2)": 2, "NumNonRelJudgedRet(rel=0)": 0, "NumRet": 5,
		"NumRet(rel=0)":              3,
		"AP(rel=0,judged_only=True)": 3.0 / 5, "AP(rel=2,judged_only=True)": 1.0 / 3 / 2, "RR(rel=2)": 1.0 / 4,
		"Judged@5": 4.0 / 5, "Judged@2": 1, "unj@5": 2.0 / 5,
		"Bpref": (1 - 1.0/2 +
			1 - 1.0/2) / 3, // of the two of the qrels that are not relevant one stands above both that are found
	} {
		if got := mustParse(t, notation).Score(tp); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v, want %v", notation, got, want)
		}
	}
}

// An inconsistent topic: a retrieved document whose grade the qrels lack has no position in the ideal ranking.
func TestGradeThatTheQrelsLack(t *testing.T) {
	// Only the second document counts.
	if got := mustParse(t, "Compat(p=0.5)").Score(&Topic{Ranked: []float64{1, 2},
		Judged: []float64{2}}); math.Abs(got-0.25/1.25) > 1e-15 {
		t.Errorf("%v", got)
	}
	if s := (Measure{}).String(); s != "<invalid measure>" {
		t.Errorf("the measure that is none prints as %q", s)
	}
}

// Discounts are equal inside and outside the table, which ends at rank 1024.
func TestDiscountsBeyondTheTable(t *testing.T) {
	for _, rank := range []int32{1, 2, 3, 1023, 1024, 1025, 1026, 5000, math.MaxInt32} {
		if got, want := log2Rank(rank), math.Log2(float64(rank)+1); math.Abs(got-want) > 1e-14*want {
			t.Errorf("rank %d: %v, want %v", rank, got, want)
		}
	}
}

// 2^g - 1, to the last bit: as integers below 2^53, as powers above, and at most 2^1000.
func TestExponentialGain(t *testing.T) {
	for g, want := range map[float64]float64{0: 0, 1: 1, 2: 3, 10: 1023, 52: 1<<52 - 1, 53: 1<<53 - 1, 54: 1 << 54,
		62: 1 << 62, 63: 1 << 63, 64: 1 << 64,
		999: 0x1p999, 1000: 0x1p1000, 1001: 0x1p1000, 1000000: 0x1p1000} {
		if got := exponential(g); got != want {
			t.Errorf("2^%g - 1 = %v, want %v", g, got, want)
		}
	}
}

// A reader of the C/W/L framework looks at 1,000 ranks. With p = 1 and no gain before, NERR10 weighs every rank
// with 1: a document at rank 1,000 contributes 1/1000, one at rank 1,001 nothing.
func TestHorizon(t *testing.T) {
	for _, c := range []struct {
		measure string
		rank    int32
		want    float64
	}{{"NERR10(p=1.0,max_rel=1)", 1000, 1.0 / 1000}, {"NERR10(p=1.0,max_rel=1)", 1001, 0}, {"INST(max_rel=1)", 1001, 0},
		{"INSQ(max_rel=1)", 1001, 0}} {
		tp := &Topic{Hits: []Hit{{c.rank, 1}}, Retrieved: 2000, Judged: []float64{1}}
		if got := mustParse(t, c.measure).Score(tp); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s, rank %d: %v, want %v", c.measure, c.rank, got, c.want)
		}
	}
	// The same list without the documents below rank 1,000 has the same value.
	for _, name := range []string{"INST", "INSQ(T=2.0)", "NERR11", "NERR10"} {
		long := &Topic{Retrieved: 1200, Judged: []float64{2, 1, 1, 2},
			Hits: []Hit{{999, 2}, {1000, 1}, {1001, 1}, {1100, 2}}}
		short := &Topic{Retrieved: 1000, Judged: long.Judged, Hits: long.Hits[:2]}
		if a, b := mustParse(t, name).Score(long), mustParse(t, name).Score(short); a != b || a <= 0 {
			t.Errorf("%s: %v of 1,200 documents, %v of 1,000", name, a, b)
		}
	}
}

// Ties across or below rank 1,000: the range equals that over every order.
func TestTiesAtTheHorizon(t *testing.T) {
	for _, first := range []int{997, 998, 999, 1000, 1001} { // rank of the first of three tied documents
		tp := &Topic{Ranked: make([]float64, 1003), Scores: make([]float64, 1003), Judged: []float64{1, 2}}
		for i := range tp.Scores {
			tp.Scores[i] = float64(-i)
		}
		tie := tp.Ranked[first-1 : first+2]
		tp.Scores[first], tp.Scores[first+1] = tp.Scores[first-1], tp.Scores[first-1]
		for _, name := range []string{"INST", "INST(T=4.0,max_rel=2)"} {
			m := mustParse(t, name)
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, order := range [][]float64{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				copy(tie, order)
				v := m.Score(&Topic{Ranked: tp.Ranked, Judged: tp.Judged})
				lo, hi = min(lo, v), max(hi, v)
			}
			if r := m.TieRange(&Topic{Ranked: tp.Ranked, Judged: tp.Judged, Scores: tp.Scores}); !r.Exact ||
				math.Abs(r.Low-lo) > 1e-15 || math.Abs(r.High-hi) > 1e-15 {
				t.Errorf("%s, tied from rank %d: %+v, every order %v to %v", name, first, r, lo, hi)
			}
		}
	}
}

// The maximum size of a tie: 2^18 compositions for INST, 2^21 for the others, and documents times classes up to
// 2^22.
func TestLargestTies(t *testing.T) {
	tie := func(counts ...int) *Topic {
		tp := &Topic{Ranked: []float64{}}
		for g, n := range counts {
			for range n {
				tp.Ranked, tp.Judged, tp.Scores = append(tp.Ranked, float64(g+1)), append(tp.Judged,
					float64(g+1)), append(tp.Scores, 1)
			}
		}
		return tp
	}
	for _, c := range []struct {
		measure string
		tie     *Topic
		exact   bool
	}{
		{"INST(max_rel=9)", tie(511, 511), true}, {"INST(max_rel=9)", tie(512, 511), false}, {"INST(max_rel=9)",
			tie(511, 512), false},
	} {
		if r := mustParse(t, c.measure).TieRange(c.tie); r.Exact != c.exact {
			t.Errorf("%s of %d tied documents: %+v", c.measure, len(c.tie.Ranked), r)
		}
	}
	for _, c := range []struct {
		documents int
		ok        bool
	}{{128, true}, {129, false}} {
		p := &tieProblem{class: slices.Repeat([]int{none}, c.documents), count: 1 << 15}
		for i := range p.class {
			p.scores = append(p.scores, float64(i))
		}
		if lo, hi, ok := p.solve(); ok != c.ok || lo != 0 || hi != 0 {
			t.Errorf("%d documents of 2^15 classes: %v to %v, %v", c.documents, lo, hi, ok)
		}
	}
	if runtime.GOARCH == "wasm" {
		return // the same arithmetic, ten times slower
	}
	for n, exact := range map[int]bool{127: true, 128: false} {
		if r := mustParse(t, "BPM(max_rel=9)@300").TieRange(tie(n, 127, 127)); r.Exact != exact {
			t.Errorf("BPM of a tie of %d, 127 and 127 documents: %+v", n, r)
		}
	}
	p := &tieProblem{count: 1, add: func(int, int, []int) float64 { return 1 }}
	for n, want := range map[int]bool{1<<21 - 1: true, 1 << 21: false} {
		if lo, hi, ok := p.group(0, 0, []int{n}, []int{0}); ok != want || ok && (lo != float64(n) || hi != lo) {
			t.Errorf("%d documents of one class: %v to %v, %v", n, lo, hi, ok)
		}
	}
}

// A row of preferred documents takes one word per 64 documents. A group whose rows would take more than 2^30 bits
// has no preferences.
func TestSizeOfPreferences(t *testing.T) {
	for _, c := range []struct{ documents, steps, width int }{
		{1, 0, 1}, {63, 0, 1}, {64, 0, 1}, {65, 0, 2}, {128, 0, 2}, {129, 0, 3}, {32768, 1, 0}, {33000, 0, 0},
	} {
		y := &tally{members: make([]int32, c.documents)}
		y.findTransitive(make([]step, c.steps))
		if y.width != c.width || len(y.beats) != c.documents*c.width || c.documents > 1 && y.prefers(0, 1) {
			t.Errorf("%d documents: %d words a row, %d in all, want %d", c.documents, y.width, len(y.beats), c.width)
		}
	}
}

// By hand: 130 documents in two subgroups that share the last of the first and the first of the second. The first
// is preferred to 129, the second to 128 and so on. In reverse order nothing is fulfilled, in order all.
func TestPreferencesOfManyDocuments(t *testing.T) {
	const n = 130
	g := PreferenceGroup{Subgroups: make([][]Preferred, 2)}
	for d := range int32(n) {
		s := 0
		if d >= 65 {
			s = 1
		}
		g.Subgroups[s] = append(g.Subgroups[s], Preferred{d, float64(n - d)})
	}
	g.Subgroups[0] = append(g.Subgroups[0], Preferred{65, n - 65})
	up, down := make([]int32, n), make([]int32, n)
	for i := range up {
		up[i], down[i] = int32(i), int32(n-1-i)
	}
	for _, c := range []struct {
		ranked []int32
		want   float64
	}{{up, n * (n - 1) / 2}, {down, 0}, {nil, 0}, {up[:1], n - 1}} {
		tp := &Topic{Preferences: &Preferences{Docs: n, Ranked: c.ranked, Groups: []PreferenceGroup{g}}}
		if got := mustParse(t, "NumPrefs").Score(tp); got != n*(n-1)/2 {
			t.Errorf("%v preferences, want %d", got, n*(n-1)/2)
		}
		if got := mustParse(t, "NumPrefsFul").Score(tp); got != c.want {
			t.Errorf("%d documents retrieved: %v fulfilled, want %v", len(c.ranked), got, c.want)
		}
	}
}

// By hand: two users and three retrieved documents. The first user finds the first document relevant and the third
// not, and did not judge the second. The second user finds the second relevant, and one that is not retrieved. In
// condensed lists each relevant document is first.
func TestCondensedGroups(t *testing.T) {
	s := &Subtopics{Docs: [][]float64{{1, Unjudged}, {Unjudged, 1}, {0, -1}, {Unjudged, 1}}, Ranked: []int32{2, 1, 0}}
	for notation, want := range map[string]float64{
		"AP_avgjg": (1.0/3 + 1.0/2/2) / 2,
		"AP_avgjg(judged_only=True)": (1.0/2 +
			1.0/2) / 2, // the second user's first document has a negative grade and is taken out
		"P_avgjg@2":                   (0 + 1.0/2) / 2,
		"P_avgjg(judged_only=True)@2": (1.0/2 + 1.0/2) / 2,
		"Rprec_mult_avgjg@1":          (0 + 1.0/2) / 2,
		"Rprec_mult_avgjg(rel=0)@1": (1.0/2 +
			1.0/2) / 2, // two documents each: the first and the third of the first, the second of the second
		"AP_avgjg(rel=0)":                   ((1+2.0/3)/2 + 1.0/2/2) / 2,
		"P_avgjg(rel=0,judged_only=True)@2": (2.0/2 + 1.0/2) / 2,
	} {
		m := mustParse(t, notation)
		tp := &Topic{Ranked: []float64{0, 1, 1}, Judged: []float64{0, 1, 1, 1}, Subtopics: s}
		if got := m.Score(tp); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v, want %v", notation, got, want)
		}
		if u := m.Unfold(tp); math.Abs(u.Base+u.Sum/u.Divisor-want) > 1e-15 || u.Stepwise {
			t.Errorf("%s unfolds to %v / %v, want %v", notation, u.Sum, u.Divisor, want)
		}
	}
}

// A user who judged only non-relevant documents has no relevant one.
func TestRelevantSubtopics(t *testing.T) {
	for _, c := range []struct {
		s     *Subtopics
		level float64
		want  bool
	}{
		{nil, 1, false}, {&Subtopics{}, 1, false}, {&Subtopics{Docs: [][]float64{{0, Unjudged}}}, 1,
			false}, {&Subtopics{Docs: [][]float64{{0, 0}, {0, 1}}}, 1, true},
		{&Subtopics{Docs: [][]float64{{0, 1}}}, 2, false}, {&Subtopics{Docs: [][]float64{{2, 1}}}, 2, true},
	} {
		if got := c.s.relevant(c.level); got != c.want {
			t.Errorf("%+v at level %g: %v", c.s, c.level, got)
		}
	}
	// Such a query is empty; one with only subtopics is not.
	topics := []Topic{
		{Query: "a", Ranked: []float64{}, Subtopics: &Subtopics{Docs: [][]float64{{0}}}}, {Query: "b", Ranked: []float64{},
			Subtopics: &Subtopics{Docs: [][]float64{{1}}}},
		{Query: "c", Ranked: []float64{}, Preferences: examplePreferences()}, {Query: "d", Ranked: []float64{},
			Judged: []float64{0}}, {Query: "e", Ranked: []float64{}, Judged: []float64{1}},
	}
	for rel, want := range map[float64][]string{0: {"a", "d"}, 1: {"a", "d"}, 2: {"a", "b", "d", "e"}} {
		r := Evaluate(topics, []Measure{mustParse(t, "AP")}, Policy{Rel: rel, Empty: EmptySkip})
		if !slices.Equal(r.Empty, want) || len(r.Queries)+len(want) != len(topics) {
			t.Errorf("level %g: without a relevant document are %v, want %v; %v count", rel, r.Empty, want, r.Queries)
		}
	}
}
