package measure

import (
	"math"
	"slices"
)

// The measures for which "the better document first" is not always the best order of a tie.

// spreadG: every rank costs at least 1, so that documents without gain stand last in the best order.
func spreadG(m Measure, t *Topic) (lo, hi float64, ok bool) {
	ideal := slices.Clone(m.idealGains(t))
	total := sum(ideal)
	if total <= 0 {
		return 0, 0, true
	}
	grades, scores := t.effective(m.judged)
	p := &tieProblem{scores: scores}
	var gains []float64
	p.class, gains = classesBy(len(grades), func(i int) float64 { return m.gain(grades[i]) })
	if slices.ContainsFunc(gains, func(g float64) bool { return g < 0 }) {
		return 0, 0, false // a negative gain lowers what was found, and may stand anywhere in the best order
	}
	p.count = len(gains)
	cost := make([]float64, len(grades)+1)
	for i := range grades {
		cost[i+1] = cost[i] + idealCost(ideal, i)
	}
	p.add = func(c, r int, above []int) float64 {
		found := gains[c]
		for d, n := range above {
			found += float64(gains[d] * float64(n))
		}
		return gTerm(gains[c], cost[r], found)
	}
	lo, hi, ok = p.solve()
	return lo / total, hi / total, ok
}

// spreadNDCGRel: the weight of a document falls with its rank whatever stands below it, so that better first is best, unless a gain
// is negative: then the number of relevant documents above matters too.
func spreadNDCGRel(m Measure, t *Topic) (lo, hi float64, ok bool) {
	if m.table != nil && slices.ContainsFunc(m.table.val, func(v float64) bool { return v < 0 }) {
		return 0, 0, false
	}
	lo, hi = t.extremes(m)
	return lo, hi, true
}

