package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/measure"
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
	edge     string
	answers  string
	stale    bool
	limits   limits
	holds    gating
	init     string
	log      bool
	most     int
	power    []gates.Power
	sweep    *golden.Sweep
	repeat   int
	audited  bool
	audit    []golden.Audit
	printed  string
	flaky    []flakyQuery
	early    bool                                                          // gates are sequential
	after    func(q *golden.Query, a golden.Answer) (stop bool, err error) // of every answer, nil for nothing
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
	f.StringVar(&x.edge, "edge", "", "with -s: `URL` of an edge, for stages with backend=…")
	f.StringVar(&x.answers, "answers", "", "with -s: `file` of saved answers of an edge")
	f.BoolVar(&x.stale, "stale", false,
		"with -edge: take answers although the edge could not confirm which backend gave them")
	f.StringVar(&x.format, "o", "", "output: text, markdown or json; with -init the `file` to write")
	f.BoolVar(&x.quiet, "quiet", false, "no warnings on standard error")
	f.StringVar(&x.init, "init", "",
		"write a golden set from a `folder` or file of documents, a collection, or with -log a file of queries")
	f.BoolVar(&x.log, "log", false, "with -init: the file is a log of queries")
	f.BoolVar(&x.audited, "audit", false, "say what is doubtful about the golden set itself, each with its queries")
	f.StringVar(&x.printed, "number", "",
		"without files: say what printed figures can show, as `N MEAN BASELINE` in quotes: \"200 0.713 0.694\"")
	f.IntVar(&x.repeat, "repeat", 1, "run the search so often; what differs from run to run is flaky and does not fail")
	f.BoolVar(&x.early, "sequential", false,
		"ask the queries in random order and stop as soon as the gates are decided; nothing that holds fails more "+
			"often than in 5 % of builds, however early they stop")
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
	if x.printed != "" {
		if len(words) > 0 || x.format != "text" {
			return usagef("-number needs no file, and writes text")
		}
		return x.number()
	}
	switch {
	case len(words) != 1:
		return usagef("want one golden set, or -init to write one")
	case !slices.Contains([]string{"text", "markdown", "json"}, x.format):
		return usagef("output %q is not text, markdown or json", x.format)
	case x.log || x.given["n"]:
		return usagef("-log and -n are for -init")
	case x.repeat < 1 || x.repeat > 100:
		return usagef("-repeat %d: want 1 to 100 runs", x.repeat)
	case x.repeat > 1 && x.early:
		return usagef("use one of -repeat and -sequential")
	}
	if err := x.open(words[0]); err != nil {
		return err
	}
	if x.early {
		return x.sequential()
	}
	return x.runs()
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
	if len(x.holds.against) == 0 {
		x.holds.against = s.Baseline
	}
	x.holds.tags = s.Tags()
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
	for _, name := range []*string{&s.Results.Documents, &s.Results.File, &s.QueriesFile, &s.JudgmentsFile} {
		at(name)
	}
	for i := range s.Baseline {
		at(&s.Baseline[i])
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

// runOutcome is what became of one run of the search.
type runOutcome struct {
	found *golden.Found
	r     *report.Report // nil if no query expects a document
	v     gates.Conditions
}

// judge measures the results, and holds them against everything that is expected.
func (x *checking) judge(found *golden.Found) (j runOutcome, err error) {
	s := x.set
	j.found = found
	queries, err := s.Expectations(found)
	if err != nil {
		return j, err
	}
	if j.r, err = x.measure(found); err != nil {
		return j, err
	}
	if j.r == nil && (slices.ContainsFunc(x.holds.gates, func(g gates.Gate) bool { return g.Quantile == 0 }) ||
		len(x.holds.against) > 0 || x.holds.save != "") {
		return j, fmt.Errorf("%s: no query expects a document, so gates and baselines have nothing to measure",
			s.File)
	}
	j.v.Sure = x.holds.sure
	if j.r != nil && !x.early {
		if j.v, err = x.holds.checks(j.r); err != nil {
			return j, err
		}
	}
	j.v.Queries = queries
	timed, err := x.timed(found)
	j.v.Checks = append(j.v.Checks, timed...)
	return j, err
}

// runs runs the search once or as often as was asked for, and tells the verdict.
func (x *checking) runs() error {
	if r := &x.set.Results; x.repeat > 1 && r.Pipeline == "" && len(r.Command) == 0 && r.URL == "" {
		return usagef("-repeat runs the search again: it needs -s, -command or -url, not results in a file")
	}
	var all []runOutcome
	for i := range x.repeat {
		found, err := x.find()
		if err != nil {
			return err
		}
		if i == 0 && x.set.Qrels().Len() > 0 {
			if err := x.holds.open(1, x.set.Measures); err != nil {
				return x.baseline(err)
			}
		}
		j, err := x.judge(found)
		if err != nil {
			return err
		}
		all = append(all, j)
	}
	j, err := x.together(all)
	if err != nil {
		return err
	}
	if j.r != nil {
		if x.power, err = gates.PowerOf(j.r, x.holds.gates, x.holds.sure, j.v.Change, x.c.stop); err != nil {
			return err
		}
		j.v.Notes = append(j.v.Notes, gates.Sentences(x.power, x.holds.limit)...)
	}
	return x.tell(j)
}

// tell warns, reports and says how the check ends.
func (x *checking) tell(j runOutcome) error {
	s, r, v, found := x.set, j.r, j.v, j.found
	x.sweep = s.Sweep(found)
	if x.audited {
		if err := x.doubt(j); err != nil {
			return err
		}
	}
	for _, d := range s.Vacuous(found) {
		if !x.quiet {
			fmt.Fprintf(x.c.err, "rankbox check: warning: %s: forbidden document %q is in no result of any query, so "+
				"a misspelt id would pass too\n", s.File, say.Brief(d, 80))
		}
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
	v.More = x.more(r, v)
	if err := x.report(r, v); err != nil {
		return err
	}
	x.annotate(v)
	if x.holds.update {
		return nil
	}
	return unmet(v)
}

// baseline explains how a baseline that is not there is made.
func (x *checking) baseline(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no baseline %s yet: create it with -update", x.holds.against[0])
	}
	return err
}

// doubt audits the golden set.
func (x *checking) doubt(j runOutcome) error {
	in := golden.Audited{Known: j.found.Known, Report: j.r}
	if in.Known != nil {
		in.Docs = len(j.found.Docs)
	}
	texts, err := x.documentTexts()
	if err != nil {
		return err
	}
	if len(texts) > 0 {
		in.Text = func(doc string) (title, text string, ok bool) {
			d, ok := texts[doc]
			return d[0], d[1], ok
		}
		if in.Known == nil {
			in.Docs = len(texts)
			in.Known = func(doc string) bool { _, ok := texts[doc]; return ok }
		}
	}
	x.audit = x.set.Audit(in)
	return nil
}

// number says what printed figures can show.
func (x *checking) number() error {
	p, err := analysis.ReadPrinted(x.printed)
	if err != nil {
		return usageError{err}
	}
	out, end := x.c.output("text")
	defer end()
	for _, line := range p.Lines(say.Plain) {
		fmt.Fprintln(out, line)
	}
	return nil
}

// timed holds the times of the queries against the gates that are about time.
func (x *checking) timed(found *golden.Found) ([]gates.Check, error) {
	t := gates.Timed{System: x.name()}
	for _, a := range found.Answers {
		if a.Millis > 0 {
			t.Millis = append(t.Millis, a.Millis)
		}
	}
	if x.holds.timed() && len(t.Millis) == 0 {
		return nil, fmt.Errorf("%s: nobody measured the time of its results, so gates of time have nothing to check",
			x.set.File)
	}
	return gates.CheckTimes(x.holds.gates, []gates.Timed{t}), nil
}

// name is that of the run: of the golden set, or of its file.
func (x *checking) name() string {
	name := x.set.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(x.set.File), filepath.Ext(x.set.File))
	}
	return say.Visible(name) // it is in every file that is written
}

