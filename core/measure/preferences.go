package measure

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// Preferences are pairwise judgments: users say which of two documents they prefer. Each user's preferences form a
// group, which is consistent in itself; groups may contradict each other. trec_eval reads them with -R prefs and -R
// qrels_prefs.
type Preferences struct {
	// Docs is the number of documents with a preference. They are numbered from 0 in ascending order of their ids.
	Docs int
	// Groups holds the users in ascending order of their names, the order in which their values are added.
	Groups []PreferenceGroup
	// Ranked[i] is the number of the document at rank i+1, or -1 if unjudged. To match trec_eval, order equal
	// scores by ascending document id: with preferences it breaks ties this way, with grades the other.
	Ranked []int32

	ready    bool
	place    []int32 // by document: retrieved ones in rank order, then the others by number
	found    int32   // number of retrieved documents: the first index of the others
	byPlaces []int32 // the inverse of place
	tallies  []tally
	shares   [overRetrieved + 1]pairShare // of prefs_pair, valid if shared is set
	shared   bool
	worth    []int           // by place: number of documents that this one is preferred to; computed on demand
	others   [2]*Preferences // see in
}

// PreferenceGroup is one user's judgments, as subgroups in ascending order of their names. Within a subgroup the
// user prefers a document of a higher level to every one of a lower level. Across subgroups preferences follow by
// transitivity: a > b and b > c make a > c. No document is twice in a subgroup, and there is no cycle. Level 0
// means not relevant. A group with several subgroups and too many documents (documents × (documents + levels) above
// 2^30) has no preferences.
type PreferenceGroup struct {
	Subgroups [][]Preferred
}

// Preferred is a document with its level, which only orders its subgroup.
type Preferred struct {
	Doc   int32
	Level float64
}

// maxPreferenceBits limits the memory for one group's transitive preferences: 128 MiB.
const maxPreferenceBits = 1 << 30

// tally counts a group's preferences and how many of them the ranking fulfils.
type tally struct {
	members []int32 // places of the group's documents, ascending
	seen    int     // number of retrieved members, which come first
	level   []float64
	class   []int32  // by member: rank of its level from the top; nil with several subgroups
	above   []int32  // by member: number of retrieved members above it that have a higher class
	beats   []uint64 // with several subgroups: a row of width words for each member: those it is preferred to
	width   int

	fulRet, possRet int // both retrieved
	fulImp, possImp int // one retrieved, which is therefore preferred to the other
	neither         int // none retrieved
	rel, relRet     int // documents with a level above 0
	non, nonRet     int // the other ones
}

// in returns the preferences for another ranking. It caches the last two: every measure asks for the best and the
// worst order of ties.
func (p *Preferences) in(ranked []int32) *Preferences {
	for _, o := range p.others {
		if o != nil && slices.Equal(o.Ranked, ranked) {
			return o
		}
	}
	p.others = [2]*Preferences{p.others[1], {Docs: p.Docs, Groups: p.Groups, Ranked: ranked}}
	return p.others[1]
}

// prepare counts the groups' preferences. Cost: n log n in the documents of a group; with several subgroups
// quadratic, 64 documents a step.
func (p *Preferences) prepare() {
	if p.ready {
		return
	}
	p.ready = true
	p.place, p.byPlaces = make([]int32, p.Docs), p.byPlaces[:0]
	for i := range p.place {
		p.place[i] = -1
	}
	for _, d := range p.Ranked {
		if d >= 0 && p.place[d] < 0 {
			p.place[d] = int32(len(p.byPlaces))
			p.byPlaces = append(p.byPlaces, d)
		}
	}
	p.found = int32(len(p.byPlaces))
	for d := range p.place {
		if p.place[d] < 0 {
			p.place[d] = int32(len(p.byPlaces))
			p.byPlaces = append(p.byPlaces, int32(d))
		}
	}
	p.tallies = make([]tally, len(p.Groups))
	for i, g := range p.Groups {
		t := &p.tallies[i]
		t.read(g, p.place)
		t.count(p.found)
	}
}

// A seat is a document in a subgroup.
type seat struct {
	place int32
	level float64
}

