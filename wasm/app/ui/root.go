package ui

import (
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/screens"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Root is the whole page.
type Root struct {
	App   *state.App
	Views map[string]vugu.Builder // a screen that this program holds
}

// Frame is what a screen says and does in the page's frame, where that is its own affair.
type Frame interface {
	Here() string // what is open, beside the header
	Hash() string // of the report that is on the screen
	Status() string
	Exporting() bool // whether a file is being made that takes long
	Cancel()         // lets that be
	Find() string    // id of the field that "/" leads to
	Step(by int)     // to another query
	Escape() bool    // closes what is open; false where nothing is
}

// View is the screen that is open.
func (c *Root) View() vugu.Builder { return c.Views[screens.Named(string(c.App.Screen)).Name] }

func (c *Root) frame() Frame {
	f, _ := c.View().(Frame)
	return f
}

// Query is what a phone's header shows in the place of the search box: nothing where that is open anyway.
func (c *Root) Query() string {
	if c.App.Screen != share.Search || !c.App.HasQuery() || c.App.Asking {
		return ""
	}
	return c.App.QueryText()
}

// Headers are the screens that the header names.
func (c *Root) Headers() []screens.Screen {
	return slices.DeleteFunc(slices.Clone(screens.All), func(s screens.Screen) bool { return s.Header == "" })
}

// Class names the screen, and is "presenter" too where the presenter view is on, "embedded" in a frame.
func (c *Root) Class() string {
	s := "screen-" + screens.Named(string(c.App.Screen)).Name
	if c.App.Presenter {
		s += " presenter"
	}
	if c.App.Embedded {
		s += " embedded"
	}
	return s
}

// Phase names the phase for tests and styles.
func (c *Root) Phase() string {
	return [...]string{"loading", "opening", "ready", "failed"}[c.App.Phase]
}

// ReportHash is the hash of the report on the screen.
func (c *Root) ReportHash() string {
	if f := c.frame(); f != nil {
		return f.Hash()
	}
	if c.App.Report == nil || c.App.Stale() {
		return ""
	}
	return c.App.Report.Hash
}

// Live says whether the page reacts yet.
func (c *Root) Live() bool { return c.App.Phase != state.Loading }

// Loading says whether something is on its way.
func (c *Root) Loading() bool { return c.App.Phase == state.Opening && c.App.Progress.Total > 0 }

// Fetching says whether a richer program is on its way and how much of it has come is known.
func (c *Root) Fetching() bool { return c.App.Fetching != nil && c.App.Fetching.Total > 0 }

// Exporting says whether a file is being made that takes long.
func (c *Root) Exporting() bool {
	f := c.frame()
	return f != nil && f.Exporting()
}

// CancelExport lets it be.
func (c *Root) CancelExport() { c.frame().Cancel() }

// Done is how much has arrived.
func (c *Root) Done() int { return c.App.Progress.Done }

// Total is how much there is.
func (c *Root) Total() int { return c.App.Progress.Total }

// Go follows a link of the frame.
func (c *Root) Go(event vugu.DOMEvent, s string) {
	if PlainClick(event) {
		c.App.Go(share.Screen(s))
	}
}

// Current marks the screen that is open.
func (c *Root) Current(s string) interface{} {
	if string(c.App.Screen) == s {
		return "page"
	}
	return nil
}

// Here says which collection is open.
func (c *Root) Here() string {
	r := report.Ref{}
	if f := c.frame(); f != nil {
		return f.Here()
	}
	switch {
	case c.App.Opened != nil:
		r = c.App.Opened.Ref
	case c.App.Report != nil:
		r = c.App.Report.Collection
	default:
		return c.App.Collection()
	}
	return r.Name + " · " + say.Count(r.Documents, "document", "documents") + " · " + say.Count(r.Queries, "query", "queries")
}

// Status says what the page is doing.
func (c *Root) Status() string {
	a := c.App
	p := a.Progress
	if p := a.Fetching; p != nil {
		if p.Total == 0 {
			return p.What + " …"
		}
		return p.What + ": " + Arrived(*p)
	}
	if f := c.frame(); f != nil && a.Phase != state.Loading {
		if s := f.Status(); s != "" {
			return s
		}
	}
	switch {
	case a.Phase == state.Failed:
		return "The search engine is not running"
	case a.Phase == state.Ready && a.Offline:
		return "Ready, offline"
	case a.Phase == state.Ready && a.Arriving != nil:
		return "Fetching " + a.Arriving.What + ": " + Arrived(*a.Arriving)
	case a.Phase == state.Ready && a.Behind() != "":
		return "Waits for " + a.Behind() + " …"
	case a.Phase == state.Ready && a.Stale() && a.Unmeasured:
		return "Not measured over all queries: cancelled"
	case a.Phase == state.Ready && a.Stale() && a.Measuring.Total > 0:
		return "Measuring all queries: " + say.Thousands(a.Measuring.Done) + " of " + say.Thousands(a.Measuring.Total)
	case a.Phase == state.Ready && a.Stale():
		return "Measuring all queries …"
	case a.Phase == state.Ready:
		return "Ready"
	case p.Total > 0:
		return p.What + " " + Arrived(p)
	}
	return "Loading the search engine"
}

// Memory is what page and worker use.
func (c *Root) Memory() string { return strconv.Itoa(int(c.App.Memory/1e6)) + " MB" }

// Release is the version and the report.
func (c *Root) Release() string {
	s := "Rankbox " + c.App.Version
	if h := c.ReportHash(); len(h) == 64 {
		s += " · report " + h[:4] + "…" + h[62:]
	}
	return s
}

// Skip moves the focus past the frame.
func (c *Root) Skip(event vugu.DOMEvent) {
	event.PreventDefault()
	c.App.FocusOn("main")
}

// Key handles the shortcuts that work wherever the focus is.
func (c *Root) Key(event vugu.DOMEvent) {
	key := event.PropString("key")
	typing := event.PropBool("typing")
	switch {
	case key == "Escape":
		if c.App.Help {
			c.App.ToggleHelp()
		} else if f := c.frame(); f != nil && f.Escape() {
			return
		} else if c.App.Editing >= 0 {
			c.App.Cancel()
		} else if c.App.Tuning {
			c.App.Tune(false)
		} else if c.App.Focus.Document == "" && c.App.Unfolded == 0 && c.App.Presenter {
			c.App.TogglePresenter()
		} else {
			c.App.Close()
		}
		return
	case (event.PropBool("ctrlKey") || event.PropBool("metaKey")) && (key == "z" || key == "Z") && !typing:
		event.PreventDefault()
		if event.PropBool("shiftKey") || key == "Z" {
			c.App.Redo()
		} else {
			c.App.Undo()
		}
		return
	}
	if typing || event.PropBool("ctrlKey") || event.PropBool("metaKey") || event.PropBool("altKey") {
		return
	}
	f := c.frame()
	if k, ok := c.View().(interface{ Key(key string) bool }); ok && k.Key(key) {
		event.PreventDefault()
		return
	}
	switch key {
	case "/":
		event.PreventDefault()
		if f != nil {
			c.App.FocusOn(f.Find())
			return
		}
		c.App.FocusOn("q")
	case "?":
		event.PreventDefault()
		c.App.ToggleHelp()
	case "p", "P":
		c.App.TogglePresenter()
	case "n", "b":
		by := 1
		if key == "b" {
			by = -1
		}
		if f != nil {
			f.Step(by)
		} else {
			c.App.Step(by)
		}
	}
}
