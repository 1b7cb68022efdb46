package stage

import (
	"errors"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Step is what one stage of a pipeline did for the last query.
type Step struct {
	Node   *pipeline.Node
	Ran    bool    // false where another stage did its work, as rm3 searches by the bm25 before it
	Hits   int     // documents that it handed on
	Moved  int     // documents that stand at another place than before it, or are gone; -1 if it had no ranking before it
	Micros float64 // its own time, without that of the stages whose rankings it worked on; 0 without a clock
	rank.Account
}

// Steps returns what the stages of a pipeline did for the last query that r ranked, in the order in which they are
// written; nil in the page's first program.
func Steps(r Ranker) []Step {
	top, ok := r.(*meter)
	if first || !ok {
		return nil
	}
	at := map[*pipeline.Node]*meter{}
	top.walk(func(m *meter) { at[m.node] = m })
	var out []Step
	top.node.Walk(func(n *pipeline.Node) {
		s := Step{Node: n, Moved: -1}
		if m := at[n]; m != nil && m.ran {
			s.Ran, s.Hits, s.Moved, s.Micros, s.Account = true, m.hits, m.moved, m.micros, m.account
			for _, b := range m.below {
				s.Micros -= b.micros
			}
			s.Micros = max(0, s.Micros)
		}
		out = append(out, s)
	})
	return out
}

// tracing is the collection of one stage: it remembers what is built for it.
type tracing struct {
	Collection
	below []*meter
}

// bare is a collection without what remembers what is built for it: it may do more than every Collection does.
func bare(c Collection) Collection {
	for t, ok := c.(*tracing); ok; t, ok = c.(*tracing) {
		c = t.Collection
	}
	return c
}

// meter is the ranker of a stage that remembers what it did.
type meter struct {
	Ranker
	node    *pipeline.Node
	below   []*meter
	now     func() float64 // nil for no times
	soft    bool           // where it cannot do its work, the ranking before it stands
	kept    Ranker         // Ranker, or what keeps its rankings for other pipelines
	inner   bool           // another stage works on its ranking
	ran     bool
	hits    int
	docs    []uint32 // its first ranking of the query: spelling asks twice
	moved   int
	micros  float64
	account rank.Account
}

// build builds the ranker of a stage with what remembers what it did.
func build(c Collection, n *pipeline.Node) (Ranker, error) {
	s := of(n)
	if first {
		return s.build(c, n)
	}
	if why := absent(c, n); why != "" {
		return nil, &rank.Unanswerable{Reason: why, Wrong: true}
	}
	t := &tracing{Collection: c}
	r, err := s.build(t, n)
	m := &meter{Ranker: r, node: n, soft: s.soft}
	// what lies before it may still rank
	if u, ok := errors.AsType[*rank.Unanswerable](err); ok && s.soft && n.Input != nil {
		t.below = nil
		input, err := Build(t, n.Input)
		if err != nil {
			return nil, err
		}
		m.Ranker = &aside{Ranker: input, why: u.Reason}
	} else if err != nil {
		return nil, err
	}
	m.below = t.below
	if up, ok := c.(*tracing); ok {
		m.inner = true
		up.below = append(up.below, m)
	}
	c = bare(c)
	if x, ok := c.(interface{ Now() float64 }); ok {
		m.now = x.Now
	}
	m.kept = m.Ranker
	if k, ok := c.(Keeper); ok {
		m.kept = k.Keep(n, m.Ranker)
	}
	return m, nil
}

func (m *meter) walk(f func(*meter)) {
	f(m)
	for _, b := range m.below {
		b.walk(f)
	}
}

// Set implements Ranker.
func (m *meter) Set(n *pipeline.Node) error {
	m.node = n
	return m.kept.Set(n)
}

// Rank implements rank.Ranker.
func (m *meter) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	start := 0.0
	if m.now != nil {
		start = m.now()
	}
	for _, b := range m.below {
		b.walk(func(b *meter) { b.ran = false })
	}
	hits, err := m.kept.Rank(q, k, f, dst)
	keeper, keeps := m.kept.(Reminder)
	if keeps && err == nil {
		if r, ok := keeper.Recall().(*record); ok {
			m.restore(r)
			m.hits = len(hits) // the kept ranking may be deeper
			return hits, nil
		}
	}
	m.account = rank.Account{}
	if why := m.excuse(err); why != "" {
		if hits, err = m.below[0].Rank(q, k, f, dst); err == nil {
			m.account = rank.Account{Note: why, Aside: true}
		}
	} else if a, ok := told(m.Ranker); ok {
		m.account = a.Account()
	}
	if !m.ran || !m.inner {
		m.docs = m.docs[:0]
		for _, h := range hits {
			m.docs = append(m.docs, h.Doc)
		}
	}
	m.ran, m.hits, m.moved = err == nil, len(hits), m.displaced(k, hits)
	if keeps && err == nil {
		keeper.Remember(m.record())
	}
	if m.now != nil {
		m.micros = m.now() - start
	}
	return hits, err
}

