//go:build !first

package measure

import "strconv"

// castorini/anserini, docs/regressions: trec_eval 9.0.4 with -c over runs whose ties are broken by ascending id.
var conventionAnserini = Convention{
	Name: "Anserini", Version: "trec_eval -c of its runs", plan: planAnserini, grades: gradesCut,
	Doc: "trec_eval with -c, and with -M for the reciprocal rank at a cutoff, after the ties of a run are " +
		"broken by ascending document id.",
}

func planAnserini(m Measure) (recipe, bool) {
	if m.info == &infoRR && m.cut > 0 && !m.judged && m.rel == 1 {
		return recipe{as: "recip_rank -c -M " + strconv.Itoa(m.cut), measure: m, ties: DocIDAsc}, true
	}
	r, ok := planTrecEval(m)
	r.as, r.ties = r.as+" -c", DocIDAsc
	return r, ok
}
