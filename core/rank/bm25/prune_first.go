//go:build first

package bm25

import "github.com/rankbox/rankbox/core/rank"

// The first program opens small collections: it has no pruning.
const (
	canPrune  = false
	pruneFrom = 0
)

type pruner struct{}

func (r *Ranker) pruned([]Term, *Job) ([]rank.Hit, bool) { return nil, false }
