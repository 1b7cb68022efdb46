package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
)

// convert reads a run, qrels, queries, documents or vectors in any form, says what is odd about it, and writes it in
// the form that is asked for. What can be settled in one way only is settled by writing: the order, ranks that
// contradict it, repeated documents, spaces around ids.
// It is the order of the command: flags, file, texts, and what is written.
func convert(c *context, args []string) error {
	f := flag.NewFlagSet("convert", flag.ContinueOnError)
	format := f.String("o", "trec",
		"output. Runs: trec, json or csv. Qrels: also tsv (BEIR), and benchmark, dataset or judged (JSON with "+
			"queries). Queries: trec (topics), tsv or jsonl. Documents: jsonl. Vectors: npy. A terminal shows "+
			"invisible characters escaped")
	as := f.String("as", "", "run or qrels, if the file may be either")
	separator := f.String("chunks", "",
		"collapse a run of chunks to documents: the separator between document id and chunk")
	chunkMap := f.String("map", "", "collapse a run of chunks to documents: file of chunk and document ids")
	corpus := f.String("corpus", "", "a file of documents, to look up the references of a benchmark")
	texts := f.String("queries", "",
		"a file with the queries' texts, types, difficulties and domains, for -o benchmark, dataset and judged")
	lint := f.Bool("lint", false, "report oddities and write no file; exit code 1 if there are any")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	c.limits = bounds.Limits
	if len(words) != 1 {
		return usagef("want one file")
	}
	prefer := collection.Unknown
	switch *as {
	case "":
	case "run":
		prefer = collection.RunTREC
	case "qrels":
		prefer = collection.QrelsTREC
	default:
		return usagef("-as %q is neither run nor qrels", *as)
	}
	got, err := readAs(c, words[0], prefer)
	if err != nil {
		return err
	}
	if err := heldAs(got, *as); err != nil {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	rule, chunked, err := chunkRule(c, *separator, *chunkMap)
	if err != nil {
		return err
	}
	warnings := got.Warnings
	bare := got.Benchmark != nil && *corpus == "" && *format == "benchmark"
	if got.Benchmark != nil && !bare {
		r, err := resolve(c, got.Benchmark, *corpus, true)
		if err != nil {
			return err
		}
		got.Qrels, got.Queries, warnings = r.Qrels, r.Queries, append(warnings, r.Warnings...)
	}
	if got.Run != nil && chunked {
		run, more := got.Run.Collapse(rule, words[0])
		got.Run, warnings = run, append(warnings, more...)
	}
	if !*quiet {
		warn(c, "convert", warnings)
	}
	if *lint {
		if *format == "json" {
			if err := writeOddities(c.out, words[0], warnings); err != nil {
				return err
			}
		}
		if len(warnings) > 0 {
			return gateError{fmt.Errorf("%s: %s", words[0],
				say.Count(len(warnings), "kind of oddity", "kinds of oddities"))}
		}
		return nil
	}
	if *texts != "" {
		if err := addTexts(c, got, *texts); err != nil {
			return err
		}
	}
	write, err := writer(got, *format, !bare)
	if err != nil {
		return err
	}
	if got.Run == nil && slices.Contains(shapes, *format) {
		if write, err = readable(c, write); err != nil {
			return err
		}
	}
	out, end := c.file(*format)
	if err := write(out); err != nil {
		return err
	}
	end()
	return nil
}

// readable refuses to write one of shapes that would not be read again within the limits.
func readable(c *context, write func(io.Writer) error) (func(io.Writer) error, error) {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return nil, err
	}
	if _, err := collection.Read("the output", bytes.NewReader(text.Bytes()),
		collection.Options{Limits: c.limits}); err != nil {
		return nil, fmt.Errorf("the file could not be read back: %w", err)
	}
	return func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	}, nil
}

// heldAs refuses a file that does not hold what it was said to hold: "run", "qrels", or "" for whatever it holds.
func heldAs(got *collection.Content, as string) error {
	switch {
	case as == "run" && got.Run == nil:
		return fmt.Errorf("it is not a run: it looks like %s", got.Format)
	case as == "run" && got.Qrels != nil: // grades beside the scores
		got.Qrels, got.Diversity = nil, nil
	case as == "qrels" && got.Qrels == nil && got.Benchmark == nil &&
		(got.Collection == nil || got.Collection.Qrels == nil):
		return fmt.Errorf("it holds no judgments: it looks like %s", got.Format)
	case as == "qrels":
		got.Run = nil
	}
	return nil
}

