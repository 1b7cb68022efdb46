//go:build !first

package worker

import (
	"slices"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Pool, handler{blame: at("the pool of documents to judge")}, toJudging, (*judging).pool)
}

// pool is what the systems find for the queries, each document of a query once.
func (jd *judging) pool(r message.Request, ask *message.AskPool) (*message.PoolMade, error) {
	if jd.open.session == nil {
		return nil, errNoCollection
	}
	out := &message.PoolMade{Collection: ask.Collection}
	if jd.open.session.Ref().ID != ask.Collection {
		return nil, nil // another collection was opened meanwhile
	}
	p := message.Progress{What: "Searching " + jd.open.session.Ref().Name, Total: len(ask.Queries), Unit: "queries"}
	stopped := jd.page.stopped(r, &p)
	jd.backends.asking(ask.Systems)
	for at, query := range ask.Queries {
		if p.Done = at; stopped() {
			return nil, nil
		}
		lists, why, err := jd.open.session.Rank(experiment.Spec{Systems: ask.Systems, QueryID: query}, ask.Depth)
		if err != nil {
			return nil, err
		}
		seen := map[string]bool{}
		for rank := range ask.Depth {
			for _, l := range lists {
				if rank < len(l) && !seen[l[rank].Doc] {
					seen[l[rank].Doc] = true
					out.Documents = append(out.Documents, message.Pooled{Query: query, Document: l[rank].Doc})
				}
			}
		}
		for i, w := range why {
			if w = ask.Systems[i] + ": " + w; why[i] != "" && !slices.Contains(out.Problems, w) {
				out.Problems = append(out.Problems, w)
			}
		}
	}
	return out, nil
}
