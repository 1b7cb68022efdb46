package collection

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"sort"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

// Preferences are judgments that order documents: query → group → subgroup → document → level. A group is what one user
// judged; within a subgroup of it a document of a higher level is preferred to every one of a lower, and level 0 means
// not relevant. Queries keep the order in which they first appeared.
type Preferences struct {
	index  map[string]int
	topics []preferredTopic
	n      int
	line   int // of what is being added
}

type preferredTopic struct {
	query  string
	docs   []string
	index  map[string]int32
	groups []preferredGroup
	group  map[string]int32
}

type preferredGroup struct {
	name   string
	subs   []Subgroup
	index  map[string]int32
	levels map[uint64]float64 // by subgroup (high half) and document
	sign   map[int32]bool     // of a document: whether its level is above 0; those below are not in it
	line   int                // of its last judgment
}

// PreferenceGroup is what one user judged of a query.
type PreferenceGroup struct {
	Name      string
	Subgroups []Subgroup // ascending by name
}

// Subgroup is a number of documents that a user put in order. Docs are places in Preferences.Documents, Levels their
// levels.
type Subgroup struct {
	Name   string
	Docs   []int32
	Levels []float64
}

// Bounds of preferences, whose evaluation compares every document of a group with every other one.
const (
	maxPreferred      = 10_000  // documents of a query
	maxPreferences    = 500_000 // judgments of a file
	maxPreferenceBits = 1 << 30 // documents times documents and judgments of a group of several subgroups
	maxPreferredPairs = 1 << 28 // pairs of documents of a file that groups of a query share, or subgroups of a group
)

// NewPreferences returns Preferences without judgments.
func NewPreferences() *Preferences { return &Preferences{index: map[string]int{}} }

// Add judges document doc in a subgroup of a group. It is an error if the document has another level in the subgroup
// already, or if the group finds it both relevant (above 0) and not relevant (0); the same judgment again changes
// nothing.
func (p *Preferences) Add(query, group, subgroup, doc string, level float64) error {
	_, err := p.add(view(query), view(group), view(subgroup), view(doc), level)
	return err
}

func (p *Preferences) add(query, group, subgroup, doc []byte, level float64) (again bool, err error) {
	i, ok := p.index[string(query)]
	if !ok {
		i = len(p.topics)
		id := string(query)
		p.index[id] = i
		p.topics = append(p.topics, preferredTopic{query: id, index: map[string]int32{}, group: map[string]int32{}})
	}
	t := &p.topics[i]
	k, ok := t.index[string(doc)]
	if !ok {
		if len(t.docs) == maxPreferred {
			return false, errors.New("query " + strconv.Quote(t.query) + " has preferences about more than " +
				say.Thousands(maxPreferred) + " documents, which is the limit")
		}
		k = int32(len(t.docs))
		id := string(doc)
		t.index[id] = k
		t.docs = append(t.docs, id)
	}
	j, ok := t.group[string(group)]
	if !ok {
		j = int32(len(t.groups))
		name := string(group)
		t.group[name] = j
		t.groups = append(t.groups, preferredGroup{name: name, index: map[string]int32{}, levels: map[uint64]float64{},
			sign: map[int32]bool{}})
	}
	g := &t.groups[j]
	s, ok := g.index[string(subgroup)]
	if !ok {
		s = int32(len(g.subs))
		name := string(subgroup)
		g.index[name] = s
		g.subs = append(g.subs, Subgroup{Name: name})
	}
	key := uint64(s)<<32 | uint64(k)
	if old, had := g.levels[key]; had {
		if old == level {
			return true, nil
		}
		return false, errors.New("document " + strconv.Quote(t.docs[k]) + " has level " + levelText(level) +
			" where it had " + levelText(old) + " before, in the same subgroup")
	}
	if relevant, had := g.sign[k]; had && level >= 0 && relevant != (level > 0) {
		return false, errors.New("document " + strconv.Quote(t.docs[k]) +
			" is both relevant (above 0) and not relevant (0) in group " + strconv.Quote(g.name) + " of query " +
			strconv.Quote(t.query))
	}
	if level >= 0 {
		g.sign[k] = level > 0
	}
	g.levels[key] = level
	g.line = p.line
	g.subs[s].Docs = append(g.subs[s].Docs, k)
	g.subs[s].Levels = append(g.subs[s].Levels, level)
	p.n++
	return false, nil
}

