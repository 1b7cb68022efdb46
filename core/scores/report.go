package scores

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// What a missing score means: it leaves the item out for all systems, it leaves the system out, or it counts 0.
const (
	LeaveItems   = "items"
	LeaveSystems = "systems"
	CountZero    = "zero"
)

// Missing are the rules, the default first.
var Missing = []string{LeaveItems, LeaveSystems, CountZero}

// Asked are the options for the report of a table.
type Asked struct {
	Name     string   // of what the items are of; "" for none
	Measures []string // the first is tested; empty for the table's own, at most MostMeasures
	Lower    []string // where lower is better, beside those known for it
	Missing  string   // the rule for missing scores; "" for LeaveItems
	Baseline string   // the name, letter or number of a system; "" for that at Place
	Place    int      // of the baseline among the systems of the report, from 0; one that is not there is the first
	Protocol report.Protocol
	Cancel   func() bool // may be nil
}

// MostMeasures is how many measures are reported if none is named.
const MostMeasures = 6

// preferred are the measures that are tested if none is named, in this order.
var preferred = []string{"main_score", "score", "nDCG@10", "nDCG", "AP", "RR", "strict_vital_score",
	"id_based_context_recall"}

// choose are the measures of a report: the named ones, or the table's own less those that count documents.
func (t *Table) choose(asked []string) (out []int, err error) {
	if len(asked) == 0 {
		for m, name := range t.Measures {
			if counts(name) {
				continue
			}
			out = append(out, m)
		}
		rank := func(m int) int {
			if at := slices.Index(preferred, t.Measures[m]); at >= 0 {
				return at
			}
			return len(preferred)
		}
		slices.SortStableFunc(out, func(a, b int) int { return rank(a) - rank(b) })
		if len(out) == 0 {
			return nil, fmt.Errorf("the table has no measure of quality, only counts (%s)", fewOf(t.Measures))
		}
		return out[:min(len(out), MostMeasures)], nil
	}
	for _, name := range asked {
		m, ok := t.column[name]
		if !ok {
			m, ok = t.column[canonical(name)]
		}
		if !ok {
			return nil, fmt.Errorf("there is no measure %q: the table has %s", say.Brief(name, 60), fewOf(t.Measures))
		}
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out, nil
}

// counts reports whether a measure counts documents or is the logarithm that gm_map has of a query: neither says how
// good a system is.
func counts(name string) bool {
	return strings.HasPrefix(name, "num_") || strings.HasPrefix(name, "gm_") || measure.Describes(name)
}

// Report makes the report of a table: the columns with their values as given; means, intervals, tests, letters and
// the finding by report.Conclude.
func (t *Table) Report(a Asked) (*report.Report, error) {
	if a.Missing == "" {
		a.Missing = LeaveItems
	}
	if !slices.Contains(Missing, a.Missing) {
		return nil, fmt.Errorf("missing scores %q: not one of %s", say.Brief(a.Missing, 60),
			strings.Join(Missing, ", "))
	}
	columns, err := t.choose(a.Measures)
	if err != nil {
		return nil, err
	}
	systems, items, missing, err := t.present(columns, a.Missing)
	if err != nil {
		return nil, err
	}
	if n := len(systems); n > significance.MaxSystems {
		return nil, fmt.Errorf("%d systems are more than the %d that are compared at once: leave some out", n,
			significance.MaxSystems)
	}
	r := &report.Report{Collection: report.Ref{Name: a.Name, Queries: len(items)}}
	r.Stats.Queries = len(items)
	for _, i := range items {
		r.Queries = append(r.Queries, report.Query{ID: t.Items[i]})
	}
	for _, s := range systems {
		r.Systems = append(r.Systems, report.System{Label: t.Systems[s]})
		r.Coverage = append(r.Coverage, report.Coverage{Queries: len(items)})
	}
	if a.Baseline != "" {
		if r.Baseline, err = r.Find(a.Baseline); err != nil {
			return nil, err
		}
	} else if a.Place > 0 && a.Place < len(r.Systems) {
		r.Baseline = a.Place
	}
	many := a.test(len(systems))
	for _, m := range columns {
		name := t.Measures[m]
		c := report.Column{Measure: name, Applied: name}
		c.Lower = slices.Contains(a.Lower, name) || slices.ContainsFunc(a.Lower,
			func(l string) bool { return canonical(l) == name })
		for _, s := range systems {
			row := make([]float64, len(items))
			for q, i := range items {
				if row[q] = t.Value(s, i, m); row[q] != row[q] {
					row[q] = 0 // by the rule
				}
			}
			c.Values = append(c.Values, row)
			mean := measure.Mean(row)
			c.Geometric, c.Median = append(c.Geometric, geometric(row)), append(c.Median, measure.Median(row))
			c.TieLow, c.TieHigh = append(c.TieLow, mean), append(c.TieHigh, mean)
			c.ResidualLow, c.ResidualHigh = append(c.ResidualLow, nan), append(c.ResidualHigh, nan)
		}
		r.Measures, r.Columns = append(r.Measures, name), append(r.Columns, c)
	}
	if err := t.known(a.Lower); err != nil {
		return nil, err
	}
	r.Decisions = a.Protocol.Decisions()
	if len(missing) > 0 {
		r.Decisions = append(r.Decisions, report.Decision{Name: missingScores, Option: a.Missing,
			Default: a.Missing == LeaveItems,
			Doc:     "what a missing score means: the item is left out, the system is, or it counts 0"})
	}
	r.Warnings = append(r.Warnings, report.Warning{Kind: report.GivenScores, System: -1, Column: -1,
		Names: []string{t.Noun}})
	if len(missing) > 0 {
		r.Warnings = append(r.Warnings, report.Warning{Kind: report.MissingScores, System: -1, Column: -1,
			N:     len(missing),
			Names: missing[:min(len(missing), 6)], Text: t.became(a.Missing, len(systems), len(items), systems, items)})
	}
	r.Skipped = t.skipped(items)
	return r, a.conclude(r, many)
}

// known returns an error if the table lacks one of the measures.
func (t *Table) known(measures []string) error {
	for _, name := range measures {
		if _, ok := t.column[name]; ok {
			continue
		}
		if _, ok := t.column[canonical(name)]; !ok {
			return fmt.Errorf("there is no measure %q: the table has %s", say.Brief(name, 60), fewOf(t.Measures))
		}
	}
	return nil
}

// test takes the paired t test if nobody chose one and the pairs are too many to resample each: a leaderboard of 181
// systems has 16,290, which take minutes.
func (a *Asked) test(systems int) (many bool) {
	if a.Protocol.Test == "" && systems*(systems-1)/2 > report.MostResampled {
		a.Protocol.Test, many = "t", true
	}
	return many
}

// conclude is report.Conclude; many says that the test was taken for the number of pairs.
func (a *Asked) conclude(r *report.Report, many bool) error {
	err := r.Conclude(a.Protocol, a.Cancel)
	if many {
		r.SayMany()
	}
	return err
}

// Again makes another report of the same scores: by some of its measures, with another baseline or other tests. The
// scores and omitted items stay. It is an error to ask for names that the report does not have.
func Again(old *report.Report, a Asked) (*report.Report, error) {
	if _, given := old.Given(); !given {
		return nil, errors.New("the report is not of scores")
	}
	r := &report.Report{Collection: old.Collection, Stats: old.Stats, Queries: old.Queries, Coverage: old.Coverage,
		Skipped: old.Skipped}
	for _, s := range old.Systems {
		r.Systems = append(r.Systems, report.System{Label: s.Label})
	}
	if a.Baseline != "" {
		var err error
		if r.Baseline, err = r.Find(a.Baseline); err != nil {
			return nil, err
		}
	} else if a.Place > 0 && a.Place < len(r.Systems) {
		r.Baseline = a.Place
	}
	if len(a.Measures) == 0 {
		a.Measures = old.Measures
	}
	for _, name := range a.Measures {
		m := slices.Index(old.Measures, name)
		if m < 0 {
			m = slices.Index(old.Measures, canonical(name))
		}
		if m < 0 {
			return nil, fmt.Errorf("there is no measure %q: the report has %s", say.Brief(name, 60),
				fewOf(old.Measures))
		}
		if c := old.Columns[m]; !slices.Contains(r.Measures, c.Measure) {
			r.Measures, r.Columns = append(r.Measures, c.Measure), append(r.Columns, c)
		}
	}
	many := a.test(len(r.Systems))
	r.Decisions = a.Protocol.Decisions()
	for _, d := range old.Decisions {
		if d.Name == missingScores {
			r.Decisions = append(r.Decisions, d)
		}
	}
	for _, w := range old.Warnings {
		if w.Kind == report.GivenScores || w.Kind == report.MissingScores {
			r.Warnings = append(r.Warnings, w)
		}
	}
	return r, a.conclude(r, many)
}

// missingScores names the decision about missing scores.
const missingScores = "missing-scores"

// geometric is the geometric mean, NaN where a score is negative: it has none.
func geometric(row []float64) float64 {
	if slices.ContainsFunc(row, func(v float64) bool { return v < 0 }) {
		return math.NaN()
	}
	return measure.GeometricMean(row)
}

// became says what a rule made of missing scores.
func (t *Table) became(rule string, nSystems, nItems int, systems, items []int) string {
	switch rule {
	case CountZero:
		return "each counts 0"
	case LeaveSystems:
		var left []string
		for s, name := range t.Systems {
			if !slices.Contains(systems, s) {
				left = append(left, name)
			}
		}
		return say.Count(len(left), "system is", "systems are") + " left out (" + fewOf(left) + ")"
	}
	left := t.skipped(items)
	return say.Count(len(left), t.Noun+" is", plural(t.Noun)+" are") + " left out for every system (" + fewOf(left) +
		"), " + say.Thousands(nItems) +
		" of " + say.Thousands(len(t.Items)) + " are compared"
}

// skipped are the items that are left out.
func (t *Table) skipped(items []int) (out []string) {
	kept := make([]bool, len(t.Items))
	for _, i := range items {
		kept[i] = true
	}
	for i, name := range t.Items {
		if !kept[i] {
			out = append(out, name)
		}
	}
	return out
}

// present are the systems and items that a rule leaves, and the missing scores by name. Systems and items without any
// score by the measures are no part of the table.
func (t *Table) present(columns []int, rule string) (systems, items []int, missing []string, err error) {
	hasSystem, hasItem := make([]bool, len(t.Systems)), make([]bool, len(t.Items))
	for at := range t.values {
		if slices.Contains(columns, int(at.measure)) {
			hasSystem[at.system], hasItem[at.item] = true, true
		}
	}
	lacking, without := make([]bool, len(t.Systems)), make([]bool, len(t.Items))
	for s := range t.Systems {
		if !hasSystem[s] {
			missing = append(missing, "all of "+say.Visible(t.Systems[s]))
		}
		for i := range t.Items {
			if !hasSystem[s] || !hasItem[i] {
				continue
			}
			for _, m := range columns {
				if v := t.Value(s, i, m); v != v {
					missing = append(missing, say.Visible(t.Systems[s])+" on "+say.Visible(t.Items[i]))
					lacking[s], without[i] = true, true
					break
				}
			}
		}
	}
	for i := range t.Items {
		if !hasItem[i] {
			missing = append(missing, "every system on "+say.Visible(t.Items[i]))
		}
	}
	complete, full := 0, 0
	for s := range t.Systems {
		if hasSystem[s] && (rule != LeaveSystems || !lacking[s]) {
			systems = append(systems, s)
		}
		if hasSystem[s] && !lacking[s] {
			complete++
		}
	}
	for i := range t.Items {
		if hasItem[i] && (rule != LeaveItems || !without[i]) {
			items = append(items, i)
		}
		if hasItem[i] {
			full++
		}
	}
	switch {
	case len(items) == 0:
		return nil, nil, nil, fmt.Errorf("no %s has a score from all %s: %s (%s); -missing systems leaves the "+
			"systems with gaps out and keeps %d, "+
			"-missing zero counts each gap 0", t.Noun, say.Count(len(systems), "system", "systems"),
			say.Count(len(missing), "is missing", "are missing"),
			say.Few(missing, 4), complete)
	case len(systems) == 0:
		return nil, nil, nil, fmt.Errorf("no system has a score for all %s: %s; -missing items leaves out what a "+
			"system lacks, -missing zero counts "+
			"each gap 0", say.Count(full, t.Noun, plural(t.Noun)), say.Few(missing, 4))
	}
	return systems, items, missing, nil
}
