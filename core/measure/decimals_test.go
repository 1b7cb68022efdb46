package measure

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// decimalCases are rankings without unjudged documents whose grades have decimals, with the values of scikit-learn,
// of pytrec_eval after the decimals are cut off (it refuses them), and of ranx, which cuts them off itself. The file
// names the tools' versions.
func decimalCases(t *testing.T) (cases []struct {
	Grades   []float64
	Sklearn  map[string]float64
	TrecEval map[string]float64 `json:"trec_eval"`
	Ranx     map[string]float64
}) {
	t.Helper()
	b, err := os.ReadFile("testdata/decimals.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases json.RawMessage }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file.Cases, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 20 {
		t.Fatalf("%d cases", len(cases))
	}
	return cases
}

func decimalList(grades []float64) List {
	l := List{Query: "q", Grades: grades, Judged: grades, TopGrade: 4}
	for i := range grades {
		l.IDs = append(l.IDs, "d"+strconv.Itoa(10+i))
		l.Scores = append(l.Scores, -float64(i))
	}
	return l
}

func TestGradesWithDecimalsAgreeWithScikitLearn(t *testing.T) {
	for i, c := range decimalCases(t) {
		l := decimalList(c.Grades)
		tp := l.Topic(Policy{})
		for name, want := range c.Sklearn {
			m := mustParse(t, name)
			if got := m.Score(&tp); math.Abs(got-want) > 1e-12 {
				t.Errorf("case %d: %s of %v: %v, scikit-learn %v", i, name, c.Grades, got, want)
			}
			if u := m.Unfold(&tp); math.Abs(u.Base+u.Sum/u.Divisor-want) > 1e-12 {
				t.Errorf("case %d: %s unfolds to %v / %v, scikit-learn %v", i, name, u.Sum, u.Divisor, want)
			}
		}
	}
}

func TestConventionsTreatDecimalsAsTheirToolsDo(t *testing.T) {
	differ := 0
	for i, c := range decimalCases(t) {
		l := decimalList(c.Grades)
		for convention, values := range map[string]map[string]float64{"trec_eval": c.TrecEval,
			"pytrec_eval": c.TrecEval, "ir_measures": c.TrecEval, "ranx": c.Ranx} {
			for name, want := range values {
				o, ok := ConventionByName(convention).Evaluate([]List{l}, mustParse(t, name))
				if !ok || math.Abs(o.Mean-want) > 1e-9 {
					t.Errorf("case %d: %s by %s of %v: %+v, want %v", i, name, convention, c.Grades, o, want)
				}
			}
		}
		// The difference to Rankbox's value is explained.
		q, _ := ConventionByName("trec_eval").Inquire(mustParse(t, "nDCG"), Policy{})
		if d := q.Add(&l); d != nil {
			differ++
			if len(d.Reasons) != 1 || d.Reasons[0].Text != "trec_eval cuts the decimals off grades" {
				t.Errorf("case %d: %+v", i, d)
			}
		}
	}
	if differ < 20 {
		t.Errorf("%d cases differ", differ)
	}
	l := decimalList([]float64{0.7, 1})
	q, _ := ConventionByName("pytrec_eval").Inquire(mustParse(t, "nDCG"), Policy{})
	if d := q.Add(&l); d == nil || d.Reasons[0].Text !=
		"pytrec_eval refuses grades with decimals: this is its value after they are cut off" {
		t.Errorf("%+v", d)
	}
	if _, ok := ConventionByName("trec_eval").Evaluate([]List{l}, mustParse(t, "P(rel=0.5)@1")); ok {
		t.Error("trec_eval has a relevance level of 0.5")
	}
}

