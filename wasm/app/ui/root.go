package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/link/share"
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

// Class names the screen, is "other" where another collection than the site's first is open, and is "presenter" too
// where the presenter view is on, "embedded" in a frame.
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

// Section is the screens that share an entry of the header with the one that is open, none where that stands alone or
// is a page of its own.
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
