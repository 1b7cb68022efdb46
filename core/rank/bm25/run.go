package bm25

import (
	"math"

	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/rank"
)

// Untouched is what a document's accumulator holds before anything is added: −0, which no sum of scores gives, so that a document
// with the score 0 differs from one that matches nothing.
var Untouched = math.Copysign(0, -1)

// Weighted is a list of postings, none of whose frequencies is 255, and the weight of its term.
type Weighted struct {
	Postings []index.Posting
	Weight   float32
}

// Job is what is left of a query when its terms are looked up. Run adds to Acc the scores w − w/(1 + tf·Inv[doc]) of all lists (in 32
// bits; the sums in 64), rounds each sum to 32 bits where Single, adds Base, and picks the best K of the documents that were touched
// and pass Filter. Afterwards Acc is Untouched again.
type Job struct {
	Acc    []float64 // by document
	Inv    []float32 // by document
	Lists  []Weighted
	Single bool
	Base   float64
	K      int
	Filter rank.Filter
	Hits   []rank.Hit // appended to Hits[:0]

	top rank.Top
}

// Run does a job and returns the hits. It is a variable so that a program can put a faster equal in its place at start-up.
var Run = func(j *Job) []rank.Hit {
	for i := range j.Lists {
		l := &j.Lists[i]
		w, acc, inv := l.Weight, j.Acc, j.Inv[:len(j.Acc)]
		for _, p := range l.Postings {
			d := p.Doc()
			tf := float32(uint32(p) & 255)
			acc[d] += float64(w - w/(1+float32(tf*inv[d])))
		}
	}
	return j.Pick()
}

// Pick is the second half of Run: the best K of what is accumulated.
func (j *Job) Pick() []rank.Hit {
	j.top.Reset(max(j.K, 0), j.Hits)
	untouched := math.Float64bits(Untouched)
	for d, s := range j.Acc {
		if math.Float64bits(s) == untouched {
			continue
		}
		j.Acc[d] = Untouched
		if j.Single {
			s = float64(float32(s))
		}
		s += j.Base
		if !j.Filter.Has(uint32(d)) {
			continue
		}
		j.top.Push(rank.Hit{Doc: uint32(d), Score: s})
	}
	return j.top.Sorted()
}
