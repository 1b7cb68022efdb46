//go:build first || library

package bm25

import "github.com/rankbox/rankbox/core/retrieve/rank"

// The first program and the JavaScript library open small collections, so they omit pruning.
const (
	canPrune  = false
	PruneFrom = 0
)

// Vectorised does nothing without pruning.
func Vectorised() {}

type pruner struct{}

func (r *Ranker) pruned([]Term, *Job) ([]rank.Hit, bool) { return nil, false }
