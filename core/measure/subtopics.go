package measure

import (
	"slices"
	"strconv"
	"sync"

	"github.com/rankbox/rankbox/core/base/say"
)

// Subtopics holds the judgments of a query by subtopic, for diversity measures. For measures over judgment groups a
// subtopic is a group: the judgments of one user. Groups are added in the given order; trec_eval's order is by
// name. It holds only documents with a judgment for some subtopic.
type Subtopics struct {
	// Docs holds the judged documents by descending id: equally good documents enter the ideal ranking in this
	// order. Docs[i][s] is the grade of document i for subtopic s, or Unjudged. All rows have the number of
	// subtopics as length.
	Docs [][]float64
	// Ranked[i] is the index in Docs of the document at rank i+1, or -1 if unjudged.
	Ranked []int32

	gain       []float64 // by subtopic: the gain of one more document now
	count      []int32   // by subtopic
	ideal      []int32   // the greedy ideal ranking for idealAlpha and idealRel
	idealAlpha float64
	idealRel   float64
	idealReady bool
	condensed  []int32
	known      []int32
	hits       []Hit // of one group
}

// list returns the ranking, with judged without unjudged documents.
func (s *Subtopics) list(judged bool) []int32 {
	if !judged {
		return s.Ranked
	}
	c := s.condensed[:0]
	for _, d := range s.Ranked {
		if d >= 0 {
			c = append(c, d)
		}
	}
	s.condensed = c
	return c
}

// places returns the indices of judged documents in a list: subtopic by subtopic, only these need a visit.
func (s *Subtopics) places(list []int32) []int32 {
	p := s.known[:0]
	for i, d := range list {
		if d >= 0 {
			p = append(p, int32(i))
		}
	}
	s.known = p
	return p
}

// width returns the number of subtopics in the qrels.
func (s *Subtopics) width() int {
	if len(s.Docs) == 0 {
		return 0
	}
	return len(s.Docs[0])
}

// relevantTo counts the relevant documents of each subtopic, in the topic's memory, and the subtopics that have
// any.
func (s *Subtopics) relevantTo(rel float64) (perSubtopic []int32, subtopics int) {
	s.count = zeroed(s.count, s.width())
	for _, d := range s.Docs {
		for j, g := range d {
			if g >= rel {
				s.count[j]++
			}
		}
	}
	for _, c := range s.count {
		if c > 0 {
			subtopics++
		}
	}
	return s.count, subtopics
}

// zeroed returns n zeros, in the memory of b if it suffices.
func zeroed[T int32 | float64](b []T, n int) []T {
	b = slices.Grow(b[:0], n)[:n]
	clear(b)
	return b
}

// resetGains resets the gain of every subtopic to 1.
func (s *Subtopics) resetGains() {
	s.gain = zeroed(s.gain, s.width())
	for j := range s.gain {
		s.gain[j] = 1
	}
}

// take returns the gain of document d after those taken since fresh, and takes it: a subtopic counts (1 - alpha)^n
// after n documents relevant to it. d = -1 gains nothing.
func (s *Subtopics) take(d int32, alpha float64, rel float64) float64 {
	if d < 0 {
		return 0
	}
	sum := 0.0
	for j, g := range s.Docs[d] {
		if g >= rel {
			sum += s.gain[j]
			s.gain[j] = float64(s.gain[j] * (1 - alpha))
		}
	}
	return sum
}

// gainOf returns the gain of document d now.
func (s *Subtopics) gainOf(d int32, rel float64) float64 {
	sum := 0.0
	for j, g := range s.Docs[d] {
		if g >= rel {
			sum += s.gain[j]
		}
	}
	return sum
}

// candidates is a heap with the largest gain at the top, of equal gains the first document.
type candidates []candidate

type candidate struct {
	gain float64
	doc  int32
}

func (h candidates) build() {
	for i := range slices.Backward(h) {
		h.down(i)
	}
}

// pop removes the top.
func (h *candidates) pop() {
	n := len(*h) - 1
	(*h)[0] = (*h)[n]
	*h = (*h)[:n]
	h.down(0)
}

// down moves i down to its position.
func (h candidates) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

func (a candidate) before(b candidate) bool {
	return a.gain > b.gain || a.gain == b.gain && a.doc < b.doc
}

