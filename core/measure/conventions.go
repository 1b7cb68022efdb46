package measure

import (
	"math"
	"slices"
	"strconv"
)

var conventions = []*Convention{
	{Name: "trec_eval", Version: "10.0-rc3", plan: planTrecEval,
		Doc: "Equal scores by document id descending, doubles, and with -c a judged query that the run lacks counts as an empty list. The reference."},
	{Name: "trec_eval 9", Version: "9.0.4", plan: planTrecEval9,
		Doc: "The version that most people have: scores in single precision, the old rounding of recall points, and with -c 0 for a judged query that the run lacks."},
	{Name: "pytrec_eval", Version: "pytrec_eval-terrier 0.5.11", plan: planPytrecEval,
		Doc: "trec_eval 9 inside: scores in single precision, the old rounding of recall points, and queries that the run lacks are left out."},
	{Name: "ir_measures", Version: "0.4.3", plan: planIRMeasures,
		Doc: "Hands every measure to another tool, which breaks ties in its own way: pytrec_eval by id descending, msmarco, judged, compat and pyndeval by id ascending, cwl_eval and accuracy as in the file. A query that the run lacks counts 0."},
	{Name: "ranx", Version: "0.3.21", plan: planRanx,
		Doc: "A sort that is not stable leaves tied documents in no order that could be relied on (here: as in the file, which is what it does for up to 15 documents); RBP takes grades as they are."},
	{Name: "BEIR", Version: "2.2.0", plan: planBEIR,
		Doc: "pytrec_eval after dropping every retrieved document whose id is that of the query; MRR, capped recall and accuracy of its own, with ties as in the file. Means are rounded to five decimals."},
	{Name: "MTEB", Version: "2.26.24", plan: planMTEB,
		Doc: "pytrec_eval over the queries of the run; MRR@k of its own with the same ties in double precision. Means are rounded to five decimals."},
	{Name: "sklearn", Version: "scikit-learn 1.9.1", plan: planSklearn,
		Doc: "Knows only the retrieved documents: the ideal ranking and the number of relevant documents are those of the list. Tied documents share their ranks."},
	{Name: "PyTerrier", Version: "1.0", plan: planPyTerrier,
		Doc: "pt.Experiment uses ir_measures and counts 0 for every topic with qrels that the run lacks."},
}

// trecName returns what trec_eval calls a measure, with the options that its parameters stand for, and whether it has it.
func trecName(m Measure) (string, bool) {
	options := ""
	if p := m.info.param("rel"); p != nil && m.rel != noLevel && m.rel != 1 {
		options = " -l" + strconv.Itoa(int(m.rel))
		m.rel = 1
	}
	if m.judged {
		options += " -J"
		m.judged = false
	}
	want := m.String()
	for _, tm := range trecMeasures {
		tg, ok := lookup(tm.of)
		if !ok || tg.info != m.info || tm.kind == trecGeo {
			continue
		}
		base := tg.info.blank()
		if preset(&base, tg.set) != nil {
			continue
		}
		params := ""
		switch at := base.info.at(); {
		case tm.kind == trecCuts && !m.isDefault(at):
			base.set(at, m.get(at))
			params = "_" + strconv.Itoa(m.cut)
		case tm.kind == trecPoints:
			base.set(at, m.get(at))
			params = "_" + strconv.FormatFloat(m.get(at), 'f', 2, 64)
		case tm.kind == trecCuts || m.cut != 0:
			continue
		case tm.kind == trecGains && m.table != nil:
			base.table = m.table
			params = "." + gainPairs(m.table)
		case m.info == &infoRBP || m.info == &infoRBPResid:
			if base.x[slotP] != m.x[slotP] {
				base.x[slotP] = m.x[slotP]
				params = ".p=" + gainText(m.x[slotP])
			}
		case m.info == &infoSetF && m.x[slotSetFBeta] != 1:
			base.x[slotSetFBeta] = m.x[slotSetFBeta]
			params = "." + gainText(m.x[slotSetFBeta])
		case m.info == &infoUtility && m.x != base.x:
			base.x = m.x
			for i, v := range m.x[:slotUtilDocs] {
				params += ".,,,"[i:i+1] + gainText(v)
			}
			if n := m.x[slotUtilDocs]; n != 0 {
				options = " -N" + gainText(n) + options
			}
		case m.info == &infoIPrecAvg && m.table != nil:
			base.table = m.table
			for i, v := range m.table.val {
				params += ".,"[min(i, 1):min(i, 1)+1] + gainText(v)
			}
		}
		if base.String() == want {
			return tm.name + params + options, true
		}
	}
	return "", false
}

