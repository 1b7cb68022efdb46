package measure

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// Preferences are judgments of another kind: users say which of two documents they prefer. Every user's preferences are a group,
// which is consistent in itself; different groups may contradict each other. trec_eval reads them with -R prefs and -R qrels_prefs.
type Preferences struct {
	// Docs is how many documents have a preference. They are numbered from 0 in ascending order of their ids.
	Docs int
	// Groups holds the users in ascending order of their names: the order in which their values are added up.
	Groups []PreferenceGroup
	// Ranked[i] is the number of the document at rank i+1, -1 where nobody judged it. Where trec_eval is meant, equal scores are
	// ordered by document id ascending: with preferences it breaks ties so, and the other way with grades.
	Ranked []int32

	ready    bool
	place    []int32 // of each document: those retrieved in the order of the ranking, then the others by number
	found    int32   // how many are retrieved: the first place of those that are not
	byPlaces []int32 // the reverse of place
	tallies  []tally
}

// PreferenceGroup is one user's judgments, as subgroups in ascending order of their names. Within a subgroup a document of a higher
// level is preferred to every one of a lower; between documents of different subgroups there is a preference only by way of a
// third: a > b and b > c make a > c. No document is twice in a subgroup, and there is no circle. A level of 0 means not relevant. Of
// a group with several subgroups and too many documents (documents times documents and levels above 2^30) nothing is preferred.
type PreferenceGroup struct {
	Subgroups [][]Preferred
}

// Preferred is a document and its level, which only serves to order a subgroup.
type Preferred struct {
	Doc   int32
	Level float64
}

// maxPreferenceBits bounds the memory that the transitive preferences of one group may take: 128 MiB.
const maxPreferenceBits = 1 << 30

// tally is what a group prefers and how much of it the ranking fulfils.
type tally struct {
	members []int32 // places of the group's documents, ascending
	index   []int32 // of each place, the member; -1 where it is none
	level   []float64
	class   []int32  // of each member: its level's rank from above; nil where there are several subgroups
	beats   []uint64 // otherwise a row of width words for each member: whom it is preferred to
	width   int

	fulRet, possRet int // both retrieved
	fulImp, possImp int // one retrieved, which is preferred to the other by implication
	neither         int // none retrieved
	rel, relRet     int // documents of a level above 0
	non, nonRet     int // the other ones
}

// prepare counts what the groups prefer. The cost is quadratic in the documents of a group.
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
	p.tallies = p.tallies[:0]
	for _, g := range p.Groups {
		t := tally{}
		t.read(g, p.place)
		t.count(p.found)
		t.index = make([]int32, p.Docs)
		for i := range t.index {
			t.index[i] = -1
		}
		for i, at := range t.members {
			t.index[at] = int32(i)
		}
		p.tallies = append(p.tallies, t)
	}
}

// A seat is a document of a subgroup.
type seat struct {
	place int32
	level float64
}

// read takes the group's documents in, at their places.
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
	t.reach(steps(subs, at))
}

// A step stands between a level of a subgroup and the next: documents above it are preferred to those below.
type step struct{ above, below []int32 }

// steps returns the steps of several subgroups, each by descending level, with documents as at numbers them.
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

