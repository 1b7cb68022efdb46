//go:build !first

package measure

// idList is a ranking as seen by tools that take lists of ids: binary relevance, up to the cutoff.
type idList struct {
	rel        []bool // by rank
	seenBefore []bool // by rank: the id also appears higher up
	relevant   int    // number of relevant documents of the query
}

// ids returns the ranking in its order up to the measure's cutoff, 0 for all of it. Ids may repeat, because
// retrievers return chunks and merge lists; the tools treat repetitions differently.
func (l *List) ids(m Measure, order []int) idList {
	if m.cut > 0 && len(order) > m.cut {
		order = order[:m.cut]
	}
	level := max(m.rel, 1) // nDCG has no level: documents of grade ≥ 1 are relevant
	var x idList
	seen := make(map[string]bool, len(order))
	for _, i := range order {
		x.rel = append(x.rel, l.Grades[i] >= level)
		x.seenBefore = append(x.seenBefore, seen[l.IDs[i]])
		seen[l.IDs[i]] = true
	}
	for _, g := range l.Judged {
		if g >= level {
			x.relevant++
		}
	}
	return x
}

// found counts the relevant documents, including repetitions if repeated is set.
func (x *idList) found(repeated bool) (n int) {
	for r, rel := range x.rel {
		if rel && (repeated || !x.seenBefore[r]) {
			n++
		}
	}
	return n
}

// length counts the documents, including repetitions if repeated is set.
func (x *idList) length(repeated bool) int {
	n := len(x.rel)
	for _, again := range x.seenBefore {
		if again && !repeated {
			n--
		}
	}
	return n
}

// dcg is the sum of 1/log2(rank + 1) over the relevant documents, with or without repetitions.
func (x *idList) dcg(repeated bool) (sum float64) {
	for r, rel := range x.rel {
		if rel && (repeated || !x.seenBefore[r]) {
			sum += 1 / log2Rank(int32(r+1))
		}
	}
	return sum
}

// precisions is the sum of the precisions at relevant documents, with or without repetitions.
func (x *idList) precisions(repeated bool) (sum float64) {
	n := 0
	for r, rel := range x.rel {
		if rel && (repeated || !x.seenBefore[r]) {
			n++
			sum += float64(n) / float64(r+1)
		}
	}
	return sum
}

// bestDCG is the largest dcg of n relevant documents.
func bestDCG(n int) (sum float64) {
	for r := 1; r <= n; r++ {
		sum += 1 / log2Rank(int32(r))
	}
	return sum
}

// ratio divides; 0/0 is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// byIDs adapts a formula on lists of ids to lists.
func byIDs(f func(x *idList) float64) func(m Measure, l *List, order []int, t *Topic) float64 {
	return func(m Measure, l *List, order []int, _ *Topic) float64 {
		x := l.ids(m, order)
		return f(&x)
	}
}

// idsNDCG is binary nDCG against an ideal list no longer than the retrieved one.
func idsNDCG(x *idList) float64 {
	return ratio(x.dcg(true), bestDCG(min(x.relevant, len(x.rel))))
}

// idsPrecision and idsRecall use sets: an id counts once, and precision divides by the number of distinct ids.
func idsPrecision(x *idList) float64 {
	return ratio(float64(x.found(false)), float64(x.length(false)))
}

func idsRecall(x *idList) float64 { return ratio(float64(x.found(false)), float64(x.relevant)) }

// hasRelevant and hasBoth are for tools that refuse queries without relevant ids, or without retrieved ones.
func hasRelevant(m Measure, t *Topic) bool {
	t.Prepare()
	return t.relevant(max(m.rel, 1)) > 0
}

func hasBoth(m Measure, t *Topic) bool { return hasRelevant(m, t) && t.n > 0 }

// isBinary reports whether a tool with binary relevance can have the measure: at the default level, without a gain
// table, over judged and unjudged documents.
func (m Measure) isBinary() bool {
	if m.judged || m.table != nil || m.info.param("rel") != nil && m.rel != 1 {
		return false
	}
	switch m.info {
	case &infoNDCG:
		return m.Float("dcg") == 0
	case &infoF:
		return m.Float("beta") == 1
	case &infoSetF:
		return m.Float("beta") == 1
	case &infoSetP:
		return m.Float("relative") == 0
	}
	return true
}
