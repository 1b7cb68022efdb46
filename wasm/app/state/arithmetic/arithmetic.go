// Package arithmetic is what the richer program adds to the Search screen without its looks: the measure of a ranking,
// term by term, asked of the worker anew whenever the ranking changes. Which ranking is unfolded, the page says itself
// (state.Search.Unfolded).
package arithmetic

import (
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Arithmetic is the measure of the ranking that is unfolded.
type Arithmetic struct {
	App    *state.App
	Column int                  // of the measure among those of the query
	Answer *evaluation.Unfolded // the newest; nil until there is one
}

// New is the screen as it begins.
func New(a *state.App) *Arithmetic { return &Arithmetic{App: a} }

// ID is the name of the screen.
func (*Arithmetic) ID() share.Screen { return share.Search }

// Takes says which replies are the screen's.
func (*Arithmetic) Takes(k message.Kind) bool { return k == message.Arithmetic }

// Found asks for the arithmetic of what was found.
func (s *Arithmetic) Found() {
	if s.App.Search.Unfolded == 0 || s.App.Search.Results == nil || !s.App.Search.Results.Judged {
		s.Answer = nil
		return
	}
	s.App.Browser.Enrich()
	s.App.Engine.Request(message.Arithmetic, &message.AskArithmetic{Spec: s.App.Settings.Full(),
		System: s.App.Search.Unfolded - 1, Column: min(s.Column, len(s.App.Search.Results.Measures)-1)})
}

// Receive takes the answer.
func (s *Arithmetic) Receive(r message.Reply) {
	s.Answer, _ = r.Answer.(*evaluation.Unfolded)
}

// Look turns to another measure.
func (s *Arithmetic) Look(column int) {
	s.Column = column
	s.Found()
	s.App.View.Draw()
}
