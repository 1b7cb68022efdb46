package gates

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// Verdict says what became of a measure since a snapshot.
type Verdict string

// The verdicts.
const (
	Regressed Verdict = "regressed" // worse by at least a threshold, and the test says that it is no chance
	Worse     Verdict = "worse"     // worse by at least a threshold, but it could be chance
	Better    Verdict = "better"    // better by at least a threshold, but it could be chance
	Improved  Verdict = "improved"  // better by at least a threshold, and the test says that it is no chance
	// moved by at least a threshold, but the measure says nothing of quality: Judged@10, counts
	Changed   Verdict = "changed"
	Unchanged Verdict = "unchanged" // moved by less
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
	Measure            string
	Old, New           float64 // means over Queries
	Diff, Relative     float64 // Relative is Diff / Old; ±Inf from 0
	Low, High          float64 // 95 % interval of Diff, corrected like P; NaN where there is none
	P                  float64 // of the paired test, after Holm over the changes of all systems and measures
	Test               string
	Queries            int     // that both reports have
	Spread             float64 // standard deviation of the differences of the queries; NaN of fewer than two
	Detectable         float64 // report.Detectable over all changes; 0 where no query moved
	Better, WorseCount int     // queries that became better and worse, whichever way the measure goes
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

// Headline says in one sentence what was lost most since the snapshot, "" where nothing became worse by a threshold:
// of what regressed, or else
// of what became worse though it could be chance, the change of the measure that comes first, and there the largest.
func Headline(changes []MeasureChange, style say.Style) string {
	var worst *MeasureChange
	for i := range changes {
		c := &changes[i]
		if c.Verdict != Regressed && c.Verdict != Worse {
			continue
		}
		switch {
		case worst == nil, c.Verdict == Regressed && worst.Verdict == Worse,
			c.Verdict == worst.Verdict && c.Measure == worst.Measure && math.Abs(c.Diff) > math.Abs(worst.Diff):
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
	if worst.Verdict == Worse {
		return s + ", but it could be chance."
	}
	return s + "."
}

// Regress holds a later report against a snapshot: every system that both have under one name (or the only one of
// each, whatever
// their names), by every measure that both have, on the queries that both have. A change is tested like a pair of the
// report, with
// P adjusted for the number of changes.
func Regress(old, later *report.Report, t Threshold, cancel func() bool) (*Regression, error) {
	if t.Relative < 0 || t.Absolute < 0 || t == (Threshold{}) {
		return nil, say.Faultf("gates", "regress: the threshold must be above 0")
	}
	g := &Regression{Threshold: t}
	was, is := common(old, later)
	if len(is) == 0 {
		return nil, say.Faultf("gates", "regress: the reports have no query in common")
	}
	g.Warnings = otherwise(old, later, len(is))
	var p []float64
	for s, sys := range later.Systems {
		o := slices.IndexFunc(old.Systems, func(x report.System) bool { return x.Label == sys.Label })
		if o < 0 && len(old.Systems) == 1 && len(later.Systems) == 1 {
			o = 0
		}
		if o < 0 {
			g.Warnings = append(g.Warnings, "run "+sys.Label+" is not in the snapshot")
			continue
		}
		if err := answers(later, s); err != nil {
			// as it was, beside others that can be held against what they were
			if answers(old, o) != nil && Answered(later) == nil {
				g.Warnings = append(g.Warnings, err.Error()+", as in the snapshot")
				continue
			}
			return nil, say.Faultf("gates", "regress: %w", err)
		}
		for m, col := range later.Columns {
			om := slices.Index(old.Measures, later.Measures[m])
			if om < 0 {
				if s == 0 {
					g.Warnings = append(g.Warnings, "measure "+later.Measures[m]+" is not in the snapshot")
				}
				continue
			}
			change, err := changeOf(col.Measure, old.Columns[om].Values[o], col.Values[s], was, is, cancel)
			if err != nil {
				return nil, err
			}
			if n := len(is) - change.Queries; n > 0 {
				g.Warnings = append(g.Warnings,
					"run "+sys.Label+": "+say.Count(n, "query without a value of "+col.Measure+
						" in one of the reports is left out", "queries without a value of "+col.Measure+
						" in one of the reports are left out"))
			}
			if change.Queries == 0 {
				continue
			}
			change.System, change.Measure = sys.Label, col.Measure
			if col.Lower {
				change.Better, change.WorseCount = change.WorseCount, change.Better
				slices.Reverse(change.Moved)
			}
			for i := range change.Moved {
				change.Moved[i].Query = later.Queries[change.Moved[i].at].ID
			}
			g.Changes = append(g.Changes, *change)
			p = append(p, change.P)
		}
	}
	if len(g.Changes) == 0 {
		return nil, say.Faultf("gates",
			"regress: the reports have no run and measure in common (runs are matched by name)")
	}
	for i, adjusted := range report.Holm(p) {
		c := &g.Changes[i]
		c.P, c.Detectable = adjusted, report.Detectable(c.Spread, c.Queries, len(p))
		if err := c.tested.Correct(adjusted, len(p), cancel); err != nil {
			return nil, err
		}
		c.Low, c.High = c.tested.Low, c.tested.High
		worse := c.New < c.Old
		if m := slices.Index(later.Measures, c.Measure); later.Columns[m].Lower {
			worse = c.New > c.Old
		}
		c.Verdict = verdict(t, c, worse)
	}
	return g, nil
}

// changeOf holds the values of one run on a measure, given its notation, against what they were, on the queries at the
// places was and is of which both are numbers. P is not corrected, and System and Measure and the ids of the queries are for the caller to set.
func changeOf(notation string, before, now []float64, was, is []int, cancel func() bool) (*MeasureChange, error) {
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
	test, err := report.Paired(notation, a, b, cancel)
	if err != nil {
		return nil, err
	}
	c.tested = test
	c.Old, c.New, c.Diff, c.Test, c.P = measure.Mean(a), measure.Mean(b), test.Diff, test.Name, test.P
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

// verdict says what became of a measure that is worse, or not.
func verdict(t Threshold, c *MeasureChange, worse bool) Verdict {
	switch sure := c.P < report.Alpha; {
	case !t.reached(c.Old, c.New):
		return Unchanged
	case measure.Describes(c.Measure):
		return Changed
	case worse && sure:
		return Regressed
	case worse:
		return Worse
	case sure:
		return Improved
	}
	return Better
}

// String returns the regression as text: a line a change, then the queries of those that regressed.
func (g *Regression) String() string {
	var b builder
	for _, c := range g.Changes {
		b.line(strings.ToUpper(string(c.Verdict)), "  ", brief(c.System), "  ", c.Measure, "  ",
			say.Plain.Number(c.Old, 4), " -> ", say.Plain.Number(c.New, 4), " (", say.Plain.Change(c.Old, c.New),
			"), 95 % interval ",
			say.Plain.Span(c.Low, c.High, 4), ", ", say.Plain.PIs(c.P), ", ", c.Test, ", ",
			say.Count(c.Queries, "query", "queries"))
		if c.Verdict == Regressed || c.Verdict == Worse {
			writeMoved(&b, c.Moved)
		}
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
