package packed

// rankModel predicts rankings. Runs rank the relevant documents of a query similarly. The two earlier runs that
// resembled this one most on previous queries best predict its next judged document.
type rankModel struct {
	*walker
	counts        []int   // of the query, by grade
	judged        int     // of the query
	hits          []int   // by rank: earlier runs of the query with a judged document there
	dissimilarity [][]int // dissimilarity of two runs, the later one first
	sizes         []int   // length of each run's last ranking
	hadRanking    []bool  // it had a ranking
	lists         []gradedList
	left          []int
	query         int
	rebuilt       int // judged documents in all rankings
}

func newRankModel(w *walker) *rankModel {
	n := len(w.g.runs)
	m := &rankModel{walker: w, sizes: make([]int, n), hadRanking: make([]bool, n), dissimilarity: make([][]int, n)}
	for s := range m.dissimilarity {
		m.dissimilarity[s] = make([]int, s)
	}
	m.left = make([]int, len(w.g.grades))
	return m
}

// begin starts a query.
func (m *rankModel) begin(q int) {
	m.query, m.counts, m.judged = q, m.g.queries[q].counts, 0
	for _, n := range m.counts {
		m.judged += n
	}
	clear(m.hits)
	m.lists = m.g.lists[q]
}

// end updates the dissimilarities of the runs.
func (m *rankModel) end() {
	for s := range m.lists {
		a := &m.lists[s]
		for t := range s {
			b := &m.lists[t]
			unlike := 0
			for i := range min(max(len(a.at), len(b.at)), 6) {
				x, y := 30, 30
				if i < len(a.at) {
					x = rankBucket(int(a.at[i]))*2 + 1
				}
				if i < len(b.at) {
					y = rankBucket(int(b.at[i]))*2 + 1
				}
				switch {
				case i < len(a.at) && i < len(b.at) && a.at[i] == b.at[i]:
				case x == y:
					unlike++
				default:
					unlike += 1 + min(max(x-y, y-x), 8)
				}
			}
			m.dissimilarity[s][t] += unlike<<6 - m.dissimilarity[s][t]>>5
		}
	}
}

// nearest returns the two earlier runs most similar to run s, or empty rankings.
func (m *rankModel) nearest(s int) (a, b *gradedList, same int) {
	one, two := -1, -1
	for t, d := range m.dissimilarity[s] {
		switch {
		case one < 0 || d < m.dissimilarity[s][one]:
			one, two = t, one
		case two < 0 || d < m.dissimilarity[s][two]:
			two = t
		}
	}
	a, b = &gradedList{}, &gradedList{}
	if one >= 0 {
		a = &m.lists[one]
		same = min(m.dissimilarity[s][one]>>9, 3)
	}
	if two >= 0 {
		b = &m.lists[two]
	}
	return a, b, same
}

// list codes the ranking of run s.
func (m *rankModel) list(s int, l *gradedList) {
	run := uint32(s)
	before := uint32(0)
	if m.hadRanking[s] {
		before = 1
	}
	if l.there = m.flag(l.there, context(30, run, before), context(31, before)); l.there {
		m.size(s, l)
	}
	m.hadRanking[s] = l.there
	if m.failed() || !l.there {
		return
	}
	copy(m.left, m.counts)
	left := m.judged
	if len(m.hits) < l.size+2 && left > 0 {
		m.hits = append(m.hits, make([]int, min(l.size, maxGradedSize)+2-len(m.hits))...)
	}
	near, next, same := m.nearest(s)
	f := &features{m: m, run: run, near: near, next: next, same: uint32(same), earlier: s}
	for k := 0; k < l.size && left > 0; k++ {
		has := 0
		if i := f.found; !m.reading && i < len(l.at) && int(l.at[i]) == k {
			has = 1
		}
		has = f.judged(has, k, left)
		f.own = f.own<<1 | uint32(has)
		if m.spent {
			return
		}
		if has == 0 {
			continue
		}
		if m.rebuilt++; m.rebuilt > maxGradedJudged {
			m.limit = &LimitError{"judged documents in rankings", 0, maxGradedJudged}
			return
		}
		if m.reading {
			l.at, l.grade = append(l.at, int32(k)), append(l.grade, 0)
		}
		g := f.grade(int(l.grade[f.found]), k, left)
		l.grade[f.found] = int32(g)
		m.left[g]--
		left--
		m.hits[k]++
		f.found++
	}
}

