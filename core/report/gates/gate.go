package gates

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// Gate is a condition on a measure that a run must meet.
//
//	nDCG@10>=0.4     the mean itself
//	nDCG@10>=-2%     its change, in percent of the old value
//	nDCG@10>=+0.01   its change, as a difference: what has a sign or a percent sign is a change
//
//	p95<=2s          95 of 100 queries need no longer: of rankbox run -time alone, in us, ms or s
//
// The operators are >=, >, <= and <. A change is one against the snapshot where there is one, else against the
// baseline.
type Gate struct {
	Text    string
	Measure string // canonical
	Op      string
	Value   float64 // a share where Percent
	Change  bool
	Percent bool

	Quantile float64 // of a gate of time, as 0.95: Value is in milliseconds, and there is no measure; 0 otherwise
}

// ParseGate reads a condition.
func ParseGate(text string) (Gate, error) {
	g := Gate{Text: text}
	at := strings.LastIndexAny(text, "<>")
	if at < 0 {
		return g, say.Faultf("gates",
			"read gate %q: want a measure, one of >= > <= <, and a number, as in nDCG@10>=-2%%", text)
	}
	rest := text[at+1:]
	g.Op = text[at : at+1]
	if strings.HasPrefix(rest, "=") {
		g.Op, rest = g.Op+"=", rest[1:]
	}
	if share, ok := quantileOf(strings.TrimSpace(text[:at])); ok {
		g.Quantile, g.Measure = share, strings.TrimSpace(text[:at])
		if g.Value, ok = milliseconds(strings.TrimSpace(rest)); !ok {
			return g, say.Faultf("gates", "read gate %q: %q is no time: write it as 2s, 150ms or 800us", text, rest)
		}
		return g, nil
	}
	m, err := measure.Parse(strings.TrimSpace(text[:at]))
	if err != nil {
		return g, say.Faultf("gates", "read gate %q: %w", text, err)
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
		return g, say.Faultf("gates", "read gate %q: %q is not a number", text, rest)
	}
	if err := g.sense(m.Info()); err != nil {
		return g, say.Faultf("gates", "read gate %q: %w", text, err)
	}
	return g, nil
}

// Grammar says how gates are written.
const Grammar = "MEASURE, one of >= > <= <, and a number: nDCG@10>=0.4 is about the mean itself, of every run, " +
	"nDCG@10>=-2% about its change in percent of the old value, " +
	"nDCG@10>=-0.01 or >=+0.01 about its change as a difference; a change is one against -against where that is " +
	"given, else against the baseline; p95<=2s, with rankbox run -time, is about the time that 95 of 100 queries need"

// sense refuses a gate that every value meets, or none: it would say nothing. Values of the measure lie between in.Low
// and in.High.
func (g Gate) sense(in *measure.Info) error {
	low, high := in.Low, in.High
	switch {
	case g.Percent:
		low, high = -100, math.Inf(1)
		if in.Low < 0 {
			low = math.Inf(-1)
		}
	case g.Change:
		low, high = in.Low-in.High, in.High-in.Low
	}
	least, most := Gate{Op: g.Op, Value: g.Value}.holds(low), Gate{Op: g.Op, Value: g.Value}.holds(high)
	if least != most || math.IsInf(low, -1) && math.IsInf(high, 1) {
		return nil
	}
	what, share := "every value", g.Value/100
	if !least {
		what = "no value"
	}
	about := "the measure lies between " + say.Plain.Short(in.Low) + " and " + say.Plain.Short(in.High)
	switch {
	case g.Percent:
		return fmt.Errorf("%s meets it: nothing can lose more than 100 %%", what)
	case !g.Change:
		if share > low && share < high {
			about += "; did you mean " + g.Measure + g.Op + say.Plain.Short(share) + "?"
		}
	default:
		about += ", and cannot change by more"
		sign := ""
		if g.Value > 0 {
			sign = "+"
		}
		about += "; did you mean " + g.Measure + g.Op + sign + say.Plain.Short(g.Value) + "%, a change in percent?"
	}
	return fmt.Errorf("%s meets it: %s", what, about)
}

// Check is what a gate says of one run.
type Check struct {
	Gate     Gate
	System   string
	Against  string  // "baseline NAME", "snapshot", or "" where the mean itself is looked at
	Old, New float64 // Old is NaN where the mean itself is looked at
	Got      float64 // what was compared with the gate's value
	Passed   bool
	P        float64  // of the change, after Holm over all checks; NaN where there is no change; see Sure
	Moved    []Moved  // where it failed: every query whose value changed, the worst first
	Warnings []string // about the snapshot: see Regression
}

// Sure reports whether a failed check is more than chance.
func (c *Check) Sure() bool { return !c.Passed && (math.IsNaN(c.P) || c.P < report.Alpha) }