// spreadInfAP: a document outside of the pool only pushes others down. Where nothing is pooled and unjudged, neither does a judged
// non-relevant document help the relevant ones below it: it changes their ratio by less than 2e, and costs them a rank.
func spreadInfAP(m Measure, t *Topic) (lo, hi float64, ok bool) {
	const rel, non, unj = 0, 1, 2
	r := t.relevant(m.rel)
	if r == 0 {
		return 0, 0, true
	}
	grades, scores := t.effective(m.judged)
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

// spreadCompat: a document adds the weight of all depths from the larger of its rank and its place in the ideal ranking on; its
// place depends on how many documents of its grade stand above it.
func spreadCompat(m Measure, t *Topic) (lo, hi float64, ok bool) {
	size := len(t.ideal)
	if size == 0 {
		return 0, 0, true
	}
	grades, scores := t.effective(m.judged)
	depth := max(len(grades), size)
	from := make([]float64, depth+2) // weight of the depths from i on
	weight := make([]float64, depth+1)
	w, weights, best := 1.0, 0.0, 0.0
	for i := 1; i <= depth; i++ {
		weight[i] = w / float64(i)
		best += w * float64(min(i, size)) / float64(i)
		weights += w
		w = float64(w * m.x[slotCompatP])
	}
	for i := depth; i >= 1; i-- {
		from[i] = from[i+1] + weight[i]
	}
	p := &tieProblem{scores: scores}
	var values []float64
	p.class, values = classesBy(len(grades), func(i int) float64 { return max(float64(grades[i]), 0) })
	p.count = len(values)
	start := make([]int, len(values)) // documents of higher grade in the qrels
	for c, v := range values {
		for start[c] < size && float64(t.ideal[start[c]]) > v {
			start[c]++
		}
	}
	p.add = func(c, r int, above []int) float64 {
		place := start[c] + above[c] + 1
		if place > depth {
			return 0
		}
		return from[max(r, place)]
	}
	lo, hi, ok = p.solve()
	norm := weights
	if m.x[slotCompatNorm] != 0 {
		norm = best
	}
	return lo / norm, hi / norm, ok
}

// noveltyProblem makes a problem of documents classed by the sub-topics they are relevant to; add gets the gain of a document under
// alpha, its class and its rank.
func noveltyProblem(m Measure, t *Topic, alpha float64, add func(gain float64, rank int) float64) *tieProblem {
	s := t.Subtopics
	p := &tieProblem{}
	var kinds [][]int // sub-topics of each class
	for i, d := range s.Ranked {
		if m.judged && d < 0 {
			continue
		}
		var about []int
		if d >= 0 {
			for j, g := range s.Docs[d] {
				if g >= m.rel {
					about = append(about, j)
				}
			}
		}
		c := none
		if len(about) > 0 {
			c = slices.IndexFunc(kinds, func(k []int) bool { return slices.Equal(k, about) })
			if c < 0 {
				c = len(kinds)
				kinds = append(kinds, about)
			}
		}
		p.class = append(p.class, c)
		p.scores = append(p.scores, t.Scores[i])
	}
	p.count = len(kinds)
	width := s.width()
	covers := make([][]bool, len(kinds))
	for c, about := range kinds {
		covers[c] = make([]bool, width)
		for _, j := range about {
			covers[c][j] = true
		}
	}
	power := []float64{1} // (1 - alpha)^n
	for range s.Ranked {
		power = append(power, float64(power[len(power)-1]*(1-alpha)))
	}
	p.add = func(c, r int, above []int) float64 {
		gain := 0.0
		for _, j := range kinds[c] {
			n := 0
			for d, k := range above {
				if k > 0 && covers[d][j] {
					n += k
				}
			}
			gain += power[n]
		}
		return add(gain, r)
	}
	return p
}

// spreadNovelty serves alpha_DCG, alpha_nDCG, ERR_IA and nERR_IA.
func spreadNovelty(alphaOf func(m *Measure) float64, d discount, normalised bool) func(m Measure, t *Topic) (lo, hi float64, ok bool) {
	return func(m Measure, t *Topic) (lo, hi float64, ok bool) {
		s := t.Subtopics
		if s == nil {
			return 0, 0, true
		}
		alpha := alphaOf(&m)
		list := s.list(m.judged)
		_, a := s.relevantTo(m.rel)
		k := m.cut
		if k == 0 {
			k = len(list)
		}
		norm := float64(a) * d.best(k, alpha)
		if normalised {
			if m.cut == 0 {
				k = max(k, len(s.Docs))
			}
			norm = s.novelty(s.idealList(alpha, m.rel), k, alpha, m.rel, d)
		}
		if norm == 0 {
			return 0, 0, true
		}
		lo, hi, ok = noveltyProblem(m, t, alpha, func(gain float64, r int) float64 {
			if r > k {
				return 0
			}
			return float64(gain * d.at(r))
		}).solve()
		return lo / norm, hi / norm, ok
	}
}

func alphaParam(m *Measure) float64 { return m.x[slotAlpha] }
func alphaHalf(*Measure) float64    { return 0.5 }

// spreadNRBP serves NRBP and nNRBP.
func spreadNRBP(normalised bool) func(m Measure, t *Topic) (lo, hi float64, ok bool) {
	return func(m Measure, t *Topic) (lo, hi float64, ok bool) {
		s := t.Subtopics
		if s == nil {
			return 0, 0, true
		}
		alpha, beta := m.x[slotAlpha], m.x[slotBeta]
		_, a := s.relevantTo(m.rel)
		norm := float64(a) / (1 - float64((1-alpha)*beta))
		if normalised {
			norm = s.rankBiased(s.idealList(alpha, m.rel), alpha, beta, m.rel)
		}
		if norm == 0 || a == 0 {
			return 0, 0, true
		}
		lo, hi, ok = noveltyProblem(m, t, alpha, func(gain float64, r int) float64 {
			return float64(gain * power(beta, int32(r-1)))
		}).solve()
		return lo / norm, hi / norm, ok
	}
}

// spreadStRecall: with alpha = 1 a sub-topic counts once.
func spreadStRecall(m Measure, t *Topic) (lo, hi float64, ok bool) {
	s := t.Subtopics
	if s == nil {
		return 0, 0, true
	}
	_, a := s.relevantTo(m.rel)
	if a == 0 {
		return 0, 0, true
	}
	lo, hi, ok = noveltyProblem(m, t, 1, func(gain float64, r int) float64 {
		if m.cut > 0 && r > m.cut {
			return 0
		}
		return gain
	}).solve()
	return lo / float64(a), hi / float64(a), ok
}

// spreadAPIA: a document adds the precision of each of its sub-topics at its rank.
func spreadAPIA(m Measure, t *Topic) (lo, hi float64, ok bool) {
	s := t.Subtopics
	if s == nil {
		return 0, 0, true
	}
	counts, a := s.relevantTo(m.rel)
	if a == 0 {
		return 0, 0, true
	}
	relevant := slices.Clone(counts)
	p := noveltyProblem(m, t, 0, nil)
	kinds := s.kinds(m, p)
	p.add = func(c, r int, above []int) float64 {
		total := 0.0
		for _, j := range kinds[c] {
			n := 1
			for d, k := range above {
				if k > 0 && slices.Contains(kinds[d], j) {
					n += k
				}
			}
			total += float64(n) / float64(r) / float64(relevant[j])
		}
		return total
	}
	lo, hi, ok = p.solve()
	return lo / float64(a), hi / float64(a), ok
}

// kinds returns the sub-topics of each class of a problem that noveltyProblem made.
func (s *Subtopics) kinds(m Measure, p *tieProblem) [][]int {
	kinds := make([][]int, p.count)
	at := 0
	for _, d := range s.Ranked {
		if m.judged && d < 0 {
			continue
		}
		if c := p.class[at]; c != none && kinds[c] == nil {
			for j, g := range s.Docs[d] {
				if g >= m.rel {
					kinds[c] = append(kinds[c], j)
				}
			}
		}
		at++
	}
	return kinds
}

// spreadAccuracy: without a cutoff relevant documents first is best. The tie that the cutoff cuts may also decide how many relevant
// documents are looked at.
func spreadAccuracy(m Measure, t *Topic) (lo, hi float64, ok bool) {
	grades, scores := t.effective(m.judged)
	n := len(grades)
	if m.cut > 0 && m.cut < n {
		n = m.cut
	}
	value := func(rel, non, wrong int) float64 {
		if rel == 0 {
			return 0
		}
		if non == 0 {
			return 1
		}
		return 1 - float64(wrong)/(float64(non)*float64(rel))
	}
	rel, non, least, most := 0, 0, 0, 0
	for from := 0; from < n; {
		to := from + 1
		for to < len(grades) && scores[to] == scores[from] {
			to++
		}
		r := 0
		for _, g := range grades[from:to] {
			if m.isRel(g) {
				r++
			}
		}
		if to <= n {
			least += r * non
			non += to - from - r
			most += r * non
			rel += r
			from = to
			continue
		}
		lo, hi = math.Inf(1), math.Inf(-1)
		slots := n - from
		for k := max(0, slots-(to-from-r)); k <= min(r, slots); k++ {
			hi = max(hi, value(rel+k, non+slots-k, least+k*non))
			lo = min(lo, value(rel+k, non+slots-k, most+k*(non+slots-k)))
		}
		return lo, hi, true
	}
	return value(rel, non, most), value(rel, non, least), true
}

// spreadBPM: the reader stops in the first tie that can bring the gain to T, or that holds rank k. Every number of documents of
// each gain before the stop is tried, with as few and as many documents without gain as there can be.
func spreadBPM(m Measure, t *Topic) (lo, hi float64, ok bool) {
	grades, scores := t.effective(m.judged)
	goal, k := m.x[slotT], m.cut
	lo, hi = math.Inf(1), math.Inf(-1)
	found := 0.0
	for from := 0; from < len(grades) && from < k; {
		to := from + 1
		for to < len(grades) && scores[to] == scores[from] {
			to++
		}
		class, gains := classesBy(to-from, func(i int) float64 { return m.scaledGain(grades[from+i], t) })
		have := make([]int, len(gains))
		blanks, states := 0, 1
		total := found
		for i, c := range class {
			if c == none {
				blanks++
			} else {
				have[c]++
				total += m.scaledGain(grades[from+i], t)
			}
		}
		if total < goal && to < k {
			found = total
			from = to
			continue
		}
		for _, n := range have {
			if states *= n + 1; states > maxTieStates {
				return 0, 0, false
			}
		}
		placed := make([]int, len(gains))
		for s := range states {
			if s > 0 {
				for d := 0; ; d++ {
					if placed[d] < have[d] {
						placed[d]++
						break
					}
					placed[d] = 0
				}
			}
			g, n := found, from
			for c, p := range placed {
				g += float64(gains[c] * float64(p))
				n += p
			}
			if g >= goal || n > k {
				continue
			}
			if rest := k - n; rest <= blanks { // rank k comes first
				lo, hi = min(lo, g/float64(k)), max(hi, g/float64(k))
			}
			for c, p := range placed {
				if p == have[c] || g+gains[c] < goal {
					continue
				}
				for _, b := range [2]int{0, min(blanks, k-n-1)} {
					if r := n + b + 1; b >= 0 && r <= k {
						v := (g + gains[c]) / float64(r)
						lo, hi = min(lo, v), max(hi, v)
					}
				}
			}
		}
		return lo, hi, true
	}
	v := found / float64(k)
	return v, v, true
}

// spreadINST: how likely the reader goes on depends on the gain so far, so that the value is a ratio N/D of sums over ranks whose
// weights depend on the order. Dinkelbach's method: for a guess x the best order for N - xD is found by dynamic programming from
// the end; its own ratio is the next guess, until it no longer improves.
func spreadINST(m Measure, t *Topic) (lo, hi float64, ok bool) {
	grades, scores := t.effective(m.judged)
	var groups []instGroup
	total := 0.0
	for from := 0; from < len(grades) && from < horizon; {
		to := from + 1
		for to < len(grades) && scores[to] == scores[from] {
			to++
		}
		g := instGroup{from: from, before: total}
		for _, grade := range grades[from:to] {
			v := m.scaledGain(grade, t)
			total += v
			c := slices.Index(g.gains, v)
			if c < 0 {
				c = len(g.gains)
				g.gains = append(g.gains, v)
				g.have = append(g.have, 0)
			}
			g.have[c]++
		}
		g.states = 1
		for _, n := range g.have {
			if g.states *= n + 1; g.states > maxTieStates/8 {
				return 0, 0, false
			}
		}
		groups = append(groups, g)
		from = to
	}
	length := len(grades)
	start := m.Score(t)
	search := func(sign float64) float64 {
		best := start
		for range 100 {
			v := instBest(&m, groups, length, total, best, sign)
			if sign*(v-best) <= 1e-15 {
				break
			}
			best = v
		}
		return best
	}
	return search(-1), search(+1), true
}

// instGroup is one tie of spreadINST.
type instGroup struct {
	from   int     // position before its first document
	before float64 // gain above it
	gains  []float64
	have   []int
	states int
}

// instBest returns N/D of the order that makes sign·(N - xD) largest.
func instBest(m *Measure, groups []instGroup, length int, total, x, sign float64) float64 {
	goal := m.x[slotT]
	on := func(rank int, found float64) float64 { return insq(float64(rank) + 2*goal - found) }
	// What follows the list: no gain.
	value := 0.0
	for r := horizon; r > length; r-- {
		value = -x + float64(on(r, total)*value)
	}
	choice := make([][]uint16, len(groups))
	for gi := len(groups) - 1; gi >= 0; gi-- {
		g := &groups[gi]
		v := make([]float64, g.states)
		choice[gi] = make([]uint16, g.states)
		placed := slices.Clone(g.have)
		v[g.states-1] = value
		for s := g.states - 2; s >= 0; s-- {
			for d := 0; ; d++ { // count down
				if placed[d] > 0 {
					placed[d]--
					break
				}
				placed[d] = g.have[d]
			}
			rank, found := g.from+1, g.before
			for c, n := range placed {
				rank += n
				found += float64(g.gains[c] * float64(n))
			}
			if rank > horizon {
				continue
			}
			best, bestAt, stride := math.Inf(-1), 0, 1
			for c, n := range placed {
				if n < g.have[c] {
					w := g.gains[c] - x + float64(on(rank, found+g.gains[c])*v[s+stride])
					if sign*w > best {
						best, bestAt = sign*w, c
					}
				}
				stride *= g.have[c] + 1
			}
			v[s], choice[gi][s] = sign*best, uint16(bestAt)
		}
		value = v[0]
	}
	var gained, looked, found float64
	weight := 1.0
	rank := 1
	take := func(gain float64) {
		if rank > horizon {
			return
		}
		found += gain
		gained += float64(weight * gain)
		looked += weight
		weight = float64(weight * on(rank, found))
		rank++
	}
	for gi := range groups {
		g := &groups[gi]
		for s := 0; s < g.states-1 && rank <= horizon; {
			c := int(choice[gi][s])
			take(g.gains[c])
			stride := 1
			for d := range c {
				stride *= g.have[d] + 1
			}
			s += stride
		}
	}
	for rank <= horizon {
		take(0)
	}
	return gained / looked
}
