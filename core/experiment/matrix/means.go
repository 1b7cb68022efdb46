package matrix

import "github.com/rankbox/rankbox/core/measure"

// Means are those of a run by every measure of the plan, over the queries that it has ranked or failed so far; nil
// before the first.
func (x *Experiment) Means(run int) (out []float64) {
	for _, v := range x.values(run, x.Plan.measures) {
		if len(v) > 0 {
			out = append(out, measure.Mean(v))
		}
	}
	return out
}

// Mean returns the mean of the plan's first measure over the queries of a run that are done, and how many those are.
func (x *Experiment) Mean(run int) (mean float64, queries int) {
	v := x.values(run, x.Plan.measures[:1])[0]
	return measure.Mean(v), len(v)
}

// values are those of measures for the queries of a run that are done. Failed ones count 0.
func (x *Experiment) values(run int, ms []measure.Measure) [][]float64 {
	x.lock.Lock()
	defer x.lock.Unlock()
	var t measure.Topic
	out := make([][]float64, len(ms))
	for q, l := range x.lists[run] {
		if l.state == NotRun {
			continue
		}
		if l.state != Failed {
			x.s.Queries.Topic(&t, x.queries[q], l.hits)
		}
		for i, m := range ms {
			v := 0.0
			if l.state != Failed {
				v = m.Score(&t)
			}
			out[i] = append(out[i], v)
		}
	}
	return out
}
