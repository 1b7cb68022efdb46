package compare

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func headed(r *report.Report) *Compare {
	a := state.New(&statetest.Recorder{}, func(id string) string { return id }, "/compare")
	a.Phase = state.Ready
	a.Screen = share.Compare
	s := screen.New(a)
	s.Done = &message.Compared{Report: r}
	s.B = 1
	return &Compare{Compare: s}
}

// What the contents name stands on the page, with a heading that can be gone to.
func TestContentsLead(t *testing.T) {
	c := headed(three(t))
	env, _ := vugu.NewBuildEnv()
	html := page(env, root(c.Compare))
	for _, p := range c.Parts() {
		for _, want := range []string{` id="` + p.ID + `"`, `<h2 id="` + p.ID + `-title" tabindex="-1"`} {
			if strings.Count(html, want) != 1 {
				t.Errorf("%s: %s stands %d times on the page", p.Title, want, strings.Count(html, want))
			}
		}
	}
	if a, b, z := strings.Index(html, "<h1"), strings.Index(html, `id="figure-intervals"`), strings.Index(html, `id="read"`); a < 0 || b < a || z < b {
		t.Errorf("headline at %d, interval figure at %d, what was read at %d: not in this order", a, b, z)
	}
}

// A run that fell below the snapshot is the headline, and its table the first.
func TestRegressionIsTheHeadline(t *testing.T) {
	c := headed(three(t))
	d := c.Compare.Done
	finding := c.Heading()
	d.Snapshot = "release"
	d.Regression = []export.MeasureChange{{System: "run 0", Measure: "nDCG@10", Old: 0.5, New: 0.4205, Diff: -0.0795, Relative: -0.159, P: 0.001, Verdict: export.Regressed, Test: "paired t test",
		Moved: []export.Moved{{Query: "7", Old: 1, New: 0.2}}}}
	if got, want := c.Heading(), "run 0 is 15.9 % below the snapshot by nDCG@10."; strings.ReplaceAll(got, "\u00a0", " ") != want {
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

// That much is unjudged is one doubt, however many runs it is true of.
func TestUnjudgedOnce(t *testing.T) {
	r := three(t)
	for s := range 3 {
		r.Warnings = append(r.Warnings, report.Warning{Kind: report.ManyUnjudged, System: s, Column: -1, Low: 0.91})
	}
	c := headed(r)
	n := 0
	for _, w := range c.Warnings() {
		if strings.Contains(w, "unjudged") {
			n++
			for _, letter := range []string{"A 91.0", "B 91.0", "C 91.0"} {
				if !strings.Contains(w, letter) {
					t.Errorf("%q does not name %s", w, letter)
				}
			}
		}
	}
	if n != 1 {
		t.Errorf("said %d times: %q", n, c.Warnings())
	}
}
