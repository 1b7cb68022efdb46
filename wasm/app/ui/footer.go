package ui

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Footer is the line at the foot of the page: what the page is doing, and how far it is.
type Footer struct {
	App   *state.App
	Frame Frame // of the open screen, nil where it says nothing of its own
}

// Footer is the line at the foot of the page.
func (c *Root) Footer() *Footer { return &Footer{c.App, c.frame()} }

// Class hides the footer while there is nothing to wait for and nothing wrong.
func (f *Footer) Class() string {
	if f.App.Engine.Phase == state.Ready && !f.Exporting() && f.App.Programs.Fetching == nil && f.Status() == "Ready" {
		return "status idle"
	}
	return "status"
}

// Loading says whether something is on its way.
func (f *Footer) Loading() bool {
	return f.App.Engine.Phase == state.Opening && f.App.Engine.Progress.Total > 0
}

// Fetching says whether a richer program is on its way and how much of it has come is known.
func (f *Footer) Fetching() bool {
	return f.App.Programs.Fetching != nil && f.App.Programs.Fetching.Total > 0
}

// Measuring says whether the figures over all queries are being measured.
func (f *Footer) Measuring() bool {
	return f.App.Figures.Measuring.Total > 0 && f.App.Figures.Stale()
}

// Exporting says whether a file is being made that takes long.
func (f *Footer) Exporting() bool { return f.Frame != nil && f.Frame.Exporting() }

// Status says what the page is doing.
func (f *Footer) Status() string {
	a := f.App
	if p := a.Programs.Fetching; p != nil {
		if p.Total == 0 {
			return p.What + " …"
		}
		return p.What + ": " + Arrived(*p)
	}
	if f.Frame != nil && a.Engine.Phase != state.Loading {
		if s := f.Frame.Status(); s != "" {
			return s
		}
	}
	switch p := a.Engine.Progress; {
	case a.Engine.Phase == state.Failed:
		return "The search engine is not running"
	case a.Engine.Phase == state.Ready:
		return f.ready()
	case p.Total > 0:
		return p.What + " " + Arrived(p)
	}
	return "Loading the search engine"
}

// ready says what the page is doing while a collection is open.
func (f *Footer) ready() string {
	a := f.App
	if a.View.Offline {
		return "Ready, offline"
	}
	if p := a.Engine.Arriving; p != nil {
		return "Fetching " + p.What + ": " + Arrived(*p)
	}
	if work := a.Engine.Behind(); work != "" {
		return "Waits for " + work + " …"
	}
	switch p := a.Figures.Measuring; {
	case !a.Figures.Stale():
		return "Ready"
	case a.Figures.Unmeasured:
		return "Not measured over all queries: cancelled"
	case p.Total > 0:
		return "Measuring all queries: " + say.Thousands(p.Done) + " of " + say.Thousands(p.Total)
	}
	return "Measuring all queries …"
}
