package analysis

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// seed is that of everything drawn here: the same comparison says the same.
const seed = 20260101

// rising returns the values of a column turned so that more is better.
func rising(c *report.Column) significance.Table {
	out := make(significance.Table, len(c.Values))
	for s, row := range c.Values {
		out[s] = make([]float64, len(row))
		for q, v := range row {
			out[s][q] = better(c, v)
		}
	}
	return out
}

// places are the ranks that the tests leave.
var places = analysis{"places", Luck, "Ranks of runs", func(s *Subject, out *Section) error {
	r := s.Report
	if len(r.Pairs) == 0 || len(r.Queries) < 2 {
		out.Sentence = "Ranks need at least two runs and two queries."
		return nil
	}
	c := &r.Columns[0]
	t := Table{Caption: "By " + c.Measure, Columns: []string{"Run", "Mean", "Rank", "From", "To"}}
	found := r.Conclusion().Ranks()
	var first []string
	order := r.Ranking()
	for _, i := range order {
		p := found[i]
		if p.Best == 1 {
			first = append(first, label(r, i))
		}
		t.Rows = append(t.Rows, []Cell{Words(label(r, i)), Number(c.Means[i], 4), Whole(p.Rank), Whole(p.Best),
			Whole(p.Worst)})
	}
	switch out.Sentence = "No run is significantly better than " + say.And(first) + "."; {
	case len(first) == 1 && found[order[0]].Worst == 1:
		out.Sentence = first[0] + " is significantly better than every other run."
	case len(first) > 4:
		out.Sentence = "No run is significantly better than any of the " + say.Count(len(first), "run", "runs") +
			" that may rank first."
	}
	out.Tables = []Table{t}
	out.Notes = []string{"A run ranks from 1 more than the runs that are significantly better, to the last rank less " +
		"those that are significantly worse: " + r.Test.Name + ", " + r.Level() + "."}
	return nil
}}

// drawn is how often beliefs are drawn.
const drawn = 20000

// belief is the Bayesian signed-rank test of every system against the baseline.
var belief = analysis{"belief", Luck, "Posterior for a query", func(s *Subject, out *Section) error {
	r := s.Report
	c := &r.Columns[0]
	if len(r.Systems) < 2 || len(r.Queries) < 2 {
		out.Sentence = "The posterior needs at least two runs and two queries."
		return nil
	}
	const rope = report.DefaultMargin
	values := rising(c)
	base := label(r, r.Baseline)
	t := Table{Caption: c.Measure + ", practically equal within ± " + s.Style.Short(rope),
		Columns: []string{"Run", "Baseline is better", "Practically equal", "Run is better", "± Monte Carlo"}}
	most := -1
	best := -1.0
	for _, i := range r.Ranking() {
		if i == r.Baseline {
			continue
		}
		d, err := significance.Differences(values[r.Baseline], values[i])
		if err != nil {
			return err
		}
		p, err := significance.SignedRankPosterior(d, rope,
			significance.Options{Seed: seed, Samples: min(drawn, max(2000, 4e7/(len(d)*len(r.Systems)))),
				Cancel: s.Cancel})
		if err == significance.ErrCancelled {
			return report.ErrCancelled
		}
		if err != nil {
			out.Sentence = "Some values are not finite: nothing can be said."
			return nil
		}
		if p.Second > best {
			most, best = i, p.Second
		}
		off := 1.96 * max(p.Error(p.First), p.Error(p.Equal), p.Error(p.Second))
		t.Rows = append(t.Rows, []Cell{Words(label(r, i)), Share(p.First), Share(p.Equal), Share(p.Second), Share(off)})
	}
	out.Sentence = "On one more query of the kind, " + label(r, most) + " would be better than " + base +
		" by more than " + s.Style.Short(rope) + " " + c.Measure + " with " + s.Style.Percent(best, 1) +
		" belief. Whether their means differ is for the test to say."
	out.Tables = []Table{t}
	out.Notes = []string{"Bayesian signed-rank test with a region of practical equivalence (Benavoli et al. 2014; " +
		"prior and decision as baycomp 1.0.3). It is about queries, a p value is about the mean, so they may differ. " +
		"Shares are not corrected for several runs."}
	return nil
}}

// hierarchy is the hierarchical t test of the best system against the baseline over kinds of queries.
var hierarchy = analysis{"kinds", Luck, "Posterior for a new query type", func(s *Subject, out *Section) error {
	r := s.Report
	c := &r.Columns[0]
	if len(r.Systems) < 2 {
		out.Sentence = "The posterior needs at least two runs."
		return nil
	}
	facets := FacetsOf(r, nil)
	var groups [][]int
	var names []string
	facet := ""
	for _, f := range append(append([]Facet{}, s.Facets...), facets...) {
		values, of := f.groups(r)
		var kept [][]int
		var kinds []string
		for i, g := range of {
			if len(g) >= 5 {
				kept, kinds = append(kept, g), append(kinds, values[i])
			}
		}
		if len(kept) >= 3 && (groups == nil || f.Name == "type" || f.Name == "domain" && facet != "type") {
			groups, names, facet = kept, kinds, f.Name
		}
	}
	if groups == nil {
		out.Sentence = "The posterior needs three kinds of queries with at least five queries each."
		return nil
	}
	best := -1
	for _, i := range r.Ranking() {
		if i != r.Baseline {
			best = i
			break
		}
	}
	values := rising(c)
	t := Table{Caption: c.Measure + " by " + facet, Columns: []string{"Kind", "n", "Mean change"}}
	var differences [][]float64
	for i, g := range groups {
		d, err := significance.Differences(pick(values[r.Baseline], g), pick(values[best], g))
		if err != nil {
			return err
		}
		differences = append(differences, d)
		t.Rows = append(t.Rows, []Cell{Words(names[i]), Whole(len(g)), Signed(significance.Mean(d), 4)})
	}
	const rope = report.DefaultMargin
	p, err := significance.HierarchicalPosterior(differences, rope, significance.Hierarchy{},
		significance.Options{Seed: seed, Samples: drawn, Cancel: s.Cancel})
	if err == significance.ErrCancelled {
		return report.ErrCancelled
	}
	if err != nil {
		out.Sentence = "The differences of the runs do not vary."
		return nil
	}
	off := 3 * 1.96 * max(p.Error(p.First), p.Error(p.Equal), p.Error(p.Second))
	out.Sentence = "On a kind of query that is not here, " + label(r, best) + " would most likely be better than " +
		label(r, r.Baseline) + " by more than " + s.Style.Short(rope) + " with " + s.Style.Percent(p.Second, 1) +
		" belief, practically equal with " + s.Style.Percent(p.Equal, 1) + ", worse with " + s.Style.Percent(p.First,
		1) + "."
	out.Tables = []Table{t}
	out.Notes = []string{"Bayesian hierarchical t test over the kinds by " + facet +
		" (Corani et al. 2017; priors as baycomp 1.0.3, queries independent of one another). About ± " +
		s.Style.Percent(math.Min(off, 1), 1) + " is Monte Carlo error."}
	return nil
}}
