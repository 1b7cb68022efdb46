package compare

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// Supposition is what somebody else may have done with the lists and the judgments, which is no decision of a Policy.
type Supposition struct {
	// the ideal ranking is made of the list's own documents: judged ones that were not retrieved are forgotten
	Ideal bool
	Self  bool // a document whose id is that of the query is left out of the list, as where queries are documents
	Found bool // queries count only where something relevant was found
	Again bool // documents that a run lists again count again
}

// Suppose returns the mean of a measure for every run under a supposition, and how many queries count.
func (c *Comparison) Suppose(notation string, x Supposition) (means []float64, queries []int, err error) {
	_, applied, err := c.asked("what others may have measured", notation)
	if err != nil {
		return nil, nil, err
	}
	means, queries = make([]float64, len(c.runs)), make([]int, len(c.runs))
	err = c.Evaluation.Each(nil, func(s, _ int, t *measure.Topic) {
		y := measure.Topic{Query: t.Query, Missing: t.Missing, TopGrade: t.TopGrade, Ranked: slices.Clone(t.Ranked),
			Judged: slices.Clone(t.Judged), Subtopics: t.Subtopics, Preferences: t.Preferences}
		if y.Ranked == nil {
			y.Ranked = []float64{}
		}
		if x.Again {
			if l, ok := c.listOf(s, t.Query); ok && l.Again != nil {
				l.Again = nil
				again := l.Topic(c.in.Policy)
				y.Ranked, y.Subtopics, y.Preferences = again.Ranked, again.Subtopics, again.Preferences
			}
		}
		if x.Self && c.beside == nil {
			list, _ := c.entries(s, t.Query, math.MaxInt)
			if i := slices.IndexFunc(list, func(e collection.Entry) bool { return e.Doc == t.Query }); i >= 0 &&
				i < len(y.Ranked) {
				y.Ranked = slices.Delete(y.Ranked, i, i+1)
			}
		}
		if x.Found && !slices.ContainsFunc(y.Ranked, func(g float64) bool { return g > 0 }) {
			return
		}
		if x.Ideal {
			y.Judged = slices.DeleteFunc(slices.Clone(y.Ranked), func(g float64) bool { return g == measure.Unjudged })
		}
		means[s] += applied.Score(&y)
		queries[s]++
	})
	for s, n := range queries {
		means[s] /= float64(max(n, 1))
	}
	return means, queries, err
}
