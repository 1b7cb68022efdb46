package pattern

var vocabulary = Pattern{
	Name: "vocabulary mismatch",
	Rule: "of the relevant documents outside the first 10, half or more have none of the query's two or more words",
	Fix:  "expansion (rm3) or vectors beside the words (rrf(bm25, dense))",
	holds: func(c *Case) (string, bool) {
		if len(c.Terms) < 2 {
			return "", false
		}
		missed, without, example := 0, 0, ""
		for _, d := range c.missed() {
			if d.Terms == nil {
				continue
			}
			missed++
			n := 0
			for _, t := range c.Terms {
				if d.Terms[t] {
					n++
				}
			}
			if n == 0 {
				if without++; example == "" {
					example = d.ID
				}
			}
		}
		return example, without > 0 && 2*without >= missed
	},
}
