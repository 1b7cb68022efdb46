package gates

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// Verdict says what became of a measure since a snapshot.
type Verdict string

// The verdicts. The first four are those on quality.
const (
	Regressed      Verdict = "regressed"       // a loss of at least a threshold that the test says is no chance
	Improved       Verdict = "improved"        // a gain of at least a threshold, the same
	BelowThreshold Verdict = "below-threshold" // a change that is no chance, but smaller than the threshold
	Unchanged      Verdict = "unchanged"       // no change, or one that could be chance, however large: see Reached

	Changed Verdict = "changed" // moved by at least a threshold, but the measure says nothing of quality: Judged@10
	Flaky   Verdict = "flaky"   // repeated runs disagree about whether it regressed
)

// Threshold is how large a change must be to count. A change counts where it reaches either of those that are not 0.
type Threshold struct {
	Relative float64 // of the old value: 0.05 is 5 %
	Absolute float64
}

// DefaultThreshold is 5 % of the old value.
var DefaultThreshold = Threshold{Relative: 0.05}

// Sense refuses a threshold that no change of the measures can reach.
func (t Threshold) Sense(measures []string) error {
	if t.Relative > 1 {
		return say.Faultf("gates", "threshold %s: nothing can lose more than 100 %%", say.Plain.Percent(t.Relative, 0))
	}
	for _, text := range measures {
		if m, err := measure.Parse(text); err != nil || t.Absolute <= m.Info().High-m.Info().Low {
			return nil
		}
	}
	short := say.Plain.Short(t.Absolute)
	return say.Faultf("gates", "threshold %s: no measure asked for can change by so much; did you mean %s%%?", short,
		short)
}

func (t Threshold) reached(old, new float64) bool {
	d := math.Abs(new - old)
	if d == 0 {
		return false
	}
	// 5 % of 0.4 is not 0.02 in binary: a change that is a threshold on paper is one
	const slack = 1 - 1e-9
	return t.Relative > 0 && d >= float64(t.Relative*math.Abs(old)*slack) || t.Absolute > 0 &&
		d >= float64(t.Absolute*slack)
}

// Regression is a later report held against a snapshot.
type Regression struct {
	Threshold Threshold
	Changes   []MeasureChange // of the systems in both, by measure; systems in the order of the later report
	Warnings  []string
}

// MeasureChange is what became of one measure of one system.
type MeasureChange struct {
	System             string // its name in the later report
	Against            string // the name of the snapshot if there are several, "" otherwise
	Measure            string
	Old, New           float64 // means over Queries
	Diff, Relative     float64 // Relative is Diff / Old; ±Inf from 0
	Low, High          float64 // 95 % interval of Diff, corrected like P; NaN where there is none
	P                  float64 // of the paired test, after Holm over the changes of all systems and measures
	AtMost             int     // draws of which none was as far out, so that P is a bound; 0 if it is none
	Test               string
	Queries            int     // that both reports have
	Spread             float64 // standard deviation of the differences of the queries; NaN of fewer than two
	Better, WorseCount int     // queries that became better and worse, whichever way the measure goes
	Lower              bool    // smaller is better
	Reached            bool    // the change is at least the threshold
	Verdict            Verdict
	Moved              []Moved // every query whose value changed, the worst first

	tested report.Outcome
}

// Moved is a query whose value changed.
type Moved struct {
	Query    string
	Old, New float64

	at int // place of the query in the later report
}

// NoInterval says why there is no interval of the change; "" if there is one.
func (c *MeasureChange) NoInterval() string {
	if c.Low == c.Low {
		return ""
	}
	return report.NoDifference(c.Measure, c.Queries)
}

// Lost reports whether the change is a loss of at least the threshold, by chance or not.
func (c *MeasureChange) Lost() bool {
	return c.Verdict == Regressed || c.Verdict == Flaky ||
		c.Verdict == Unchanged && c.Reached && (c.New < c.Old) != c.Lower
}