// size codes the length of a ranking: usually that of the previous query or run.
func (m *rankModel) size(s int, l *gradedList) {
	if same := m.flag(l.size == m.sizes[s], context(32), context(33, uint32(s))); same {
		l.size = m.sizes[s]
	} else if s > 0 && m.flag(l.size == m.lists[s-1].size, context(34), context(35, uint32(s))) {
		l.size = m.lists[s-1].size
	} else {
		l.size = m.number(l.size, kindSize)
	}
	if l.size > maxGradedSize {
		m.limit = &LimitError{"documents of a ranking", l.size, maxGradedSize}
	}
	m.sizes[s] = l.size
}

// features are the inputs of the prediction of a ranking's next judged document.
type features struct {
	m          *rankModel
	run        uint32
	near, next *gradedList
	same       uint32 // similarity of the nearest run
	earlier    int    // number of earlier runs of the query
	found      int    // judged documents so far
	own        uint32 // the previous ranks, the last in the lowest bit
	i, j       int    // in near and next: the first judged document at or after the rank
}

// judged codes whether the document at rank k is judged.
func (f *features) judged(has, k, left int) int {
	m := f.m
	for f.i < len(f.near.at) && int(f.near.at[f.i]) < k {
		f.i++
	}
	for f.j < len(f.next.at) && int(f.next.at[f.j]) < k {
		f.j++
	}
	rank := uint32(rankBucket(k))
	hits, around := m.hits[k], m.hits[k+1]
	if k > 0 {
		around += m.hits[k-1]
	}
	many := func(n int) uint32 {
		if f.earlier == 0 {
			return 0
		}
		return uint32(min(n, 1) + n*6/f.earlier)
	}
	d1, d2 := rankDistance(f.near, f.found, k), rankDistance(f.next, f.found, k)
	e1, e2 := rankDistance(f.near, f.i, k), rankDistance(f.next, f.j, k)
	few, found := uint32(min(left, 4)), uint32(min(f.found, 3))
	return m.bit(has, 16+d1*4+f.same,
		context(40, rank, few, found),
		context(41, d1, rank, f.same),
		context(42, d1, d2, f.same, min(few, 2)),
		context(43, many(hits), many(around), rank),
		context(44, f.run, rank, min(few, 2)),
		context(45, e1, e2, f.own&3),
		context(46, f.own&7, uint32(min(left*8/max(m.judged, 1), 8)), rank),
		context(47, many(hits), d1, e2))
}

// grade codes the grade of the judged document at rank k, an index in the grades.
func (f *features) grade(g, k, left int) int {
	m := f.m
	for i := range m.left {
		if m.left[i] == 0 {
			continue
		}
		if m.left[i] == left {
			return i // all remaining documents have it
		}
		is := 0
		if i == g {
			is = 1
		}
		of := func(l *gradedList, at int) uint32 {
			if at < len(l.at) {
				return uint32(l.grade[at]) + 1
			}
			return 0
		}
		here := uint32(0)
		if f.i < len(f.near.at) && int(f.near.at[f.i]) == k {
			here = of(f.near, f.i)
		}
		place, share := uint32(i), uint32(m.left[i]*12/left)
		if m.bit(is, 12+min(place, 3), context(50, place, share), context(51, place, here, of(f.near, f.found)),
			context(52, place, uint32(rankBucket(k)), share/2),
			context(53, place, of(f.near, f.found), of(f.next, f.found), share/3)) == 1 {
			return i
		}
		left -= m.left[i]
	}
	m.bad = true // unreachable: the last remaining grade has all
	return g
}

// rankDistance returns how far after rank k a list has the judged document with the given index.
func rankDistance(l *gradedList, at, k int) uint32 {
	if at >= len(l.at) {
		return 0
	}
	switch d := int(l.at[at]) - k; {
	case d < -8:
		return 1
	case d < -3:
		return 2
	case d < 0:
		return uint32(5 + min(d+1, 0))
	case d < 4:
		return uint32(6 + d)
	case d < 8:
		return 10
	case d < 20:
		return 11
	}
	return 12
}

// rankBucket groups ranks from 0: the first three alone, later ones by a factor of about one and a half.
func rankBucket(k int) int {
	for i, from := range rankBuckets {
		if k < from {
			return i
		}
	}
	return len(rankBuckets)
}

var rankBuckets = []int{1, 2, 3, 5, 8, 12, 18, 28, 45, 80, 150, 300, 600}
