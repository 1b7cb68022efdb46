package measure

import (
	"math"
	"testing"
)

// The worked example of K. Järvelin and J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS
// 20(4), 2002, which textbooks repeat: the gains of a list and, with b = 2, its DCG at each rank with two decimals. Of
// the ideal the first four by hand: 3; 3 + 3 / log2(2) = 6; 6 + 3 / log2(3) = 7.8928; 7.8928 + 2 / log2(4) = 8.8928.
func TestDiscountOfThePaper(t *testing.T) {
	topic := &Topic{
		Ranked: []float64{3, 2, 3, 0, 0, 1, 2, 2, 3, 0},
		Judged: []float64{3, 3, 3, 2, 2, 2, 1, 1, 1, 1},
	}
	for name, want := range map[string][]float64{
		"DCG(base=2)":  {3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61},
		"IDCG(base=2)": {3, 6, 7.89, 8.89},
		"nDCG(base=2)": {1, 5.0 / 6, 6.8928 / 7.8928, 6.8928 / 8.8928},
	} {
		for i, w := range want {
			m := mustParse(t, name)
			m.cut = i + 1
			if got := m.Score(topic); math.Abs(got-w) > 0.0051 {
				t.Errorf("%s: %.4f, the paper has %.2f", m, got, w)
			}
		}
	}
}

// By hand, b = 3: rank 1 and 2 keep their gains, rank 3 is divided by log3(3) = 1, rank 5 by log3(5) = 1.464974.
func TestDiscountFromBase(t *testing.T) {
	m := mustParse(t, "DCG(base=3)")
	topic := &Topic{Ranked: []float64{0, 2, 1, 0, 3}, Judged: []float64{2, 1, 3}}
	if got, want := m.Score(topic), 3+3/(math.Log(5)/math.Log(3)); math.Abs(got-want) > 1e-14 {
		t.Errorf("%v, expected %v", got, want)
	}
	u := m.Unfold(topic)
	for i, want := range map[int]string{1: "2 / 1", 2: "1 / 1", 4: "3 / log3(5)"} {
		if got := u.Parts[i].Work; got != want {
			t.Errorf("rank %d: %q, expected %q", i+1, got, want)
		}
	}
	// In nDCG over log_b(rank + 1) the base would cancel out, because all discounts change by the same factor. From
	// rank b on it does not.
	a, b := mustParse(t, "nDCG(base=2)"), mustParse(t, "nDCG(base=3)")
	if a.Score(topic) == b.Score(topic) {
		t.Error("the base changes nothing")
	}
}
