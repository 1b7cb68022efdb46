package ui

import (
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// Part is what the large components are made of, which show no progress: they are built again only where something else
// has changed.
type Part struct {
	App *state.App
	dom.Kept
}

// Moment is a state of the page.
type Moment struct {
	App     *state.App
	Changes int
}

// Shown is the moment that a component shows.
func (p *Part) Shown() any { return Moment{p.App, p.App.View.Changes} }
