//go:build !first && !library

package bm25

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/rank"
)

// Large collections are not scored document by document. Their ordinals are cut into ranges of 64. No document of a
// range can score more than the sum of what each term adds at most there. The ranges with the highest sums are
// scored first. What follows is skipped if its sum is below the worst of the best k.
//
// What a term adds at most depends on k1 and b. So a frequent term keeps, of each range, the pairs (tf, length) that
// no other pair of the range dominates by tf as high and length as low (frontier). Every setting makes its maxima of
// those (ceiling). Rare terms need none: their postings are scored.
//
// Bounds are summed in the order in which scores are, and rounding is monotone, so that no document is skipped that
// would be in the list: the hits have the same bits as those of RunGo.
//
// The idea of ranges in the order of their bounds is that of Mallia, Suel and Tonellotto 2024, Faster Learned Sparse
// Retrieval with Block-Max Pruning.

const canPrune = true

// PruneFrom is the number of documents from which ranges are skipped. Below it scoring everything takes as long. Tests
// and benchmarks change it.
var PruneFrom = 1 << 16

// PruneShare bounds the depth of pruned lists to this part of the ranges: beyond it nearly every range is scored.
var PruneShare = 8

// Vectorised says that Run scores by SIMD kernels. They score 100,000 documents faster than ranges are skipped there,
// and a million beside the best 100 of them (docs/benchmark.md, Growth).
func Vectorised() { PruneFrom, PruneShare = 1<<19, 512 }

// mostTerms is how many terms a query may have. The bounds of more, such as expanded queries have, skip little: with
// ten words either way takes as long, with twenty pruning takes twice as long (BenchmarkGrowth).
const mostTerms = 9

const (
	rangeBits = 6
	rangeSize = 1 << rangeBits // a word of a Filter
)

// pruner is what pruning keeps for the settings.
type pruner struct {
	pairs    *pairs               // of the length and the frequencies of the settings
	ceilings map[uint32][]float32 // by term
	shortest [256]uint32          // by code of length: of its documents the one whose length counts least
	bounds   []float64            // by range
	lists    []prunedList
	best     []ranged
	acc      [rangeSize]float64
}

// prunedList is a list of a query.
type prunedList struct {
	index.List
	weight   float64
	frontier *frontier // nil for a rare term
}

// ranged is a range and its bound.
type ranged struct {
	bound float64
	at    uint32
}

// pruned does what RankTerms does, and reports whether it could.
func (r *Ranker) pruned(terms []Term, j *Job) ([]rank.Hit, bool) {
	ranges := (r.x.Docs() + rangeSize - 1) / rangeSize
	if j.K < 1 || j.K > ranges/PruneShare || len(terms) > mostTerms || r.p.Title == 0 {
		return nil, false
	}
	p := &r.prune
	p.lists = p.lists[:0]
	base := 0.0
	for _, t := range terms {
		l := prunedList{List: r.x.List(t.ID)}
		idf := r.idf(r.df(t.ID))
		if l.weight = t.Boost * idf; r.form != double {
			l.weight = float64(float32(t.Boost) * float32(idf))
		} else {
			base += float64(l.weight * r.absent())
		}
		if l.Large() || !(l.weight >= 0 && l.weight <= math.MaxFloat32) {
			return nil, false
		}
		p.lists = append(p.lists, l)
	}
	j.Base = base
	r.startPruning(ranges)
	for i := range p.lists {
		if l := &p.lists[i]; l.Len() < ranges/2 {
			r.boundRare(l)
		} else if !r.boundFrequent(l, terms[i].ID) {
			return nil, false
		}
	}
	return r.best(j), true
}

// startPruning prepares for the settings and clears the bounds.
func (r *Ranker) startPruning(ranges int) {
	p := &r.prune
	if p.pairs == nil {
		p.pairs = r.pairs()
		p.ceilings = map[uint32][]float32{}
		p.bounds = make([]float64, ranges)
		r.findShortest()
		for i := range p.acc {
			p.acc[i] = Untouched
		}
	}
	for i := range p.bounds {
		p.bounds[i] = Untouched
	}
}

