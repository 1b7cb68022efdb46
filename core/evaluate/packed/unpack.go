package packed

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/measure"
)

// Unpack reads the output of Pack within the default Limits. It refuses anything incomplete. Ids and names may be
// arbitrary.
func Unpack(b []byte) (*File, error) { return Limits{}.Unpack(b) }

// Unpack is the function Unpack within limits, which it checks before it allocates. The error is a *LimitError if
// one is exceeded.
func (l Limits) Unpack(b []byte) (*File, error) {
	if isGrades(b) {
		return l.unpackGrades(b)
	}
	m := &meter{tell: l.Tell}
	m.stretch(tellTotal / 2)
	p, version, err := unpackForm(b, l.withDefaults(len(b)), m)
	if err != nil {
		return nil, err
	}
	m.stretch(tellTotal)
	return p.open(version)
}

// unpackForm reads the packed form and checks that opening it fits in memory. l must have its defaults.
func unpackForm(b []byte, l Limits, m *meter) (p *packed, version byte, err error) {
	version, payload, room, err := unseal(packedInput, fellVersion, b, l.Memory, m)
	if err != nil {
		return nil, 0, err
	}
	p = &packed{viewed: version >= viewedVersion, preferred: version == prefsVersion, fallen: version == fellVersion,
		meter: m}
	left, err := decode(payload, p, room)
	if m.err() != nil {
		return nil, 0, m.err()
	}
	if err == nil {
		err = l.check(len(p.runs), len(p.measures), len(p.queries))
	}
	if err == nil && p.cost() > left {
		err = &LimitError{"bytes of memory", 0, l.Memory}
	}
	if err != nil {
		return nil, 0, err
	}
	return p, version, nil
}

// open builds the comparison from the packed form.
func (p *packed) open(version byte) (*File, error) {
	var err error
	in := &File{Input: compare.Input{Name: p.name, Measures: p.measures, Baseline: p.baseline,
		Qrels: collection.NewQrels()}}
	if in.Policy, in.Protocol, err = compare.ReadPolicy(p.policy); err != nil {
		return nil, ErrNewer
	}
	for _, m := range p.measures {
		if _, err := measure.Parse(m); err != nil {
			return nil, ErrNewer
		}
	}
	in.Hash, in.Former = hashOf(p.view)
	in.View, err = ReadView(p.view)
	if err != nil || version == viewedVersion && in.View == (View{}) && in.Hash == "" {
		return nil, errDamaged
	}
	if len(p.runs) == 0 || in.Baseline < 0 || in.Baseline >= len(p.runs) {
		return nil, errDamaged
	}
	if p.diverse {
		in.Diversity = collection.NewDiversity()
	}
	if p.preferred {
		in.Preferences = collection.NewPreferences()
	}
	o := opening{p: p, in: in, seen: make(map[string]bool, len(p.queries))}
	for i := range p.queries {
		if !o.query(&p.queries[i]) {
			return nil, errDamaged
		}
	}
	if in.Preferences != nil && in.Preferences.Check() != nil {
		return nil, errDamaged
	}
	for i := range p.runs {
		if !p.meter.at(i, len(p.runs)) {
			return nil, p.meter.err()
		}
		if !o.run(&p.runs[i]) {
			return nil, errDamaged
		}
	}
	if in.Qrels.Len() == 0 {
		return nil, errDamaged
	}
	return in, nil
}

// opening is the state of opening a packed comparison.
type opening struct {
	p     *packed
	in    *File
	used  []int // by document of a query: the last list that contains it
	lists int
	seen  map[string]bool // ids of queries
	total int             // judged documents without ids
}

// query adds a query with its judgments; ok is false if it is damaged.
func (o *opening) query(q *packedQuery) (ok bool) {
	p, in := o.p, o.in
	if o.seen[q.id] {
		return false
	}
	o.seen[q.id] = true
	for k, i := range q.docs {
		if i >= len(p.docs) {
			return false
		}
		switch g := q.judged[k]; {
		case g > math.MaxInt32 || g < -math.MaxInt32:
			return false
		case g > 0 && g == math.Trunc(g):
			in.Qrels.Add(q.id, p.docs[i], g-1)
		case g != 0:
			in.Qrels.Add(q.id, p.docs[i], g)
		}
	}
	if !o.unnamed(q) {
		return false
	}
	if q.fields != [4]string{} {
		in.Queries = append(in.Queries, collection.Query{ID: q.id, Text: q.fields[0], Type: q.fields[1],
			Difficulty: q.fields[2], Domain: q.fields[3]})
	}
	for _, s := range q.subs {
		if s.doc < 0 || s.doc >= len(q.docs) || s.topic < 0 || s.topic >= len(q.topics) {
			return false
		}
		in.Diversity.Add(q.id, q.topics[s.topic], p.docs[q.docs[s.doc]], s.grade)
	}
	for _, u := range q.users {
		for _, s := range u.subs {
			for k, d := range s.docs {
				if d < 0 || d >= len(q.docs) || q.judged[d] == 0 || s.levels[k]-s.levels[k] != 0 {
					return false
				}
				if in.Preferences.Add(q.id, u.name, s.name, p.docs[q.docs[d]], s.levels[k]) != nil {
					return false
				}
			}
		}
	}
	return true
}

// unnamed adds the judged documents whose ids were omitted.
func (o *opening) unnamed(q *packedQuery) (ok bool) {
	n := 0
	for _, g := range q.extra {
		if g.Count < 0 || g.Count > maxUnnamed || g.Grade > math.MaxInt32 || g.Grade < -math.MaxInt32 {
			return false
		}
		if o.total += g.Count; o.total > maxUnnamed {
			return false
		}
		for range g.Count {
			n++
			id := compare.NotRetrieved + strconv.Itoa(n) + ")"
			for _, taken := slices.BinarySearch(o.p.docs, id); taken; _, taken = slices.BinarySearch(o.p.docs, id) {
				id += "'"
			}
			o.in.Qrels.Add(q.id, id, g.Grade)
		}
	}
	return true
}

// run adds a run.
func (o *opening) run(r *packedRun) (ok bool) {
	p, in := o.p, o.in
	b := collection.NewRunBuilder(r.tag)
	for qi, l := range r.lists {
		if !l.there {
			continue
		}
		q := &p.queries[qi]
		if err := b.Touch(q.id); err != nil {
			return false
		}
		if len(o.used) < len(q.docs) {
			o.used = append(o.used, make([]int, len(q.docs)-len(o.used))...)
		}
		o.lists++
		for i, d := range l.docs {
			if d < 0 || d >= len(q.docs) || o.used[d] == o.lists {
				return false
			}
			o.used[d] = o.lists
			score := 0.0
			if p.scores {
				score = l.scores[i]
			} else {
				score = -float64(l.class[i])
			}
			if err := b.Add(q.id, p.docs[q.docs[d]], score); err != nil {
				return false
			}
		}
	}
	for _, q := range r.foreign {
		if o.seen[q] {
			return false
		}
		if err := b.Touch(q); err != nil {
			return false
		}
	}
	run, _ := b.Run()
	named := compare.Named{Name: r.name, Run: run}
	for _, q := range r.unanswered {
		if q >= len(p.queries) {
			return false
		}
		named.Fell = append(named.Fell, p.queries[q].id)
	}
	in.Runs = append(in.Runs, named)
	return true
}