// gainPairs writes gains as trec_eval reads them: 1=3,2=9.
func gainPairs(t *table) string {
	s := ""
	for i, k := range t.key {
		if i > 0 {
			s += ","
		}
		s += strconv.Itoa(int(k)) + "=" + gainText(t.val[i])
	}
	return s
}

func planTrecEval(m Measure) (recipe, bool) {
	name, ok := trecName(m)
	r := recipe{as: name, measure: m, ties: DocIDDesc}
	if m.info.Group == Preferring {
		r.ties = DocIDAsc
	}
	if m.info == &infoRBP {
		r.why = "trec_eval takes the highest grade of the query, not of the collection, as the top of the scale"
		r.formula = func(m Measure, _ *List, _ []int, t *Topic) float64 {
			t.TopGrade = 0
			return m.Score(t)
		}
	}
	return r, ok
}

func planPytrecEval(m Measure) (recipe, bool) {
	plain := m
	if m.info == &infoIPrec || m.info == &infoIPrecAvg {
		plain.x[slotVersion] = 10
	}
	name, ok := trecName(plain)
	switch m.info {
	case &infoRBP, &infoRBPResid, &infoUnj, &infoDCG, &infoIDCG: // newer than the trec_eval inside
		ok = false
	}
	if m.info.Group == Grouped || m.info.Group == Preferring {
		ok = false // it is given grades alone
	}
	r := recipe{as: name, measure: plain, ties: DocIDDesc, float32: true, missing: missingSkipped}
	if m.info == &infoIPrec || m.info == &infoIPrecAvg {
		r.measure.x[slotVersion] = 9
		r.why = "trec_eval 9 asks for floor(x R + 0.9) relevant documents where version 10 rounds x R to the nearest"
	}
	return r, ok
}

