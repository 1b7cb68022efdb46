package scores

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
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
		rank := map[int]int{}
		for _, m := range out {
			if rank[m] = len(preferred); Smaller(t.Measures[m]) {
				rank[m]++
			} else if at := slices.Index(preferred, t.Measures[m]); at >= 0 {
				rank[m] = at
			}
		}
		slices.SortStableFunc(out, func(a, b int) int { return rank[a] - rank[b] })
		if len(t.Measures) == 0 {
			return nil, errors.New("the files describe models and hold no score")
		}
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

// Comparable says why a table cannot be compared, nil if it can: which scores are missing, or too many. It makes none.
func (t *Table) Comparable(a Asked) error {
	columns, err := t.choose(a.Measures)
	if err == nil {
		_, err = t.present(columns, cmp.Or(a.Missing, LeaveItems))
	}
	return err
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
	p, err := t.present(columns, a.Missing)
	if err != nil {
		return nil, err
	}
	systems, items := p.systems, p.items
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
	for _, m := range p.columns {
		name := t.Measures[m]
		c := report.Column{Measure: name, Applied: name}
		c.Lower = Smaller(name) || slices.Contains(a.Lower, name) || slices.ContainsFunc(a.Lower,
			func(l string) bool { return canonical(l) == name })
		for _, s := range systems {
			row := make([]float64, len(items))
			for q, i := range items {
				switch row[q] = t.Value(s, i, m); {
				case a.Missing == CountZero && row[q] != row[q]:
					row[q] = 0
				case !p.full[m][i]:
					row[q] = nan
				}
			}
			c.Values = append(c.Values, row)
		}
		describe(&c)
		r.Measures, r.Columns = append(r.Measures, name), append(r.Columns, c)
	}
	if err := t.known(a.Lower); err != nil {
		return nil, err
	}
	r.Decisions = a.Protocol.Decisions()
	if p.missing > 0 {
		r.Decisions = append(r.Decisions, report.Decision{Name: missingScores, Option: a.Missing,
			Default: a.Missing == LeaveItems,
			Doc:     "what a missing score means: the item is left out, the system is, or it counts 0"})
	}
	r.Warnings = append(r.Warnings, report.Warning{Kind: report.GivenScores, System: -1, Column: -1,
		Names: []string{t.Noun}})
	if p.missing > 0 {
		r.Warnings = append(r.Warnings, report.Warning{Kind: report.MissingScores, System: -1, Column: -1,
			N: p.missing, Names: p.named, Text: t.became(a.Missing, len(systems), len(items), systems, items)})
	}
	if len(p.left) > 0 {
		r.Warnings = append(r.Warnings, report.Warning{Kind: report.MeasuresLeftOut, System: -1, Column: -1,
			N: len(p.left), Names: p.left})
	}
	r.Warnings = append(r.Warnings, r.PartlyScored()...)
	r.Skipped = t.skipped(items)
	return r, a.conclude(r, many)
}

// describe sets the figures of a column beside its means, over the items that it has values of.
func describe(c *report.Column) {
	c.Geometric, c.Median, c.TieLow, c.TieHigh, c.ResidualLow, c.ResidualHigh = nil, nil, nil, nil, nil, nil
	for _, row := range c.Values {
		row = slices.DeleteFunc(slices.Clone(row), func(v float64) bool { return v != v })
		mean := measure.Mean(row)
		c.Geometric, c.Median = append(c.Geometric, geometric(row)), append(c.Median, measure.Median(row))
		c.TieLow, c.TieHigh = append(c.TieLow, mean), append(c.TieHigh, mean)
		c.ResidualLow, c.ResidualHigh = append(c.ResidualLow, nan), append(c.ResidualHigh, nan)
	}
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
	for _, w := range old.Warnings {
		if w.Kind == report.GivenScores || w.Kind == report.MissingScores {
			r.Warnings = append(r.Warnings, w)
		}
	}
	r = onlyScored(r)
	many := a.test(len(r.Systems))
	r.Decisions = a.Protocol.Decisions()
	for _, d := range old.Decisions {
		if d.Name == missingScores {
			r.Decisions = append(r.Decisions, d)
		}
	}
	r.Warnings = append(r.Warnings, r.PartlyScored()...)
	return r, a.conclude(r, many)
}

