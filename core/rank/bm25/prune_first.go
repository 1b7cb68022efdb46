//go:build first || library

package bm25

import "github.com/rankbox/rankbox/core/rank"

// The first program and the library for JavaScript open small collections: they have no pruning.
const (
	canPrune  = false
	PruneFrom = 0
)

// Vectorised says that Run scores by SIMD kernels.
func Vectorised() {}

type pruner struct{}

func (r *Ranker) pruned([]Term, *Job) ([]rank.Hit, bool) { return nil, false }
