package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/measure"
)

// evaluating is what was asked of rankbox eval. The flags are those of ir_measures; with -o trec_eval or trec_eval9
// they are those of trec_eval and the measures its names.
type evaluating struct {
	qrels, run string
	asked      []string // measures as they were written

	byQuery, noSummary, quiet bool
	places                    int
	format, tool, provider    string
	summary, policies         string
	kind                      string // of judgments
	limits                    limits
	ids                       spelling

	// of trec_eval
	complete, judgedOnly, faults bool
	level, maxDocs, docs         int
	runFormat, deviations, debug string

	policy     measure.Policy
	measures   []measure.Measure
	convention *measure.Convention
	only       string // the query that is looked at
	alone      bool
	warnings   []collection.Warning
}

// trec reports whether the output is trec_eval's.
func (e *evaluating) trec() bool { return e.format == "trec_eval" || e.format == "trec_eval9" }

func (e *evaluating) flags(f *flag.FlagSet) {
	both := func(short, long string, v *bool, about string) {
		f.BoolVar(v, short, false, about)
		f.BoolVar(v, long, false, "the same as -"+short)
	}
	both("q", "by_query", &e.byQuery, "print every query")
	both("n", "no_summary", &e.noSummary, "do not print the summary")
	f.IntVar(&e.places, "p", 4, "decimal places; -1 for all")
	f.IntVar(&e.places, "places", 4, "the same as -p")
	f.StringVar(&e.format, "o", "tsv",
		"output: tsv, json (one object), jsonl (one object a line), trec_eval (like version 10) or trec_eval9 (like "+
			"9.0.4, with scores in single precision)")
	f.StringVar(&e.format, "output_format", "tsv", "the same as -o")
	f.StringVar(&e.tool, "as", "", "compute as another tool does: "+toolNames())
	f.StringVar(&e.provider, "provider", "",
		"accepted for compatibility with ir_measures, without effect: to compute as a tool does, use -as")
	f.StringVar(&e.summary, "summary", "mean",
		"how to aggregate queries: mean, geometric (values below 0.00001 count as 0.00001) or median; "+
			"counts are summed")
	f.StringVar(&e.policies, "policy", "", "switches, as name=option,…: "+policyNames())
	f.BoolVar(&e.quiet, "quiet", false, "no warnings on standard error")
	f.Func("m", "a measure, repeatable (or name measures after the run)", func(s string) error {
		e.asked = append(e.asked, s)
		return nil
	})
	f.StringVar(&e.kind, "R", "",
		"judgments: qrels; qrels_jg (the second column names the user who judged); prefs (query, group, subgroup, "+
			"document, level); or qrels_prefs (query, group, document, level). Without it, detected from the file")
	e.limits.flags(f)
	e.ids.flags(f)
	f.BoolVar(&e.complete, "c", false, "trec_eval: judged queries missing from the run count as 0")
	f.IntVar(&e.level, "l", 1, "trec_eval: lowest relevant grade")
	f.BoolVar(&e.judgedOnly, "J", false, "trec_eval: ignore unjudged documents")
	f.IntVar(&e.maxDocs, "M", -1, "trec_eval: read this many documents a query; -1 for all")
	f.IntVar(&e.docs, "N", 0, "trec_eval: documents in the collection, for utility")
	f.StringVar(&e.runFormat, "T", "trec_results", "trec_eval: the format of the run; trec_results is the only one")
	f.StringVar(&e.deviations, "Z", "",
		"trec_eval: print values as deviations from a mean: file of query, measure, mean, standard deviation")
	f.StringVar(&e.debug, "D", "0", "trec_eval: 0.QUERY evaluates only this query")
	f.BoolVar(&e.faults, "faults", false,
		"trec_eval: also reproduce that program's bugs (-nan, num_rel at another level)")
}

