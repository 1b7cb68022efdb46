package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Sides is one query: the rankings side by side, the documents that made the difference, and the arithmetic.
type Sides struct {
	part
}

// S is the state of the screen.
func (c *Sides) S() *screen.Compare { return c.Compare }

// Title names the query.
func (c *Sides) Title() string {
	r := c.S().Runs.Report()
	i := slices.IndexFunc(r.Queries, func(t report.Query) bool { return t.ID == c.S().View.Open })
	if i < 0 {
		return "One query"
	}
	s := "Query " + ui.Brief(r.Queries[i].ID)
	if t := r.Queries[i].Text; t != "" {
		s += ": " + say.Visible(t)
	}
	return s
}

// noRankings says why something that is about rankings is not there: they are not behind the report.
func noRankings(r *report.Report) string {
	if _, given := r.Given(); given {
		return "Scores were measured elsewhere: the rankings and judgments behind them are not in these files."
	}
	return needsDocuments
}

// needsDocuments is said where a comparison by grades cannot show something.
const needsDocuments = "This comparison comes from a link of grades by rank, which names no documents. " +
	"To see this, open its .rankbox file."

// Waiting says why there are no rankings.
func (c *Sides) Waiting() string {
	if r := c.S().Runs.Report(); !r.HasRankings() {
		return noRankings(r)
	}
	return "Loading the rankings …"
}

// Deeper offers more or fewer documents.
func (c *Sides) Deeper() string {
	if c.S().View.Depth > screen.DocumentsShown {
		return "Show the first " + strconv.Itoa(screen.DocumentsShown)
	}
	return "Show up to 50 documents"
}

// Sentence says what made the difference.
func (c *Sides) Sentence() string {
	return "From " + c.S().Runs.Report().Letter(c.S().View.A) + " to " + c.S().Runs.Report().Letter(c.S().View.B) +
		":" + " " + c.S().Reasons.Detail.Why.Sentence(say.Page)
}

// SaidCaption is above what other tools would say of the query.
func (c *Sides) SaidCaption() string {
	return "Tools that compute another " + c.S().Reasons.Detail.Measure + " for this query"
}

// SaidValue is the value of a tool for the query.
func SaidValue(v float64, counts bool) string {
	if !counts {
		return "left out"
	}
	return say.Page.Number(v, 4)
}

// Name is the name of a run.
func (c *Sides) Name(s compare.Side) string {
	return ui.Brief(c.S().Runs.Report().Systems[s.System].Label)
}

// Sides are the rankings, those of the pair first.
func (c *Sides) Sides() []compare.Side {
	all := c.S().Reasons.Detail.Sides
	out := make([]compare.Side, 0, len(all))
	for _, first := range []int{c.S().View.A, c.S().View.B} {
		if first < len(all) && (len(out) == 0 || first != c.S().View.A) {
			out = append(out, all[first])
		}
	}
	for _, s := range all {
		if s.System != c.S().View.A && s.System != c.S().View.B {
			out = append(out, s)
		}
	}
	return out
}

// Covers names the subtopics of a document.
func Covers(d compare.Placed) string {
	if len(d.Covers) == 1 {
		return "subtopic " + ui.Brief(d.Covers[0])
	}
	return "subtopics " + ui.Brief(strings.Join(d.Covers, ", "))
}

// SideLabel names a ranking.
func (c *Sides) SideLabel(s compare.Side) string {
	return "Ranking of " + c.S().Runs.Report().Letter(s.System)
}

// SideID is the id of a ranking's element.
func SideID(s compare.Side) string { return "side-" + strconv.Itoa(s.System) }

// Measure is the measure that is looked at.
func (c *Sides) Measure() string { return c.S().Runs.Report().Measures[c.S().View.Column] }

// Value is its value.
func (c *Sides) Value(s compare.Side) string {
	if c.S().View.Column >= len(s.Values) {
		return "–"
	}
	return say.Page.Number(s.Values[c.S().View.Column], 4)
}

// DocClass marks a document wherever it stands.
func (c *Sides) DocClass(d compare.Placed) string {
	if d.ID == c.Compare.App.View.Hover {
		return "hover"
	}
	return ""
}

// Move says how the rank differs from that in A.
func (c *Sides) Move(s compare.Side, d compare.Placed) string {
	a := c.S().View.A
	if s.System == a || a >= len(d.Ranks) {
		return ""
	}
	switch there := d.Ranks[a]; {
	case there == 0:
		return "not in " + c.S().Runs.Report().Letter(a)
	case d.Rank < there:
		return "↑" + strconv.Itoa(there-d.Rank) + " from " + c.S().Runs.Report().Letter(a)
	case d.Rank > there:
		return "↓" + strconv.Itoa(d.Rank-there) + " from " + c.S().Runs.Report().Letter(a)
	}
	return "= " + c.S().Runs.Report().Letter(a)
}

// DocScore is the score of a document, as short as it is; nothing where the runs come from a link, which keeps their
// order alone.
func (c *Sides) DocScore(d compare.Placed) string {
	if c.Compare.Runs.Setting.Link != "" {
		return ""
	}
	if v := math.Abs(d.Score); v >= 1e6 || v > 0 && v < 1e-4 {
		return strconv.FormatFloat(d.Score, 'g', 5, 64)
	}
	return say.Page.Number(d.Score, 4)
}

