package pattern

import "strconv"

var broad = Pattern{
	Name: "too broad",
	Rule: "a tenth of all documents, and at least 20, have all words of the query, and at most 2 of the first 10 " +
		"are relevant",
	Fix: "a query of more words; a filter by field or date",
	holds: func(c *Case) (string, bool) {
		n := 0
		for i := range c.Top {
			if c.Top[i].Relevant() {
				n++
			}
		}
		return strconv.Itoa(c.All) + " documents have all words", c.All >= 20 && 10*c.All >= c.Docs && n <= 2
	},
}
