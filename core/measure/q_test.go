package measure

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// Q-measure of pyNTCIREVAL 0.0.3 (scripts/oracle/measures/ntcireval.py); with beta 0 and no cutoff it is AP.
func TestQ(t *testing.T) {
	b, err := os.ReadFile("testdata/q.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Ranked  []*float64
		Judged  []float64
		Measure string
		Value   float64
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 60 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		tp := &Topic{Ranked: []float64{}, Judged: c.Judged}
		for _, g := range c.Ranked {
			if g == nil {
				tp.Ranked = append(tp.Ranked, Unjudged)
			} else {
				tp.Ranked = append(tp.Ranked, *g)
			}
		}
		if got := mustParse(t, c.Measure).Score(tp); math.Abs(got-c.Value) > 1e-14 {
			t.Errorf("%s of %v (judged %v): %v, oracle %v", c.Measure, tp.Ranked, tp.Judged, got, c.Value)
		}
	}
	rng := rand.New(rand.NewPCG(17, 18))
	for range 200 {
		tp := randomTopic(rng, 20)
		if q, ap := mustParse(t, "Q(beta=0.0)").Score(tp), mustParse(t, "AP").Score(tp); q != ap {
			t.Errorf("%v: Q %v, AP %v", tp.Ranked, q, ap)
		}
	}
}
