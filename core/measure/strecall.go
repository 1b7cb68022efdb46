//go:build !first

package measure

import "github.com/rankbox/rankbox/core/base/say"

var infoStRecall = Info{
	Name:    "StRecall",
	Title:   "sub-topic recall",
	Brief:   "The share of the sub-topics that the first k documents cover.",
	Group:   Diverse,
	Aliases: []Alias{{"ndeval", "strec", ""}, {"", "S-recall", ""}},
	Params:  []Param{relevance, cutoff},
	Formula: "StRecall@k = |sub-topics with a relevant document in ranks 1..k| / A, A the sub-topics with a " +
		"relevant document in the qrels",
	High: 1,
	Reference: "C. Zhai, W. W. Cohen and J. Lafferty, Beyond independent relevance: methods and evaluation metrics " +
		"for subtopic retrieval, SIGIR 2003",
	Example: Example{
		Measure: "StRecall@1", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: 0.5,
		Working: "the document at rank 1 covers one of two sub-topics",
	},
	Notes:  []string{noSubtopics},
	better: betterSubtopics,
	spread: spreadStRecall,
	unfold: func(u *unfolder) {
		u.novel(u.m.cut, 1, func(p *Part, gain float64) { p.Term, p.Work = gain, say.Plain.Short(gain) })
		if s := u.t.Subtopics; s != nil {
			_, a := s.relevantTo(u.m.rel)
			u.over(float64(a), bySubtopics)
		}
	},
	score: func(m Measure, t *Topic) float64 {
		s := t.Subtopics
		if s == nil {
			return 0
		}
		_, a := s.relevantTo(m.rel)
		if a == 0 {
			return 0
		}
		list := s.list(m.judged)
		list = list[:m.usedRanks(len(list))]
		// With alpha = 1 a subtopic counts once.
		s.resetGains()
		n := 0.0
		for _, d := range list {
			n += s.take(d, 1, m.rel)
		}
		return n / float64(a)
	},
}

// spreadStRecall: with alpha = 1 a subtopic counts once.
func spreadStRecall(m Measure, t *Topic) (lo, hi float64, ok bool) {
	s := t.Subtopics
	if s == nil {
		return 0, 0, true
	}
	_, a := s.relevantTo(m.rel)
	if a == 0 {
		return 0, 0, true
	}
	lo, hi, ok = noveltyProblem(m, t, 1, func(gain float64, r int) float64 {
		if m.cut > 0 && r > m.cut {
			return 0
		}
		return gain
	}).solve()
	return lo / float64(a), hi / float64(a), ok
}
