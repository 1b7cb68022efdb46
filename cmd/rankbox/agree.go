package main

import (
	"flag"
	"fmt"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
)

// agree says how far several sets of judgments agree and, where runs are given too, whether their order depends on who judged.
func agree(c *context, args []string) error {
	f := flag.NewFlagSet("agree", flag.ContinueOnError)
	format := f.String("o", "text", "output: text or json")
	notation := f.String("m", measure.Defaults()[0], "the measure that orders the runs")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if *format != "text" && *format != "json" {
		return usagef("output %q is not text or json", *format)
	}
	c.limits = bounds.Limits
	var sets []analysis.Judgments
	taken := "" // what is said of a file that may have been meant for judgments
	in := compare.Input{Measures: []string{*notation}}
	for _, name := range words {
		got, err := readAs(c, name, collection.Unknown)
		if err != nil {
			return err
		}
		if !*quiet {
			warn(c, "agree", got.Warnings)
		}
		switch {
		case got.Run != nil:
			if got.Format == collection.RunJSON && taken == "" {
				taken = ", and " + name + " looks like a run: grades are whole numbers of at most 100"
			}
			in.Runs = append(in.Runs, compare.Named{Name: intake.Name(name), Run: got.Run})
		case got.Qrels != nil:
			sets = append(sets, analysis.Judgments{Name: intake.Name(name), Qrels: got.Qrels})
		default:
			return fmt.Errorf("%s holds neither judgments nor a run: it looks like %s", name, got.Format)
		}
	}
	if len(sets) < 2 {
		return usagef("want at least two files of judgments, then runs if you want their order compared; %s given%s", say.Count(len(sets), "file of judgments is", "files of judgments are"), taken)
	}
	first, err := analysis.Judges(sets)
	if err != nil {
		return err
	}
	sections := []analysis.Section{first}
	if len(in.Runs) > 0 {
		s, err := analysis.JudgedOrder(sets, in, nil)
		if err != nil {
			return err
		}
		sections = append(sections, s)
	}
	out, end := c.output(*format)
	defer end()
	if *format == "json" {
		_, err := fmt.Fprintf(out, "{\"format\":\"rankbox-agreement\",\"sections\":%s}\n", analysis.JSONOf(sections))
		return err
	}
	return analysis.WriteText(out, sections)
}
