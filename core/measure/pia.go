//go:build !first

package measure

import "github.com/rankbox/rankbox/core/base/say"

var infoPIA = Info{
	Name:    "P_IA",
	Title:   "intent-aware precision",
	Brief:   "Precision at k computed for every sub-topic alone, and averaged over the sub-topics.",
	Group:   Diverse,
	Aliases: []Alias{{"ndeval", "P-IA", ""}},
	Params:  []Param{relevance, judgedOnly, cutoff},
	Formula: "P_IA@k = |pairs of a document in ranks 1..k and a sub-topic it is relevant to| / (k A), A the " +
		"sub-topics with a relevant document",
	High:      1,
	Reference: "R. Agrawal, S. Gollapudi, A. Halverson and S. Ieong, Diversifying search results, WSDM 2009",
	Example: Example{
		Measure: "P_IA@2", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: 0.75,
		Working: "1 + 2 pairs over 2 x 2",
	},
	Notes:  []string{"Without a cutoff, k is the length of the list.", noSubtopics},
	better: betterSubtopics,
	unfold: func(u *unfolder) {
		u.novel(u.m.cut, 0, func(p *Part, gain float64) { p.Term, p.Work = gain, say.Plain.Short(gain) })
		if s := u.t.Subtopics; s != nil {
			_, a := s.relevantTo(u.m.rel)
			k := u.m.cut
			if k == 0 {
				k = len(u.list)
			}
			u.over(float64(k)*float64(a), "ranks looked at x "+bySubtopics)
		}
	},
	score: func(m Measure, t *Topic) float64 {
		s := t.Subtopics
		if s == nil {
			return 0
		}
		_, a := s.relevantTo(m.rel)
		list := s.list(m.judged)
		k := m.cut
		if k == 0 {
			k = len(list)
		}
		if a == 0 || k == 0 {
			return 0
		}
		n := 0
		for _, d := range list[:min(k, len(list))] {
			if d < 0 {
				continue
			}
			for _, g := range s.Docs[d] {
				if g >= m.rel {
					n++
				}
			}
		}
		return float64(n) / (float64(k) * float64(a))
	},
}
