package measure

import (
	"cmp"
	"math"
	"slices"
)

// Range is the smallest and the largest value of a measure over a set of possibilities.
type Range struct {
	Low, High float64
	// Exact is false if there were too many possibilities to try. Some order of the tied documents then reaches
	// both values, but others may lie outside.
	Exact bool
}

// TieRange returns the smallest and the largest value of the measure over all orders of tied documents, those with
// equal Scores in the topic. Without Scores or ties both equal Score. The extremes are exact, not sampled. Most
// measures reach them with the better documents of every tie first and last. For G, infAP, Compat, INST, BPM and
// the diversity measures, dynamic programming over the number of placed documents of each kind finds them.
// Preference measures are exact for one group. Ranked, Subtopics.Ranked and Preferences.Ranked must be as long as
// Scores. t is prepared but not changed.
func (m Measure) TieRange(t *Topic) Range {
	v := m.Score(t)
	in := m.info
	if len(t.Scores) != t.n || !tied(t.Scores) || in.better == nil {
		return Range{v, v, true}
	}
	full := t.withRanked()
	if in.spread != nil {
		if lo, hi, ok := in.spread(m, full); ok {
			return Range{min(lo, v), max(hi, v), true}
		}
	}
	lo, hi := full.extremes(m)
	return Range{min(lo, v), max(hi, v), in.spread == nil}
}

// extremes returns the scores with the better documents of every tie last and first.
func (t *Topic) extremes(m Measure) (lo, hi float64) {
	lo, hi = m.Score(t.withTiesOrdered(m, -1)), m.Score(t.withTiesOrdered(m, +1))
	return min(lo, hi), max(lo, hi)
}

func tied(scores []float64) bool {
	for i := 1; i < len(scores); i++ {
		if scores[i] == scores[i-1] {
			return true
		}
	}
	return false
}

// withRanked returns the topic with Ranked filled in.
func (t *Topic) withRanked() *Topic {
	d := &Topic{Query: t.Query, Ranked: t.Ranked, Judged: t.Judged, Scores: t.Scores, TopGrade: t.TopGrade,
		Subtopics: t.Subtopics, Preferences: t.Preferences}
	if d.Ranked == nil {
		d.Ranked = make([]float64, t.n)
		for i := range d.Ranked {
			d.Ranked[i] = Unjudged
		}
		for _, h := range t.Hits {
			d.Ranked[h.Rank-1] = h.Grade
		}
	}
	d.Prepare()
	return d
}

// withTiesOrdered returns the topic with the documents of every tie in descending (sign +1) or ascending (-1) order of
// Info.better.
func (t *Topic) withTiesOrdered(m Measure, sign float64) *Topic {
	n := len(t.Ranked)
	order := make([]int, n)
	key := make([]float64, n)
	for i := range order {
		order[i] = i
		key[i] = sign * m.info.better(&m, t, i)
	}
	tieGroups(t, func(from, to int) {
		slices.SortStableFunc(order[from-1:to], func(a, b int) int { return cmp.Compare(key[b], key[a]) })
	})
	out := &Topic{Query: t.Query, Judged: t.Judged, Scores: t.Scores, TopGrade: t.TopGrade, Ranked: make([]float64, n)}
	for r, i := range order {
		out.Ranked[r] = t.Ranked[i]
	}
	if s := t.Subtopics; s != nil && len(s.Ranked) == n {
		c := &Subtopics{Docs: s.Docs, Ranked: make([]int32, n)}
		for r, i := range order {
			c.Ranked[r] = s.Ranked[i]
		}
		out.Subtopics = c
	}
	if s := t.Preferences; s != nil && len(s.Ranked) == n {
		ranked := make([]int32, n)
		for r, i := range order {
			ranked[r] = s.Ranked[i]
		}
		out.Preferences = s.in(ranked)
	}
	return out
}

// tieGroups calls f for every run of equal scores with its first and last rank, from 1.
func tieGroups(t *Topic, f func(from, to int)) {
	for from := 1; from <= len(t.Scores); {
		to := from
		for to < len(t.Scores) && t.Scores[to] == t.Scores[from-1] {
			to++
		}
		f(from, to)
		from = to + 1
	}
}

// The order of tied documents, by kind of measure: putting the document with the larger value first never lowers
// the score. The argument is the index in Ranked.

func betterRelevant(m *Measure, t *Topic, i int) float64 {
	if m.isRel(t.Ranked[i]) {
		return 1
	}
	return 0
}

