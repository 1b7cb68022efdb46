package pattern

import "github.com/rankbox/rankbox/core/base/say"

var narrow = Pattern{
	Name: "too narrow",
	Rule: "the ranking has fewer than 10 documents, and a relevant one is not among them",
	Fix:  "expansion (rm3), spelling (spell), or vectors beside the words",
	holds: func(c *Case) (string, bool) {
		for i := range c.Relevant {
			if c.Relevant[i].Rank == 0 && c.Found < Window {
				return say.Count(c.Found, "document was", "documents were") + " found", true
			}
		}
		return "", false
	},
}
