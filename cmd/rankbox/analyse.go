package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
)

// analysing is what is printed of analyses.
var analysing = group{"Output", func(x *comparing, f *flag.FlagSet) {
	f.StringVar(&x.format, "o", "text", "output: text or json")
	f.StringVar(&x.only, "only", "", "only these analyses, separated by commas: "+strings.Join(analysis.Names(), ", "))
}}

// textOrJSON is how a single one is printed.
var textOrJSON = group{"Output", func(x *comparing, f *flag.FlagSet) {
	f.StringVar(&x.format, "o", "text", "output: text or json")
}}

// reproduce prints how near the runs come to stored ones.
func (x *comparing) reproduce() error {
	data, err := readFile(x.stored, intake.MaxPacked)
	if err != nil {
		return err
	}
	file, err := packed.Unpack(data)
	if err != nil {
		return say.Faultf("rankbox", "%s: %w", x.stored, err)
	}
	r, err := x.whole()
	if err != nil {
		return err
	}
	file.Input.Measures = []string{r.Measures[0]}
	old, err := compare.Open(file.Input)
	if err != nil {
		return say.Faultf("rankbox", "%s: %w", x.stored, err)
	}
	before, err := old.Report(nil, nil)
	if err != nil {
		return err
	}
	s, err := analysis.Reproduction(old, x.opened, before, r)
	if err != nil {
		return err
	}
	return x.sections([]analysis.Section{s}, r)
}

// detect prints where a figure comes from.
func (x *comparing) detect() error {
	claim, err := analysis.ReadClaim(x.claim)
	if err != nil {
		return usageError{err}
	}
	r, err := x.whole()
	if err != nil {
		return err
	}
	checked, err := analysis.Check(claim, *x.in, say.Plain, nil)
	if err != nil {
		return err
	}
	s, err := analysis.Detect(claim, *x.in, say.Plain, nil)
	if err != nil {
		return err
	}
	return x.sections([]analysis.Section{checked.Section(), s}, r)
}

// analyse prints what matters in a comparison, and whether it is luck.
func (x *comparing) analyse() error {
	var names []string
	for _, name := range strings.FieldsFunc(x.only, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(analysis.Names(), name) {
			return usagef("unknown analysis %q; the analyses are %s", name, strings.Join(analysis.Names(), ", "))
		}
		names = append(names, name)
	}
	if x.format != "text" && x.format != "json" {
		return usagef("analyses are written as text or json, not %s", x.format)
	}
	r, err := x.whole()
	if err != nil {
		return err
	}
	sections, err := analysis.Analyse(&analysis.Subject{Report: r, Opened: x.opened, Style: say.Plain}, names...)
	if err != nil {
		return err
	}
	return x.sections(sections, r)
}

// sections prints analyses.
func (x *comparing) sections(sections []analysis.Section, r *report.Report) error {
	if x.format != "json" {
		return analysis.WriteText(x.out, sections)
	}
	var said []string
	for _, w := range say.Alike(r.Doubts(say.Plain)) {
		said = append(said, quote(w))
	}
	_, err := fmt.Fprintf(x.out, "{\"format\":\"rankbox-analyses\",\"version\":1,\"report\":%s,\"warnings\":[%s],\"analyses\":%s}\n",
		strconv.Quote(r.Hash), strings.Join(said, ","), analysis.JSONOf(sections))
	return err
}