// check refuses wrong flags before any file is read.
func (e *evaluating) check(f *flag.FlagSet, words []string) (err error) {
	if !e.trec() && !slices.Contains([]string{"tsv", "json", "jsonl"}, e.format) {
		return usagef("output %q is not tsv, json, jsonl, trec_eval or trec_eval9", e.format)
	}
	if len(words) > 2 {
		e.asked = append(e.asked, words[2:]...)
	}
	if len(words) < 2 || len(e.asked) == 0 && !e.trec() {
		return usagef(wantMeasure)
	}
	if e.qrels, e.run = words[0], words[1]; e.qrels == "-" && e.run == "-" {
		return usagef("only one of qrels and run can come from standard input")
	}
	if !slices.Contains([]string{"mean", "geometric", "median"}, e.summary) {
		return usagef("summary %q is not mean, geometric or median", e.summary)
	}
	if strings.EqualFold(e.tool, anserini) {
		if e.trec() || e.policies != "" {
			return usagef("use -as without -policy and -o trec_eval, with one of %s", toolNames())
		}
		e.tool, e.policies = "", anserinisPolicy
	}
	e.convention = measure.ConventionByName(e.tool)
	switch {
	case e.tool != "" && (e.convention == nil || e.trec() || e.policies != ""):
		return usagef("use -as without -policy and -o trec_eval, with one of %s", toolNames())
	case e.level < 0 || e.maxDocs < -1 || e.docs < 0:
		return usagef("-l, -M and -N take whole numbers from 0")
	case e.kind != "" && !slices.Contains(judgmentKinds, e.kind):
		return usagef("-R %s is not one of %s", e.kind, strings.Join(judgmentKinds, ", "))
	case e.runFormat != "trec_results":
		return usagef("-T %s is not trec_results", e.runFormat)
	}
	if e.only, e.alone, err = debugQuery(e.debug); err != nil {
		return err
	}
	if e.noSummary && !e.byQuery && !e.trec() {
		return usagef("-n without -q prints nothing: add -q")
	}
	if err := e.together(f); err != nil {
		return err
	}
	if e.policy, err = parsePolicy(e.policies); err != nil {
		return usageError{err}
	}
	e.policy.Float32 = e.policy.Float32 || e.format == "trec_eval9"
	if !e.trec() {
		if e.measures, err = measure.ParseList(strings.Join(e.asked, " ")); err != nil {
			return usageError{err}
		}
		if len(e.measures) == 0 {
			return usagef(wantMeasure)
		}
	}
	return nil
}

const wantMeasure = "want qrels, a run and at least one measure"

// together refuses flags that do not go with the output.
func (e *evaluating) together(f *flag.FlagSet) (err error) {
	f.Visit(func(given *flag.Flag) {
		if theirs := slices.Contains([]string{"c", "J", "l", "M", "N", "T", "Z", "D", "faults"},
			given.Name); err == nil && theirs && !e.trec() {
			err = usagef("-%s needs -o trec_eval; for other outputs use -policy", given.Name)
		} else if err == nil && e.trec() && given.Name == "policy" {
			err = usagef("-policy does not work with -o %s: use -c, -D, -J, -l, -M, -N, -R and -Z", e.format)
		} else if err == nil && given.Name == "summary" && (e.trec() || e.tool != "") {
			err = usagef("-summary works neither with -as nor with -o %s, which aggregate in their own way", e.format)
		}
	})
	return err
}

