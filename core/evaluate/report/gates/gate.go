package gates

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// Gate is a condition on a measure that a run must meet.
//
//	nDCG@10>=0.4     the mean itself
//	nDCG@10>=-2%     its change, in percent of the old value
//	nDCG@10>=+0.01   its change, as a difference: what has a sign or a percent sign is a change
//
//	nDCG@10.low>=0.6   the lower end of the 95 % interval of the mean or of the change, .high the upper end
//	nDCG@10[faq]>=0.5  of the queries with the tag faq, with an interval of their own
//
//	p95<=2s          95 of 100 queries need no longer: of rankbox run -time alone, in us, ms or s
//
// The operators are >=, >, <= and <. A change is one against the snapshot where there is one, else against the
// baseline.
type Gate struct {
	Text    string
	Measure string // canonical
	End     string // "low" or "high" for an end of the interval, "" for the mean or the change itself
	Tag     string // of the queries that it is about, "" for all
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
		if g.Value, ok = Milliseconds(strings.TrimSpace(rest)); !ok {
			return g, say.Faultf("gates", "read gate %q: %q is no time: write it as 2s, 150ms or 800us", text, rest)
		}
		return g, nil
	}
	about := g.part(strings.TrimSpace(text[:at]))
	m, err := measure.Parse(about)
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

// part takes the tag and the end of an interval off what a gate is about, and returns the measure.
func (g *Gate) part(about string) string {
	for {
		open := strings.LastIndexByte(about, '[')
		switch {
		case strings.HasSuffix(about, "]") && open > 0:
			about, g.Tag = about[:open], strings.TrimSpace(about[open+1:len(about)-1])
		case strings.HasSuffix(about, ".low"), strings.HasSuffix(about, ".high"):
			dot := strings.LastIndexByte(about, '.')
			about, g.End = about[:dot], about[dot+1:]
		default:
			return about
		}
	}
}

// Grammar says how gates are written.
const Grammar = "MEASURE, one of >= > <= <, and a number: nDCG@10>=0.4 is about the mean itself, of every run, " +
	"nDCG@10>=-2% about its change in percent of the old value, " +
	"nDCG@10>=-0.01 or >=+0.01 about its change as a difference; a change is one against -against where that is " +
	"given, else against the baseline; nDCG@10.low>=0.4 is about the lower end of the 95 % interval; " +
	"nDCG@10[faq]>=0.4 is about the queries with the tag faq; p95<=2s, with rankbox run -time, is about the time that 95 of 100 queries need"

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
	P        float64 // of the change, after Holm over all checks; NaN where there is no change; see Sure
	AtMost   int     // draws of which none was as far out, so that P is a bound; 0 if it is none
	Queries  int     // that it is about
	Low      float64 // ends of the 95 % interval of the mean, or of the change; NaN where there is none
	High     float64
	Stopped  *Sequential // how it was decided, nil of a gate that is not sequential
	Flaky    string      // that only some of repeated runs fail it, "" otherwise
	Moved    []Moved     // where it failed: every query whose value changed, the worst first
	Warnings []string    // about the snapshot: see Regression
}

// Sure reports whether a failed check is more than chance.
func (c *Check) Sure() bool { return !c.Passed && (math.IsNaN(c.P) || c.P < report.Alpha) }

// Checking is what gates are checked with beside the report.
type Checking struct {
	Snapshots []Snapshot          // changes are against each of them; without any, against the baseline of the report
	Tags      map[string][]string // the ids of the queries that have a tag
	Cancel    func() bool         // may be nil
}

