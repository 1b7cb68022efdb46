package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/measure"
)

// comparing is what was asked of rankbox compare, in any of its modes.
type comparing struct {
	c     *context
	words []string // qrels and runs, or one file that holds both
	given map[string]bool

	besides
	name     string
	runNames []string // in the place of those of files
	quiet    bool
	limits   limits
	measured string // measures as they were written
	baseline string
	policies string
	// test, correction, zeros; whether there is a correction for continuity; family; how Wilcoxon's p is found
	tested [6]string
	holds  gating

	format, sort, where, pairs, packTo string
	only, stored, claim                string // of analyses
	queries                            bool
	query                              string
	depth                              int
	margin                             float64
	figure                             figureFlags

	scoring scoring
	in      *compare.Input
	opened  *compare.Comparison
	made    *report.Report // of -pack, nil where nothing is packed
	paired  []string       // measures of -pairs
	out     *bufio.Writer
}

// protocol are the names of tests, as report.Protocol sets them.
var protocol = [6]string{"test", "correction", "zeros", "continuity", "family", "wilcoxon"}

// compareRuns compares runs. Its first word may be the name of a mode.
func compareRuns(c *context, args []string) error {
	x := &comparing{c: c, given: map[string]bool{}}
	m := &modes[0]
	if len(args) > 0 {
		if i := slices.IndexFunc(modes, func(m mode) bool { return m.name == args[0] }); i > 0 {
			m, args = &modes[i], args[1:]
		}
	}
	f := flag.NewFlagSet(strings.TrimSpace("compare "+m.name), flag.ContinueOnError)
	c.help = func() { m.help(f) }
	for _, g := range m.groups {
		g.flags(x, f)
	}
	older := map[string]*bool{}
	if m == &modes[0] {
		older = olderForms(x, f)
	}
	var err error
	if x.words, err = parse(c, f, args); err != nil {
		return err
	}
	f.Visit(func(v *flag.Flag) { x.given[v.Name] = true })
	if m == &modes[0] {
		m = x.older(older)
	} else if m.takes != nil {
		if len(x.words) < 2 {
			return usagef("want rankbox compare %s %s", m.name, m.usage)
		}
		m.takes(x, x.words[0])
		x.words = x.words[1:]
	}
	if err := x.check(m); err != nil {
		return err
	}
	if err := x.open(m); err != nil {
		return err
	}
	x.out = bufio.NewWriter(c.out)
	defer x.out.Flush()
	return m.run(x)
}

// check refuses wrong flags before any file is read.
func (x *comparing) check(m *mode) (err error) {
	if len(x.words) == 0 {
		return usagef("want qrels and at least one run, or a file of -pack")
	}
	x.c.limits = x.limits.Limits
	if m.name == "figure" {
		if err := x.figure.check(x.format); err != nil {
			return err
		}
	} else if x.format != "" && !slices.Contains(formats(), x.format) {
		return usagef("output %q is not one of %s", x.format, strings.Join(formats(), ", "))
	}
	if err := x.protocol(new(report.Protocol)); err != nil {
		return err
	}
	switch {
	case m.written != nil && !slices.Contains(m.written, x.format):
		return usagef("rankbox compare %s writes %s, not %s", m.name, say.Or(m.written), x.format)
	case (x.sort != "" || x.where != "") && (!x.queries || x.format != "text"):
		return usagef("-sort and -where choose queries: use them with -q and -o text")
	case x.given["margin"] && (!(x.margin > 0) || math.IsInf(x.margin, 0)):
		return usagef("-margin must be above 0")
	}
	if x.holds.timed() {
		return usagef("runs hold no times: use a gate of time with rankbox run -time")
	}
	if err := x.scoring.check(); err != nil {
		return usageError{err}
	}
	if err := x.holds.check(); err != nil {
		return usageError{err}
	}
	return nil
}

// protocol sets the tests as the flags say.
func (x *comparing) protocol(p *report.Protocol) error {
	for i, name := range protocol {
		if x.given[name] && x.tested[i] != "" {
			if _, err := p.Set(name, x.tested[i]); err != nil {
				return usageError{err}
			}
		}
	}
	return nil
}

// formats are the names of what a report is written as.
func formats() (out []string) {
	for _, x := range export.Formats() {
		out = append(out, x.Name)
	}
	return out
}

