package export

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
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
	Improved  Verdict = "improved"  // better by at least a threshold, and the test says that it is no chance
	Changed   Verdict = "changed"   // moved by at least a threshold, and no chance, but the measure says nothing of quality: Judged@10, counts
	Unchanged Verdict = "unchanged" // anything else
)

// Threshold is how large a change must be to count. A change counts where it reaches either of those that are not 0.
type Threshold struct {
	Relative float64 // of the old value: 0.05 is 5 %
	Absolute float64
}

// DefaultThreshold is 5 % of the old value.
var DefaultThreshold = Threshold{Relative: 0.05}

func (t Threshold) reached(old, new float64) bool {
	d := math.Abs(new - old)
	if d == 0 {
		return false
	}
	// 5 % of 0.4 is not 0.02 in binary: a change that is a threshold on paper is one
	const slack = 1 - 1e-9
	return t.Relative > 0 && d >= float64(t.Relative*math.Abs(old)*slack) || t.Absolute > 0 && d >= float64(t.Absolute*slack)
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
	Low, High          float64 // 95 % interval of Diff
	P                  float64 // of the paired test, after Holm over the changes of all systems and measures
	Test               string
	Queries            int // that both reports have
	Better, WorseCount int // queries that became better and worse, whichever way the measure goes
	Verdict            Verdict
	Moved              []Moved // every query whose value changed, the worst first
}

// Moved is a query whose value changed.
type Moved struct {
	Query    string
	Old, New float64
}

// Failed reports whether any measure regressed.
func (g *Regression) Failed() bool {
	return slices.ContainsFunc(g.Changes, func(c MeasureChange) bool { return c.Verdict == Regressed })
}

// Regress holds a later report against a snapshot: every system that both have under one name (or the only one of each, whatever
// their names), by every measure that both have, on the queries that both have. A change is tested like a pair of the report, with
// P adjusted for the number of changes.
func Regress(old, later *report.Report, t Threshold, cancel func() bool) (*Regression, error) {
	if t.Relative < 0 || t.Absolute < 0 || t == (Threshold{}) {
		return nil, errors.New("export: regress: the threshold must be above 0")
	}
	g := &Regression{Threshold: t}
	place := map[string]int{}
	for i, q := range old.Queries {
		place[q.ID] = i
	}
	var was, is []int // common queries
	for i, q := range later.Queries {
		if k, ok := place[q.ID]; ok {
			was, is = append(was, k), append(is, i)
		}
	}
	if len(is) == 0 {
		return nil, errors.New("export: regress: the reports have no query in common")
	}
	if n := len(later.Queries) - len(is); n > 0 {
		g.Warnings = append(g.Warnings, say.Count(n, "query is", "queries are")+" not in the snapshot and left out")
	}
	if n := len(old.Queries) - len(is); n > 0 {
		g.Warnings = append(g.Warnings, say.Count(n, "query of the snapshot is", "queries of the snapshot are")+" gone")
	}
	for _, s := range later.Decisions {
		for _, o := range old.Decisions {
			if s.Name == o.Name && s.Option != o.Option {
				g.Warnings = append(g.Warnings, "the policy "+s.Name+" was "+o.Option+" and is "+s.Option+": the figures differ for that alone")
			}
		}
	}
	if old.Stats.Judgments != later.Stats.Judgments {
		g.Warnings = append(g.Warnings, "the snapshot has "+say.Count(old.Stats.Judgments, "judgment", "judgments")+", this report "+strconv.Itoa(later.Stats.Judgments)+": the figures may differ for that alone")
	}
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
		for m, col := range later.Columns {
			om := slices.Index(old.Measures, later.Measures[m])
			if om < 0 {
				if s == 0 {
					g.Warnings = append(g.Warnings, "measure "+later.Measures[m]+" is not in the snapshot")
				}
				continue
			}
			a, b := make([]float64, len(is)), make([]float64, len(is))
			for i := range is {
				a[i], b[i] = old.Columns[om].Values[o][was[i]], col.Values[s][is[i]]
			}
			c := MeasureChange{System: sys.Label, Measure: later.Measures[m], Queries: len(is)}
			test, err := report.Paired(a, b, cancel)
			if err != nil {
				return nil, err
			}
			c.Old, c.New, c.Diff, c.Low, c.High, c.Test = average(a), average(b), test.Diff, test.Low, test.High, test.Name
			c.Relative = say.Relative(c.Old, c.New)
			c.Better, c.WorseCount = test.Better, test.Worse
			sign := 1.0
			if later.Columns[m].Lower {
				c.Better, c.WorseCount = c.WorseCount, c.Better
				sign = -1
			}
			for i := range is {
				if a[i] != b[i] {
					c.Moved = append(c.Moved, Moved{later.Queries[is[i]].ID, a[i], b[i]})
				}
			}
			slices.SortStableFunc(c.Moved, func(x, y Moved) int {
				switch u, v := sign*(x.New-x.Old), sign*(y.New-y.Old); {
				case u < v:
					return -1
				case u > v:
					return 1
				}
				return 0
			})
			g.Changes = append(g.Changes, c)
			p = append(p, test.P)
		}
	}
	if len(g.Changes) == 0 {
		return nil, errors.New("export: regress: the reports have no run and measure in common (runs are matched by name)")
	}
	for i, adjusted := range report.Holm(p) {
		c := &g.Changes[i]
		c.P = adjusted
		worse := c.New < c.Old
		if m := slices.Index(later.Measures, c.Measure); later.Columns[m].Lower {
			worse = c.New > c.Old
		}
		switch {
		case !t.reached(c.Old, c.New):
			c.Verdict = Unchanged
		case measure.Describes(c.Measure):
			if c.Verdict = Unchanged; c.P < report.Alpha {
				c.Verdict = Changed
			}
		case worse && c.P < report.Alpha:
			c.Verdict = Regressed
		case worse:
			c.Verdict = Worse
		case c.P < report.Alpha:
			c.Verdict = Improved
		default:
			c.Verdict = Unchanged
		}
	}
	return g, nil
}

