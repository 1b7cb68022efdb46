package pattern

var unjudged = Pattern{
	Name: "unjudged at the top",
	Rule: "nobody judged at least half of the first 10",
	Fix:  "judging them: the value may be too low",
	holds: func(c *Case) (string, bool) {
		n, example := 0, ""
		for i := range c.Top {
			if d := &c.Top[i]; !d.Judged {
				if n++; n == 1 {
					example = d.ID
				}
			}
		}
		return example, n > 0 && 2*n >= len(c.Top)
	},
}
