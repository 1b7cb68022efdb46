package message

import (
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/wire"
)

// The kinds of questions of the Compare screen that are asked only where somebody looks. An Ask without a measure stops the one before.
const (
	Statistics Kind = 12 // Ask: A, B, Measure, Margin → PairTests
	Agreement  Kind = 13 // Ask: Measure → Agreed, of as many queries as were compared so far: the question is asked again for more
)

// PairTests is everything that is said of one pair of runs on one measure: run B less run A.
type PairTests struct {
	A, B       int
	Measure    string
	Queries    int
	Correction string // of Adjusted, as people read it: "Holm"; "none"
	Pairs      int    // that it corrects for
	Rows       []TestRow

	Difference                    float64
	Low, High                     float64 // BCa interval of Difference
	PercentileLow, PercentileHigh float64
	Dz, DzLow, DzHigh             float64
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

// Agreed is how alike the rankings of the runs are, and the orders of the runs by the measures.
type Agreed struct {
	Measure     string
	Done, Total int // queries compared
	Rankings    []compare.Agreement
	Orders      []compare.Order // by Measure and by each other measure
}

// Wire walks the tests.
func (t *PairTests) Wire(c *wire.Codec) {
	for _, v := range []*int{&t.A, &t.B, &t.Queries, &t.Pairs} {
		c.Int(v)
	}
	c.String(&t.Measure)
	c.String(&t.Correction)
	wire.List(c, &t.Rows, func(r *TestRow) {
		c.String(&r.Test)
		c.String(&r.Method)
		c.Int(&r.N)
		c.Int(&r.Draws)
		c.Float(&r.Statistic)
		c.Float(&r.P)
		c.Float(&r.Adjusted)
		c.Bool(&r.Counts)
	})
	for _, v := range []*float64{&t.Difference, &t.Low, &t.High, &t.PercentileLow, &t.PercentileHigh, &t.Dz, &t.DzLow, &t.DzHigh, &t.Cliff, &t.Superiority, &t.Detectable, &t.Needed,
		&t.Margin, &t.Equivalent, &t.EquivalentLow, &t.EquivalentHigh} {
		c.Float(v)
	}
}

// Wire walks the agreement.
func (a *Agreed) Wire(c *wire.Codec) {
	c.String(&a.Measure)
	c.Int(&a.Done)
	c.Int(&a.Total)
	wire.List(c, &a.Rankings, func(g *compare.Agreement) {
		for _, v := range []*int{&g.A, &g.B, &g.Queries} {
			c.Int(v)
		}
		for _, v := range []*float64{&g.Common, &g.RBO, &g.Tau, &g.TauAP} {
			c.Float(v)
		}
	})
	wire.List(c, &a.Orders, func(o *compare.Order) { c.String(&o.Measure); c.Float(&o.Tau); c.Float(&o.TauAP); c.Float(&o.RBO) })
}
