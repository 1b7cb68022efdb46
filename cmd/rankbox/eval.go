package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// eval prints what measures say of a run. The flags are those of ir_measures; with -o trec_eval they are those of trec_eval and
// the measures its names.
func eval(c *context, args []string) error {
	f := flag.NewFlagSet("eval", flag.ContinueOnError)
	byQuery := f.Bool("q", false, "print every query")
	f.BoolVar(byQuery, "by_query", false, "print every query")
	noSummary := f.Bool("n", false, "do not print the summary")
	f.BoolVar(noSummary, "no_summary", false, "do not print the summary")
	places := f.Int("p", 4, "decimal places; -1 for all")
	f.IntVar(places, "places", 4, "decimal places; -1 for all")
	format := f.String("o", "tsv", "output: tsv, json or trec_eval")
	f.StringVar(format, "output_format", "tsv", "output: tsv, json or trec_eval")
	policies := f.String("policy", "", "switches, as name=option,…: ties, missing, unjudged, gain, empty")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	complete := f.Bool("c", false, "trec_eval: judged queries that the run lacks count 0")
	level := f.Int("l", 1, "trec_eval: lowest relevant grade")
	judgedOnly := f.Bool("J", false, "trec_eval: leave unjudged documents out")
	maxDocs := f.Int("M", 0, "trec_eval: documents kept of every list")
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	trec := *format == "trec_eval"
	if len(words) < 2 || len(words) < 3 && !trec {
		return usagef("want qrels, a run and at least one measure")
	}
	if words[0] == "-" && words[1] == "-" {
		return usagef("only one of qrels and run can come from standard input")
	}
	if !trec && *format != "tsv" && *format != "json" {
		return usagef("output %q is not tsv, json or trec_eval", *format)
	}
	if *noSummary && !*byQuery {
		return usagef("-n without -q leaves nothing to print")
	}
	var policy measure.Policy
	for _, p := range strings.FieldsFunc(*policies, func(r rune) bool { return r == ',' }) {
		name, option, _ := strings.Cut(p, "=")
		if err := policy.Set(name, option); err != nil {
			return usageError{err}
		}
	}
	var ms []measure.Measure
	if !trec {
		if ms, err = measure.ParseList(strings.Join(words[2:], " ")); err != nil {
			return usageError{err}
		}
	}
	qrels, warnings, err := readQrels(c, words[0])
	if err != nil {
		return err
	}
	runs, more, err := readRun(c, words[1])
	if err != nil {
		return err
	}
	if !*quiet {
		for _, w := range append(warnings, more...) {
			fmt.Fprintf(c.err, "rankbox eval: warning: %s\n", w)
		}
	}
	out := bufio.NewWriter(c.out)
	defer out.Flush()
	topics := topicsOf(qrels, runs, policy)
	if trec {
		err := measure.FormatTrecEval(out, topics, measure.TrecEval{Measures: words[2:], PerQuery: *byQuery, NoSummary: *noSummary, Complete: *complete,
			JudgedOnly: *judgedOnly, Level: *level, MaxDocs: *maxDocs, RunID: runs.Tag})
		if err != nil {
			return usageError{err}
		}
		return nil
	}
	r := measure.Evaluate(topics, ms, policy)
	if *format == "json" {
		return writeJSON(out, r, *byQuery, *noSummary)
	}
	print := func(v float64) string { return strconv.FormatFloat(v, 'f', *places, 64) }
	if *places < 0 {
		print = func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	}
	if *byQuery {
		for j, q := range r.Queries {
			for i, m := range r.Measures {
				fmt.Fprintf(out, "%s\t%s\t%s\n", q, m, print(r.Values[i][j]))
			}
		}
	}
	if !*noSummary {
		for i, m := range r.Measures {
			if *byQuery {
				fmt.Fprint(out, "all\t")
			}
			fmt.Fprintf(out, "%s\t%s\n", m, print(r.Summary(i)))
		}
	}
	return nil
}

func readQrels(c *context, name string) (*collection.Qrels, []collection.Warning, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return collection.ReadQrels(f, shown, collection.Options{})
}

func readRun(c *context, name string) (*collection.Run, []collection.Warning, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return collection.ReadRun(f, shown, collection.Options{})
}

// topicsOf joins a run with its qrels: one topic a judged query, in the order of the qrels. Queries of the run without
// judgments are left out.
func topicsOf(qrels *collection.Qrels, run *collection.Run, policy measure.Policy) []measure.Topic {
	ties := collection.DocIDDescending
	switch policy.Ties {
	case measure.DocIDAsc:
		ties = collection.DocIDAscending
	case measure.Stable, measure.Input:
		ties = collection.InputOrder
	}
	var out []measure.Topic
	for _, q := range qrels.Queries() {
		t := measure.Topic{Query: q, Judged: qrels.Grades(q, nil)}
		if i := run.Query(q); i >= 0 {
			t.Ranked, t.Scores = run.Grades(i, qrels, ties, []int32{}, nil)
		} else {
			t.Missing = true
		}
		out = append(out, t)
	}
	return out
}

// writeJSON prints one object: "measures" with the summary of each, "queries" with the values of every query.
func writeJSON(w io.Writer, r *measure.Result, byQuery, noSummary bool) error {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	fmt.Fprint(w, "{")
	if !noSummary {
		fmt.Fprint(w, `"measures":{`)
		for i, m := range r.Measures {
			if i > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprintf(w, "%s:%s", quote(m.String()), number(r.Summary(i)))
		}
		fmt.Fprint(w, "}")
	}
	if byQuery {
		if !noSummary {
			fmt.Fprint(w, ",")
		}
		fmt.Fprint(w, `"queries":{`)
		for j, q := range r.Queries {
			if j > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprintf(w, "%s:{", quote(q))
			for i, m := range r.Measures {
				if i > 0 {
					fmt.Fprint(w, ",")
				}
				fmt.Fprintf(w, "%s:%s", quote(m.String()), number(r.Values[i][j]))
			}
			fmt.Fprint(w, "}")
		}
		fmt.Fprint(w, "}")
	}
	fmt.Fprintln(w, "}")
	return nil
}
