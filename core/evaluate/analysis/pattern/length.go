package pattern

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var length = Pattern{
	Name: "length bias",
	Rule: "the non-relevant documents of the first 10 are on average twice as long as the missing relevant ones, or " +
		"half as long; at least 3 of each",
	Fix: "another length normalisation (b of bm25)",
	holds: func(c *Case) (string, bool) {
		wrong, missed := c.wrong(Window), c.missed()
		if len(wrong) < 3 || len(missed) < 3 {
			return "", false
		}
		mean := func(of []*Doc) float64 {
			s := 0.0
			for _, d := range of {
				s += d.Length
			}
			return s / float64(len(of))
		}
		a, b := mean(wrong), mean(missed)
		return say.Count(int(a), "word", "words") + " against " + strconv.Itoa(int(b)), b > 0 &&
			(a >= float64(2*b) || b >= float64(2*a))
	},
}
