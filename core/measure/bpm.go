package measure

import "github.com/rankbox/rankbox/core/say"

var infoBPM = Info{
	Name:      "BPM",
	Title:     "Bejeweled player model (static)",
	Brief:     "The gain per document of a reader who stops as soon as the gain T is reached or k documents have been looked at.",
	Group:     User,
	Params:    []Param{paramT, paramMinRel, paramTopGrade, cutoffRequired},
	Formula:   "BPM@k = S(s) / s, S(i) the gain up to rank i, s the first rank with S(s) >= T, or k",
	High:      1,
	Reference: "F. Zhang, Y. Liu, X. Li, M. Zhang, Y. Xu and S. Ma, Evaluating web search with a bejeweled player model, SIGIR 2017",
	Example: Example{
		Measure: "BPM(max_rel=2)@5", Ranked: []int32{1, 0, 1, 2}, Value: 1.0 / 3,
		Working: "gain 1/2 + 0 + 1/2 reaches T = 1 at rank 3: 1 / 3",
	},
	Notes:  []string{"cwl_eval looks at the first 1,000 ranks at most, whatever k is."},
	check:  checkScale,
	better: betterScaled,
	spread: spreadBPM,
	open:   openReader,
	unfold: func(u *unfolder) {
		total, stop := 0.0, u.m.cut
		u.each(u.m.cut, func(p *Part) bool {
			if g := u.m.scaledGain(p.Grade, u.t); g > 0 {
				p.Term, p.Work = g, say.Plain.Short(g)
				total += g
			}
			if total >= u.m.x[slotT] {
				stop = p.Rank
				return false
			}
			return true
		})
		u.over(float64(stop), "documents looked at")
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		total := 0.0
		for _, h := range hits {
			if int(h.Rank) > m.cut {
				break
			}
			total += m.scaledGain(h.Grade, t)
			if total >= m.x[slotT] {
				return total / float64(h.Rank)
			}
		}
		return total / float64(m.cut)
	},
}