// eval prints what measures say of a run.
func eval(c *context, args []string) error {
	var e evaluating
	f := flag.NewFlagSet("eval", flag.ContinueOnError)
	e.flags(f)
	words, err := parse(c, f, trecWords(f, args))
	if err != nil {
		return err
	}
	if err := e.check(f, words); err != nil {
		return err
	}
	c.limits = e.limits.Limits
	j, warnings, err := readJudged(c, e.qrels, e.kind, e.measures)
	if err != nil {
		return err
	}
	var z *collection.Zscores
	if e.deviations != "" {
		var more []collection.Warning
		if z, more, err = readZscores(c, e.deviations); err != nil {
			return err
		}
		warnings = append(warnings, more...)
	}
	run, more, err := ranking(c, e.run)
	if err != nil {
		return err
	}
	e.ids.said = e.ids.said || e.trec() // which measures whatever it is given
	run, near, err := e.ids.apply(run, j.qrels, e.run)
	if err != nil {
		return err
	}
	e.warnings = collection.WorstFirst(slices.Concat(near, warnings, more, collection.Check(run, j.qrels, e.run)))
	if !e.quiet {
		if e.provider != "" {
			fmt.Fprintf(c.err, "rankbox eval: -provider %s has no effect: to compute as a tool does, use -as\n",
				e.provider)
		}
		warn(c, "eval", e.warnings)
		var sizes []int
		for q := range run.Queries() {
			sizes = append(sizes, run.Size(q))
		}
		if depth, m := evaluation.Ended(e.measures, sizes); depth > 0 && !e.trec() && run.Lacks(j.qrels, depth) {
			warn(c, "eval", []string{e.run + ": " + evaluation.SayEnded(m.String(), depth)})
		}
	}
	if err := collection.Belong(j.qrels, run); err != nil {
		if f, ok := errors.AsType[*collection.ForeignError](err); !ok || f.What == "queries" || !e.trec() {
			return err // trec_eval prints zeros for a run without a judged document
		}
	}
	out, end := c.output(e.format)
	defer end()
	return e.print(out, j, run, z)
}

// print measures and writes.
func (e *evaluating) print(out io.Writer, j *judged, run *collection.Run, z *collection.Zscores) error {
	if e.convention != nil {
		r, err := opinions(e.convention, j, run, e.measures)
		if err != nil {
			return err
		}
		r.warnings = e.warnings
		return r.write(out, e.format, e.places, e.byQuery, e.noSummary)
	}
	if e.trec() && j.preferences != nil {
		e.policy.Ties = measure.DocIDAsc // as trec_eval has it for preferences
	}
	topics := topicsOf(j, run, e.policy)
	if e.trec() {
		return e.printTREC(out, j, run, topics, z)
	}
	x := measure.Evaluate(topics, e.measures, e.policy)
	r := &results{queries: x.Queries, measures: x.Measures, values: x.Values, warnings: e.warnings}
	for i, m := range x.Measures {
		v := x.Summary(i)
		if !m.Info().Sum && e.summary == "geometric" {
			v = x.GeometricMean(i)
		} else if !m.Info().Sum && e.summary == "median" {
			v = x.Median(i)
		}
		r.summary = append(r.summary, v)
	}
	return r.write(out, e.format, e.places, e.byQuery, e.noSummary)
}

// printTREC writes what trec_eval would.
func (e *evaluating) printTREC(out io.Writer, j *judged, run *collection.Run, topics []measure.Topic,
	z *collection.Zscores) error {
	if e.alone {
		only(topics, e.only)
	}
	o := measure.TrecEval{Measures: e.asked, PerQuery: e.byQuery, NoSummary: e.noSummary, Complete: e.complete,
		JudgedOnly: e.judgedOnly, Level: e.level, AllJudged: e.level == 0, MaxDocs: max(e.maxDocs, 0),
		NoDocs: e.maxDocs == 0, Docs: e.docs, RunID: run.Tag, Faults: e.faults, Version: 10,
		Judgments: j.kind(e.kind)}
	if z != nil {
		o.Zscore = z.Get
	}
	if e.format == "trec_eval9" {
		o.Version = 9
	}
	if err := measure.FormatTrecEval(out, topics, o); err != nil {
		return usageError{err}
	}
	return nil
}

// parsePolicy reads switches, as "ties=docid-asc,rel=2".
func parsePolicy(text string) (measure.Policy, error) {
	var policy measure.Policy
	for _, p := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, option, _ := strings.Cut(p, "=")
		if err := policy.Set(name, option); err != nil {
			return policy, err
		}
	}
	return policy, nil
}

// Anserini breaks ties of its lists by ascending document id before trec_eval measures them: its published figures are
// the reference's under that policy.
const (
	anserini        = "Anserini"
	anserinisPolicy = "ties=docid-asc"
)

