package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/measure"
)

// eval prints what measures say of a run. The flags are those of ir_measures; with -o trec_eval or trec_eval9 they are those of
// trec_eval and the measures its names.
func eval(c *context, args []string) error {
	f := flag.NewFlagSet("eval", flag.ContinueOnError)
	byQuery := f.Bool("q", false, "print every query")
	f.BoolVar(byQuery, "by_query", false, "print every query")
	noSummary := f.Bool("n", false, "do not print the summary")
	f.BoolVar(noSummary, "no_summary", false, "do not print the summary")
	places := f.Int("p", 4, "decimal places; -1 for all")
	f.IntVar(places, "places", 4, "decimal places; -1 for all")
	format := f.String("o", "tsv", "output: tsv, json, trec_eval (as version 10 prints it) or trec_eval9 (as 9.0.4 does, scores in single precision)")
	f.StringVar(format, "output_format", "tsv", "output: tsv, json, trec_eval or trec_eval9")
	tool := f.String("as", "", "what another tool would say: "+toolNames())
	aggregate := f.String("summary", "mean", "of the queries: mean, geometric (values below 0.00001 count as that) or median; counts are added up")
	policies := f.String("policy", "", "switches, as name=option,…: ties, missing, unjudged, gain, empty, rel, depth, precision")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	var asked []string
	f.Func("m", "a measure; may be given again (or name them after the run)", func(s string) error {
		asked = append(asked, s)
		return nil
	})
	complete := f.Bool("c", false, "trec_eval: judged queries that the run lacks count 0")
	level := f.Int("l", 1, "trec_eval: lowest relevant grade")
	judgedOnly := f.Bool("J", false, "trec_eval: leave unjudged documents out")
	maxDocs := f.Int("M", -1, "trec_eval: documents kept of every list; -1 for all")
	docs := f.Int("N", 0, "trec_eval: documents in the collection, for utility")
	kind := f.String("R", "", "judgments: qrels; qrels_jg (the second column names the user who judged); prefs (query, group, subgroup, document, level); or qrels_prefs (query, group, document, level). What the file looks like where it is not given")
	runFormat := f.String("T", "trec_results", "trec_eval: the format of the run, which has this one")
	deviations := f.String("Z", "", "trec_eval: print values as deviations from a mean: file of query, measure, mean, standard deviation")
	debug := f.String("D", "0", "trec_eval: 0.QUERY looks at this query alone")
	faults := f.Bool("faults", false, "trec_eval: also say what that program says by mistake (-nan, num_rel at another level)")
	words, err := parse(c, f, trecWords(f, args))
	if err != nil {
		return err
	}
	trec := *format == "trec_eval" || *format == "trec_eval9"
	if !trec && *format != "tsv" && *format != "json" {
		return usagef("output %q is not tsv, json, trec_eval or trec_eval9", *format)
	}
	if len(words) > 2 {
		asked = append(asked, words[2:]...)
	}
	if len(words) < 2 || len(asked) == 0 && !trec {
		return usagef("want qrels, a run and at least one measure")
	}
	if words[0] == "-" && words[1] == "-" {
		return usagef("only one of qrels and run can come from standard input")
	}
	if !slices.Contains([]string{"mean", "geometric", "median"}, *aggregate) {
		return usagef("summary %q is not mean, geometric or median", *aggregate)
	}
	convention := measure.ConventionByName(*tool)
	if *tool != "" && (convention == nil || trec || *policies != "") {
		return usagef("-as goes without -policy and -o trec_eval, with one of %s", toolNames())
	}
	if *level < 0 || *maxDocs < -1 || *docs < 0 {
		return usagef("-l, -M and -N take whole numbers from 0")
	}
	if *kind != "" && !slices.Contains(judgmentKinds, *kind) {
		return usagef("-R %s is not one of %s", *kind, strings.Join(judgmentKinds, ", "))
	}
	if *runFormat != "trec_results" {
		return usagef("-T %s is not trec_results", *runFormat)
	}
	single, alone, err := debugQuery(*debug)
	if err != nil {
		return err
	}
	if *noSummary && !*byQuery && !trec {
		return usagef("-n without -q leaves nothing to print")
	}
	f.Visit(func(given *flag.Flag) {
		if theirs := slices.Contains([]string{"c", "J", "l", "M", "N", "T", "Z", "D", "faults"}, given.Name); err == nil && theirs && !trec {
			err = usagef("-%s goes with -o trec_eval; -policy has switches for the other outputs", given.Name)
		} else if err == nil && trec && given.Name == "policy" {
			err = usagef("-policy does not go with -o %s: its flags are -c, -D, -J, -l, -M, -N, -R and -Z", *format)
		} else if err == nil && given.Name == "summary" && (trec || *tool != "") {
			err = usagef("-summary goes neither with -as nor with -o %s: these have their own", *format)
		}
	})
	if err != nil {
		return err
	}
	var policy measure.Policy
	for _, p := range strings.FieldsFunc(*policies, func(r rune) bool { return r == ',' }) {
		name, option, _ := strings.Cut(p, "=")
		if err := policy.Set(name, option); err != nil {
			return usageError{err}
		}
	}
	policy.Float32 = policy.Float32 || *format == "trec_eval9"
	var ms []measure.Measure
	if !trec {
		if ms, err = measure.ParseList(strings.Join(asked, " ")); err != nil {
			return usageError{err}
		}
	}
	j, warnings, err := readJudged(c, words[0], *kind, ms)
	if err != nil {
		return err
	}
	var z *collection.Zscores
	if *deviations != "" {
		var more []collection.Warning
		if z, more, err = readZscores(c, *deviations); err != nil {
			return err
		}
		warnings = append(warnings, more...)
	}
	run, more, err := ranking(c, words[1])
	if err != nil {
		return err
	}
	if !*quiet {
		for _, w := range slices.Concat(warnings, more, collection.Check(run, j.qrels, words[1])) {
			fmt.Fprintf(c.err, "rankbox eval: warning: %s\n", w)
		}
	}
	out := bufio.NewWriter(c.out)
	defer out.Flush()
	if convention != nil {
		r, err := opinions(convention, j, run, ms)
		if err != nil {
			return err
		}
		return r.write(out, *format, *places, *byQuery, *noSummary)
	}
	if trec && j.preferences != nil {
		policy.Ties = measure.DocIDAsc // as trec_eval has it for preferences
	}
	topics := topicsOf(j, run, policy)
	if trec {
		if alone {
			only(topics, single)
		}
		o := measure.TrecEval{Measures: asked, PerQuery: *byQuery, NoSummary: *noSummary, Complete: *complete,
			JudgedOnly: *judgedOnly, Level: *level, AllJudged: *level == 0, MaxDocs: max(*maxDocs, 0), NoDocs: *maxDocs == 0, Docs: *docs, RunID: run.Tag, Faults: *faults, Version: 10,
			Judgments: j.kind(*kind)}
		if z != nil {
			o.Zscore = z.Get
		}
		if *format == "trec_eval9" {
			o.Version = 9
		}
		if err := measure.FormatTrecEval(out, topics, o); err != nil {
			return usageError{err}
		}
		return nil
	}
	e := measure.Evaluate(topics, ms, policy)
	r := &results{queries: e.Queries, measures: e.Measures, values: e.Values}
	for i, m := range e.Measures {
		v := e.Summary(i)
		if !m.Info().Sum && *aggregate == "geometric" {
			v = e.GeometricMean(i)
		} else if !m.Info().Sum && *aggregate == "median" {
			v = e.Median(i)
		}
		r.summary = append(r.summary, v)
	}
	return r.write(out, *format, *places, *byQuery, *noSummary)
}

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
}