// read adds the group's documents at their places.
func (t *tally) read(g PreferenceGroup, place []int32) {
	subs := make([][]seat, len(g.Subgroups))
	for i, sub := range g.Subgroups {
		for _, d := range sub {
			subs[i] = append(subs[i], seat{place[d.Doc], d.Level})
			t.members = append(t.members, place[d.Doc])
		}
		seats := subs[i]
		sort.Slice(seats, func(a, b int) bool {
			return cmp.Or(cmp.Compare(seats[b].level, seats[a].level), cmp.Compare(seats[a].place, seats[b].place)) < 0
		})
	}
	slices.Sort(t.members)
	t.members = slices.Compact(t.members)
	t.level = make([]float64, len(t.members))
	at := func(s seat) int { i, _ := slices.BinarySearch(t.members, s.place); return i }
	for _, sub := range subs {
		for _, s := range sub {
			t.level[at(s)] = s.level
		}
	}
	if len(subs) == 1 {
		t.class = make([]int32, len(t.members))
		class := int32(0)
		for i, s := range subs[0] {
			if i > 0 && s.level != subs[0][i-1].level {
				class++
			}
			t.class[at(s)] = class
		}
		return
	}
	t.findTransitive(steps(subs, at))
}

// A step lies between two neighbouring levels of a subgroup: documents above it are preferred to those below.
type step struct{ above, below []int32 }

// steps returns the steps of several subgroups, each by descending level. at numbers the documents.
func steps(subs [][]seat, at func(seat) int) []step {
	var out []step
	for _, sub := range subs {
		for from := 0; from < len(sub); {
			to := from + 1
			for to < len(sub) && sub[to].level == sub[from].level {
				to++
			}
			for _, s := range sub[from:to] {
				if from > 0 {
					out[len(out)-1].below = append(out[len(out)-1].below, int32(at(s)))
				}
			}
			if to < len(sub) {
				out = append(out, step{})
				for _, s := range sub[from:to] {
					out[len(out)-1].above = append(out[len(out)-1].above, int32(at(s)))
				}
			}
			from = to
		}
	}
	return out
}

// findTransitive computes the transitive preferences: the documents of a level lead to a step, the step to those of
// the next level, and a document is preferred to all that it reaches.
func (t *tally) findTransitive(steps []step) {
	n := len(t.members)
	t.width = (n + 63) / 64
	if (n+len(steps))*t.width*64 > maxPreferenceBits {
		t.width = 0 // too large to compute: no preference is known
		return
	}
	t.beats = make([]uint64, n*t.width)
	leads := make([][]int32, n) // by document: steps directly below it
	wait := make([]int, n)      // by document: number of its steps that are not done
	enter := make([][]int32, n) // by document: steps directly above it
	for i, s := range steps {
		for _, d := range s.above {
			leads[d] = append(leads[d], int32(i))
			wait[d]++
		}
		for _, d := range s.below {
			enter[d] = append(enter[d], int32(i))
		}
	}
	reached := make([]uint64, len(steps)*t.width)
	below := make([]int, len(steps))
	var ready []int32
	for d := range wait {
		if wait[d] == 0 {
			ready = append(ready, int32(d))
		}
	}
	for len(ready) > 0 {
		d := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		row := t.row(int(d))
		for _, s := range leads[d] {
			for w, b := range reached[int(s)*t.width : (int(s)+1)*t.width] {
				row[w] |= b
			}
		}
		for _, s := range enter[d] {
			r := reached[int(s)*t.width : (int(s)+1)*t.width]
			for w, b := range row {
				r[w] |= b
			}
			r[d/64] |= 1 << (d % 64)
			if below[s]++; below[s] < len(steps[s].below) {
				continue
			}
			for _, a := range steps[s].above {
				if wait[a]--; wait[a] == 0 {
					ready = append(ready, a)
				}
			}
		}
	}
}

func (t *tally) row(i int) []uint64 { return t.beats[i*t.width : (i+1)*t.width] }

// relevant reports whether member i has a level above 0. With several subgroups a document with a negative level is
// neither relevant nor non-relevant.
func (t *tally) relevant(i int) bool { return t.level[i] > 0 }

func (t *tally) nonRelevant(i int) bool { return t.level[i] == 0 || t.class != nil && t.level[i] < 0 }

// count adds up the fulfilled preferences.
func (t *tally) count(found int32) {
	t.seen, _ = slices.BinarySearch(t.members, found)
	for i := range t.members {
		if t.relevant(i) {
			t.rel++
			if i < t.seen {
				t.relRet++
			}
		} else if t.nonRelevant(i) {
			t.non++
			if i < t.seen {
				t.nonRet++
			}
		}
	}
	if t.class != nil {
		t.countClasses()
		return
	}
	for i := range t.members {
		if i < t.seen {
			ret, imp := t.countPreferred(i, i, t.seen, nil), t.countPreferred(i, t.seen, len(t.members), nil)
			t.fulRet += ret
			t.possRet += ret + t.countPreferred(i, 0, i, nil)
			t.fulImp += imp
			t.possImp += imp
		} else {
			t.possImp += t.countPreferred(i, 0, t.seen, nil)
			t.neither += t.countPreferred(i, t.seen, len(t.members), nil)
		}
	}
}

