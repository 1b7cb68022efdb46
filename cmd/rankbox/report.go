package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/packed"
)

// outcomeForms are what reportExperiment prints beside the formats of a report.
func outcomeForms() []string {
	return []string{"html", "analyses", "times", "methods", "bibtex", "metadata"}
}

// reportExperiment prints the report of a folder again.
func reportExperiment(c *context, args []string) error {
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	format := f.String("o", "text", "output: text, html (one file to share), json (all results), "+
		"analyses, times (of every stage, if -time measured them), "+
		"methods, bibtex, metadata (the header of ir_metadata), or a format of compare")
	html := f.Bool("html", false, "the same as -o html")
	var figure figureFlags
	figure.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if *html {
		*format = "html"
	}
	files := map[string]string{"html": pageFile, "text": textFile, "json": outcomeFile, "analyses": analysesFile,
		"methods": methodsFile, "bibtex": citationsFile, "metadata": metadataFile}
	if len(words) != 1 {
		return usagef("want the folder of an experiment")
	}
	if figure.given() {
		if err := figure.check(*format); err != nil {
			return err
		}
	} else if all := append(outcomeForms(), formats()...); !slices.Contains(all, *format) {
		return usagef("output %q is not one of %s", *format, strings.Join(all, ", "))
	}
	if exists(filepath.Join(words[0], journalFile)) && !exists(filepath.Join(words[0], outcomeFile)) {
		return fmt.Errorf("%s holds an unfinished experiment: continue it with rankbox run SPEC -o %s -resume",
			words[0], words[0])
	}
	if *format == "times" {
		t, err := readTimes(words[0])
		if err != nil {
			return err
		}
		if t == nil {
			return fmt.Errorf("%s has no times: measure them with rankbox run SPEC -o %s -resume -time", words[0],
				words[0])
		}
		return analysis.WriteText(c.out, []analysis.Section{t.Section(nil)})
	}
	if name := files[*format]; name != "" && !figure.given() {
		return printKept(c, filepath.Join(words[0], name), *format)
	}
	data, err := readFile(filepath.Join(words[0], comparisonFile), mostFolder)
	if err != nil {
		return err
	}
	file, err := packed.Unpack(data)
	if err != nil {
		return say.Faultf("rankbox", "%s: %w", filepath.Join(words[0], comparisonFile), err)
	}
	for _, m := range figure.measures(file.Input.Measures[0]) {
		if !slices.Contains(file.Input.Measures, m) {
			file.Input.Measures = append(file.Input.Measures, m)
		}
	}
	r, err := compare.Compare(file.Input, nil, nil)
	if err != nil {
		return err
	}
	if figure.given() {
		t, err := readTimes(words[0])
		if err != nil {
			return err
		}
		found, err := readAnalyses(filepath.Join(words[0], outcomeFile))
		if err != nil {
			return err
		}
		return figure.write(c.out, r, known(r, &file.Input, found, t), *format)
	}
	return export.Write(c.out, r, *format, export.Detail{Queries: true})
}
