package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/evaluation"
	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/golden"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/report/gates"
	"github.com/rankbox/rankbox/core/say"
)

// checking is what was asked of rankbox check.
type checking struct {
	c        *context
	given    map[string]bool
	set      *golden.Set
	results  golden.Results // of the flags
	command  string
	measured string
	format   string
	quiet    bool
	vectors  string
	limits   limits
	holds    gating
	init     string
	log      bool
	most     int
	power    []golden.Power
}

func (x *checking) flags(f *flag.FlagSet) {
	r := &x.results
	f.StringVar(&r.Pipeline, "s", "", "rank -documents with this `pipeline`")
	f.StringVar(&r.Documents, "documents", "",
		"a `folder` or file of documents to rank with -s, or the texts of the results without it")
	f.StringVar(&x.command, "command", "",
		"run this `command` for each query, without a shell; {query}, {id} and {top} are replaced")
	f.StringVar(&r.URL, "url", "",
		"request this `URL` for each query; {query}, {id} and {top} are replaced")
	f.StringVar(&r.File, "results", "", "read results from this `file`: a run, or a line of JSON for each query")
	f.StringVar(&x.measured, "m", "", "measures, instead of those of the file")
	f.StringVar(&x.vectors, "vectors", "", "with -s: a folder of models, as for rankbox search")
	f.StringVar(&x.format, "o", "", "output: text, markdown or json; with -init the `file` to write")
	f.BoolVar(&x.quiet, "quiet", false, "no warnings on standard error")
	f.StringVar(&x.init, "init", "",
		"write a golden set from a `folder` or file of documents, a collection, or with -log a file of queries")
	f.BoolVar(&x.log, "log", false, "with -init: the file is a log of queries")
	f.IntVar(&x.most, "n", 50, "with -init: the number of queries")
	x.limits.flags(f)
	x.holds.flags(f)
}

// checkGolden holds a search against a golden set.
func checkGolden(c *context, args []string) error {
	x := &checking{c: c, given: map[string]bool{}}
	f := flag.NewFlagSet("check", flag.ContinueOnError)
	x.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	f.Visit(func(v *flag.Flag) { x.given[v.Name] = true })
	c.limits = x.limits.Limits
	if x.init != "" {
		if len(words) > 0 {
			return usagef("-init %s: remove the other arguments", x.init)
		}
		return x.write()
	}
	if x.format == "" {
		x.format = "text"
	}
	switch {
	case len(words) != 1:
		return usagef("want one golden set, or -init to write one")
	case !slices.Contains([]string{"text", "markdown", "json"}, x.format):
		return usagef("output %q is not text, markdown or json", x.format)
	case x.log || x.given["n"]:
		return usagef("-log and -n are for -init")
	}
	if err := x.open(words[0]); err != nil {
		return err
	}
	found, err := x.find()
	if err != nil {
		return err
	}
	return x.judge(found)
}

// open reads the golden set, and puts what the flags say in the place of what it says.
func (x *checking) open(name string) error {
	n, err := readNode(x.c, name)
	if err != nil {
		return err
	}
	if x.set, err = golden.Read(name, n); err != nil {
		return err
	}
	s := x.set
	if err := x.beside(filepath.Dir(name)); err != nil {
		return err
	}
	if x.command != "" {
		x.results.Command = golden.Words(x.command)
	}
	if x.results.Given() {
		documents := s.Results.Documents
		if s.Results = x.results; s.Results.Documents == "" {
			s.Results.Documents = documents
		}
	} else if x.results.Documents != "" {
		s.Results.Documents = x.results.Documents
	}
	if err := x.sources(); err != nil {
		return err
	}
	if x.measured != "" {
		if s.Measures, err = measures(x.measured); err != nil {
			return usageError{err}
		}
	}
	if len(s.Measures) == 0 {
		s.Measures = golden.DefaultMeasures()
	}
	if x.holds.timed() {
		return usagef("rankbox check measures no times: use a gate of time with rankbox run -time")
	}
	if x.holds.against == "" {
		x.holds.against = s.Baseline
	}
	if !x.given["threshold"] && s.Limit != "" {
		x.holds.threshold = s.Limit
	}
	if err := x.holds.check(); err != nil {
		return usageError{err}
	}
	x.holds.gates = append(slices.Clone(s.Gates), x.holds.gates...)
	x.holds.sure = x.holds.sure || s.Sure
	for _, m := range x.holds.measures() {
		if !slices.Contains(s.Measures, m) {
			s.Measures = append(s.Measures, m)
		}
	}
	return x.depth()
}

// sources refuses flags that name several sources, and a golden set that names none.
func (x *checking) sources() error {
	r, n := x.set.Results, 0
	for _, is := range []bool{r.Pipeline != "", len(r.Command) > 0, r.URL != "", r.File != ""} {
		if is {
			n++
		}
	}
	switch {
	case n > 1:
		return usagef("use one of -s, -command, -url and -results, not several")
	case n == 0 && x.set.Answers == nil:
		return usagef("%s does not say where results come from: give -s with -documents, -command, -url or -results",
			x.set.File)
	case r.Pipeline != "" && r.Documents == "" && x.set.Texts == nil:
		return usagef("-s %s: give the folder or file of the documents to rank (-documents)", r.Pipeline)
	}
	return nil
}