// reach finds which documents are preferred to which: the documents of a level point to a step, the step to those of the next level, and
// what can be reached is preferred to.
func (t *tally) reach(steps []step) {
	n := len(t.members)
	t.width = (n + 63) / 64
	if (n+len(steps))*t.width*64 > maxPreferenceBits {
		t.width = 0 // too large to be measured: no preference is known
		return
	}
	t.beats = make([]uint64, n*t.width)
	leads := make([][]int32, n) // steps that a document is above of
	wait := make([]int, n)      // of a document, how many of its steps are not done
	enter := make([][]int32, n) // steps that a document is below of
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

// prefers reports whether the group prefers member i to member j.
func (t *tally) prefers(i, j int) bool {
	if t.class != nil {
		return t.class[i] < t.class[j]
	}
	return t.width > 0 && t.beats[i*t.width+j/64]>>(j%64)&1 != 0
}

// relevant reports whether member i has a level above 0. Of several subgroups a document that is of a level below 0 is neither.
func (t *tally) relevant(i int) bool { return t.level[i] > 0 }

func (t *tally) nonRelevant(i int) bool { return t.level[i] == 0 || t.class != nil && t.level[i] < 0 }

// count adds up what is fulfilled.
func (t *tally) count(found int32) {
	for i, p := range t.members {
		if t.relevant(i) {
			t.rel++
			if p < found {
				t.relRet++
			}
		} else if t.nonRelevant(i) {
			t.non++
			if p < found {
				t.nonRet++
			}
		}
	}
	for i, p := range t.members {
		for j := i + 1; j < len(t.members); j++ {
			up, down := t.prefers(i, j), t.prefers(j, i)
			if !up && !down {
				continue
			}
			ful := 0
			if up {
				ful = 1
			}
			switch {
			case t.members[j] < found:
				t.possRet++
				t.fulRet += ful
			case p < found:
				t.possImp++
				t.fulImp += ful
			default:
				t.neither++
			}
		}
	}
}

// Which preferences are looked at.
const (
	overJudged    = iota // all; where neither document is retrieved, the preference is not fulfilled
	overImplied          // those of which one document at least is retrieved
	overRetrieved        // those whose documents are both retrieved
)

const slotOver = 0

// paramOver says which preferences a measure looks at.
func paramOver(choices ...string) Param {
	return Param{Name: "over", Kind: KindChoice, Choices: choices, slot: slotOver,
		Doc: "which preferences count: of all judged documents, those that a retrieved document implies, or those between retrieved documents"}
}

var overAll = []string{"judged", "implied", "retrieved"}

// of returns how many preferences are fulfilled and possible.
func (t *tally) of(over int) (ful, poss int) {
	switch over {
	case overRetrieved:
		return t.fulRet, t.possRet
	case overImplied:
		return t.fulRet + t.fulImp, t.possRet + t.possImp
	}
	return t.fulRet + t.fulImp, t.possRet + t.possImp + t.neither
}

// preferences returns those of the topic, counted; nil where it has none.
func (t *Topic) preferences() *Preferences {
	if t.Preferences == nil || len(t.Preferences.Groups) == 0 {
		return nil
	}
	t.Preferences.prepare()
	return t.Preferences
}

// preferring is the score of a measure of the preferences, 0 where the topic has none.
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

// pairs returns the sum over pairs of documents of the share of groups with a preference that it fulfils, and the number of pairs.
func (p *Preferences) pairs(over int) (sum float64, pairs int) {
	if len(p.tallies) == 1 { // every pair counts 0 or 1
		ful, poss := p.tallies[0].of(over)
		return float64(ful), poss
	}
	count := func(i, j int) (up, down int) {
		for g := range p.tallies {
			t := &p.tallies[g]
			a, b := t.index[i], t.index[j]
			if a < 0 || b < 0 {
				continue
			}
			if t.prefers(int(a), int(b)) {
				up++
			} else if t.prefers(int(b), int(a)) {
				down++
			}
		}
		return up, down
	}
	found := int(p.found)
	for i := range found {
		for j := i + 1; j < found; j++ {
			if up, down := count(i, j); up+down > 0 {
				pairs++
				sum += float64(up) / float64(up+down)
			}
		}
	}
	if over == overRetrieved {
		return sum, pairs
	}
	for i := range found {
		for j := found; j < p.Docs; j++ {
			if up, down := count(i, j); up+down > 0 {
				pairs++
				sum += float64(up) / float64(up+down)
			}
		}
	}
	if over == overImplied {
		return sum, pairs
	}
	for i := found; i < p.Docs; i++ {
		for j := i + 1; j < p.Docs; j++ {
			if up, down := count(i, j); up+down > 0 {
				pairs++
			}
		}
	}
	return sum, pairs
}

// asManyNonRelevant returns what is fulfilled and possible where a group has as many non-relevant documents as relevant ones: those
// that are too few are added, fulfilled; of those that are too many the first ones in the ranking are kept.
func (t *tally) asManyNonRelevant(p *Preferences, over int) (ful, poss int) {
	r, n := t.rel, t.non
	if over == overRetrieved {
		r, n = t.relRet, t.nonRet
	}
	if r >= n {
		ful, poss = t.of(over)
		return ful + t.relRet*(r-n), poss + t.rel*(r-n)
	}
	kept := func(i int) bool { return over != overRetrieved || t.members[i] < p.found }
	add := func(i, j int) { // i is preferred to j
		if t.members[i] < t.members[j] && t.members[i] < p.found {
			ful++
		}
		poss++
	}
	if t.class != nil {
		last := slices.Max(t.class)
		first := 0 // non-relevant documents kept so far
		for j := range t.members {
			if !kept(j) || t.class[j] == last && first == r {
				continue
			}
			if t.class[j] == last {
				first++
				for i := range t.members {
					if kept(i) {
						add(i, j) // a non-relevant one with itself, too
					}
				}
				continue
			}
			for i := range t.members {
				if kept(i) && t.class[i] < t.class[j] {
					add(i, j)
				}
			}
		}
		return ful, poss
	}
	seen, dropped := 0, make([]bool, len(t.members))
	for i := range t.members {
		if t.level[i] == 0 {
			seen++
			dropped[i] = seen > t.rel // of all relevant documents, even over the retrieved ones
		}
	}
	for i := range t.members {
		for j := range t.members {
			if !dropped[i] && !dropped[j] && kept(i) && kept(j) && t.prefers(i, j) {
				add(i, j)
			}
		}
	}
	return ful, poss
}

// undefined reports whether a group has no preference that prefs_avgjg_Rnonrel could look at, which makes trec_eval's sum 0/0.
func (p *Preferences) undefined(over int) bool {
	for i := range p.tallies {
		if _, poss := p.tallies[i].asManyNonRelevant(p, over); poss == 0 {
			return true
		}
	}
	return false
}

// betterPreferred puts documents first that are preferred to many others: within one group, an order of a tie that fulfils every
// preference in it.
func betterPreferred(_ *Measure, t *Topic, i int) float64 {
	p := t.preferences()
	if p == nil || p.Ranked[i] < 0 {
		return 0 // where it stands makes no difference
	}
	v := 0
	for g := range p.tallies {
		t := &p.tallies[g]
		at, ok := slices.BinarySearch(t.members, p.place[p.Ranked[i]])
		if !ok {
			continue
		}
		if t.class == nil && len(p.tallies) == 1 {
			for _, w := range t.row(at) {
				v += bits.OnesCount64(w)
			}
			continue
		}
		for j := range t.members {
			if t.prefers(at, j) {
				v++
			} else if t.prefers(j, at) {
				v--
			}
		}
	}
	return float64(v)
}

// spreadPreferred: of one group, better first is best; the preferences of several may be at odds, and finding the best order of
// such a tie is NP-complete.
func spreadPreferred(m Measure, t *Topic) (lo, hi float64, ok bool) {
	p := t.preferences()
	if p == nil {
		return 0, 0, true
	}
	lo, hi = t.extremes(m)
	return lo, hi, len(p.tallies) == 1
}

// spreadRnonrel: where the group has subgroups, it also matters which of the non-relevant documents is kept.
func spreadRnonrel(m Measure, t *Topic) (lo, hi float64, ok bool) {
	lo, hi, ok = spreadPreferred(m, t)
	p := t.preferences()
	return lo, hi, ok && (p == nil || p.tallies[0].class != nil)
}

// noPreferences is the note of every measure of preferences.
const noPreferences = "Needs preferences (trec_eval -R prefs or qrels_prefs); without them every query scores 0."

// tiesPreferred is the note of those for which order matters.
const tiesPreferred = "With preferences trec_eval orders equal scores by document id ascending, the other way than with grades; the policy says which it is here."

// examplePreferences: two users and four documents, of which a ranking finds the first, the second and the last. The first user
// prefers 1 to 2 and both to 3, which is not relevant; the second prefers 2 to 1, and 2 to 4.
func examplePreferences() *Preferences {
	return &Preferences{
		Docs: 4, Ranked: []int32{0, 1, 3},
		Groups: []PreferenceGroup{
			{Subgroups: [][]Preferred{{{0, 3}, {1, 2}, {2, 0}}}},
			{Subgroups: [][]Preferred{{{0, 1}, {1, 2}}, {{1, 2}, {3, 1}}}},
		},
	}
}