// More says how many documents are not shown.
func (c *Sides) More(s compare.Side) string {
	if n := s.Size - len(s.Docs); n > 0 {
		return "and " + say.Thousands(n) + " more"
	}
	return ""
}

// changesShown is how many documents the table of changes shows at most, unchangedShown how many if none of them
// changes anything.
const (
	changesShown   = 25
	unchangedShown = 5
)

// Changes are the documents that made the difference.
func (c *Sides) Changes() []compare.Change {
	x := c.S().Reasons.Detail.Why.Changes
	n := 0
	for n < len(x) && n < changesShown && x[n].Diff != 0 {
		n++
	}
	if n == 0 {
		n = min(len(x), unchangedShown)
	}
	return x[:n]
}

// ChangesCaption heads them.
func (c *Sides) ChangesCaption() string {
	return "What made the difference in " + c.S().Reasons.Detail.Why.Measure + " from " +
		c.S().Runs.Report().Letter(c.S().View.A) + " to " + c.S().Runs.Report().Letter(c.S().View.B)
}

// Happened says what became of a document.
func Happened(d compare.Change) string {
	switch d.What {
	case compare.Gained:
		return "gained at rank " + strconv.Itoa(d.RankB)
	case compare.Lost:
		return "lost from rank " + strconv.Itoa(d.RankA)
	case compare.Same:
		return "still at rank " + strconv.Itoa(d.RankB)
	}
	return "moved " + d.What + " from rank " + strconv.Itoa(d.RankA) + " to " + strconv.Itoa(d.RankB)
}

// Sign colours a part.
func (c *Sides) Sign(d compare.Change) string {
	v := d.Diff
	if c.S().Runs.Report().Columns[c.S().View.Column].Lower {
		v = -v
	}
	switch {
	case v > 0:
		return "up"
	case v < 0:
		return "down"
	}
	return "muted"
}

// Scheme says how the difference is shared out.
func (c *Sides) Scheme() string {
	x := c.S().Reasons.Detail.Why
	s := "What each document adds to the measure in each run. The changes sum to the difference."
	if x.Stepwise {
		s = "This measure is not a sum over documents: a document adds what the value changes by when it follows " +
			"those above it. The changes sum to the difference."
	}
	if n := len(x.Changes) - len(c.Changes()); n > 0 {
		s += " " + say.Count(n, "document with a smaller change or none is",
			"documents with a smaller change or none are") + " not shown."
	}
	if x.Others > 0 {
		s += " " + say.Count(x.Others, "other document adds", "other documents add") + " nothing."
	}
	return s
}

// UnfoldedTitle heads the arithmetic of a run.
func (c *Sides) UnfoldedTitle(u evaluation.Unfolded) string {
	return u.Measure + " of " + ui.Brief(c.S().Runs.Report().Systems[u.System].Label) + ", term by term"
}

// TermWork is how a term comes about.
func TermWork(r evaluation.Row) string {
	if r.Work == "" {
		return "–"
	}
	return say.Work(r.Work)
}

// TermValue is its value.
func TermValue(r evaluation.Row) string {
	if r.Term == 0 && r.Work == "" {
		return "0"
	}
	return say.Page.Number(r.Term, 4)
}

// label names a document where it is played with: by its title, if that is known.
func (c *Sides) label(id string) string {
	if t := c.S().Reasons.Title(id); t != "" {
		return say.Brief(t, 60)
	}
	return ui.Brief(id)
}

// Play is the address that opens a ranking in Play, in another tab: no address brings the files of the comparison back.
// It names no document of the user's own.
func (c *Sides) Play(s compare.Side) string {
	if c.own() {
		return state.Path("play") + "#" + play.Own
	}
	return state.Path("play") + "#" + c.table(s).Link()
}

// Hand stores a ranking of the user's own on the device, before Play opens it.
func (c *Sides) Hand(s compare.Side) {
	if c.own() {
		c.S().App.Browser.Remember(state.PlayKey, c.table(s).Longest())
	}
}

// own says whether the runs come from files, or rank the user's own documents.
func (c *Sides) own() bool {
	return len(c.S().Runs.Setting.Files) > 0 || state.Uploaded(c.S().App.Settings.Collection())
}

// table is a ranking as Play shows it: its documents with their grades, what the qrels call relevant beside them, and
// the measure that is looked at.
func (c *Sides) table(s compare.Side) *play.Table {
	t := &play.Table{}
	number := map[string]int{}
	add := func(id string, grade float64) int {
		if i, ok := number[id]; ok {
			return i
		}
		number[id] = len(t.Docs)
		g := int32(measure.Unjudged)
		if grade != experiment.NoGrade {
			g = int32(math.Round(max(0, min(play.MaxGrade, grade)))) // a list by hand has whole grades
		}
		t.Docs = append(t.Docs, play.Doc{Label: c.label(id), Grade: g})
		return len(t.Docs) - 1
	}
	for _, d := range s.Docs {
		if len(t.Docs) < play.MaxDocs {
			t.Lists[0] = append(t.Lists[0], add(d.ID, d.Grade))
		}
	}
	for _, other := range c.S().Reasons.Detail.Sides {
		for _, d := range other.Docs {
			if d.Grade > 0 && len(t.Docs) < play.MaxDocs {
				add(d.ID, d.Grade)
			}
		}
	}
	if m, err := measure.Parse(c.Measure()); err == nil {
		t.Measures = []measure.Measure{m}
	}
	return t
}
