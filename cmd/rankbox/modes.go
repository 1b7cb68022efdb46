package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// mode is something that compare prints of the runs.
type mode struct {
	name, usage, about string
	takes              func(x *comparing, word string) // its own first word; nil where it has none
	groups             []group
	run                func(x *comparing) error
	written            []string // what -o takes, where that is not every form of a report
}

// group is flags that belong together.
type group struct {
	title string
	flags func(x *comparing, f *flag.FlagSet)
}

// modes of compare; the first is what it prints where none is named. A file that has the name of a mode is written
// ./name.
var modes = []mode{
	{"", "QRELS RUN… [flags]", "the report: leaderboard, tests and differences, checked against gates and baselines",
		nil,
		[]group{reporting, gatesGroup, measuring, tests, scored, reading}, (*comparing).report, nil},
	{"query", "QUERY QRELS RUN… [flags]", "one query: rankings side by side, arithmetic, what changed",
		func(x *comparing, word string) { x.query = word }, []group{depth, measuring, reading},
		func(x *comparing) error {
			return export.WriteQuery(x.out, x.opened, x.in.Measures[0], x.query, x.depth)
		}, nil},
	{"statistics", "QRELS RUN… [flags]",
		"all tests and corrections, effect sizes, power, equivalence and agreement, on the first measure or " +
			"those of -pairs", nil,
		[]group{statistics, measuring, tests, scored, reading}, (*comparing).statistics, textAndJSON},
	{"conventions", "QRELS RUN… [flags]", "how other tools compute the first measure, and why the values differ", nil,
		[]group{byQuery, measuringOf("m", "policy"), reading}, func(x *comparing) error {
			if x.queries || x.query != "" {
				return export.WriteSaid(x.out, x.opened, x.in.Measures[0], x.query)
			}
			return export.WriteOpinions(x.out, x.opened, x.in.Measures[0])
		}, nil},
	{"analyse", "QRELS RUN… [flags]",
		"analyses by the first measure: components, query types, ranks, posteriors, documents to judge next", nil,
		[]group{analysing, measuring, tests, reading}, (*comparing).analyse, textAndJSON},
	{"reproduce", "STORED QRELS RUN… [flags]",
		"how closely runs reproduce the runs of the same names in a packed file: rankings, values, effects",
		func(x *comparing, word string) {
			x.stored = word
		}, []group{textOrJSON, measuring, reading}, (*comparing).reproduce, textAndJSON},
	{"detective", "CLAIM QRELS RUN… [flags]",
		"trace a published figure such as \"BM25 nDCG@10 0.665\": runs, conventions, other tools, known mistakes",
		func(x *comparing, word string) {
			x.claim = word
		}, []group{textOrJSON, measuringOf("policy"), reading}, (*comparing).detect, textAndJSON},
	{"residuals", "QRELS RUN… [flags]", "bounds of every mean, whatever grades the unjudged documents get", nil,
		[]group{measuringOf("m", "policy"), reading}, func(x *comparing) error {
			return export.WriteResiduals(x.out, x.opened, nil)
		}, nil},
	{"unjudged", "QRELS RUN… [flags]", "the unjudged documents among the first -k of any run", nil,
		[]group{depth, measuringOf("policy"), reading}, func(x *comparing) error {
			return export.WriteUnjudged(x.out, x.opened, x.depth)
		}, nil},
	{"figure", "NAME QRELS RUN… [flags]", "a figure of the first measure, as text, SVG and other formats",
		func(x *comparing, word string) { *x.figure.name = word }, []group{drawing, measuring, tests, scored, reading},
		(*comparing).draw, nil},
	{"link", "QRELS RUN… [flags]", "the fragment of a link that opens the comparison on the site, if it fits", nil,
		[]group{measuring, tests, reading}, (*comparing).link, nil},
	{"pack", "FILE QRELS RUN… [flags]", "write runs and judgments to a single file that any Rankbox opens",
		func(x *comparing, word string) {
			x.packTo = word
		}, []group{measuring, tests, reading}, func(*comparing) error { return nil }, nil},
}

