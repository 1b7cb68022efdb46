//go:build first

package experiment

import "github.com/rankbox/rankbox/core/rank"

// steps is what the first program does not tell.
func (s *Session) steps(rank.Ranker, []rank.Hit) []byte { return nil }

// fellBack and leftAsItWas are of backends, which this program does not ask.
func fellBack(rank.Ranker) int { return 0 }

func leftAsItWas(int) string { return "" }
