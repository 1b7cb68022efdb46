package ui

import (
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
func (c *Root) View() vugu.Builder { return c.Views[screens.Named(string(c.App.Settings.Screen)).Name] }

func (c *Root) frame() Frame {
	f, _ := c.View().(Frame)
	return f
}

// Headers are the screens that the header names.
func (c *Root) Headers() []*screens.Screen { return screens.Headers() }

// Class names the screen, is "other" where another collection than the site's first is open, and is "presenter" too where the presenter view is on, "embedded" in a frame.
func (c *Root) Class() string {
	s := "screen-" + screens.Named(string(c.App.Settings.Screen)).Name
	if c.App.View.Presenter {
		s += " presenter"
	}
	if c.App.View.Embedded {
		s += " embedded"
	}
	if c.App.Settings.Collection() != c.App.Settings.Default {
		s += " other"
	}
	return s
}

// Phase names the phase for tests and styles.
func (c *Root) Phase() string {
	return [...]string{"loading", "opening", "ready", "failed"}[c.App.Engine.Phase]
}

// ReportHash is the hash of the report on the screen.
func (c *Root) ReportHash() string {
	if f := c.frame(); f != nil {
		return f.Hash()
	}
	if c.App.Figures.Report == nil || c.App.Figures.Stale() {
		return ""
	}
	return c.App.Figures.Report.Hash
}

// Live says whether the page reacts yet.
func (c *Root) Live() bool { return c.App.Engine.Phase != state.Loading }

// Loading says whether something is on its way.
func (c *Root) Loading() bool {
	return c.App.Engine.Phase == state.Opening && c.App.Engine.Progress.Total > 0
}

// Fetching says whether a richer program is on its way and how much of it has come is known.
func (c *Root) Fetching() bool {
	return c.App.Programs.Fetching != nil && c.App.Programs.Fetching.Total > 0
}

// Exporting says whether a file is being made that takes long.
func (c *Root) Exporting() bool {
	f := c.frame()
	return f != nil && f.Exporting()
}

// CancelExport lets it be.
func (c *Root) CancelExport() { c.frame().Cancel() }

// Done is how much has arrived.
func (c *Root) Done() int { return c.App.Engine.Progress.Done }

// Total is how much there is.
func (c *Root) Total() int { return c.App.Engine.Progress.Total }

// Go follows a link of the frame.
func (c *Root) Go(event vugu.DOMEvent, s string) {
	if PlainClick(event) {
		c.App.Go(share.Screen(s))
	}
}

// Current marks the screen that is open, and the entry of the header that it belongs to.
func (c *Root) Current(s string) interface{} {
	row := screens.Named(string(c.App.Settings.Screen))
	switch s {
	case row.Name:
		return "page"
	case row.Under:
		return "true"
	}
	return nil
}

// section is what Section returns. The first program holds no screen of one.
var section func(*Root) []*screens.Screen

// Section is the screens that share an entry of the header with the one that is open, none where that stands alone or is a page of its own.
func (c *Root) Section() []*screens.Screen {
	if section == nil {
		return nil
	}
	return section(c)
}

// Open marks the screen that is open among those of its section.
func (c *Root) Open(s *screens.Screen) interface{} {
	if string(c.App.Settings.Screen) == s.Name {
		return "page"
	}
	return nil
}

// Here names the collection that is open.
func (c *Root) Here() string {
	if r := c.ref(); r != nil {
		return r.Name
	}
	return "Collections"
}

// Counts says how large it is.
func (c *Root) Counts() string {
	r := c.ref()
	if r == nil {
		return ""
	}
	return r.Size() + " · " + say.Count(r.Queries, "query", "queries")
}

func (c *Root) ref() *report.Ref {
	switch {
	case c.App.Engine.Opened != nil:
		return &c.App.Engine.Opened.Ref
	case c.App.Figures.Report != nil:
		return &c.App.Figures.Report.Collection
	}
	return nil
}

// FooterClass hides the footer while there is nothing to wait for and nothing wrong.
func (c *Root) FooterClass() string {
	if c.App.Engine.Phase == state.Ready && !c.Exporting() && c.App.Programs.Fetching == nil && c.Status() == "Ready" {
		return "status idle"
	}
	return "status"
}

// Status says what the page is doing.
func (c *Root) Status() string {
	a := c.App
	p := a.Engine.Progress
	if p := a.Programs.Fetching; p != nil {
		if p.Total == 0 {
			return p.What + " …"
		}
		return p.What + ": " + Arrived(*p)
	}
	if f := c.frame(); f != nil && a.Engine.Phase != state.Loading {
		if s := f.Status(); s != "" {
			return s
		}
	}
	switch {
	case a.Engine.Phase == state.Failed:
		return "The search engine is not running"
	case a.Engine.Phase == state.Ready && a.View.Offline:
		return "Ready, offline"
	case a.Engine.Phase == state.Ready && a.Engine.Arriving != nil:
		return "Fetching " + a.Engine.Arriving.What + ": " + Arrived(*a.Engine.Arriving)
	case a.Engine.Phase == state.Ready && a.Engine.Behind() != "":
		return "Waits for " + a.Engine.Behind() + " …"
	case a.Engine.Phase == state.Ready && a.Figures.Stale() && a.Figures.Unmeasured:
		return "Not measured over all queries: cancelled"
	case a.Engine.Phase == state.Ready && a.Figures.Stale() && a.Figures.Measuring.Total > 0:
		return "Measuring all queries: " + say.Thousands(a.Figures.Measuring.Done) + " of " +
			say.Thousands(a.Figures.Measuring.Total)
	case a.Engine.Phase == state.Ready && a.Figures.Stale():
		return "Measuring all queries …"
	case a.Engine.Phase == state.Ready:
		return "Ready"
	case p.Total > 0:
		return p.What + " " + Arrived(p)
	}
	return "Loading the search engine"
}

// Memory is what page and worker use.
func (c *Root) Memory() string {
	bytes := c.App.Engine.Memory // as the worker's answers tell it
	if !state.HasWorker && c.App.Engine.PageMemory != nil {
		bytes = c.App.Engine.PageMemory()
	}
	return strconv.Itoa(int(bytes/1e6)) + " MB"
}

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
	c.App.View.FocusOn("main")
}

// Key handles the shortcuts that work wherever the focus is.
func (c *Root) Key(event vugu.DOMEvent) {
	key := event.PropString("key")
	typing := event.PropBool("typing")
	switch {
	case key == "Escape":
		if c.App.View.Help {
			c.App.View.ToggleHelp()
		} else if f := c.frame(); f != nil && f.Escape() {
			return
		} else if c.App.Editor.Editing >= 0 {
			c.App.Editor.Cancel()
		} else if c.App.Filters.Tuning {
			c.App.Filters.Tune(false)
		} else if c.App.Settings.Focus.Document == "" && c.App.Search.Unfolded == 0 && c.App.View.Presenter {
			c.App.TogglePresenter()
		} else {
			c.App.Search.Close()
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
			c.App.View.FocusOn(f.Find())
			return
		}
		c.App.View.FocusOn("q")
	case "?":
		event.PreventDefault()
		c.App.View.ToggleHelp()
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
			c.App.Search.Step(by)
		}
	}
}
