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
