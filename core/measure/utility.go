//go:build !first

package measure

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
)

// utilityWorth names the measure's four numbers in trec_eval's order.
var utilityWorth = [4]string{"a", "b", "c", "d"}

var infoUtility = Info{
	Name:    "utility",
	Title:   "set utility",
	Brief:   "The value of the retrieved set: one amount for every relevant document and another for every other one.",
	Group:   Sets,
	Aliases: []Alias{{"trec_eval", "utility", ""}},
	Params: []Param{
		{Name: "a", Kind: KindFloat, Default: 1, Doc: "worth of a relevant document retrieved"},
		{Name: "b", Kind: KindFloat, Default: -1, Doc: "worth of another document retrieved"},
		{Name: "c", Kind: KindFloat, Doc: "worth of a relevant document not retrieved"},
		{Name: "d", Kind: KindFloat, Doc: "worth of another document not retrieved"},
		{Name: "docs", Kind: KindInt, Min: 0, Max: 1e9,
			Doc: "number of documents of the collection, needed for d (trec_eval -N)"},
		relevance, judgedOnly,
	},
	Formula: "utility = a f + b (n - f) + c (R - f) + d (docs + f - n - R), f the relevant documents retrieved, n " +
		"the documents retrieved",
	Low: math.Inf(-1), High: math.Inf(1),
	Reference: "trec_eval, measure utility; the linear utility of the TREC filtering track",
	Example: Example{
		Measure: "utility(a=3.0,b=-2.0)", Ranked: []float64{1, 0, 1}, Judged: []float64{1, 0, 1, 1}, Value: 4,
		Working: "3 x 2 - 2 x 1",
	},
	open:  openScan,
	least: func(m *Measure) bool { return m.Float("a") >= m.Float("b") },
	unfold: func(u *unfolder) {
		r := float64(u.t.relevant(u.m.rel))
		u.Base = float64(u.m.Float("c")*r) + float64(u.m.Float("d")*(u.m.Float("docs")-r))
		right, wrong := u.m.Float("a")-u.m.Float("c"), u.m.Float("b")-u.m.Float("d")
		u.each(0, func(p *Part) bool {
			if p.Term = wrong; u.m.isRel(p.Grade) {
				p.Term = right
			}
			if p.Term != 0 {
				p.Work = say.Plain.Short(p.Term)
			}
			return true
		})
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		f, r := m.found(hits, 0), t.relevant(m.rel)
		return float64(m.Float("a")*float64(f)) + float64(m.Float("b")*float64(n-f)) +
			float64(m.Float("c")*float64(r-f)) +
			float64(m.Float("d")*(m.Float("docs")+float64(f-n-r)))
	},
}
