//go:build !first

package experiment

import (
	"fmt"
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Loss returns how many of the first k documents of the pipeline that looks at everything are among the first k of n;
// of is 0 where n itself does.
func (s *Session) Loss(n *pipeline.Node, q rank.Query, k int, f rank.Filter) (kept, of int, err error) {
	p := stage.Precise(n)
	if p == n {
		return 0, 0, nil
	}
	defer func(wanted []string) { s.Rankers.wanted = wanted }(s.Rankers.wanted)
	s.Rankers.wanted = append(slices.Clone(s.Rankers.wanted), n.String(), p.String())
	var lists [2][]rank.Hit
	for i, m := range []*pipeline.Node{n, p} {
		r, err := s.Rankers.Of(m)
		if err == nil {
			lists[i], err = r.Rank(q, k, s.FilterFor(q.ID, f), nil)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	for _, h := range lists[1] {
		if slices.ContainsFunc(lists[0], func(g rank.Hit) bool { return g.Doc == h.Doc }) {
			kept++
		}
	}
	return kept, len(lists[1]), nil
}

// lossNote says what a system does not find of what the exact one does, "" if it compares everything.
func lossNote(s *Session, n *pipeline.Node, q rank.Query, f rank.Filter) (string, error) {
	kept, of, err := s.Loss(n, q, agreementDepth, f)
	if err != nil || of == 0 {
		return "", err
	}
	return fmt.Sprintf("Not every document is compared in full: %d of the first %d of the exact ranking are here.",
		kept, of), nil
}