// findShortest makes p.shortest.
func (r *Ranker) findShortest() {
	var found [256]bool
	p := &r.prune
	for d, code := range p.pairs.codes {
		shorter := !found[code]
		switch {
		case shorter:
		case r.form == double:
			shorter = r.norm[d] < r.norm[p.shortest[code]]
		default:
			shorter = r.inv[d] > r.inv[p.shortest[code]]
		}
		if shorter {
			found[code], p.shortest[code] = true, uint32(d)
		}
	}
}

// boundRare adds to the bounds what the documents of a list score.
func (r *Ranker) boundRare(l *prunedList) {
	bounds := r.prune.bounds
	for i := 0; i < len(l.Postings); {
		at := l.Postings[i].Doc() >> rangeBits
		most := 0.0
		for ; i < len(l.Postings) && l.Postings[i].Doc()>>rangeBits == at; i++ {
			most = max(most, r.adds(l, i))
		}
		bounds[at] += most
	}
}

// adds returns what the document at place i of a list scores by it.
func (r *Ranker) adds(l *prunedList, i int) float64 {
	d := l.Postings[i].Doc()
	tf := r.tf(&l.List, i)
	if r.form != double {
		return float64(single(float32(l.weight), float32(tf), r.inv[d]))
	}
	return r.addsDouble(l.weight, tf, r.norm[d])
}

// addsDouble is what addDouble adds.
func (r *Ranker) addsDouble(w, tf, norm float64) float64 {
	switch {
	case !(tf > 0):
		return 0
	case r.p.Variant == "bm25l":
		c := tf/norm + r.p.Delta
		return float64(w * (float64((r.p.K1+1)*c)/(r.p.K1+c) - r.absent()))
	}
	return float64(w * (float64(tf*r.factor()) / (tf + norm)))
}

// boundFrequent adds to the bounds what a term adds at most to a document of each range. ok is false where that is
// no number.
func (r *Ranker) boundFrequent(l *prunedList, id uint32) (ok bool) {
	p := &r.prune
	l.frontier = p.pairs.of(r, id, &l.List)
	ceiling := p.ceilings[id]
	if ceiling == nil {
		if ceiling = r.ceiling(l.frontier); ceiling == nil {
			return false
		}
		p.ceilings[id] = ceiling
	}
	bounds := p.bounds[:len(ceiling)]
	if r.form == double {
		for g, y := range ceiling {
			if y >= 0 && l.weight > 0 {
				bounds[g] += float64(l.weight * float64(y))
			} else if y >= 0 {
				bounds[g] += 0
			}
		}
		return true
	}
	w := float32(l.weight)
	for g, x := range ceiling {
		if x >= 0 {
			bounds[g] += float64(w - w/(1+x))
		}
	}
	return true
}

// ceiling returns, for the settings, the largest tf/(k1·L) of each range, as single has it, and for double the
// largest saturation; −1 where the term is in no document. nil: it is not a number.
func (r *Ranker) ceiling(f *frontier) []float32 {
	out := make([]float32, len(f.pairs))
	i := 0
	for g, n := range f.pairs {
		most := float32(-1)
		for end := i + int(n); i < end; i++ {
			d := r.prune.shortest[f.codes[i]]
			y := f.tfs[i]
			if r.form == double {
				y = r.ceilingDouble(float64(y), d)
			} else {
				y *= r.inv[d]
			}
			if y != y {
				return nil
			}
			most = max(most, y)
		}
		out[g] = most
	}
	return out
}

// ceilingDouble returns a little more than the saturation less that of a document without the term: its rounding is
// not monotone, and it is rounded to 32 bits here.
func (r *Ranker) ceilingDouble(tf float64, d uint32) float32 {
	if !(tf > 0) {
		return 0
	}
	s := r.saturation(tf*(1+0x1p-20), d)
	return float32((float64(s*(1+0x1p-40)) - r.absent()) * (1 + 0x1p-20))
}

