package pattern

import "strings"

var names = Pattern{
	Name: "name confusion",
	Rule: "one of the first 5 is not relevant and has only some of the words of a name that the query has whole",
	Fix:  "names as a whole (entity)",
	holds: func(c *Case) (string, bool) {
		for _, d := range c.wrong(5) {
			for _, name := range c.Names {
				n := 0
				for _, w := range name {
					if d.Words[w] {
						n++
					}
				}
				if n > 0 && n < len(name) {
					return d.ID + " (" + strings.Join(name, " ") + ")", true
				}
			}
		}
		return "", false
	},
}
