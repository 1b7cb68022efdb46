package main

import (
	"flag"
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// agree says how far several sets of judgments agree and, where runs are given too, whether their order depends on who
// judged.
func agree(c *context, args []string) error {
	f := flag.NewFlagSet("agree", flag.ContinueOnError)
	format := f.String("o", "text", "output: text or json")
	notation := f.String("m", measure.Defaults()[0], "the measure that orders the runs")
	model := f.Bool("model", false, "the last file of judgments is a model's: its bias by grade and, with runs, "+
		"prediction-powered means")
	half := f.Float64("half-width", analysis.HalfWidth,
		"with -model: the half-width of an interval for which the labels are planned")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if err := checkTextOrJSON(*format); err != nil {
		return err
	}
	if !(*half > 0) || math.IsInf(*half, 1) {
		return usagef("-half-width is %v: want a number above 0", *half)
	}
	c.limits = bounds.Limits
	sets, in, taken, err := agreeing(c, words, *quiet)
	if err != nil {
		return err
	}
	if in.Measures = []string{*notation}; len(sets) < 2 {
		return usagef("want at least two files of judgments, then runs if you want their order compared; %s given%s",
			say.Count(len(sets), "file of judgments is", "files of judgments are"), taken)
	}
	sections, err := analysis.Agreement(sets, in, nil)
	if err != nil {
		return err
	}
	if *model {
		s, err := analysis.ModelJudge(sets[0], sets[len(sets)-1], in, *half, nil)
		if err != nil {
			return err
		}
		sections = append(sections, s...)
	}
	return printSections(c, *format, "rankbox-agreement", sections)
}

// agreeing reads judgments and runs. A workspace counts as its layers. taken warns of a file that may have been meant
// for judgments.
func agreeing(c *context, words []string, quiet bool) (sets []analysis.Judgments, in compare.Input, taken string,
	err error) {
	for _, name := range words {
		if isWorkspace(name) {
			w, err := readWorkspace(name, c.limits)
			if err != nil {
				return nil, in, "", err
			}
			sets = append(sets, layersOf(w)...)
			continue
		}
		got, err := readAs(c, name, collection.Unknown)
		if err != nil {
			return nil, in, "", err
		}
		if !quiet {
			warn(c, "agree", got.Warnings)
		}
		switch {
		case got.Run != nil:
			if got.Format == collection.RunJSON && taken == "" {
				taken = ", and " + name + " looks like a run: without a role, grades in JSON are whole numbers of at most 100"
			}
			in.Runs = append(in.Runs, compare.Named{Name: intake.Name(name), Run: got.Run})
		case got.Qrels != nil:
			sets = append(sets, analysis.Judgments{Name: intake.Name(name), Qrels: got.Qrels})
		default:
			return nil, in, "", fmt.Errorf("%s holds neither judgments nor a run: it looks like %s", name, got.Format)
		}
	}
	return sets, in, taken, nil
}

// layersOf are the layers of a workspace that have grades.
func layersOf(w *workspace.Workspace) (out []analysis.Judgments) {
	for _, l := range w.Graders(nil) {
		out = append(out, analysis.Judgments{Name: l.Name, Qrels: l.Qrels})
	}
	return out
}

// printSections writes sections as text, or as JSON of a format.
func printSections(c *context, format, name string, sections []analysis.Section) error {
	out, end := c.output(format)
	defer end()
	if format == "json" {
		_, err := fmt.Fprintf(out, "{\"format\":%q,\"sections\":%s}\n", name, analysis.JSONOf(sections))
		return err
	}
	return analysis.WriteText(out, sections)
}