func levelText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Check returns an error where the subgroups of some group go round in a circle, a above b, b above c and c above a, or
// are too large to be followed, or where groups have too many pairs of documents to be compared. ReadPreferences has
// looked already.
func (p *Preferences) Check() error {
	_, err := p.check()
	return err
}

// check returns what is wrong, and the last line of the group with which it is.
func (p *Preferences) check() (line int, err error) {
	pairs := 0
	for i := range p.topics {
		t := &p.topics[i]
		for j := range t.groups {
			g := &t.groups[j]
			if err := t.check(g); err != nil {
				return g.line, err
			}
			if pairs += t.pairs(g); pairs > maxPreferredPairs {
				return g.line, errors.New("with group " + strconv.Quote(g.name) + " of query " +
					strconv.Quote(t.query) + " there are " + strconv.Itoa(pairs) +
					" pairs of documents to compare within groups, more than " + strconv.Itoa(maxPreferredPairs) +
					"; remove groups, queries or documents")
			}
		}
	}
	return 0, nil
}

// preferredStep lies between two levels of a subgroup, and is done when all documents above it are.
type preferredStep struct {
	left         int
	above, below []int32
}

// steps returns the steps of a group; of each document the steps below it and those above it; and how many of those
// above it are not done.
func (g *preferredGroup) steps() (steps []preferredStep, leads, enters map[int32][]int, wait map[int32]int) {
	leads, enters = map[int32][]int{}, map[int32][]int{}
	wait = map[int32]int{}
	for _, s := range g.subs {
		order := s.order()
		for from := 0; from < len(order); {
			to := from + 1
			for to < len(order) && s.Levels[order[to]] == s.Levels[order[from]] {
				to++
			}
			for _, k := range order[from:to] {
				d := s.Docs[k]
				wait[d] += 0
				if from > 0 {
					last := len(steps) - 1
					steps[last].below = append(steps[last].below, d)
					enters[d] = append(enters[d], last)
					wait[d]++
				}
			}
			if to < len(order) {
				steps = append(steps, preferredStep{left: to - from})
				last := len(steps) - 1
				for _, k := range order[from:to] {
					steps[last].above = append(steps[last].above, s.Docs[k])
					leads[s.Docs[k]] = append(leads[s.Docs[k]], last)
				}
			}
			from = to
		}
	}
	return steps, leads, enters, wait
}

// check takes the documents of a group away that nothing is preferred to any more, until none or only circles are left.
func (t *preferredTopic) check(g *preferredGroup) error {
	if len(g.subs) < 2 {
		return nil
	}
	if n := len(t.docs); n*(n+len(g.levels)) > maxPreferenceBits {
		return errors.New("group " + strconv.Quote(g.name) + " of query " + strconv.Quote(t.query) +
			" has too many documents in subgroups to trace preferences: " + say.Count(n, "document", "documents") +
			", " + say.Count(len(g.levels), "judgment", "judgments"))
	}
	steps, leads, enters, wait := g.steps()
	var free []int32
	for d, n := range wait {
		if n == 0 {
			free = append(free, d)
		}
	}
	for len(free) > 0 {
		d := free[len(free)-1]
		free = free[:len(free)-1]
		delete(wait, d)
		for _, at := range leads[d] {
			s := &steps[at]
			if s.left--; s.left > 0 {
				continue
			}
			for _, b := range s.below {
				if wait[b]--; wait[b] == 0 {
					free = append(free, b)
				}
			}
		}
	}
	if len(wait) == 0 {
		return nil
	}
	return errors.New("group " + strconv.Quote(g.name) + " of query " + strconv.Quote(t.query) +
		" contradicts itself: " + t.circle(func(d int32) int32 {
		up := int32(-1)
		for _, k := range enters[d] {
			for _, a := range steps[k].above {
				if _, left := wait[a]; left && (up < 0 || t.docs[a] < t.docs[up]) {
					up = a
				}
			}
		}
		return up
	}, wait))
}

