package compare

import (
	"math"

	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/measure"
)

// Unfold takes the value of a measure for one query and run apart, document by document.
func (c *Comparison) Unfold(notation string, system int, query string) (*evaluation.Unfolded, error) {
	m, applied, err := c.asked("the arithmetic of a value", notation, system)
	if err != nil {
		return nil, err
	}
	q, err := c.queryOf(query)
	if err != nil {
		return nil, err
	}
	var t measure.Topic
	c.Topic(&t, system, q)
	list, _ := c.entries(system, query, math.MaxInt)
	return evaluation.Unfold(&t, m, applied, system, func(place int) (id, title string) { return list[place].Doc, "" }),
		nil
}
