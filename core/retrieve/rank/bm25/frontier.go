//go:build !first && !library

package bm25

import (
	"math"
	"runtime"
	"sync"
	"weak"

	"github.com/rankbox/rankbox/core/retrieve/index"
)

// frontier bounds the scores of a frequent term for any k1 and b.
type frontier struct {
	starts []uint32 // start of each range in the list, and the end of the last
	pairs  []uint8  // number of pairs of a range
	tfs    []float32
	codes  []byte // parallel: index.EncodeLength of the length, or of a shorter one
}

// pairs holds the frontiers of an index for one way of counting words. Rankers share them.
type pairs struct {
	mu    sync.Mutex
	codes []byte // by document
	terms map[uint32]*frontier
}

// counting is the key of pairs.
type counting struct {
	form  form
	title float64
	exact bool
}

// shared holds the pairs of each index in use.
var shared sync.Map // weak.Pointer[index.Index] → *ofIndex

// ofIndex holds the pairs of an index.
type ofIndex struct {
	mu  sync.Mutex
	all map[counting]*pairs
}

// mostCountings limits the memory of an index while a slider moves its title weight.
const mostCountings = 3

// pairs returns the pairs of the settings.
func (r *Ranker) pairs() *pairs {
	key := weak.Make(r.x)
	v, had := shared.LoadOrStore(key, &ofIndex{all: map[counting]*pairs{}})
	if !had {
		runtime.AddCleanup(r.x, func(key weak.Pointer[index.Index]) { shared.Delete(key) }, key)
	}
	of := v.(*ofIndex)
	c := counting{r.form, r.p.Title, r.p.Exact && r.form != doublePrecision}
	of.mu.Lock()
	defer of.mu.Unlock()
	if p := of.all[c]; p != nil {
		return p
	}
	if len(of.all) >= mostCountings {
		clear(of.all)
	}
	p := &pairs{terms: map[uint32]*frontier{}, codes: make([]byte, r.x.Docs())}
	for d := range p.codes {
		if r.form != doublePrecision && !r.p.Exact {
			p.codes[d] = r.lengthCodes[d]
		} else {
			p.codes[d] = index.EncodeLength(uint32(min(math.Floor(r.length(uint32(d))), 1<<31-1)))
		}
	}
	of.all[c] = p
	return p
}

// of returns the frontier of a term and builds it on first use.
func (p *pairs) of(r *Ranker, id uint32, l *index.List) *frontier {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.terms[id]
	if f == nil {
		f = p.frontier(r, l)
		p.terms[id] = f
	}
	return f
}

// pair is a frequency and a length code.
type pair struct {
	tf   float32
	code byte
}

// frontier builds the frontier of a list.
func (p *pairs) frontier(r *Ranker, l *index.List) *frontier {
	ranges := (len(p.codes) + rangeSize - 1) / rangeSize
	f := &frontier{starts: make([]uint32, ranges+1), pairs: make([]uint8, ranges)}
	var room [rangeSize]pair
	i := 0
	for g := range ranges {
		f.starts[g] = uint32(i)
		front := room[:0]
		for ; i < len(l.Postings) && int(l.Postings[i].Doc()>>rangeBits) == g; i++ {
			front = offer(front, pair{upward(r.tf(l, i)), p.codes[l.Postings[i].Doc()]})
		}
		f.pairs[g] = uint8(len(front))
		for _, x := range front {
			f.tfs = append(f.tfs, x.tf)
			f.codes = append(f.codes, x.code)
		}
	}
	f.starts[ranges] = uint32(i)
	return f
}

// offer adds a pair to a set of pairs without dominated ones.
func offer(front []pair, x pair) []pair {
	for _, y := range front {
		if y.tf >= x.tf && y.code <= x.code {
			return front
		}
	}
	n := 0
	for _, y := range front {
		if !(x.tf >= y.tf && x.code <= y.code) {
			front[n] = y
			n++
		}
	}
	return append(front[:n], x)
}

// upward rounds to 32 bits, never downwards.
func upward(v float64) float32 {
	x := float32(v)
	if float64(x) < v {
		x = math.Nextafter32(x, math.MaxFloat32)
	}
	return x
}