// Headline says in one sentence what was lost most since the snapshot, "" where nothing became worse by a threshold:
// of what regressed, or else of what became worse though it could be chance, the change of the measure that comes
// first, and there the largest.
func Headline(changes []MeasureChange, style say.Style) string {
	var worst *MeasureChange
	for i := range changes {
		c := &changes[i]
		if !c.Lost() {
			continue
		}
		sure, was := c.Verdict == Regressed, worst != nil && worst.Verdict == Regressed
		switch {
		case worst == nil, sure && !was,
			sure == was && c.Measure == worst.Measure && math.Abs(c.Diff) > math.Abs(worst.Diff):
			worst = c
		}
	}
	if worst == nil {
		return ""
	}
	by := style.Number(math.Abs(worst.Diff), 4)
	if !math.IsInf(worst.Relative, 0) && !math.IsNaN(worst.Relative) {
		by = style.Percent(math.Abs(worst.Relative), 1)
	}
	side := "below"
	if worst.Diff > 0 {
		side = "above"
	}
	s := brief(worst.System) + " is " + by + " " + side + " the snapshot by " + worst.Measure
	switch worst.Verdict {
	case Unchanged:
		return s + ", but it could be chance."
	case Flaky:
		return s + ", but the results vary from run to run."
	}
	return s + "."
}

// Snapshot is an earlier report that a later one is held against.
type Snapshot struct {
	Name string // in lists of several, "" of one alone
	*report.Report
}

// Regress is RegressAll against one snapshot.
func Regress(old, later *report.Report, t Threshold, cancel func() bool) (*Regression, error) {
	return RegressAll([]Snapshot{{"", old}}, later, t, cancel)
}

// RegressAll holds a later report against snapshots: every system that both have under one name (or the only one of
// each, whatever their names), by every measure that both have, on the queries that both have. A change is tested like
// a pair of the report, with P adjusted for the number of changes since all snapshots.
func RegressAll(old []Snapshot, later *report.Report, t Threshold, cancel func() bool) (*Regression, error) {
	if t.Relative < 0 || t.Absolute < 0 || t == (Threshold{}) {
		return nil, say.Faultf("gates", "regress: the threshold must be above 0")
	}
	g := &Regression{Threshold: t}
	for _, o := range old {
		if err := g.since(o, later, len(old)*len(later.Systems)*len(later.Columns), cancel); err != nil {
			return nil, err
		}
	}
	var p []float64
	for i := range g.Changes {
		p = append(p, g.Changes[i].P)
	}
	for i, adjusted := range report.Holm(p) {
		c := &g.Changes[i]
		c.P = adjusted
		if err := c.tested.Correct(adjusted, len(p), cancel); err != nil {
			return nil, err
		}
		c.Low, c.High = c.tested.Low, c.tested.High
		c.Reached = t.reached(c.Old, c.New)
		c.Verdict = verdict(c)
	}
	return g, nil
}

