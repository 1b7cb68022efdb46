package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/measure"
)

// readSnapshot reads a report of -save or of -q -o json, or runs of -pack whose report it makes.
func readSnapshot(name string) (*report.Report, error) {
	b, err := readFile(name, intake.MaxPacked)
	if err != nil {
		return nil, err
	}
	var r *report.Report
	switch {
	case packed.IsReport(b):
		r, err = packed.UnpackReport(b)
	case bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("{")):
		r, err = parseReport(b)
	default:
		var f *packed.File
		if f, err = packed.Unpack(b); err == nil {
			return compare.Compare(f.Input, nil, nil)
		}
	}
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	return r, nil
}

// parseReport reads of a report's JSON what a later report is held against: runs, measures and the values of every
// query.
func parseReport(b []byte) (*report.Report, error) {
	k, err := decodeReport(b)
	if err != nil {
		return nil, err
	}
	stored := k.report.Hash
	if k.report.Seal(); !k.former && stored != k.report.Hash {
		return nil, say.Faultf("report", "it was edited after it was written: its values do not match its hash")
	}
	return k.report, nil
}

// jsonReport is what is read of a report's JSON.
type jsonReport struct {
	Format, Hash, Baseline string
	Digest                 string // only earlier versions wrote it
	Data                   string // packed.Carry of the report
	Version                int
	Collection             struct {
		Judgments int
		Digest    string         `json:"judgments_digest"`
		Grades    map[string]int // by grade
	}
	Policies map[string]string
	Runs     []struct {
		Name     string
		Fell     []string `json:"fell_back_queries"`
		Measures map[string]jsonFigures
	}
	Measures []struct {
		Measure, Applied string
		Smaller          bool `json:"smaller_is_better"`
	}
	Pairs   []map[string]any
	Further []struct{ Measure string } `json:"further_tests"`
	Queries []struct {
		Query    string
		Relevant int
		Values   map[string][]*float64 // null: no number
	}
}

// jsonFigures are those of a run on a measure.
type jsonFigures struct {
	Mean, Low, High, Median *float64
	Groups                  string
	Geometric               *float64 `json:"geometric_mean"`
	TieLow                  *float64 `json:"tie_low"`
	TieHigh                 *float64 `json:"tie_high"`
	ResidualLow             *float64 `json:"residual_low"`
	ResidualHigh            *float64 `json:"residual_high"`
}

// storedReport is a report that was read from JSON.
type storedReport struct {
	report  *report.Report
	tests   []*report.Tests // on measures after the first
	further []int           // columns of further_tests
	former  bool            // an earlier version wrote it, with another hash
	data    *report.Report  // that it carries, nil for none
}

