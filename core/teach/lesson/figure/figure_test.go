package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
)

// ranking parses a list of grades; those after a slash are judged and not retrieved.
func ranking(t testing.TB, grades string) *play.Table {
	t.Helper()
	listed, missed, _ := strings.Cut(grades, "/")
	docs, n, err := play.Read(listed)
	if err != nil {
		t.Fatal(err)
	}
	x := &play.Table{}
	x.Fill(docs, n)
	for _, c := range missed {
		x.Docs = append(x.Docs, play.Doc{Label: "missed", Grade: c - '0'})
	}
	return x
}

// samples returns one figure of each kind, with a reachable goal.
func samples(t testing.TB) map[string]Data {
	values := []float64{.5, .6, .2, .3, .9, .7, .7, .35, .5, 1}
	return map[string]Data{
		"cutoff":  {Tables: []*play.Table{ranking(t, "1 0 1 1 0")}, Targets: []float64{.6, 1}},
		"area":    {Tables: []*play.Table{ranking(t, "1 0 1/1")}, Targets: []float64{.9, 4}},
		"points":  {Tables: []*play.Table{ranking(t, "1 0 0 1 1"), ranking(t, "0 1 0 0 1")}, Targets: []float64{.2}},
		"gains":   {Tables: []*play.Table{ranking(t, "1 0 3/2")}, Targets: []float64{.95}},
		"readers": {Tables: []*play.Table{ranking(t, "1 0 0 0"), ranking(t, "0 3 3 3")}},
		"systems": {Rows: [][]string{{"A", "B"}, {"P@1", "P@2"}}, Values: []float64{.5, .6, .1, -.1, .3, .4, .5, .7,
			.2, .1, .3, .01}},
		"ties": {Tables: []*play.Table{ranking(t, "0 1 0 1")}, Targets: []float64{.9}},
		"pool": {Rows: [][]string{{"outside", "x", "y"}, {"a", "1"}, {"b", "0"}, {"c", "2"}}, Targets: []float64{.2, 3},
			Values: []float64{1, 9, 1, 2, 0, 2, 0, 1, 9}},
		"judges": {Rows: [][]string{{"a"}, {"b"}, {"c"}, {"d"}}, Values: []float64{3, 2, 0, 0, 1, 0, 0, 0},
			Targets: []float64{.6, 2}},
		"centre": {Rows: [][]string{{"A", "B"}, {"q1"}, {"q2"}, {"q3"}}, Values: []float64{.5, .5, .9, .8, 0, .1},
			Targets: []float64{.05, .02}},
		"power": {Rows: [][]string{{"AP", "A", "B"}}, Values: values, Targets: []float64{4}},
		"postings": {Rows: [][]string{{"tram"}, {"cost"}}, Values: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 9},
			Targets: []float64{9, 9}},
		"weights": {Rows: [][]string{{"long", "tram", "cost"}, {"short", "tram", "cost"}}, Targets: []float64{1},
			Values: []float64{0, 100, 200, 100, 0, 2, 4, 60, 2, 100, 80, 100, 1, 2, 1, 60}},
		"fusion": {Rows: [][]string{{"A", "B"}, {"a"}, {"b"}, {"c"}, {"d"}}, Targets: []float64{.7, 2},
			Values: []float64{0, 1, 0, 4, 3, 2, 1, 1, 0, 0, 2, 3, 2, 0, 0, 2}},
		"probes":    probing(t),
		"expansion": expanding(t),
		"answer": {Rows: [][]string{{"It was late."}, {"It was dear."}, {"Late."}, {"Dear."}, {"Nice."}},
			Targets: []float64{1, .5, 2}, Values: []float64{2, 3, 3, 1, 0, 3, 2, 0, 2, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0,
				1, 1, 2}},
		"words": {Rows: [][]string{{"long", "tram", "cost"}, {"short", "tram", "cost"}},
			Values: []float64{100, 200, 100, 9, 20, 0, 60, 100, 80, 100, 1, 20, 1, 60}},
	}
}

