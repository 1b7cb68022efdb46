package measure

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/say"
)

const slotDCG = 0

var (
	dcgKinds = []string{"log2", "exp-log2"}

	paramDCG = Param{Name: "dcg", Kind: KindChoice, Choices: dcgKinds, slot: slotDCG,
		Doc: "gain of grade g: 'log2' takes g itself, 'exp-log2' takes 2^g - 1"}
	paramGains = Param{Name: "gains", Kind: KindGains,
		Doc: "gain of each grade named, in place of the grade itself; may be 0 or negative"}
)

var infoNDCG = Info{
	Name:  "nDCG",
	Title: "normalised discounted cumulative gain",
	Brief: "The gain of the documents found, discounted by the logarithm of their rank, as a share of the best possible.",
	Group: Graded,
	Aliases: []Alias{
		{"ir_measures", "NDCG", ""}, {"trec_eval", "ndcg", ""}, {"trec_eval", "ndcg_cut", ""}, {"MTEB", "ndcg_at", ""},
		{"ranx", "ndcg_burges", "dcg='exp-log2'"}, {"sklearn", "ndcg_score", ""},
	},
	Params:  []Param{paramDCG, paramGains, judgedOnly, cutoff},
	Formula: "nDCG@k = DCG@k / IDCG@k; DCG@k = sum over ranks i <= k of gain(i) / log2(i + 1); IDCG the DCG of the judged documents in descending order of gain; 0 where IDCG = 0",
	High:    1,
	Reference: "K. Järvelin and J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002, 422-446; " +
		"exp-log2: C. Burges et al., Learning to rank using gradient descent, ICML 2005",
	Example: Example{
		Measure: "nDCG@3", Ranked: []int32{1, 0, 3}, Judged: []int32{1, 0, 3}, Value: 2.5 / (3 + 1/1.5849625007211562),
		Working: "DCG = 1/log2(2) + 3/log2(4) = 2.5; ideal 3/log2(2) + 1/log2(3) = 3.6309; 2.5 / 3.6309 = 0.6885",
	},
	Notes: []string{
		"Järvelin and Kekäläinen do not discount the first b - 1 ranks; trec_eval, and everything after it, uses log2(i + 1) from rank 1.",
		"gdeval, which ir_measures uses for 'exp-log2', prints five decimals; the values here are not rounded.",
		"trec_eval sorts gains by their difference cut to an integer, so that custom gains closer together than 1 may be ideal in the wrong order.",
		"With negative custom gains the value can be below 0.",
	},
	better: betterGain,
	open:   openNDCG,
	unfold: func(u *unfolder) {
		u.discounted()
		ideal := u.m
		ideal.info, ideal.judged = &infoIDCG, false
		u.over(u.m.idealDCG(u.t), ideal.String())
		u.Ideal = u.m.idealParts(u.t)
	},
	score: func(m Measure, t *Topic) float64 {
		ideal := m.idealDCG(t)
		if ideal <= 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		return m.dcg(hits) / ideal
	},
}

// gainDCG returns the gain of a grade under the parameters dcg and gains.
func (m *Measure) gainDCG(grade int32) float64 {
	if m.table != nil {
		return m.gain(grade)
	}
	if grade <= 0 {
		return 0
	}
	if m.x[slotDCG] != 0 {
		return exponential(grade)
	}
	return float64(grade)
}

// exponential returns 2^g - 1 for g >= 0; grades above 1,000 count as 1,000.
func exponential(g int32) float64 {
	if g < 63 {
		return float64(uint64(1)<<uint(g) - 1)
	}
	v := float64(uint64(1) << 62)
	for i := int32(62); i < min(g, 1000); i++ {
		v *= 2
	}
	return v
}

// dcg returns the discounted cumulative gain of hits up to the cutoff.
func (m *Measure) dcg(hits []Hit) float64 {
	sum := 0.0
	plain := m.table == nil && m.x[slotDCG] == 0
	for _, h := range hits {
		if m.cut > 0 && int(h.Rank) > m.cut {
			break
		}
		if plain {
			if h.Grade > 0 {
				sum += float64(h.Grade) / log2Rank(h.Rank)
			}
		} else if g := m.gainDCG(h.Grade); g != 0 {
			sum += g / log2Rank(h.Rank)
		}
	}
	return sum
}

// idealDCG returns the largest DCG@k that any ranking of the judged documents has.
func (m *Measure) idealDCG(t *Topic) float64 {
	sum := 0.0
	if m.table == nil {
		for i, g := range t.ideal {
			if m.cut > 0 && i >= m.cut {
				break
			}
			sum += m.gainDCG(g) / log2Rank(int32(i+1))
		}
		return sum
	}
	for i, g := range m.idealGains(t) {
		if m.cut > 0 && i >= m.cut {
			break
		}
		sum += g / log2Rank(int32(i+1))
	}
	return sum
}

// idealGains returns the positive gains of the judged documents in descending order, in the topic's own memory.
func (m *Measure) idealGains(t *Topic) []float64 {
	b := t.gainBuf[:0]
	if m.table == nil {
		for _, g := range t.ideal {
			b = append(b, m.gainDCG(g))
		}
	} else {
		for _, g := range t.Judged {
			if v := m.gainDCG(g); v > 0 {
				b = append(b, v)
			}
		}
		slices.Sort(b)
		slices.Reverse(b)
	}
	t.gainBuf = b
	return b
}

// discounted gives every document its gain over the logarithm of its rank.
func (u *unfolder) discounted() {
	u.each(u.m.cut, func(p *Part) bool {
		if g := u.m.gainDCG(p.Grade); g != 0 && p.Grade != Unjudged {
			p.Term, p.Work = g/log2Rank(int32(p.Rank)), u.m.gainText(p.Grade)+" / "+logOf(p.Rank)
		}
		return true
	})
}

// gainText is how the gain of a grade is written.
func (m *Measure) gainText(grade int32) string {
	if m.table == nil && m.info.param(paramDCG.Name) != nil && m.x[slotDCG] != 0 && grade > 0 {
		return "(2^" + strconv.Itoa(int(grade)) + " - 1)"
	}
	return say.Plain.Short(m.gainDCG(grade))
}
