package bm25

import (
	"math"

	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/rank"
)

// Untouched is what a document's accumulator holds before anything is added: −0, which no sum of scores gives, so that
// a document with the score 0 differs from one that matches nothing.
var Untouched = math.Copysign(0, -1)

// Weighted is a list of postings, none of whose frequencies is 255, and the weight of its term.
type Weighted struct {
	Postings []index.Posting
	// parallel to Postings: frequencies in the title; nil where those in Postings are taken as they are
	Titles []uint8
	Weight float32
}

// Job is what is left of a query when its terms are looked up. Run adds to Acc the scores w − w/(1 + tf·Inv[doc]) of
// all lists (in 32 bits; the sums in 64), rounds each sum to 32 bits where Single, adds Base where not, and picks the
// best K of the documents that were touched and pass Filter. Afterwards Acc is Untouched again.
//
// Where a list has Titles, tf is Title × the frequency in the title + that in the text, in 32 bits.
type Job struct {
	Acc    []float64 // by document
	Inv    []float32 // by document
	Lists  []Weighted
	Title  float32 // > 0
	Single bool    // sums are ≥ 0
	Base   float64
	K      int
	Filter rank.Filter
	Hits   []rank.Hit // appended to Hits[:0]
	Room   []uint64   // memory for whoever does the job, to use and to replace; the ranker keeps it for the next
}

// Run does a job and returns the hits. It is a variable so that a program can put a faster equal of RunGo in its place
// at start-up.
var Run = RunGo

// RunGo does a job in Go.
func RunGo(j *Job) []rank.Hit {
	acc := j.Acc
	inv := j.Inv[:min(len(acc), len(j.Inv))]
	for i := range j.Lists {
		l := &j.Lists[i]
		w := l.Weight
		if l.Titles == nil {
			for _, p := range l.Postings {
				d := p.Doc()
				acc[d] += float64(single(w, float32(uint32(p)&255), inv[d]))
			}
			continue
		}
		titles := l.Titles[:len(l.Postings)]
		for i, p := range l.Postings {
			d, title := p.Doc(), uint32(titles[i])
			tf := float32(j.Title*float32(title)) + float32(uint32(p)&255-title)
			acc[d] += float64(single(w, tf, inv[d]))
		}
	}

	// The best so far are a heap with the worst of them at its root. Documents come in the order of their ordinals, so
	// that one of the root's score stands below it.
	heap, k := j.Hits[:0], max(j.K, 0)
	untouched := math.Float64bits(Untouched)
	for d, s := range acc {
		if math.Float64bits(s) == untouched {
			continue
		}
		acc[d] = Untouched
		if j.Single {
			s = float64(float32(s))
		} else {
			s += j.Base
		}
		switch {
		case len(heap) == k && (k == 0 || s <= heap[0].Score) || !j.Filter.Has(uint32(d)):
		case len(heap) < k:
			if heap = append(heap, rank.Hit{Doc: uint32(d), Score: s}); len(heap) == k {
				for i := k/2 - 1; i >= 0; i-- {
					sink(heap, i)
				}
			}
		default:
			heap[0] = rank.Hit{Doc: uint32(d), Score: s}
			sink(heap, 0)
		}
	}
	if len(heap) < k {
		for i := len(heap)/2 - 1; i >= 0; i-- {
			sink(heap, i)
		}
	}
	for n := len(heap) - 1; n > 0; n-- {
		heap[0], heap[n] = heap[n], heap[0]
		sink(heap[:n], 0)
	}
	return heap
}

// sink moves hit i down to where both of its children are better.
func sink(heap []rank.Hit, i int) {
	h := heap[i]
	for {
		c := 2*i + 1
		if c >= len(heap) {
			break
		}
		if c+1 < len(heap) && better(&heap[c], &heap[c+1]) {
			c++
		}
		if !better(&h, &heap[c]) {
			break
		}
		heap[i] = heap[c]
		i = c
	}
	heap[i] = h
}

// better is rank.Better, called for ties only: where package rank is compiled without inlining, as in the first
// program, the calls were a sixth of a query.
func better(a, b *rank.Hit) bool {
	return a.Score > b.Score || a.Score == b.Score && rank.Better(*a, *b)
}