// String returns the regression as text: a line a change, then the queries of those that regressed.
func (g *Regression) String() string {
	var b builder
	for _, c := range g.Changes {
		b.line(strings.ToUpper(string(c.Verdict)), "  ", brief(c.System), "  ", c.Measure, "  ", say.Plain.Number(c.Old, 4), " -> ", say.Plain.Number(c.New, 4), " (", say.Plain.Change(c.Old, c.New), "), 95 % interval ",
			say.Plain.Number(c.Low, 4), " to ", say.Plain.Number(c.High, 4), ", p ", say.Plain.EqualP(c.P), ", ", c.Test, ", ", say.Count(c.Queries, "query", "queries"))
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
		b.line("    ", brief(m.Query), "  ", say.Plain.Number(m.Old, 4), " -> ", say.Plain.Number(m.New, 4), " (", say.Plain.Signed(m.New-m.Old, 4), ")")
	}
}

func average(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(max(len(v), 1))
}

// Gate is a condition on a measure that a run must meet.
//
//	nDCG@10>=0.4     the mean itself
//	nDCG@10>=-2%     its change against the baseline, in percent of the baseline's value
//	nDCG@10>=+0.01   its change, as a difference: what has a sign or a percent sign is a change
//
// The operators are >=, >, <= and <.
type Gate struct {
	Text    string
	Measure string // canonical
	Op      string
	Value   float64 // a share where Percent
	Change  bool
	Percent bool
}

// ParseGate reads a condition.
func ParseGate(text string) (Gate, error) {
	g := Gate{Text: text}
	at := strings.LastIndexAny(text, "<>")
	if at < 0 {
		return g, fmt.Errorf("export: read gate %q: want a measure, one of >= > <= <, and a number, as in nDCG@10>=-2%%", text)
	}
	rest := text[at+1:]
	g.Op = text[at : at+1]
	if strings.HasPrefix(rest, "=") {
		g.Op, rest = g.Op+"=", rest[1:]
	}
	m, err := measure.Parse(strings.TrimSpace(text[:at]))
	if err != nil {
		return g, fmt.Errorf("export: read gate %q: %w", text, err)
	}
	g.Measure = m.String()
	rest = strings.TrimSpace(rest)
	if s, ok := strings.CutSuffix(rest, "%"); ok {
		g.Percent, g.Change, rest = true, true, strings.TrimSpace(s)
	}
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") {
		g.Change = true
	}
	if g.Value, err = strconv.ParseFloat(rest, 64); err != nil || math.IsNaN(g.Value) || math.IsInf(g.Value, 0) {
		return g, fmt.Errorf("export: read gate %q: %q is not a number", text, rest)
	}
	return g, nil
}

// Check is what a gate says of one run.
type Check struct {
	Gate     Gate
	System   string
	Against  string  // "baseline NAME", "snapshot", or "" where the mean itself is looked at
	Old, New float64 // Old is NaN where the mean itself is looked at
	Got      float64 // what was compared with the gate's value
	Passed   bool
	P        float64 // of the change, after Holm over all checks; NaN where there is no change; see Sure
	Moved    []Moved // where it failed: every query whose value changed, the worst first
}

// Sure reports whether a failed check is more than chance.
func (c *Check) Sure() bool { return !c.Passed && (math.IsNaN(c.P) || c.P < report.Alpha) }