// measures reads a list of measures.
func measures(text string) (out []string, err error) {
	list, err := measure.ParseList(text)
	for _, m := range list {
		out = append(out, m.String())
	}
	return out, err
}

// open reads the files and joins them.
func (x *comparing) open(m *mode) error {
	asked, wrong := measures(x.measured) // of a table of scores they are its own
	if len(asked) == 0 && wrong == nil {
		return usagef("-m names no measure")
	}
	if x.pairs != "" && x.pairs != "all" {
		paired, err := measures(x.pairs)
		if x.paired = paired; wrong == nil {
			wrong = err
		}
	}
	policy, err := parsePolicy(x.policies)
	if err != nil {
		return usageError{err}
	}
	x.c.columns = x.scoring.columns()
	in, table, err := readInput(x.c, x.words, x.scoring.role(), x.besides, x.warn)
	switch {
	case err != nil:
		return err
	case table != nil:
		return x.openScores(m, table)
	case wrong != nil:
		return usageError{wrong}
	case x.given["systems"] || x.given["missing"] || x.given["lower"] || x.given["measures"] || x.given["items"]:
		return usagef("-systems, -measures, -items, -missing and -lower are of tables of scores, and %s is none", x.words[0])
	}
	x.in, x.holds.input = in, in
	if n := len(x.runNames); n > 0 && n != len(in.Runs) {
		return usagef("%s and %s: give -run-name once for each run, or not at all",
			say.Count(len(in.Runs), "run", "runs"), say.Count(n, "name (-run-name)", "names (-run-name)"))
	}
	for i, name := range x.runNames {
		in.Runs[i].Name = name
	}
	switch {
	case x.given["m"]:
		in.Measures = asked
	case in.Measures != nil: // of a file of -pack
		in.Measures = slices.Clone(in.Measures)
	default:
		in.Measures = slices.Clone(in.Defaults())
	}
	for _, m := range slices.Concat(x.holds.measures(), x.paired, x.figure.measures(in.Measures[0])) {
		if !slices.Contains(in.Measures, m) {
			in.Measures = append(in.Measures, m)
		}
	}
	if x.pairs == "all" {
		x.paired = in.Measures
	}
	if x.given["policy"] {
		in.Policy = policy
	}
	if err := x.protocol(&in.Protocol); err != nil {
		return err
	}
	if x.name != "" {
		in.Name = x.name
	}
	if x.given["baseline"] {
		if in.Baseline, err = findRun(in, x.baseline); err != nil {
			return usageError{err}
		}
	}
	if err := x.holds.open(len(in.Runs), in.Measures); err != nil {
		return err
	}
	if x.opened, err = compare.Open(*in); err != nil {
		return err
	}
	if m.name != "unjudged" {
		if err := x.opened.Belong(); err != nil {
			return err
		}
	}
	if x.packTo == "" {
		return nil
	}
	return x.pack()
}

// pack writes the comparison with the digest of its report, so that rankbox verify holds one against the other.
func (x *comparing) pack() (err error) {
	if x.made, err = x.opened.Report(x.c.stop, nil); err != nil {
		return err
	}
	b, err := packed.Pack(packed.File{Input: *x.in, Hash: x.made.Hash}, packed.Saving{})
	if err != nil {
		return err
	}
	return os.WriteFile(x.packTo, b, 0o666)
}

// warn prints warnings on standard error.
func (x *comparing) warn(list []collection.Warning) {
	if !x.quiet {
		warn(x.c, "compare", list)
	}
}

// columns are those of the measures of -pairs.
func (x *comparing) columns(r *report.Report) []int {
	var out []int
	for _, m := range x.paired {
		out = append(out, slices.Index(r.Measures, m))
	}
	return out
}

// whole makes the report, which needs a run that answers some judged query.
func (x *comparing) whole() (*report.Report, error) {
	r := x.made
	if r == nil {
		var err error
		if r, err = x.opened.Report(x.c.stop, nil); err != nil {
			return nil, err
		}
	}
	return r, gates.Answered(r)
}

