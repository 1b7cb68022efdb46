package gates

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// Sequential is a gate that is looked at after every query and may stop early. It bets against the claim that the gate
// holds: capital begins at 1, and for every query a share of it is staked on the value being lower than the gate asks.
// If the gate holds for the queries that these were drawn from, the capital grows beyond family / 5 % in at most one of
// 20 builds, however often it is looked at and whenever the build stops. A second bet, against the claim that it does
// not hold, lets it pass early.
//
// What is assumed: queries come in random order, so that they are a random sample of those that the set stands for.
//
// Source: Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables by betting, JRSS B 86; stakes are
// its aGRAPA, at most three quarters of what would risk all; Ville 1939 for the bound.
type Sequential struct {
	Gate    Gate
	Queries int // seen so far
	Decided int // after so many queries; 0 while it is open

	low, high float64 // of what is bet on
	border    float64 // its mean on the border of the gate, as a share of the range
	limit     float64 // of the capital
	fails     float64 // capital of the bet that the gate does not hold
	holds     float64 // of the bet that it does
	sum       float64 // of what was bet on, as shares of the range
	squares   float64
	old, new  float64 // sums of the values
}

// NewSequential begins a gate that is one of so many. The error says why it cannot be sequential.
func NewSequential(g Gate, family int) (*Sequential, error) {
	if g.Quantile > 0 || g.End != "" || g.Tag != "" {
		return nil, say.Faultf("gates", "gate %q: a sequential gate is about a mean or its change, of all queries", g.Text)
	}
	m, err := measure.Parse(g.Measure)
	if err != nil {
		return nil, err
	}
	in := m.Info()
	s := &Sequential{Gate: g, low: in.Low, high: in.High, fails: 1, holds: 1,
		limit: float64(max(family, 1)) / report.Alpha}
	least := g.Value
	switch {
	case g.Percent:
		keep := 1 + g.Value/100
		s.low, s.high, least = in.Low-float64(keep*in.High), in.High-float64(keep*in.Low), 0
	case g.Change:
		s.low, s.high = in.Low-in.High, in.High-in.Low
	}
	if math.IsInf(s.low, 0) || math.IsInf(s.high, 0) || in.Sum {
		return nil, say.Faultf("gates", "gate %q: a sequential gate needs a measure with a lowest and a highest value", g.Text)
	}
	if strings.HasPrefix(g.Op, "<") { // the same about what is negative
		s.low, s.high, least = -s.high, -s.low, -least
	}
	s.border = (least - s.low) / (s.high - s.low)
	return s, nil
}

// Add takes the value of the next query, and its old one, which only a gate on a change looks at. It reports whether the
// gate is decided. A decided gate takes no more.
func (s *Sequential) Add(old, value float64) bool {
	if s.Decided > 0 || value != value || s.Gate.Change && old != old {
		return s.Decided > 0
	}
	x := value
	switch {
	case s.Gate.Percent:
		x = value - float64((1+s.Gate.Value/100)*old)
	case s.Gate.Change:
		x = value - old
	}
	if strings.HasPrefix(s.Gate.Op, "<") {
		x = -x
	}
	y := max(0, min(1, (x-s.low)/(s.high-s.low)))
	// the stake is decided before the value is seen: by the mean and variance of those before, and half a value between
	n := float64(s.Queries)
	mean := (s.sum + 0.5) / (n + 1)
	spread := (s.squares + 0.25) / (n + 1)
	stake := func(edge, most float64) float64 {
		return max(0, min(edge/(spread+float64(edge*edge)), 0.75/max(most, 1e-9)))
	}
	s.fails *= 1 + float64(stake(s.border-mean, 1-s.border)*(s.border-y))
	s.holds *= 1 + float64(stake(mean-s.border, s.border)*(y-s.border))
	s.Queries++
	s.sum += y
	after := (s.sum + 0.5) / float64(s.Queries+1)
	s.squares += float64((y - after) * (y - after))
	s.old, s.new = s.old+old, s.new+value
	if s.fails >= s.limit || s.holds >= s.limit {
		s.Decided = s.Queries
	}
	return s.Decided > 0
}

// Failed reports whether the bets say that the gate does not hold. A gate that stays open does not fail.
func (s *Sequential) Failed() bool { return s.Decided > 0 && s.fails >= s.limit }

// Check is the gate as a check of a system, with the means so far. P is that of the bet, which holds at any time, after
// correction for the family.
func (s *Sequential) Check(system string, family int) Check {
	n := float64(s.Queries)
	c := Check{Gate: s.Gate, System: system, Old: math.NaN(), New: s.new / n, P: math.NaN(), Queries: s.Queries,
		Low: math.NaN(), High: math.NaN(), Stopped: s}
	if s.Gate.Change {
		c.Old, c.Against = s.old/n, "snapshot"
	}
	c.judge()
	c.Passed = !s.Failed()
	c.P = min(1, float64(max(family, 1))/max(s.fails, 1))
	return c
}

// Says says when the gate was decided.
func (s *Sequential) Says() string {
	switch {
	case s.Decided == 0:
		return "open after " + say.Count(s.Queries, "query", "queries") + ": it does not fail"
	case s.Failed():
		return "does not hold, decided after " + say.Count(s.Decided, "query", "queries")
	}
	return "holds, decided after " + say.Count(s.Decided, "query", "queries")
}