// countPreferred counts the members from one index up to another that member i is preferred to, restricted to mask
// unless it is nil.
func (t *tally) countPreferred(i, from, to int, mask []uint64) int {
	n := 0
	for w := from / 64; w < t.width && 64*w < to; w++ {
		b := bitsBetween(t.beats[i*t.width+w], from-64*w, to-64*w)
		if mask != nil {
			b &= mask[w]
		}
		n += bits.OnesCount64(b)
	}
	return n
}

// bitsBetween keeps the bits from one index up to another, which may lie outside.
func bitsBetween(b uint64, from, to int) uint64 {
	if from > 0 {
		b = b >> from << from
	}
	if to < 64 {
		b &= 1<<to - 1
	}
	return b
}

// beaten inverts beats: a row for each member with those preferred to it.
func (t *tally) beaten() []uint64 {
	out := make([]uint64, len(t.beats))
	for from := 0; from < len(t.members); from += 64 { // 64 rows at a time, whose words are then written consecutively
		for w := range t.width {
			for i := from; i < min(from+64, len(t.members)); i++ {
				for b := t.row(i)[w]; b != 0; b &= b - 1 {
					out[(64*w+bits.TrailingZeros64(b))*t.width+from/64] |= 1 << (i - from)
				}
			}
		}
	}
	return out
}

// countClasses counts for each member the retrieved members of a higher class above it, with a tree of sums (P. M.
// Fenwick 1994), and adds up.
func (t *tally) countClasses() {
	n := int32(0)
	for _, c := range t.class {
		n = max(n, c+1)
	}
	sums, seen, rest := make([]int32, n+1), make([]int, n), make([]int, n)
	t.above = make([]int32, len(t.members))
	for j, c := range t.class {
		for k := c; k > 0; k &= k - 1 {
			t.above[j] += sums[k]
		}
		if j >= t.seen {
			t.fulImp += int(t.above[j])
			rest[c]++
			continue
		}
		t.fulRet += int(t.above[j])
		seen[c]++
		for k := c + 1; k <= n; k += k & -k {
			sums[k]++
		}
	}
	// Any two members of different classes have a preference.
	pairs := func(n int) int { return n * (n - 1) / 2 }
	ret, left := t.seen, len(t.members)-t.seen
	t.possRet, t.possImp, t.neither = pairs(ret), ret*left, pairs(left)
	for c := range seen {
		t.possRet -= pairs(seen[c])
		t.possImp -= seen[c] * rest[c]
		t.neither -= pairs(rest[c])
	}
}

// The preferences that a measure counts.
const (
	overJudged    = iota // all; if neither document is retrieved, the preference is unfulfilled
	overImplied          // those with at least one retrieved document
	overRetrieved        // those with two retrieved documents
)

// paramOver selects the preferences that a measure counts.
func paramOver(choices ...string) Param {
	return Param{Name: "over", Kind: KindChoice, Choices: choices,
		Doc: "which preferences count: of all judged documents, those that a retrieved document implies, or those " +
			"between retrieved documents"}
}

var overAll = []string{"judged", "implied", "retrieved"}

// fulfilled returns the number of fulfilled and possible preferences.
func (t *tally) fulfilled(over int) (ful, poss int) {
	switch over {
	case overRetrieved:
		return t.fulRet, t.possRet
	case overImplied:
		return t.fulRet + t.fulImp, t.possRet + t.possImp
	}
	return t.fulRet + t.fulImp, t.possRet + t.possImp + t.neither
}

// preferences returns the topic's preferences, counted, or nil.
func (t *Topic) preferences() *Preferences {
	if t.Preferences == nil || len(t.Preferences.Groups) == 0 {
		return nil
	}
	t.Preferences.prepare()
	return t.Preferences
}

// preferring adapts a score of preferences; it is 0 for topics without any.
func preferring(score func(m Measure, p *Preferences) float64) func(Measure, *Topic) float64 {
	return func(m Measure, t *Topic) float64 {
		p := t.preferences()
		if p == nil {
			return 0
		}
		return score(m, p)
	}
}

