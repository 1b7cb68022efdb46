package compare

import (
	"slices"

	"github.com/rankbox/rankbox/core/measure"
)

// Supposition is what somebody else may have done with the lists and the judgments, which is no decision of a Policy.
type Supposition struct {
	Ideal bool // the ideal ranking is made of the list's own documents: judged ones that were not retrieved are forgotten
	Self  bool // a document whose id is that of the query is left out of the list, as where queries are documents
	Found bool // queries count only where something relevant was found
}

// Suppose returns the mean of a measure for every run under a supposition, and how many queries count.
func (c *Comparison) Suppose(notation string, x Supposition) (means []float64, queries []int, err error) {
	if err := c.needsDocuments("what others may have measured"); err != nil {
		return nil, nil, err
	}
	_, applied, err := c.measureOf(notation)
	if err != nil {
		return nil, nil, err
	}
	for s := range c.runs {
		sum, n := 0.0, 0
		for q, id := range c.queries {
			var t measure.Topic
			c.Topic(&t, s, q)
			y := measure.Topic{Query: t.Query, Missing: t.Missing, TopGrade: t.TopGrade, Ranked: slices.Clone(t.Ranked), Judged: slices.Clone(t.Judged), Subtopics: t.Subtopics, Preferences: t.Preferences}
			if y.Ranked == nil {
				y.Ranked = []int32{}
			}
			if x.Self && c.subs == nil && c.prefs == nil {
				list, _ := c.entries(s, q)
				for i, e := range list {
					if e.Doc == id && i < len(y.Ranked) {
						y.Ranked = slices.Delete(y.Ranked, i, i+1)
						break
					}
				}
			}
			found := slices.ContainsFunc(y.Ranked, func(g int32) bool { return g > 0 })
			if x.Found && !found {
				continue
			}
			if x.Ideal {
				y.Judged = slices.DeleteFunc(slices.Clone(y.Ranked), func(g int32) bool { return g == measure.Unjudged })
			}
			sum += applied.Score(&y)
			n++
		}
		if n > 0 {
			sum /= float64(n)
		}
		means, queries = append(means, sum), append(queries, n)
	}
	return means, queries, nil
}
