package compare

import (
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/packed"
)

// The tabs of the screen, as View.Tab and links name them.
const (
	TabBoard      = "board"
	TabQueries    = "queries"
	TabStatistics = "statistics"
	TabCheck      = "check"
	TabExport     = "export"
)

// Tabs are all tabs, from left to right.
var Tabs = []string{TabBoard, TabQueries, TabStatistics, TabCheck, TabExport}

// tabOf is the tab that a view opens. Links from before there were tabs name none: what they show beyond the
// defaults says which one they were about.
func tabOf(v packed.View) string {
	switch {
	case slices.Contains(Tabs, v.Tab):
		return v.Tab
	case v.Tab != "": // of a later version
		return TabBoard
	case v.Tests || v.Agree != "" || v.Margin > 0:
		return TabStatistics
	case v.Filter != "" || v.Find != "" || v.Page > 0 || v.Open != "", v.Sort != "" && v.Sort != SortChange:
		return TabQueries
	case v.Figures != "":
		return TabExport
	}
	return TabBoard
}

// ShowTab opens a tab. It gets an entry of the browser's history, but undo leaves it alone: nothing is lost by
// opening a tab.
func (v *View) ShowTab(tab string) {
	if v.runs.Report() != nil && slices.Contains(Tabs, tab) {
		v.look(how{push: true}, func(x *packed.View) { x.Tab = tab })
	}
}

// ShowWarning opens the text of a warning under the tabs, by the name of its chip; the same name again closes it.
func (v *View) ShowWarning(name string) {
	if v.Warning == name {
		name = ""
	}
	v.Warning = name
	v.app.View.Draw()
}
