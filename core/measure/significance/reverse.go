package significance

// Reverse returns the outcome of the same two-sided test with the two systems changed over: p stays, what has a
// direction is turned round.
func (r Result) Reverse() Result {
	switch r.Test {
	case "sign": // the number of positive ones among the differences that are not zero
		r.Statistic = float64(r.N) - r.Statistic
	case "wilcoxon": // the smaller sum of ranks, and -|z|
	default:
		r.Statistic = -r.Statistic
	}
	r.Low, r.High = -r.High, -r.Low
	return r
}

// Reverse returns the comparison of I with J as that of J with I.
func (p PairComparison) Reverse() PairComparison {
	p.I, p.J = p.J, p.I
	p.Difference = -p.Difference
	tests := make([]Result, len(p.Tests))
	for i, r := range p.Tests {
		tests[i] = r.Reverse()
	}
	p.Tests = tests
	p.Dz, p.DzLow, p.DzHigh = -p.Dz, -p.DzHigh, -p.DzLow
	p.G, p.Cliff, p.Superiority = -p.G, -p.Cliff, 1-p.Superiority
	p.Better, p.Worse = p.Worse, p.Better
	return p
}
