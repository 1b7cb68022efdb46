package anchor

import "github.com/rankbox/rankbox/core/project/documents/chunk"

// match is a token of the old text and the one of the new text that it became.
type match struct{ old, new int }

// core are the matches of a passage, without the stray ones at its ends: a full stop is often aligned with that of an
// added sentence. One or two tokens are stray if the new text has more than three tokens that the old one lacks between
// them and the rest.
func (p *pair) core(from, to int) []match {
	var list []match
	for i := from; i < to; i++ {
		if at := p.aligned[i]; at >= 0 {
			list = append(list, match{i, at})
		}
	}
	gap := func(i int) bool { // before match i
		return list[i].new-list[i-1].new > list[i].old-list[i-1].old+3
	}
	for n := len(list); n > 4; n = len(list) {
		switch {
		case gap(n - 1):
			list = list[:n-1]
		case gap(n - 2):
			list = list[:n-2]
		case gap(1):
			list = list[1:]
		case gap(2):
			list = list[2:]
		default:
			return list
		}
	}
	return list
}

// widen returns the first and the last token of the new passage. Beyond the outermost matches it takes equal tokens,
// and, as far as the neighbours' places allow, tokens in place of edited ones: at most one more than there were.
func (p *pair) widen(from, to int, at []match) (first, last int) {
	low, high := at[0], at[len(at)-1]
	for low.old > from && low.new > 0 && p.a[low.old-1].number == p.b[low.new-1].number {
		low.old, low.new = low.old-1, low.new-1
	}
	for high.old+1 < to && high.new+1 < len(p.b) && p.a[high.old+1].number == p.b[high.new+1].number {
		high.old, high.new = high.old+1, high.new+1
	}
	edge, known := 0, from == 0 // where the passage begins in the new text, if that is known
	if from > 0 && p.aligned[from-1] >= 0 {
		edge, known = p.aligned[from-1]+1, true
	}
	if edited := low.old - from; known && edited > 0 && edge <= low.new && low.new-edge <= edited+1 {
		low.new = edge
	}
	edge, known = len(p.b), to == len(p.a)
	if to < len(p.a) && p.aligned[to] >= 0 {
		edge, known = p.aligned[to], true
	}
	if edited := to - 1 - high.old; known && edited > 0 && edge > high.new && edge-1-high.new <= edited+1 {
		high.new = edge - 1
	}
	return low.new, high.new
}

// trimmed is the span of tokens of the new text, cut as the old one was if it begins or ends within a token.
func (p *pair) trimmed(old chunk.Span, from, to, first, last int) chunk.Span {
	s := chunk.Span{Start: p.b[first].start, End: p.b[last].end}
	if cut := old.Start - p.a[from].start; cut > 0 && p.aligned[from] == first && p.same(from, first) {
		s.Start += cut
	}
	if cut := p.a[to-1].end - old.End; cut > 0 && p.aligned[to-1] == last && p.same(to-1, last) {
		s.End -= cut
	}
	return s
}

// same says whether tokens of the old and the new text have the same bytes.
func (p *pair) same(i, j int) bool {
	return p.old[p.a[i].start:p.a[i].end] == p.new[p.b[j].start:p.b[j].end]
}

// alone says whether nothing else in the old text, from token low to token high, is nearly as similar to the new
// passage as the old passage is, and whether no large part of the old passage is repeated, in it or elsewhere.
func (p *pair) alone(from, to, first, last, low, high int) bool {
	passage := p.b[first : last+1]
	if len(passage)*(high-low) > mostSearch || !p.partsAlone(from, to, low, high) {
		return false
	}
	own := distance(passage, p.a[from:to])
	other := min(nearest(passage, p.a[low:from]), nearest(passage, p.a[to:high]))
	return float64(other-own) >= 0.3*float64(len(passage))
}

// partsAlone says whether less than a third of a passage, in pieces of about eight tokens, is repeated in the old text
// from token low to token high, or nearly.
func (p *pair) partsAlone(from, to, low, high int) bool {
	if (to-from)*(high-low) > mostSearch {
		return false
	}
	repeated := 0
	pieces := max(1, (to-from+4)/8)
	for i := range pieces {
		x, y := from+(to-from)*i/pieces, from+(to-from)*(i+1)/pieces
		part := p.a[x:y]
		if float64(min(nearest(part, p.a[low:x]), nearest(part, p.a[y:high]))) < 0.3*float64(len(part)) {
			repeated += len(part)
		}
	}
	return 3*repeated < to-from
}

// certainPlace says whether the new place is that of the passage for certain, whatever is similar to it in the
// document. If something similar is beside it, all tokens around it must be the same. If it is farther away, most of
// them must be, or all on one side, if those are nowhere else.
func (p *pair) certainPlace(from, to, first, last int) bool {
	if p.alone(from, to, first, last, 0, len(p.a)) {
		return true
	}
	quote, changed := p.a[from:to], 0
	if !equal(quote, p.b[first:last+1]) {
		changed = 1
	}
	if count(p.a, quote)-changed != count(p.b, quote) { // one of several was added or taken away
		return false
	}
	before, after := p.sides(from, to, first, last)
	reach := to - from + 2*context
	if !p.alone(from, to, first, last, max(0, from-reach), min(len(p.a), to+reach)) {
		return before == 1 && after == 1
	}
	return before >= 0.6 && after >= 0.6 || before == 1 && p.unique(from-context, from) ||
		after == 1 && p.unique(to, to+context)
}

// sides are the shares of the tokens beside a passage, before and after it, that are beside the new place. A share is 1
// only if each of them is in its place, and at the ends of the texts both end.
func (p *pair) sides(from, to, first, last int) (before, after float64) {
	near, exact := 0, 0
	for i := 1; i <= context; i++ {
		if from < i {
			exact += countIf(first < i)
			near += countIf(first <= 4*context)
			continue
		}
		at := p.aligned[from-i]
		exact += countIf(at == first-i)
		near += countIf(at >= 0 && at < first && at >= first-4*context)
	}
	before = sideShare(near, exact)
	near, exact = 0, 0
	for i := 1; i <= context; i++ {
		old := to - 1 + i
		if old >= len(p.a) {
			exact += countIf(last+i >= len(p.b))
			near += countIf(last+4*context >= len(p.b))
			continue
		}
		at := p.aligned[old]
		exact += countIf(at == last+i)
		near += countIf(at > last && at <= last+4*context)
	}
	return before, sideShare(near, exact)
}

func sideShare(near, exact int) float64 {
	if exact == context {
		return 1
	}
	return min(0.99, float64(near)/context)
}

func countIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unique says whether the old text has some tokens only once, and nothing very like them.
func (p *pair) unique(from, to int) bool {
	from, to = max(0, from), min(len(p.a), to)
	part := p.a[from:to]
	return to-from == context && 2*min(nearest(part, p.a[:from]), nearest(part, p.a[to:])) >= context
}
