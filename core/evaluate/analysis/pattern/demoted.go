package pattern

var demoted = Pattern{
	Name: "reranker demoted",
	Rule: "a reranker put a relevant document out of the first 10 that was among them, and the value fell",
	Fix:  "reranking fewer documents, or fusing both rankings",
	holds: func(c *Case) (string, bool) {
		for _, s := range c.Inputs {
			if !c.Reranked || s.More <= 0 {
				continue
			}
			for _, d := range c.missed() {
				if s.Rank[d.ID] > 0 {
					return d.ID, true
				}
			}
		}
		return "", false
	},
}
