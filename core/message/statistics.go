//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Statistics asks for every test of one pair of runs.
const Statistics Kind = 12

func init() { register[AskStatistics, PairTests](Statistics, true) }

// AskStatistics names the pair and the measure; without a measure it stops the question before.
type AskStatistics struct {
	A, B    int
	Measure string
	Margin  float64 // within which the two are equivalent; 0 for the default
}

// PairTests is everything that is said of one pair of runs on one measure: run B less run A.
type PairTests struct {
	A, B       int
	Measure    string
	Queries    int
	Correction string // of Adjusted, as people read it: "Holm"; "none"
	Pairs      int    // that it corrects for
	Rows       []TestRow

	Difference                    float64
	Low, High                     float64 // interval of Difference, corrected
	Dz, DzLow, DzHigh             float64
	G                             float64 // Hedges's g
	Cliff, Superiority            float64
	Detectable                    float64 // the smallest difference that so many queries show in 4 of 5 experiments
	Needed                        float64 // queries that show this one; +Inf for none, NaN where nothing varies
	Margin                        float64
	Equivalent                    float64 // p of lying within ± Margin
	EquivalentLow, EquivalentHigh float64 // 90 % interval
}

// TestRow is one test of a pair.
type TestRow struct {
	Test      string // name in the registry of significance, or "tukey"
	Method    string // "exact", "normal", "t", "monte-carlo"
	N, Draws  int
	Statistic float64
	P         float64
	Adjusted  float64 // after correction over all pairs; P itself where the test corrects by itself
	Counts    bool    // it is the one that the report takes
}

// Wire walks the question.
func (a *AskStatistics) Wire(c *wire.Codec) {
	c.Fields(&a.A, &a.B, &a.Measure, &a.Margin)
}

// Wire walks the tests.
func (t *PairTests) Wire(c *wire.Codec) {
	c.Fields(&t.A, &t.B, &t.Queries, &t.Pairs, &t.Measure, &t.Correction)
	wire.List(c, &t.Rows, func(r *TestRow) {
		c.Fields(&r.Test, &r.Method, &r.N, &r.Draws, &r.Statistic, &r.P, &r.Adjusted, &r.Counts)
	})
	c.Fields(&t.Difference, &t.Low, &t.High, &t.Dz, &t.DzLow, &t.DzHigh, &t.G, &t.Cliff, &t.Superiority,
		&t.Detectable, &t.Needed, &t.Margin, &t.Equivalent, &t.EquivalentLow, &t.EquivalentHigh)
}
