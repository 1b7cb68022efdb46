//go:build !first

package measure

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoRBPResid = Info{
	Name:  "rbp_resid",
	Title: "residual of rank-biased precision",
	Brief: "How much rank-biased precision could still grow if every unjudged document, in the list and after its " +
		"end, were fully relevant.",
	Group:   User,
	Aliases: []Alias{{"trec_eval", "rbp_resid", ""}},
	Params: []Param{
		{Name: "p", Kind: KindFloat, Default: 0.9, Min: 0, Max: 1,
			Doc: "persistence, as in RBP; note that trec_eval's default is 0.9, that of RBP 0.8"},
	},
	Formula: "rbp_resid = p^n + (1 - p) sum over unjudged ranks i of p^(i-1), n the length of the list",
	High:    1,
	Lower:   true,
	Reference: "A. Moffat and J. Zobel, Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS " +
		"27(1), 2008, section 3.3",
	Example: Example{
		Measure: "rbp_resid(p=0.5)", Ranked: []float64{1, Unjudged, 0}, Value: 0.375,
		Working: "0.125 for what follows rank 3, 0.5 x 0.5 for rank 2",
	},
	Notes: []string{
		"trec_eval 10.0-rc3 gives 0 if the list has no unjudged document, and omits the p^n of the following ranks: " +
			"0.125 in the example if rank 2 were judged.",
	},
	describes: true,
	better:    betterUnjudged,
	unfold: func(u *unfolder) {
		x := u.m.Float("p")
		u.Base = 1
		u.each(0, func(p *Part) bool {
			if p.Grade >= 0 {
				p.Term, p.Work = -float64((1-x)*power(x,
					int32(p.Rank-1))), "-"+say.Plain.Short(1-x)+" x "+say.Plain.Short(x)+"^"+strconv.Itoa(p.Rank-1)
			}
			return true
		})
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		p := m.Float("p")
		// All ranks and the tail weigh 1 together. Subtract the judged ranks.
		rest, weight, at := 1.0, 1-p, int32(1)
		for _, h := range hits {
			if h.Grade >= 0 {
				weight = float64(weight * power(p, h.Rank-at))
				at = h.Rank
				rest -= weight
			}
		}
		return max(rest, 0)
	},
}
