package search

import (
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Cannot says why a system has no list, and what can be done.
type Cannot struct{ Ranking *Ranking }

// CanRetry says whether the same search may find them.
func (c *Cannot) CanRetry() bool {
	l := c.Ranking.list()
	return l != nil && l.Again
}

// CanEncode says whether loading the encoder is worth an offer.
func (c *Cannot) CanEncode() bool { return c.Ranking.App.CanEncode(c.Ranking.System) }

// CanAsk says whether asking backends would give the list.
func (c *Cannot) CanAsk() bool {
	l := c.Ranking.list()
	return l != nil && l.Unasked != ""
}

// AskLabel says up to where they are asked.
func (c *Cannot) AskLabel() string {
	return "ask the backend (up to " + say.Count(state.Allowed, "token", "tokens") +
		" before this page asks again)"
}

// Nearest is the id of the judged query that shares most words with the one that was typed, "" for none.
func (c *Cannot) Nearest() string {
	if t := c.Ranking.App.NearestQuery(); t != nil {
		return t.ID
	}
	return ""
}

// NearestLabel offers it.
func (c *Cannot) NearestLabel() string {
	return "take the judged query “" + c.Ranking.App.NearestQuery().Text + "”"
}

// UseNearest opens it.
func (c *Cannot) UseNearest() { c.Ranking.App.Pick(c.Nearest()) }

// UseBM25 puts BM25 into this column.
func (c *Cannot) UseBM25() { c.Ranking.App.Replace(c.Ranking.System, stage.BM25.Name) }