// CheckGates holds every run against the gates. Changes are against the snapshot where it is not nil, for every run
// that it has, else
// against the baseline, which they are not about. A gate whose measure the report lacks is an error.
func CheckGates(r *report.Report, gates []Gate, snapshot *report.Report, cancel func() bool) ([]Check, error) {
	var out []Check
	for _, g := range gates {
		if g.Quantile > 0 {
			continue
		}
		m := slices.Index(r.Measures, g.Measure)
		if m < 0 {
			return nil, say.Faultf("gates", "check gate %q: the report has no measure %s", g.Text, g.Measure)
		}
		if g.Change && snapshot != nil && !slices.Contains(snapshot.Measures, g.Measure) {
			return nil, say.Faultf("gates", "check gate %q: the snapshot has no measure %s", g.Text, g.Measure)
		}
		checked := false
		for s := range r.Systems {
			c, ok, err := check(r, g, s, m, snapshot, cancel)
			if err != nil {
				return nil, say.Faultf("gates", "check gate %q: %w", g.Text, err)
			}
			if ok {
				checked = true
				out = append(out, *c)
			}
		}
		if !checked && g.Change && snapshot != nil {
			return nil, say.Faultf("gates", "check gate %q: no run is in the snapshot under its name", g.Text)
		}
		if !checked {
			return nil, say.Faultf("gates",
				"check gate %q: there is no run to check: a change needs a second run or a snapshot", g.Text)
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

// check holds run s against a gate on the measure m; ok is false where the gate is not about the run.
func check(r *report.Report, g Gate, s, m int, snapshot *report.Report, cancel func() bool) (c *Check, ok bool,
	err error) {
	col := &r.Columns[m]
	c = &Check{Gate: g, System: r.Systems[s].Label, Old: math.NaN(), P: math.NaN(), New: col.Means[s]}
	known := func() bool { // by the snapshot, under its name or as the only one
		return slices.ContainsFunc(snapshot.Systems, func(x report.System) bool { return x.Label == c.System }) ||
			len(snapshot.Systems)+len(r.Systems) == 2
	}
	switch {
	case g.Change && snapshot == nil && s == r.Baseline, g.Change && snapshot != nil && !known():
		return nil, false, nil
	}
	if err := answers(r, s); err != nil {
		return nil, false, err
	}
	switch {
	case !g.Change:
		c.Got = c.New
	case snapshot != nil:
		change, err := Regress(snapshot, alone(r, s, m), Threshold{Relative: 1}, cancel)
		if err != nil {
			return nil, false, err
		}
		x := change.Changes[0]
		c.Against, c.Old, c.New, c.Moved, c.P, c.Warnings = "snapshot", x.Old, x.New, x.Moved, x.P, change.Warnings
	default:
		if err := answers(r, r.Baseline); err != nil {
			return nil, false, err
		}
		c.Against, c.Old = "baseline "+r.Systems[r.Baseline].Label, col.Means[r.Baseline]
		for q := range r.Queries {
			if a, b := col.Values[r.Baseline][q], col.Values[s][q]; a != b {
				c.Moved = append(c.Moved, Moved{Query: r.Queries[q].ID, Old: a, New: b})
			}
		}
		t, err := report.Paired(col.Measure, col.Values[r.Baseline], col.Values[s], cancel)
		if err != nil {
			return nil, false, err
		}
		c.P = t.P
	}
	if g.Change {
		c.Got = c.New - c.Old
		if g.Percent {
			c.Got = say.Relative(c.Old, c.New)
		}
	}
	if c.Passed = g.holds(c.Got); c.Passed {
		c.Moved = nil
	}
	worst := 1.0 // for a gate from below those that fell, whichever way the measure goes
	if strings.HasPrefix(g.Op, "<") {
		worst = -1
	}
	sort.SliceStable(c.Moved, func(i, j int) bool {
		return cmp.Less(worst*(c.Moved[i].New-c.Moved[i].Old), worst*(c.Moved[j].New-c.Moved[j].Old))
	})
	return c, true, nil
}

// alone returns the report of one system and one measure.
func alone(r *report.Report, s, m int) *report.Report {
	one := &report.Report{Decisions: r.Decisions, Stats: r.Stats}
	one.Systems, one.Measures, one.Queries = r.Systems[s:s+1], r.Measures[m:m+1], r.Queries
	if len(r.Coverage) > 0 {
		one.Coverage = r.Coverage[s : s+1]
	}
	one.Columns = []report.Column{{Measure: r.Columns[m].Measure, Lower: r.Columns[m].Lower,
		Values: r.Columns[m].Values[s : s+1]}}
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

// Fails reports whether a build fails: where sure is asked for, only if it is more than chance.
func (c *Check) Fails(sure bool) bool { return !c.Passed && (!sure || c.Sure()) }

// Text returns the check as text: one line, and the queries that moved where it failed. It says "FAILED" if and only
// if Fails(sure).
func (c *Check) Text(sure bool) string {
	var b builder
	word := "passed"
	switch {
	case c.Fails(sure):
		word = "FAILED"
	case !c.Passed:
		word = "not met"
	}
	got := say.Plain.Number(c.Got, 4)
	switch {
	case c.Gate.Quantile > 0:
		got = say.Plain.Number(c.Got, 3) + " ms"
	case c.Gate.Percent:
		got = say.Plain.Change(c.Old, c.New)
	case c.Gate.Change:
		got = say.Plain.Signed(c.Got, 4)
	}
	parts := []string{word, "  ", say.Visible(c.Gate.Text), "  ", brief(c.System), "  ", got}
	if c.Against != "" {
		parts = append(parts, " against ", brief(c.Against), " (", say.Plain.Number(c.Old, 4), " -> ",
			say.Plain.Number(c.New, 4), ")")
	}
	if !math.IsNaN(c.P) {
		parts = append(parts, ", ", say.Plain.PIs(c.P))
		if !c.Passed && !c.Sure() {
			parts = append(parts, ": it could be chance")
			if sure {
				parts = append(parts, " and does not count (-sure)")
			}
		}
	}
	b.line(parts...)
	writeMoved(&b, c.Moved)
	return b.String()
}
