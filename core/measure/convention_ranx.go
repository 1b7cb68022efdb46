//go:build !first

package measure

import (
	"strconv"
	"strings"
)

var conventionRanx = Convention{
	Name: "ranx", Version: "0.3.21", plan: planRanx, grades: gradesCut,
	Doc: "An unstable sort leaves tied documents in an unpredictable order (here: as in the file, which holds for up " +
		"to 15 documents). RBP uses raw grades.",
}

// planRanx maps measures to ranx's names and decisions.
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
		if m.Float("beta") != 1 {
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
		if m.exponential {
			r.as = r.as[:len(r.as)-len(at)] + "_burges" + at
		}
		if m.table != nil {
			return r, false
		}
	case &infoSetP:
		r.as = "precision"
		if m.Float("relative") != 0 {
			return r, false
		}
	case &infoSetR:
		r.as = "recall"
	case &infoSetF:
		r.as = "f1"
		if m.Float("beta") != 1 {
			return r, false
		}
	case &infoNumRet:
		r.as = "hits"
		r.mean = true
		if m.rel == noLevel {
			return r, false
		}
	case &infoRBP:
		// Digits after the point are decimals, so p = 1 cannot be written.
		decimals, ok := strings.CutPrefix(strconv.FormatFloat(m.Float("p"), 'f', -1, 64), "0")
		if m.rel != noLevel || m.cut > 0 || !ok {
			return r, false
		}
		if r.as = "rbp" + decimals; decimals == "" {
			r.as = "rbp.0"
		}
		r.why = "ranx takes grades as gains without dividing by the highest grade"
		r.formula = func(m Measure, _ *List, _ []int, t *Topic) float64 {
			m.setFloat("max_rel", 1e6)
			return m.Score(t) * 1e6
		}
	case &infoBpref:
		r.as = "bpref"
		r.formula, r.counts = ranxBpref, ranxBprefCounts
		r.why = "ranx treats negative grades as judged non-relevant. It divides by 0 if a query has no such " +
			"document, and " +
			"then loses other queries of the same thread too: Rankbox omits that query alone"
	default:
		return r, false
	}
	r.as += level
	return r, true
}

// ranxBprefCounts reports whether ranx's divisor is positive: it divides found relevant documents by the judged
// non-relevant ones.
func ranxBprefCounts(m Measure, t *Topic) bool {
	t.Prepare()
	return t.relevant(m.rel) < len(t.Judged) || m.found(t.hits, 0) == 0
}

// ranxBpref is Bpref with negative grades as judged and non-relevant.
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