// By hand: grades .5 and 1.5 at ranks 1 and 2 of a query that also has .7.
func TestMeasuresOfGradesWithDecimals(t *testing.T) {
	tp := &Topic{Ranked: []float64{0.5, 1.5, Unjudged}, Judged: []float64{1.5, 0.7, 0.5}}
	for name, want := range map[string]float64{
		"P@1":          0, // .5 < 1
		"P(rel=0.5)@1": 1,
		"P(rel=0.5)@2": 1,
		"P(rel=0.6)@2": 0.5,
		"R@2":          1, // only 1.5 reaches 1
		"R(rel=0.5)@2": 2.0 / 3,
		"RR":           0.5,
		"AP":           0.5,
		"NumRel":       1,
		// The scale reaches to the highest grade, 1.5.
		"RBP(p=0.5)": 0.5 * (0.5/1.5 + 0.5),
		"SDCG@2":     (0.5/1.5 + 1/math.Log2(3)) / (1 + 1/math.Log2(3)),
		// (2^.5 - 1)/2^4, then (1 - that) (2^1.5 - 1)/2^4 / 2
		"ERR@2":                         (math.Sqrt2-1)/16 + (1-(math.Sqrt2-1)/16)*(2*math.Sqrt2-1)/16/2,
		"nDCG(gains={0.5:2})@1":         2.0 / 2,
		"Compat(p=0.5,normalize=False)": (0.5/2 + 0.25*2/3) / 1.75, // the ideal is 1.5 .7 .5
	} {
		if got := mustParse(t, name).Score(tp); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// A scale whose grades all are below 1 still reaches to 1.
	low := &Topic{Ranked: []float64{0.5}, Judged: []float64{0.5}}
	if got := mustParse(t, "RBP(p=0.5)").Score(low); got != 0.25 {
		t.Errorf("RBP: %v", got)
	}
	if m := mustParse(t, "P(rel=0.50)@1"); m.String() != "P(rel=0.5)@1" {
		t.Errorf("%s", m)
	}
	var p Policy
	if err := p.Set("rel", "0.5"); err != nil || p.String() != "rel=0.5" || p.Apply(mustParse(t, "P@1")).Score(tp) != 1 {
		t.Errorf("%v: %+v", err, p)
	}
}

func TestTrecEvalCutsDecimals(t *testing.T) {
	whole := []Topic{{Query: "q", Ranked: []float64{0, 1, Unjudged}, Judged: []float64{1, 0, 0}}}
	decimal := []Topic{{Query: "q", Ranked: []float64{0.5, 1.5, Unjudged}, Judged: []float64{1.5, 0.7, 0.5}}}
	hits := []Topic{{Query: "q", Hits: []Hit{{1, 0.5}, {2, 1.5}}, Retrieved: 3, Judged: []float64{1.5, 0.7, 0.5}}}
	o := TrecEval{Measures: []string{"all_trec"}, PerQuery: true}
	print := func(topics []Topic) string {
		var b strings.Builder
		if err := FormatTrecEval(&b, topics, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := print(whole)
	if got := print(decimal); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := print(hits); got != want {
		t.Errorf("of hits: %s\nwant\n%s", got, want)
	}
}

// Every way to judge the unjudged documents is tried, with whole grades and those that occur.
func TestResidualsOfGradesWithDecimalsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	of := []float64{0, 0.25, 0.7, 1, 1.5, 2}
	for range 200 {
		tp := &Topic{TopGrade: 2}
		for range 4 {
			if rng.IntN(2) == 0 {
				tp.Ranked = append(tp.Ranked, Unjudged)
				continue
			}
			g := of[rng.IntN(len(of))]
			tp.Ranked, tp.Judged = append(tp.Ranked, g), append(tp.Judged, g)
		}
		for _, name := range []string{"nDCG@3", "DCG@3", "P@3", "P(rel=0.5)@3", "AP(rel=0.7)", "RBP(p=0.5)", "ERR@3",
			"BPM(T=0.5)@3"} {
			m := mustParse(t, name)
			r, ok := m.Residual(tp)
			if !ok {
				t.Fatal(name)
			}
			lo, hi := math.Inf(1), math.Inf(-1)
			var try func(i int, ranked, judged []float64)
			try = func(i int, ranked, judged []float64) {
				if i == len(tp.Ranked) {
					v := m.Score(&Topic{TopGrade: 2, Ranked: ranked, Judged: judged})
					lo, hi = min(lo, v), max(hi, v)
					return
				}
				if g := tp.Ranked[i]; g != Unjudged {
					try(i+1, append(slices.Clone(ranked), g), append(slices.Clone(judged), g))
					return
				}
				for _, g := range of {
					if m.info == &infoBPM && !isWhole(g) {
						continue
					}
					try(i+1, append(slices.Clone(ranked), g), append(slices.Clone(judged), g))
				}
			}
			try(0, []float64{}, nil)
			if math.Abs(r.Low-lo) > 1e-12 || math.Abs(r.High-hi) > 1e-12 {
				t.Errorf("%s of %v: %v to %v, tried %v to %v", name, tp.Ranked, r.Low, r.High, lo, hi)
			}
		}
	}
}
