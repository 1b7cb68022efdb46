package pattern

import "slices"

var dates = Pattern{
	Name: "date mismatch",
	Rule: "the query names a year, one of the first 5 is not relevant and of another year, and a relevant document " +
		"of that year is not among them",
	Fix: "dates of the query (datematch)",
	holds: func(c *Case) (string, bool) {
		for _, w := range c.Words {
			if len(w) != 4 || w < "1000" || w > "2999" || !digits(w) {
				continue
			}
			missing := slices.ContainsFunc(c.Relevant, func(d Doc) bool {
				return d.Year == w && (d.Rank == 0 || d.Rank > 5)
			})
			for _, d := range c.wrong(5) {
				if missing && d.Year != "" && d.Year != w {
					return d.ID + " (" + d.Year + ")", true
				}
			}
		}
		return "", false
	},
}

func digits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}
