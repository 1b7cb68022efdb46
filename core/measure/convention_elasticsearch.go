//go:build !first

package measure

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/float"
)

// elastic/elasticsearch, modules/rank-eval/src/main/java/org/elasticsearch/index/rankeval. The formulas are those
// of 7.0 to July 2026 (pull request 154362 proposes another ideal ranking).
var conventionElasticsearch = Convention{
	Name: "Elasticsearch", Version: "_rank_eval of 7.0 to 9, tested with 7.10.2 and 7.17.28",
	plan: planElasticsearch, repeats: true, grades: gradesCut,
	Doc: "Ratings against the first k hits. The gain is 2^rating − 1; with normalize the ideal ranking is no " +
		"longer than the hits that came back, so that short lists score higher. Precision divides by the hits " +
		"where those are fewer than k. ERR takes grades above maximum_relevance as they are.",
}

func planElasticsearch(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing}
	k := "k=" + strconv.Itoa(m.cut)
	if p := m.info.param("rel"); p != nil && m.rel != 1 && m.rel != noLevel {
		k += ", relevant_rating_threshold=" + strconv.Itoa(int(m.rel))
	}
	switch m.info {
	case &infoNDCG:
		r.as, r.formula = "dcg (normalize, "+k+")", func(m Measure, l *List, order []int, _ *Topic) float64 {
			n := min(len(order), m.cut)
			return ratio(gainedDCG(l, order, n), idealDCG(l, n))
		}
		r.why = "Elasticsearch has the gain 2^rating − 1 and cuts the ideal ranking at the number of hits"
		return r, m.cut > 0 && !m.judged && m.table == nil
	case &infoDCG:
		r.as, r.formula = "dcg ("+k+")", func(m Measure, l *List, order []int, _ *Topic) float64 {
			return gainedDCG(l, order, min(len(order), m.cut))
		}
		r.why = "Elasticsearch has the gain 2^rating − 1"
		return r, m.cut > 0 && !m.judged && m.table == nil
	case &infoP:
		r.as = "precision (" + k + ")"
		r.formula = byIDs(func(x *idList) float64 { return ratio(float64(x.found(true)), float64(len(x.rel))) })
		r.why = "Elasticsearch divides by the hits where those are fewer than k"
	case &infoR:
		r.as = "recall (" + k + ")"
		r.formula = byIDs(func(x *idList) float64 { return ratio(float64(x.found(true)), float64(x.relevant)) })
	case &infoRR:
		r.as = "mean_reciprocal_rank (" + k + ")"
	case &infoERR:
		top := float.Pow(2, m.Float("max_rel"))
		r.as = "expected_reciprocal_rank (" + k + ", maximum_relevance=" + strconv.Itoa(int(m.Float("max_rel"))) + ")"
		r.formula = func(m Measure, l *List, order []int, _ *Topic) (sum float64) {
			left := 1.0
			for rank, i := range order[:min(len(order), m.cut)] {
				p := exponential(max(l.Grades[i], 0)) / top
				sum += float64(left*p) / float64(rank+1)
				left = float64(left * (1 - p))
			}
			return sum
		}
		r.why = "Elasticsearch takes grades above maximum_relevance as they are"
		return r, m.cut > 0 && !m.judged
	default:
		return r, false
	}
	return r, m.cut > 0 && !m.judged && m.rel > 0
}

// gainedDCG is the sum of (2^grade − 1)/log2(rank + 1) over the first n documents of an order, including
// repetitions.
func gainedDCG(l *List, order []int, n int) (sum float64) {
	for r, i := range order[:n] {
		sum += exponential(max(l.Grades[i], 0)) / log2Rank(int32(r+1))
	}
	return sum
}

// idealDCG is the largest such sum of n judged documents, or of all if n is negative.
func idealDCG(l *List, n int) (sum float64) {
	grades := slices.Clone(l.Judged)
	slices.Sort(grades)
	slices.Reverse(grades)
	if n < 0 || n > len(grades) {
		n = len(grades)
	}
	for r, g := range grades[:n] {
		sum += exponential(max(g, 0)) / log2Rank(int32(r+1))
	}
	return sum
}
