package ui

import (
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// part is what the large components are made of, which show no progress: they are built again only where something else has changed.
type part struct {
	App *state.App
	dom.Kept
}

// moment is a state of the page.
type moment struct {
	app     *state.App
	changes int
}

// Shown is the moment that a component shows.
func (p *part) Shown() any { return moment{p.App, p.App.Changes} }
