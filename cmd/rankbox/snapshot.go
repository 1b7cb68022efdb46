package main

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share/packed"
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

// parseReport reads of a report's JSON what a later report is held against: runs, measures and the values of every query.
func parseReport(b []byte) (*report.Report, error) {
	var j struct {
		Format     string
		Version    int
		Digest     string
		Collection struct {
			Judgments int
			Digest    string `json:"judgments_digest"`
		}
		Policies map[string]string
		Runs     []struct{ Name string }
		Measures []struct {
			Measure string
			Smaller bool `json:"smaller_is_better"`
		}
		Queries []struct {
			Query    string
			Relevant int
			Values   map[string][]*float64 // null: no number
		}
	}
	if err := json.Unmarshal(b, &j); err != nil {
		return nil, say.Faultf("report", "%w", err)
	}
	switch {
	case j.Format != "rankbox-report":
		return nil, say.Faultf("report", "this JSON is no report: its format is not \"rankbox-report\"")
	case j.Version != export.Version:
		return nil, say.Faultf("report", "version %d is not %d", j.Version, export.Version)
	case len(j.Runs) == 0 || len(j.Measures) == 0:
		return nil, say.Faultf("report", "there are no runs or no measures")
	case len(j.Queries) == 0:
		return nil, say.Faultf("report", "there are no values by query: write it with -q -o json, or with -save")
	}
	r := &report.Report{}
	r.Stats.Judgments, r.Stats.Digest = j.Collection.Judgments, j.Collection.Digest
	for name, option := range j.Policies {
		r.Decisions = append(r.Decisions, report.Decision{Name: name, Option: option})
	}
	for _, s := range j.Runs {
		r.Systems = append(r.Systems, report.System{Label: s.Name})
	}
	for _, m := range j.Measures {
		r.Measures = append(r.Measures, m.Measure)
		r.Columns = append(r.Columns, report.Column{Measure: m.Measure, Lower: m.Smaller, Values: make([][]float64, len(j.Runs))})
	}
	for _, q := range j.Queries {
		r.Queries = append(r.Queries, report.Query{ID: q.Query, Relevant: q.Relevant})
		for m := range r.Columns {
			c := &r.Columns[m]
			values := q.Values[c.Measure]
			if len(values) != len(j.Runs) {
				return nil, say.Faultf("report", "query %q has %d values of %s for %d runs", q.Query, len(values), c.Measure, len(j.Runs))
			}
			for s, v := range values {
				if v == nil {
					c.Values[s] = append(c.Values[s], math.NaN())
				} else {
					c.Values[s] = append(c.Values[s], *v)
				}
			}
		}
	}
	if j.Digest != "" && j.Digest != export.Digest(r) { // those of the first versions have none
		return nil, say.Faultf("report", "it was changed after it was written: its values are not those that its digest is of")
	}
	return r, nil
}
