package compare

import "github.com/rankbox/rankbox/core/measure"

// Means returns the mean of every measure for every run, Means[measure][run], as the Report will have them: what is known long before
// bounds and tests are. cancel is polled between queries; it may be nil.
func (c *Comparison) Means(cancel func() bool) ([][]float64, error) {
	out := make([][]float64, len(c.applied))
	for m := range out {
		out[m] = make([]float64, len(c.runs))
	}
	var t measure.Topic
	for s := range c.runs {
		for q := range c.queries {
			if cancel != nil && cancel() {
				return nil, ErrCancelled
			}
			c.Topic(&t, s, q)
			for m, a := range c.applied {
				out[m][s] += a.Score(&t)
			}
		}
		for m := range out {
			out[m][s] /= float64(max(len(c.queries), 1))
		}
	}
	return out, nil
}

// Values returns the score of the first measure of every run for every query, Values[run][query], in the order of
// Queries. cancel is
// polled between queries; it may be nil.
func (c *Comparison) Values(cancel func() bool) ([][]float64, error) {
	out := make([][]float64, len(c.runs))
	var t measure.Topic
	for s := range c.runs {
		out[s] = make([]float64, len(c.queries))
		for q := range c.queries {
			if cancel != nil && cancel() {
				return nil, ErrCancelled
			}
			c.Topic(&t, s, q)
			out[s][q] = c.applied[0].Score(&t)
		}
	}
	return out, nil
}

// Measures returns the notations of the measures, each once.
func (c *Comparison) Measures() []string {
	var out []string
	for _, m := range c.measures {
		out = append(out, m.String())
	}
	return out
}
