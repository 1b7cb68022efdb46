//go:build !first && !library

package bm25

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Large collections are not scored document by document. Ordinals are cut into ranges of 64. A range's bound is the
// sum of the most that each term adds there. Ranges are scored in descending order of their bounds. The search
// stops when a bound is below the worst of the best k.
//
// The most that a term adds depends on k1 and b. For every range, a frequent term therefore keeps the pairs (tf,
// length) that no other pair dominates by a tf as high and a length as low (frontier). Each setting derives its
// maxima from these (ceiling). Rare terms need none: their postings are scored.
//
// Bounds are summed in the order of the scores, and rounding is monotone. So no document of the result is skipped,
// and the hits equal those of RunGo bit for bit.
//
// Source: Mallia, Suel and Tonellotto 2024, Faster Learned Sparse Retrieval with Block-Max Pruning.

const canPrune = true

// PruneFrom is the number of documents from which ranges are skipped. Below it, scoring everything is as fast.
// Tests and benchmarks change it.
var PruneFrom = 1 << 16

// PruneShare limits the depth of pruned lists to this fraction of the ranges: deeper lists need nearly every range.
var PruneShare = 8

// Vectorised raises the thresholds because Run uses SIMD kernels. These score 100,000 documents faster than
// pruning, and a million for depths above 100 (docs/benchmark.md, Growth).
func Vectorised() { PruneFrom, PruneShare = 1<<19, 512 }

// mostTerms is the maximum number of query terms for pruning. Expanded queries have more, and their bounds skip
// little. With ten words both ways take equally long; with twenty, pruning takes twice as long (BenchmarkGrowth).
const mostTerms = 9

const (
	rangeBits = 6
	rangeSize = 1 << rangeBits // a word of a Filter
)

// pruner is the state of pruning for the current settings.
type pruner struct {
	pairs    *pairs               // for the settings' lengths and frequencies
	ceilings map[uint32][]float32 // by term
	shortest [256]uint32          // by length code: the document whose length counts least
	bounds   []float64            // by range
	lists    []prunedList
	best     []ranged
	acc      [rangeSize]float64
}

// prunedList is the list of a query term.
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

// pruned is RankTerms with pruning. It returns false if pruning does not apply.
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
		if l.weight = t.Boost * idf; r.form != doublePrecision {
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

// startPruning prepares the current settings and clears the bounds.
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

// findShortest computes p.shortest.
func (r *Ranker) findShortest() {
	var found [256]bool
	p := &r.prune
	for d, code := range p.pairs.codes {
		shorter := !found[code]
		switch {
		case shorter:
		case r.form == doublePrecision:
			shorter = r.lengthNorm[d] < r.lengthNorm[p.shortest[code]]
		default:
			shorter = r.invNorm[d] > r.invNorm[p.shortest[code]]
		}
		if shorter {
			found[code], p.shortest[code] = true, uint32(d)
		}
	}
}

// boundRare adds the scores of a list's documents to the bounds.
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

// adds returns what the posting at index i of a list adds to its document.
func (r *Ranker) adds(l *prunedList, i int) float64 {
	d := l.Postings[i].Doc()
	tf := r.tf(&l.List, i)
	if r.form != doublePrecision {
		return float64(termScore(float32(l.weight), float32(tf), r.invNorm[d]))
	}
	return r.addsDouble(l.weight, tf, r.lengthNorm[d])
}

// addsDouble returns what addDouble adds.
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

// boundFrequent adds the most that a term contributes in each range to the bounds. ok is false if that is NaN.
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
	if r.form == doublePrecision {
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

// ceiling returns the largest tf/(k1·L) of each range for single, or the largest saturation for double; −1 if no
// document of the range has the term. It returns nil if a value is NaN.
func (r *Ranker) ceiling(f *frontier) []float32 {
	out := make([]float32, len(f.pairs))
	i := 0
	for g, n := range f.pairs {
		most := float32(-1)
		for end := i + int(n); i < end; i++ {
			d := r.prune.shortest[f.codes[i]]
			y := f.tfs[i]
			if r.form == doublePrecision {
				y = r.ceilingDouble(float64(y), d)
			} else {
				y *= r.invNorm[d]
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

// ceilingDouble returns slightly more than the saturation minus that of an absent term: its rounding is not
// monotone, and the result is rounded to 32 bits.
func (r *Ranker) ceilingDouble(tf float64, d uint32) float32 {
	if !(tf > 0) {
		return 0
	}
	s := r.saturation(tf*(1+0x1p-20), d)
	return float32((float64(s*(1+0x1p-40)) - r.absent()) * (1 + 0x1p-20))
}

// best returns the best K documents. The bounds must be complete.
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

// worthwhile reports whether a range may hold one of the best documents.
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

// choose sets p.best to the n ranges with the highest bounds.
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
				p.acc[d%rangeSize] += float64(termScore(w, float32(uint32(x)&255), r.invNorm[d]))
				touched |= 1 << (d % rangeSize)
			}
			continue
		}
		for i := from; i < to; i++ {
			d := l.Postings[i].Doc()
			if r.form == doublePrecision && !(r.tf(&l.List, i) > 0) {
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

// span returns the indices of a list that are in a range.
func (l *prunedList) span(g int) (from, to int) {
	if f := l.frontier; f != nil {
		return int(f.starts[g]), int(f.starts[g+1])
	}
	from, _ = slices.BinarySearch(l.Postings, index.Posting(g<<(rangeBits+8)))
	for to = from; to < len(l.Postings) && int(l.Postings[to].Doc()>>rangeBits) == g; to++ {
	}
	return from, to
}