// onlyScored leaves the items that the first measure has: it says which are compared.
func onlyScored(r *report.Report) *report.Report {
	on := r.On(0)
	if on == r {
		return r
	}
	for _, q := range r.Queries {
		if !slices.ContainsFunc(on.Queries, func(x report.Query) bool { return x.ID == q.ID }) {
			on.Skipped = append(slices.Clone(on.Skipped), q.ID)
		}
	}
	on.Coverage = slices.Clone(on.Coverage)
	for s := range on.Coverage {
		on.Coverage[s].Queries = len(on.Queries)
	}
	on.Stats.Queries, on.Collection.Queries = len(on.Queries), len(on.Queries)
	for m := len(on.Columns) - 1; m >= 0; m-- {
		if describe(&on.Columns[m]); len(on.On(m).Queries) == 0 {
			on.Columns, on.Measures = slices.Delete(on.Columns, m, m+1), slices.Delete(slices.Clone(on.Measures), m, m+1)
		}
	}
	return on
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

// presence is what a rule leaves of a table.
type presence struct {
	systems, items, columns []int
	full                    map[int]map[int]bool // of columns: the items that every system has a score for
	missing                 int                  // scores that the table lacks by the first measure
	named                   []string             // the first of them
	left                    []string             // measures without an item that every system has a score for
}

// mostNamed is how many missing scores are named.
const mostNamed = 6

// present applies a rule. The measure that is tested says which systems and items are compared: those that have a score
// by it. Another measure is over those of these items for which each of these systems has it.
func (t *Table) present(columns []int, rule string) (*presence, error) {
	first := columns[0]
	bySystem, byItem := make([]int, len(t.Systems)), make([]int, len(t.Items))
	for at := range t.values {
		if int(at.measure) == first {
			bySystem[at.system]++
			byItem[at.item]++
		}
	}
	given := func(counts []int) (n int) {
		for _, c := range counts {
			if c > 0 {
				n++
			}
		}
		return n
	}
	nSystems, nItems := given(bySystem), given(byItem)
	if nSystems > 0 && nItems > MaxCells/nSystems/len(columns) {
		return nil, &collection.LimitError{Limit: "MaxCells", Unit: "scores", Max: MaxCells,
			Got: int64(nSystems) * int64(nItems) * int64(len(columns))}
	}
	p := &presence{}
	lack := func(n int, what func() string) {
		if p.missing += n; len(p.named) < mostNamed {
			p.named = append(p.named, what())
		}
	}
	for s, n := range bySystem {
		switch {
		case n == 0:
			lack(1, func() string { return "all of " + say.Visible(t.Systems[s]) })
		case n < nItems:
			for i := range t.Items {
				if v := t.Value(s, i, first); v != v && byItem[i] > 0 {
					lack(1, func() string { return say.Visible(t.Systems[s]) + " on " + say.Visible(t.Items[i]) })
				}
			}
		}
	}
	for i, n := range byItem {
		if n == 0 {
			lack(1, func() string { return "every system on " + say.Visible(t.Items[i]) })
		}
	}
	complete, full := 0, 0
	for s, n := range bySystem {
		if n > 0 && (rule != LeaveSystems || n == nItems) {
			p.systems = append(p.systems, s)
		}
		if n > 0 && n == nItems {
			complete++
		}
	}
	for i, n := range byItem {
		if n > 0 && (rule != LeaveItems || n == nSystems) {
			p.items = append(p.items, i)
		}
		if n == nSystems && n > 0 {
			full++
		}
	}
	if len(p.items) == 0 || len(p.systems) == 0 {
		return nil, t.nothing(columns, complete, full, p)
	}
	p.full = map[int]map[int]bool{}
	for _, m := range columns {
		if p.full[m] = t.full(p, m); m == first || rule == CountZero || len(p.full[m]) > 0 {
			p.columns = append(p.columns, m)
		} else {
			p.left = append(p.left, t.Measures[m])
		}
	}
	return p, nil
}

// full are the items for which every system has a measure.
func (t *Table) full(p *presence, column int) map[int]bool {
	out := map[int]bool{}
	for _, i := range p.items {
		if !slices.ContainsFunc(p.systems, func(s int) bool { v := t.Value(s, i, column); return v != v }) {
			out[i] = true
		}
	}
	return out
}

// nothing says that a rule leaves nothing to compare, and which other one, or which other measure, leaves something.
func (t *Table) nothing(columns []int, complete, full int, p *presence) error {
	by := " by " + t.Measures[columns[0]]
	text := "no " + t.Noun + " has a score" + by + " from every system"
	if len(p.systems) == 0 {
		text = "no system has a score" + by + " for every " + t.Noun
	}
	named := strings.Join(p.named[:min(len(p.named), 4)], ", ")
	if p.missing > 4 {
		named += ", …"
	}
	text += ": " + say.Count(p.missing, "score is", "scores are") + " missing (" + named + "). Instead, "
	var advice []string
	if full > 0 && len(p.systems) == 0 {
		advice = append(advice, "-missing items compares all systems on the "+say.Count(full, t.Noun, plural(t.Noun))+
			" that each has")
	}
	if complete > 1 && len(p.items) == 0 {
		advice = append(advice, "-missing systems compares the "+say.Thousands(complete)+" systems without a gap")
	}
	if m, n := t.fullest(columns[0]); n > 0 {
		advice = append(advice, "-m "+t.Measures[m]+" has "+say.Count(n, t.Noun, plural(t.Noun))+
			" with a score from every system")
	}
	return errors.New(text + say.Or(append(advice, "-missing zero counts each gap 0")))
}

// fullest is the measure, beside one, with the most items that have a score from every system.
func (t *Table) fullest(beside int) (column, items int) {
	counts := map[[2]int32]int{}
	for at := range t.values {
		counts[[2]int32{at.measure, at.item}]++
	}
	full := make([]int, len(t.Measures))
	for at, n := range counts {
		if n == len(t.Systems) {
			full[at[0]]++
		}
	}
	for m, n := range full {
		if m != beside && n > items {
			column, items = m, n
		}
	}
	return column, items
}
