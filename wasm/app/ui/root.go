package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Root is the whole page.
type Root struct {
	App *state.App
}

// Class is "presenter" where the presenter view is on.
func (c *Root) Class() string {
	s := "screen-home"
	switch c.App.Screen {
	case share.Search:
		s = "screen-search"
	case share.Compare:
		s = "screen-compare"
	}
	if c.App.Presenter {
		s += " presenter"
	}
	return s
}

// Phase names the phase for tests and styles.
func (c *Root) Phase() string {
	return [...]string{"loading", "opening", "ready", "failed"}[c.App.Phase]
}

// ReportHash is the hash of the report on the screen.
func (c *Root) ReportHash() string {
	if c.App.Screen == share.Compare {
		if r := c.App.Compare.Report(); r != nil && !c.App.Comparing() {
			return r.Hash
		}
		return ""
	}
	if c.App.Report == nil || c.App.Stale() {
		return ""
	}
	return c.App.Report.Hash
}

// Live says whether the page reacts yet.
func (c *Root) Live() bool { return c.App.Phase != state.Loading }

// Failed says whether the collection could not be opened.
func (c *Root) Failed() bool { return c.App.Phase == state.Failed }

// Loading says whether something is on its way.
func (c *Root) Loading() bool { return c.App.Phase == state.Opening && c.App.Progress.Total > 0 }

// Exporting says whether a file is being made that takes long.
func (c *Root) Exporting() bool { return c.App.Exporting() && c.App.Compare.Progress != nil }

// Done is how much has arrived.
func (c *Root) Done() int { return c.App.Progress.Done }

// Total is how much there is.
func (c *Root) Total() int { return c.App.Progress.Total }

// Go follows a link of the frame.
func (c *Root) Go(event vugu.DOMEvent, s string) {
	if plainClick(event) {
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
	r := experiment.Ref{}
	if c.App.Screen == share.Compare {
		runs := c.App.Compare.Report()
		if runs == nil {
			return "no runs yet"
		}
		return plural(len(runs.Systems), "run", "runs") + " · " + plural(len(runs.Queries), "query", "queries")
	}
	switch {
	case c.App.Opened != nil:
		r = c.App.Opened.Ref
	case c.App.Report != nil:
		r = c.App.Report.Collection
	default:
		return c.App.Collection()
	}
	return r.Name + " · " + thousands(r.Documents) + " documents · " + plural(r.Queries, "query", "queries")
}

// Status says what the page is doing.
func (c *Root) Status() string {
	a := c.App
	p := a.Progress
	if a.Screen == share.Compare && a.Phase != state.Loading {
		switch p := a.Compare.Progress; {
		case a.Comparing() && p != nil && p.Total > 0 && a.Phase != state.Opening:
			return shown(p.What) + " " + strconv.Itoa(100*p.Done/p.Total) + " %"
		case a.Comparing():
			return "Comparing your runs …"
		case p != nil && p.Total > 0:
			return shown(p.What) + " " + strconv.Itoa(100*p.Done/p.Total) + " %"
		case p != nil:
			return shown(p.What) + " …"
		case a.Phase == state.Ready || a.Phase == state.Failed && a.Compare.Report() != nil:
			return "Ready"
		}
	}
	switch {
	case a.Phase == state.Failed:
		return "The search engine is not running"
	case a.Phase == state.Ready && a.Offline:
		return "Ready, offline"
	case a.Phase == state.Ready && a.Stale():
		return "Measuring all queries …"
	case a.Phase == state.Ready:
		return "Ready"
	case p.Total > 0:
		return p.What + " " + strconv.Itoa(p.Done/1000) + " of " + strconv.Itoa((p.Total+999)/1000) + " kB"
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
		} else if c.App.Compare.Naming > 0 {
			c.App.LeaveName()
		} else if c.App.Editing >= 0 {
			c.App.Cancel()
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
	runs := c.App.Screen == share.Compare
	switch key {
	case "/":
		event.PreventDefault()
		if runs {
			c.App.FocusOn("find")
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
		if runs {
			c.App.StepQuery(by)
		} else {
			c.App.Step(by)
		}
	}
}
