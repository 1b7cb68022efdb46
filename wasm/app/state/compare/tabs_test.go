package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/share/packed"
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
	c.ShowTab(TabExport) // nothing to show yet
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	if c.Tab != TabBoard {
		t.Fatalf("the first tab is %q", c.Tab)
	}
	pushes, undoes := r.Pushes, c.App.History.CanUndo()
	c.ShowTab(TabStatistics)
	c.ShowTab("nowhere")
	if c.Tab != TabStatistics || r.Pushes != pushes+1 || c.App.History.CanUndo() != undoes {
		t.Errorf("tab %q, %d entries of the history", c.Tab, r.Pushes-pushes)
	}
	if link, _ := c.link(); !strings.Contains(link, "&tab=statistics&") {
		t.Errorf("the link does not name the tab: %q", link)
	}
	c.StepQuery(1)
	if c.Tab != TabQueries {
		t.Errorf("the next query is shown on tab %q", c.Tab)
	}
}

// The board is sorted by any column, best first, then the other way round; the measure also decides what is shown in detail.
func TestTheBoardIsSorted(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	x := c.Report()
	for m := range x.Columns { // by hand: run 1 is best by the first measure, run 2 by the second
		copy(x.Columns[m].Means, [][]float64{{0.2, 0.9, 0.5}, {0.3, 0.1, 0.8}}[m])
	}
	x.Baseline = 0
	for i, s := range []string{"b", "c", "a"} {
		x.Systems[i].Label = s
	}
	first, second := x.Measures[0], x.Measures[1]
	for _, step := range []struct {
		by     string
		want   []int
		column int
	}{
		{second, []int{2, 0, 1}, 1},
		{second, []int{1, 0, 2}, 1},
		{BoardByDifference, []int{2, 0, 1}, 1},
		{BoardByRun, []int{2, 0, 1}, 1},
		{BoardByRun, []int{1, 0, 2}, 1},
		{first, []int{1, 2, 0}, 0},
		{first, []int{0, 2, 1}, 0},
	} {
		c.SortBoard(step.by)
		if got := c.Board(); !slices.Equal(got, step.want) || c.BoardColumn() != step.column || c.BoardOrder() != step.by {
			t.Errorf("by %s: %v of column %d, want %v of %d", step.by, got, c.BoardColumn(), step.want, step.column)
		}
	}
	c.SortBoard("gone")
	if c.BoardOrder() != first || c.BoardColumn() != 0 {
		t.Error("a measure that is not there sorts the board")
	}
}

func TestPresetsHaveUniqueNames(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.UsePresets(Presets...)
	s := r.Setting(t)
	if len(s.Matrix.Systems) != 3 || len(s.Names) != 3 || s.Names[0].Name != "Simple" || s.Names[2].Name != "Hybrid" || s.Matrix.Baseline != s.Matrix.Systems[0] {
		t.Errorf("%+v", s)
	}
	c.UsePresets("hybrid")
	if s := r.Setting(t); len(s.Matrix.Systems) != 2 || s.Names[0].Name != "BM25" || s.Names[1].Name != "Hybrid" {
		t.Errorf("%+v", s)
	}
	c.UsePresets("unknown")
	if s := r.Setting(t); s.Names[1].Name != "Hybrid" {
		t.Errorf("an unknown one was compared: %+v", s)
	}
	c.UseOpen()
	if s := r.Setting(t); len(s.Matrix.Systems) < 2 || len(s.Names) != 0 {
		t.Errorf("%+v", s)
	}
}