// idealList returns the documents that gain anything, ranked greedily: at every rank the document with the largest
// gain, of equal ones the first in Docs. The optimal ranking is NP-complete; ndeval and other tools use this greedy
// one.
func (s *Subtopics) idealList(alpha float64, rel float64) []int32 {
	if s.idealReady && s.idealAlpha == alpha && s.idealRel == rel {
		return s.ideal
	}
	s.resetGains()
	order := s.ideal[:0]
	// Documents relevant to the same subtopics have equal gains: the first remaining one represents them. Gains
	// only fall, so a top whose gain is up to date is the best, even if the others' gains are outdated.
	var h candidates
	next := make([]int32, len(s.Docs)) // by document: the next of its kind, or 0
	last := map[string]int32{}
	var key []byte
	for i, row := range s.Docs {
		key = key[:0]
		for j, g := range row {
			if g >= rel {
				key = append(key, byte(j), byte(j>>8), byte(j>>16), byte(j>>24))
			}
		}
		before, ok := last[string(key)]
		last[string(key)] = int32(i)
		if ok {
			next[before] = int32(i)
		} else {
			h = append(h, candidate{s.gainOf(int32(i), rel), int32(i)})
		}
	}
	h.build()
	for len(h) > 0 && h[0].gain > 0 { // no later document gains anything
		top := &h[0]
		if now := s.gainOf(top.doc, rel); now != top.gain {
			top.gain = now
			h.down(0)
			continue
		}
		order = append(order, top.doc)
		s.take(top.doc, alpha, rel)
		if top.doc = next[top.doc]; top.doc == 0 {
			h.pop()
		} else {
			h.down(0)
		}
	}
	s.ideal, s.idealAlpha, s.idealRel, s.idealReady = order, alpha, rel, true
	return order
}

// discount is the discount function of a diversity measure.
type discount int

const (
	byLog  discount = iota // 1/log2(i+1)
	byRank                 // 1/i
)

// novelty returns the sum over ranks i <= k of the gain at i times the discount.
func (s *Subtopics) novelty(list []int32, k int, alpha float64, rel float64, d discount) float64 {
	s.resetGains()
	sum := 0.0
	for i, doc := range list {
		if i >= k {
			break
		}
		if g := s.take(doc, alpha, rel); g != 0 {
			sum += float64(g * d.at(i+1))
		}
	}
	return sum
}

func (d discount) at(rank int) float64 {
	if d == byLog {
		return 1 / log2Rank(int32(rank))
	}
	return 1 / float64(rank)
}

// best returns the sum over ranks i <= k of (1 - alpha)^(i-1) times the discount: the gain per subtopic of a
// ranking whose documents are all relevant to all subtopics.
func (d discount) best(k int, alpha float64) float64 {
	s, from := bestSum{gain: 1}, 0
	if k >= bestStride {
		s, from = d.over(k/bestStride, alpha), k-k%bestStride
	}
	for i := from + 1; i <= k; i++ {
		s.add(d.at(i), alpha)
	}
	return s.sum
}

// A bestSum is such a sum over the first ranks, with the gain of the next one.
type bestSum struct{ sum, gain float64 }

func (s *bestSum) add(discount, alpha float64) {
	s.sum += float64(s.gain * discount)
	s.gain = float64(s.gain * (1 - alpha))
}

// full reports whether no later rank changes the sum: gains only fall, discounts are at most 1, and half of the
// sum's last bit is lost. So subnormal numbers, on which processors are a hundred times slower, never occur.
func (s *bestSum) full() bool { return s.gain <= s.sum*0x1p-54 }

// sumCache caches sums over many ranks, which every query and cutoff needs. For each discount and alpha it holds the
// sums over every bestStride ranks, as far as requested, and the logarithmic discounts, which every alpha shares.
var sumCache struct {
	sync.Mutex
	m   map[bestKey][]bestSum
	log []float64
}

const (
	bestStride = 256
	maxBests   = 256 // 61 kB each for a cutoff of a million; more than a comparison has measures
)

type bestKey struct {
	d     discount
	alpha float64
}

// over returns the sum over n times bestStride ranks.
func (d discount) over(n int, alpha float64) bestSum {
	key := bestKey{d, alpha}
	sumCache.Lock()
	defer sumCache.Unlock()
	list, ok := sumCache.m[key]
	if !ok {
		if sumCache.m == nil || len(sumCache.m) == maxBests {
			sumCache.m = map[bestKey][]bestSum{}
		}
		list = []bestSum{{gain: 1}}
	}
	for at := len(list); at <= n && !list[at-1].full(); at++ {
		s := list[at-1]
		for i := (at-1)*bestStride + 1; i <= at*bestStride; i++ {
			s.add(d.remembered(i), alpha)
		}
		list = append(list, s)
		sumCache.m[key] = list
	}
	return list[min(n, len(list)-1)]
}

// remembered returns at(rank). bests must be locked, and all earlier ranks requested.
func (d discount) remembered(rank int) float64 {
	if d != byLog {
		return d.at(rank)
	}
	if rank > len(sumCache.log) {
		sumCache.log = append(sumCache.log, d.at(rank))
	}
	return sumCache.log[rank-1]
}

var (
	paramAlpha = Param{Name: "alpha", Kind: KindFloat, Default: 0.5, Min: 0, Max: 1,
		Doc: "how much a second document on the same sub-topic loses: 0 nothing, 1 everything"}
	paramBeta = Param{Name: "beta", Kind: KindFloat, Default: 0.5, Min: 0, Max: 1,
		Doc: "patience: the probability of continuing to the next document"}
)

// noSubtopics is the note of every diversity measure.
const noSubtopics = "Needs qrels with sub-topics; without them every query scores 0."

