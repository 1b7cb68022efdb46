package main

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// gateError says that everything could be measured and a condition is not met: exit code 1.
type gateError struct{ error }

// compareRuns prints the report of several runs, the one that the Compare page shows.
func compareRuns(c *context, args []string) error {
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	measures := f.String("m", strings.Join(experiment.DefaultMeasures, " "), "measures, separated by spaces or commas; the first one is tested (default for subtopic qrels: "+strings.Join(compare.Defaults(true)[:3], " ")+" before them; for preferences "+strings.Join((&compare.Input{Preferences: collection.NewPreferences()}).Defaults(), " ")+")")
	baseline := f.String("baseline", "1", "the run that the others are compared with: its name, letter or number")
	var formats []string
	for _, x := range export.Formats() {
		formats = append(formats, x.Name)
	}
	format := f.String("o", "text", "output: "+strings.Join(formats, ", "))
	queries := f.Bool("q", false, "every query too; with csv, the queries instead of the summary")
	sort := f.String("sort", "", "with -q in text: order of the queries, as B-A, -B, spread; largest first")
	where := f.String("where", "", "with -q in text: only queries for which this holds, as B-A>0.1")
	query := f.String("query", "", "show one query instead: rankings side by side, arithmetic, what changed")
	depth := f.Int("k", 10, "with -query and -unjudged: documents of each ranking")
	conventions := f.Bool("conventions", false, "show instead what other tools say of the first measure, and why; with -q or -query, query by query")
	residuals := f.Bool("residuals", false, "show instead between which values every mean lies, whatever is found of the unjudged documents")
	pairs := f.String("pairs", "", "paired tests on these measures too, separated by spaces or commas; all for every one")
	statistics := f.Bool("statistics", false, "show instead all tests and corrections, effect sizes, power, equivalence and agreement, on the first measure or those of -pairs; -o text or json")
	tests := f.String("test", "", "the paired test that counts: t, randomisation, wilcoxon, sign; chosen for the data otherwise")
	correction := f.String("correction", "holm", "correction of p for the number of pairs: bonferroni, sidak, holm, holm-sidak, hochberg, hommel, bh, by, none")
	zeros := f.String("zeros", "wilcox", "what Wilcoxon's test does with differences of zero: wilcox (leaves them out), pratt, zsplit")
	continuity := f.Bool("continuity", false, "continuity correction of Wilcoxon's normal approximation")
	margin := f.Float64("margin", report.DefaultMargin, "with -statistics: runs are equivalent within ± this")
	samples := f.Int("samples", 0, "with -statistics: resamples where nothing is exact; 0 for "+strconv.Itoa(significance.DefaultSamples))
	unjudged := f.Bool("unjudged", false, "list instead the unjudged documents among the first -k of any run")
	policies := f.String("policy", "", "switches, as name=option,…: ties, missing, unjudged, gain, empty, rel, depth, precision")
	var gates []export.Gate
	f.Func("gate", "a condition; exit code 1 where a run does not meet it; may be given several times: "+export.Grammar, func(s string) error {
		g, err := export.ParseGate(s)
		gates = append(gates, g)
		return err
	})
	sure := f.Bool("sure", false, "gates fail only where the test says that it is no chance")
	save := f.String("save", "", "write the report to a file, to compare a later one against")
	against := f.String("against", "", "a report of -save or of -q -o json, or a file of -pack: exit code 1 where a measure regressed")
	threshold := f.String("threshold", "5%", "with -against: the change that counts, as 5%, 0.02 or both with a comma")
	pack := f.String("pack", "", "write runs and judgments to a single file that any Rankbox opens")
	link := f.Bool("link", false, "print a link's fragment instead: everything packed, where it fits")
	texts := f.String("queries", "", "a file with the queries' texts, types, difficulties and domains")
	name := f.String("name", "", "name of the collection")
	chunks := f.String("chunks", "", "the runs rank chunks: the separator between a document's id and the chunk's, as #")
	chunkMap := f.String("map", "", "the runs rank chunks: a file of chunk and document ids")
	corpus := f.String("corpus", "", "the judgments name documents by references: a file of the documents, in which they are looked up")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	figure := addFigure(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usagef("want qrels and at least one run, or a file of -pack")
	}
	known := figure.given()
	if known {
		if err := figure.check(*format); err != nil {
			return err
		}
	}
	for _, x := range formats {
		known = known || x == *format
	}
	if !known {
		return usagef("output %q is not one of %s", *format, strings.Join(formats, ", "))
	}
	if _, err = significance.LookupZeros(*zeros); err != nil {
		return usageError{err}
	}
	if *tests != "" {
		if _, err := significance.Lookup(*tests); err != nil {
			return usageError{err}
		}
	}
	if _, err := significance.LookupCorrection(*correction); err != nil && (*correction != report.NoCorrection || *statistics) {
		return usageError{err}
	}
	if !(*margin > 0) || math.IsInf(*margin, 0) || *samples < 0 || *samples > significance.MaxSamples {
		return usagef("-margin must be above 0 and -samples between 0 and %d", significance.MaxSamples)
	}
	if *statistics && *format != "text" && *format != "json" {
		return usagef("-statistics writes text or json, not %s", *format)
	}
	limit, err := parseThreshold(*threshold)
	if err != nil {
		return usageError{err}
	}
	var ms []string
	list, err := measure.ParseList(*measures)
	if err != nil {
		return usageError{err}
	}
	for _, m := range list {
		ms = append(ms, m.String())
	}
	var further []string // measures of gates and -pairs
	for _, g := range gates {
		further = append(further, g.Measure)
	}
	var paired []string
	if *pairs != "" && *pairs != "all" {
		list, err := measure.ParseList(*pairs)
		if err != nil {
			return usageError{err}
		}
		for _, m := range list {
			paired = append(paired, m.String())
		}
		further = append(further, paired...)
	}
	var policy measure.Policy
	for _, p := range strings.FieldsFunc(*policies, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, option, _ := strings.Cut(p, "=")
		if err := policy.Set(name, option); err != nil {
			return usageError{err}
		}
	}
	warn := func(ws []collection.Warning) {
		for _, w := range ws {
			if !*quiet {
				fmt.Fprintf(c.err, "rankbox compare: warning: %s\n", w)
			}
		}
	}
	given := map[string]bool{}
	f.Visit(func(x *flag.Flag) { given[x.Name] = true })
	in, err := readInput(c, words, besides{queries: *texts, corpus: *corpus, chunkMap: *chunkMap, separator: *chunks}, warn)
	if err != nil {
		return err
	}
	switch {
	case given["m"]:
	case in.Measures != nil: // of a file of -pack
		ms = slices.Clone(in.Measures)
	default:
		ms = slices.Clone(in.Defaults())
	}
	for _, m := range further {
		if !slices.Contains(ms, m) {
			ms = append(ms, m)
		}
	}
	for _, m := range figure.measures(ms[0]) {
		if !slices.Contains(ms, m) {
			ms = append(ms, m)
		}
	}
	in.Measures = ms
	if *against != "" {
		if err := limit.Sense(ms); err != nil {
			return usageError{err}
		}
	}
	if *pairs == "all" {
		paired = ms
	}
	if given["policy"] {
		in.Policy = policy
	}
	for _, x := range [][2]string{{"test", *tests}, {"correction", *correction}, {"zeros", *zeros}, {"continuity", map[bool]string{true: "on", false: "off"}[*continuity]}} {
		if given[x[0]] && x[1] != "" {
			if _, err := in.Protocol.Set(x[0], x[1]); err != nil {
				return usageError{err}
			}
		}
	}
	if *name != "" {
		in.Name = *name
	}
	if given["baseline"] || len(words) > 1 {
		if in.Baseline, err = findRun(in.Runs, *baseline); err != nil {
			return usageError{err}
		}
	}
	for _, g := range gates {
		if g.Change && len(in.Runs) == 1 && *against == "" {
			return usagef("gate %q: a change needs a second run or a snapshot (-against)", g.Text)
		}
	}
	if *pack != "" {
		b, err := compare.Pack(*in, compare.Saving{})
		if err != nil {
			return err
		}
		if err := os.WriteFile(*pack, b, 0o666); err != nil {
			return err
		}
	}
	cmp, err := compare.Open(*in)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.out)
	defer out.Flush()
	switch {
	case *link:
		s, without, err := compare.Link(*in)
		if err != nil {
			return err
		}
		if !*quiet && (without.Names || without.Depth > 0) {
			fmt.Fprintf(c.err, "rankbox compare: to fit a link, %s\n", leftOut(without))
		}
		fmt.Fprintln(out, s)
		return nil
	case *residuals:
		return export.WriteResiduals(out, cmp, nil)
	case *unjudged:
		return export.WriteUnjudged(out, cmp, *depth)
	case *conventions && (*queries || *query != ""):
		return export.WriteSaid(out, cmp, in.Measures[0], *query)
	case *conventions:
		return export.WriteOpinions(out, cmp, in.Measures[0])
	case *query != "":
		return export.WriteQuery(out, cmp, in.Measures[0], *query, *depth)
	}
	var old *report.Report
	if *against != "" {
		if old, err = readSnapshot(*against); err != nil {
			return err
		}
	}
	r, err := cmp.Report(nil, nil)
	if err != nil {
		return err
	}
	if err := export.Answered(r); err != nil {
		return err
	}
	if figure.given() {
		return figure.write(out, r, in.Runs, *format)
	}
	if *format == "text" && *queries && !*statistics { // before anything is written
		if _, err := r.Select(0, *sort, *where); err != nil {
			return usageError{err}
		}
	}
	columns := make([]int, 0, len(paired))
	for _, m := range paired {
		columns = append(columns, slices.Index(r.Measures, m))
	}
	detail := export.Detail{Queries: *queries}
	if !*statistics {
		for _, m := range columns {
			t, err := r.TestOn(m, nil)
			if err != nil {
				return err
			}
			detail.Tests = append(detail.Tests, t)
		}
	}
	if *statistics {
		if len(columns) == 0 {
			columns = []int{0}
		}
		how := r.StatisticsAs(nil)
		how.Margin, how.Samples = *margin, *samples
		agreements, err := cmp.Agreements(nil)
		if err != nil {
			return err
		}
		for i, m := range columns {
			s, err := r.Statistics(m, how)
			if err != nil {
				return err
			}
			if i > 0 {
				agreements = nil // they are the same for every measure
				if *format == "text" {
					fmt.Fprintln(out)
				}
			}
			if err := export.WriteStatistics(out, r, s, agreements, *format); err != nil {
				return err
			}
		}
	} else if *format == "text" && *queries {
		if err := export.Write(out, r, "text", export.Detail{Tests: detail.Tests}); err != nil {
			return err
		}
		for m := range r.Columns {
			fmt.Fprintln(out)
			if err := export.WriteQueries(out, r, m, *sort, *where); err != nil {
				return usageError{err}
			}
		}
	} else if err := export.Write(out, r, *format, detail); err != nil {
		return err
	}
	if *save != "" {
		if err := os.WriteFile(*save, compare.PackReport(r), 0o666); err != nil {
			return err
		}
	}
	failed := 0
	if old != nil {
		g, err := export.Regress(old, r, limit, nil)
		if err != nil {
			return err
		}
		fmt.Fprint(c.err, g.String())
		for _, x := range g.Changes {
			if x.Verdict == export.Regressed {
				failed++
			}
		}
	}
	checks, err := export.CheckGates(r, gates, old, nil)
	if err != nil {
		return err
	}
	for i := range checks {
		x := &checks[i]
		fmt.Fprint(c.err, x.Text(*sure))
		if x.Fails(*sure) {
			failed++
		}
	}
	switch {
	case failed == 1:
		return gateError{fmt.Errorf("1 condition is not met")}
	case failed > 1:
		return gateError{fmt.Errorf("%d conditions are not met", failed)}
	}
	return nil
}

