//go:build js && !search

package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/measure"
)

// functions are what index.js calls. A file is an array of its name and its bytes.
var functions = map[string]func(args []js.Value) (any, error){"evaluate": evaluate, "compare": compareRuns}

func prepare() {}

// input joins judgments (the first file) and runs, which get names where there are any.
func input(files, names js.Value) (compare.Input, []collection.Warning, error) {
	var read []*intake.File
	for i := range files.Length() {
		role := intake.Runs
		if i == 0 {
			role = intake.Judgments
		}
		from := files.Index(i)
		f, err := intake.Read(nameOf(from), role, bytes.NewReader(bytesOf(from)), collection.Options{})
		if err != nil {
			return compare.Input{}, nil, err
		}
		read = append(read, f)
	}
	got := intake.Gather(read, intake.Rule{})
	var warnings []collection.Warning
	for i, told := range got.Files {
		warnings = append(warnings, told.Warnings...)
		if told.Problem != nil {
			return got.Input, nil, fmt.Errorf("%s: %w", read[i].Name, told.Problem)
		}
	}
	in := got.Input
	if len(in.Runs) == 0 {
		return in, nil, errors.New("there are no runs")
	}
	if n := names.Length(); n != len(in.Runs) {
		return in, nil, fmt.Errorf("%s for %s: give one file for each run, not a zip of several",
			say.Count(n, "name", "names"), say.Count(len(in.Runs), "run", "runs"))
	}
	for i := range in.Runs {
		in.Runs[i].Name = names.Index(i).String()
	}
	return in, warnings, nil
}

// measured evaluates one run: args are those of evaluate.
func measured(args []js.Value) (*measure.Result, []collection.Warning, error) {
	in, warnings, err := input(args[0], args[1])
	if err != nil {
		return nil, nil, err
	}
	ms, err := measure.ParseList(args[2].String())
	if err != nil {
		return nil, nil, err
	}
	if len(ms) == 0 {
		return nil, nil, errors.New("want at least one measure, as nDCG@10")
	}
	for _, m := range ms {
		in.Measures = append(in.Measures, m.String())
	}
	if err := setPolicy(&in.Policy, args[3].String()); err != nil {
		return nil, nil, err
	}
	c, err := compare.Open(in)
	if err != nil {
		return nil, nil, err
	}
	if err := c.Belong(); err != nil {
		return nil, nil, err
	}
	topics := make([]measure.Topic, len(c.Queries()))
	for q := range topics {
		t := &topics[q]
		c.Topic(t, 0, q)
		t.Ranked, t.Scores = slices.Clone(t.Ranked), slices.Clone(t.Scores) // the comparison uses its own again
	}
	warnings = append(warnings, collection.Check(in.Runs[0].Run, in.Qrels, in.Runs[0].Name)...)
	return measure.Evaluate(topics, ms, in.Policy), warnings, nil
}

// evaluate(files, names, measures, policy) measures one run: {measures: {nDCG@10: mean}, queries: {q1: {nDCG@10:
// value}}, warnings}, as `rankbox eval -q -o json` prints them.
func evaluate(args []js.Value) (any, error) {
	x, warnings, err := measured(args)
	if err != nil {
		return nil, err
	}
	summary, queries := object(), object()
	for i, m := range x.Measures {
		summary.Set(m.String(), x.Summary(i))
	}
	for q, id := range x.Queries {
		values := object()
		for i, m := range x.Measures {
			values.Set(m.String(), x.Values[i][q])
		}
		queries.Set(id, values)
	}
	return record("measures", summary, "queries", queries, "warnings", told(warnings)), nil
}

// compared compares runs: args are those of compareRuns. besides names measures that a figure needs beside the first.
func compared(args []js.Value, besides func(first string) []string) (*report.Report, *compare.Input,
	[]collection.Warning, error) {
	in, warnings, err := input(args[0], args[1])
	if err != nil {
		return nil, nil, nil, err
	}
	ms, err := measure.ParseList(args[2].String())
	if err != nil {
		return nil, nil, nil, err
	}
	for _, m := range ms {
		in.Measures = append(in.Measures, m.String())
	}
	if len(ms) == 0 {
		in.Measures = slices.Clone(in.Defaults())
	}
	if besides != nil {
		for _, m := range besides(in.Measures[0]) {
			if !slices.Contains(in.Measures, m) {
				in.Measures = append(in.Measures, m)
			}
		}
	}
	if err := setPolicy(&in.Policy, args[3].String()); err != nil {
		return nil, nil, nil, err
	}
	for i := 0; i+1 < args[4].Length(); i += 2 {
		if _, err := in.Protocol.Set(args[4].Index(i).String(), args[4].Index(i+1).String()); err != nil {
			return nil, nil, nil, err
		}
	}
	in.Baseline = args[5].Int()
	c, err := compare.Open(in)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := c.Belong(); err != nil {
		return nil, nil, nil, err
	}
	r, err := c.Report(nil, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	return r, &in, warnings, gates.Answered(r)
}

// compareRuns(files, names, measures, policy, protocol, baseline) compares runs: {json, warnings}, where json is what
// `rankbox compare -q -o json` prints. protocol has pairs of a name and an option, as "test", "t-test".
func compareRuns(args []js.Value) (any, error) {
	r, _, warnings, err := compared(args, nil)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := export.Write(&b, r, "json", export.Detail{Queries: true}); err != nil {
		return nil, err
	}
	return record("json", b.String(), "warnings", told(warnings)), nil
}

func setPolicy(p *measure.Policy, text string) error {
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, option, _ := strings.Cut(s, "=")
		if err := p.Set(name, option); err != nil {
			return err
		}
	}
	return nil
}
