package compare

import (
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Tabs is the list of tabs, with the warnings beside it.
type Tabs struct {
	Compare *screen.Compare
}

// Tab is a tab of the screen.
type Tab struct{ ID, Title string }

// All are all of them, from left to right.
func (c *Tabs) All() []Tab {
	return []Tab{{screen.TabBoard, "Board"}, {screen.TabQueries, "Queries"}, {screen.TabStatistics, "Statistics"},
		{screen.TabCheck, "Check a number"}, {screen.TabExport, "Export"}}
}

// openTab is the tab that is open.
func openTab(s *screen.Compare) string {
	if s.Runs.Report() == nil {
		return screen.TabBoard
	}
	return s.View.Tab
}

// Selected says whether a tab is open.
func (c *Tabs) Selected(tab string) string { return strconv.FormatBool(tab == openTab(c.Compare)) }

// TabIndex lets the Tab key reach the open tab only: the arrow keys reach the others.
func (c *Tabs) TabIndex(tab string) string {
	if tab == openTab(c.Compare) {
		return "0"
	}
	return "-1"
}

// Key moves between the tabs.
func (c *Tabs) Key(event vugu.DOMEvent) {
	at := slices.Index(screen.Tabs, openTab(c.Compare))
	switch event.PropString("key") {
	case "ArrowRight":
		at = (at + 1) % len(screen.Tabs)
	case "ArrowLeft":
		at = (at + len(screen.Tabs) - 1) % len(screen.Tabs)
	case "Home":
		at = 0
	case "End":
		at = len(screen.Tabs) - 1
	default:
		return
	}
	event.PreventDefault()
	c.Compare.View.ShowTab(screen.Tabs[at])
	c.Compare.App.View.FocusOn("tab-" + screen.Tabs[at])
}
