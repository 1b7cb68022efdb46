//go:build !first || lessons

package measure

import "math"

var paramVersion = Param{Name: "version", Kind: KindInt, Default: 10, Min: 9, Max: 10,
	Doc: "how to turn the recall point x into a number of documents, by version of trec_eval: 10 rounds x R to the " +
		"nearest, 9 takes floor(x R + 0.9)"}

var infoIPrec = Info{
	Name:    "IPrec",
	Title:   "interpolated precision at a recall point",
	Brief:   "The best precision at or after the point where the given share of the relevant documents has been found.",
	Group:   Binary,
	Aliases: []Alias{{"trec_eval", "iprec_at_recall", ""}, {"trec_eval", "ircl_prn", ""}},
	Params: []Param{
		paramVersion, relevance, judgedOnly,
		{Name: "recall", Kind: KindFloat, At: true, Required: true, Min: 0, Max: 1,
			Doc: "recall point, from 0 to 1"},
	},
	Formula: "IPrec@x = max of P@i over ranks i from that of relevant document number c on, c = round(x R); 0 if " +
		"fewer than c are found",
	High: 1,
	Reference: "C. Buckley and E. M. Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation, MIT " +
		"Press 2005, " +
		"chapter 3",
	Example: Example{
		Measure: "IPrec@0.5", Ranked: []float64{0, 1, 1, 0}, Judged: []float64{0, 1, 1, 0}, Value: 2.0 / 3,
		Working: "c = 1, found at rank 2; precision 1/2 there and 2/3 at rank 3: the larger is 2/3",
	},
	Notes: []string{
		"trec_eval 9, and with it pytrec_eval and ir_measures, uses version=9: with R = 3 and x = 0.4 it asks for 2 " +
			"documents, version 10 for 1.",
		"trec_eval -J prints -nan if a list has no document left; Rankbox gives 0.",
	},
	better: betterRelevant,
	open:   openScan,
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		return m.interpolated(hits, m.recallPoint(m.Float("recall"), t.relevant(m.rel)))
	},
}

// RecallLevels returns the measures of the standard precision-recall curve: recall 0, 0.1 … 1.
func RecallLevels() []Measure {
	out := make([]Measure, 11)
	for i := range out {
		out[i] = infoIPrec.blank()
		out[i].setFloat("recall", float64(i)/10)
	}
	return out
}

// RecallLevel returns the recall at which m takes precision, or false for any other measure.
func (m Measure) RecallLevel() (recall float64, ok bool) {
	if m.info != &infoIPrec {
		return 0, false
	}
	return m.Float("recall"), true
}

// recallPoint converts a share x of r relevant documents to a number of documents.
func (m *Measure) recallPoint(x float64, r int) int {
	if m.Float("version") == 9 {
		return int(float64(x*float64(r)) + 0.9)
	}
	return int(math.Round(x * float64(r)))
}

// interpolated returns the largest precision at relevant document c or a later one (at any for c = 0), or 0 if
// there is none.
func (m *Measure) interpolated(hits []Hit, c int) float64 {
	n, best := 0, 0.0
	for _, h := range hits {
		if m.isRel(h.Grade) {
			if n++; n >= c {
				best = max(best, float64(n)/float64(h.Rank))
			}
		}
	}
	return best
}
