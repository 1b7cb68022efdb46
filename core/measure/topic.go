package measure

import "slices"

// Hit is a retrieved document that the qrels judge.
type Hit struct {
	Rank  int32 // from 1
	Grade float64
}

// Topic is one query as a measure sees it: the grades of its ranking and of its qrels. Set either Ranked or, for
// long lists with few judged documents, Hits and Retrieved. A Topic serves any number of measures. Call
// [Topic.Reset] before reusing it for another query.
type Topic struct {
	Query string
	// Ranked[i] is the grade of the document at rank i+1, or Unjudged.
	Ranked []float64
	// Hits are the judged documents of the ranking by ascending rank, and Retrieved is the length of the ranking.
	// They apply if Ranked is nil.
	Hits      []Hit
	Retrieved int
	// Judged holds the grades of all judged documents of the query in any order, whether retrieved or not,
	// including negative grades.
	Judged []float64
	// Scores holds the score at each rank; neighbours with equal scores are tied. Only the analysis of ties needs
	// it. It may be nil.
	Scores []float64
	// Missing reports that the run has no list for this judged query.
	Missing bool
	// TopGrade is the highest grade of the collection's scale, for measures that need one and have no parameter for
	// it set (INST, graded RBP). 0 means the highest grade of Judged, at least 1. Evaluate sets it to the highest
	// grade of its topics.
	TopGrade float64
	// Subtopics holds the judgments by subtopic or by judgment group, or nil.
	Subtopics *Subtopics
	// Preferences holds the users' preferences, or nil. Its Ranked must not change after a measure has used it.
	Preferences *Preferences

	ready     bool
	n         int   // length of the ranking
	hits      []Hit // judged documents of the ranking, rank ascending
	cond      []Hit // the same without negative grades, ranked among themselves
	condReady bool
	ideal     []float64 // positive grades of Judged, descending
	hitBuf    []Hit
	condBuf   []Hit
	idealBuf  []float64
	gainBuf   []float64
	countBuf  []int32
	takenBuf  []int32

	// used by Residual
	scratchTopic *Topic
	openFloats   []float64
	openInts     []int32
}

// Reset clears the topic but keeps its memory for the next query.
func (t *Topic) Reset() {
	*t = Topic{hitBuf: t.hitBuf, condBuf: t.condBuf, idealBuf: t.idealBuf, gainBuf: t.gainBuf, countBuf: t.countBuf,
		takenBuf:     t.takenBuf,
		scratchTopic: t.scratchTopic, openFloats: t.openFloats, openInts: t.openInts}
}

// Prepare computes what all measures share: the positions of the judged documents and the ideal order of the judged
// grades. Score calls it if necessary. After changing exported fields call [Topic.Reset] first. Measures also use
// the topic's memory, so goroutines must not share a topic. Cost: linear in the length of Ranked (or Hits) and n
// log n in that of Judged.
func (t *Topic) Prepare() {
	if t.ready {
		return
	}
	t.ready, t.condReady = true, false
	if t.Ranked == nil {
		t.hits, t.n = t.Hits, t.Retrieved
	} else {
		h := t.hitBuf[:0]
		for i, g := range t.Ranked {
			if g != Unjudged {
				h = append(h, Hit{int32(i + 1), g})
			}
		}
		t.hitBuf, t.hits, t.n = h, h, len(t.Ranked)
	}
	d := t.idealBuf[:0]
	for _, g := range t.Judged {
		if g > 0 {
			d = append(d, g)
		}
	}
	slices.Sort(d)
	slices.Reverse(d)
	t.idealBuf, t.ideal = d, d
}

// Len returns the number of documents in the ranking.
func (t *Topic) Len() int {
	if t.Ranked != nil {
		return len(t.Ranked)
	}
	return t.Retrieved
}

// list returns the judged documents of the ranking and its length. With judged, it first removes unjudged documents
// (and those with negative grades) and renumbers the ranks.
func (t *Topic) list(judged bool) ([]Hit, int) {
	if !judged {
		return t.hits, t.n
	}
	t.condense()
	return t.cond, len(t.cond)
}

func (t *Topic) condense() {
	if t.condReady {
		return
	}
	c := t.condBuf[:0]
	for _, h := range t.hits {
		if h.Grade >= 0 {
			c = append(c, Hit{int32(len(c) + 1), h.Grade})
		}
	}
	t.condBuf, t.cond, t.condReady = c, c, true
}

// relevant returns how many judged documents have a grade of at least rel and at least 0.
func (t *Topic) relevant(rel float64) int {
	if n := len(t.ideal); rel > 0 && (n == 0 || t.ideal[n-1] >= rel) {
		return n
	}
	n := 0
	for _, g := range t.Judged {
		if g >= max(rel, 0) {
			n++
		}
	}
	return n
}

// top returns the highest grade of the scale, at least 1.
func (t *Topic) top() float64 {
	if t.TopGrade > 0 {
		return t.TopGrade
	}
	if len(t.ideal) > 0 {
		return max(t.ideal[0], 1)
	}
	return 1
}

// isRel reports whether a grade is relevant at the measure's level. Negative grades never are.
func (m *Measure) isRel(grade float64) bool { return grade >= max(m.rel, 0) }

// usedRanks returns how many of n ranks the measure uses.
func (m *Measure) usedRanks(n int) int {
	if m.cut == 0 {
		return n
	}
	return min(n, m.cut)
}

// found counts the relevant documents within the first k ranks of hits; k = 0 means all.
func (m *Measure) found(hits []Hit, k int) int {
	n := 0
	for _, h := range hits {
		if k > 0 && int(h.Rank) > k {
			break
		}
		if m.isRel(h.Grade) {
			n++
		}
	}
	return n
}
