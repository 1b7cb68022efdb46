package measure

import (
	"math"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoERR = Info{
	Name:  "ERR",
	Title: "expected reciprocal rank",
	Brief: "The expected reciprocal of the rank that satisfies a reader. The higher a document's grade, the " +
		"likelier the reader stops there.",
	Group:   User,
	Aliases: []Alias{{"gdeval", "err", ""}},
	Params: []Param{
		{Name: "max_rel", Kind: KindInt, Default: 4, Min: 1, Max: 60,
			Doc: "highest grade of the scale; higher grades count as this one"},
		cutoff,
	},
	Formula: "ERR@k = sum over ranks i <= k of (1/i) s(i) product over j < i of (1 - s(j)), s(i) = (2^grade - 1) " +
		"/ 2^max_rel",
	High: 1,
	Reference: "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, Expected reciprocal rank for graded " +
		"relevance, CIKM 2009",
	Example: Example{
		Measure: "ERR(max_rel=1)@3", Ranked: []float64{1, 0, 1}, Value: 0.5 + 0.5*0.5/3,
		Working: "1/2 at rank 1; the reader continues with probability 1/2 and is satisfied at rank 3 with 1/2: 1/2 " +
			"+ 1/3 x 1/4",
	},
	Notes: []string{
		"gdeval, which ir_measures uses, has the top grade 4 built in and prints five decimals; give max_rel for " +
			"other scales.",
	},
	better: betterGrade,
	open:   openFirst,
	least:  always,
	unfold: func(u *unfolder) {
		left, top := 1.0, u.m.Float("max_rel")
		u.each(u.m.cut, func(p *Part) bool {
			if s := satisfaction(p.Grade, top); s > 0 {
				p.Term, p.Work = float64(s*left)/float64(p.Rank), say.Plain.Short(s)+" x "+say.Plain.Short(left)+" / "+
					strconv.Itoa(p.Rank)
				left = float64(left * (1 - s))
			}
			return true
		})
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		sum, goesOn, top := 0.0, 1.0, m.Float("max_rel")
		for _, h := range hits {
			if m.cut > 0 && int(h.Rank) > m.cut {
				break
			}
			s := satisfaction(h.Grade, top)
			sum += s * goesOn / float64(h.Rank)
			goesOn = float64(goesOn * (1 - s))
		}
		return sum
	},
}

// satisfaction returns the probability that a document of this grade satisfies the reader, who then stops. top is
// the highest grade of the scale.
func satisfaction(grade, top float64) float64 {
	return exponential(min(max(grade, 0), top)) / math.Ldexp(1, int(top))
}
