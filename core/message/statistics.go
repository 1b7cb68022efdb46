//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Statistics asks for every test of one pair of runs.
const Statistics Kind = 12

func init() { register[AskStatistics, PairTests](Statistics, true) }

// AskStatistics names the pair and the measure; without a measure it cancels the previous question.
type AskStatistics struct {
	A, B    int
	Measure string
	Margin  float64 // equivalence margin; 0 for the default
}

// PairTests holds all statistics of one pair of runs for one measure: run B minus run A.
type PairTests struct {
	A, B       int
	Measure    string
	Queries    int
	Correction string // of Adjusted, for display: "Holm"; "none"
	Pairs      int    // number of pairs in the correction
	Rows       []TestRow

	Difference                    float64
	Low, High                     float64 // interval of Difference, corrected
	Dz, DzLow, DzHigh             float64
	G                             float64 // Hedges's g
	Cliff, Superiority            float64
	Detectable                    float64 // smallest difference that so many queries detect in 4 of 5 experiments
	Needed                        float64 // number of queries to detect this one; +Inf for none, NaN without variance
	Margin                        float64
	Equivalent                    float64 // p of the equivalence test within ± Margin
	EquivalentLow, EquivalentHigh float64 // 90 % interval
}

// TestRow is one test of a pair.
type TestRow struct {
	Test      string // name in package significance, or "tukey"
	Method    string // "exact", "normal", "t", "monte-carlo"
	N, Draws  int
	Statistic float64
	P         float64
	Adjusted  float64 // corrected over all pairs; P itself if the test corrects by itself
	Counts    bool    // the report uses it
}

// Wire codes the question.
func (a *AskStatistics) Wire(c *wire.Codec) {
	c.Fields(&a.A, &a.B, &a.Measure, &a.Margin)
}

// Wire codes the answer.
func (t *PairTests) Wire(c *wire.Codec) {
	c.Fields(&t.A, &t.B, &t.Queries, &t.Pairs, &t.Measure, &t.Correction)
	wire.List(c, &t.Rows, func(r *TestRow) {
		c.Fields(&r.Test, &r.Method, &r.N, &r.Draws, &r.Statistic, &r.P, &r.Adjusted, &r.Counts)
	})
	c.Fields(&t.Difference, &t.Low, &t.High, &t.Dz, &t.DzLow, &t.DzHigh, &t.G, &t.Cliff, &t.Superiority,
		&t.Detectable, &t.Needed, &t.Margin, &t.Equivalent, &t.EquivalentLow, &t.EquivalentHigh)
}
