package significance

import "testing"

// large is a board of 181 systems on 41 items, as MTEB has them, and the levels of its 16,290 pairs.
func large() (Table, []Level) {
	rnd := NewRand(5, 26)
	t := make(Table, 181)
	for s := range t {
		for q := range 41 {
			t[s] = append(t[s], max(0, min(1, 0.3+0.01*float64(q)+0.001*float64(s)+0.05*rnd.normal())))
		}
	}
	levels := make([]Level, len(Pairs(len(t))))
	for i := range levels {
		levels[i] = Level{Alpha: 0.05 / float64(len(levels))}
	}
	return t, levels
}

func BenchmarkIntervalsOfALargeBoard(b *testing.B) {
	t, levels := large()
	for b.Loop() {
		if _, err := Invert(t, Unit, "t", levels, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