// beside makes the names of files in the golden set those of this process, and reads the queries and judgments that it
// keeps in files of their own.
func (x *checking) beside(folder string) error {
	s := x.set
	at := func(name *string) {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(folder, filepath.FromSlash(*name))
		}
	}
	for _, name := range []*string{&s.Results.Documents, &s.Results.File, &s.Baseline, &s.QueriesFile,
		&s.JudgmentsFile} {
		at(name)
	}
	if s.QueriesFile != "" {
		if err := x.queries(s.QueriesFile); err != nil {
			return err
		}
	}
	if s.JudgmentsFile != "" {
		got, warnings, err := judgments(x.c, s.JudgmentsFile)
		if err != nil {
			return err
		}
		x.warn(warnings)
		s.Judge(got.Qrels)
	}
	if len(s.Queries) == 0 { // they may be those of the documents
		return nil
	}
	return s.Check()
}

// queries reads a file of queries: in a shape of golden sets, or as search does.
func (x *checking) queries(name string) error {
	if n, err := readNode(x.c, name); err == nil {
		if other, err := golden.Read(name, n); err == nil {
			x.set.Take(other)
			return nil
		} else if x.set.JudgmentsFile == "" {
			return err
		}
	}
	got, err := readContent(x.c, name)
	if err != nil {
		return err
	}
	x.warn(got.Warnings)
	queries := got.Queries
	if got.Collection != nil {
		queries = got.Collection.Queries
	}
	if len(queries) == 0 {
		return fmt.Errorf("%s holds no queries: it looks like %s", name, got.Format)
	}
	x.set.Queries = golden.Topics(queries)
	return nil
}

// depth says how many results a query is asked for.
func (x *checking) depth() error {
	s := x.set
	var ms []measure.Measure
	for _, text := range s.Measures {
		m, err := measure.Parse(text)
		if err != nil {
			return err
		}
		ms = append(ms, m)
	}
	if s.Top == 0 {
		s.Top = max(s.MostWithin(), evaluation.Depth(ms))
	}
	if err := evaluation.CheckDepth(ms, s.Top); err != nil {
		return fmt.Errorf("%s: top is %d: %w", s.File, s.Top, err)
	}
	if most := s.MostWithin(); most > s.Top {
		return fmt.Errorf("%s: within is %d, but top asks for only %d results", s.File, most, s.Top)
	}
	return nil
}

// judge measures the results, holds them against everything that is expected, and writes the verdict.
func (x *checking) judge(found *golden.Found) error {
	s := x.set
	v := gates.Conditions{Sure: x.holds.sure}
	var err error
	if v.Queries, err = s.Expectations(found); err != nil {
		return err
	}
	r, err := x.measure(found)
	if err != nil {
		return err
	}
	if r == nil && (len(x.holds.gates) > 0 || x.holds.against != "" || x.holds.save != "") {
		return fmt.Errorf("%s: no query expects a document, so gates and baselines have nothing to measure",
			s.File)
	}
	if r != nil {
		if err := x.holds.open(1, s.Measures); err != nil {
			return x.baseline(err)
		}
		if x.holds.old != nil {
			if v.Change, err = gates.Regress(x.holds.old, r, x.holds.limit, nil); err != nil {
				return err
			}
		}
		if v.Checks, err = gates.CheckGates(r, x.holds.gates, x.holds.old, nil); err != nil {
			return err
		}
		x.power = golden.PowerOf(r, v.Change)
		v.Notes = golden.Sentences(x.power)
	}
	x.warn(s.Warnings)
	if n := s.Idle(); n > 0 && !x.quiet {
		fmt.Fprintf(x.c.err, "rankbox check: warning: %s: %s nothing yet\n", s.File, say.Count(n, "query expects",
			"queries expect"))
	}
	if v.Count() == 0 && !x.quiet {
		fmt.Fprintf(x.c.err, "rankbox check: warning: %s: nothing can fail: it has no expectation, gate or baseline\n",
			s.File)
	}
	if err := x.report(r, v); err != nil {
		return err
	}
	if x.holds.update {
		return nil
	}
	return unmet(v)
}

// baseline explains how a baseline that is not there is made.
func (x *checking) baseline(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no baseline %s yet: create it with -update", x.holds.against)
	}
	return err
}

