//go:build first

package experiment

import (
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// The page's first program compares everything and asks no backend.

type (
	further  struct{}
	backends struct{}
	tally    struct{}
)

// The stages of this program always have something to do their work with.

func (*tally) add(rank.Ranker)                {}
func (*tally) idle() string                   { return "" }
func lacking(*Session, *pipeline.Node) string { return "" }

// No stage of this program asks for these.

func (x *Models) Tokens(string) (*stage.Tokens, error)    { return nil, stage.ErrBeyond }
func (x *Models) Sparse(string) (*stage.Weights, error)   { return nil, stage.ErrBeyond }
func (x *Runs) Run(string) (map[string][]rank.Hit, error) { return nil, nil }

// encodedBy says who encoded a typed query for a pipeline, "" where that needs no vectors.
func (x *Models) encodedBy(n *pipeline.Node) string {
	if len(stage.Models(n)) == 0 {
		return ""
	}
	return x.encodedStatic()
}

func (x backends) identities(*pipeline.Node) string         { return "" }
func (x backends) allow(int) func() (int, string)           { return func() (int, string) { return 0, "" } }
func stepsOf(rank.Ranker, []rank.Hit, []bundle.Card) []byte { return nil }
func fellBack(rank.Ranker) int                              { return 0 }
func whyFell(rank.Ranker) string                            { return "" }
func silent(error) bool                                     { return false }
func unanswered(int, int, string) string                    { return "" }
func bookEdge(*Session) (end func())                        { return func() {} }
func asks(*pipeline.Node) bool                              { return false }

func lossNote(*Session, *pipeline.Node, rank.Query, rank.Filter) (string, error) { return "", nil }
