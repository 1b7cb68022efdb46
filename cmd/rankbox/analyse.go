package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/analysis"
)

// analysing is what is printed of analyses.
var analysing = group{"What is printed", func(x *comparing, f *flag.FlagSet) {
	f.StringVar(&x.format, "o", "text", "output: text or json")
	f.StringVar(&x.only, "only", "", "only these, separated by commas: "+strings.Join(analysis.Names(), ", "))
}}

// analyse prints what matters in a comparison, and whether it is luck.
func (x *comparing) analyse() error {
	var names []string
	for _, name := range strings.FieldsFunc(x.only, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(analysis.Names(), name) {
			return usagef("there is no analysis %q; there are %s", name, strings.Join(analysis.Names(), ", "))
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
	sections, err := analysis.Analyse(&analysis.Subject{Report: r, Opened: x.opened}, names...)
	if err != nil {
		return err
	}
	return x.sections(sections, r.Hash)
}

// sections prints analyses.
func (x *comparing) sections(sections []analysis.Section, hash string) error {
	if x.format != "json" {
		return analysis.WriteText(x.out, sections)
	}
	_, err := fmt.Fprintf(x.out, "{\"format\":\"rankbox-analyses\",\"version\":1,\"report\":%s,\"analyses\":%s}\n", strconv.Quote(hash), analysis.JSONOf(sections))
	return err
}
