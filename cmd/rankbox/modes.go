package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/significance"
)

// mode is something that compare prints of the runs.
type mode struct {
	name, usage, about string
	takes              func(x *comparing, word string) // its own first word; nil where it has none
	groups             []group
	run                func(x *comparing) error
}

// group is flags that belong together.
type group struct {
	title string
	flags func(x *comparing, f *flag.FlagSet)
}

// modes of compare; the first is what it prints where none is named. A file that has the name of a mode is written ./name.
var modes = []mode{
	{"", "QRELS RUN… [flags]", "the report: leaderboard, tests, differences; holds it against gates and snapshots", nil,
		[]group{reporting, gatesGroup, measuring, tests, reading}, (*comparing).report},
	{"query", "QUERY QRELS RUN… [flags]", "one query: rankings side by side, arithmetic, what changed",
		func(x *comparing, word string) { x.query = word }, []group{depth, measuring, reading},
		func(x *comparing) error {
			return export.WriteQuery(x.out, x.opened, x.in.Measures[0], x.query, x.depth)
		}},
	{"statistics", "QRELS RUN… [flags]", "all tests and corrections, effect sizes, power, equivalence and agreement, on the first measure or those of -pairs", nil,
		[]group{statistics, measuring, tests, reading}, (*comparing).statistics},
	{"conventions", "QRELS RUN… [flags]", "what other tools say of the first measure, and why", nil,
		[]group{byQuery, measuring, reading}, func(x *comparing) error {
			if x.queries || x.query != "" {
				return export.WriteSaid(x.out, x.opened, x.in.Measures[0], x.query)
			}
			return export.WriteOpinions(x.out, x.opened, x.in.Measures[0])
		}},
	{"analyse", "QRELS RUN… [flags]", "what matters and whether it is luck: components, kinds of queries, places, beliefs, what to judge next; by the first measure", nil,
		[]group{analysing, measuring, tests, reading}, (*comparing).analyse},
	{"reproduce", "STORED QRELS RUN… [flags]", "how near runs come to stored ones of the same names, a file of pack: rankings, values, effects",
		func(x *comparing, word string) { x.stored = word }, []group{textOrJSON, measuring, reading}, (*comparing).reproduce},
	{"detective", "CLAIM QRELS RUN… [flags]", "where a printed figure comes from, as \"BM25 nDCG@10 0.665\": runs, decisions, other tools, known mistakes",
		func(x *comparing, word string) { x.claim = word }, []group{textOrJSON, measuring, reading}, (*comparing).detect},
	{"residuals", "QRELS RUN… [flags]", "between which values every mean lies, whatever is found of the unjudged documents", nil,
		[]group{measuring, reading}, func(x *comparing) error { return export.WriteResiduals(x.out, x.opened, nil) }},
	{"unjudged", "QRELS RUN… [flags]", "the unjudged documents among the first -k of any run", nil,
		[]group{depth, measuring, reading}, func(x *comparing) error { return export.WriteUnjudged(x.out, x.opened, x.depth) }},
	{"figure", "NAME QRELS RUN… [flags]", "a figure of the first measure, as text, SVG and other forms",
		func(x *comparing, word string) { *x.figure.name = word }, []group{drawing, measuring, tests, reading}, (*comparing).draw},
	{"link", "QRELS RUN… [flags]", "the fragment of a link that opens the comparison on the site, where it fits", nil,
		[]group{measuring, tests, reading}, (*comparing).link},
	{"pack", "FILE QRELS RUN… [flags]", "write runs and judgments to a single file that any Rankbox opens",
		func(x *comparing, word string) { x.packTo = word }, []group{measuring, tests, reading}, func(*comparing) error { return nil }},
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
	reading = group{"What is read", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.besides.queries, "queries", "", "a file with the queries' texts, types, difficulties and domains")
		f.StringVar(&x.name, "name", "", "name of the collection")
		f.Func("run-name", "name of a run in the place of that of its file; given once for each run, in their order", func(s string) error {
			x.runNames = append(x.runNames, s)
			return nil
		})
		f.StringVar(&x.separator, "chunks", "", "the runs rank chunks: the separator between a document's id and the chunk's, as #")
		f.StringVar(&x.chunkMap, "map", "", "the runs rank chunks: a file of chunk and document ids")
		f.StringVar(&x.corpus, "corpus", "", "the judgments name documents by references: a file of the documents, in which they are looked up")
		f.BoolVar(&x.quiet, "quiet", false, "no warnings on standard error")
		x.limits.flags(f)
	}}
	measuring = group{"How it is measured", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.measured, "m", strings.Join(measure.Defaults(), " "), "measures, separated by spaces or commas; the first one is tested (default for subtopic qrels: "+
			strings.Join(measure.DiverseDefaults()[:3], " ")+" before them; for preferences "+strings.Join(measure.PreferenceDefaults(), " ")+")")
		f.StringVar(&x.baseline, "baseline", "1", "the run that the others are compared with: its name, letter or number")
		f.StringVar(&x.policies, "policy", "", "switches, as name=option,…: "+policyNames())
	}}
	tests = group{"How it is tested", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.tested[0], "test", "", "the paired test that counts: "+decided("test")+"; auto chooses for the data, as does none given")
		f.StringVar(&x.tested[1], "correction", "holm", "correction of p for the number of pairs: "+decided("correction"))
		f.StringVar(&x.tested[2], "zeros", "wilcox", "what Wilcoxon's test does with differences of zero: wilcox (leaves them out), pratt, zsplit")
		f.StringVar(&x.tested[4], "family", "all", "pairs that p is corrected over: all, or baseline, those with the baseline only")
		f.StringVar(&x.tested[5], "wilcoxon", "auto", "how Wilcoxon's p is found: auto (as scipy: exact for up to 50 differences without ties and zeros, or 13 with them), exact (up to 300 differences, ties and zeros too), normal")
		f.BoolFunc("continuity", "continuity correction of Wilcoxon's normal approximation", func(s string) error {
			on, err := strconv.ParseBool(s)
			x.tested[3] = map[bool]string{true: "on", false: "off"}[on]
			return err
		})
	}}
	reporting = group{"What is printed", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.format, "o", "text", "output: "+strings.Join(formats(), ", "))
		f.BoolVar(&x.queries, "q", false, "every query too; with csv, the queries instead of the summary")
		f.StringVar(&x.sort, "sort", "", "with -q in text: order of the queries, as B-A, -B, spread; largest first")
		f.StringVar(&x.where, "where", "", "with -q in text: only queries for which this holds, as B-A>0.1")
		f.StringVar(&x.pairs, "pairs", "", "paired tests on these measures too, separated by spaces or commas; all for every one")
		f.StringVar(&x.packTo, "pack", "", "write runs and judgments to a single file that any Rankbox opens, too")
	}}
	gatesGroup = group{"What it has to meet", func(x *comparing, f *flag.FlagSet) { x.holds.flags(f) }}
	depth      = group{"What is printed", func(x *comparing, f *flag.FlagSet) { f.IntVar(&x.depth, "k", 10, "documents of each ranking") }}
	byQuery    = group{"What is printed", func(x *comparing, f *flag.FlagSet) {
		f.BoolVar(&x.queries, "q", false, "query by query")
		f.StringVar(&x.query, "query", "", "of this query")
	}}
	statistics = group{"What is printed", func(x *comparing, f *flag.FlagSet) {
		f.StringVar(&x.format, "o", "text", "output: text or json; of several measures in JSON one array")
		f.StringVar(&x.pairs, "pairs", "", "on these measures, separated by spaces or commas; all for every one")
		f.Float64Var(&x.margin, "margin", report.DefaultMargin, "runs are equivalent within ± this")
		f.IntVar(&x.samples, "samples", 0, "resamples where nothing is exact; 0 for "+strconv.Itoa(significance.DefaultSamples))
	}}
	drawing = group{"What is printed", func(x *comparing, f *flag.FlagSet) {
		x.figure.flags(f)
		f.StringVar(&x.format, "o", "text", "output: "+strings.Join(figureFormats(), ", "))
	}}
)