// leftOut says what a link does without.
func leftOut(s compare.Saving) string {
	var parts []string
	if s.Names {
		parts = append(parts, "judged documents that no run has lost their ids")
	}
	if s.Depth > 0 {
		parts = append(parts, "every ranking was cut after "+strconv.Itoa(s.Depth)+" documents")
	}
	return strings.Join(parts, " and ")
}

// parseThreshold reads "5%", "0.02" or both.
func parseThreshold(s string) (export.Threshold, error) {
	var t export.Threshold
	for _, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		text, percent := strings.CutSuffix(part, "%")
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(v > 0) || v > 1e9 {
			return t, fmt.Errorf("threshold %q: want a number above 0, or a percentage", part)
		}
		if percent {
			t.Relative = v / 100
		} else {
			t.Absolute = v
		}
	}
	return t, nil
}

// findRun returns the run of a name, a letter or a number from 1.
func findRun(runs []compare.Named, s string) (int, error) {
	for i, r := range runs {
		if r.Name == s {
			return i, nil
		}
	}
	for i := range runs {
		if strings.EqualFold(say.Letter(i), s) || strconv.Itoa(i+1) == s {
			return i, nil
		}
	}
	var names []string
	for i, r := range runs {
		names = append(names, say.Letter(i)+" "+r.Name)
	}
	return 0, fmt.Errorf("there is no run %q (there are %s)", s, strings.Join(names, ", "))
}

func readContent(c *context, name string) (*collection.Content, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return collection.Read(shown, f, collection.Options{Limits: c.limits})
}
