//go:build !first

package measure

import (
	"math"
	"strconv"
)

var infoAccuracy = Info{
	Name:    "Accuracy",
	Title:   "pairwise accuracy",
	Brief:   "The probability that a relevant document of the list is ranked before a non-relevant one of the list.",
	Group:   Binary,
	Aliases: []Alias{{"", "AUC", ""}, {"sklearn", "roc_auc_score", ""}},
	Params:  []Param{relevance, cutoff},
	Formula: "Accuracy@k = 1 - (pairs in ranks 1..k with the non-relevant document first) / (relevant x non-relevant " +
		"documents in ranks 1..k); " +
		"0 without a relevant document, 1 if all are relevant",
	High:      1,
	Reference: "ir_measures, measure Accuracy (B. Piwowarski); the area under the ROC curve of the list",
	Example: Example{
		Measure: "Accuracy", Ranked: []float64{1, 0, 1, Unjudged}, Judged: []float64{1, 0, 1, 1}, Value: 0.75,
		Working: "4 pairs, one in the wrong order (rank 2 before rank 3): 1 - 1/4",
	},
	Notes: []string{
		"ir_measures 0.4.3 divides by zero if every document of the list is relevant; Rankbox gives 1.",
		"ir_measures omits queries without a relevant retrieved document from its mean; here they count as 0.",
		"It considers only retrieved documents: a list of one relevant and one other document can score 1, " +
			"whatever it missed.",
	},
	better: betterRelevant,
	spread: spreadAccuracy,
	open:   residual{bounds: boundAccuracy},
	unfold: func(u *unfolder) {
		hits, n := u.t.list(u.m.judged)
		n = u.m.usedRanks(n)
		rel := u.m.found(hits, n)
		if rel == n {
			u.count(n, u.m.isRel)
			u.over(float64(n), byRelevant+" looked at, and no other")
			return
		}
		found := 0
		u.each(n, func(p *Part) bool {
			if u.m.isRel(p.Grade) {
				found++
				if below := n - rel - (p.Rank - found); below > 0 { // documents that are not relevant
					p.Term, p.Work = float64(below), strconv.Itoa(below)
				}
			}
			return true
		})
		u.over(float64(rel)*float64(n-rel), "pairs of a relevant document and another")
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		n = m.usedRanks(n)
		rel, wrong := 0, 0
		for _, h := range hits {
			if int(h.Rank) > n {
				break
			}
			if m.isRel(h.Grade) {
				wrong += int(h.Rank) - 1 - rel
				rel++
			}
		}
		switch rel {
		case 0:
			return 0
		case n:
			return 1
		}
		return 1 - float64(wrong)/(float64(n-rel)*float64(rel))
	},
}

// spreadAccuracy: without a cutoff, relevant documents first is best. With one, the tie at the cutoff may also
// decide how many relevant documents count.
func spreadAccuracy(m Measure, t *Topic) (lo, hi float64, ok bool) {
	grades, scores := t.gradesSeen(m.judged)
	n := m.usedRanks(len(grades))
	value := func(rel, non, wrong int) float64 {
		if rel == 0 {
			return 0
		}
		if non == 0 {
			return 1
		}
		return 1 - float64(wrong)/(float64(non)*float64(rel))
	}
	rel, non, least, most := 0, 0, 0, 0
	for from := 0; from < n; {
		to := from + 1
		for to < len(grades) && scores[to] == scores[from] {
			to++
		}
		r := 0
		for _, g := range grades[from:to] {
			if m.isRel(g) {
				r++
			}
		}
		if to <= n {
			least += r * non
			non += to - from - r
			most += r * non
			rel += r
			from = to
			continue
		}
		lo, hi = math.Inf(1), math.Inf(-1)
		slots := n - from
		for k := max(0, slots-(to-from-r)); k <= min(r, slots); k++ {
			hi = max(hi, value(rel+k, non+slots-k, least+k*non))
			lo = min(lo, value(rel+k, non+slots-k, most+k*(non+slots-k)))
		}
		return lo, hi, true
	}
	return value(rel, non, most), value(rel, non, least), true
}

// boundAccuracy is boundScan within the cutoff; documents below it do not matter.
func boundAccuracy(m Measure, t *Topic) Range {
	c := *t
	c.Ranked = t.Ranked[:m.usedRanks(len(t.Ranked))]
	return boundScan(m, &c)
}