func (r *results) has(i, j int) bool { return r.left == nil || !r.left[i][j] }

func (r *results) write(out io.Writer, format string, places int, byQuery, noSummary bool) error {
	if format == "json" {
		return r.writeJSON(out, byQuery, noSummary)
	}
	print := func(v float64) string { return strconv.FormatFloat(v, 'f', places, 64) }
	if places < 0 {
		print = func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	}
	if byQuery {
		for j, q := range r.queries {
			for i, m := range r.measures {
				if r.has(i, j) {
					fmt.Fprintf(out, "%s\t%s\t%s\n", q, m, print(r.values[i][j]))
				}
			}
		}
	}
	if !noSummary {
		for i, m := range r.measures {
			if byQuery {
				fmt.Fprint(out, "all\t")
			}
			fmt.Fprintf(out, "%s\t%s\n", m, print(r.summary[i]))
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
		run = run.WithScores(func(v float64) float64 { return float64(float32(max(-math.MaxFloat32, min(v, math.MaxFloat32)))) })
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
			t.Ranked, t.Scores = run.Grades(i, qrels, ties, []int32{}, nil)
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
	qrels.Each(query, func(doc string, grade int) {
		l.JudgedIDs, l.Judged = append(l.JudgedIDs, doc), append(l.Judged, int32(grade))
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
			row := make([]int32, len(names))
			for s := range row {
				row[s] = measure.Unjudged
			}
			for _, g := range subtopics.Grades(query, id) {
				row[place[g.Subtopic]] = int32(g.Grade)
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
	entries := run.Ranked(i, collection.InputOrder, nil)
	slices.SortFunc(entries, func(a, b collection.Entry) int { return a.Pos - b.Pos })
	for _, e := range entries {
		grade := int32(measure.Unjudged)
		if g, ok := qrels.Grade(query, e.Doc); ok {
			grade = int32(g)
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

// writeJSON prints one object: "measures" with the summary of each, "queries" with the values of every query.
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
			queries = append(queries, quote(q)+":"+object(func(i int) (float64, bool) { return r.values[i][j], r.has(i, j) }))
		}
		parts = append(parts, `"queries":{`+strings.Join(queries, ",")+"}")
	}
	_, err := fmt.Fprintf(w, "{%s}\n", strings.Join(parts, ","))
	return err
}