// modeNames lists them.
func modeNames() string {
	var names []string
	for _, m := range modes[1:] {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}

// findMode returns the mode of a name.
func findMode(name string) *mode {
	for i := range modes {
		if modes[i].name == name {
			return &modes[i]
		}
	}
	return &modes[0]
}

var (
	reading = group{"Input", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.besides.queries, "queries", "",
			"a file with the queries' texts, types, difficulties and domains")
		f.StringVar(&x.name, "name", "", "name of the collection")
		f.Func("run-name", "name of a run instead of its file's; give it once for each run, in order",
			func(s string) error {
				x.runNames = append(x.runNames, s)
				return nil
			})
		f.StringVar(&x.separator, "chunks", "",
			"the runs rank chunks: the separator between document id and chunk id, such as #")
		f.StringVar(&x.chunkMap, "map", "", "the runs rank chunks: a file of chunk and document ids")
		f.StringVar(&x.corpus, "corpus", "", "a file of documents, to look up the references of the judgments")
		f.BoolVar(&x.quiet, "quiet", false, "no warnings on standard error")
		x.besides.ids.flags(f)
		x.limits.flags(f)
	}}
	measuring = measuringOf("m", "baseline", "policy")
	tests     = group{"Tests", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.tested[0], "test", "", "the paired test that decides: "+decided("test")+
			"; auto, the default, chooses for the data")
		f.StringVar(&x.tested[1], "correction", "holm", "correction of p for the number of pairs: "+
			decided("correction"))
		f.StringVar(&x.tested[2], "zeros", "wilcox",
			"how Wilcoxon's test treats zero differences: wilcox (drops them), pratt, zsplit")
		f.StringVar(&x.tested[4], "family", "all",
			"pairs to correct p for: all, or baseline for only those with the baseline")
		f.StringVar(&x.tested[5], "wilcoxon", "auto",
			"how to compute Wilcoxon's p: auto (as scipy: exact for up to 50 differences without ties and zeros, or "+
				"13 with them), exact (up to 300 differences, ties and zeros too), normal")
		f.BoolFunc("continuity", "continuity correction of Wilcoxon's normal approximation", func(s string) error {
			on, err := strconv.ParseBool(s)
			x.tested[3] = map[bool]string{true: "on", false: "off"}[on]
			return err
		})
	}}
	reporting = group{"Output", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.format, "o", "text", "output: "+strings.Join(formats(), ", "))
		f.BoolVar(&x.queries, "q", false, "also print every query; with csv, the queries instead of the summary")
		f.StringVar(&x.sort, "sort", "", "with -q in text: order the queries by B-A, -B or spread, largest first")
		f.StringVar(&x.where, "where", "", "with -q in text: only queries that meet this condition, such as B-A>0.1")
		f.StringVar(&x.pairs, "pairs", "",
			"also run paired tests on these measures, separated by spaces or commas; all for every one")
		f.StringVar(&x.packTo, "pack", "", "also write runs and judgments to a single file that any Rankbox opens")
	}}
	gatesGroup = group{"Gates and baselines", func(x *comparing, f *flag.FlagSet) { x.holds.flags(f) }}
	depth      = group{"Output", func(x *comparing, f *flag.FlagSet) {
		f.IntVar(&x.depth, "k", 10, "documents of each ranking")
	}}
	byQuery = group{"Output", func(x *comparing, f *flag.FlagSet) {
		f.BoolVar(&x.queries, "q", false, "query by query")
		f.StringVar(&x.query, "query", "", "of this query")
	}}
	statistics = group{"Output", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.format, "o", "text", "output: text or json; of several measures in JSON one array")
		f.StringVar(&x.pairs, "pairs", "", "on these measures, separated by spaces or commas; all for every one")
		f.Float64Var(&x.margin, "margin", report.DefaultMargin, "runs are equivalent within ± this")
	}}
	drawing = group{"Output", func(x *comparing, f *flag.FlagSet) {
		x.figure.flags(f)
		f.StringVar(&x.format, "o", "text", "output: "+strings.Join(figureFormats(), ", "))
	}}
)