// decodeReport reads a report's JSON with everything that its hash covers.
func decodeReport(b []byte) (*storedReport, error) {
	var j jsonReport
	if err := json.Unmarshal(b, &j); err != nil {
		return nil, say.Faultf("report", "%w", err)
	}
	switch {
	case j.Format != "rankbox-report":
		return nil, say.Faultf("report", "this JSON is not a report: its format is not \"rankbox-report\"")
	case j.Version != export.Version:
		return nil, say.Faultf("report", "version %d is not %d", j.Version, export.Version)
	case len(j.Runs) == 0 || len(j.Measures) == 0:
		return nil, say.Faultf("report", "there are no runs or no measures")
	case len(j.Queries) == 0:
		return nil, say.Faultf("report", "it has no values by query: write it with -q -o json, or with -save")
	}
	k := &storedReport{report: &report.Report{Hash: j.Hash}, former: j.Digest != ""}
	if err := j.about(k.report); err != nil {
		return nil, err
	}
	if err := j.values(k.report); err != nil {
		return nil, err
	}
	j.figures(k.report)
	k.tests = j.pairs(k.report)
	for _, t := range j.Further {
		k.further = append(k.further, slices.Index(k.report.Measures, t.Measure))
	}
	if j.Data != "" {
		var err error
		if k.data, err = packed.Carried(j.Data); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// about fills what the report is of: judgments, decisions, runs.
func (j *jsonReport) about(r *report.Report) error {
	r.Stats.Judgments, r.Stats.Digest = j.Collection.Judgments, j.Collection.Digest
	for grade, count := range j.Collection.Grades {
		g, err := strconv.ParseFloat(grade, 64)
		if err != nil {
			return say.Faultf("report", "grade %q is not a number", grade)
		}
		r.Stats.Grades = append(r.Stats.Grades, report.Grade{Grade: g, Count: count})
	}
	slices.SortFunc(r.Stats.Grades, func(a, b report.Grade) int { return cmp.Compare(a.Grade, b.Grade) })
	r.Decisions = decisionsOf(j.Policies)
	for i, s := range j.Runs {
		r.Systems = append(r.Systems, report.System{Label: s.Name})
		if s.Name == j.Baseline {
			r.Baseline = i
		}
		if len(s.Fell) > 0 {
			w := report.Warning{Kind: report.FellBack, System: i, Column: -1, N: len(s.Fell), Names: s.Fell}
			r.Warnings = append(r.Warnings, w)
		}
	}
	return nil
}

// decisionsOf are the decisions of a report in their order: those that this version knows as it makes them, then the
// others.
func decisionsOf(policies map[string]string) (out []report.Decision) {
	var p measure.Policy
	var t report.Protocol
	left := maps.Clone(policies)
	for name, option := range policies {
		known, err := t.Set(name, option)
		if !known && option != "default" { // which is written for a number that nobody set
			err = p.Set(name, option)
		}
		if err == nil {
			delete(left, name)
		}
	}
	for _, d := range evaluation.Decisions(p, t) {
		if _, there := policies[d.Name]; there {
			if _, unknown := left[d.Name]; !unknown {
				out = append(out, d)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		out = append(out, report.Decision{Name: name, Option: left[name]})
	}
	return out
}

// values fills columns and queries.
func (j *jsonReport) values(r *report.Report) error {
	for _, m := range j.Measures {
		r.Measures = append(r.Measures, m.Measure)
		c := report.Column{Measure: m.Measure, Applied: m.Applied, Lower: m.Smaller}
		c.Values = make([][]float64, len(j.Runs))
		r.Columns = append(r.Columns, c)
	}
	for _, q := range j.Queries {
		r.Queries = append(r.Queries, report.Query{ID: q.Query, Relevant: q.Relevant})
		for m := range r.Columns {
			c := &r.Columns[m]
			values := q.Values[c.Measure]
			if len(values) != len(j.Runs) {
				return say.Faultf("report", "query %q has %d values of %s for %d runs", q.Query, len(values), c.Measure,
					len(j.Runs))
			}
			for s, v := range values {
				c.Values[s] = append(c.Values[s], number(v))
			}
		}
	}
	return nil
}

// number is a figure of JSON: null is none.
func number(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// figures fills what was computed of the values. A figure that is missing is no number.
func (j *jsonReport) figures(r *report.Report) {
	for m := range r.Columns {
		c := &r.Columns[m]
		for _, run := range j.Runs {
			f := run.Measures[c.Measure]
			c.Means, c.Groups = append(c.Means, number(f.Mean)), append(c.Groups, f.Groups)
			c.Low, c.High = append(c.Low, number(f.Low)), append(c.High, number(f.High))
			c.Geometric, c.Median = append(c.Geometric, number(f.Geometric)), append(c.Median, number(f.Median))
			c.TieLow, c.TieHigh = append(c.TieLow, number(f.TieLow)), append(c.TieHigh, number(f.TieHigh))
			c.ResidualLow = append(c.ResidualLow, number(f.ResidualLow))
			c.ResidualHigh = append(c.ResidualHigh, number(f.ResidualHigh))
		}
	}
}

// pairs fills the tests on the first measure and returns those on others. What names no run or measure is passed over.
func (j *jsonReport) pairs(r *report.Report) (further []*report.Tests) {
	system := func(name any) int {
		return slices.IndexFunc(r.Systems, func(s report.System) bool { return s.Label == name })
	}
	key := "p_" + r.CorrectionKey()
	for _, x := range j.Pairs {
		figure := func(name string) float64 {
			if v, ok := x[name].(float64); ok {
				return v
			}
			return math.NaN()
		}
		count := func(name string) int {
			v, _ := x[name].(float64)
			return int(v)
		}
		p := report.Pair{A: system(x["a"]), B: system(x["b"]), Diff: figure("difference"),
			Low: figure("low"), High: figure("high"), P: figure("p"), Adjusted: figure(key), Effect: figure("d_z"),
			Better: count("better"), Worse: count("worse"), Equal: count("equal")}
		m := slices.IndexFunc(r.Measures, func(m string) bool { return m == x["measure"] })
		switch {
		case p.A < 0 || p.B < 0 || m < 0:
		case m == 0:
			r.Pairs = append(r.Pairs, p)
		case len(further) > 0 && further[len(further)-1].Column == m:
			further[len(further)-1].Pairs = append(further[len(further)-1].Pairs, p)
		default:
			further = append(further, &report.Tests{Column: m, Pairs: []report.Pair{p}})
		}
	}
	return further
}
