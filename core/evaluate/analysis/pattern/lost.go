package pattern

import "strings"

var lost = Pattern{
	Name: "stop word or stem lost",
	Rule: "at least half of the query's words are left out by the analyzer; or one of the first 5 is not relevant " +
		"and has a word's stem without the word, which a missing relevant document has",
	Fix: "an analyzer that keeps them (whitespace), or a phrase",
	holds: func(c *Case) (string, bool) {
		if n := len(c.Words) - len(c.Terms) - len(c.Unknown); n > 0 && 2*n >= len(c.Words) {
			return strings.Join(c.Words, " "), true
		}
		for _, d := range c.wrong(5) {
			for _, m := range c.missed() {
				for _, w := range c.Words {
					for _, t := range c.Terms {
						if t != w && len(t) >= 3 && strings.HasPrefix(w, t) && d.Terms[t] && !d.Words[w] && m.Words[w] {
							return w + " in " + d.ID, true
						}
					}
				}
			}
		}
		return "", false
	},
}
