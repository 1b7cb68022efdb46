//go:build !first

package measure

import "github.com/rankbox/rankbox/core/base/say"

// overGroups returns the mean of f over the groups of a topic's judgments, 0 without groups. f receives the
// documents that one group judged and the number of documents relevant to it. With judged_only every group has its
// own condensed list.
func (m *Measure) overGroups(t *Topic, f func(hits []Hit, relevant int) float64) float64 {
	s := t.Subtopics
	if s == nil || s.width() == 0 {
		return 0
	}
	sum := 0.0
	places := s.places(s.Ranked)
	for g := range s.width() {
		hits := s.hits[:0]
		for _, i := range places {
			if grade := s.Docs[s.Ranked[i]][g]; m.isGroupHit(grade) {
				hits = append(hits, Hit{m.rankOf(int(i), len(hits)), grade})
			}
		}
		s.hits = hits
		sum += f(hits, m.relevantToGroup(s, g))
	}
	return sum / float64(s.width())
}

// isGroupHit reports whether a document of this grade is a hit for its group.
func (m *Measure) isGroupHit(grade float64) bool {
	if m.judged {
		return grade >= 0
	}
	return grade != Unjudged
}

// rankOf returns the rank, from 1, of the document at index i if so many hits of the group rank above it.
func (m *Measure) rankOf(i, hits int) int32 {
	if m.judged {
		return int32(hits + 1)
	}
	return int32(i + 1)
}

func (m *Measure) relevantToGroup(s *Subtopics, group int) int {
	r := 0
	for _, d := range s.Docs {
		if m.isRel(d[group]) {
			r++
		}
	}
	return r
}

// groups unfolds overGroups. f returns the contribution to the group's value of its n-th relevant document (from 1)
// at a rank, for the given number of relevant documents.
func (u *unfolder) groups(f func(rank, n, relevant int) float64) {
	s := u.t.Subtopics
	if s == nil || s.width() == 0 {
		return
	}
	u.rank(func(i int) bool { return !u.m.judged || s.Ranked[i] >= 0 })
	places := s.places(s.Ranked)
	for g := range s.width() {
		r, hits, n := u.m.relevantToGroup(s, g), 0, 0
		for _, i := range places {
			grade := s.Docs[s.Ranked[i]][g]
			if !u.m.isGroupHit(grade) {
				continue
			}
			rank := int(u.m.rankOf(int(i), hits))
			if hits++; !u.m.isRel(grade) {
				continue
			}
			n++
			if v := f(rank, n, r); v != 0 {
				p := &u.Parts[i]
				if p.Term += v; p.Work != "" {
					p.Work += " + "
				}
				p.Work += say.Plain.Short(v)
			}
		}
	}
	u.over(float64(s.width()), byGroups)
}

// noGroups is the note of every measure over groups of judgments.
const noGroups = "Needs qrels whose second column names the group (trec_eval -R qrels_jg); without it every " +
	"query scores 0."

// exampleGroups is a query that two users judged. The first found ranks 1 and 3 relevant, the second ranks 1 and 2
// and a document that was not retrieved.
func exampleGroups() *Subtopics {
	return &Subtopics{Docs: [][]float64{{1, 1}, {0, 1}, {1, Unjudged}, {Unjudged, 1}}, Ranked: []int32{0, 1, 2}}
}

// spreadAPGroups is spreadAPIA with another divisor. Condensed lists differ between groups.
func spreadAPGroups(m Measure, t *Topic) (lo, hi float64, ok bool) {
	if m.judged {
		return 0, 0, false
	}
	if t.Subtopics == nil || t.Subtopics.width() == 0 {
		return 0, 0, true
	}
	_, a := t.Subtopics.relevantTo(m.rel)
	lo, hi, ok = spreadAPIA(m, t)
	w := float64(t.Subtopics.width())
	return lo * float64(a) / w, hi * float64(a) / w, ok
}

// spreadPGroups: a document counts once for every group that it is relevant to, whatever ranks above it.
func spreadPGroups(m Measure, t *Topic) (lo, hi float64, ok bool) {
	if m.judged {
		return 0, 0, false
	}
	lo, hi = t.extremes(m)
	return lo, hi, true
}

// spreadRprecGroups: every group has its own cutoff.
func spreadRprecGroups(m Measure, t *Topic) (lo, hi float64, ok bool) {
	s := t.Subtopics
	if m.judged {
		return 0, 0, false
	}
	if s == nil || s.width() == 0 {
		return 0, 0, true
	}
	cuts := make([]int, s.width())
	counts, _ := s.relevantTo(m.rel)
	for g, r := range counts {
		cuts[g] = m.multiple(int(r))
	}
	p := noveltyProblem(m, t, 0, nil)
	kinds := s.kinds(m, p)
	p.add = func(c, r int, _ []int) float64 {
		v := 0.0
		for _, g := range kinds[c] {
			if r <= cuts[g] {
				v += 1 / float64(cuts[g])
			}
		}
		return v
	}
	lo, hi, ok = p.solve()
	w := float64(s.width())
	return lo / w, hi / w, ok
}