// textAndJSON are the forms of what is no report.
var textAndJSON = []string{"text", "json"}

// measuringOf are the flags of measures that a mode heeds.
func measuringOf(names ...string) group {
	return group{"Measures", func(x *comparing, f *flag.FlagSet) {
		if x.measured = strings.Join(measure.Defaults(), " "); slices.Contains(names, "m") {
			f.StringVar(&x.measured, "m", x.measured,
				"measures, separated by spaces or commas; the first is tested (default for subtopic qrels: "+
					strings.Join(measure.DiverseDefaults()[:3], " ")+" before them; for preferences "+
					strings.Join(measure.PreferenceDefaults(), " ")+")")
		}
		if slices.Contains(names, "baseline") {
			f.StringVar(&x.baseline, "baseline", "1", "the run to compare the others with: its name, letter or number")
		}
		f.StringVar(&x.policies, "policy", "", "switches, as name=option,…: "+policyNames())
	}}
}

// help prints what a mode does, and its flags.
func (m *mode) help(f *flag.FlagSet) {
	w := f.Output()
	fmt.Fprintf(w, "usage: rankbox compare %s\n\n%s.\n", strings.TrimSpace(m.name+" "+m.usage),
		strings.ToUpper(m.about[:1])+m.about[1:])
	if m.name == "" {
		fmt.Fprintf(w, "Instead of QRELS and RUNs, give one packed file, or one zip or folder that holds them; or "+
			"tables of scores, systems by items, alone: docs/files.md.\n\nOther modes, each with its own -h:\n")
		for _, x := range modes[1:] {
			fmt.Fprintf(w, "  rankbox compare %s %s\n      %s\n", x.name, x.usage, x.about)
		}
		fmt.Fprintf(w, "\nThe older forms still work: -query QUERY, -statistics, -conventions, -residuals, "+
			"-unjudged, -figure NAME, -link.\n")
	}
	for _, g := range m.groups {
		fmt.Fprintf(w, "\n%s:\n", g.title)
		own := flag.NewFlagSet("", flag.ContinueOnError)
		own.SetOutput(w)
		g.flags(new(comparing), own)
		printFlags(own)
	}
}

// olderForms adds the flags by which modes were asked for before they had names. Each of those that it returns names
// one.
func olderForms(x *comparing, f *flag.FlagSet) map[string]*bool {
	older := map[string]*bool{}
	for _, name := range []string{"link", "residuals", "unjudged", "conventions", "statistics"} {
		older[name] = f.Bool(name, false, "rankbox compare "+name)
	}
	f.StringVar(&x.query, "query", "", "rankbox compare query")
	f.IntVar(&x.depth, "k", 10, "with -query and -unjudged")
	f.Float64Var(&x.margin, "margin", report.DefaultMargin, "with -statistics")
	x.figure.flags(f)
	return older
}

// older is the mode that was asked for by a flag; the report where there was none.
func (x *comparing) older(asked map[string]*bool) *mode {
	for _, name := range []string{"link", "residuals", "unjudged", "conventions"} {
		if *asked[name] {
			return findMode(name)
		}
	}
	switch {
	case x.query != "":
		return findMode("query")
	case x.figure.given():
		return findMode("figure")
	case *asked["statistics"]:
		return findMode("statistics")
	}
	return &modes[0]
}

// policyNames are the names of the switches of a policy.
func policyNames() string {
	var names []string
	for _, s := range measure.Switches() {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// decided are the options of a decision about tests.
func decided(name string) string {
	all := report.Switches()
	return strings.Join(all[slices.IndexFunc(all, func(s measure.Switch) bool { return s.Name == name })].Options, ", ")
}
