package pattern

import "github.com/rankbox/rankbox/core/text"

// alike is from where two documents are nearly the same: half of their shingles.
const alike = 0.5

var duplicates = Pattern{
	Name: "near-duplicate crowding",
	Rule: "at least 3 of the first 10 are nearly the same as one before them (half of their shingles)",
	Fix:  "one of each (dedupe, collapse)",
	holds: func(c *Case) (string, bool) {
		n, example := 0, ""
		for i := range c.Top {
			for j := range i {
				if len(c.Top[i].Shingles) > 0 && text.Jaccard(c.Top[i].Shingles, c.Top[j].Shingles) >= alike {
					n++
					example = c.Top[i].ID + " as " + c.Top[j].ID
					break
				}
			}
		}
		return example, n >= 3
	},
}
