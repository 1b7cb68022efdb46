//go:build !first

package measure

import (
	"cmp"
	"math"
	"slices"
)

var conventionIRMeasures = Convention{
	Name: "ir_measures", Version: "0.4.3", plan: planIRMeasures, grades: gradesRefused,
	Doc: "Hands every measure to another tool, which breaks ties in its own way: pytrec_eval by id descending, " +
		"msmarco, judged, compat and pyndeval by id ascending, cwl_eval and accuracy as in the file. A query that " +
		"the run lacks counts as 0.",
}

func planIRMeasures(m Measure) (recipe, bool) {
	r := recipe{as: m.String(), measure: m, missing: missingNothing}
	given := func(name string) bool { return !m.isDefault(m.info.param(name)) }
	cwl := func(ok bool) (recipe, bool) {
		r.ties = Stable
		return r, ok && !m.judged
	}
	switch m.info {
	case &infoRR:
		if m.cut > 0 {
			r.ties = DocIDAsc
			return r, !m.judged
		}
		fallthrough
	case &infoP, &infoRprec, &infoAP, &infoR, &infoBpref, &infoNumRet, &infoNumQ, &infoSetP, &infoSetR, &infoSetF,
		&infoSetAP,
		&infoSuccess, &infoIPrec, &infoInfAP:
		p, _ := planPytrecEval(m)
		p.as, p.missing = m.String(), missingNothing
		return p, true
	case &infoNumRel:
		p, _ := planPytrecEval(m)
		p.as, p.missing = m.String(), missingNothing
		return p, m.rel == 1
	case &infoNDCG:
		if !m.exponential {
			p, _ := planPytrecEval(m)
			p.as, p.missing = m.String(), missingNothing
			if m.table != nil {
				for _, v := range m.table.val {
					if v != math.Trunc(v) {
						return r, false
					}
				}
			}
			return p, true
		}
		r.decimals = 5
		return r, m.cut > 0 && m.table == nil && !m.judged
	case &infoERR:
		r.decimals = 5
		return r, m.cut > 0 && m.Float("max_rel") == 4 && !m.judged
	case &infoRBP:
		r.formula, r.why = cwlRBP,
			"cwl_eval cuts lists at 1,000 documents and divides by the sum of the first 1,000 weights"
		return cwl(given("rel") && m.cut == 0)
	case &infoSDCG, &infoBPM, &infoINST, &infoINSQ, &infoNERR8, &infoNERR9, &infoNERR10, &infoNERR11:
		r.formula, r.why = cwlCut, "cwl_eval cuts lists at 1,000 documents"
		return cwl(given("max_rel"))
	case &infoJudged:
		r.ties = DocIDAsc
		return r, !m.judged
	case &infoCompat:
		r.ties = DocIDAsc
		r.formula, r.why = compatByScore,
			"ir_measures orders equal grades of the ideal ranking by score, 0 for documents not retrieved, and then "+
				"as the qrels do"
		return r, !m.judged
	case &infoAccuracy:
		r.ties = Stable
		r.counts = func(m Measure, t *Topic) bool { t.Prepare(); return m.found(t.hits, m.cut) > 0 }
		r.missing = missingSkipped
		r.why = "ir_measures leaves out queries for which nothing relevant was retrieved"
		return r, !m.judged
	case &infoAlphaDCG, &infoERRIA:
		if m.cut == 1 {
			r.formula, r.why = unnormalised, "ndeval forgets to normalise at cutoff 1"
		}
		fallthrough
	case &infoAlphaNDCG, &infoNERRIA, &infoPIA, &infoStRecall:
		r.ties = DocIDAsc
		return r, m.cut > 0 && m.cut <= 20
	case &infoNRBP, &infoNNRBP, &infoAPIA:
		r.ties = DocIDAsc
		return r, true
	}
	return r, false
}

// cwlRBP is rank-biased precision normalised as in cwl_eval.
func cwlRBP(m Measure, _ *List, _ []int, t *Topic) float64 {
	t.Prepare()
	p := m.Float("p")
	norm, w := 0.0, 1.0
	for range horizon {
		norm += w
		w = float64(w * p)
	}
	sum := 0.0
	hits, _ := t.list(m.judged)
	for _, h := range hits {
		if int(h.Rank) <= horizon && m.isRel(h.Grade) {
			sum += power(p, h.Rank-1)
		}
	}
	return sum / norm
}

// cwlCut scores with a cutoff of at most cwl_eval's horizon.
func cwlCut(m Measure, _ *List, _ []int, t *Topic) float64 {
	m.cut = min(m.cut, horizon)
	return m.Score(t)
}

// unnormalised undoes the division by the number of subtopics.
func unnormalised(m Measure, _ *List, _ []int, t *Topic) float64 {
	if t.Subtopics == nil {
		return 0
	}
	v := m.Score(t)
	_, a := t.Subtopics.relevantTo(m.rel)
	return v * float64(a)
}

// compatByScore is Compat with ir_measures' ideal ranking: by grade, then by score in the run (0 if absent), then
// in qrels order. Without the ids of the qrels it equals Compat.
func compatByScore(m Measure, l *List, order []int, t *Topic) float64 {
	if len(l.JudgedIDs) != len(l.Judged) {
		return m.Score(t)
	}
	score := make(map[string]float64, len(l.IDs))
	for i, id := range l.IDs {
		score[id] = l.Scores[i]
	}
	var ideal []int // indices into Judged
	for i, g := range l.Judged {
		if g > 0 {
			ideal = append(ideal, i)
		}
	}
	slices.SortStableFunc(ideal, func(a, b int) int {
		if c := cmp.Compare(l.Judged[b], l.Judged[a]); c != 0 {
			return c
		}
		return cmp.Compare(score[l.JudgedIDs[b]], score[l.JudgedIDs[a]])
	})
	place := make(map[string]int, len(ideal))
	for p, i := range ideal {
		place[l.JudgedIDs[i]] = p + 1
	}
	depth := max(len(order), len(ideal))
	if len(ideal) == 0 || depth == 0 {
		return 0
	}
	common := make([]int, depth+1)
	for r, i := range order {
		if p, ok := place[l.IDs[i]]; ok {
			common[max(r+1, p)]++
		}
	}
	var sum, best, weights float64
	weight, overlap := 1.0, 0
	for i := 1; i <= depth; i++ {
		overlap += common[i]
		sum += weight * float64(overlap) / float64(i)
		best += weight * float64(min(i, len(ideal))) / float64(i)
		weights += weight
		weight = float64(weight * m.Float("p"))
	}
	if m.Float("normalize") != 0 {
		return sum / best
	}
	return sum / weights
}
