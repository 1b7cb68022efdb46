package compare

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func headed(r *report.Report) *Compare {
	a := state.New(&statetest.Recorder{}, func(id string) string { return id }, "/compare")
	a.Engine.Phase = state.Ready
	a.Settings.Screen = share.Compare
	s := screen.New(a)
	s.Runs.Done = &message.Compared{Report: r}
	s.View.B = 1
	return &Compare{Compare: s}
}

// Every tab has its panel, and only that of the open tab is shown; the board comes first.
func TestTabsHavePanels(t *testing.T) {
	c := headed(three(t))
	c.Compare.View.ShowTab("queries")
	env, _ := vugu.NewBuildEnv()
	html := page(env, root(c.Compare))
	for _, tab := range (&Tabs{}).All() {
		panel := regexp.MustCompile(`<div[^>]* id="panel-` + tab.ID + `"[^>]*>`).FindString(html)
		if panel == "" || !strings.Contains(panel, `role="tabpanel"`) ||
			strings.Contains(panel, " hidden") != (tab.ID != "queries") {
			t.Errorf("%s: %q", tab.ID, panel)
		}
		button := regexp.MustCompile(`<button[^>]* id="tab-` + tab.ID + `"[^>]*>`).FindString(html)
		if !strings.Contains(button, `aria-selected="`+strconv.FormatBool(tab.ID == "queries")+`"`) ||
			!strings.Contains(button, `aria-controls="panel-`+tab.ID+`"`) {
			t.Errorf("%s: %q", tab.ID, button)
		}
	}
	for _, id := range []string{"board", "read", "queries", "rankings", "kinds", "slices", "pairs", "matters", "luck",
		"agreement", "open", "other-tools", "conventions", "exports", "since", "figures"} {
		for _, want := range []string{` id="` + id + `"`, ` id="` + id + `-title"`} {
			if strings.Count(html, want) != 1 {
				t.Errorf("%s is on the page %d times", want, strings.Count(html, want))
			}
		}
	}
	if !strings.Contains(html, `<section id="check" aria-label="Check a number">`) {
		t.Error("the form of the tab has no name")
	}
	if a, b, z := strings.Index(html, "<h1"), strings.Index(html, `id="read"`),
		strings.Index(html, `id="leaderboard"`); a < 0 || b < a || z < b {
		t.Errorf("headline at %d, panel for files at %d, board at %d: not in this order", a, b, z)
	}
}

// A letter of a group is in the same slot in every row, and a difference is bold only if it shares no letter with the
// baseline.
func TestTheBoardsGroups(t *testing.T) {
	r := three(t)
	r.Baseline = 2
	r.Columns[0].Groups = []string{"a", "ab", "b"}
	r.Columns[0].Means = []float64{0.9, 0.7, 0.6}
	b := &Board{part: part{Compare: headed(r).Compare}}
	for i, want := range []string{"a ", "ab", " b"} {
		got := ""
		for _, s := range (BoardRow{b, i}).Slots() {
			if (s.Class == "in") != (s.Letter != "") {
				t.Errorf("%+v", s)
			}
			got += (s.Letter + " ")[:1]
		}
		if got != want {
			t.Errorf("run %d: slots %q, want %q", i, got, want)
		}
	}
	for i, want := range []string{"apart up", "muted", "muted"} {
		if got := (BoardRow{b, i}).DiffClass(); got != want {
			t.Errorf("run %d: class %q, want %q", i, got, want)
		}
	}
	if got := (BoardRow{b, 0}).Diff() + " " + (BoardRow{b, 2}).Diff(); got != "+0.300 baseline" {
		t.Errorf("differences %q", got)
	}
	if r.Columns[0].Lower = true; (BoardRow{b, 0}).DiffClass() != "apart down" {
		t.Error("less is better, and more is not worse")
	}
}