// circle spells a circle of preferences out: what is left is in one or below one, so that there is no end upwards from
// any of it.
func (t *preferredTopic) circle(above func(int32) int32, left map[int32]int) string {
	at := int32(-1)
	for d := range left {
		if at < 0 || t.docs[d] < t.docs[at] {
			at = d
		}
	}
	var path []int32
	for !slices.Contains(path, at) {
		path = append(path, at)
		at = above(at)
	}
	text := strconv.Quote(t.docs[at])
	for i := len(path) - 1; path[i] != at; i-- {
		if len(path)-i > 8 {
			text += " > …"
			break
		}
		text += " > " + strconv.Quote(t.docs[path[i]])
	}
	return text + " > " + strconv.Quote(t.docs[at])
}

// order returns the places of the subgroup's documents, the highest level first.
func (s *Subgroup) order() []int {
	order := make([]int, len(s.Docs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Levels[b], s.Levels[a]) })
	return order
}

// Len returns the number of judgments.
func (p *Preferences) Len() int { return p.n }

// Queries returns the ids of the queries in order of first appearance.
func (p *Preferences) Queries() []string {
	list := make([]string, len(p.topics))
	for i := range p.topics {
		list[i] = p.topics[i].query
	}
	return list
}

// Documents returns the ids of the documents that the query has preferences about, ascending; nil for an unknown query.
func (p *Preferences) Documents(query string) []string {
	i, ok := p.index[query]
	if !ok {
		return nil
	}
	docs := slices.Clone(p.topics[i].docs)
	slices.Sort(docs)
	return docs
}

// Groups returns the judgments of a query, group by group, ascending by name; nil for an unknown query.
func (p *Preferences) Groups(query string) []PreferenceGroup {
	i, ok := p.index[query]
	if !ok {
		return nil
	}
	t := &p.topics[i]
	docs := p.Documents(query)
	place := make([]int32, len(docs))
	for k, id := range docs {
		place[t.index[id]] = int32(k)
	}
	out := make([]PreferenceGroup, len(t.groups))
	for j := range t.groups {
		g := &t.groups[j]
		out[j] = PreferenceGroup{Name: g.name, Subgroups: make([]Subgroup, len(g.subs))}
		for k, s := range g.subs {
			moved := make([]int32, len(s.Docs))
			for n, d := range s.Docs {
				moved[n] = place[d]
			}
			out[j].Subgroups[k] = Subgroup{s.Name, moved, slices.Clone(s.Levels)}
		}
		subs := out[j].Subgroups
		sort.Slice(subs, func(a, b int) bool { return subs[a].Name < subs[b].Name })
	}
	sort.Slice(out, func(a, b int) bool { return out[a].Name < out[b].Name })
	return out
}

// Qrels returns what the preferences say of relevance: documents that some user gave a level above 0 have grade 1, the
// others 0. How far above means nothing, as levels only order.
func (p *Preferences) Qrels() *Qrels {
	q := NewQrels()
	for i := range p.topics {
		t := &p.topics[i]
		relevant := make([]float64, len(t.docs))
		for j := range t.groups {
			for d, above := range t.groups[j].sign {
				if above {
					relevant[d] = 1
				}
			}
		}
		for k, doc := range t.docs {
			q.Add(t.query, doc, relevant[k])
		}
	}
	return q
}

// WriteTREC writes the preferences as trec_eval's format prefs: query, group, subgroup, document, level.
func (p *Preferences) WriteTREC(w io.Writer) error {
	o := newOutput(w)
	for i := range p.topics {
		t := &p.topics[i]
		for j := range t.groups {
			g := &t.groups[j]
			for _, s := range g.subs {
				for k, d := range s.Docs {
					o.first(t.query)
					o.byte(' ')
					o.word(g.name)
					o.byte(' ')
					o.word(s.Name)
					o.byte(' ')
					o.word(t.docs[d])
					o.byte(' ')
					o.score(s.Levels[k])
					o.byte('\n')
					o.full()
				}
			}
		}
	}
	return o.flush()
}
