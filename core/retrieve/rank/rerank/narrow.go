package rerank

import "github.com/rankbox/rankbox/core/retrieve/rank"

// Narrow restricts a ranker to the documents that pass a fixed filter as well as the request's.
type Narrow struct {
	rank.Ranker
	Pass rank.Filter // nil passes all

	both rank.Filter
}

// Rank implements rank.Ranker.
func (n *Narrow) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	return n.Ranker.Rank(q, k, n.and(f), dst)
}

// Explain implements rank.Ranker. A document that does not pass has no score: a part removes the score that it
// would have.
func (n *Narrow) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	p, err := n.Ranker.Explain(q, n.and(f), d)
	if err != nil {
		return p, err
	}
	out := rank.Part{Score: p.Score, Parts: []rank.Part{rank.Before(p)}}
	if !n.Pass.Has(d) {
		out.Score, out.Parts = 0, append(out.Parts, rank.Part{Name: "does not pass", Score: -p.Score})
	}
	return out, nil
}

func (n *Narrow) and(f rank.Filter) rank.Filter {
	if n.Pass == nil || f == nil {
		if f == nil {
			return n.Pass
		}
		return f
	}
	n.both = append(n.both[:0], f...)
	for i := range n.both {
		n.both[i] &= n.Pass[i]
	}
	return n.both
}
