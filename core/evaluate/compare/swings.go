package compare

import (
	"math"
	"slices"
	"sort"

	"github.com/rankbox/rankbox/core/measure"
)

// Swing is what one judgment that nobody made could change.
type Swing struct {
	Query, ID    string
	RankA, RankB int     // 0 where the run does not have it among the first documents
	Swing        float64 // of the mean of b less a: where the document is relevant, less where it is not
	Text         string  // of the query
}

// Swings returns, for every unjudged document among the first depth of runs a or b, by how much the difference of their
// means would be another if it were relevant rather than not, everything else staying as it is; those that change
// nothing are left out, the largest come first. Relevant is the lowest grade that the measure counts. ok is false where
// the measure looks at more than grades. cancel may be nil.
//
// Source: Carterette, Allan and Sitaraman 2006, Minimal Test Collections for Retrieval Evaluation, SIGIR: the document
// with the largest weight is to be judged first.
func (c *Comparison) Swings(notation string, a, b, depth int, cancel func() bool) (out []Swing, ok bool, err error) {
	_, applied, err := c.asked("what to judge next", notation, a, b)
	if err != nil {
		return nil, false, err
	}
	if c.beside != nil {
		return nil, false, nil
	}
	grade := 1.0
	if level, has := applied.Rel(); has {
		grade = max(grade, level)
	}
	sides := [2]int{a, b}
	for q := range c.queries {
		if cancel != nil && cancel() {
			return nil, false, ErrCancelled
		}
		list := c.open(q, depth, a, b)
		if len(list) == 0 {
			continue
		}
		swings := make([]float64, len(list))
		for side, s := range sides {
			var t measure.Topic
			c.Topic(&t, s, q)
			ranked, scores, judged := slices.Clone(t.Ranked), t.Scores, slices.Clone(t.Judged)
			score := func(at int, g float64) float64 {
				x := measure.Topic{Query: t.Query, Missing: t.Missing, TopGrade: max(t.TopGrade, grade), Scores: scores,
					Ranked: slices.Clone(ranked), Judged: append(slices.Clone(judged), g)}
				if x.Ranked == nil {
					x.Ranked = []float64{}
				}
				if at > 0 && at <= len(x.Ranked) {
					x.Ranked[at-1] = g
				}
				return applied.Score(&x)
			}
			sign := float64(2*side - 1)
			for k := range list {
				swings[k] += float64(sign * (score(list[k].Ranks[s], grade) - score(list[k].Ranks[s], 0)))
			}
		}
		for k, x := range list {
			if v := swings[k] / float64(len(c.queries)); math.Abs(v) > 1e-12 {
				out = append(out, Swing{Query: x.Query, ID: x.ID, RankA: x.Ranks[a], RankB: x.Ranks[b], Swing: v,
					Text: c.Text(x.Query)})
			}
		}
	}
	// none is NaN: those were left out above
	sort.SliceStable(out, func(i, j int) bool { return math.Abs(out[i].Swing) > math.Abs(out[j].Swing) })
	return out, true, nil
}
