package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"cmp"
	"github.com/rankbox/rankbox/cmd/rankbox/fetch"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/present/handout"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"syscall"
)

// The files of an experiment's folder.
const (
	specFile       = "spec.json"
	journalFile    = "journal"            // what is done, as matrix writes it
	lockFile       = ".lock"              // held while a process works on the folder; names it
	outcomeFile    = "experiment.json"    // matrix.Outcome.JSON
	textFile       = "report.txt"         // matrix.Outcome.WriteText
	comparisonFile = "comparison.rankbox" // the runs and judgments: rankbox compare and the page open it
	answersFile    = "answers.jsonl"      // what an edge answered: with it the experiment runs again without one
	methodsFile    = "methods.txt"
	citationsFile  = "references.bib"
	analysesFile   = "analyses.txt" // analysis.WriteText
	pageFile       = "report.html"  // handout.Write
	metadataFile   = "metadata.txt" // writeMetadata
)

// folder is a matrix.Store in a file.
type folder struct{ name string }

// Load implements matrix.Store.
func (f folder) Load() ([]byte, error) {
	b, err := readFile(f.name, mostJournal)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// Append implements matrix.Store.
func (f folder) Append(b []byte) error {
	w, err := os.OpenFile(f.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	before, err := w.Seek(0, io.SeekEnd)
	if err == nil {
		if _, err = w.Write(b); err != nil { // a full disk: what fitted is taken back
			err = errors.Join(err, w.Truncate(before))
		}
	}
	return errors.Join(err, w.Close())
}

// Cut implements matrix.Store.
func (f folder) Cut(n int) error { return os.Truncate(f.name, int64(n)) }

// runExperiment runs a Spec to its end.
// It is the order of the command: flags, plan, runs, and what is kept, printed and held against gates.
func runExperiment(c *context, args []string) error {
	f := flag.NewFlagSet("run", flag.ContinueOnError)
	out := f.String("o", "", "folder to save finished work, the report and the runs in; without it nothing is saved")
	again := f.Bool("resume", false, "continue the experiment in the folder")
	hands := f.Int("j", runtime.GOMAXPROCS(0), "queries to run in parallel")
	format := f.String("f", "text", "output: text, json (all results), or a format of compare")
	dry := f.Bool("n", false, "print the plan and run nothing")
	quiet := f.Bool("quiet", false, "no progress and no warnings on standard error")
	clocked := f.Bool("time", false, "after the experiment, measure the time of every query in every run; saved in "+
		timesFile+", for the figures of time")
	most := f.Int("most-tokens", 0,
		"run nothing if the estimated use of backends exceeds this number of `tokens`; 0 for no limit")
	skip := f.Bool("skip", false, "leave out systems with a stage that has nothing to do its work with in this "+
		"collection, and name them")
	partial := f.Bool("partial", false, partialUsage)
	over := f.String("collection", "", "the collection to use, whatever the spec names")
	var from opening
	from.flags(f)
	from.modelFlags(f)
	var holds gating
	holds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if err := holds.check(); err != nil {
		return usageError{err}
	}
	switch {
	case len(words) != 1:
		return usagef("want one spec")
	case *hands < 1:
		return usagef("-j %d: want at least 1", *hands)
	case holds.timed() && !*clocked:
		return usagef("a gate of time needs -time")
	case *clocked && *out == "":
		return usagef("-time needs the folder (-o)")
	case *again && *out == "":
		return usagef("-resume needs the folder (-o)")
	case *format != "json" && !slices.Contains(formats(), *format):
		return usagef("output %q is not one of %s", *format, strings.Join(formats(), ", "))
	}
	spec, place, err := readSpec(c, words[0])
	if err != nil {
		return err
	}
	if *over != "" {
		spec.Collection = *over
	}
	spec.Partial = spec.Partial || *partial
	from.silent = *quiet
	if spec.Collection == "" && from.corpus == "" && from.queries == "" {
		return fmt.Errorf("%s names no collection: name one with -collection", words[0])
	}
	if *out != "" && from.answers == "" && !*dry {
		from.answers = filepath.Join(*out, answersFile)
	}
	if *out != "" && !*dry {
		if err := writable(*out); err != nil {
			return err
		}
	}
	spec.Measures = withMeasures(spec.Measures, holds.measures())
	s, err := openFor(c, &from, spec, *quiet)
	if err != nil {
		return err
	}
	of := s.Ref()
	if of.Hash, err = from.basis(of.Hash); err != nil {
		return err
	}
	p, err := matrix.NewPlan(spec, of, s.Parts())
	if err != nil {
		return place(err)
	}
	if err := idleIn(p); err != nil && !*skip && !*dry {
		return err
	}
	if *dry {
		out, end := c.output("text")
		defer end()
		if err := printPlan(out, p); err != nil {
			return err
		}
		price, err := p.Price(s)
		if err == nil && price.Calls > 0 {
			_, err = fmt.Fprintf(out, "backends\tat most %s\n", price)
		}
		return err
	}
	if err := holds.open(len(p.Runs), p.Measures()); err != nil {
		return err
	}
	price, err := p.Price(s)
	if err != nil {
		return err
	}
	switch {
	case *most > 0 && price.Tokens > *most:
		return fmt.Errorf("backends may need %s, more than -most-tokens %d", price, *most)
	case price.Calls > 0 && from.edge != "" && !*quiet:
		fmt.Fprintf(c.err, "rankbox run: backends need at most %s; saved answers cost nothing, and a question "+
			"without an answer is sent at most %d times\n", price, remote.Rounds)
	}
	if s, p, err = from.planned(c, s, spec, p); err != nil {
		return err
	}
	var store matrix.Store = &matrix.Memory{}
	if *out != "" {
		var unlock func()
		if store, unlock, err = openFolder(*out, *again); err != nil {
			return err
		}
		defer unlock()
	}
	outcome, took, err := conduct(c, p, s, store, *hands, *quiet, *clocked)
	if _, ok := errors.AsType[*matrix.NoneCompleted](err); ok {
		return failedError{err}
	}
	if err == nil && *out != "" {
		err = keepOutcome(*out, outcome, took)
	}
	if err != nil {
		if *out != "" {
			return unfinished(*out, err)
		}
		return err
	}
	if err := printOutcome(c.out, outcome, *format); err != nil {
		return err
	}
	if took != nil {
		for _, r := range took.Runs {
			holds.millis = append(holds.millis, gates.Timed{System: r.Name, Millis: r.Milliseconds})
		}
	}
	failed := failedIn(outcome)
	if !*skip {
		failed = and(failed, didNothing(outcome))
	}
	if stale := unconfirmedIn(outcome); stale != "" && holds.any() && !from.stale {
		return and(failed, fmt.Errorf("%s. So nothing was held against gates: -stale allows it", stale))
	}
	return and(failed, holds.hold(c, outcome.Report))
}

// idleIn says which systems of a plan have a stage with nothing to do, so that they would be others than they say.
func idleIn(p *matrix.Plan) error {
	var all []string
	for _, r := range p.Refused {
		if r.Idle {
			all = append(all, say.Brief(r.Written, 200)+": "+r.Why)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return errors.New(strings.Join(all, "; ") + ". -skip leaves " +
		map[bool]string{true: "this system", false: "these systems"}[len(all) == 1] + " out")
}

// didNothing says which systems are not compared since a stage of them had nothing to do for any query, which is known
// only after they ran; nil where none is.
func didNothing(x *matrix.Outcome) error {
	var all []string
	for i := range x.Status {
		t := &x.Status[i]
		held := slices.ContainsFunc(t.Stages, func(t stage.Tally) bool { return t.Below > 0 }) // a threshold is no fault
		if t.State == matrix.Idle && !held {
			all = append(all, say.Brief(x.Plan.Runs[i].Name(), 200)+": "+x.Status[i].Why)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return errors.New(strings.Join(all, "; ") + ". So nothing was compared with " +
		map[bool]string{true: "it", false: "them"}[len(all) == 1] + ": -skip says that this is known")
}

// failedIn says which systems failed, and how many queries have no answer; nil where none did.
func failedIn(x *matrix.Outcome) error {
	var all []string
	for i := range x.Status {
		t, name := &x.Status[i], x.Plan.Runs[i].Name()
		switch {
		case t.State == matrix.Broken:
			all = append(all, name+" failed: "+t.Why)
		case t.State == matrix.Incomplete:
			all = append(all, name+": "+t.Why)
		case t.Unanswered() > 0:
			all = append(all, name+": "+t.SayUnanswered()+": its figures are partial")
		}
	}
	if len(all) == 0 {
		return nil
	}
	return failedError{errors.New(strings.Join(all, "; "))}
}

// unconfirmedIn says which systems may be of other backends than they say, "" where none is.
func unconfirmedIn(x *matrix.Outcome) string {
	var all []string
	for i := range x.Status {
		if why := x.Status[i].Unconfirmed; why != "" {
			all = append(all, x.Plan.Runs[i].Name()+" is not confirmed: "+why)
		}
	}
	return strings.Join(all, "; ")
}

// withMeasures adds what gates look at.
func withMeasures(asked, more []string) []string {
	if len(more) == 0 {
		return asked
	}
	if len(asked) == 0 {
		asked = measure.Defaults()
	}
	for _, m := range more {
		if !slices.Contains(asked, m) {
			asked = append(slices.Clone(asked), m)
		}
	}
	return asked
}

// readSpec reads a spec from a file, or from standard input.
// place says in which line of it an error about one of its members is.
func readSpec(c *context, name string) (spec matrix.Spec, place func(error) error, err error) {
	in, shown, err := c.open(name)
	if err != nil {
		return spec, nil, err
	}
	defer in.Close()
	data, err := within.All(in, 0, matrix.MaxSpec)
	if err != nil {
		return spec, nil, say.Faultf("rankbox", "%s: %w", shown, err)
	}
	if spec, err = matrix.ReadSpec(data); err != nil {
		return spec, nil, say.Faultf("rankbox", "%s: %w", shown, err)
	}
	if name != "-" && spec.Collection != "" && !filepath.IsAbs(spec.Collection) { // beside the spec, or else from here
		if beside := filepath.Join(filepath.Dir(name), spec.Collection); exists(beside) {
			spec.Collection = beside
		}
	}
	return spec, func(err error) error {
		if in := matrix.InText(data, err); in != err {
			return fmt.Errorf("%s: %w", shown, in)
		}
		return err
	}, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// openFor opens the collection of a spec.
func openFor(c *context, from *opening, spec matrix.Spec, quiet bool) (*experiment.Session, error) {
	words := []string{spec.Collection}
	if from.corpus != "" || from.queries != "" {
		words = nil
	}
	s, warnings, err := from.session(c, words)
	if err != nil {
		return nil, err
	}
	if !quiet {
		warn(c, "run", warnings)
	}
	return s, nil
}

// unfinished says what is left of an experiment that ended early, and how it goes on.
func unfinished(name string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return say.Faultf("rankbox", "the disk of %s is full: %w. The rankings saved before that are whole: free some "+
			"space, then continue with -resume", name, err)
	}
	return say.Faultf("rankbox", "%w; finished work is saved: continue with -resume", err)
}

// writable says why nothing can be written to a folder, or to where it is to be made, before any work is done for it.
func writable(name string) error {
	for at := name; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case errors.Is(err, os.ErrNotExist) && filepath.Dir(at) != at:
			continue
		case err == nil && !info.IsDir():
			err = errors.New("it is a file, not a folder")
		case err == nil:
			var f *os.File
			if f, err = os.CreateTemp(at, ".rankbox-*"); err == nil {
				err = errors.Join(f.Close(), os.Remove(f.Name()))
			}
		}
		if err != nil {
			return fmt.Errorf("-o %s: nothing can be saved in %s: %w. Nothing was run", name, at, err)
		}
		return nil
	}
}

// openFolder makes the folder of an experiment, or takes up one that there is. It is this process's until unlock.
func openFolder(name string, again bool) (store matrix.Store, unlock func(), err error) {
	journal := filepath.Join(name, journalFile)
	if err := os.MkdirAll(name, 0o777); err != nil {
		return nil, nil, err
	}
	lock := filepath.Join(name, lockFile)
	free, taken, err := fetch.TryLock(lock)
	if err != nil {
		return nil, nil, err
	}
	if taken {
		by, _ := readFile(lock, 1000)
		return nil, nil, fmt.Errorf("another rankbox works on %s (%s): wait until it ends, or end it", name,
			cmp.Or(strings.TrimSpace(string(by)), "which one is not known"))
	}
	unlock = func() {
		os.Truncate(lock, 0)
		free()
	}
	if exists(journal) && !again {
		unlock()
		return nil, nil, fmt.Errorf("%s already holds an experiment: continue it with -resume", name)
	}
	// who fails to say so has the folder all the same
	_ = os.WriteFile(lock, fmt.Appendf(nil, "process %d, since %s\n", os.Getpid(),
		time.Now().UTC().Format("2006-01-02 15:04 UTC")), 0o666)
	return folder{journal}, unlock, nil
}

// conduct runs a plan and compares its runs.
func conduct(c *context, p *matrix.Plan, s *experiment.Session, store matrix.Store, hands int,
	quiet, clocked bool) (out *matrix.Outcome, took *analysis.Times, err error) {
	x, err := matrix.Open(p, s, store)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	o := matrix.Options{Hands: hands, Cancel: c.stop, Clock: func() float64 {
		return float64(time.Since(start).Microseconds())
	}}
	if !quiet {
		shown := time.Time{}
		o.Progress = func(g matrix.Progress) {
			if time.Since(shown) < time.Second && g.Done < g.Total {
				return
			}
			shown = time.Now()
			fmt.Fprintf(c.err, "rankbox run: %d of %d rankings, %s\n", g.Done, g.Total, p.Runs[g.Run].Name())
		}
	}
	if err := x.Run(o); err != nil {
		return nil, nil, err
	}
	device := fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if clocked {
		if took, err = timed(x, device); err != nil {
			return nil, nil, err
		}
	}
	out, err = x.Outcome(matrix.Provenance{Program: programVersion(), Device: device,
		Date: time.Now().UTC().Format(time.RFC3339)}, c.stop)
	if err != nil {
		return nil, nil, err
	}
	return out, took, out.Analyse(s, c.stop)
}

// programVersion is the version that this was built as.
func programVersion() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return b.Main.Version
}

// printPlan prints what would be run.
func printPlan(w io.Writer, p *matrix.Plan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n", p.Said())
	for i := range p.Runs {
		fmt.Fprintf(&b, "%s\t%s\n", matrix.ID(p.Runs[i].Hash), p.Runs[i].Name())
	}
	for _, m := range p.Merged {
		as := "is " + p.Runs[m.Run].Name()
		if m.Written == p.Runs[m.Run].Name() {
			as = "is written twice"
		}
		fmt.Fprintf(&b, "merged\t%s\t%s\n", m.Written, as)
	}
	for _, r := range p.Refused {
		fmt.Fprintf(&b, "refused\t%s\t%s\n", r.Written, r.Why)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// keepOutcome writes what came out to the folder: each file is there whole or not at all. What was measured may be nil.
func keepOutcome(dir string, x *matrix.Outcome, took *analysis.Times) error {
	data, err := x.JSON()
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := x.WriteText(&text); err != nil {
		return err
	}
	comparison, err := packed.Pack(packed.File{Input: *x.Input, Hash: x.Report.Hash}, packed.Saving{})
	if err != nil {
		return err
	}
	var analyses strings.Builder
	if err := analysis.WriteText(&analyses, x.Analyses); err != nil {
		return err
	}
	var page strings.Builder
	if err := handout.Write(&page, x.Report, x.Input, known(x.Report, x.Input, x.Analyses, took),
		x.Methods()); err != nil {
		return err
	}
	var made strings.Builder
	if err := writeMetadata(&made, metadataOfExperiment(x)); err != nil {
		return err
	}
	measured, err := json.Marshal(took)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{timesFile, measured}, {pageFile, []byte(page.String())}, {metadataFile, []byte(made.String())},
		{specFile, x.Plan.Spec.JSON()}, {comparisonFile, comparison}, {textFile, []byte(text.String())},
		{analysesFile, []byte(analyses.String())}, {methodsFile, []byte(x.Methods() + "\n")},
		{citationsFile, []byte(x.BibTeX())}, {outcomeFile, data}} {
		if f.name == timesFile && took == nil { // what another time measured stays
			continue
		}
		name := filepath.Join(dir, f.name)
		if err := os.WriteFile(name+".new", f.data, 0o666); err != nil {
			return err
		}
		if err := os.Rename(name+".new", name); err != nil {
			return err
		}
	}
	return nil
}

// readAnalyses reads what was found out about the runs from the outcome of an experiment: names and tables.
func readAnalyses(name string) ([]analysis.Section, error) {
	data, err := readFile(name, mostFolder)
	if err != nil {
		return nil, err
	}
	var x struct {
		Analyses []struct {
			Name   string
			Tables []struct {
				Columns []string
				Rows    [][]any
			}
		}
	}
	if err := json.Unmarshal(data, &x); err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	var out []analysis.Section
	for _, a := range x.Analyses {
		s := analysis.Section{Name: a.Name}
		for _, t := range a.Tables {
			rows := make([][]analysis.Cell, len(t.Rows))
			for i, row := range t.Rows {
				if len(row) != len(t.Columns) {
					return nil, fmt.Errorf("%s: a row of %s has %d cells, expected %d", name, a.Name, len(row),
						len(t.Columns))
				}
				for _, c := range row {
					text, _ := c.(string)
					v, number := c.(float64)
					rows[i] = append(rows[i], analysis.Cell{Text: text, Value: v, Number: number})
				}
			}
			s.Tables = append(s.Tables, analysis.Table{Columns: t.Columns, Rows: rows})
		}
		out = append(out, s)
	}
	return out, nil
}

func printOutcome(w io.Writer, x *matrix.Outcome, format string) error {
	switch format {
	case "text":
		return x.WriteText(w)
	case "json":
		data, err := x.JSON()
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
	return export.Write(w, x.Report, format, export.Detail{Queries: true})
}