// toolNames lists the tools whose conventions are known.
func toolNames() string {
	var names []string
	for _, c := range measure.Conventions() {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// opinions returns what another tool would say.
func opinions(c *measure.Convention, j *judged, run *collection.Run, ms []measure.Measure) (*results, error) {
	var lists []measure.List
	r := &results{queries: j.qrels.Queries(), measures: ms, left: make([][]bool, len(ms))}
	for _, q := range r.queries {
		lists = append(lists, *listOf(j, run, q))
	}
	for i, m := range ms {
		o, ok := c.Evaluate(lists, m)
		if !ok {
			return nil, usagef("%s has no %s", c.Name, m)
		}
		r.values, r.summary = append(r.values, o.Values), append(r.summary, o.Mean)
		for _, counts := range o.Counts {
			r.left[i] = append(r.left[i], !counts)
		}
	}
	return r, nil
}

// results is what eval prints.
type results struct {
	queries  []string
	measures []measure.Measure
	values   [][]float64 // by measure and query
	left     [][]bool    // whether the query is left out; nil: none is
	summary  []float64   // by measure
	warnings []collection.Warning
}

func (r *results) has(i, j int) bool { return r.left == nil || !r.left[i][j] }

func (r *results) write(out io.Writer, format string, places int, byQuery, noSummary bool) error {
	switch format {
	case "json":
		return r.writeJSON(out, byQuery, noSummary)
	case "jsonl":
		return r.writeLines(out, byQuery, noSummary)
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', places, 64) }
	if places < 0 {
		number = func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	}
	if byQuery {
		for j, q := range r.queries {
			for i, m := range r.measures {
				if r.has(i, j) {
					fmt.Fprintf(out, "%s\t%s\t%s\n", q, m, number(r.values[i][j]))
				}
			}
		}
	}
	if !noSummary {
		for i, m := range r.measures {
			if byQuery {
				fmt.Fprint(out, "all\t")
			}
			fmt.Fprintf(out, "%s\t%s\n", m, number(r.summary[i]))
		}
	}
	return nil
}

// topicsOf joins a run with its qrels: one topic a judged query, in the order of the qrels. Queries of the run without
// judgments are left out.
func topicsOf(j *judged, run *collection.Run, policy measure.Policy) []measure.Topic {
	qrels := j.qrels
	ties := collection.DocIDDescending
	if policy.Ties == measure.DocIDAsc {
		ties = collection.DocIDAscending
	} else if policy.Ties == measure.Stable {
		ties = collection.InputOrder
	}
	if policy.Float32 {
		run = run.WithScores(func(v float64) float64 {
			return float64(float32(max(-math.MaxFloat32, min(v, math.MaxFloat32))))
		})
	}
	var out []measure.Topic
	for _, q := range qrels.Queries() {
		t := measure.Topic{Query: q, Judged: qrels.Grades(q, nil)}
		i := run.Query(q)
		if i < 0 {
			t.Missing = true
		}
		switch {
		case j.subtopics != nil || j.preferences != nil || i >= 0 && policy.Ties == measure.Input:
			t = listOf(j, run, q).Topic(policy)
		case i >= 0:
			t.Ranked, t.Scores = run.Grades(i, qrels, ties, []float64{}, nil)
			if d := policy.Depth; d > 0 && len(t.Ranked) > d {
				t.Ranked, t.Scores = t.Ranked[:d], t.Scores[:d]
			}
		}
		out = append(out, t)
	}
	return out
}

// listOf returns the list of a query in the order of the file, with its sub-topics or preferences where there are any.
func listOf(j *judged, run *collection.Run, query string) *measure.List {
	qrels, subtopics := j.qrels, j.subtopics
	l := &measure.List{Query: query, Missing: true}
	qrels.Each(query, func(doc string, grade float64) {
		l.JudgedIDs, l.Judged = append(l.JudgedIDs, doc), append(l.Judged, grade)
	})
	index := map[string]int32{}
	if j.preferences != nil {
		l.Preferences, index = compare.PreferencesOf(j.preferences, query)
	}
	if subtopics != nil {
		names := subtopics.Subtopics(query)
		place := make([]int, len(names)) // of each sub-topic its column
		for s := range place {
			place[s] = s
		}
		if j.named {
			sorted := slices.Sorted(slices.Values(names))
			for s, name := range names {
				place[s], _ = slices.BinarySearch(sorted, name)
			}
		}
		l.Subtopics = &measure.Subtopics{}
		var ids []string
		subtopics.Each(query, func(doc string, _ []collection.SubtopicGrade) { ids = append(ids, doc) })
		slices.Sort(ids)
		slices.Reverse(ids)
		for i, id := range ids {
			row := make([]float64, len(names))
			for s := range row {
				row[s] = measure.Unjudged
			}
			for _, g := range subtopics.Grades(query, id) {
				row[place[g.Subtopic]] = g.Grade
			}
			l.Subtopics.Docs = append(l.Subtopics.Docs, row)
			index[id] = int32(i)
		}
	}
	i := run.Query(query)
	if i < 0 {
		return l
	}
	l.Missing = false
	var entries []collection.Entry
	entries, l.Again = run.Listed(i)
	for _, e := range entries {
		grade, ok := qrels.Grade(query, e.Doc)
		if !ok {
			grade = measure.Unjudged
		}
		l.IDs, l.Scores, l.Grades = append(l.IDs, e.Doc), append(l.Scores, e.Score), append(l.Grades, grade)
		at, ok := index[e.Doc]
		if !ok {
			at = -1
		}
		if l.Subtopics != nil {
			l.Subtopics.Ranked = append(l.Subtopics.Ranked, at)
		}
		if l.Preferences != nil {
			l.Preferences.Ranked = append(l.Preferences.Ranked, at)
		}
	}
	return l
}

// writeJSON prints one object: "measures" with the summary of each, "queries" with the values of every query,
// "warnings", the worst first.
func (r *results) writeJSON(w io.Writer, byQuery, noSummary bool) error {
	object := func(value func(i int) (float64, bool)) string {
		var b strings.Builder
		for i, m := range r.measures {
			v, ok := value(i)
			if !ok {
				continue
			}
			if b.Len() > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quote(m.String()) + ":" + strconv.FormatFloat(v, 'g', -1, 64))
		}
		return "{" + b.String() + "}"
	}
	var parts []string
	if !noSummary {
		parts = append(parts, `"measures":`+object(func(i int) (float64, bool) { return r.summary[i], true }))
	}
	if byQuery {
		var queries []string
		for j, q := range r.queries {
			queries = append(queries, quote(q)+":"+object(func(i int) (float64, bool) {
				return r.values[i][j], r.has(i, j)
			}))
		}
		parts = append(parts, `"queries":{`+strings.Join(queries, ",")+"}")
	}
	var said []string
	for _, warning := range r.warnings {
		said = append(said, quote(warning.String()))
	}
	parts = append(parts, `"warnings":[`+strings.Join(said, ",")+"]")
	_, err := fmt.Fprintf(w, "{%s}\n", strings.Join(parts, ","))
	return err
}

// writeLines prints an object a line: "query_id", "measure" and "value"; those of the summary have no "query_id". What is
// doubtful comes last, an object with "warning" a line.
func (r *results) writeLines(w io.Writer, byQuery, noSummary bool) error {
	line := func(query string, m measure.Measure, v float64) {
		fmt.Fprintf(w, "{%s\"measure\":%s,\"value\":%s}\n", query, quote(m.String()),
			strconv.FormatFloat(v, 'g', -1, 64))
	}
	if byQuery {
		for j, q := range r.queries {
			for i, m := range r.measures {
				if r.has(i, j) {
					line("\"query_id\":"+quote(q)+",", m, r.values[i][j])
				}
			}
		}
	}
	if !noSummary {
		for i, m := range r.measures {
			line("", m, r.summary[i])
		}
	}
	for _, warning := range r.warnings {
		fmt.Fprintf(w, "{\"warning\":%s}\n", quote(warning.String()))
	}
	return nil
}