func planTrecEval9(m Measure) (recipe, bool) {
	if g := m.info.Group; g == Grouped || g == Preferring {
		r, ok := planTrecEval(m)
		r.float32, r.missing = true, missingNothing
		return r, ok
	}
	r, ok := planPytrecEval(m)
	if r.missing = missingNothing; m.info == &infoNumRel || m.info == &infoNumQ {
		r.missing = missingScored // it knows these without a list
	}
	return r, ok
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
	case &infoP, &infoRprec, &infoAP, &infoR, &infoBpref, &infoNumRet, &infoNumQ, &infoSetP, &infoSetR, &infoSetF, &infoSetAP,
		&infoSuccess, &infoIPrec, &infoInfAP:
		p, _ := planPytrecEval(m)
		p.as, p.missing = m.String(), missingNothing
		return p, true
	case &infoNumRel:
		p, _ := planPytrecEval(m)
		p.as, p.missing = m.String(), missingNothing
		return p, m.rel == 1
	case &infoNDCG:
		if m.x[slotDCG] == 0 {
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
		return r, m.cut > 0 && m.x[slotERRTop] == 4 && !m.judged
	case &infoRBP:
		r.formula, r.why = cwlRBP, "cwl_eval cuts lists at 1,000 documents and divides by the sum of the first 1,000 weights"
		return cwl(given("rel") && m.cut == 0)
	case &infoSDCG, &infoBPM, &infoINST, &infoINSQ, &infoNERR8, &infoNERR9, &infoNERR10, &infoNERR11:
		r.formula, r.why = cwlCut, "cwl_eval cuts lists at 1,000 documents"
		return cwl(given("max_rel"))
	case &infoJudged:
		r.ties = DocIDAsc
		return r, !m.judged
	case &infoCompat:
		r.ties = DocIDAsc
		r.formula, r.why = compatByScore, "ir_measures orders equal grades of the ideal ranking by score, 0 for documents not retrieved, and then as the qrels do"
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

// cwlRBP is rank-biased precision as cwl_eval normalises it.
func cwlRBP(m Measure, _ *List, _ []int, t *Topic) float64 {
	t.Prepare()
	p := m.x[slotP]
	norm, w := 0.0, 1.0
	for range horizon {
		norm += w
		w = float64(w * p)
	}
	m.cut = horizon
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
	if m.cut > horizon {
		m.cut = horizon
	}
	return m.Score(t)
}

// unnormalised undoes the division by the number of sub-topics.
func unnormalised(m Measure, _ *List, _ []int, t *Topic) float64 {
	if t.Subtopics == nil {
		return 0
	}
	v := m.Score(t)
	_, a := t.Subtopics.relevantTo(m.rel)
	return v * float64(a)
}

// compatByScore is Compat with the ideal ranking of ir_measures: by grade, then by score in the run (0 for documents not in it),
// then in the order of the qrels. Without the ids of the qrels it is Compat.
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
		if c := int(l.Judged[b]) - int(l.Judged[a]); c != 0 {
			return c
		}
		x, y := score[l.JudgedIDs[a]], score[l.JudgedIDs[b]]
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
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
		weight = float64(weight * m.x[slotCompatP])
	}
	if m.x[slotCompatNorm] != 0 {
		return sum / best
	}
	return sum / weights
}

func planRanx(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing}
	level := ""
	if m.info.param("rel") != nil && m.rel != 1 && m.rel != noLevel {
		level = "-l" + strconv.Itoa(int(m.rel))
	}
	at := ""
	if m.cut > 0 {
		at = "@" + strconv.Itoa(m.cut)
	}
	if m.judged {
		return r, false
	}
	switch m.info {
	case &infoP:
		r.as = "precision" + at
	case &infoR:
		r.as = "recall" + at
	case &infoF:
		r.as = "f1" + at
		if m.x[slotFBeta] != 1 {
			return r, false
		}
	case &infoSuccess:
		r.as = "hit_rate" + at
	case &infoRR:
		r.as = "mrr" + at
	case &infoAP:
		r.as = "map" + at
	case &infoRprec:
		r.as = "r-precision"
	case &infoNDCG, &infoDCG:
		r.as = "ndcg" + at
		if m.info == &infoDCG {
			r.as = "dcg" + at
		}
		if m.x[slotDCG] != 0 {
			r.as = r.as[:len(r.as)-len(at)] + "_burges" + at
		}
		if m.table != nil {
			return r, false
		}
	case &infoSetP:
		r.as = "precision"
		if m.x[slotRelative] != 0 {
			return r, false
		}
	case &infoSetR:
		r.as = "recall"
	case &infoSetF:
		r.as = "f1"
		if m.x[slotSetFBeta] != 1 {
			return r, false
		}
	case &infoNumRet:
		r.as = "hits"
		if m.rel == noLevel {
			return r, false
		}
	case &infoRBP:
		if m.rel != noLevel || m.cut > 0 {
			return r, false
		}
		r.as = "rbp." + strconv.FormatFloat(m.x[slotP], 'f', -1, 64)[2:]
		r.why = "ranx takes grades as gains without dividing by the highest grade"
		r.formula = func(m Measure, _ *List, _ []int, t *Topic) float64 {
			m.x[slotRBPTop] = 1e6
			return m.Score(t) * 1e6
		}
	case &infoBpref:
		r.as = "bpref"
		r.formula, r.counts = ranxBpref, ranxBprefCounts
		r.why = "ranx takes negative grades for judged and not relevant, and gives no number where the query has no such document: such queries are left out here"
	default:
		return r, false
	}
	r.as += level
	return r, true
}

