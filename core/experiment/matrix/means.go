package matrix

import "github.com/rankbox/rankbox/core/measure"

// Means are those of a run by every measure of the plan, over the queries that it has ranked or failed so far; nil
// before the first.
func (x *Experiment) Means(run int) []float64 {
	x.lock.Lock()
	defer x.lock.Unlock()
	var t measure.Topic
	values := make([][]float64, len(x.Plan.measures))
	for q, l := range x.lists[run] {
		if l.state == NotRun {
			continue
		}
		if l.state != Failed {
			x.s.Queries.Topic(&t, x.queries[q], l.hits)
		}
		for m := range values {
			v := 0.0
			if l.state != Failed {
				v = x.Plan.measures[m].Score(&t)
			}
			values[m] = append(values[m], v)
		}
	}
	if len(values) == 0 || len(values[0]) == 0 {
		return nil
	}
	out := make([]float64, len(values))
	for m := range values {
		out[m] = measure.Mean(values[m])
	}
	return out
}