// probing has an index with two lists and one with three over twelve documents.
func probing(t testing.TB) Data {
	t.Helper()
	n := Neighbours{Query: "tram", Docs: 40, Indexes: []Probed{
		{Lists: 2, Sizes: []int{30, 10}, Recall: []float64{.6, 1}, Products: []float64{22, 42}},
		{Lists: 3, Sizes: []int{12, 8, 20}, Recall: []float64{.5, .92, 1}, Products: []float64{15, 25, 43}}}}
	for i := range 12 {
		n.Near = append(n.Near, Near{Title: string(rune('a' + i)), Similarity: .9 - float64(i)/20, X: .6, Y: .8,
			Probe: []int{1 + i%2, 1 + i%3}})
	}
	d, err := Pack("probes", Given{Near: []Neighbours{n}, Targets: []float64{.9, 30}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// expanding has two queries with two feedback documents; the second adds nothing useful.
func expanding(t testing.TB) Data {
	t.Helper()
	query := func() Expansion {
		x := Expansion{Query: "why trams are late", Words: []Weighted{{"tram", .5}, {"late", .5}}, First: []int32{3, 0},
			Added: [][]Weighted{{{"tram", .4}, {"strike", .6}}, {{"strike", 1}}}}
		for i := range 14 {
			e := Expanded{Query: float64(20 - i), Feedback: []float64{5, 5}}
			if i == 13 {
				e = Expanded{Grade: 2, Query: 1, Feedback: []float64{30, 0}}
			}
			x.Docs = append(x.Docs, e)
		}
		return x
	}
	d, err := Pack("expansion", Given{Expansions: []Expansion{query(), query()}, Targets: []float64{.9, .9}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// By hand: with one feedback document and a weight of .2, "tram" has .2 × .5 + .8 × .4 = .42 and "strike" .8 × .6 =
// .48. The last of 14 documents scores .2 × 1 + .8 × 30 = 24.2, the first of them .2 × 20 + .8 × 5 = 8: nDCG@10 is 1.
// With .9 it scores 3.9 below nine others: .9 × 20 + .5 = 18.5 to .9 × 8 + .5 = 7.7.
func TestExpansionByHand(t *testing.T) {
	f, err := New("expansion", expanding(t))
	if err != nil {
		t.Fatal(err)
	}
	x := &f.(*drift).of[0]
	w := x.Heaviest(1, .2)
	if len(w) != 3 || w[0].Name != "strike" || w[1].Name != "tram" || w[2].Name != "late" ||
		math.Abs(Interpolate(w[1].Query, w[1].Feedback, .2)-.42) > 1e-9 ||
		math.Abs(Interpolate(w[0].Query, w[0].Feedback, .2)-.48) > 1e-9 {
		t.Errorf("%+v", w)
	}
	if got := x.Value(1, .2); got != 1 {
		t.Errorf("nDCG@10 %v", got)
	}
	if got := x.Value(1, .9); got != 0 {
		t.Errorf("nDCG@10 %v under the query", got)
	}
	if got := f.View(State{2, 5, 0}).Sums[0]; got != "Grades of the feedback articles: 3 0" {
		t.Error(got)
	}
}

// By hand: the first sentence has the vital nugget and the second half of the other one. They cite both relevant
// articles, of three that are judged; the third cites the one that is not relevant.
func TestAnswerByHand(t *testing.T) {
	f, err := New("answer", samples(t)["answer"])
	if err != nil {
		t.Fatal(err)
	}
	a := &f.(*builder).Answer
	for _, c := range []struct {
		in                         []bool
		vital, all, right, reaches float64
	}{{[]bool{true, true, false}, 1, .75, 1, 1}, {[]bool{true, false, true}, 1, .5, .5, .5},
		{make([]bool, 3), 0, 0, 0, 0}} {
		r := a.Recall(c.in)
		p, q := a.Citations(c.in)
		if r.Vital != c.vital || r.All != c.all || p != c.right || q != c.reaches {
			t.Errorf("%v: %+v, citations %v %v", c.in, r, p, q)
		}
	}
	want := []string{"With halves: vital (1 + 0 / 2) / 1 = 1.000, all 0.750.",
		"Articles cited, with their grades: A 3, B 2."}
	if got := f.View(State{1, 1, 0}).Sums; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// By hand: of ten documents 0 to 9 the lists of i mod 3 = 0 and 1 hold 0 1 3 4 6 7 9. Two probes cost 3 + 12 + 8.
func TestProbesByHand(t *testing.T) {
	f, err := New("probes", probing(t))
	if err != nil {
		t.Fatal(err)
	}
	s := State{1, 2}
	if got := f.Goals(s)[0].Value; got != "7 of 10" {
		t.Errorf("found %s", got)
	}
	if got, want := f.View(s).Sums[0], "This query: 3 centres + 20 articles = 23 dot products."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if s, _ = Moved(f, State{1, 3}, Move{Name: "lists", To: 0}); !slices.Equal(s, State{0, 2}) {
		t.Errorf("an index of two lists is probed as %v", s)
	}
}

// Every kind: the start does not meet the goal, Solve reaches it within the handles' bounds, and a move changes a
// copy. Drawings stay in their box, and every number is finite.
func TestEveryFigureHasAWayToItsGoal(t *testing.T) {
	all := samples(t)
	if len(all) != len(Kinds) {
		t.Fatalf("%d samples of %d kinds", len(all), len(Kinds))
	}
	for _, k := range Kinds {
		f, err := New(k.Name, all[k.Name])
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		if k.Minutes <= 0 || f.Asks() == "" {
			t.Errorf("%s: %v minutes, asks %q", k.Name, k.Minutes, f.Asks())
		}
		way, err := DescribeSolution(f)
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		if strings.Count(way, ";") > 9 || !strings.HasSuffix(way, ".") {
			t.Errorf("%s: %s", k.Name, way)
		}
		moves, _ := Solve(f)
		s := f.Start()
		for _, m := range moves {
			before := slices.Clone(s)
			next, ok := Moved(f, s, m)
			if !ok || !slices.Equal(s, before) {
				t.Fatalf("%s: %+v is refused, or changed %v to %v", k.Name, m, before, s)
			}
			s = next
			checkView(t, k.Name, f.View(s))
		}
		if !Reached(f, s) || Reached(f, f.Start()) {
			t.Errorf("%s: %v leads to %v", k.Name, moves, f.Goals(s))
		}
		for _, m := range []Move{{"nothing", 1}, {f.Handles(s)[0].Name, 1 << 20}, {f.Handles(s)[0].Name, -1 << 20}} {
			if _, ok := Moved(f, s, m); ok {
				t.Errorf("%s: %+v is no move", k.Name, m)
			}
		}
	}
}

func checkView(t *testing.T, name string, v View) {
	t.Helper()
	for _, s := range v.Sums {
		if strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Errorf("%s: %s", name, s)
		}
	}
	p := v.Plot
	if p == nil {
		return
	}
	in := func(what string, x, y float64) {
		if !(x >= -20 && x <= p.W+20 && y >= -20 && y <= p.H+20) {
			t.Errorf("%s: a %s at %v, %v of %v × %v", name, what, x, y, p.W, p.H)
		}
	}
	for _, r := range p.Rects {
		if in("rect", r.X, r.Y); math.IsNaN(r.W+r.H) || r.W < -1e-9 || r.H < -1e-9 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, d := range p.Dots {
		in("dot", d.X, d.Y)
	}
	for _, x := range p.Texts {
		in("text", x.X, x.Y)
	}
	for _, l := range p.Lines {
		if strings.Contains(l.D, "NaN") {
			t.Errorf("%s: %s", name, l.D)
		}
	}
	if p.Says == "" {
		t.Errorf("%s: the plot says nothing", name)
	}
}

// By hand, of 1 0 1 and one missed: AP (1/1 + 2/3 + 0)/3 = .556; up: (1 + 1)/3 = .667; retrieved last: + (3/4)/3 =
// .917.
func TestTheAreaIsAP(t *testing.T) {
	f, err := New("area", samples(t)["area"])
	if err != nil {
		t.Fatal(err)
	}
	s := f.Start()
	for i, want := range []string{"0.556", "0.667", "0.917"} {
		if got := f.Goals(s)[0].Value; got != want {
			t.Errorf("after %d steps AP is %s, want %s", i, got, want)
		}
		s, _ = Moved(f, s, []Move{{"up", 3}, {"add", 4}, {}}[i])
	}
}

// By hand, of 1 0 1 1 0: P@3 = 2/3, R@3 = 2/3; at 4 precision is 3/4 and recall 1.
func TestTheCutoffCounts(t *testing.T) {
	f, err := New("cutoff", samples(t)["cutoff"])
	if err != nil {
		t.Fatal(err)
	}
	if g := f.Goals(State{3}); g[0].Value != "0.667" || g[1].Value != "0.667" || g[1].Met() {
		t.Errorf("%+v", g)
	}
	if g := f.Goals(State{4}); g[0].Value != "0.750" || g[1].Value != "1.000" || !g[1].Met() {
		t.Errorf("%+v", g)
	}
}

// By hand: two relevant of four, all tied: AP is 1 at best, (1/3 + 2/4)/2 = .417 at worst.
func TestTheTiesAllowARange(t *testing.T) {
	f, err := New("ties", samples(t)["ties"])
	if err != nil {
		t.Fatal(err)
	}
	sums := f.View(f.Start()).Sums
	if want := "AP now 0.500; the ties allow 0.417 to 1.000"; sums[1] != want {
		t.Errorf("%s, want %s", sums[1], want)
	}
}

// By hand: with k1 = 0 a word counts once, however often it occurs: 1 × idf; with k1 = 1, b = 0 a tf of 3 gives 3/4.
func TestSaturationByHand(t *testing.T) {
	x := bm25.Numbers{Docs: 100, DF: 10, TF: 3, Length: 50, Average: 100}
	idf, saturation, score := bm25.Weigh(bm25.Params{Variant: "lucene", K1: 1, Title: 1}, x)
	if math.Abs(idf-math.Log(1+90.5/10.5)) > 1e-6 || math.Abs(saturation-.75) > 1e-6 || math.Abs(score-.75*idf) > 1e-6 {
		t.Errorf("%v, %v, %v", idf, saturation, score)
	}
	if _, saturation, _ = bm25.Weigh(bm25.Params{Variant: "lucene", Title: 1}, x); saturation != 1 {
		t.Errorf("without saturation %v", saturation)
	}
}

// By hand: 2 < 7, then the skip pointer to 5 (5 ≤ 7), 5 < 7, its skip pointer to 9 (9 > 7), 6 < 7, 7 = 7,
// 9 = 9. Without skip pointers 2, 3, 4, 5 and 6 are below 7, then 7 = 7 and 9 = 9; one from 2 to 9 costs one more.
func TestPostingsAreMergedByHand(t *testing.T) {
	a, b := []int{2, 3, 4, 5, 6, 7, 9}, []int{7, 9}
	for every, want := range map[int]int{1: 7, 3: 7, 6: 8} {
		both, n := Intersect(a, b, every)
		if n != want || !slices.Equal(both, []int{7, 9}) {
			t.Errorf("every %d: %v in %d comparisons, want %d", every, both, n, want)
		}
	}
	f, err := New("postings", samples(t)["postings"]) // 1 2 … 9 and 5 9
	if err != nil {
		t.Fatal(err)
	}
	s := State{0, 0, 0, 0, 4}
	for _, step := range []struct {
		name string
		want State
	}{{"skip", State{4, 0, 2, 0, 4}}, {"skip", State{5, 1, 3, 1, 4}}, {"skip", State{5, 1, 3, 1, 4}},
		{"step2", State{5, 2, 4, 1, 4}}, {"step1", State{5, 2, 4, 1, 4}}} {
		if s, _ = Moved(f, s, Move{Name: step.name}); !slices.Equal(s, step.want) {
			t.Errorf("%s: %v, want %v", step.name, s, step.want)
		}
	}
	if g := f.Goals(s)[0]; g.Met() || g.Far < 1 { // the pointer has passed 9
		t.Errorf("%+v", g)
	}
}

// By hand: 5 mentions, 20 of 100 documents, twice the average length. ln 5 = 1.6094, 1 + ln 5 = 2.6094. The full
// length halves a frequency; b = 0.4 divides it by 1.4. The saturation is 5 / (5 + 0.9 × 1.4) = .7987, and BM25's
// idf is ln(1 + 80.5/20.5) = 1.5947.
func TestWeightsByHand(t *testing.T) {
	x := Scored{Docs: 100, Length: 200, Average: 100, Words: []Word{{"tram", 5, 20}}}
	for form, want := range map[Forms][3]float64{
		{}:        {1, 5, 5},
		{0, 1, 1}: {1.6094, 2.5, 4.0236},
		{1, 1, 0}: {1.6094, 2.6094, 4.1997},
		{1, 0, 2}: {1, 1.8639, 1.8639},
		{2, 1, 2}: {1.6094, .7987, 1.2855},
		{2, 2, 2}: {1.5947, .7987, 1.2737},
	} {
		rarity, often, weight := x.Weight(0, form)
		for i, v := range []float64{rarity, often, weight} {
			if math.Abs(v-want[i]) > 1e-4 {
				t.Errorf("%v: %v, want %v", form, v, want[i])
			}
		}
	}
	if x.Words[0].TF = 0; x.Score(Forms{1, 1, 1}) != 0 {
		t.Error("an absent word counts")
	}
}

// By hand: at ranks 1 and 4 with k = 1 and even weights .5 / 2 + .5 / 5 = .35; in the first list alone .5 / 2.
func TestReciprocalRanksByHand(t *testing.T) {
	for _, c := range []struct {
		a, b int
		want float64
	}{{1, 4, .35}, {1, 0, .25}, {0, 0, 0}} {
		if got := ReciprocalRanks(c.a, c.b, .5, 1); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("ranks %d and %d: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// Any content of a link or file is refused, or gives a figure that works.
func FuzzData(f *testing.F) {
	f.Add(uint8(0), "3 0 2 0", 0.6, 0.8, 1.0, "a", "1")
	f.Add(uint8(6), "0 1 1", 2.0, 0.0, 3.0, "outside", "x")
	f.Fuzz(func(t *testing.T, kind uint8, grades string, a, b, c float64, one, other string) {
		docs, n, err := play.Read(grades)
		if err != nil || len(docs) > 12 {
			return
		}
		x := &play.Table{}
		x.Fill(docs, n)
		for tables := range 3 {
			for rows := range 4 {
				d := Data{Targets: []float64{a, b}[:rows%3], Values: []float64{a, b, c, a, b, c, a, b, c, a, b,
					c}[:3*rows]}
				for range tables {
					d.Tables = append(d.Tables, x)
				}
				for range rows {
					d.Rows = append(d.Rows, []string{one, other})
				}
				g, err := New(Kinds[int(kind)%len(Kinds)].Name, d)
				if err != nil {
					continue
				}
				s := g.Start()
				for range 3 {
					g.Goals(s)
					g.View(s)
					if m := moves(g, s); len(m) > 0 {
						s = g.Set(slices.Clone(s), m[len(m)/2])
					}
				}
			}
		}
	})
}

func TestNumbersOfATextAreRounded(t *testing.T) {
	for text, want := range map[string]string{
		"1/1 + 2/3 = 1.666667; 1.666667 / 4 = 0.416667.": "1/1 + 2/3 = 1.667; 1.667 / 4 = 0.417.",
		"nDCG@10, p = .5, 0.875 x 0.068359 / 7 – é":      "nDCG@10, p = .5, 0.875 x 0.068 / 7 – é",
		"1.2.34567": "1.2.34567", // not a number
		"":          "",
	} {
		if got := Rounded(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
