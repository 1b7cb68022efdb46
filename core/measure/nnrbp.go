//go:build !first

package measure

var infoNNRBP = Info{
	Name:    "nNRBP",
	Title:   "normalised novelty- and rank-biased precision",
	Brief:   "Novelty- and rank-biased precision as a share of that of an ideal ranking.",
	Group:   Diverse,
	Params:  []Param{paramAlpha, paramBeta, relevance},
	Formula: "nNRBP = NRBP / NRBP of the ideal ranking of alpha_nDCG",
	High:    1.582,
	Reference: "C. L. A. Clarke, M. Kolla and O. Vechtomova, An effectiveness measure for ambiguous and " +
		"underspecified queries, ICTIR 2009",
	Example: Example{
		Measure: "nNRBP", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: 1.75 / (2 + 0.25 +
			0.125),
		Working: "1 + 1.5/2 over the ideal's 2 + 0.5/2 + 0.5/4",
	},
	Notes: []string{
		"The greedy ideal need not be the best ranking, so values slightly above 1 are possible.",
		"ndeval gives NaN for a query without a relevant document; the value here is 0.",
		noSubtopics,
	},
	better: betterSubtopics,
	spread: spreadNRBP(true),
	unfold: func(u *unfolder) {
		u.rankBiased()
		if s := u.t.Subtopics; s != nil {
			alpha, beta := u.m.Float("alpha"), u.m.Float("beta")
			u.over(s.rankBiased(s.idealList(alpha, u.m.rel), alpha, beta, u.m.rel), byBest)
		}
	},
	score: func(m Measure, t *Topic) float64 {
		s := t.Subtopics
		if s == nil {
			return 0
		}
		alpha, beta := m.Float("alpha"), m.Float("beta")
		best := s.rankBiased(s.idealList(alpha, m.rel), alpha, beta, m.rel)
		if best == 0 {
			return 0
		}
		return s.rankBiased(s.list(m.judged), alpha, beta, m.rel) / best
	},
}
