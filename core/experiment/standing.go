package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/measure"
)

// Smaller reports whether less of a measure is better. A notation that is none is a measure of which more is better.
func Smaller(notation string) bool {
	m, err := measure.Parse(notation)
	return err == nil && m.Info().Lower
}

// Ranking returns the systems of a column from the best mean down, equal means in the order of the systems.
func (c *Column) Ranking() []int {
	smaller := Smaller(c.Measure)
	out := make([]int, len(c.Means))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := c.Means[a], c.Means[b]
		if smaller {
			x, y = y, x
		}
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return out
}

// Standing is what a report's finding says of the first measure.
type Standing struct {
	A, B   int   // the baseline, and the best system; the second best where the baseline is the best
	Pair   Pair  // B less A
	Sure   bool  // the test tells them apart
	Winner int   // of A and B, the one with the better mean; B where they are equal
	Same   []int // the other systems that the test does not tell apart from Winner
}

// Standing holds the best system against the baseline. The report has at least two systems and a column, and is concluded.
func (r *Report) Standing() Standing {
	order := r.Columns[0].Ranking()
	s := Standing{A: r.Baseline, B: order[0]}
	if s.A == s.B {
		s.B = order[1]
	}
	s.Pair, _ = r.Pair(s.A, s.B)
	s.Sure = s.Pair.Adjusted < alpha
	s.Winner = s.B
	if s.Pair.Diff < 0 != Smaller(r.Columns[0].Measure) && s.Pair.Diff != 0 {
		s.Winner = s.A
	}
	for i := range r.Systems {
		if i == s.A || i == s.B {
			continue
		}
		if q, ok := r.Pair(s.Winner, i); ok && !(q.Adjusted < alpha) {
			s.Same = append(s.Same, i)
		}
	}
	return s
}
