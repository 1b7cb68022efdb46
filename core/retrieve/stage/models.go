package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
	"github.com/rankbox/rankbox/core/retrieve/rank/sparse"
)

// Tokens are the token vectors that a model made of documents and queries.
type Tokens struct {
	Label         string // the model's full name
	Docs, Queries *late.Tokens
	QueryIDs      []string // len == Queries.Len()
}

// Weights are what a model made of documents and queries.
type Weights struct {
	Label         string // the model's full name
	Docs, Queries *sparse.Weights
	QueryIDs      []string // len == Queries.Len()
}
