package bm25

import (
	"math"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Untouched is the initial value of a document's accumulator: −0, which no sum of scores gives. So a document with
// the score 0 differs from one without a match.
var Untouched = math.Copysign(0, -1)

// Weighted is a postings list with the weight of its term. None of its frequencies is 255.
type Weighted struct {
	Postings []index.Posting
	// parallel to Postings: frequencies in the title; nil to use those in Postings unchanged
	Titles []uint8
	Weight float32
}

// Job is a query after term lookup. For every list, Run adds w − w/(1 + tf·Inv[doc]) to Acc (in 32 bits; the sums
// in 64). If Single, it rounds each sum to 32 bits, else it adds Base. It picks the best K of the touched documents
// that pass Filter, and resets Acc to Untouched.
//
// If a list has Titles, tf is Title × the title frequency + the text frequency, in 32 bits.
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
	Room   []uint64   // scratch memory that the implementation of Run may use and replace
}

// Run does a job and returns the hits. It is a variable, so that a program can install a faster equivalent of RunGo
// at start-up.
var Run = RunGo

// RunGo does a job in pure Go.
func RunGo(j *Job) []rank.Hit {
	acc := j.Acc
	inv := j.Inv[:min(len(acc), len(j.Inv))]
	for i := range j.Lists {
		l := &j.Lists[i]
		w := l.Weight
		if l.Titles == nil {
			for _, p := range l.Postings {
				d := p.Doc()
				acc[d] += float64(termScore(w, float32(uint32(p)&255), inv[d]))
			}
			continue
		}
		titles := l.Titles[:len(l.Postings)]
		for i, p := range l.Postings {
			d, title := p.Doc(), uint32(titles[i])
			tf := float32(j.Title*float32(title)) + float32(uint32(p)&255-title)
			acc[d] += float64(termScore(w, tf, inv[d]))
		}
	}

	// A heap holds the best so far, the worst of them at its root. Documents come in ascending order, so a document
	// with the root's score ranks below it.
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

// sink moves hit i down until both children are better.
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

// better is rank.Better, called for ties only. The first program compiles package rank without inlining, and the
// calls took a sixth of a query.
func better(a, b *rank.Hit) bool {
	return a.Score > b.Score || a.Score == b.Score && rank.Better(*a, *b)
}
