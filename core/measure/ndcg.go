package measure

import (
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

var (
	dcgKinds = []string{"log2", "exp-log2"}

	paramDCG = Param{Name: "dcg", Kind: KindChoice, Choices: dcgKinds,
		Doc: "gain of grade g: 'log2' takes g itself, 'exp-log2' takes 2^g - 1"}
	paramGains = Param{Name: "gains", Kind: KindGains,
		Doc: "gains that replace the named grades; may be 0 or negative"}
)

var infoNDCG = Info{
	Name:  "nDCG",
	Title: "normalised discounted cumulative gain",
	Brief: "The gain of the documents found, discounted by the logarithm of their rank, as a share of the " +
		"best possible.",
	Group: Graded,
	Aliases: []Alias{
		{"ir_measures", "NDCG", ""}, {"trec_eval", "ndcg", ""}, {"trec_eval", "ndcg_cut", ""}, {"MTEB", "ndcg_at", ""},
		{"ranx", "ndcg_burges", "dcg='exp-log2'"}, {"sklearn", "ndcg_score", ""},
	},
	Params: []Param{paramDCG, paramGains, paramBase, judgedOnly, cutoff},
	Formula: "nDCG@k = DCG@k / IDCG@k; DCG@k = sum over ranks i <= k of gain(i) / log2(i + 1); IDCG@k = the DCG@k of " +
		"the judged documents in descending order of gain; 0 if IDCG@k = 0",
	High: 1,
	Reference: "K. Järvelin and J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), " +
		"2002, 422-446; " +
		"C. Burges et al., Learning to rank using gradient descent, ICML 2005 (exp-log2)",
	Example: Example{
		Measure: "nDCG@3", Ranked: []float64{1, 0, 3}, Judged: []float64{1, 0, 3}, Value: 2.5 / (3 + 1/1.5849625007211562),
		Working: "DCG = 1/log2(2) + 3/log2(4) = 2.5; IDCG = 3/log2(2) + 1/log2(3) = 3.6309; 2.5 / 3.6309 = 0.6885",
	},
	Notes: []string{
		"Järvelin and Kekäläinen do not discount the first b - 1 ranks (base=b); trec_eval, and everything after it, " +
			"uses log2(i + 1) from rank 1.",
		"gdeval, which ir_measures uses for 'exp-log2', prints five decimals; the values here are not rounded.",
		"trec_eval sorts gains by their difference cut to an integer, so custom gains less than 1 apart may be in " +
			"the wrong ideal order.",
		"With negative custom gains the value can be below 0.",
	},
	better: betterGain,
	open:   residual{bounds: boundNDCG, work: workNDCG, quick: true},
	unfold: func(u *unfolder) {
		u.discounted()
		ideal := u.m
		ideal.judged = false
		// Compare names, not entries: the small programs lack some entries.
		u.over(u.m.idealDCG(u.t), "IDCG"+strings.TrimPrefix(ideal.String(), "nDCG"))
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
func (m *Measure) gainDCG(grade float64) float64 {
	if m.table != nil {
		return m.gain(grade)
	}
	grade = max(grade, 0)
	if m.exponential {
		return exponential(grade)
	}
	return grade
}

// exponential returns 2^g - 1 for g >= 0; grades above 1,000 count as 1,000.
func exponential(g float64) float64 {
	g = min(g, 1000)
	whole := math.Trunc(g)
	power := math.Ldexp(1, int(whole))
	if g != whole {
		power = float64(power * exp2(g-whole))
	}
	return power - 1
}

// dcg returns the discounted cumulative gain of hits up to the cutoff.
func (m *Measure) dcg(hits []Hit) float64 {
	sum, base := 0.0, m.Float(paramBase.Name)
	for _, h := range hits {
		if m.cut > 0 && int(h.Rank) > m.cut {
			break
		}
		sum += m.gainDCG(h.Grade) / discountAt(base, h.Rank)
	}
	return sum
}

// idealDCG returns the largest DCG@k of any ranking of the judged documents.
func (m *Measure) idealDCG(t *Topic) float64 {
	sum, base := 0.0, m.Float(paramBase.Name)
	if m.table == nil {
		for i, g := range t.ideal {
			if m.cut > 0 && i >= m.cut {
				break
			}
			sum += m.gainDCG(g) / discountAt(base, int32(i+1))
		}
		return sum
	}
	for i, g := range m.idealGains(t) {
		if m.cut > 0 && i >= m.cut {
			break
		}
		sum += g / discountAt(base, int32(i+1))
	}
	return sum
}

// idealGains returns the positive gains of the judged documents in descending order. The topic owns the memory.
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

// discounted sets every document's term to its gain over the discount of its rank.
func (u *unfolder) discounted() {
	u.each(u.m.cut, func(p *Part) bool {
		if g := u.m.gainDCG(p.Grade); g != 0 && p.Grade != Unjudged {
			by, work := u.m.discountOf(p.Rank)
			p.Term, p.Work = g/by, u.m.gainText(p.Grade)+" / "+work
		}
		return true
	})
}

// gainText returns the notation of a grade's gain.
func (m *Measure) gainText(grade float64) string {
	if m.table == nil && m.info.param(paramDCG.Name) != nil && m.exponential && grade > 0 {
		return "(2^" + gainText(grade) + " - 1)"
	}
	return say.Plain.Short(m.gainDCG(grade))
}

func betterGain(m *Measure, t *Topic, i int) float64 { return m.gainDCG(t.Ranked[i]) }

// boundNDCG finds the grades of unjudged documents that maximise and minimise DCG/IDCG.
//
// Both sums run over the levels l of the scale: the gain that level l adds, times the discounts of the documents at
// l or above. At the extremes, the unjudged documents of a level are the highest ones in the ranking (for the
// minimum: the lowest), so that only their number k(l) is open. For a guess x of the ratio, DCG - x IDCG is
// optimised level by level; the ratio at the optimum is the next guess (Dinkelbach).
//
// With a cutoff c, k(l) ≤ c suffices: only the c highest unjudged documents can be within the cutoff, and c more
// relevant documents fill the ideal list.
func boundNDCG(m Measure, t *Topic) Range {
	m.judged = false // every document will be judged
	unjudged := m.usedRanks(t.unjudged())
	levels := t.levels()
	type level struct {
		gain float64 // gain that reaching this level adds
		have int     // number of judged documents at or above it
		dcg  float64 // their discounts in the ranking
	}
	steps := make([]level, len(levels))
	base := m.Float(paramBase.Name)
	discount := func(rank int) float64 {
		if m.cut > 0 && rank > m.cut {
			return 0
		}
		return 1 / discountAt(base, int32(rank))
	}
	hits := t.hits
	for m.cut > 0 && len(hits) > 0 && int(hits[len(hits)-1].Rank) > m.cut {
		hits = hits[:len(hits)-1]
	}
	maxIdeal := len(t.ideal) + unjudged
	memory := t.floats(3*(unjudged+1) + maxIdeal + 1 + len(hits))
	next := func(n int) []float64 {
		v := memory[:n:n]
		memory = memory[n:]
		return v
	}
	hitDiscounts := next(len(hits))
	for i, h := range hits {
		hitDiscounts[i] = discount(int(h.Rank))
	}
	prev, have := 0.0, len(t.ideal)
	for i, g := range levels {
		v := m.gainDCG(g)
		for have > 0 && t.ideal[have-1] < g {
			have--
		}
		steps[i] = level{gain: v - prev, have: have}
		prev = v
		for j, h := range hits { // in rank order, which fixes the rounding of the sums
			if h.Grade >= g {
				steps[i].dcg += hitDiscounts[j]
			}
		}
	}
	// Total discounts of the k highest and the k lowest unjudged documents.
	highestDiscounts, lowestDiscounts := next(unjudged+1), next(unjudged+1)
	for k, rank := 1, 0; k <= unjudged; rank++ {
		if t.Ranked[rank] < 0 {
			highestDiscounts[k] = highestDiscounts[k-1] + discount(rank+1)
			k++
		}
	}
	for k, rank := 1, len(t.Ranked)-1; k <= unjudged; rank-- {
		if t.Ranked[rank] < 0 {
			lowestDiscounts[k] = lowestDiscounts[k-1] + discount(rank+1)
			k++
		}
	}
	idealDCG := next(maxIdeal + 1)
	for k := 1; k <= maxIdeal; k++ {
		idealDCG[k] = idealDCG[k-1] + discount(k)
	}
	ratio := func(counts []int, discounts []float64) float64 {
		d, i := 0.0, 0.0
		for l := range steps {
			d += float64(steps[l].gain * (steps[l].dcg + discounts[counts[l]]))
			i += float64(steps[l].gain * idealDCG[steps[l].have+counts[l]])
		}
		if i <= 0 {
			return 0
		}
		return d / i
	}
	counts := make([]int, len(steps))
	search := func(discounts []float64, solve func(x float64), better func(a, b float64) bool) float64 {
		clear(counts)
		best := ratio(counts, discounts)
		for range 100 {
			solve(best)
			v := ratio(counts, discounts)
			if !better(v, best) {
				break
			}
			best = v
		}
		return best
	}
	maximise := func(x float64) {
		// The best number never rises with the level by itself: a higher level has fewer judged documents, so every
		// additional one costs more of the ideal.
		for l := range steps {
			bestV := math.Inf(-1)
			costs := idealDCG[steps[l].have:]
			for n, f := range highestDiscounts {
				if v := f - float64(x*costs[n]); v > bestV {
					bestV, counts[l] = v, n
				}
			}
			if l > 0 {
				counts[l] = min(counts[l], counts[l-1])
			}
		}
	}
	best := next(unjudged + 1)
	choice := t.ints(len(steps) * (unjudged + 1))
	minimise := func(x float64) {
		// Here the numbers must be kept from rising: best[n] is the optimum for levels l and above with at most n
		// at l.
		clear(best)
		for l := len(steps) - 1; l >= 0; l-- {
			choice := choice[l*(unjudged+1):]
			costs := idealDCG[steps[l].have:]
			for n, above := range best {
				v := float64(steps[l].gain*(lowestDiscounts[n]-float64(x*costs[n]))) + above
				if n == 0 || v < best[n-1] {
					best[n], choice[n] = v, int32(n)
				} else {
					best[n], choice[n] = best[n-1], choice[n-1]
				}
			}
		}
		n := unjudged
		for l := range steps {
			n = int(choice[l*(unjudged+1)+n])
			counts[l] = n
		}
	}
	hi := search(highestDiscounts, maximise, func(a, b float64) bool { return a > b+1e-15 })
	// The guess 0 minimises DCG; any order can start the search.
	lo := search(lowestDiscounts, minimise, func(a, b float64) bool { return a < b-1e-15 })
	return Range{lo, hi, true}
}

// workNDCG returns how often boundNDCG combines a level with a document, if the scale has unusually many grades.
func workNDCG(m Measure, t *Topic) int {
	if n := len(t.levels()); n > 32 {
		return n * (m.usedRanks(t.unjudged()) + m.usedRanks(len(t.hits)))
	}
	return 0
}

// unjudged counts the unjudged documents of the ranking.
func (t *Topic) unjudged() int {
	u := t.n
	for _, h := range t.hits {
		if h.Grade >= 0 {
			u--
		}
	}
	return u
}

// levels returns the positive grades that occur, ascending. Levels between two of them would have the same
// documents.
func (t *Topic) levels() []float64 {
	top := t.top()
	levels := []float64{top}
	for _, g := range t.ideal {
		if g < top && g != levels[len(levels)-1] {
			levels = append(levels, g)
		}
	}
	slices.Reverse(levels)
	return levels
}
