//go:build first

package evaluation

import (
	"math"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// bounds is empty: the page's first program measures, and the richer one says what ties and unjudged documents could
// change.
type bounds struct{}

func (e *evaluator) prepare()     {}
func (e *evaluator) beginBounds() {}

func (e *evaluator) cutTie(s, q int, tied bool) []measure.Range { return nil }

func (e *evaluator) bound(m int, v float64, tied bool, cuts []measure.Range) {}

func (e *evaluator) endBounds(s, m int) {
	for _, v := range e.r.Columns[m].Bounds() {
		*v = append(*v, math.NaN())
	}
}

// Decisions leaves out what is at its default, which is everything: no screen of this program sets a policy.
func Decisions(measure.Policy, report.Protocol) []report.Decision { return nil }
