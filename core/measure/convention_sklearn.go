//go:build !first

package measure

import (
	"slices"
	"strconv"
)

var conventionSklearn = Convention{
	Name: "sklearn", Version: "scikit-learn 1.9.1", plan: planSklearn,
	Doc: "Knows only the retrieved documents: the ideal ranking and the number of relevant documents come from the " +
		"list. Tied documents get the mean of their discounts, or are taken together. Measures with gains refuse a " +
		"list of one document.",
}

func planSklearn(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingSkipped}
	if m.judged {
		return r, false
	}
	k := ""
	if m.cut > 0 {
		k = "k=" + strconv.Itoa(m.cut)
	}
	switch m.info {
	case &infoNDCG:
		r.as, r.formula = "ndcg_score("+k+")", sklearnNDCG
		r.counts = sklearnCounts
		r.why = "scikit-learn takes the ideal ranking from the retrieved documents only, gives tied documents the " +
			"mean of their discounts, and refuses lists of one document"
		return r, !m.exponential && m.table == nil
	case &infoDCG:
		r.as, r.formula = "dcg_score("+k+")", sklearnDCG
		r.counts = sklearnCounts
		r.why = "scikit-learn gives tied documents the mean of their discounts, and refuses lists of one document"
		return r, !m.exponential && m.table == nil
	case &infoAP:
		r.as, r.formula = "average_precision_score", sklearnAP
		r.why = "scikit-learn divides by the relevant documents retrieved and takes tied documents together"
		return r, m.cut == 0
	case &infoAccuracy:
		r.as, r.formula = "roc_auc_score", sklearnAUC
		r.why = "scikit-learn counts a tied pair half"
		r.counts = func(m Measure, t *Topic) bool {
			t.Prepare()
			f := m.found(t.hits, 0)
			return f > 0 && f < t.n
		}
		return r, m.cut == 0
	}
	return r, false
}

// sklearnCounts: for a single document ndcg_score raises an error, and so does dcg_score, which takes it for a
// binary label.
func sklearnCounts(_ Measure, t *Topic) bool { return len(t.Ranked) > 1 }

func positive(g float64) float64 { return max(g, 0) }

func sklearnDCG(m Measure, _ *List, _ []int, t *Topic) float64 {
	total := 0.0
	tieGroups(t, func(from, to int) {
		gain, weight := 0.0, 0.0
		for r := from; r <= to; r++ {
			gain += positive(t.Ranked[r-1])
			if m.cut == 0 || r <= m.cut {
				weight += 1 / log2Rank(int32(r))
			}
		}
		total += float64(gain / float64(to-from+1) * weight)
	})
	return total
}

func sklearnNDCG(m Measure, l *List, order []int, t *Topic) float64 {
	gains := make([]float64, len(t.Ranked))
	for i, g := range t.Ranked {
		gains[i] = positive(g)
	}
	slices.Sort(gains)
	slices.Reverse(gains)
	best := 0.0
	for i, g := range gains {
		if m.cut == 0 || i < m.cut {
			best += g / log2Rank(int32(i+1))
		}
	}
	if best == 0 {
		return 0
	}
	return sklearnDCG(m, l, order, t) / best
}

func sklearnAP(m Measure, _ *List, _ []int, t *Topic) float64 {
	total := 0
	for _, g := range t.Ranked {
		if m.isRel(g) {
			total++
		}
	}
	if total == 0 {
		return 0
	}
	sum, seen := 0.0, 0
	tieGroups(t, func(from, to int) {
		n := 0
		for r := from; r <= to; r++ {
			if m.isRel(t.Ranked[r-1]) {
				n++
			}
		}
		seen += n
		sum += float64(float64(n) / float64(total) * (float64(seen) / float64(to)))
	})
	return sum
}

func sklearnAUC(m Measure, _ *List, _ []int, t *Topic) float64 {
	rel := 0
	for _, g := range t.Ranked {
		if m.isRel(g) {
			rel++
		}
	}
	non := len(t.Ranked) - rel
	right, above := 0.0, 0 // above: non-relevant documents passed so far
	tieGroups(t, func(from, to int) {
		n := 0
		for r := from; r <= to; r++ {
			if m.isRel(t.Ranked[r-1]) {
				n++
			}
		}
		here := to - from + 1 - n
		right += float64(float64(n) * (float64(non-above-here) + float64(float64(here)/2)))
		above += here
	})
	return right / (float64(rel) * float64(non))
}