// relevant reports whether any user gave a document a level above 0.
func (p *Preferences) relevant() bool {
	if p == nil {
		return false
	}
	for _, g := range p.Groups {
		for _, sub := range g.Subgroups {
			for _, d := range sub {
				if d.Level > 0 {
					return true
				}
			}
		}
	}
	return false
}

// pairShare is the sum over pairs of documents of the share of groups whose preference is fulfilled, and the number
// of pairs.
type pairShare struct {
	sum   float64
	pairs int
}

// pairs returns the share of the preferences selected by over. Cost: quadratic in the documents of a group, once
// for all selections.
func (p *Preferences) pairs(over int) (sum float64, pairs int) {
	if len(p.tallies) == 1 { // every pair counts 0 or 1
		ful, poss := p.tallies[0].fulfilled(over)
		return float64(ful), poss
	}
	if !p.shared {
		p.share()
	}
	return p.shares[over].sum, p.shares[over].pairs
}

// share adds pair by pair: two retrieved documents, then one, then none, of which none is fulfilled.
func (p *Preferences) share() {
	p.shared = true
	type membership struct{ group, member int32 }
	of := make([][]membership, p.Docs) // by place
	for g := range p.tallies {
		for i, at := range p.tallies[g].members {
			of[at] = append(of[at], membership{int32(g), int32(i)})
		}
	}
	beaten := make([][]uint64, len(p.tallies))
	for g := range p.tallies {
		beaten[g] = p.tallies[g].beaten()
	}
	up, down := make([]int32, p.Docs), make([]int32, p.Docs)
	var met []int32
	vote := func(votes []int32, j int32) {
		if up[j]+down[j] == 0 {
			met = append(met, j)
		}
		votes[j]++
	}
	var s pairShare
	// add counts the pairs of i with the documents after it, retrieved or not.
	add := func(i int, retrieved bool) {
		met = met[:0]
		for _, m := range of[i] {
			t := &p.tallies[m.group]
			from, to := int(m.member)+1, t.seen
			if !retrieved {
				from, to = max(from, to), len(t.members)
			}
			if t.class != nil {
				c := t.class[m.member]
				for k := from; k < to; k++ {
					if d := t.class[k]; d > c {
						vote(up, t.members[k])
					} else if d < c {
						vote(down, t.members[k])
					}
				}
				continue
			}
			row := int(m.member) * t.width
			for w := from / 64; w < t.width && 64*w < to; w++ {
				for b := bitsBetween(t.beats[row+w], from-64*w, to-64*w); b != 0; b &= b - 1 {
					vote(up, t.members[64*w+bits.TrailingZeros64(b)])
				}
				for b := bitsBetween(beaten[m.group][row+w], from-64*w, to-64*w); b != 0; b &= b - 1 {
					vote(down, t.members[64*w+bits.TrailingZeros64(b)])
				}
			}
		}
		slices.Sort(met)
		for _, j := range met {
			s.pairs++
			if i < int(p.found) {
				s.sum += float64(up[j]) / float64(up[j]+down[j])
			}
			up[j], down[j] = 0, 0
		}
	}
	for i := range int(p.found) {
		add(i, true)
	}
	p.shares[overRetrieved] = s
	for i := range int(p.found) {
		add(i, false)
	}
	p.shares[overImplied] = s
	for i := int(p.found); i < p.Docs; i++ {
		add(i, false)
	}
	p.shares[overJudged] = s
}