// since adds the changes since one snapshot, which are as many in all as family at most. P is not corrected yet.
func (g *Regression) since(old Snapshot, later *report.Report, family int, cancel func() bool) error {
	was, is := common(old.Report, later)
	if len(is) == 0 {
		return say.Faultf("gates", "regress: the reports have no query in common")
	}
	of := func(warning string) {
		if old.Name != "" {
			warning = old.Name + ": " + warning
		}
		g.Warnings = append(g.Warnings, warning)
	}
	for _, w := range otherwise(old.Report, later, len(is)) {
		of(w)
	}
	before := len(g.Changes)
	for s, sys := range later.Systems {
		o := slices.IndexFunc(old.Systems, func(x report.System) bool { return x.Label == sys.Label })
		if o < 0 && len(old.Systems) == 1 && len(later.Systems) == 1 {
			o = 0
		}
		if o < 0 {
			of("run " + sys.Label + " is not in the snapshot")
			continue
		}
		if err := answers(later, s); err != nil {
			// as it was, beside others that can be held against what they were
			if answers(old.Report, o) != nil && Answered(later) == nil {
				of(err.Error() + ", as in the snapshot")
				continue
			}
			return say.Faultf("gates", "regress: %w", err)
		}
		for m, col := range later.Columns {
			om := slices.Index(old.Measures, later.Measures[m])
			if om < 0 {
				if s == 0 {
					of("measure " + later.Measures[m] + " is not in the snapshot")
				}
				continue
			}
			change, err := changeOf(col.Measure, old.Columns[om].Values[o], col.Values[s], was, is, family, cancel)
			if err != nil {
				return err
			}
			if n := len(is) - change.Queries; n > 0 {
				of("run " + sys.Label + ": " + say.Count(n, "query without a value of "+col.Measure+
					" in one of the reports is left out", "queries without a value of "+col.Measure+
					" in one of the reports are left out"))
			}
			if change.Queries == 0 {
				continue
			}
			change.System, change.Measure, change.Against = sys.Label, col.Measure, old.Name
			if change.Lower = col.Lower; col.Lower {
				change.Better, change.WorseCount = change.WorseCount, change.Better
				slices.Reverse(change.Moved)
			}
			for i := range change.Moved {
				change.Moved[i].Query = later.Queries[change.Moved[i].at].ID
			}
			g.Changes = append(g.Changes, *change)
		}
	}
	if len(g.Changes) == before {
		return say.Faultf("gates",
			"regress: the reports have no run and measure in common (runs are matched by name)")
	}
	return nil
}

// changeOf holds the values of one run on a measure, given its notation, against what they were, on the queries at the
// places was and is of which both are numbers. P is not corrected, and System and Measure and the ids of the queries are
// for the caller to set.
func changeOf(notation string, before, now []float64, was, is []int, family int, cancel func() bool) (*MeasureChange,
	error) {
	c := &MeasureChange{}
	var a, b []float64
	for i := range is {
		x, y := before[was[i]], now[is[i]]
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		a, b = append(a, x), append(b, y)
		if x != y {
			c.Moved = append(c.Moved, Moved{Old: x, New: y, at: is[i]})
		}
	}
	if c.Queries = len(a); c.Queries == 0 {
		return c, nil
	}
	test, err := report.PairedAmong(notation, a, b, family, cancel)
	if err != nil {
		return nil, err
	}
	c.tested = test
	c.Old, c.New, c.Diff, c.Test, c.P = measure.Mean(a), measure.Mean(b), test.Diff, test.Name, test.P
	c.AtMost = test.AtMost
	c.Relative = say.Relative(c.Old, c.New)
	c.Better, c.WorseCount, c.Spread = test.Better, test.Worse, test.Spread()
	sort.SliceStable(c.Moved, func(i, j int) bool {
		return cmp.Less(c.Moved[i].New-c.Moved[i].Old, c.Moved[j].New-c.Moved[j].Old)
	})
	return c, nil
}

// common returns the places of the queries that both reports have.
func common(old, later *report.Report) (was, is []int) {
	place := map[string]int{}
	for i, q := range old.Queries {
		place[q.ID] = i
	}
	for i, q := range later.Queries {
		if k, ok := place[q.ID]; ok {
			was, is = append(was, k), append(is, i)
		}
	}
	return was, is
}

// otherwise says what else than the runs differs between two reports that have so many queries in common.
func otherwise(old, later *report.Report, queries int) []string {
	var out []string
	if n := len(later.Queries) - queries; n > 0 {
		out = append(out, say.Count(n, "query is", "queries are")+" not in the snapshot and left out")
	}
	if n := len(old.Queries) - queries; n > 0 {
		out = append(out, say.Count(n, "query of the snapshot is", "queries of the snapshot are")+" gone")
	}
	for _, s := range later.Decisions {
		for _, o := range old.Decisions {
			if s.Name == o.Name && s.Option != o.Option {
				out = append(out, "the policy "+s.Name+" was "+o.Option+" and is "+s.Option+
					": that alone makes the figures differ")
			}
		}
	}
	switch a, b := old.Stats, later.Stats; {
	case a.Judgments != b.Judgments:
		out = append(out, "the snapshot has "+say.Count(a.Judgments, "judgment", "judgments")+", this report "+
			say.Thousands(b.Judgments)+": that alone may make the figures differ")
	case a.Digest != "" && b.Digest != "" && a.Digest != b.Digest:
		out = append(out, "the judgments are as many as those of the snapshot, but not the same: that alone may make "+
			"the figures differ")
	}
	return out
}

