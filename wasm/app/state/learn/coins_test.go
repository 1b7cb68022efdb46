package learn

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/teach/lesson"
)

func TestCoinsAreTossedByTheHundred(t *testing.T) {
	b := &lesson.Block{Kind: lesson.Coin, Rows: [][]string{{"a", "0.3"}, {"b", "-0.1"}, {"c", "0.2"}, {"d", "0.15"}}}
	l, _ := start(t, "/learn/one", "one", nil)
	key := l.Lessons.Key(2, 0)
	made := func() int { return l.Figures.Tosses(key, b).Made }
	if made() != 0 {
		t.Errorf("%d tosses before the first", made())
	}
	l.Figures.Toss(key, b, 1)
	first := l.Figures.Tosses(key, b).Last
	l.Figures.Toss(key, b, 100)
	l.Figures.Toss(key, b, 100)
	if made() != 201 {
		t.Errorf("%d tosses, want 1 + 100 + 100", made())
	}
	bars := slices.Clone(l.Figures.Tosses(key, b).Bars)
	p, err := significance.Randomisation([]float64{.3, -.1, .2, .15}, significance.Options{})
	if got := l.Figures.Tosses(key, b).Share; err != nil || got != p.P {
		t.Errorf("all ways give %v, the exact test %v, %v", got, p.P, err)
	}
	l.Figures.ResetTosses(key)
	if made() != 0 {
		t.Errorf("begun again with %d", made())
	}
	l.Figures.Toss(key, b, 1)
	if got := l.Figures.Tosses(key, b).Last; got != first {
		t.Errorf("first %b, and when begun again %b", first, got)
	}
	l.Figures.Toss(key, b, 200)
	if got := l.Figures.Tosses(key, b).Bars; !slices.Equal(got, bars) {
		t.Errorf("%v, and when begun again %v", bars, got)
	}
	l.Who("4711") // has tosses of her own
	if made() != 0 {
		t.Errorf("%d tosses of somebody else", made())
	}
	l.Figures.Toss(key, b, 201)
	if got := l.Figures.Tosses(key, b).Bars; slices.Equal(got, bars) {
		t.Errorf("those of two students are alike: %v", got)
	}
	if l.Figures.Tosses("x", &lesson.Block{Kind: lesson.Coin, Rows: [][]string{{"a", "no number"}}}) != nil {
		t.Error("nonsense is tossed for")
	}
}
