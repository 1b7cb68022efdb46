//go:build !first

package measure

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoNRBP = Info{
	Name:    "NRBP",
	Title:   "novelty- and rank-biased precision",
	Brief:   "Rank-biased precision in which a sub-topic counts less each time it reappears.",
	Group:   Diverse,
	Params:  []Param{paramAlpha, paramBeta, relevance},
	Formula: "NRBP = ((1 - (1 - alpha) beta) / A) sum over ranks i of g(i) beta^(i-1); g and A as in alpha_DCG",
	High:    1,
	Reference: "C. L. A. Clarke, M. Kolla and O. Vechtomova, An effectiveness measure for ambiguous and " +
		"underspecified queries, ICTIR 2009",
	Example: Example{
		Measure: "NRBP", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: 0.75 / 2 * 1.75,
		Working: "gains 1 and 1.5: (1 - 1/4) / 2 x (1 + 1.5/2)",
	},
	Notes:  []string{noSubtopics},
	better: betterSubtopics,
	spread: spreadNRBP(false),
	unfold: func(u *unfolder) {
		u.rankBiased()
		if s := u.t.Subtopics; s != nil {
			_, a := s.relevantTo(u.m.rel)
			u.over(float64(a)/(1-float64((1-u.m.Float("alpha"))*u.m.Float("beta"))),
				bySubtopics+" / (1 - (1 - alpha) beta)")
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
		alpha, beta := m.Float("alpha"), m.Float("beta")
		return s.rankBiased(s.list(m.judged), alpha, beta, m.rel) * (1 - float64((1-alpha)*beta)) / float64(a)
	},
}

// rankBiased returns the sum over ranks i of the gain at i times beta^(i-1).
func (s *Subtopics) rankBiased(list []int32, alpha, beta float64, rel float64) float64 {
	s.resetGains()
	sum, weight := 0.0, 1.0
	for _, d := range list {
		sum += float64(s.take(d, alpha, rel) * weight)
		weight = float64(weight * beta)
	}
	return sum
}

// rankBiased sets every document's term to its gain times beta^(rank - 1).
func (u *unfolder) rankBiased() {
	weight, beta := 1.0, u.m.Float("beta")
	u.novel(0, u.m.Float("alpha"), func(p *Part, gain float64) {
		p.Term = float64(gain * weight)
		p.Work = say.Plain.Short(gain) + " x " + say.Plain.Short(beta) + "^" + strconv.Itoa(p.Rank-1)
		weight = float64(weight * beta)
	})
}

// spreadNRBP returns the spread of NRBP or nNRBP.
func spreadNRBP(normalised bool) func(m Measure, t *Topic) (lo, hi float64, ok bool) {
	return func(m Measure, t *Topic) (lo, hi float64, ok bool) {
		s := t.Subtopics
		if s == nil {
			return 0, 0, true
		}
		alpha, beta := m.Float("alpha"), m.Float("beta")
		_, a := s.relevantTo(m.rel)
		norm := float64(a) / (1 - float64((1-alpha)*beta))
		if normalised {
			norm = s.rankBiased(s.idealList(alpha, m.rel), alpha, beta, m.rel)
		}
		if norm == 0 || a == 0 {
			return 0, 0, true
		}
		lo, hi, ok = noveltyProblem(m, t, alpha, func(gain float64, r int) float64 {
			return float64(gain * power(beta, int32(r-1)))
		}).solve()
		return lo / norm, hi / norm, ok
	}
}