// ranxBprefCounts says whether ranx divides by something: found relevant documents by the judged ones that are not relevant.
func ranxBprefCounts(m Measure, t *Topic) bool {
	t.Prepare()
	return t.relevant(m.rel) < len(t.Judged) || m.found(t.hits, 0) == 0
}

// ranxBpref is Bpref with negative grades judged and not relevant.
func ranxBpref(m Measure, _ *List, _ []int, t *Topic) float64 {
	t.Prepare()
	r := t.relevant(m.rel)
	if r == 0 {
		return 0
	}
	bound := float64(min(r, len(t.Judged)-r))
	sum, n := 0.0, 0
	for _, h := range t.hits {
		if m.isRel(h.Grade) {
			sum += 1 - float64(min(n, r))/bound
		} else {
			n++
		}
	}
	return sum / float64(r)
}

func planBEIR(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: DocIDDesc, float32: true, identity: true, missing: missingSkipped}
	if m.cut == 0 || m.judged || m.info.param("rel") != nil && m.rel != 1 {
		return r, false
	}
	at := "@" + strconv.Itoa(m.cut)
	switch m.info {
	case &infoNDCG:
		r.as = "NDCG" + at
		return r, m.x[slotDCG] == 0 && m.table == nil
	case &infoAP:
		r.as = "MAP" + at
		return r, true
	case &infoR:
		r.as = "Recall" + at
		return r, true
	case &infoP:
		r.as = "P" + at
		return r, true
	}
	r.ties, r.float32, r.identity, r.missing = Stable, false, true, missingNothing
	switch m.info {
	case &infoRR:
		r.as = "MRR" + at
	case &infoRelativeP:
		r.as = "R_cap" + at
	case &infoSuccess:
		r.as = "Accuracy" + at
	default:
		return r, false
	}
	return r, true
}

func planMTEB(m Measure) (recipe, bool) {
	r := recipe{measure: m, ties: DocIDDesc, float32: true, missing: missingSkipped}
	if m.cut == 0 || m.judged || m.info.param("rel") != nil && m.rel != 1 {
		return r, false
	}
	at := "_at_" + strconv.Itoa(m.cut)
	switch m.info {
	case &infoNDCG:
		r.as = "ndcg" + at
		return r, m.x[slotDCG] == 0 && m.table == nil
	case &infoAP:
		r.as = "map" + at
	case &infoR:
		r.as = "recall" + at
	case &infoP:
		r.as = "precision" + at
	case &infoSuccess:
		r.as = "hit_rate" + at
	case &infoRR:
		r.as = "mrr" + at
		r.float32 = false
	default:
		return r, false
	}
	return r, true
}

func planPyTerrier(m Measure) (recipe, bool) {
	return planIRMeasures(m)
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
		r.why = "scikit-learn takes the ideal ranking from the retrieved documents only and gives tied documents the mean of their discounts"
		return r, m.x[slotDCG] == 0 && m.table == nil
	case &infoDCG:
		r.as, r.formula = "dcg_score("+k+")", sklearnDCG
		r.why = "scikit-learn gives tied documents the mean of their discounts"
		return r, m.x[slotDCG] == 0 && m.table == nil
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

func positive(g int32) float64 {
	if g > 0 {
		return float64(g)
	}
	return 0
}

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
	right, above := 0.0, 0 // above: non-relevant documents already passed
	tieGroups(t, func(from, to int) {
		n := 0
		for r := from; r <= to; r++ {
			if m.isRel(t.Ranked[r-1]) {
				n++
			}
		}
		here := to - from + 1 - n
		right += float64(float64(n) * (float64(non-above-here) + float64(here)/2))
		above += here
	})
	return right / (float64(rel) * float64(non))
}