func betterOwnGain(m *Measure, t *Topic, i int) float64 { return m.gain(t.Ranked[i]) }

func betterGrade(m *Measure, t *Topic, i int) float64 { return max(t.Ranked[i], 0) }

// maxTieStates limits the compositions of one tie that dynamic programming visits.
const maxTieStates = 1 << 21

// tieProblem is a measure that is a sum over documents. Each adds a value that depends on its class, its rank, and
// the numbers of documents of each class above it. Documents of class none add nothing and never help a document
// below.
type tieProblem struct {
	class  []int     // class by position, or none
	scores []float64 // equal neighbours are tied
	count  int       // number of classes
	covers [][]bool  // subtopics by class, for diversity measures
	// add returns the value of a document of class c at rank r (from 1) with above[d] documents of class d above
	// it.
	add func(c, r int, above []int) float64
}

const none = -1

// maxTieWork limits documents × classes of a problem: each position visits every class.
const maxTieWork = 4 << 20

// solve returns the smallest and the largest sum over all orders of ties. ok is false if a tie has too many
// compositions.
func (p *tieProblem) solve() (lo, hi float64, ok bool) {
	if p.count > 0 && len(p.class) > maxTieWork/p.count {
		return 0, 0, false
	}
	above := make([]int, p.count)
	for from := 0; from < len(p.class); {
		to := from + 1
		for to < len(p.class) && p.scores[to] == p.scores[from] {
			to++
		}
		have := make([]int, p.count)
		blanks := 0
		for _, c := range p.class[from:to] {
			if c == none {
				blanks++
			} else {
				have[c]++
			}
		}
		l, h, ok := p.group(from, blanks, have, above)
		if !ok {
			return 0, 0, false
		}
		lo += l
		hi += h
		for c, n := range have {
			above[c] += n
		}
		from = to
	}
	return lo, hi, true
}

// group solves one tie after position from, with the given numbers of documents of each class and of class none
// (blanks).
func (p *tieProblem) group(from, blanks int, have, above []int) (lo, hi float64, ok bool) {
	var classes []int
	states := 1
	for c, n := range have {
		if n > 0 {
			classes = append(classes, c)
			if states *= n + 1; states > maxTieStates {
				return 0, 0, false
			}
		}
	}
	if len(classes) == 0 {
		return 0, 0, true
	}
	// State: the number of placed documents of each class, in mixed radix. The largest sum puts no blanks before
	// them, the smallest all.
	best, worst := make([]float64, states), make([]float64, states)
	placed := make([]int, len(classes))
	sum := slices.Clone(above)
	for s := 1; s < states; s++ {
		for d := 0; ; d++ { // count up
			c := classes[d]
			if placed[d] < have[c] {
				placed[d]++
				sum[c]++
				break
			}
			sum[c] -= placed[d]
			placed[d] = 0
		}
		total := 0
		for _, n := range placed {
			total += n
		}
		hiV, loV := math.Inf(-1), math.Inf(1)
		stride := 1
		for d, c := range classes {
			if placed[d] > 0 { // the last placed document is of class c
				sum[c]--
				hiV = max(hiV, best[s-stride]+p.add(c, from+total, sum))
				loV = min(loV, worst[s-stride]+p.add(c, from+blanks+total, sum))
				sum[c]++
			}
			stride *= have[c] + 1
		}
		best[s], worst[s] = hiV, loV
	}
	return worst[states-1], best[states-1], true
}

// gradesSeen returns the grades and scores of the list that the measure uses: with judged, only those of judged
// documents.
func (t *Topic) gradesSeen(judged bool) (grades []float64, scores []float64) {
	if !judged {
		return t.Ranked, t.Scores
	}
	for i, g := range t.Ranked {
		if g >= 0 {
			grades = append(grades, g)
			scores = append(scores, t.Scores[i])
		}
	}
	return grades, scores
}

// classesBy numbers the documents by a value; those of value 0 are none. It returns the value of each class.
func classesBy(n int, value func(i int) float64) (class []int, values []float64) {
	class = make([]int, n)
	number := map[float64]int{}
	for i := range class {
		v := value(i)
		if v == 0 {
			class[i] = none
			continue
		}
		c, ok := number[v]
		if !ok {
			c = len(values)
			number[v] = c
			values = append(values, v)
		}
		class[i] = c
	}
	return class, values
}
