//go:build first

package experiment

import (
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/stage"
)

// brought is what comes after a collection was opened: nothing here.
type brought struct{}

// Tokens implements stage.Collection: no stage of this program asks.
func (p parts) Tokens(string) (*stage.Tokens, error) { return nil, stage.ErrBeyond }

// Sparse implements stage.Collection: no stage of this program asks.
func (p parts) Sparse(string) (*stage.Weights, error) { return nil, stage.ErrBeyond }

// Run implements stage.Collection: no stage of this program asks.
func (p parts) Run(string) (map[string][]rank.Hit, error) { return nil, nil }

// encodedBy says who encoded a typed query for a pipeline, "" where that needs no vectors.
func (s *Session) encodedBy(n *pipeline.Node) string {
	if len(stage.Models(n)) == 0 {
		return ""
	}
	return s.encodedStatic()
}

// elsewhere is for collections whose documents are behind backends: this program opens none.
func (s *Session) elsewhere() bool { return false }

func (s *Session) outside(int) (title, text string) { return "", "" }

func (s *Session) bring([]int) error { return nil }

func (s *Session) textOf(int) (text string, there bool) { return "", false }

func (s *Session) textMissing(int) string { return notLoaded }
