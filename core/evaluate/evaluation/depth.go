package evaluation

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// UncutDepth is how many documents are ranked for a measure without a cutoff: the 1,000 that trec_eval's users submit.
const UncutDepth = 1000

// Depth is how many documents of a ranking the measures ask for: the largest cutoff, or at least UncutDepth if one has
// none.
func Depth(ms []measure.Measure) int {
	depth := 0
	for _, m := range ms {
		k := m.Cutoff()
		if k == 0 {
			k = UncutDepth
		}
		depth = max(depth, k)
	}
	return depth
}

// Ended returns the depth at which the lists of a run were ended, and the first measure that looks at whole lists: its
// value is one of that depth. Depth is 0 if there is no such measure or the lists do not end at one depth: of ten lists
// and half of all at least, at ten documents or more, none is longer.
func Ended(ms []measure.Measure, sizes []int) (depth int, of measure.Measure) {
	longest, n, lists := 0, 0, 0
	for _, size := range sizes {
		switch {
		case size > longest:
			longest, n = size, 1
		case size == longest:
			n++
		}
		if size > 0 {
			lists++
		}
	}
	if longest < 10 || longest >= UncutDepth || n < 10 || 2*n < lists {
		return 0, of
	}
	for _, m := range ms {
		if m.Cutoff() == 0 && !m.Info().Describes() {
			return longest, m
		}
	}
	return 0, of
}

// SayEnded says that the value of a measure without a cutoff depends on the depth at which the lists end.
func SayEnded(m string, depth int) string {
	return m + " is that of the first " + say.Thousands(depth) + " documents, where these lists end: " +
		"longer lists may give another value"
}

// CheckDepth returns an error that names the first measure which looks deeper than the rankings go.
func CheckDepth(ms []measure.Measure, depth int) error {
	for _, m := range ms {
		if k := m.Cutoff(); k > depth {
			return say.Faultf("evaluation",
				"%s needs %d documents, but the rankings stop at %d: set depth to at least %d",
				m, k, depth, k)
		}
	}
	return nil
}
