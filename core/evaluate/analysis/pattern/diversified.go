package pattern

var diversified = Pattern{
	Name: "over-diversified",
	Rule: "the last stage adds variety, and its input is better by 0.05 or more",
	Fix:  "less variety (a larger lambda of mmr), or none for this kind of query",
	holds: func(c *Case) (string, bool) {
		for _, s := range c.Inputs {
			if c.Diverse && s.More >= 0.05 {
				return s.Name, true
			}
		}
		return "", false
	},
}
