package search

import (
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/wasm/app/ui"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// Hit is one document of a list. It is built again only where an answer brought it or its marks have changed: a page of
// four lists is drawn several times between two keys.
type Hit struct {
	Ranking *Ranking
	Found   *experiment.Found
	dom.Kept
}

// Shown is what the component shows.
func (c *Hit) Shown() any {
	return struct {
		found                 *experiment.Found
		system                int
		class, expanded, move string
		judged                bool
	}{c.Found, c.Ranking.System, c.Class(), c.Expanded(), c.Move(), c.Ranking.Judged()}
}

// Rank is the document's place in the list: folded near-duplicates leave gaps.
func (c *Hit) Rank() int { return c.Found.Ranks[c.Ranking.System] }

// Class marks the document that is explained and the one that is pointed at.
func (c *Hit) Class() string {
	s := ""
	if c.Ranking.App.Settings.Focus.Document == c.Found.ID {
		s = "picked"
	}
	if c.Ranking.App.View.Hover == c.Found.ID {
		s += " hover"
	}
	return s
}

// Expanded says whether the document is the one that is explained.
func (c *Hit) Expanded() string {
	if c.Ranking.App.Settings.Focus.Document == c.Found.ID && c.Ranking.App.Settings.Focus.System == c.Ranking.System {
		return "true"
	}
	return "false"
}

// Grade is the number of the judgment.
func (c *Hit) Grade() string { return ui.GradeText(c.Found.Grade) }

// GradeClass is its colour.
func (c *Hit) GradeClass() string { return ui.GradeClass(c.Found.Grade) }

// GradeTitle says it in words.
func (c *Hit) GradeTitle() string { return ui.GradeTitle(c.Found.Grade) }

// Move says how the rank differs from that in the baseline's list.
func (c *Hit) Move() string {
	base := c.Ranking.App.Settings.Spec.Baseline
	if c.Ranking.System == base || base >= len(c.Found.Ranks) ||
		c.Ranking.App.Search.Results.Lists[base].Problem != "" {
		return ""
	}
	here, there := c.Found.Ranks[c.Ranking.System], c.Found.Ranks[base]
	switch {
	case there == 0:
		return "new"
	case here < there:
		return "↑" + strconv.Itoa(there-here)
	case here > there:
		return "↓" + strconv.Itoa(here-there)
	}
	return "="
}

// Meta is date, place in its document, category and who it is about.
func (c *Hit) Meta() string {
	return ui.Meta(c.Found.Date, say.Visible(c.Found.Part), c.Found.Category,
		strings.Join(c.Found.Entities[:min(2, len(c.Found.Entities))], ", "))
}

// DocScore is the score of the document.
func (c *Hit) DocScore() string {
	if c.Found.Score != 0 && math.Abs(c.Found.Score) < 0.1 {
		return say.Page.Number(c.Found.Score, 5)
	}
	return say.Page.Number(c.Found.Score, 3)
}

// TwinsLabel says how many near-duplicates are folded.
func (c *Hit) TwinsLabel() string {
	return say.Count(len(c.Found.Twins), "near-duplicate", "near-duplicates") + " folded"
}

// TwinMeta says rank and date of a folded document.
func (c *Hit) TwinMeta(t experiment.Found) string {
	s := ui.Meta(t.Date, t.Category)
	if t.Ranks[c.Ranking.System] > 0 {
		s = "rank " + strconv.Itoa(t.Ranks[c.Ranking.System]) + " · " + s
	}
	return s
}