// displaced counts the first k places of the ranking before this stage that hold another document now, or none.
func (m *meter) displaced(k int, hits []rank.Hit) int {
	for _, b := range m.below {
		if b.node != m.node.Input || !b.ran {
			continue
		}
		n := 0
		for i := range max(len(hits), min(k, len(b.docs))) {
			if i >= len(hits) || i >= len(b.docs) || hits[i].Doc != b.docs[i] {
				n++
			}
		}
		return n
	}
	return -1
}

// Reminder is what Keeper.Keep may return: it keeps what the stages did beside each ranking. Stages below one whose
// ranking was kept do not run, so what they did for that query would be lost.
type Reminder interface {
	Ranker
	// Recall returns what Remember was given for the ranking that Rank returned last, nil if that was not a kept one.
	Recall() any
	// Remember keeps what the stages did for the ranking that Rank returned last.
	Remember(did any)
}

// record is what a stage did, and those below it, without the documents that they name.
type record struct {
	ran         bool
	hits, moved int
	docs        []uint32
	account     rank.Account
	below       []*record
}

func (m *meter) record() *record {
	r := &record{m.ran, m.hits, m.moved, slices.Clone(m.docs), m.account, nil}
	r.account.Gone, r.account.Groups = nil, nil
	for _, b := range m.below {
		r.below = append(r.below, b.record())
	}
	return r
}

func (m *meter) restore(r *record) {
	m.ran, m.hits, m.moved, m.account, m.micros = r.ran, r.hits, r.moved, r.account, 0
	m.docs = append(m.docs[:0], r.docs...)
	for i, b := range m.below {
		b.restore(r.below[i])
	}
}

// Explain implements rank.Ranker.
func (m *meter) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	p, err := m.Ranker.Explain(q, f, d)
	if m.excuse(err) != "" {
		return m.below[0].Explain(q, f, d)
	}
	return p, err
}

// excuse says why a stage that may stand aside could not do its work, be it that it cannot or that what it needs could
// not be fetched; "" where nothing is wrong, or the error is not for it to bear.
func (m *meter) excuse(err error) string {
	if err == nil || !m.soft || len(m.below) == 0 || errors.Is(err, ErrBeyond) || errors.Is(err, ErrStopped) {
		return ""
	}
	if u, ok := errors.AsType[*rank.Unanswerable](err); ok {
		if u.Wrong {
			return ""
		}
		return u.Reason
	}
	return say.Told(err)
}

// told returns the ranker of a stage as one that says more than its hits.
func told(r Ranker) (rank.Accountable, bool) {
	if w, ok := r.(*ranker); ok {
		a, ok := w.Ranker.(rank.Accountable)
		return a, ok
	}
	a, ok := r.(rank.Accountable)
	return a, ok
}

// aside stands for a stage that cannot be built over this collection: it hands on the ranking before it.
type aside struct {
	Ranker
	why string
}

// Set implements Ranker.
func (a *aside) Set(n *pipeline.Node) error { return a.Ranker.Set(n.Input) }

// Account implements rank.Accountable.
func (a *aside) Account() rank.Account { return rank.Account{Note: a.why, Aside: true} }
