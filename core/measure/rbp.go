package measure

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var paramTopGrade = Param{Name: "max_rel", Kind: KindInt, Optional: true, Min: 1, Max: 1e6,
	Doc: "highest grade of the scale; default: the highest grade of the collection's qrels"}

var infoRBP = Info{
	Name:    "RBP",
	Title:   "rank-biased precision",
	Brief:   "The gain per document for a reader who continues to the next document with probability p.",
	Group:   User,
	Aliases: []Alias{{"trec_eval", "rbp", "p=0.9"}, {"ranx", "rbp", ""}},
	Params: []Param{
		{Name: "rel", Kind: KindInt, Decimal: true, Optional: true, Min: -1e6, Max: 1e6,
			Doc: "lowest grade that counts as relevant, with gain 1; without it the gain is grade / max_rel"},
		{Name: "p", Kind: KindFloat, Default: 0.8, Min: 0, Max: 1,
			Doc: "persistence: the probability of continuing to the next document"},
		{Name: "max_rel", Kind: KindInt, Optional: true, Min: 1, Max: 1e6,
			Doc: "highest grade of the scale, without rel; default: the highest grade of the collection's qrels"},
		cutoff,
	},
	Formula: "RBP = (1 - p) sum over ranks i of gain(i) p^(i-1)",
	High:    1,
	Reference: "A. Moffat and J. Zobel, Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS " +
		"27(1), 2008, article 2",
	Example: Example{
		Measure: "RBP(rel=1,p=0.5)", Ranked: []float64{1, 0, 1}, Value: 0.625,
		Working: "0.5 x (1 + 0.25)",
	},
	Notes: []string{
		"ranx writes p without its leading zero, rbp.95, and does not divide grades by the highest one.",
		"cwl_eval, which ir_measures uses, divides by the sum of the first 1,000 weights instead of 1/(1 - p): the " +
			"same to 1e-9 up to p = 0.97, 0.004% more at p = 0.99.",
		"trec_eval scales by the highest grade of the query, not of the collection; version 10.0-rc3 never sets the " +
			"variables it starts that search from.",
	},
	better: betterRBP,
	open:   openFirst,
	least:  always,
	unfold: func(u *unfolder) {
		x, top := u.m.Float("p"), u.m.rbpTop(u.t)
		u.each(u.m.cut, func(p *Part) bool {
			g := u.m.rbpGain(p.Grade, top)
			if g == 0 {
				return true
			}
			p.Term, p.Work = float64(g*float64((1-x)*power(x,
				int32(p.Rank-1)))), say.Plain.Short(1-x)+" x "+say.Plain.Short(x)+"^"+strconv.Itoa(p.Rank-1)
			if g != 1 {
				p.Work = say.Plain.Short(g) + " x " + p.Work
			}
			return true
		})
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		p, top := m.Float("p"), m.rbpTop(t)
		sum, weight, at := 0.0, 1.0, int32(1)
		for _, h := range hits {
			if m.cut > 0 && int(h.Rank) > m.cut {
				break
			}
			g := m.rbpGain(h.Grade, top)
			if g == 0 {
				continue
			}
			weight = float64(weight * power(p, h.Rank-at))
			at = h.Rank
			sum += float64(g * weight)
		}
		return float64((1 - p) * sum)
	},
}

// rbpTop returns the highest grade of the scale.
func (m *Measure) rbpTop(t *Topic) float64 {
	if v := m.Float("max_rel"); v != notGiven {
		return v
	}
	return t.top()
}

// rbpGain returns the gain of a grade in [0,1], top the highest grade of the scale.
func (m *Measure) rbpGain(grade, top float64) float64 {
	if m.rel != noLevel {
		if m.isRel(grade) {
			return 1
		}
		return 0
	}
	return min(max(grade, 0), top) / top
}

// power returns x^n for n >= 0 by repeated squaring.
func power(x float64, n int32) float64 {
	r := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			r = float64(r * x)
		}
		x = float64(x * x)
	}
	return r
}

func betterRBP(m *Measure, t *Topic, i int) float64 { return m.rbpGain(t.Ranked[i], m.rbpTop(t)) }