// measure makes the report of the results; nil if no query expects a document.
func (x *checking) measure(found *golden.Found) (*report.Report, error) {
	s := x.set
	qrels := s.Qrels()
	if qrels.Len() == 0 {
		return nil, nil
	}
	run, err := s.Run(found)
	if err != nil {
		return nil, err
	}
	name := s.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(s.File), filepath.Ext(s.File))
	}
	name = say.Visible(name) // it is in every file that is written
	in := compare.Input{Name: name, Qrels: qrels, Queries: s.Topics(), Measures: s.Measures,
		Runs: []compare.Named{{Name: name, Run: run}}}
	x.holds.input = &in
	return compare.Compare(in, x.c.stop, nil)
}

// report writes the verdict: to standard output, into the files that were asked for, and where GitHub shows it.
func (x *checking) report(r *report.Report, of gates.Conditions) error {
	v := x.named(of)
	var comment strings.Builder
	key := "check-" + strings.TrimSuffix(filepath.Base(x.set.File),
		filepath.Ext(x.set.File)) // several sets, as many comments
	link := x.holds.link(x.c, r)
	if err := export.WriteComment(&comment, r, v, key, link); err != nil {
		return err
	}
	switch x.format {
	case "markdown":
		out, end := x.c.file("markdown")
		fmt.Fprint(out, comment.String())
		end()
	case "json":
		out, end := x.c.output("json")
		err := x.json(out, r, of)
		end()
		if err != nil {
			return err
		}
	default:
		out, end := x.c.output("text")
		x.text(out, r, v)
		end()
	}
	if err := x.holds.write(r, v, key, link); err != nil {
		return err
	}
	if r != nil {
		if err := saveReport(x.holds.save, r); err != nil {
			return err
		}
		if x.holds.update {
			if err := saveReport(x.holds.against, r); err != nil {
				return err
			}
		}
	}
	return summarize(os.Getenv("GITHUB_STEP_SUMMARY"), comment.String())
}

// named returns conditions in which the queries that moved are called by their ids and texts, as people know them.
func (x *checking) named(v gates.Conditions) gates.Conditions {
	names := map[string]string{}
	for i := range x.set.Queries {
		q := &x.set.Queries[i]
		names[q.ID] = (&gates.Expected{Query: q.ID, Text: q.Text}).Name()
	}
	moved := func(list []gates.Moved) []gates.Moved {
		out := slices.Clone(list)
		for i := range out {
			out[i].Query = names[out[i].Query]
		}
		return out
	}
	v.Checks = slices.Clone(v.Checks)
	for i := range v.Checks {
		v.Checks[i].Moved = moved(v.Checks[i].Moved)
	}
	if v.Change != nil {
		change := *v.Change
		change.Changes = slices.Clone(change.Changes)
		for i := range change.Changes {
			change.Changes[i].Moved = moved(change.Changes[i].Moved)
		}
		v.Change = &change
	}
	return v
}

// summarize adds a comment to the file that GitHub shows as the summary of a job, "" for none.
func summarize(name, comment string) error {
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, comment+"\n")
	return errors.Join(err, f.Close())
}

// text writes the verdict for people.
func (x *checking) text(w io.Writer, r *report.Report, v gates.Conditions) {
	s := x.set
	name := s.Name
	if name == "" {
		name = s.File
	}
	fmt.Fprintf(w, "%s: %s, %s\n", say.Visible(name), say.Count(len(s.Queries), "query", "queries"),
		say.Visible(x.from()))
	failed := 0
	for i := range v.Queries {
		if e := &v.Queries[i]; len(e.Reasons) > 0 {
			failed++
			fmt.Fprint(w, e.Lines())
		}
	}
	if n := len(v.Queries); n > 0 {
		fmt.Fprintf(w, "%d of %s found what was expected\n", n-failed, say.Count(n, "query", "queries"))
	}
	if r != nil {
		fmt.Fprintln(w)
		for m := range r.Columns {
			col := &r.Columns[m]
			fmt.Fprintf(w, "%s  %s, 95 %% interval %s\n", col.Measure, say.Plain.Number(col.Means[0], 4),
				col.Interval(0, say.Plain, 4))
			if why := col.NoInterval(); why != "" {
				fmt.Fprintln(w, why)
			}
		}
	}
	for i := range v.Checks {
		fmt.Fprint(w, v.Checks[i].Text(v.Sure))
	}
	if v.Change != nil {
		fmt.Fprintln(w)
		fmt.Fprint(w, v.Change.String())
	}
	fmt.Fprintln(w)
	for _, n := range v.Notes {
		fmt.Fprintln(w, n)
	}
	fmt.Fprintln(w, v.Sentence())
}

// from says where the results come from.
func (x *checking) from() string {
	r := &x.set.Results
	switch {
	case r.Pipeline != "":
		return "results of " + r.Pipeline
	case len(r.Command) > 0:
		return "results of " + strings.Join(r.Command, " ")
	case r.URL != "":
		return "results of " + r.URL
	case r.File != "":
		return "results in " + r.File
	}
	return "results in " + x.set.File
}

// warn prints warnings on standard error.
func (x *checking) warn(list []collection.Warning) {
	if !x.quiet {
		warn(x.c, "check", list)
	}
}
