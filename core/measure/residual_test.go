package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The bounds over judgments of unjudged documents are those of trying every grade for each of them. What measures see past the end
// of a list is left out of both sides by cutting it off (RBP) or checked from one side only.
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
			tail := false
			switch m.info.Name {
			case "RBP", "INSQ", "NERR10", "NERR11", "INST":
				tail = m.cut == 0 || m.cut > len(tp.Ranked)
			}
			if !r.Exact {
				if r.Low < lo[i]-1e-12 || r.High > hi[i]+1e-12 && !tail {
					t.Errorf("%s: %.15g to %.15g is not within every judgment %.15g to %.15g", m, r.Low, r.High, lo[i], hi[i])
				}
				continue
			}
			if math.Abs(r.Low-lo[i]) > 1e-12 || !tail && math.Abs(r.High-hi[i]) > 1e-12 || r.High < hi[i]-1e-12 {
				t.Errorf("%s: bounds %.15g to %.15g, every judgment %.15g to %.15g; grades %v, judged %v", m, r.Low, r.High, lo[i], hi[i], tp.Ranked, tp.Judged)
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, in := range All() {
		if in.open != nil && bounded[in.Name] == 0 {
			t.Errorf("%s: never bounded", in.Name)
		}
	}
}

// everyJudgment calls f with every way to give the unjudged documents of the ranking grades from 0 to top.
func everyJudgment(t *Topic, top int32, f func(a *Topic)) {
	open := (&Topic{Ranked: t.Ranked}).unjudgedRanks()
	var known []int32
	for _, g := range t.Ranked {
		if g >= 0 {
			known = append(known, g)
		}
	}
	// Documents of the qrels that were not retrieved keep their judgment, a negative one too.
	rest := slices.Clone(t.Judged)
	for _, g := range t.Ranked {
		if g != Unjudged {
			i := slices.Index(rest, g)
			rest = slices.Delete(rest, i, i+1)
		}
	}
	grades := make([]int32, len(open))
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

// rbp_resid of trec_eval is what RBP can still gain, except that it forgets the tail where nothing in the list is unjudged.
func TestResidualOfRBP(t *testing.T) {
	tp := &Topic{Ranked: []int32{1, Unjudged, 0}, Judged: []int32{1, 0}}
	m := mustParse(t, "RBP(rel=1,p=0.5)")
	r, ok := m.Residual(tp)
	// RBP = 0.5; rank 2 weighs 0.25, what follows rank 3 weighs 0.125.
	if !ok || r != (Range{0.5, 0.875, true}) {
		t.Errorf("%+v", r)
	}
	if want := mustParse(t, "rbp_resid(p=0.5)").Score(tp); r.High-m.Score(tp) != want {
		t.Errorf("residual %v, rbp_resid %v", r.High-m.Score(tp), want)
	}
}

// The best and worst case of cwl-eval 1.0.12 (residuals=True) for a list of grades 2, unjudged, 0, 1, unjudged on a scale to 2.
func TestResidualEqualsCWL(t *testing.T) {
	tp := &Topic{Ranked: []int32{2, Unjudged, 0, 1, Unjudged}, Judged: []int32{2, 0, 1}}
	for name, want := range map[string]Range{
		"RBP(p=0.5)":   {Low: 0.53125, High: 0.84375},
		"INST":         {Low: 0.6392274031742053, High: 0.9442096365173286},
		"INSQ":         {Low: 0.4192966110394364, High: 0.8718815910712837},
		"NERR10":       {Low: 1.0, High: 1.0},
		"NERR11":       {Low: 1.0, High: 1.0},
		"SDCG@5":       {Low: 0.41219438019496935, High: 0.7573857224418387},
		"BPM@5":        {Low: 1.0, High: 1.0},
		"NERR8@5":      {Low: 1.0, High: 1.0},
		"NERR9@4":      {Low: 1.0, High: 1.0},
		"BPM(T=3.0)@4": {Low: 0.375, High: 0.625},
	} {
		got, ok := mustParse(t, name).Residual(tp)
		if !ok || !near(got.Low, want.Low) || !near(got.High, want.High) {
			t.Errorf("%s: %+v, oracle %+v", name, got, want)
		}
	}
}