// CheckGates holds every run but the baseline (the only run where there is no other) against the gates. Changes are against the
// snapshot where it is not nil, for every run that it has, else against the baseline. A gate whose measure the report lacks is an
// error.
func CheckGates(r *report.Report, gates []Gate, snapshot *report.Report, cancel func() bool) ([]Check, error) {
	var out []Check
	for _, g := range gates {
		m := slices.Index(r.Measures, g.Measure)
		if m < 0 {
			return nil, fmt.Errorf("export: check gate %q: the report has no measure %s", g.Text, g.Measure)
		}
		if g.Change && snapshot != nil && !slices.Contains(snapshot.Measures, g.Measure) {
			return nil, fmt.Errorf("export: check gate %q: the snapshot has no measure %s", g.Text, g.Measure)
		}
		checked := false
		for s := range r.Systems {
			c := Check{Gate: g, System: r.Systems[s].Label, Old: math.NaN(), P: math.NaN(), New: r.Columns[m].Means[s]}
			switch {
			case !g.Change:
				if s == r.Baseline && len(r.Systems) > 1 {
					continue
				}
				c.Got = c.New
			case snapshot != nil:
				one := snapshotOf(r, s, m)
				if k := slices.IndexFunc(snapshot.Systems, func(x report.System) bool { return x.Label == c.System }); k < 0 && len(snapshot.Systems)+len(r.Systems) > 2 {
					continue
				}
				change, err := Regress(snapshot, one, Threshold{Relative: 1}, cancel)
				if err != nil {
					return nil, err
				}
				x := change.Changes[0]
				c.Against, c.Old, c.New, c.Moved, c.P = "snapshot", x.Old, x.New, x.Moved, x.P
			case s == r.Baseline:
				continue
			default:
				c.Against, c.Old = "baseline "+r.Systems[r.Baseline].Label, r.Columns[m].Means[r.Baseline]
				for q := range r.Queries {
					if a, b := r.Columns[m].Values[r.Baseline][q], r.Columns[m].Values[s][q]; a != b {
						c.Moved = append(c.Moved, Moved{r.Queries[q].ID, a, b})
					}
				}
				t, err := report.Paired(r.Columns[m].Values[r.Baseline], r.Columns[m].Values[s], cancel)
				if err != nil {
					return nil, err
				}
				c.P = t.P
			}
			if g.Change {
				c.Got = c.New - c.Old
				if g.Percent {
					c.Got = say.Relative(c.Old, c.New)
				}
			}
			c.Passed = g.holds(c.Got)
			if c.Passed {
				c.Moved = nil
			}
			worst := 1.0 // for a gate from below those that fell, whichever way the measure goes
			if strings.HasPrefix(g.Op, "<") {
				worst = -1
			}
			slices.SortStableFunc(c.Moved, func(x, y Moved) int { return cmp.Compare(worst*(x.New-x.Old), worst*(y.New-y.Old)) })
			checked = true
			out = append(out, c)
		}
		if !checked && g.Change && snapshot != nil {
			return nil, fmt.Errorf("export: check gate %q: no run is in the snapshot under its name", g.Text)
		}
		if !checked {
			return nil, fmt.Errorf("export: check gate %q: there is no run to check: a change needs a second run or a snapshot", g.Text)
		}
	}
	var ps []float64
	for _, c := range out {
		ps = append(ps, c.P)
	}
	for i, p := range report.Holm(ps) {
		out[i].P = p
	}
	return out, nil
}

// snapshotOf returns the report of one system and one measure alone.
func snapshotOf(r *report.Report, s, m int) *report.Report {
	one := &report.Report{Decisions: r.Decisions, Stats: r.Stats}
	one.Systems, one.Measures, one.Queries = r.Systems[s:s+1], r.Measures[m:m+1], r.Queries
	one.Columns = []report.Column{{Measure: r.Columns[m].Measure, Lower: r.Columns[m].Lower, Values: r.Columns[m].Values[s : s+1]}}
	return one
}

// holds reports whether a value meets the gate. A value that is the gate's on paper meets >= and <=.
func (g Gate) holds(v float64) bool {
	want := g.Value
	if g.Percent {
		want /= 100
	}
	const slack = 1e-12
	switch g.Op {
	case ">=":
		return v >= want-slack
	case ">":
		return v > want+slack
	case "<=":
		return v <= want+slack
	}
	return v < want-slack
}

// String returns the check as text: one line, and the queries that moved where it failed.
func (c *Check) String() string {
	var b builder
	word := "passed"
	if !c.Passed {
		word = "FAILED"
	}
	got := say.Plain.Number(c.Got, 4)
	switch {
	case c.Gate.Percent:
		got = say.Plain.Change(c.Old, c.New)
	case c.Gate.Change:
		got = say.Plain.Signed(c.Got, 4)
	}
	parts := []string{word, "  ", say.Visible(c.Gate.Text), "  ", brief(c.System), "  ", got}
	if c.Against != "" {
		parts = append(parts, " against ", brief(c.Against), " (", say.Plain.Number(c.Old, 4), " -> ", say.Plain.Number(c.New, 4), ")")
	}
	if !math.IsNaN(c.P) {
		parts = append(parts, ", p ", say.Plain.EqualP(c.P))
		if !c.Passed && !c.Sure() {
			parts = append(parts, ": it could be chance")
		}
	}
	b.line(parts...)
	writeMoved(&b, c.Moved)
	return b.String()
}