// asManyNonRelevant returns the fulfilled and possible preferences with as many non-relevant documents as relevant
// ones in a group. It adds fulfilled ones for missing documents, and keeps only the first ones in the ranking if
// there are too many.
func (t *tally) asManyNonRelevant(p *Preferences, over int) (ful, poss int) {
	r, n := t.rel, t.non
	if over == overRetrieved {
		r, n = t.relRet, t.nonRet
	}
	if r >= n {
		ful, poss = t.fulfilled(over)
		return ful + t.relRet*(r-n), poss + t.rel*(r-n)
	}
	kept := len(t.members)
	if over == overRetrieved {
		kept = t.seen
	}
	if t.class != nil {
		last := slices.Max(t.class)
		higher := make([]int, last+2) // by class: number of kept documents of a higher class
		for _, c := range t.class[:kept] {
			higher[c+1]++
		}
		for c := range last + 1 {
			higher[c+1] += higher[c]
		}
		first := 0 // non-relevant documents kept so far
		for j, c := range t.class[:kept] {
			switch {
			case c < last:
				poss += higher[c]
				ful += int(t.above[j])
			case first < r:
				first++
				poss += kept // including a non-relevant document with itself
				ful += min(j, t.seen)
			}
		}
		return ful, poss
	}
	seen, mask := 0, make([]uint64, t.width)
	for i := range t.members {
		if t.level[i] == 0 {
			seen++
		}
		// Compare with all relevant documents, even if only retrieved ones count.
		if dropped := t.level[i] == 0 && seen > t.rel; !dropped && i < kept && t.width > 0 {
			mask[i/64] |= 1 << (i % 64)
		}
	}
	for i := range t.members[:kept] {
		if t.width == 0 || mask[i/64]>>(i%64)&1 == 0 {
			continue
		}
		poss += t.countPreferred(i, 0, kept, mask)
		if i < t.seen {
			ful += t.countPreferred(i, i, kept, mask)
		}
	}
	return ful, poss
}

// undefined reports whether a group has no preference for prefs_avgjg_Rnonrel to count, which makes trec_eval's sum
// 0/0.
func (p *Preferences) undefined(over int) bool {
	for i := range p.tallies {
		if _, poss := p.tallies[i].asManyNonRelevant(p, over); poss == 0 {
			return true
		}
	}
	return false
}

// betterPreferred puts documents first that are preferred to many others. Within one group, this order of a tie
// fulfils every preference in it.
func betterPreferred(_ *Measure, t *Topic, i int) float64 {
	p := t.preferences()
	if p == nil || p.Ranked[i] < 0 {
		return 0 // its position does not matter
	}
	if p.worth == nil {
		p.weigh()
	}
	return float64(p.worth[p.place[p.Ranked[i]]])
}

// weigh counts for each document how many it is preferred to, minus those preferred to it, except for a single
// group with several subgroups.
func (p *Preferences) weigh() {
	p.worth = make([]int, p.Docs)
	for g := range p.tallies {
		t := &p.tallies[g]
		if t.class != nil {
			ordered := slices.Sorted(slices.Values(t.class))
			for i, c := range t.class {
				higher, _ := slices.BinarySearch(ordered, c)
				same, _ := slices.BinarySearch(ordered, c+1)
				p.worth[t.members[i]] += len(ordered) - same - higher
			}
			continue
		}
		beaten := t.beaten()
		for i, at := range t.members {
			p.worth[at] += t.countPreferred(i, 0, len(t.members), nil)
			if len(p.tallies) > 1 {
				for _, b := range beaten[i*t.width : (i+1)*t.width] {
					p.worth[at] -= bits.OnesCount64(b)
				}
			}
		}
	}
}

// spreadPreferred: with one group, better first is best. The preferences of several may conflict, and finding the
// best order of such a tie is NP-complete.
func spreadPreferred(m Measure, t *Topic) (lo, hi float64, ok bool) {
	p := t.preferences()
	if p == nil {
		return 0, 0, true
	}
	lo, hi = t.extremes(m)
	return lo, hi, len(p.tallies) == 1
}

// spreadRnonrel: with subgroups it also matters which non-relevant documents are kept.
func spreadRnonrel(m Measure, t *Topic) (lo, hi float64, ok bool) {
	lo, hi, ok = spreadPreferred(m, t)
	p := t.preferences()
	return lo, hi, ok && (p == nil || p.tallies[0].class != nil)
}

// noPreferences is the note of every measure of preferences.
const noPreferences = "Needs preferences (trec_eval -R prefs or qrels_prefs); without them every query scores 0."

// tiesPreferred is the note of preference measures that depend on order.
const tiesPreferred = "With preferences, trec_eval orders equal scores by document id ascending, unlike with grades; " +
	"here the policy decides."

// examplePreferences has two users and four documents. A ranking finds the first, the second and the last. The
// first user prefers 1 to 2 and both to 3, which is not relevant; the second prefers 2 to 1, and 2 to 4.
func examplePreferences() *Preferences {
	return &Preferences{
		Docs: 4, Ranked: []int32{0, 1, 3},
		Groups: []PreferenceGroup{
			{Subgroups: [][]Preferred{{{0, 3}, {1, 2}, {2, 0}}}},
			{Subgroups: [][]Preferred{{{0, 1}, {1, 2}}, {{1, 2}, {3, 1}}}},
		},
	}
}
