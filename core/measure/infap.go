//go:build !first

package measure

import "github.com/rankbox/rankbox/core/base/say"

const infapEpsilon = 0.00001

var infoInfAP = Info{
	Name:  "infAP",
	Title: "inferred average precision",
	Brief: "Average precision estimated from a sample of the pool: pooled but unjudged documents are assumed to be " +
		"like the judged ones.",
	Group:   Pooling,
	Aliases: []Alias{{"trec_eval", "infAP", ""}},
	Params:  []Param{relevance},
	Formula: "infAP = (1/R) sum over relevant documents at rank i of 1/i + ((i-1)/i) (d/(i-1)) ((r + e) / (r + n + " +
		"2e)): above rank i there " +
		"are d pooled documents, r relevant and n non-relevant ones; e = 0.00001; 0 if R = 0",
	High: 1.000001,
	Reference: "E. Yilmaz and J. A. Aslam, Estimating average precision with incomplete and imperfect " +
		"judgments, CIKM 2006",
	Example: Example{
		Measure: "infAP", Ranked: []float64{1, -1, Unjudged, 1}, Judged: []float64{1, -1, 1}, Value: (1 + 0.25 +
			0.5*(1.00001/1.00002)) / 2,
		Working: "rank 1 gives 1; rank 4 gives 1/4 + 3/4 x 2/3 x 1.00001/1.00002, because two of the three above are " +
			"pooled. The mean of both",
	},
	Notes: []string{
		"A negative grade marks a pooled but unjudged document.",
		"Even if the whole pool is judged, the value differs from AP in the sixth decimal, because of e.",
	},
	better: betterRelevant,
	spread: spreadInfAP,
	open:   openScan,
	unfold: func(u *unfolder) {
		var rel, non, unj int
		u.each(0, func(p *Part) bool {
			switch {
			case p.Grade == Unjudged:
			case p.Grade < 0:
				unj++
			case u.m.isRel(p.Grade):
				p.Term = infapTerm(p.Rank-1, rel, non, unj)
				p.Work = say.Plain.Short(p.Term)
				rel++
			default:
				non++
			}
			return true
		})
		u.over(float64(u.t.relevant(u.m.rel)), byRelevant)
	},
	score: func(m Measure, t *Topic) float64 {
		r := t.relevant(m.rel)
		if r == 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		var rel, non, unj int
		sum := 0.0
		for _, h := range hits {
			switch {
			case h.Grade < 0:
				unj++
			case m.isRel(h.Grade):
				sum += infapTerm(int(h.Rank)-1, rel, non, unj)
				rel++
			default:
				non++
			}
		}
		return sum / float64(r)
	},
}

// infapTerm returns the expected precision at a relevant document below so many others: rel relevant, non judged
// non-relevant, and unj pooled but unjudged ones.
func infapTerm(above, rel, non, unj int) float64 {
	if above == 0 {
		return 1
	}
	j := float64(above)
	return 1/(j+1) + float64(float64(j/(j+1))*float64(float64(rel+non+unj)/j)*
		((float64(rel)+infapEpsilon)/(float64(rel)+float64(non)+2*infapEpsilon)))
}

// spreadInfAP: a document outside the pool only lowers the others. If nothing is pooled and unjudged, a judged
// non-relevant document does not help the relevant ones below it either: it changes their ratio by less than 2e and
// costs a rank.
func spreadInfAP(m Measure, t *Topic) (lo, hi float64, ok bool) {
	const rel, non, unj = 0, 1, 2
	r := t.relevant(m.rel)
	if r == 0 {
		return 0, 0, true
	}
	grades, scores := t.gradesSeen(m.judged)
	p := &tieProblem{scores: scores, count: 3, class: make([]int, len(grades))}
	pooled := false
	for i, g := range grades {
		switch {
		case g == Unjudged:
			p.class[i] = none
		case g < 0:
			p.class[i] = unj
			pooled = true
		case m.isRel(g):
			p.class[i] = rel
		default:
			p.class[i] = non
		}
	}
	if !pooled && len(grades) <= 25000 {
		lo, hi = t.extremes(m)
		return lo, hi, true
	}
	p.add = func(c, rank int, above []int) float64 {
		if c != rel {
			return 0
		}
		return infapTerm(rank-1, above[rel], above[non], above[unj])
	}
	lo, hi, ok = p.solve()
	return lo / float64(r), hi / float64(r), ok
}
