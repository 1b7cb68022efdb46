package search

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Remedies are what can be done where a system has no list.
type Remedies struct{ of *Ranking }

// CanRetry says whether the same search may find them.
func (c Remedies) CanRetry() bool {
	l := c.of.list()
	return l != nil && l.Again
}

// Encode offers to encode what the system needs, "" if that would not help.
func (c Remedies) Encode() string { return c.of.App.Encoder.Offer(c.of.System) }

// CanAsk says whether asking backends would give the list.
func (c Remedies) CanAsk() bool {
	l := c.of.list()
	return l != nil && l.Unasked != ""
}

// AskLabel says up to where they are asked.
func (c Remedies) AskLabel() string {
	return "ask the backend (up to " + say.Count(state.Allowed, "token", "tokens") +
		" before this page asks again)"
}

// Nearest is the id of the judged query that shares most words with the one that was typed, "" for none.
func (c Remedies) Nearest() string {
	if t := c.of.App.Settings.NearestQuery(); t != nil {
		return t.ID
	}
	return ""
}

// NearestLabel offers it.
func (c Remedies) NearestLabel() string {
	return "take the judged query “" + c.of.App.Settings.NearestQuery().Text + "”"
}

// UseNearest opens it.
func (c Remedies) UseNearest() { c.of.App.Search.Pick(c.Nearest()) }

// UseBM25 puts BM25 into this column.
func (c Remedies) UseBM25() { c.of.App.Editor.Replace(c.of.System, stage.BM25.Name) }
