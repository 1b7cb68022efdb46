package compare

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// NotRetrieved begins the ids that judged documents have whose own were left out: where a comparison had to fit a link.
const NotRetrieved = "(not retrieved "

// Input returns what is compared as Open made it whole: with judgments of relevance, every measure once in its
// canonical notation, and runs under names that differ, with the scores that the policy makes of theirs.
func (c *Comparison) Input() Input {
	in := c.in
	in.Measures, in.Runs = c.Measures(), nil
	for i, r := range c.runs {
		in.Runs = append(in.Runs, Named{Name: c.names[i], Run: r, Fell: c.in.Runs[i].Fell})
	}
	return in
}

// Measures returns the notations of the measures, each once.
func (c *Comparison) Measures() []string {
	var out []string
	for _, m := range c.Evaluation.Asked {
		out = append(out, m.String())
	}
	return out
}

// Kept returns the entries of a run for a query that the first depth documents leave (0: all), with all that are tied
// with the last of them, in the order of the file.
func (c *Comparison) Kept(system int, query string, depth int) []collection.Entry {
	whole := c.in.Policy.Depth
	c.in.Policy.Depth = 0
	list, _ := c.entries(system, query, math.MaxInt)
	c.in.Policy.Depth = whole
	out := slices.Clone(list)
	if depth > 0 && depth < len(out) {
		n := depth
		for c.in.Policy.Ties != measure.Input && n < len(out) && out[n].Score == out[depth-1].Score {
			n++
		}
		out = out[:n]
	}
	slices.SortFunc(out, byPos)
	return out
}