// annotate writes what failed as commands of GitHub, which shows them at the lines of the golden set.
func (x *checking) annotate(v gates.Conditions) {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	file := filepath.ToSlash(x.set.File)
	lines := map[string]int{}
	for i := range v.Queries {
		lines[v.Queries[i].Name()] = v.Queries[i].Line
	}
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, c := range v.List() {
		if !c.Failed {
			continue
		}
		message := c.Line
		if c.Rest != "" {
			message += "\n" + c.Rest
		}
		fmt.Fprintf(x.c.err, "::error file=%s,line=%d,title=%s::%s\n", property.Replace(file), max(1, lines[c.Name]),
			property.Replace("Rankbox: "+say.Visible(c.Name)), text.Replace(message))
	}
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
	name := x.name()
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
			if err := saveReport(x.holds.against[0], r); err != nil {
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
	for _, section := range v.More {
		fmt.Fprintln(w, "\n"+section.Title)
		for _, line := range section.Lines {
			fmt.Fprintln(w, "  "+say.Visible(line))
		}
	}
	if len(v.More) > 0 && len(v.Checks) > 0 {
		fmt.Fprintln(w)
	}
	for i := range v.Checks {
		fmt.Fprint(w, v.Checks[i].Text(v.Sure))
	}
	if v.Change != nil {
		fmt.Fprintln(w)
		x.board(w, v.Change)
		fmt.Fprint(w, v.Change.String())
	}
	fmt.Fprintln(w)
	for _, n := range v.Notes {
		fmt.Fprintln(w, n)
	}
	fmt.Fprintln(w, v.Sentence())
}

// board shows the means of several baselines beside those of now.
func (x *checking) board(w io.Writer, g *gates.Regression) {
	if len(x.holds.old) < 2 {
		return
	}
	for _, m := range x.set.Measures {
		var means []string
		now := math.NaN()
		for _, c := range g.Changes {
			if c.Measure == m {
				now = c.New
				means = append(means, c.Against+" "+say.Plain.Number(c.Old, 4))
			}
		}
		fmt.Fprintf(w, "%s  now %s, %s\n", m, say.Plain.Number(now, 4), say.And(means))
	}
}

// more is what else is to be read: what varies, the tags, the thresholds and the audit.
func (x *checking) more(r *report.Report, v gates.Conditions) (out []gates.Section) {
	add := func(title string, lines []string) {
		if len(lines) > 0 {
			out = append(out, gates.Section{Title: title, Lines: lines})
		}
	}
	add("From run to run", x.unsteady())
	var tags []string
	for _, row := range taggedRows(x.set.Tags(), r, v) {
		line := row.Tag + "  " + say.Count(row.Queries, "query", "queries")
		if row.Expecting > 0 {
			line += ", " + strconv.Itoa(row.Passed) + " of " + strconv.Itoa(row.Expecting) + " passed"
		}
		for _, m := range row.Measures {
			line += ", " + m.Measure + " " + say.Plain.Number(m.Mean, 4) + " (95 % interval " +
				say.Plain.Span(m.Low, m.High, 4) + ")"
		}
		tags = append(tags, line)
		for _, m := range row.Measures {
			if m.Missing != "" {
				tags = append(tags, "  "+m.Missing)
			}
		}
	}
	add("Tags", tags)
	if x.sweep != nil {
		add("Thresholds for queries without an answer", x.sweep.Lines())
	}
	if x.audited {
		add("Audit of the golden set", golden.AuditLines(x.audit))
	}
	return out
}

// tagRow is what is known of the queries with a tag.
type tagRow struct {
	Tag                        string
	Queries, Expecting, Passed int
	Measures                   []tagMean
}

type tagMean struct {
	Measure         string
	Queries         int
	Mean, Low, High float64
	Missing         string // why there is no interval
}

// taggedRows are the tags in their order, each with the means and intervals of its queries alone.
func taggedRows(by map[string][]string, r *report.Report, v gates.Conditions) (out []tagRow) {
	for _, tag := range slices.Sorted(maps.Keys(by)) {
		row := tagRow{Tag: tag, Queries: len(by[tag])}
		for _, q := range v.Queries {
			if slices.Contains(by[tag], q.Query) {
				if row.Expecting++; len(q.Reasons) == 0 {
					row.Passed++
				}
			}
		}
		for m := 0; r != nil && m < len(r.Columns); m++ {
			one, err := gates.Checking{Tags: by}.Alone(r, 0, m, tag)
			if err != nil { // no query of the tag is measured
				break
			}
			col := &one.Columns[0]
			row.Measures = append(row.Measures, tagMean{col.Measure, len(one.Queries), col.Means[0], col.Low[0],
				col.High[0], col.NoInterval()})
		}
		out = append(out, row)
	}
	return out
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
