package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/packed"
)

// A link from before there were tabs opens the tab that has what it shows beyond the defaults.
func TestOldLinksOpenTheTabTheyWereAbout(t *testing.T) {
	for text, want := range map[string]string{
		"":                   TabBoard,
		"measure=1&pair=1-2": TabBoard,
		"measure=1&pair=1-2&sort=-change&over=0.1&depth=10":          TabBoard,
		"measure=2&pair=1-3&sort=-diff&over=0.1&depth=10":            TabQueries,
		"measure=1&pair=1-2&sort=-change&over=0.1&query=q2&depth=10": TabQueries,
		"measure=1&pair=1-2&query=q2&show=b":                         TabQueries,
		"measure=1&pair=1-2&query=q2&tests=1":                        TabStatistics,
		"measure=1&pair=1-2&query=q2&agree=rbo":                      TabStatistics,
		"measure=1&pair=1-2&figures=bars":                            TabExport,
		"measure=1&pair=1-2&query=q2&tests=1&tab=check":              TabCheck,
		"measure=1&pair=1-2&query=q2&tests=1&tab=board":              TabBoard,
		"measure=1&pair=1-2&query=q2&tests=1&tab=of-a-later-version": TabBoard,
	} {
		v, err := packed.ReadView(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := tabOf(v); got != want {
			t.Errorf("%q opens %q, want %q", text, got, want)
		}
	}
}

// A tab is part of the history and of links, and undo leaves it alone.
func TestTabsAreVisited(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.View.ShowTab(TabExport) // nothing to show yet
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	if c.View.Tab != TabBoard {
		t.Fatalf("the first tab is %q", c.View.Tab)
	}
	pushes, undoes := r.Pushes, c.App.History.CanUndo()
	c.View.ShowTab(TabStatistics)
	c.View.ShowTab("nowhere")
	if c.View.Tab != TabStatistics || r.Pushes != pushes+1 || c.App.History.CanUndo() != undoes {
		t.Errorf("tab %q, %d entries of the history", c.View.Tab, r.Pushes-pushes)
	}
	if link, _ := c.Links.link(); !strings.Contains(link, "&tab=statistics&") {
		t.Errorf("the link does not name the tab: %q", link)
	}
	c.View.StepQuery(1)
	if c.View.Tab != TabQueries {
		t.Errorf("the next query is shown on tab %q", c.View.Tab)
	}
}
