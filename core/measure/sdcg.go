//go:build !first

package measure

import "github.com/rankbox/rankbox/core/base/say"

var infoSDCG = Info{
	Name:  "SDCG",
	Title: "scaled discounted cumulative gain",
	Brief: "Discounted cumulative gain as a share of that of k documents of the highest grade.",
	Group: User,
	Params: []Param{
		{Name: "dcg", Kind: KindChoice, Choices: []string{"log2"}, Doc: "form of the gain; only 'log2'"},
		paramMinRel, paramTopGrade, cutoffRequired,
	},
	Formula: "SDCG@k = (sum over ranks i <= k of gain(i) / log2(i + 1)) / (sum over i <= k of 1 / log2(i + 1)), " +
		"gain = (grade - min_rel) / (max_rel - min_rel)",
	High: 1,
	Reference: "A. Moffat, P. Bailey, F. Scholer and P. Thomas, Incorporating user expectations and behavior into " +
		"the measurement of search effectiveness, ACM TOIS 35(3), 2017",
	Example: Example{
		Measure: "SDCG(max_rel=2)@3", Ranked: []float64{2, 0, 1}, Value: 1.25 / (1 + 1/1.5849625007211562 + 0.5),
		Working: "(1 + 0.5 x 0.5) / (1 + 0.6309 + 0.5)",
	},
	Notes:  []string{"cwl_eval reads at most the first 1,000 ranks, whatever k is."},
	check:  checkScale,
	better: betterScaled,
	open:   openFirst,
	least:  always,
	unfold: func(u *unfolder) {
		scale := u.m.scale(u.t)
		u.each(u.m.cut, func(p *Part) bool {
			if g := scale.gain(p.Grade); g > 0 {
				p.Term, p.Work = g/log2Rank(int32(p.Rank)), say.Plain.Short(g)+" / "+logOf(p.Rank)
			}
			return true
		})
		u.over(discountSum(u.m.cut), "1 / log2(i + 1) over all ranks to the cutoff")
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		sum, scale := 0.0, m.scale(t)
		for _, h := range hits {
			if int(h.Rank) > m.cut {
				break
			}
			sum += scale.gain(h.Grade) / log2Rank(h.Rank)
		}
		return sum / discountSum(m.cut)
	},
}

// discountSum returns the sum of 1/log2(i+1) over i <= k.
func discountSum(k int) float64 { return byLog.best(k, 0) }
