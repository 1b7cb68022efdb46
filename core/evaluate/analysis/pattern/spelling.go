package pattern

var spelling = Pattern{
	Name: "spelling",
	Rule: "no document has a word of the query, and some have one that is spelt nearly so",
	Fix:  "correction (spell)",
	holds: func(c *Case) (string, bool) {
		for i, w := range c.Unknown {
			if c.Spelled[i] != "" {
				return w + " for " + c.Spelled[i], true
			}
		}
		return "", false
	},
}