// help prints what a mode does, and its flags.
func (m *mode) help(f *flag.FlagSet) {
	w := f.Output()
	fmt.Fprintf(w, "usage: rankbox compare %s\n\n%s.\n", strings.TrimSpace(m.name+" "+m.usage), strings.ToUpper(m.about[:1])+m.about[1:])
	if m.name == "" {
		fmt.Fprintf(w, "QRELS and RUNs may be one file of pack, or one zip or folder that holds them.\n\nOther modes, each with its own -h:\n")
		for _, x := range modes[1:] {
			fmt.Fprintf(w, "  rankbox compare %s %s\n      %s\n", x.name, x.usage, x.about)
		}
		fmt.Fprintf(w, "\nThe older forms of these stay: -query QUERY, -statistics, -conventions, -residuals, -unjudged, -figure NAME, -link.\n")
	}
	for _, g := range m.groups {
		fmt.Fprintf(w, "\n%s:\n", g.title)
		own := flag.NewFlagSet("", flag.ContinueOnError)
		own.SetOutput(w)
		g.flags(new(comparing), own)
		own.PrintDefaults()
	}
}

// olderForms adds the flags by which modes were asked for before they had names. Each of those that it returns names one.
func olderForms(x *comparing, f *flag.FlagSet) map[string]*bool {
	older := map[string]*bool{}
	for _, name := range []string{"link", "residuals", "unjudged", "conventions", "statistics"} {
		older[name] = f.Bool(name, false, "rankbox compare "+name)
	}
	f.StringVar(&x.query, "query", "", "rankbox compare query")
	f.IntVar(&x.depth, "k", 10, "with -query and -unjudged")
	f.Float64Var(&x.margin, "margin", report.DefaultMargin, "with -statistics")
	f.IntVar(&x.samples, "samples", 0, "with -statistics")
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