// writeOddities writes what is odd about a file for programs.
func writeOddities(w io.Writer, file string, list []collection.Warning) error {
	type place struct {
		Line int    `json:"line"`
		What string `json:"what"`
	}
	type oddity struct {
		Kind    string  `json:"kind"`
		File    string  `json:"file"`
		Line    int     `json:"line"`
		Count   int     `json:"count"`
		Message string  `json:"message"`
		Places  []place `json:"places"`
	}
	out := struct {
		Format   string   `json:"format"`
		Version  int      `json:"version"`
		File     string   `json:"file"`
		Oddities []oddity `json:"oddities"`
	}{"rankbox-lint", 1, file, []oddity{}}
	for _, x := range list {
		o := oddity{x.Kind, x.File, x.Line, x.Count, x.Message, []place{}}
		for _, p := range x.Places {
			o.Places = append(o.Places, place{p.Line, p.What})
		}
		out.Oddities = append(out.Oddities, o)
	}
	text, err := json.Marshal(out)
	if err == nil {
		_, err = io.WriteString(w, say.Escaped(string(text))+"\n")
	}
	return err
}

// addTexts gives what was read the queries of a file.
func addTexts(c *context, got *collection.Content, file string) error {
	more, err := readContent(c, file)
	if err != nil {
		return err
	}
	queries := more.Queries
	if more.Collection != nil {
		queries = more.Collection.Queries
	}
	if len(queries) == 0 {
		return fmt.Errorf("%s holds no queries", file)
	}
	if got.Queries = queries; got.Collection != nil {
		got.Collection.Queries = queries
	}
	return nil
}

// writer returns what writes the content of a file in a form.
func writer(c *collection.Content, format string, resolved bool) (func(io.Writer) error, error) {
	if c.Run == nil && slices.Contains(shapes, format) {
		return shaped(c, format, resolved)
	}
	var forms map[string]func(io.Writer) error
	switch q := c.Qrels; {
	case c.Run != nil:
		forms = map[string]func(io.Writer) error{"trec": c.Run.WriteTREC, "json": c.Run.WriteJSON,
			"csv": c.Run.WriteCSV}
	case c.Diversity != nil:
		if format != "trec" {
			return nil, usagef("judgments for subtopics can only be written as trec")
		}
		return c.Diversity.WriteTREC, nil
	case c.Preferences != nil:
		if format != "trec" {
			return nil, usagef("preferences can only be written as trec")
		}
		return c.Preferences.WriteTREC, nil
	case q != nil:
		forms = map[string]func(io.Writer) error{"trec": q.WriteTREC, "json": q.WriteJSON, "csv": q.WriteCSV,
			"tsv": q.WriteTSV}
	case len(c.Docs) > 0:
		forms = map[string]func(io.Writer) error{"jsonl": func(w io.Writer) error {
			return collection.WriteCorpus(w, c.Docs)
		}}
	case len(c.Queries) > 0:
		forms = map[string]func(io.Writer) error{
			"trec":  func(w io.Writer) error { return collection.WriteTopics(w, c.Queries) },
			"tsv":   func(w io.Writer) error { return collection.WriteQueriesTSV(w, c.Queries) },
			"jsonl": func(w io.Writer) error { return collection.WriteQueries(w, c.Queries) },
		}
	case c.Vectors != nil:
		forms = map[string]func(io.Writer) error{"npy": c.Vectors.WriteNPY}
	default:
		return nil, fmt.Errorf("%s holds no run, judgments, queries, documents or vectors: it looks like %s", c.Name,
			c.Format)
	}
	if w := forms[format]; w != nil {
		return w, nil
	}
	names := slices.Sorted(maps.Keys(forms))
	if c.Run == nil && c.Qrels != nil {
		names = append(names, shapes...)
	}
	return nil, usagef("output %q: %s can be written as %s", format, c.Name, strings.Join(names, ", "))
}