// best picks the best K of the documents, whose bounds are made.
func (r *Ranker) best(j *Job) []rank.Hit {
	p := &r.prune
	heap := j.Hits[:0]
	r.choose(16 + j.K/2)
	for _, b := range p.best {
		heap = r.rangeHits(j, heap, int(b.at))
		p.bounds[b.at] = Untouched
	}
	for g, b := range p.bounds {
		if math.Float64bits(b) != math.Float64bits(Untouched) && worthwhile(j, heap, b, g) {
			heap = r.rangeHits(j, heap, g)
		}
	}
	rank.Sort(heap)
	return heap
}

// worthwhile reports whether a document of a range may be among the best.
func worthwhile(j *Job, heap []rank.Hit, bound float64, at int) bool {
	if len(heap) < j.K {
		return true
	}
	if j.Single {
		bound = float64(float32(bound))
	} else {
		bound += j.Base
	}
	return bound > heap[0].Score || bound == heap[0].Score && uint32(at)<<rangeBits < heap[0].Doc
}

// choose makes p.best, the n ranges with the highest bounds.
func (r *Ranker) choose(n int) {
	p := &r.prune
	best := p.best[:0]
	least := math.Inf(-1)
	for g, b := range p.bounds {
		if b <= least || math.Float64bits(b) == math.Float64bits(Untouched) {
			continue
		}
		if best = append(best, ranged{b, uint32(g)}); len(best) == 4*n {
			sortRanges(best)
			best = best[:n]
			least = best[n-1].bound
		}
	}
	sortRanges(best)
	p.best = best[:min(n, len(best))]
}

func sortRanges(a []ranged) {
	sort.Slice(a, func(i, j int) bool { return a[i].bound > a[j].bound })
}

// rangeHits scores a range and offers its documents to the heap.
func (r *Ranker) rangeHits(j *Job, heap []rank.Hit, g int) []rank.Hit {
	pass := ^uint64(0)
	if j.Filter != nil {
		if pass = j.Filter[g]; pass == 0 {
			return heap
		}
	}
	p := &r.prune
	var touched uint64
	for n := range p.lists {
		l := &p.lists[n]
		from, to := l.span(g)
		if j.Single && l.Titles == nil || r.form == flat {
			w := float32(l.weight)
			for _, x := range l.Postings[from:to] {
				d := x.Doc()
				p.acc[d%rangeSize] += float64(single(w, float32(uint32(x)&255), r.inv[d]))
				touched |= 1 << (d % rangeSize)
			}
			continue
		}
		for i := from; i < to; i++ {
			d := l.Postings[i].Doc()
			if r.form == double && !(r.tf(&l.List, i) > 0) {
				continue
			}
			p.acc[d%rangeSize] += r.adds(l, i)
			touched |= 1 << (d % rangeSize)
		}
	}
	for ; touched != 0; touched &= touched - 1 {
		i := bits.TrailingZeros64(touched)
		h := rank.Hit{Doc: uint32(g*rangeSize + i), Score: p.acc[i] + j.Base}
		if j.Single {
			h.Score = float64(float32(p.acc[i]))
		}
		p.acc[i] = Untouched
		switch {
		case pass>>i&1 == 0:
		case len(heap) < j.K:
			if heap = append(heap, h); len(heap) == j.K {
				for i := j.K/2 - 1; i >= 0; i-- {
					sink(heap, i)
				}
			}
		case better(&h, &heap[0]):
			heap[0] = h
			sink(heap, 0)
		}
	}
	return heap
}

// span returns which places of a list are in a range.
func (l *prunedList) span(g int) (from, to int) {
	if f := l.frontier; f != nil {
		return int(f.starts[g]), int(f.starts[g+1])
	}
	from, _ = slices.BinarySearch(l.Postings, index.Posting(g<<(rangeBits+8)))
	for to = from; to < len(l.Postings) && int(l.Postings[to].Doc()>>rangeBits) == g; to++ {
	}
	return from, to
}
