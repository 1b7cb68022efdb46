package main

import (
	"bufio"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/intake/trace"
)

// traceAgents measures what search agents retrieved, step by step.
func traceAgents(c *context, args []string) error {
	f := flag.NewFlagSet("trace", flag.ContinueOnError)
	var o trace.Options
	format := f.String("o", "text", "output: "+strings.Join(trace.Formats,
		", ")+"; csv is a table of scores for rankbox compare")
	f.StringVar(&o.Hop, "m", "nDCG@10", "the measure of the ranking of every step, and of all documents in the order "+
		"of their first retrieval")
	depths := f.String("k", "5,10,20", "depths of Any@k and All@k, in documents over all steps")
	f.IntVar(&o.Level, "rel", 1, "the grade from which a document is relevant")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if len(words) < 2 {
		return usagef("want qrels and at least one file or folder of traces")
	}
	if !slices.Contains(trace.Formats, *format) {
		return usagef("output %q is not one of %s", *format, strings.Join(trace.Formats, ", "))
	}
	for _, word := range strings.FieldsFunc(*depths, func(r rune) bool { return r == ' ' || r == ',' }) {
		k, err := strconv.Atoi(word)
		if err != nil || k < 1 {
			return usagef("-k %q: a depth is a whole number from 1", word)
		}
		o.Depths = append(o.Depths, k)
	}
	o.Cancel = c.stop
	judged, warnings, err := judgments(c, words[0])
	if err != nil {
		return err
	}
	if !*quiet {
		warn(c, "trace", warnings)
	}
	var list []*trace.Outcome
	for _, word := range words[1:] {
		sets, err := readTraces(c, word)
		if err != nil {
			return err
		}
		for _, set := range sets {
			for _, had := range list {
				if had.System == set.Name {
					return fmt.Errorf("%s: its traces are of %q, as those of a file before it: join them, or give "+
						"each a run_id", word, set.Name)
				}
			}
			got, err := trace.Measure(set, judged.Qrels, o)
			if err != nil {
				return fmt.Errorf("%s: %w", word, err)
			}
			list = append(list, got)
		}
	}
	var r *report.Report
	if len(list) > 1 {
		if r, err = trace.Report(list, scores.Asked{Cancel: c.stop}); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(c.out)
	defer out.Flush()
	return trace.Write(out, list, r, *format)
}

// readTraces reads the traces of one system: a file of them, or a folder with one a file, as BrowseComp-Plus writes it.
// A zip may hold several systems.
func readTraces(c *context, word string) ([]*trace.Set, error) {
	names, err := filesOf(word)
	if err != nil {
		return nil, err
	}
	var sets []*trace.Set
	for _, name := range names {
		f, shown, err := c.open(name)
		if err != nil {
			return nil, err
		}
		if strings.EqualFold(filepath.Ext(shown), ".zip") {
			read, err := intake.Read(shown, intake.Any, f, collection.Options{Limits: c.limits})
			f.Close()
			if err != nil {
				return nil, err
			}
			if len(read.Traces) == 0 {
				return nil, fmt.Errorf("%s holds no traces of agents", shown)
			}
			if len(names) == 1 {
				return read.Traces, nil
			}
			sets = append(sets, read.Traces...)
			continue
		}
		b, err := within.All(f, 0, trace.MaxBytes)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown, err)
		}
		s, err := trace.Read(shown, intake.Name(shown), b)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	if len(sets) == 1 {
		return sets, nil
	}
	joined, err := trace.Join(filepath.Base(word), sets)
	return []*trace.Set{joined}, err
}
