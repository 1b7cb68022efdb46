//go:build first

package experiment

import (
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
)

// steps is what the first program does not tell.
func (s *Session) steps(rank.Ranker, []rank.Hit) []byte { return nil }

// What follows is of backends, which this program does not ask.

func fellBack(rank.Ranker) int { return 0 }

func whyFell(rank.Ranker) string { return "" }

func leftAsItWas(int) string { return "" }

func nothing(string) string { return "" }

func asks(*pipeline.Node) bool { return false }

func (s *Session) identities(*pipeline.Node) string { return "" }

func (s *Session) allow(int) (price func() (spent int, unasked string)) {
	return func() (int, string) { return 0, "" }
}