// answers returns an error where a run was brought and has no judged query: whatever is said of it is 0.
func answers(r *report.Report, system int) error {
	if len(r.Queries) == 0 {
		return errors.New("no query is left to compare on")
	}
	if len(r.Coverage) > 0 && r.Coverage[system].Queries == 0 {
		return errors.New("no query of run " + r.Systems[system].Label + " is judged")
	}
	return nil
}

// Answered returns an error where no run that was brought has a judged query: there is nothing to report then.
func Answered(r *report.Report) error {
	var err error
	for s := range r.Coverage {
		if err = answers(r, s); err == nil {
			return nil
		}
	}
	return err
}

// verdict says what became of a measure: its change was tested, and Reached is set.
func verdict(c *MeasureChange) Verdict {
	worse := (c.New < c.Old) != c.Lower
	switch sure := c.P < report.Alpha; {
	case measure.Describes(c.Measure):
		if c.Reached {
			return Changed
		}
	case sure && !c.Reached:
		return BelowThreshold
	case sure && worse:
		return Regressed
	case sure:
		return Improved
	}
	return Unchanged
}

// PIs writes the p of the change.
func (c *MeasureChange) PIs(style say.Style) string {
	if c.AtMost > 0 {
		return style.PAtMost(c.P, c.AtMost)
	}
	return style.PIs(c.P)
}

// Remark is what the name of the verdict leaves out, "" for nothing.
func (c *MeasureChange) Remark() string {
	switch {
	case c.Verdict == Unchanged && c.Reached && !measure.Describes(c.Measure):
		return "it could be chance"
	case c.Verdict == BelowThreshold:
		return "real, but smaller than your threshold"
	case c.Verdict == Flaky:
		return "repeated runs disagree"
	}
	return ""
}

// String returns the regression as text: a line a change, then the queries of those that regressed.
func (g *Regression) String() string {
	var b builder
	for _, c := range g.Changes {
		against := ""
		if c.Against != "" {
			against = "  since " + brief(c.Against)
		}
		remark := c.Remark()
		if remark != "" {
			remark = ": " + remark
		}
		b.line(strings.ToUpper(string(c.Verdict)), "  ", brief(c.System), "  ", c.Measure, against, "  ",
			say.Plain.Number(c.Old, 4), " -> ", say.Plain.Number(c.New, 4), " (", say.Plain.Change(c.Old, c.New),
			"), 95 % interval ", say.Plain.Span(c.Low, c.High, 4), ", ", c.PIs(say.Plain), ", ", c.Test, ", ",
			say.Count(c.Queries, "query", "queries"), remark)
		if why := c.NoInterval(); why != "" {
			b.line("    ", why)
		}
		if c.Lost() {
			writeMoved(&b, c.Moved)
		}
	}
	if held := report.HeldTogether(len(g.Changes)); held != "" {
		b.line(held)
	}
	for _, w := range g.Warnings {
		b.line("Warning: ", say.Visible(w))
	}
	return b.String()
}

// shownMoves is how many queries are listed.
const shownMoves = 10

func writeMoved(b *builder, moved []Moved) {
	for i, m := range moved {
		if i == shownMoves {
			b.line("    and ", strconv.Itoa(len(moved)-i), " more")
			return
		}
		b.line("    ", brief(m.Query), "  ", say.Plain.Number(m.Old, 4), " -> ", say.Plain.Number(m.New, 4), " (",
			say.Plain.Signed(m.New-m.Old, 4), ")")
	}
}