// independent returns novelty over the best possible at this cutoff in any collection.
func (m *Measure) independent(t *Topic, alpha float64, d discount) float64 {
	s := t.Subtopics
	if s == nil {
		return 0
	}
	list := s.list(m.judged)
	_, a := s.relevantTo(m.rel)
	k := m.cut
	if k == 0 {
		k = len(list)
	}
	if a == 0 || k == 0 {
		return 0
	}
	return s.novelty(list, k, alpha, m.rel, d) / (float64(a) * d.best(k, alpha))
}

// normalised returns novelty over that of the ideal ranking.
func (m *Measure) normalised(t *Topic, alpha float64, d discount) float64 {
	s := t.Subtopics
	if s == nil {
		return 0
	}
	list := s.list(m.judged)
	k := m.cut
	if k == 0 {
		k = max(len(list), len(s.Docs))
	}
	best := s.novelty(s.idealList(alpha, m.rel), k, alpha, m.rel, d)
	if best == 0 {
		return 0
	}
	return s.novelty(list, k, alpha, m.rel, d) / best
}

// exampleSubtopics is a query with two subtopics and three judged documents. A ranking finds the first at rank 1
// and the third at rank 2.
func exampleSubtopics() *Subtopics {
	return &Subtopics{Docs: [][]float64{{1, 0}, {0, 1}, {1, 1}}, Ranked: []int32{0, 2, -1}}
}

// novel calls f for the documents of the first k ranks (all if k is 0) with their positive gains, and clears the
// work of documents without gain.
func (u *unfolder) novel(k int, alpha float64, f func(p *Part, gain float64)) {
	s := u.t.Subtopics
	if s == nil {
		return
	}
	u.rank(func(i int) bool { return !u.m.judged || s.Ranked[i] >= 0 })
	s.resetGains()
	u.each(k, func(p *Part) bool {
		if f(p, s.take(s.Ranked[p.Place-1], alpha, u.m.rel)); p.Term == 0 {
			p.Work = ""
		}
		return true
	})
}

// novelty unfolds independent and normalised.
func (u *unfolder) novelty(alpha float64, d discount, normalised bool) {
	s := u.t.Subtopics
	if s == nil {
		return
	}
	u.novel(u.m.cut, alpha, func(p *Part, gain float64) {
		p.Term, p.Work = float64(gain*d.at(p.Rank)), say.Plain.Short(gain)+" / "
		if d == byLog {
			p.Work += logOf(p.Rank)
		} else {
			p.Work += strconv.Itoa(p.Rank)
		}
	})
	_, a := s.relevantTo(u.m.rel)
	k := u.m.cut
	if !normalised {
		if k == 0 {
			k = len(u.list)
		}
		u.over(float64(a)*d.best(k, alpha), bySubtopics+" x the best that each could give")
		return
	}
	if k == 0 {
		k = max(len(u.list), len(s.Docs))
	}
	u.over(s.novelty(s.idealList(alpha, u.m.rel), k, alpha, u.m.rel, d), byBest)
}

// noveltyProblem makes a tie problem of documents classed by the subtopics that they are relevant to. add receives
// the gain of a document under alpha, and its rank.
func noveltyProblem(m Measure, t *Topic, alpha float64, add func(gain float64, rank int) float64) *tieProblem {
	s := t.Subtopics
	p := &tieProblem{}
	var kinds [][]int // subtopics of each class
	known, key := map[string]int{}, []byte(nil)
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
			key = key[:0]
			for _, j := range about {
				key = append(key, byte(j), byte(j>>8), byte(j>>16), byte(j>>24))
			}
			var ok bool
			if c, ok = known[string(key)]; !ok {
				c = len(kinds)
				known[string(key)] = c
				kinds = append(kinds, about)
			}
		}
		p.class = append(p.class, c)
		p.scores = append(p.scores, t.Scores[i])
	}
	p.count = len(kinds)
	width := s.width()
	covers := make([][]bool, len(kinds))
	p.covers = covers
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
				if covers[d][j] {
					n += k
				}
			}
			gain += power[n]
		}
		return add(gain, r)
	}
	return p
}

// spreadNovelty returns the spread of alpha_DCG, alpha_nDCG, ERR_IA and nERR_IA.
func spreadNovelty(alphaOf func(m *Measure) float64, d discount, normalised bool) func(m Measure, t *Topic) (lo,
	hi float64, ok bool) {
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

func alphaParam(m *Measure) float64 { return m.Float("alpha") }

// kinds returns the subtopics of each class of a noveltyProblem.
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

// betterSubtopics counts the subtopics that a document is relevant to.
func betterSubtopics(m *Measure, t *Topic, i int) float64 {
	n := 0.0
	if s := t.Subtopics; s != nil && s.Ranked[i] >= 0 {
		for _, g := range s.Docs[s.Ranked[i]] {
			if g >= m.rel {
				n++
			}
		}
	}
	return n
}
