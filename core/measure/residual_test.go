package measure

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The bounds equal those of trying every grade for each unjudged document. Measures that look past the end of a
// list are cut off on both sides (RBP) or checked from one side only.
func TestResidualEqualsEveryJudgment(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	ms := variants(t)
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	bounded := map[string]int{}
	for range rounds {
		tp := randomTopic(rng, 7)
		tp.TopGrade = 3
		open := 0
		for _, g := range tp.Ranked {
			if g < 0 {
				open++
			}
		}
		if open > 4 {
			continue
		}
		lo, hi := make([]float64, len(ms)), make([]float64, len(ms))
		for i := range ms {
			lo[i], hi[i] = math.Inf(1), math.Inf(-1)
		}
		everyJudgment(tp, 3, func(a *Topic) {
			for i, m := range ms {
				v := m.Score(a)
				lo[i], hi[i] = min(lo[i], v), max(hi[i], v)
			}
		})
		for i, m := range ms {
			r, ok := m.Residual(tp)
			if !ok {
				continue
			}
			bounded[m.info.Name]++
			if !r.Exact {
				if r.Low < lo[i]-1e-12 || r.High > hi[i]+1e-12 {
					t.Errorf("%s: %.15g to %.15g is not within every judgment %.15g to %.15g", m, r.Low, r.High, lo[i],
						hi[i])
				}
				continue
			}
			if math.Abs(r.Low-lo[i]) > 1e-12 || math.Abs(r.High-hi[i]) > 1e-12 {
				t.Errorf("%s: bounds %.15g to %.15g, every judgment %.15g to %.15g; grades %v, judged %v", m, r.Low,
					r.High, lo[i], hi[i], tp.Ranked, tp.Judged)
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, in := range All() {
		if in.open.bounds != nil && bounded[in.Name] == 0 {
			t.Errorf("%s: never bounded", in.Name)
		}
	}
}

// everyJudgment calls f with every assignment of grades from 0 to top to the unjudged documents of the ranking.
func everyJudgment(t *Topic, top float64, f func(a *Topic)) {
	open := (&Topic{Ranked: t.Ranked}).unjudgedRanks()
	var known []float64
	for _, g := range t.Ranked {
		if g >= 0 {
			known = append(known, g)
		}
	}
	// Qrels documents that were not retrieved keep their judgment, even a negative one.
	rest := slices.Clone(t.Judged)
	for _, g := range t.Ranked {
		if g != Unjudged {
			i := slices.Index(rest, g)
			rest = slices.Delete(rest, i, i+1)
		}
	}
	grades := make([]float64, len(open))
	for {
		a := &Topic{Ranked: slices.Clone(t.Ranked), TopGrade: t.TopGrade}
		a.Judged = append(append(slices.Clone(rest), known...), grades...)
		for i, at := range open {
			a.Ranked[at] = grades[i]
		}
		f(a)
		i := 0
		for i < len(grades) && grades[i] == top {
			grades[i] = 0
			i++
		}
		if i == len(grades) {
			return
		}
		grades[i]++
	}
}

// By hand: RBP = 0.5, and rank 2 weighs 0.25. What could follow rank 3 weighs 0.125, which rbp_resid counts and the bounds
// of judgments do not: where all of the list is judged they are the value.
func TestResidualOfRBP(t *testing.T) {
	tp := &Topic{Ranked: []float64{1, Unjudged, 0}, Judged: []float64{1, 0}}
	m := mustParse(t, "RBP(rel=1,p=0.5)")
	r, ok := m.Residual(tp)
	if !ok || r != (Range{0.5, 0.75, true}) {
		t.Errorf("%+v", r)
	}
	if want := mustParse(t, "rbp_resid(p=0.5)").Score(tp) - 0.125; r.High-m.Score(tp) != want {
		t.Errorf("residual %v, rbp_resid less what follows %v", r.High-m.Score(tp), want)
	}
	for _, name := range []string{"RBP(rel=1,p=0.5)", "INSQ", "INST", "NERR10", "NERR11"} {
		m, judged := mustParse(t, name), &Topic{Ranked: []float64{1, 0, 0}, Judged: []float64{1, 0, 0}}
		if r, ok := m.Residual(judged); !ok || !isNear(r.Low, m.Score(judged)) || !isNear(r.High, m.Score(judged)) {
			t.Errorf("%s: %+v, all judged and %v", name, r, m.Score(judged))
		}
	}
}

// The best and worst case of cwl-eval 1.0.12 (residuals=True) for a list of grades 2, unjudged, 0, 1, unjudged on a
// scale to 2. It fills the list up below its end in the best case: that is ½⁵ of RBP, and the best cases of INST and INSQ
// are not compared.
func TestResidualEqualsCWL(t *testing.T) {
	tp := &Topic{Ranked: []float64{2, Unjudged, 0, 1, Unjudged}, Judged: []float64{2, 0, 1}}
	for name, want := range map[string]Range{
		"RBP(p=0.5)":   {Low: 0.53125, High: 0.84375 - 0.03125},
		"INST":         {Low: 0.6392274031742053, High: math.NaN()},
		"INSQ":         {Low: 0.4192966110394364, High: math.NaN()},
		"NERR10":       {Low: 1.0, High: 1.0},
		"NERR11":       {Low: 1.0, High: 1.0},
		"SDCG@5":       {Low: 0.41219438019496935, High: 0.7573857224418387},
		"BPM@5":        {Low: 1.0, High: 1.0},
		"NERR8@5":      {Low: 1.0, High: 1.0},
		"NERR9@4":      {Low: 1.0, High: 1.0},
		"BPM(T=3.0)@4": {Low: 0.375, High: 0.625},
	} {
		got, ok := mustParse(t, name).Residual(tp)
		if !ok || !isNear(got.Low, want.Low) || want.High == want.High && !isNear(got.High, want.High) {
			t.Errorf("%s: %+v, oracle %+v", name, got, want)
		}
	}
}

// The bounds of long lists equal a plain implementation bit for bit: it tries every unjudged document and builds
// every ranking in full.
func TestResidualOfLongLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var ms []Measure
	for _, n := range []string{"nDCG", "nDCG@1", "nDCG@10", "nDCG@30", "nDCG(dcg='exp-log2')@10",
		"nDCG(base=2)", "nDCG(base=4)@10", "DCG(base=3)@7",
		"nDCG(judged_only=True)@5", "P@10", "P(rel=2)@10", "P(judged_only=True)@3", "P(rel=0)@4",
		"Success@5", "RR", "RR(rel=3)", "RR@10", "ERR", "ERR@7", "DCG", "DCG@10", "DCG(dcg='exp-log2')@20", "SDCG@10",
		"SDCG(min_rel=1)@10", "RBP", "RBP@10", "RBP(rel=1)", "RBP(p=.5,rel=2)@10"} {
		ms = append(ms, mustParse(t, n))
	}
	again := &Topic{} // reused for one list after the other
	for round := range 400 {
		tp := randomTopic(rng, 1+round%120)
		if round%3 == 0 {
			tp.TopGrade = float64(1 + rng.IntN(4))
		}
		again.Reset()
		again.Ranked, again.Judged, again.TopGrade = tp.Ranked, tp.Judged, tp.TopGrade
		for _, m := range ms {
			r, ok := m.Residual(again)
			tp.Prepare()
			d := tp.withRanked()
			d.TopGrade = tp.top()
			var want Range
			switch m.info.Name {
			case "nDCG":
				want = plainNDCG(m, d)
			default:
				want = boundWeights(m, d)
			}
			if !ok || math.Float64bits(r.Low) != math.Float64bits(want.Low) ||
				math.Float64bits(r.High) != math.Float64bits(want.High) || r.Exact != want.Exact {
				t.Fatalf("%s: %+v, plainly %+v; grades %v, judged %v, top %g", m, r, want, tp.Ranked, tp.Judged,
					tp.TopGrade)
			}
			if got, want := m.Score(again), m.Score(tp); got != want {
				t.Fatalf("%s: %g after the bounds, %g before", m, got, want)
			}
		}
	}
}

// plainNDCG is boundNDCG without shortcuts.
func plainNDCG(m Measure, t *Topic) Range {
	m.judged = false // every document will be judged
	open := t.unjudgedRanks()
	top := t.top()
	base := t.assigned(nil, 0)
	base.Prepare()

	// Between two grades that occur, every level has the same documents.
	levels := []float64{top}
	for _, g := range base.ideal {
		if g < top {
			levels = append(levels, g)
		}
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	type level struct {
		gain float64 // gain that reaching this level adds
		have int     // number of judged documents at or above it
		dcg  float64 // their discounts in the ranking
	}
	ls := make([]level, len(levels))
	prev := 0.0
	for i, g := range levels {
		v := m.gainDCG(g)
		ls[i] = level{gain: v - prev}
		prev = v
		for _, j := range base.ideal {
			if j >= g {
				ls[i].have++
			}
		}
		for _, h := range base.hits {
			if h.Grade >= g && (m.cut == 0 || int(h.Rank) <= m.cut) {
				ls[i].dcg += 1 / discountAt(m.Float("base"), h.Rank)
			}
		}
	}
	discount := func(rank int) float64 {
		if m.cut > 0 && rank > m.cut {
			return 0
		}
		return 1 / discountAt(m.Float("base"), int32(rank))
	}
	u := len(open)
	// Discounts of the k highest and lowest unjudged documents
	first, last := make([]float64, u+1), make([]float64, u+1)
	for k := 1; k <= u; k++ {
		first[k] = first[k-1] + discount(open[k-1]+1)
		last[k] = last[k-1] + discount(open[u-k]+1)
	}
	most := u
	for _, l := range ls {
		most = max(most, l.have+u)
	}
	ideal := make([]float64, most+1)
	for k := 1; k <= most; k++ {
		ideal[k] = ideal[k-1] + discount(k)
	}
	ratio := func(k []int, found []float64) float64 {
		d, i := 0.0, 0.0
		for l := range ls {
			d += float64(ls[l].gain * (ls[l].dcg + found[k[l]]))
			i += float64(ls[l].gain * ideal[ls[l].have+k[l]])
		}
		if i <= 0 {
			return 0
		}
		return d / i
	}
	search := func(found []float64, solve func(x float64) []int, better func(a, b float64) bool) float64 {
		best := ratio(make([]int, len(ls)), found)
		for range 100 {
			v := ratio(solve(best), found)
			if !better(v, best) {
				break
			}
			best = v
		}
		return best
	}
	highest := func(x float64) []int {
		// The best number never rises with the level by itself: a higher level has fewer judged documents, so every
		// additional one costs more of the ideal.
		k := make([]int, len(ls))
		for l := range ls {
			bestV := math.Inf(-1)
			for n := 0; n <= u; n++ {
				if v := first[n] - float64(x*ideal[ls[l].have+n]); v > bestV {
					bestV, k[l] = v, n
				}
			}
			if l > 0 {
				k[l] = min(k[l], k[l-1])
			}
		}
		return k
	}
	lowest := func(x float64) []int {
		// Here the numbers must be kept from rising: best[l][n] is the optimum for levels l and above with at most
		// n at l.
		best := make([][]float64, len(ls)+1)
		at := make([][]int, len(ls))
		best[len(ls)] = make([]float64, u+1)
		for l := len(ls) - 1; l >= 0; l-- {
			best[l], at[l] = make([]float64, u+1), make([]int, u+1)
			for n := 0; n <= u; n++ {
				v := float64(ls[l].gain*(last[n]-float64(x*ideal[ls[l].have+n]))) + best[l+1][n]
				if n == 0 || v < best[l][n-1] {
					best[l][n], at[l][n] = v, n
				} else {
					best[l][n], at[l][n] = best[l][n-1], at[l][n-1]
				}
			}
		}
		k := make([]int, len(ls))
		n := u
		for l := range ls {
			n = at[l][n]
			k[l] = n
		}
		return k
	}
	hi := search(first, highest, func(a, b float64) bool { return a > b+1e-15 })
	// The guess 0 minimises DCG; any order can start the search.
	lo := search(last, lowest, func(a, b float64) bool { return a < b-1e-15 })
	return Range{lo, hi, true}
}

// By hand: of grades 1, unjudged, 1, 3 on a scale to 3 the ends of the scale give (5/3)/4 and (4/3)/2; but as 1 the
// gain reaches 1 at rank 3, and the value is 1/3.
func TestResidualOfBPM(t *testing.T) {
	tp := &Topic{Ranked: []float64{1, Unjudged, 1, 3}, Judged: []float64{3, 1, 1}}
	m := mustParse(t, "BPM@4")
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, g := range []float64{0, 1, 2, 3} {
		v := m.Score(&Topic{Ranked: []float64{1, g, 1, 3}, Judged: []float64{3, 1, 1, g}})
		lo, hi = min(lo, v), max(hi, v)
	}
	if math.Abs(lo-1.0/3) > 1e-15 || math.Abs(hi-2.0/3) > 1e-15 {
		t.Errorf("the measure itself: %v to %v", lo, hi)
	}
	if r, ok := m.Residual(tp); !ok || !r.Exact || math.Abs(r.Low-lo) > 1e-15 || math.Abs(r.High-hi) > 1e-15 {
		t.Errorf("%+v, want %v to %v", r, lo, hi)
	}
}

// By hand: the gain T is more than 2^31 steps of the scale, and it is not reached; nor is it where one grade is all
// that fits.
func TestResidualOfBPMOfALargeScale(t *testing.T) {
	for name, high := range map[string]float64{"BPM(T=1000000,max_rel=1000000)@2": 0.5, "BPM(T=2)@2": 0.5,
		"BPM(T=2,min_rel=-1000000)@1": 1} {
		tp := &Topic{Ranked: []float64{Unjudged}, Judged: []float64{math.MaxInt32}}
		m := mustParse(t, name)
		low := m.Score(&Topic{Ranked: []float64{0}, Judged: tp.Judged})
		if r, ok := m.Residual(tp); !ok || !r.Exact || r.Low != low || r.High != high {
			t.Errorf("%s: %+v, want %v to %v", name, r, low, high)
		}
	}
}

// A scale with as many grades as documents: reports always need bounds and tie orders, so neither may cost the
// square of the list.
func TestManyGrades(t *testing.T) {
	const n = 40_000
	tp := &Topic{Ranked: make([]float64, n), Judged: make([]float64, n), Scores: make([]float64, n)}
	for i := range tp.Ranked {
		tp.Ranked[i], tp.Judged[i] = float64(i+1), float64(i+1)
		if i%2 == 0 {
			tp.Ranked[i] = Unjudged
		}
	}
	for _, m := range variants(t) {
		if m.info.Group == Diverse || m.info.Group == Grouped || m.info.Group == Preferring {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m.TieRange(tp)
		if m.info.QuickResidual() {
			if _, ok := m.Residual(tp); m.info.Name == "nDCG" && m.Cutoff() == 0 && ok {
				t.Errorf("%s: %d grades times documents are looked at", m, m.ResidualWork(tp))
			}
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1000*n {
			t.Errorf("%s: %d bytes are allocated", m, used)
		}
	}
}

// By hand: 1,000 grades, none retrieved, and 8,000 unjudged documents take 4 bytes for every pair, and little else.
func TestResidualKeepsOneRow(t *testing.T) {
	tp := &Topic{Ranked: slices.Repeat([]float64{Unjudged}, 8000)}
	for i := range 1000 {
		tp.Judged = append(tp.Judged, float64(i+1))
	}
	m := mustParse(t, "nDCG")
	if got := m.ResidualWork(tp); got != 8_000_000 {
		t.Errorf("work: %d", got)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, ok := m.Residual(tp)
	runtime.ReadMemStats(&after)
	if !ok || r.Low != 0 || r.High <= 0.5 {
		t.Errorf("%+v, %v", r, ok)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 36<<20 {
		t.Errorf("%d bytes are allocated", used)
	}
	for grades, want := range map[int]int{32: 0, 33: 33 * 8000} {
		if got := m.ResidualWork(&Topic{Ranked: tp.Ranked, Judged: tp.Judged[:grades]}); got != want {
			t.Errorf("%d grades: work %d, want %d", grades, got, want)
		}
	}
}

// IsLeast measures never have a lower bound below the value; for all others some topic does.
func TestIsLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	ms := variants(t)
	lower := make([]bool, len(ms))
	for range 400 {
		tp := randomTopic(rng, 12)
		for i, m := range ms {
			r, ok := m.Residual(tp)
			if !ok {
				if m.IsLeast() {
					t.Fatalf("%s has no bounds and is least", m)
				}
				continue
			}
			if v := m.Score(tp); r.Low < v-1e-12 {
				if lower[i] = true; m.IsLeast() {
					t.Fatalf("%s of %v (judged %v) is %v, and could be %v", m, tp.Ranked, tp.Judged, v, r.Low)
				}
			}
		}
	}
	for name, want := range map[string]string{"P": "the least", "RBP": "the least", "nDCG": "lower the value",
		"AP": "lower the value", "Bpref": "lower the value", "Judged": "", "alpha_nDCG": ""} {
		if got := mustInfo(t, name).Open(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for notation, want := range map[string]bool{"P@5": true, "P(judged_only=True)@5": false, "DCG": true,
		"DCG(gains={1:3})": false, "AP": false, "Judged@5": false,
		"utility": true, "utility(a=1,b=1)": true, "utility(a=0,b=1)": false} {
		if got := mustParse(t, notation).IsLeast(); got != want {
			t.Errorf("%s is the least that it could be: %v", notation, got)
		}
	}
	var quick []string
	for _, in := range All() {
		if in.QuickResidual() {
			quick = append(quick, in.Name)
		}
	}
	if got, want := strings.Join(quick, " "), "P Success RR nDCG DCG RBP ERR SDCG BPM"; got != want {
		t.Errorf("quick: %s, want %s: it decides what a report of many long lists holds", got, want)
	}
	for i, m := range ms {
		switch m.String() {
		case "AP", "nDCG", "nDCG@3", "Bpref", "R@3", "F@3", "Rprec", "infAP", "Accuracy":
			if !lower[i] {
				t.Errorf("%s never fell: the test sees too little", m)
			}
		}
	}
}

func mustInfo(t *testing.T, name string) *Info {
	t.Helper()
	for _, in := range All() {
		if in.Name == name {
			return in
		}
	}
	t.Fatalf("no measure %s", name)
	return nil
}
