// Package status is the screen that says what the edge of the site offers and how it does, without its looks; the
// editor of pipelines asks it for the names of backends. It asks nobody itself: the worker does, and only when somebody
// wants to know, since most sites have no edge.
package status

import (
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// ID is the name of the screen.
const ID share.Screen = "status"

// Status is the screen.
type Status struct {
	App *state.App

	Offered *message.Offered // the last answer, nil before the first
	Token   string           // of the metrics; it stays in this page
	Key     string           // of a private edge, as far as it is typed
	Waiting bool
	asked   bool
}

// New is the screen as it begins.
func New(a *state.App) *Status { return &Status{App: a} }

// ID is the name of the screen.
func (s *Status) ID() share.Screen { return ID }

// Begin asks where the page opens here, and Entered where somebody comes.
func (s *Status) Begin() {
	if s.App.Settings.Screen == ID {
		s.Ask()
	}
}

// Entered asks how the edge does.
func (s *Status) Entered() { s.Ask() }

// Ask asks how the edge does.
func (s *Status) Ask() {
	s.asked, s.Waiting = true, true
	s.App.Browser.Enrich()
	s.App.Engine.Request(message.Behind, &message.AskBehind{Watch: s.App.Settings.Screen == ID, Token: s.Token})
}

// SaveKey has the device save the key that was typed, and asks with it; without one it forgets the key.
func (s *Status) SaveKey() {
	s.asked, s.Waiting = true, true
	s.App.Engine.Request(message.Behind, &message.AskBehind{Watch: s.App.Settings.Screen == ID, Token: s.Token,
		Save: true, Key: s.Key})
	s.Key = ""
	s.App.View.Draw()
}

// WriteKey takes the key as it is typed.
func (s *Status) WriteKey(key string) { s.Key = key }

// Offers returns what the edge offers, nil while that is not known: then it is asked, once.
func (s *Status) Offers() *message.Offered {
	if !s.asked && s.App.Engine.Phase == state.Ready {
		s.Ask()
	}
	return s.Offered
}

// Write takes the token as it is typed.
func (s *Status) Write(token string) { s.Token = token }

// Takes says which replies are the screen's.
func (s *Status) Takes(k message.Kind) bool { return k == message.Behind }

// Receive takes what the edge offers.
func (s *Status) Receive(r message.Reply) {
	s.Waiting = false
	if o, ok := r.Answer.(*message.Offered); ok {
		s.Offered = o
	}
	s.App.View.Draw()
}

// Died is told before the worker is replaced, Again asks the new one.
func (s *Status) Died(string) { s.Waiting = false }

// Again asks a new worker.
func (s *Status) Again() {
	if s.asked && s.Offered == nil {
		s.Ask()
	}
}