// report prints the report, saves it, and holds it against gates and a snapshot.
func (x *comparing) report() error {
	r, err := x.whole()
	if err != nil {
		return err
	}
	table := x.format == "text" && x.queries
	if table { // before anything is written
		if _, err := r.Select(0, x.sort, x.where); err != nil {
			return usageError{err}
		}
	}
	detail := export.Detail{Queries: x.queries && !table}
	for _, m := range x.columns(r) {
		t, err := r.TestOn(m, nil)
		if err != nil {
			return err
		}
		detail.Tests = append(detail.Tests, t)
	}
	if err := export.Write(x.out, r, x.format, detail); err != nil {
		return err
	}
	if table {
		for m := range r.Columns {
			fmt.Fprintln(x.out)
			if err := export.WriteQueries(x.out, r, m, x.sort, x.where); err != nil {
				return usageError{err}
			}
		}
	}
	return x.holds.hold(x.c, r)
}

// statistics prints every test of every pair. Of several measures in JSON it prints one array.
func (x *comparing) statistics() error {
	r, err := x.whole()
	if err != nil {
		return err
	}
	columns := x.columns(r)
	if len(columns) == 0 {
		columns = []int{0}
	}
	var agreements []compare.Agreement
	if x.opened != nil {
		agreements, err = x.opened.Agreements(nil)
		if err != nil && !errors.Is(err, compare.ErrGrades) { // the report's warning says that grades have none
			return err
		}
	}
	array := x.format == "json" && len(columns) > 1
	for i, m := range columns {
		s, err := r.Statistics(m, report.StatisticsOptions{Margin: x.margin})
		if err != nil {
			return err
		}
		if array {
			fmt.Fprint(x.out, map[bool]string{true: "[", false: ","}[i == 0])
		}
		if i > 0 {
			agreements = nil // they are the same for every measure
			if x.format == "text" {
				fmt.Fprintln(x.out)
			}
		}
		if err := export.WriteStatistics(x.out, r, s, agreements, x.format); err != nil {
			return err
		}
	}
	if array {
		fmt.Fprintln(x.out, "]")
	}
	return x.holds.hold(x.c, r)
}

// link prints a link's fragment.
func (x *comparing) link() error {
	r := x.made
	if r == nil {
		var err error
		if r, err = x.opened.Report(x.c.stop, nil); err != nil {
			return err
		}
	}
	s, without, err := packed.Link(*x.in, r, x.c.stop)
	if limit := (*packed.LimitError)(nil); errors.As(err, &limit) {
		return fmt.Errorf("this does not fit a link: %w; write a file with -pack FILE", limit)
	}
	if errors.Is(err, packed.ErrTooLarge) {
		return fmt.Errorf("%w; write a file with -pack FILE, or a page with rankbox report", err)
	}
	if err != nil {
		return err
	}
	if !x.quiet && (without.Names || without.Depth > 0) {
		fmt.Fprintf(x.c.err, "rankbox compare: to fit a link, %s\n", leftOut(without))
	}
	fmt.Fprintln(x.out, s)
	return nil
}

// leftOut says what a link does without.
func leftOut(s packed.Saving) string {
	var parts []string
	switch {
	case s.Documents:
		parts = append(parts, "grades by rank replaced the ids of documents")
	case s.Names:
		parts = append(parts, "ids of judged documents that no run retrieved were left out")
	}
	if s.Texts {
		parts = append(parts, "the texts of queries were left out")
	}
	if s.Depth > 0 {
		parts = append(parts, "every ranking was cut at depth "+say.Count(s.Depth, "document", "documents"))
	}
	return strings.Join(parts, " and ")
}

// findRun returns the run of a name, a letter or a number from 1.
func findRun(in *compare.Input, s string) (int, error) {
	for i, r := range in.Runs {
		if r.Name == s {
			return i, nil
		}
	}
	for i := range in.Runs {
		if strings.EqualFold(in.Letter(i), s) || strconv.Itoa(i+1) == s {
			return i, nil
		}
	}
	var names []string
	for i, r := range in.Runs {
		names = append(names, in.Letter(i)+" "+r.Name)
	}
	return 0, fmt.Errorf("there is no run %q (there are %s)", s, strings.Join(names, ", "))
}

func readContent(c *context, name string) (*collection.Content, error) {
	return readWith(c, name, collection.Options{Limits: c.limits})
}
