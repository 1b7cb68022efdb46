package compare

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// AgreementDepth is how many documents of a ranking Agreements looks at: those below weigh less than 0.0001 in its RBO.
const AgreementDepth = 100

// mostAgreements bounds the work of Agreements: with more pairs times queries only those with the baseline are
// compared.
const mostAgreements = 200000

// Agreement is how alike the first AgreementDepth documents of two runs are, whatever is relevant: means over the
// queries on which each is defined.
type Agreement struct {
	A, B    int
	Queries int     // that both runs have
	Common  float64 // documents that are in both rankings of a query
	RBO     float64 // rank-biased overlap, p = 0.9, extrapolated
	Tau     float64 // Kendall's τ over the documents that both rank
	TauAP   float64 // τ_AP over them, A being the reference
}

// Agreements compares the rankings of every pair of runs, in the order of significance.Pairs; where there are very many
// queries and pairs, those with the baseline. The error is ErrCancelled.
func (c *Comparison) Agreements(cancel func() bool) ([]Agreement, error) {
	a := c.Agreeing()
	for more := len(c.queries) > 0; more; {
		if cancel != nil && cancel() {
			return nil, ErrCancelled
		}
		var err error
		if more, err = a.Next(); err != nil {
			return nil, err
		}
	}
	return a.Means(), nil
}

// Agreeing is Agreements query by query, for those who have something else to do in between.
type Agreeing struct {
	c     *Comparison
	next  int
	sums  []Agreement
	taus  [][2]int // queries on which τ and τ_AP are defined
	lists [][]int32
	ids   map[string]int32 // documents of the query, numbered: they are looked up for every pair
	at    [][]int32        // place of a document in the list of a run, from 1
	x, y  []float64
}

// Agreeing begins to compare the rankings of every pair of runs.
func (c *Comparison) Agreeing() *Agreeing {
	pairs := significance.Pairs(len(c.runs))
	if len(pairs)*len(c.queries) > mostAgreements {
		pairs = slices.DeleteFunc(pairs, func(ij [2]int) bool {
			return ij[0] != c.in.Baseline && ij[1] != c.in.Baseline
		})
	}
	a := &Agreeing{c: c, sums: make([]Agreement, len(pairs)), taus: make([][2]int, len(pairs)),
		lists: make([][]int32, len(c.runs)), at: make([][]int32, len(c.runs)), ids: map[string]int32{}}
	for p, ij := range pairs {
		a.sums[p] = Agreement{A: ij[0], B: ij[1]}
	}
	return a
}

// Done returns how many queries were compared, and of how many.
func (a *Agreeing) Done() (done, total int) { return a.next, len(a.c.queries) }

// Next compares the rankings of one more query, if there is one, and reports whether there are more.
func (a *Agreeing) Next() (more bool, err error) {
	c, q := a.c, a.next
	if err := c.needsDocuments("the agreement of rankings"); err != nil {
		return false, err
	}
	if q >= len(c.queries) {
		return false, nil
	}
	clear(a.ids)
	for s := range c.runs {
		a.lists[s] = a.lists[s][:0]
		entries, _ := c.entries(s, c.queries[q], AgreementDepth)
		for _, e := range entries {
			id, ok := a.ids[e.Doc]
			if !ok {
				id = int32(len(a.ids))
				a.ids[e.Doc] = id
			}
			a.lists[s] = append(a.lists[s], id)
		}
	}
	for s := range c.runs {
		a.at[s] = slices.Grow(a.at[s][:0], len(a.ids))[:len(a.ids)]
		clear(a.at[s])
		for i, id := range a.lists[s] {
			a.at[s][id] = int32(i + 1)
		}
	}
	for p := range a.sums {
		g := &a.sums[p]
		s, t := a.lists[g.A], a.lists[g.B]
		if len(s) == 0 || len(t) == 0 {
			continue
		}
		rbo, err := significance.RBO(s, t, significance.Persistence)
		if err != nil {
			return false, say.Faultf("compare", "query %s: %w", c.queries[q], err)
		}
		x, y := a.x[:0], a.y[:0] // significance.Common without its maps
		for i, id := range s {
			if j := a.at[g.B][id]; j > 0 {
				x = append(x, -float64(i))
				y = append(y, -float64(j-1))
			}
		}
		a.x, a.y = x, y
		tau, err := significance.KendallTau(x, y)
		if err != nil {
			return false, err
		}
		ap, err := significance.TauAP(x, y)
		if err != nil {
			return false, err
		}
		g.Queries++
		g.Common += float64(len(x))
		g.RBO += rbo.Ext
		if tau.B == tau.B {
			g.Tau += tau.B
			a.taus[p][0]++
		}
		if ap == ap {
			g.TauAP += ap
			a.taus[p][1]++
		}
	}
	a.next++
	return a.next < len(c.queries), nil
}

// Means returns the agreements over the queries that were compared.
func (a *Agreeing) Means() []Agreement {
	out := slices.Clone(a.sums)
	for p := range out {
		g := &out[p]
		g.Common /= float64(g.Queries)
		g.RBO /= float64(g.Queries)
		g.Tau /= float64(a.taus[p][0])
		g.TauAP /= float64(a.taus[p][1])
	}
	return out
}
