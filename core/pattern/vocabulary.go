package pattern

var vocabulary = Pattern{
	Name: "vocabulary mismatch",
	Rule: "a relevant document outside the first 10 has at most a third of the query's two or more words",
	Fix:  "expansion (rm3) or vectors beside the words (rrf(bm25, dense))",
	holds: func(c *Case) (string, bool) {
		if len(c.Terms) < 2 {
			return "", false
		}
		for _, d := range c.missed() {
			n := 0
			for _, t := range c.Terms {
				if d.Terms[t] {
					n++
				}
			}
			if d.Terms != nil && 3*n <= len(c.Terms) {
				return d.ID, true
			}
		}
		return "", false
	},
}