// CheckGates holds every run against the gates. Changes are against the snapshots if there are any, for every run that
// they have, else against the baseline, which they are not about. A gate whose measure the report lacks is an error,
// and so is one whose tag no query has.
func CheckGates(r *report.Report, gates []Gate, x Checking) ([]Check, error) {
	var out []Check
	family := len(gates) * len(r.Systems) * max(1, len(x.Snapshots))
	for _, g := range gates {
		if g.Quantile > 0 {
			continue
		}
		m := slices.Index(r.Measures, g.Measure)
		if m < 0 {
			return nil, say.Faultf("gates", "check gate %q: the report has no measure %s", g.Text, g.Measure)
		}
		against := []Snapshot{{}} // none: the mean itself, or the change from the baseline
		if g.Change && len(x.Snapshots) > 0 {
			against = x.Snapshots
		}
		for _, old := range against {
			if old.Report != nil && !slices.Contains(old.Measures, g.Measure) {
				return nil, say.Faultf("gates", "check gate %q: the snapshot has no measure %s", g.Text, g.Measure)
			}
			checked := false
			for s := range r.Systems {
				one, err := x.Alone(r, s, m, g.Tag)
				if err != nil {
					return nil, say.Faultf("gates", "check gate %q: %w", g.Text, err)
				}
				c, ok, err := check(r, one, g, s, m, old, family, x.Cancel)
				if err != nil {
					return nil, say.Faultf("gates", "check gate %q: %w", g.Text, err)
				}
				if ok {
					checked = true
					out = append(out, *c)
				}
			}
			if !checked && old.Report != nil {
				return nil, say.Faultf("gates", "check gate %q: no run is in the snapshot under its name", g.Text)
			}
			if !checked {
				return nil, say.Faultf("gates",
					"check gate %q: there is no run to check: a change needs a second run or a snapshot", g.Text)
			}
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

// Alone returns the report of one system and one measure, on the queries with a tag, of which it has a mean and an
// interval of its own; on all for "". The error says that no query has the tag.
func (x Checking) Alone(r *report.Report, s, m int, tag string) (*report.Report, error) {
	one := &report.Report{Decisions: r.Decisions, Stats: r.Stats}
	one.Systems, one.Measures, one.Queries = r.Systems[s:s+1], r.Measures[m:m+1], r.Queries
	if len(r.Coverage) > 0 {
		one.Coverage = r.Coverage[s : s+1]
	}
	col := report.Column{Measure: r.Columns[m].Measure, Lower: r.Columns[m].Lower,
		Values: [][]float64{r.Columns[m].Values[s]}}
	one.Columns = []report.Column{col}
	if tag == "" {
		one.Columns[0].Means = r.Columns[m].Means[s : s+1]
		one.Columns[0].Low, one.Columns[0].High = r.Columns[m].Low[s:s+1], r.Columns[m].High[s:s+1]
		return one, nil
	}
	ids := x.Tags[tag]
	values := []float64{}
	one.Queries = nil
	for q := range r.Queries {
		if slices.Contains(ids, r.Queries[q].ID) {
			one.Queries, values = append(one.Queries, r.Queries[q]), append(values, col.Values[0][q])
		}
	}
	if len(values) == 0 {
		tags := slices.Sorted(maps.Keys(x.Tags))
		if len(tags) == 0 {
			return nil, errors.New("no query has a tag: give queries tags: [" + brief(tag) + "]")
		}
		return nil, errors.New("no query that is measured has the tag " + strconv.Quote(brief(tag)) + "; the tags are " +
			say.Few(tags, 8))
	}
	one.Columns[0].Values[0] = values
	return one, one.Conclude(r.Protocol(), x.Cancel)
}

// check holds run s against a gate on the measure m, by the report of that alone; ok is false where the gate is not
// about the run. old has no report where the gate is not about a snapshot.
func check(r, one *report.Report, g Gate, s, m int, old Snapshot, family int, cancel func() bool) (c *Check, ok bool,
	err error) {
	col := &one.Columns[0]
	c = &Check{Gate: g, System: r.Systems[s].Label, Old: math.NaN(), P: math.NaN(), New: col.Means[0],
		Queries: len(one.Queries), Low: col.Low[0], High: col.High[0]}
	known := func() bool { // by the snapshot, under its name or as the only one
		return slices.ContainsFunc(old.Systems, func(x report.System) bool { return x.Label == c.System }) ||
			len(old.Systems)+len(r.Systems) == 2
	}
	switch {
	case g.Change && old.Report == nil && s == r.Baseline, g.Change && old.Report != nil && !known():
		return nil, false, nil
	}
	if err := answers(r, s); err != nil {
		return nil, false, err
	}
	switch {
	case !g.Change:
		c.Got = c.New
	case old.Report != nil:
		change, err := Regress(old.Report, one, Threshold{Relative: 1}, cancel)
		if err != nil {
			return nil, false, err
		}
		x := change.Changes[0]
		c.Against, c.Old, c.New, c.Moved, c.P, c.Warnings = "snapshot", x.Old, x.New, x.Moved, x.P, change.Warnings
		c.AtMost, c.Low, c.High, c.Queries = x.AtMost, x.Low, x.High, x.Queries
		if old.Name != "" {
			c.Against += " " + old.Name
		}
	default:
		if err := answers(r, r.Baseline); err != nil {
			return nil, false, err
		}
		before, err := onlyOf(r, one, r.Columns[m].Values[r.Baseline])
		if err != nil {
			return nil, false, err
		}
		c.Against, c.Old = "baseline "+r.Systems[r.Baseline].Label, measure.Mean(before)
		for q := range one.Queries {
			if a, b := before[q], col.Values[0][q]; a != b {
				c.Moved = append(c.Moved, Moved{Query: one.Queries[q].ID, Old: a, New: b})
			}
		}
		t, err := report.PairedAmong(col.Measure, before, col.Values[0], family, cancel)
		if err != nil {
			return nil, false, err
		}
		c.P, c.AtMost, c.Low, c.High = t.P, t.AtMost, t.Low, t.High
	}
	c.judge()
	worst := 1.0 // for a gate from below those that fell, whichever way the measure goes
	if strings.HasPrefix(g.Op, "<") {
		worst = -1
	}
	sort.SliceStable(c.Moved, func(i, j int) bool {
		return cmp.Less(worst*(c.Moved[i].New-c.Moved[i].Old), worst*(c.Moved[j].New-c.Moved[j].Old))
	})
	return c, true, nil
}

// NoInterval says why there is no interval; "" if there is one, and of a gate of time.
func (c *Check) NoInterval() string {
	switch {
	case c.Low == c.Low || c.Gate.Quantile > 0:
		return ""
	case c.Gate.Change:
		return report.NoDifference(c.Gate.Measure, c.Queries)
	}
	return report.NoMean(c.Gate.Measure, c.Queries)
}

// judge compares what the gate is about with its value. An interval that does not exist meets no gate on its end.
func (c *Check) judge() {
	g := &c.Gate
	new := c.New
	switch g.End {
	case "low":
		new = c.Low
	case "high":
		new = c.High
	}
	switch {
	case !g.Change:
		c.Got = new
	case g.End == "":
		c.Got = c.New - c.Old
		if g.Percent {
			c.Got = say.Relative(c.Old, c.New)
		}
	default:
		if c.Got = new; g.Percent {
			c.Got = say.Relative(c.Old, c.Old+new)
		}
	}
	if c.Passed = g.holds(c.Got); c.Passed {
		c.Moved = nil
	}
}

// onlyOf are the values of those queries of a report that a part of it has.
func onlyOf(r, part *report.Report, values []float64) (out []float64, err error) {
	k := 0
	for q := range r.Queries {
		if k < len(part.Queries) && r.Queries[q].ID == part.Queries[k].ID {
			out, k = append(out, values[q]), k+1
		}
	}
	if k < len(part.Queries) {
		err = errors.New("the report lost queries")
	}
	return out, err
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
	case c.Flaky != "":
		word = "FLAKY"
	}
	got := say.Plain.Number(c.Got, 4)
	switch {
	case c.Gate.Quantile > 0:
		got = say.Plain.Number(c.Got, 3) + " ms"
	case c.Got != c.Got:
		got = "no interval with " + say.Count(c.Queries, "query", "queries")
	case c.Gate.Percent && math.IsInf(c.Got, 0):
		got = "from 0"
	case c.Gate.Percent:
		got = say.Plain.Signed(100*c.Got, 1) + " %"
	case c.Gate.Change:
		got = say.Plain.Signed(c.Got, 4)
	}
	parts := []string{word, "  ", say.Visible(c.Gate.Text), "  ", brief(c.System), "  ", got}
	if c.Gate.End != "" && c.Got == c.Got {
		parts = append(parts, " (95 % interval "+say.Plain.Span(c.Low, c.High, 4)+")")
	} else if c.Gate.Tag != "" {
		parts = append(parts, " (95 % interval "+say.Plain.Span(c.Low, c.High, 4)+", "+say.Count(c.Queries, "query",
			"queries")+")")
	}
	if c.Against != "" {
		parts = append(parts, " against ", brief(c.Against), " (", say.Plain.Number(c.Old, 4), " -> ",
			say.Plain.Number(c.New, 4), ")")
	}
	if !math.IsNaN(c.P) && (c.Stopped == nil || c.Stopped.Failed()) {
		p := say.Plain.PIs(c.P)
		if c.AtMost > 0 {
			p = say.Plain.PAtMost(c.P, c.AtMost)
		}
		parts = append(parts, ", ", p)
		if !c.Passed && !c.Sure() {
			parts = append(parts, ": it could be chance")
			if sure {
				parts = append(parts, " and does not count (-sure)")
			}
		}
	}
	if c.Flaky != "" {
		parts = append(parts, ": ", c.Flaky)
	}
	if c.Stopped != nil {
		parts = append(parts, ": ", c.Stopped.Says())
	}
	b.line(parts...)
	writeMoved(&b, c.Moved)
	return b.String()
}
