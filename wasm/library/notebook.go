//go:build js && !search && notebook

package main

import (
	"encoding/json"
	"slices"
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart"
	"github.com/rankbox/rankbox/core/present/chart/facts"
)

// The Python package in a browser has figures too, and takes evaluations as text: an object of JavaScript moves
// queries whose ids are numbers to the front.
func init() { functions["figure"], functions["evaluation"] = figure, evaluation }

// evaluation is evaluate as {json, warnings}, in the order of the judgments.
func evaluation(args []js.Value) (any, error) {
	x, warnings, err := measured(args)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	values := func(of func(i int) float64) error {
		for i, m := range x.Measures {
			b.WriteByte("{,"[min(i, 1)])
			if err := member(&b, m.String(), of(i)); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	}
	b.WriteString(`{"measures":`)
	if err := values(x.Summary); err != nil {
		return nil, err
	}
	b.WriteString(`,"queries":`)
	for q, id := range x.Queries {
		b.WriteByte("{,"[min(q, 1)])
		if err := member(&b, id, nil); err != nil {
			return nil, err
		}
		if err := values(func(i int) float64 { return x.Values[i][q] }); err != nil {
			return nil, err
		}
	}
	b.WriteString(`},"warnings":`)
	said, err := json.Marshal(told(warnings))
	if err != nil {
		return nil, err
	}
	b.Write(said)
	b.WriteByte('}')
	return record("json", b.String(), "warnings", told(warnings)), nil
}

// member writes a name, a colon, and the value unless it is nil.
func member(b *strings.Builder, name string, value any) error {
	key, err := json.Marshal(name)
	if err != nil {
		return err
	}
	b.Write(key)
	b.WriteByte(':')
	if value == nil {
		return nil
	}
	text, err := json.Marshal(value)
	b.Write(text)
	return err
}

// figure(files, names, measures, policy, protocol, baseline, figure, theme) compares runs and draws a figure: the SVG
// that `rankbox compare figure` writes.
func figure(args []js.Value) (any, error) {
	f, err := chart.Lookup(args[6].String())
	if err != nil {
		return nil, err
	}
	svg, err := chart.LookupFormat("svg")
	if err != nil {
		return nil, err
	}
	theme := slices.Index(chart.Themes(), args[7].String())
	if theme < 0 {
		return nil, say.Faultf("rankbox", "theme %q is not one of %s", args[7].String(),
			strings.Join(chart.Themes(), ", "))
	}
	r, in, _, err := compared(args, f.Measures)
	if err != nil {
		return nil, err
	}
	d := f.Draw(chart.NewInput(r, facts.Of(r, in), svg))
	if d == nil {
		return nil, say.Faultf("rankbox", "figure %s needs %s", f.Name, f.Needs)
	}
	return svg.Write(d, chart.Theme(theme)), nil
}
