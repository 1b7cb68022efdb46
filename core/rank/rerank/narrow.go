package rerank

import "github.com/rankbox/rankbox/core/rank"

// Narrow lets a ranker rank only documents that pass a filter of its own, beside the one it is asked with.
type Narrow struct {
	rank.Ranker
	Pass rank.Filter // nil lets every one pass

	both rank.Filter
}

// Rank implements rank.Ranker.
func (n *Narrow) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	return n.Ranker.Rank(q, k, n.and(f), dst)
}

// Explain implements rank.Ranker. A document that does not pass is not ranked: what it would have is taken away.
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
