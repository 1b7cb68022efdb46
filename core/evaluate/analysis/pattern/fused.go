package pattern

var fusedAway = Pattern{
	Name: "fused away",
	Rule: "one of the rankings that were fused has a relevant document among its first 10 that the fusion has not, " +
		"and is better",
	Fix: "weights of the fusion (wsum, wmnz), or a smaller k of rrf",
	holds: func(c *Case) (string, bool) {
		if len(c.Inputs) < 2 {
			return "", false
		}
		for _, s := range c.Inputs {
			for _, d := range c.missed() {
				if s.Rank[d.ID] > 0 && s.More > 0 {
					return d.ID, true
				}
			}
		}
		return "", false
	},
}