// A run that fell below the snapshot is the headline, and its table the first.
func TestRegressionIsTheHeadline(t *testing.T) {
	c := headed(three(t))
	d := c.Compare.Runs.Done
	finding := c.Heading()
	d.Snapshot = "release"
	d.Regression = []gates.MeasureChange{{System: "run 0", Measure: "nDCG@10", Old: 0.5, New: 0.4205, Diff: -0.0795,
		Relative: -0.159, P: 0.001, Verdict: gates.Regressed, Test: "paired t test",
		Moved: []gates.Moved{{Query: "7", Old: 1, New: 0.2}}}}
	if got, want := c.Heading(), "run 0 is 15.9 % below the snapshot by nDCG@10."; strings.ReplaceAll(got, "\u00a0",
		" ") != want {
		t.Errorf("headline %q, want %q", got, want)
	}
	if c.Since() != finding {
		t.Errorf("below it stands %q, want %q", c.Since(), finding)
	}
	env, _ := vugu.NewBuildEnv()
	html := page(env, root(c.Compare))
	if a, b := strings.Index(html, `id="since"`), strings.Index(html, `id="board"`); a < 0 || a > b {
		t.Errorf("the changes stand at %d, the leaderboard at %d", a, b)
	}
	if strings.Contains(html, "</span><span class=\"notation block\">most in") {
		t.Error("the measure and the queries that moved are glued together")
	}
}

// Unjudged documents are one chip, however many runs it is about, and it names them.
func TestUnjudgedOnce(t *testing.T) {
	r := three(t)
	r.Warnings = nil
	for s := range 3 {
		r.Warnings = append(r.Warnings, report.Warning{Kind: report.ManyUnjudged, System: s, Column: -1, Low: 0.91})
	}
	c := &Tabs{Compare: headed(r).Compare}
	n := 0
	for _, w := range c.Chips() {
		if w.Name != "unjudged" {
			continue
		}
		n++
		if got := strings.ReplaceAll(w.Label, "\u00a0", " "); got != "91 % of top 10 unjudged" || len(w.Texts) != 1 {
			t.Errorf("%+v", w)
		}
		for _, letter := range []string{"A 91.0", "B 91.0", "C 91.0"} {
			if !strings.Contains(w.Texts[0], letter) {
				t.Errorf("%q does not name %s", w.Texts[0], letter)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d chips", n)
	}
}

// A chip opens its text, and closes it; every kind of warning and doubt has a chip of its own.
func TestChipsOpenTheirText(t *testing.T) {
	r := three(t)
	r.Warnings = []report.Warning{{Kind: report.TiesMatter, System: 0, Column: 0, N: 3, Low: 0.1, High: 0.2},
		{Kind: report.TiesMatter, System: 1, Column: 0, N: 3, Low: 0.1, High: 0.2},
		{Kind: "later", System: 0, Column: -1}}
	r.Test.Choice.Doubts = []significance.Doubt{{Kind: significance.OneOutweighs, Value: 0.34}}
	r.Test.Choice.Pairs, r.Test.Alone, r.Test.WrittenDoubts = 3, false, nil
	page := headed(r)
	c := &Tabs{Compare: page.Compare}
	var labels []string
	names := map[string]bool{}
	for _, x := range c.Chips() {
		labels = append(labels, strings.ReplaceAll(x.Label, "\u00a0", " "))
		names[x.Name] = true
	}
	if want := []string{"tied scores in 2 runs", "1 warning", "1 query makes 34 % of one difference"}; !slices.Equal(
		labels, want) || len(names) != 3 {
		t.Errorf("%q, %v", labels, names)
	}
	if c.Compare.View.ShowWarning("ties"); c.Open("ties") != "true" || len(c.Warned()) != 2 {
		t.Errorf("%q", c.Warned())
	}
	if !page.Escape() || len(c.Warned()) != 0 || page.Escape() {
		t.Error("Escape does not close it")
	}
	r.Test.Choice.Doubts = append(r.Test.Choice.Doubts, significance.Doubt{Kind: significance.FewDecide},
		significance.Doubt{Kind: significance.TiedRanks})
	all := c.Chips()
	if last := all[len(all)-1]; strings.ReplaceAll(last.Label, "\u00a0", " ") != "3 warnings about the test" ||
		len(last.Texts) != 3 {
		t.Errorf("%+v", last)
	}
}
